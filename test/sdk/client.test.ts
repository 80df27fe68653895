/** The library against a server that fails in every way, and against the service. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ApiError, ConnectionError, createClient } from '../../packages/sdk/src/index.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';

type Step = (req: IncomingMessage, res: ServerResponse) => void;

let server: Server;
let baseUrl: string;
let steps: Step[];
let came: { method: string; url: string; key: string | undefined; body: string }[];

beforeAll(async () => {
  server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    req.on('end', () => {
      came.push({
        method: req.method ?? '',
        url: req.url ?? '',
        key: req.headers['idempotency-key'] as string | undefined,
        body,
      });
      const step = steps.length > 1 ? steps.shift() : steps[0];
      step?.(req, res);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  came = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
afterEach(() => {
  came = [];
});

const answer =
  (status: number, body: object = {}, headers: Record<string, string> = {}): Step =>
  (_req, res) => {
    res.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-1', ...headers }).end(JSON.stringify(body));
  };
const refused = (status: number, code: string, headers?: Record<string, string>) =>
  answer(status, { error: `it is ${code}`, code, details: { fields: [{ field: 'email', message: 'is wrong' }] } }, headers);
const cut: Step = (req) => req.socket.destroy();
const silent: Step = () => undefined;
const member = answer(201, { id: 'm-1' });
const client = (more: object = {}) => createClient({ apiKey: 'svc_sandbox_x', baseUrl, ...more });

describe('a call that is refused for now', () => {
  test.each([
    ['429', refused(429, 'RATE_LIMITED', { 'retry-after': '0' })],
    ['503', refused(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' })],
    ['503 by a proxy, which is no JSON', (_req: IncomingMessage, res: ServerResponse) => void res.writeHead(503).end('<html>')],
    ['a request with the same key under way', refused(409, 'IDEMPOTENCY_IN_PROGRESS', { 'retry-after': '0' })],
    ['a date in Retry-After', refused(429, 'RATE_LIMITED', { 'retry-after': new Date(0).toUTCString() })],
    ['a lost connection', cut],
  ])('is sent again, with the same key: %s', async (_what, failure) => {
    steps = [failure, failure, member];
    expect((await client().createUser({ email: 'a@b.example' })).id).toBe('m-1');
    expect(came).toHaveLength(3);
    expect(new Set(came.map(({ key, body }) => `${key} ${body}`)).size).toBe(1);
    expect(came[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('waits as long as it is told', async () => {
    steps = [refused(429, 'RATE_LIMITED', { 'retry-after': '1' }), member];
    const begun = performance.now();
    await client().createUser({ email: 'a@b.example' });
    expect(performance.now() - begun).toBeGreaterThanOrEqual(1000);
  });

  test('is not waited for when that is too long, nor sent more often than is said', async () => {
    steps = [refused(429, 'RATE_LIMITED', { 'retry-after': '3600' })];
    await expect(client().createUser({ email: 'a@b.example' })).rejects.toMatchObject({ status: 429, retryAfter: 3600 });
    expect(came).toHaveLength(1);
    steps = [refused(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' })];
    await expect(client({ maxRetries: 1 }).createUser({ email: 'a@b.example' })).rejects.toBeInstanceOf(ApiError);
    expect(came).toHaveLength(3);
  });

  test('ends its wait when the caller does not want it any more', async () => {
    steps = [refused(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '30' })];
    const controller = new AbortController();
    const call = client().listUsers({}, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 100);
    await expect(call).rejects.toThrow('enough');
    expect(came).toHaveLength(1);
  });
});

describe('a call that may have had its effect', () => {
  test('without a key is not sent again', async () => {
    const signed = { 'X-Tenant-ID': 't', provider: 'p', token: 'x' } as const;
    steps = [cut, answer(200, {})];
    await expect(client().exchangeToken(signed)).rejects.toBeInstanceOf(ConnectionError);
    expect(came).toHaveLength(1);
    steps = [refused(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' }), answer(200, {})];
    await expect(client().exchangeToken(signed)).rejects.toMatchObject({ status: 503 });
    expect(came).toHaveLength(2);
    steps = [refused(429, 'RATE_LIMITED', { 'retry-after': '0' }), answer(200, {})];
    await client().exchangeToken(signed);
    expect(came).toHaveLength(4);
  });

  test('ends in the middle of an attempt when the caller does not want it any more', async () => {
    steps = [silent];
    const controller = new AbortController();
    const call = client().listUsers({}, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 100);
    await expect(call).rejects.toThrow('enough');
    expect(came).toHaveLength(1);
  });

  test('that nobody answers is given up in time', async () => {
    steps = [silent];
    const call = client({ timeoutMs: 50, maxRetries: 1 }).listUsers();
    await expect(call).rejects.toMatchObject({ name: 'ConnectionError', message: 'the service did not answer in time' });
    expect(came).toHaveLength(2);
  });
});

describe('a refusal', () => {
  test.each([400, 401, 403, 404, 409, 422, 500])('of %i is thrown at once, with what it says', async (status) => {
    steps = [refused(status, 'VALIDATION_ERROR')];
    const error = await client()
      .createUser({ email: 'x' })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status,
      code: 'VALIDATION_ERROR',
      message: 'it is VALIDATION_ERROR',
      requestId: 'r-1',
      fields: [{ field: 'email', message: 'is wrong' }],
    });
    expect(came).toHaveLength(1);
  });
});

test.each([
  [401, 'UNAUTHORIZED'],
  [404, 'NOT_FOUND'],
  [413, 'BODY_TOO_LARGE'],
  [418, 'VALIDATION_ERROR'],
  [502, 'SERVICE_UNAVAILABLE'],
])('a %i of a proxy, which is no JSON, has the code %s', async (status, code) => {
  steps = [(_req, res) => void res.writeHead(status).end('<html>')];
  await expect(client({ maxRetries: 0 }).listUsers()).rejects.toMatchObject({ status, code });
});

test('what is given goes where it belongs', async () => {
  steps = [answer(200, {})];
  const api = client({ memberToken: 'token' });
  await api.listUsers({ limit: 5, email: 'a+b@c.example' });
  await api.moveMember({ userId: 'm/1', sponsorId: 's-1' });
  await api.putUser({ external_id: 'e 1', email: 'a@b.example' });
  expect(came.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['GET', '/api/v1/users?email=a%2Bb%40c.example&limit=5', ''],
    ['POST', '/api/v1/members/m%2F1/sponsor', '{"sponsorId":"s-1"}'],
    ['PUT', '/api/v1/users/by-external-id/e%201', '{"external_id":"e 1","email":"a@b.example"}'],
  ]);
  await expect(api.getUser({ user_id: '' })).rejects.toThrow('user_id is missing');
});

describe('against the service', () => {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startTestApp();
    tenant = await app.newTenant();
  });
  afterAll(() => app.close());
  const real = (more: object = {}) => createClient({ apiKey: tenant.sandboxKey, baseUrl: app.baseUrl, ...more });

  test('lists of either case are read to their end', async () => {
    const api = real();
    for (let n = 0; n < 5; n++) await api.createUser({ email: `m${n}@shop.example` });
    const snake: string[] = [];
    for await (const { email } of api.listUsers.all({ limit: 2 })) snake.push(email);
    const camel: string[] = [];
    for await (const { email } of api.listMembers.all({ limit: 2 })) camel.push(email);
    expect(snake).toEqual(['m0@shop.example', 'm1@shop.example', 'm2@shop.example', 'm3@shop.example', 'm4@shop.example']);
    expect(camel).toEqual(snake);
    let first: string | undefined;
    for await (const { email } of api.listUsers.all({ limit: 1 })) {
      first = email;
      break;
    }
    expect(first).toBe('m0@shop.example');
  });

  test('a write whose first answer is lost has one effect', async () => {
    let lost = 0;
    const losing: typeof fetch = async (url, init) => {
      const got = await fetch(url, init);
      if (lost++ === 0) throw new TypeError('fetch failed');
      return got;
    };
    const made = await real({ fetch: losing }).createUser({ email: 'once@shop.example' });
    expect(lost).toBe(2);
    const found = await real().listUsers({ email: 'once@shop.example' });
    expect(found.data.map(({ id }) => id)).toEqual([made.id]);
  });

  test('an error has the code and the field', async () => {
    await expect(real().createUser({ email: 'none' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: [{ field: 'email' }],
    });
    await expect(real({ apiKey: 'svc_sandbox_none' }).listUsers()).rejects.toMatchObject({
      status: 401,
      code: 'INVALID_API_KEY',
    });
  });

  test('headers, texts and files come as they are', async () => {
    const api = real();
    const { headers, status, requestId } = await api.listUsers.withResponse({ limit: 1 });
    expect([status, headers.get('x-environment')]).toEqual([200, 'SANDBOX']);
    expect(Number(headers.get('x-ratelimit-limit'))).toBeGreaterThan(0);
    expect(requestId).toBe(headers.get('x-request-id'));
    const member = await api.createUser({ email: 'files@shop.example' });
    const link = await api
      .updateSettings({ referrals: { allowedDestinationHosts: ['shop.example'] } })
      .then(() => api.createReferralLink({ user_id: member.id, destination_url: 'https://shop.example/a' }));
    expect(await api.getReferralLinkQr({ link_id: link.id })).toMatch(/^<svg|^<\?xml/);
    const imported = await api.createImport({
      kind: 'members',
      mode: 'validate',
      body: 'email,sponsor_email\nx@shop.example,\n',
    });
    expect(imported.status).toBe('queued');
    const pdf = await api.getMemberStatementPdf({ userId: member.id, period: '2026-01' });
    expect(Buffer.from(pdf).subarray(0, 5).toString()).toBe('%PDF-');
  });
});
