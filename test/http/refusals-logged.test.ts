/** Who got in and who did not is in the log: each request has its line, with the code of its refusal (docs/operations.md#logs). */
import { randomUUID } from 'node:crypto';
import type { Test } from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
});
afterAll(() => app.close());

/** The log line of the request. */
async function lineOf(request: Test): Promise<Record<string, unknown>> {
  const requestId = randomUUID();
  await request.set('x-request-id', requestId);
  const lines = () => app.logLines.filter((line) => line.includes(requestId));
  await expect.poll(lines).toHaveLength(1);
  return JSON.parse(lines()[0] ?? '') as Record<string, unknown>;
}

const list = (headers: Record<string, string>) => app.http.get('/api/v1/users').set(headers);
const known = () => ({ tenantId: tenant.tenantId, environment: 'LIVE', keyId: expect.any(String) });

test('a key that is good, bad or missing', async () => {
  const good = await lineOf(list({ 'x-tenant-api-key': tenant.liveKey }));
  expect(good).toMatchObject({ ...known(), path: '/api/v1/users', status: 200, time: expect.stringMatching(/Z$/) });
  const bad = await lineOf(list({ 'x-tenant-api-key': 'svc_live_nonsense' }));
  expect(bad).toMatchObject({ status: 401, code: 'INVALID_API_KEY' });
  expect(bad['keyId']).toBeUndefined();
  expect(await lineOf(list({}))).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
});

test('a token that is refused, beside a key and in an exchange', async () => {
  const bearer = list({ 'x-tenant-api-key': tenant.liveKey, authorization: 'Bearer nonsense' });
  expect(await lineOf(bearer)).toMatchObject({ ...known(), status: 401, code: 'INVALID_TOKEN' });
  const body = { provider: 'nobody', token: 'nonsense' };
  const exchange = app.http.post('/api/v1/auth/exchange').set('x-tenant-id', tenant.tenantId).send(body);
  expect(await lineOf(exchange)).toMatchObject({ path: '/api/v1/auth/exchange', status: 401, code: 'INVALID_TOKEN' });
});

test('a right that is lacking', async () => {
  const { apiKey, keyId } = await app.tenants.createKey({
    tenantId: tenant.tenantId,
    environment: 'LIVE',
    scopes: ['leads:read'],
  });
  const line = await lineOf(list({ 'x-tenant-api-key': apiKey }));
  expect(line).toMatchObject({ ...known(), keyId, status: 403, code: 'FORBIDDEN' });
});
