/** `cli listen` against a log and a receiver that answer as a test says, and against the service. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { CHILD_ENV, noteChild } from '../../support/app/child-process.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { createSendWorker, whileSending } from '../../support/webhooks/send-worker.ts';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

interface Answer {
  status: number;
  body?: object;
  location?: string;
}

let log: Server;
let receiver: Server;
let answerOf: (query: URLSearchParams, key: string) => Answer;
let replyOf: () => number;
let received: { headers: IncomingMessage['headers']; body: string }[];
let stop: (() => void)[] = [];

const events = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => ({
    id: `e-${from + n}`,
    type: 'member.created',
    sequence: from + n,
    objectId: `m-${from + n}`,
    data: { name: 'Zoë' },
  }));

/** As the log does: behind the number, a page at most. */
function pageOf(query: URLSearchParams, last: number): Answer {
  const after = Number(query.get('afterSequence') ?? 0);
  const limit = Number(query.get('limit'));
  return { status: 200, body: { data: events(after + 1, Math.min(last, after + limit)), nextCursor: null, lastSequence: last } };
}

const open = async (handle: (req: IncomingMessage, res: ServerResponse) => unknown): Promise<Server> => {
  const server = createServer((req, res) => void handle(req, res)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};
const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeEach(async () => {
  received = [];
  replyOf = () => 204;
  answerOf = (query) => pageOf(query, 0);
  log = await open((req, res) => {
    const { searchParams } = new URL(req.url ?? '', 'http://log');
    const { status, body, location } = answerOf(searchParams, String(req.headers['x-tenant-api-key']));
    res.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) }).end(JSON.stringify(body));
  });
  receiver = await open(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += String(chunk);
    received.push({ headers: req.headers, body });
    const status = replyOf();
    if (status === 0) res.destroy();
    else res.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
  });
});
afterEach(() => {
  for (const one of stop) one();
  stop = [];
  for (const server of [log, receiver]) {
    server.closeAllConnections();
    server.close();
  }
});

function listen(...words: string[]) {
  const all = ['src/cli.ts', 'listen', '--url', urlOf(log), '--forward', `${urlOf(receiver)}/hooks`, ...words];
  // No database, no secrets: nothing else of the service is there.
  const child = spawn(process.execPath, all, { env: { ...CHILD_ENV, MCR_KEY: 'svc_sandbox_key' } });
  noteChild(child);
  stop.push(() => void child.kill('SIGKILL'));
  const run = { printed: '', said: '', ended: once(child, 'close') };
  child.stdout.on('data', (chunk: Buffer) => {
    run.printed += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    run.said += chunk.toString();
  });
  return run;
}

const numbers = () => received.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence);

test('forwards what is behind the number, each once and in order, over several pages, signed', async () => {
  let last = 250;
  answerOf = (query) => pageOf(query, last);
  const run = listen('--from', '2', '--secret', SECRET);
  await expect.poll(() => received.length, { timeout: 60_000 }).toBe(248);
  last = 252;
  await expect.poll(() => received.length, { timeout: 60_000 }).toBe(250);
  expect(numbers()).toEqual(Array.from({ length: 250 }, (_, n) => n + 3));
  const [first] = received;
  expect(new Webhook(SECRET).verify(first?.body ?? '', first?.headers as Record<string, string>)).toMatchObject({ id: 'e-3' });
  expect(first?.headers['webhook-id']).toBe('e-3');
  // The line comes by another way than the request: it may arrive behind it.
  await expect.poll(() => run.printed, { timeout: 60_000 }).toMatch(/^252 {2}member\.created {2}m-252 {2}204 in \d+ ms$/m);
});

test('begins with what comes next, and prints a secret that verifies', async () => {
  let last = 7;
  answerOf = (query, key) => (key === 'svc_sandbox_key' ? pageOf(query, last) : { status: 401 });
  const run = listen();
  await expect.poll(() => run.printed, { timeout: 60_000 }).toContain('behind number 7');
  last = 8;
  await expect.poll(() => received.length, { timeout: 60_000 }).toBe(1);
  expect(numbers()).toEqual([8]);
  const secret = /whsec_\S+/.exec(run.printed)?.[0] ?? '';
  expect(() => new Webhook(secret).verify(received[0]?.body ?? '', received[0]?.headers as Record<string, string>)).not.toThrow();
});

test('tells what the receiver makes of it, follows no redirect, and goes on behind a failure', async () => {
  answerOf = (query) => pageOf(query, 4);
  const replies = [500, 302, 0, 200];
  replyOf = () => replies.shift() ?? 204;
  const run = listen('--from', '0');
  await expect.poll(() => run.printed, { timeout: 60_000 }).toMatch(/^4 .* 200 in/m);
  expect(run.printed).toMatch(/^1 .* 500 in/m);
  expect(run.printed).toMatch(/^2 .* 302 in/m);
  expect(run.printed).toMatch(/^3 .* no answer: /m);
  expect(received).toHaveLength(4);
});

test('asks again when the service is away for a while', async () => {
  let asked = 0;
  answerOf = (query) => {
    asked += 1;
    return asked === 2 ? { status: 503, body: { error: 'away', code: 'SERVICE_UNAVAILABLE' } } : pageOf(query, asked > 2 ? 1 : 0);
  };
  const run = listen('--from', '0');
  await expect.poll(() => received.length, { timeout: 60_000 }).toBe(1);
  await expect.poll(() => run.printed, { timeout: 60_000 }).toContain('503 SERVICE_UNAVAILABLE: away; asking again');
});

test.each([
  { status: 401, code: 'INVALID_API_KEY' },
  { status: 403, code: 'FORBIDDEN' },
  { status: 422, code: 'EVENTS_FORGOTTEN' },
])('ends when the service refuses: $code', async ({ status, code }) => {
  answerOf = () => ({ status, body: { error: 'no', code } });
  const run = listen('--from', '3');
  const [exit] = (await run.ended) as [number];
  expect([exit, run.said]).toEqual([1, expect.stringContaining(`answers ${status} ${code}: no`)]);
  expect(received).toEqual([]);
});

test.each([301, 302, 303, 307, 308])('ends where the service answers %i, and shows the key to nobody else', async (status) => {
  answerOf = () => ({ status, location: `${urlOf(receiver)}/steal` });
  const run = listen('--from', '3');
  const [exit] = (await run.ended) as [number];
  expect([exit, run.said]).toEqual([1, expect.stringContaining(`answers ${status}, which leads elsewhere`)]);
  expect(received).toEqual([]);
});

test.each([
  { words: ['--from', 'yesterday'], says: 'neither a number nor `now`' },
  { words: ['--forward', 'file:///etc/passwd'], says: 'no http address' },
  { words: ['--secret', 'hunter2'], says: 'whsec_' },
])('refuses $words', async ({ words, says }) => {
  const run = listen(...words);
  const [exit] = (await run.ended) as [number];
  expect([exit, run.said]).toEqual([1, expect.stringContaining(says)]);
});

describe('at a running service', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  test('forwards what happens, as the log has it', async () => {
    const { sandboxKey } = await app.newTenant();
    const client = apiClient(app, sandboxKey);
    const run = listen('--url', app.baseUrl, '--key', sandboxKey);
    await expect.poll(() => run.printed, { timeout: 90_000 }).toContain('Forwarding events behind number');
    const secret = /whsec_\S+/.exec(run.printed)?.[0] ?? '';
    const forwarded = () =>
      received.map(({ body, headers }) => new Webhook(secret).verify(body, headers as Record<string, string>));
    const member = await client.newMember({ name: 'Zoë' });
    const created = expect.objectContaining({ type: 'member.created', objectId: member.id });
    await whileSending(createSendWorker(app, []), async () => {
      await expect.poll(forwarded, { timeout: 60_000 }).toContainEqual(created);
    });
    const { body } = await client.get(`/api/v1/webhook-events?objectId=${member.id}&type=member.created`);
    expect(body.data).toHaveLength(1);
    expect(forwarded()).toContainEqual(body.data[0]);
  });
});
