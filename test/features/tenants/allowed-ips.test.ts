/** Keys that are bound to addresses: docs/specification/identity.md#allowed-ips. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

const PATH = '/api/v1/admin/api-keys';
const INSIDE = '203.0.113.9';
const OUTSIDE = '198.51.100.1';

let app: TestApp;
let tenant: TestTenant;
let live: ApiClient;

beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY_HOPS: '1' });
});
beforeEach(async () => {
  tenant = await app.newTenant();
  live = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

interface Made {
  id: string;
  apiKey: string;
  allowedIps: string[] | null;
}

const from = (address: string) => ({ 'x-forwarded-for': address });

async function create(fields: object, client = live, headers = {}): Promise<Made> {
  const answer = await client.post(PATH, fields, headers);
  expect(answer.status, answer.text).toBe(201);
  return answer.body as Made;
}

const bound = (fields: object = {}) => create({ preset: 'full', allowedIps: ['203.0.113.200/24', '2001:db8::/32'], ...fields });

test('a bound key works from its addresses alone, whatever way they are written', async () => {
  const { apiKey, allowedIps } = await bound();
  expect(allowedIps).toEqual(['203.0.113.0/24', '2001:db8::/32']);
  const client = apiClient(app, apiKey);
  for (const address of [INSIDE, '::ffff:203.0.113.9', '2001:db8::7', '2001:DB8:0:0:0:0:0:7']) {
    expect((await client.get('/api/v1/users', from(address))).status, address).toBe(200);
  }
  // What stands further left than the trusted proxy's own entry is the client's word.
  for (const address of [OUTSIDE, '::ffff:198.51.100.1', '2001:db9::7', `${INSIDE}, ${OUTSIDE}`, '']) {
    expectRefusal(await client.get('/api/v1/users', from(address)), 403, 'IP_NOT_ALLOWED');
  }
});

test('nothing else is told from elsewhere: not the scope, not the path, not what was sent', async () => {
  const { apiKey } = await bound({ preset: undefined, scopes: ['users:read'] });
  const client = apiClient(app, apiKey);
  const answers = [
    await client.get('/api/v1/users', from(OUTSIDE)),
    await client.get('/api/v1/events', from(OUTSIDE)),
    await client.get('/api/v1/users?limit=nonsense', from(OUTSIDE)),
    await client.post('/api/v1/users', { nonsense: true }, from(OUTSIDE)),
    await client.get('/api/v1/users', { ...from(OUTSIDE), authorization: 'Bearer nonsense' }),
  ];
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expectRefusal(answers[0] as never, 403, 'IP_NOT_ALLOWED');
  for (const { headers } of answers) expect(headers['x-ratelimit-limit']).toBeUndefined();
  expect(answers[0]?.text).not.toContain(OUTSIDE);
});

test('a refused key is not used, and nothing is written', async () => {
  const { id, apiKey } = await bound();
  const client = apiClient(app, apiKey);
  expectRefusal(await client.post('/api/v1/users', { email: 'a@bound.example' }, from(OUTSIDE)), 403, 'IP_NOT_ALLOWED');
  await app.keyUse.flush();
  const used = () =>
    app.database.asSuperuser<{ used: boolean }>('select last_used_at is not null as used from api_key where id = $1', [id]);
  expect(await used()).toEqual([{ used: false }]);
  expect(await app.database.asSuperuser('select 1 from member where tenant_id = $1', [tenant.tenantId])).toEqual([]);
  expect((await client.get('/api/v1/users', from(INSIDE))).status).toBe(200);
  await app.keyUse.flush();
  expect(await used()).toEqual([{ used: true }]);
});

test('a revoked key is unknown from everywhere', async () => {
  const { id, apiKey } = await bound();
  expect((await live.delete(`${PATH}/${id}`)).status).toBe(200);
  for (const address of [INSIDE, OUTSIDE]) {
    expectRefusal(await apiClient(app, apiKey).get('/api/v1/users', from(address)), 401, 'INVALID_API_KEY');
  }
});

test('a bound key makes none that is usable from more addresses', async () => {
  const { apiKey } = await bound();
  const client = apiClient(app, apiKey);
  expect(await create({}, client, from(INSIDE))).toMatchObject({ allowedIps: ['203.0.113.0/24', '2001:db8::/32'] });
  expect(await create({ allowedIps: ['203.0.113.128/25'] }, client, from(INSIDE))).toMatchObject({
    allowedIps: ['203.0.113.128/25'],
  });
  for (const allowedIps of [null, ['203.0.112.0/23'], ['203.0.113.1', OUTSIDE], ['::/0']]) {
    expectRefusal(await client.post(PATH, { allowedIps }, from(INSIDE)), 403, 'FORBIDDEN');
  }
});

test('nor rolls, widens, frees or enables one, and still stops it', async () => {
  const { apiKey } = await bound();
  const client = apiClient(app, apiKey);
  const free = await create({ scopes: ['users:read'] });
  const target = `${PATH}/${free.id}`;
  expectRefusal(await client.post(`${target}/roll`, {}, from(INSIDE)), 403, 'FORBIDDEN');
  expectRefusal(await client.patch(target, { scopes: ['users:read', 'users:write'] }, from(INSIDE)), 403, 'FORBIDDEN');
  expectRefusal(await client.patch(target, { allowedIps: ['0.0.0.0/0'] }, from(INSIDE)), 403, 'FORBIDDEN');
  expect((await client.patch(target, { disabled: true }, from(INSIDE))).status).toBe(200);
  expectRefusal(await client.patch(target, { disabled: false }, from(INSIDE)), 403, 'FORBIDDEN');
  expect((await client.patch(target, { disabled: false, allowedIps: [INSIDE] }, from(INSIDE))).status).toBe(200);
  expectRefusal(await client.patch(target, { allowedIps: null }, from(INSIDE)), 403, 'FORBIDDEN');
  expect((await client.delete(target, from(INSIDE))).status).toBe(200);
});

test('a roll keeps the addresses', async () => {
  const { id, allowedIps } = await bound();
  const rolled = await live.post(`${PATH}/${id}/roll`, {});
  expect(rolled.body.allowedIps).toEqual(allowedIps);
  const client = apiClient(app, rolled.body.apiKey);
  expectRefusal(await client.get('/api/v1/users', from(OUTSIDE)), 403, 'IP_NOT_ALLOWED');
  expect((await client.get('/api/v1/users', from(INSIDE))).status).toBe(200);
});
