/**
 * Slow loris: connections that never finish their request must not crowd out those that do.
 * Source: docs/specification/reliability.md#slow-clients.
 */
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../support/app/http-call.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';

const CONNECTIONS = 200;
/** headersTimeout, the interval at which it is checked, and room for a busy machine. */
const HEADERS_BOUND_MS = 10_000 + 5_000 + 5_000;
/** requestTimeout for a body, likewise. */
const BODY_BOUND_MS = 30_000 + 5_000 + 5_000;

let app: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
});
afterAll(() => app.close());

interface SlowEnd {
  /** What the server said before it closed; empty after a reset. */
  answer: string;
  afterMs: number;
}

/** Opens a connection that sends `head` and then a little every 500 ms until the server ends it. */
function dribble(head: string, drop: string): Promise<SlowEnd> {
  const { hostname, port } = new URL(app.baseUrl);
  const started = performance.now();
  return new Promise((resolve) => {
    let answer = '';
    const socket: Socket = connect({ host: hostname, port: Number(port) }, () => socket.write(head));
    const drip = setInterval(() => {
      if (socket.writable) socket.write(drop);
    }, 500);
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(drip);
      resolve({ answer, afterMs: performance.now() - started });
    });
  });
}

/** Calls as a healthy client until told to stop; every answer must be a 200. */
async function callUntil(done: Promise<unknown>): Promise<number[]> {
  const statuses: number[] = [];
  const until = new AbortController();
  void done.then(() => until.abort());
  while (!until.signal.aborted) {
    const answer = await call(app.baseUrl, {
      method: 'GET',
      target: '/api/v1/users',
      headers: { 'x-tenant-api-key': tenant.liveKey },
    });
    statuses.push(answer.status);
    await sleep(100);
  }
  return statuses;
}

const many = (head: string, drop: string): Promise<SlowEnd[]> =>
  Promise.all(Array.from({ length: CONNECTIONS }, () => dribble(head, drop)));

function expectAllEnded(ends: SlowEnd[], boundMs: number): void {
  expect(ends.filter(({ afterMs }) => afterMs > boundMs)).toEqual([]);
  const answered = ends.filter(({ answer }) => answer !== '');
  for (const { answer } of answered) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toMatch(/^X-Environment: (LIVE|SANDBOX)\r$/m);
    expect(answer).toContain('"code":"REQUEST_TIMEOUT"');
  }
  expect(answered.length).toBeGreaterThan(0);
}

test.concurrent('headers that dribble in are cut off, and a healthy client notices nothing', async () => {
  const ended = many(`GET /api/v1/users HTTP/1.1\r\nHost: test\r\nx-tenant-api-key: ${tenant.liveKey}\r\n`, 'X-A: 1\r\n');
  const statuses = await callUntil(ended);
  expectAllEnded(await ended, HEADERS_BOUND_MS);
  expect(statuses.length).toBeGreaterThan(10);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test.concurrent('bodies that dribble in are cut off, hold no database connection, and leave nothing behind', async () => {
  const head = `POST /api/v1/users HTTP/1.1\r\nHost: test\r\nx-tenant-api-key: ${tenant.liveKey}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n`;
  const ended = many(`${head}{"email":"slow@test.example","name":"`, 'x');
  const statuses = await callUntil(ended);
  expectAllEnded(await ended, BODY_BOUND_MS);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await app.database.asSuperuser("select from member where email = 'slow@test.example'")).toEqual([]);
});

test.concurrent('connections that say nothing at all are cut off', async () => {
  const ends = await Promise.all(Array.from({ length: 20 }, () => dribble('', '')));
  expect(ends.filter(({ afterMs }) => afterMs > HEADERS_BOUND_MS)).toEqual([]);
});

test.concurrent('a connection whose requests were refused as a whole stays good for those behind them', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ports = new Set<number | undefined>();
  const send = (method: string, target: string, headers: Record<string, string>, body?: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = request(new URL(target, app.baseUrl), { method, agent, headers }, (answer) => {
        ports.add(answer.socket.localPort);
        answer.resume().on('end', () => resolve(answer.statusCode));
      });
      sent.on('error', reject).end(body);
    });
  const csv = { 'content-type': 'text/csv' };
  const json = { 'content-type': 'application/json' };
  const key = { 'x-tenant-api-key': tenant.liveKey };
  const imports = '/api/v1/imports?kind=members&mode=apply';
  expect(await send('POST', imports, { ...key, ...csv }, 'no_such_column\nx\n')).toBe(400);
  expect(await send('POST', imports, { ...key, ...csv, 'idempotency-key': 'x'.repeat(300) }, 'email\na@x.example\n')).toBe(400);
  expect(await send('POST', imports, csv, 'email\na@x.example\n')).toBe(401);
  expect(await send('POST', '/api/v1/users', json, '{"email":"a@x.example"}')).toBe(401);
  expect(await send('POST', '/api/v1/users', { ...key, ...json }, '{')).toBe(400);
  expect(await send('POST', '/nowhere', { ...key, ...json }, '{}')).toBe(404);
  for (const until = performance.now() + BODY_BOUND_MS; performance.now() < until; await sleep(500)) {
    expect(await send('GET', '/api/v1/users', key)).toBe(200);
  }
  expect(ports.size).toBe(1);
  agent.destroy();
});
