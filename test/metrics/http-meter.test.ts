/** What is counted of requests, and that no caller can make series of its own: docs/metrics.md#labels. */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendWire } from '../support/app/raw-http.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';

let app: TestApp;
let shop: TestTenant;
let exposition: () => Promise<string>;

beforeAll(async () => {
  app = await startTestApp({ METRICS_PORT: '0', RATE_LIMIT_ADDRESS: '1000000' });
  shop = await app.newTenant();
  const { metrics } = app.composition;
  if (!metrics) throw new Error('the app has no metrics');
  exposition = () => metrics.render();
});
afterAll(() => app.close());

/** The lines of the metric, without those of `# HELP` and `# TYPE`. */
async function seriesOf(name: string): Promise<string[]> {
  return (await exposition()).split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

async function numberOf(series: string): Promise<number> {
  const line = (await exposition()).split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length));
}

/** The answer has ended for the caller a moment before the app is told so. */
async function eventually(check: () => Promise<void>): Promise<void> {
  await expect.poll(async () => check().then(() => 'as expected', String), { timeout: 60_000 }).toBe('as expected');
}

test('an app without METRICS_PORT counts nothing', async () => {
  const plain = await startTestApp();
  expect(plain.composition.metrics).toBeUndefined();
  await plain.close();
});

test('a request is counted by its route template, method, status and environment', async () => {
  const of = (status: number, environment: string): string =>
    `svc_http_requests_total{method="GET",route="/api/v1/users/{user_id}",status="${status}",environment="${environment}"}`;
  const before = await numberOf(of(404, 'SANDBOX'));
  for (let times = 0; times < 3; times++) {
    await app.http.get(`/api/v1/users/${randomUUID()}`).set('x-tenant-api-key', shop.sandboxKey).expect(404);
  }
  await app.http.get(`/api/v1/users/${randomUUID()}`).set('x-tenant-api-key', shop.liveKey).expect(404);
  await app.http.get(`/api/v1/users/${randomUUID()}`).expect(401);
  await eventually(async () => {
    expect(await numberOf(of(404, 'SANDBOX'))).toBe(before + 3);
    expect(await numberOf(of(404, 'LIVE'))).toBe(1);
    expect(await numberOf(of(401, 'LIVE'))).toBe(1);
    expect(await numberOf('svc_http_errors_total{code="USER_NOT_FOUND"}')).toBe(4);
    expect(await numberOf('svc_http_errors_total{code="UNAUTHORIZED"}')).toBe(1);
    expect(
      await numberOf(
        'svc_http_request_duration_seconds_count{method="GET",route="/api/v1/users/{user_id}",environment="SANDBOX"}',
      ),
    ).toBe(before + 3);
    expect(await numberOf('svc_http_requests_in_flight')).toBe(0);
  });
});

test('a refusal by a limit is counted by whose limit it was', async () => {
  const limited = await startTestApp({ METRICS_PORT: '0', RATE_LIMIT_SANDBOX: '1' });
  const tenant = await limited.newTenant();
  const ask = () => limited.http.get('/api/v1/users').set('x-tenant-api-key', tenant.sandboxKey);
  await ask().expect(200);
  await ask().expect(429);
  await eventually(async () => {
    expect(await limited.composition.metrics?.render()).toContain('svc_http_rate_limited_total{limit="key"} 1');
  });
  await limited.close();
});

test('no path, method, header or body that anybody sends makes a series', async () => {
  await app.http.get('/healthz').expect(200);
  await app.http.get('/api/v1/nothing').expect(404);
  await sendWire(app.baseUrl, { method: 'PROPFIND', target: '/healthz' });
  await sendWire(app.baseUrl, { method: 'OPTIONS', target: '/healthz' });
  const metric = 'svc_http_requests_total';
  await eventually(async () => expect((await seriesOf(metric)).join()).toContain('OPTIONS'));
  const known = await seriesOf(metric);
  const secret = randomUUID();
  const paths = [
    `/${secret}`,
    `/api/v1/${secret}`,
    `/api/v1/users/${secret}/${secret}`,
    `/%00${secret}`,
    `/..%2f${secret}`,
    `/docs/assets/${secret}.js`,
    `/"}\\n${secret}{x="1"} 1`.replaceAll(' ', '%20'),
    `/api/v1/users?email=${secret}@example.com`,
  ];
  for (const target of paths) {
    for (let index = 0; index < 5; index++) {
      await sendWire(app.baseUrl, {
        method: 'GET',
        target: index === 0 ? target : target.replaceAll(secret, randomUUID()),
        headers: {
          'X-Environment': secret,
          'X-Request-Id': secret,
          'x-tenant-api-key': index % 2 === 0 ? secret : `svc_live_${secret}`,
        },
      });
    }
  }
  for (const method of ['PROPFIND', 'MKCOL', 'SEARCH', 'LOCK', 'UNBIND', 'TRACE', 'M-SEARCH']) {
    await sendWire(app.baseUrl, { method, target: `/${randomUUID()}` });
  }
  await eventually(async () => expect(await numberOf('svc_http_requests_in_flight')).toBe(0));
  const text = await exposition();
  expect(text).not.toContain(secret);
  const added = (await seriesOf(metric)).filter((line) => !known.some((one) => one.split('} ')[0] === line.split('} ')[0]));
  // Of methods: those that are known, and `other`; of paths: the templates, and `none`; of environments: both, and none.
  for (const line of added) {
    const [, method, route, , environment] =
      /method="([^"]*)",route="([^"]*)",status="(\d+)",environment="([^"]*)"/.exec(line) ?? [];
    expect(['GET', 'other']).toContain(method);
    expect(['none', '/api/v1/users', '/api/v1/users/{user_id}']).toContain(route);
    expect(['LIVE', 'SANDBOX', 'none']).toContain(environment);
  }
  expect(added.length).toBeLessThan(12);
});

test('no tenant, key or member is in the exposition', async () => {
  const created = await app.http
    .post('/api/v1/users')
    .set('x-tenant-api-key', shop.sandboxKey)
    .send({ email: `${randomUUID()}@example.com` });
  expect(created.status).toBe(201);
  const { id } = created.body as { id: string };
  await app.http.get(`/api/v1/users/${id}`).set('x-tenant-api-key', shop.sandboxKey).expect(200);
  const text = await exposition();
  for (const secret of [shop.tenantId, shop.sandboxKey, shop.liveKey, id, '@example.com']) expect(text).not.toContain(secret);
});

test('the port of the API has no /metrics, with a key or without', async () => {
  await app.http.get('/metrics').expect(404);
  await app.http.get('/metrics').set('x-tenant-api-key', shop.liveKey).expect(404);
  await app.http.get('/api/v1/metrics').set('x-tenant-api-key', shop.liveKey).expect(404);
});

test('a request whose caller has gone counts as 499', async () => {
  // The claimed body never comes: the caller goes away instead.
  const head = [
    'POST /api/v1/users HTTP/1.1',
    'Host: test',
    `x-tenant-api-key: ${shop.sandboxKey}`,
    'Content-Type: application/json',
    'Content-Length: 50',
    '',
    '{',
  ].join('\r\n');
  const socket = connect({ port: Number(new URL(app.baseUrl).port), host: '127.0.0.1' });
  socket.write(head);
  await eventually(async () => expect(await numberOf('svc_http_requests_in_flight')).toBe(1));
  socket.destroy();
  await eventually(async () => expect(await exposition()).toContain('route="/api/v1/users",status="499"'));
});
