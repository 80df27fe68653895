/** Endpoints by the API: what is shown once, what is refused, what a deletion and a disabling leave. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { MAX_ENDPOINTS } from '../../../src/features/webhooks/endpoints/endpoints-operations.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantEndpoint } from '../../support/webhooks/plant-webhooks.ts';
import { plantLog } from './plant-log.ts';

const ENDPOINTS = '/api/v1/webhook-endpoints';
const HOOK = { url: 'https://shop.example/hooks', eventTypes: ['lead.*', 'member.created'] };

let app: TestApp;
let tenant: TestTenant;
let live: ApiClient;
let sandbox: ApiClient;
let scope: Scope;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  tenant = await app.newTenant();
  live = apiClient(app, tenant.liveKey);
  sandbox = apiClient(app, tenant.sandboxKey);
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
});

const heard = async (): Promise<string[] | undefined> => {
  const [row] = await app.database.asSuperuser<{ patterns: string[] }>(
    'select patterns from webhook_hearing where tenant_id = $1 and environment = $2',
    [scope.tenantId, scope.environment],
  );
  return row?.patterns;
};

test('a secret is shown when it is made, and neither by a repeat nor by a read', async () => {
  const key = { 'idempotency-key': randomUUID() };
  const made = await live.post(ENDPOINTS, { ...HOOK, headers: { 'X-Gate': 'open sesame' } }, key);
  expect(made.status, made.text).toBe(201);
  expect(made.body).toMatchObject({
    ...HOOK,
    enabled: true,
    disabledReason: null,
    headerNames: ['X-Gate'],
    oldSecretUntil: null,
  });
  expect(Buffer.from(made.body.secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
  const repeated = await live.post(ENDPOINTS, { ...HOOK, headers: { 'X-Gate': 'open sesame' } }, key);
  expect(repeated.body).toEqual({ ...made.body, secret: null });
  const read = await live.get(`${ENDPOINTS}/${made.body.id}`);
  expect(read.body).not.toHaveProperty('secret');
  expect(read.text).not.toContain('sesame');
  const rows = await app.database.asSuperuser<{ text: string }>('select e::text as text from webhook_endpoint e where id = $1', [
    made.body.id,
  ]);
  expect(rows[0]?.text).not.toContain('sesame');
});

test.each([
  ['url', { url: 'http://shop.example/hooks' }],
  // O-5 (docs/specification/reliability.md#o-5).
  ['url', { url: 'https://127.0.0.1/hooks' }],
  ['url', { url: 'https://[::ffff:10.0.0.1]/hooks' }],
  ['url', { url: 'https://0x7f.1/hooks' }],
  ['url', { url: 'https://user:word@shop.example/' }],
  ['url', { url: 'https://shop.example:8443/' }],
  ['eventTypes', { eventTypes: [] }],
  ['eventTypes.1', { eventTypes: ['*', 'member.lost'] }],
  ['eventTypes.0', { eventTypes: ['mem.*'] }],
  ['eventTypes.0', { eventTypes: ['member.c*'] }],
  ['headers', { headers: { 'Webhook-Id': 'x' } }],
  ['headers', { headers: { Host: 'x' } }],
  ['headers', { headers: { 'Content-Type': 'text/plain' } }],
  ['headers', { headers: { 'content-disposition': 'x' } }],
  ['headers', { headers: { 'X-A': 'a\r\nX-B: b' } }],
  ['headers', { headers: { 'X-A': 'a', 'x-a': 'b' } }],
  ['headers', { headers: Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`x-${n}`, 'y'])) }],
])('%s is refused by its name: %j', async (field, change) => {
  const answer = await live.post(ENDPOINTS, { ...HOOK, ...change });
  expect(answer.status, answer.text).toBe(400);
  const fields = answer.body.details.fields as { field: string }[];
  expect(fields.map((fault) => fault.field.replace(/\[(\d+)\]/, '.$1'))).toEqual([field]);
});

test('an environment has so many endpoints at most, also when several are made at once', async () => {
  const places = 3;
  for (let n = places; n < MAX_ENDPOINTS; n++) await plantEndpoint(app, scope, HOOK);
  // Few, for each waits for all before it, and for a lock no longer than two seconds.
  const made = await Promise.all(Array.from({ length: 2 * places }, () => live.post(ENDPOINTS, { ...HOOK, enabled: false })));
  const statuses = made.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(places);
  expect(statuses.filter((status) => status === 409)).toHaveLength(places);
  expect((await sandbox.post(ENDPOINTS, HOOK)).status).toBe(201);
  const one = made.find(({ status }) => status === 201)?.body.id;
  expect((await live.delete(`${ENDPOINTS}/${one}`)).status).toBe(200);
  expect((await live.post(ENDPOINTS, HOOK)).status).toBe(201);
});

test('what is not sent stays, and enabling takes away why it was disabled', async () => {
  const { id } = (await live.post(ENDPOINTS, { ...HOOK, description: 'Shop', headers: { 'X-A': 'a' } })).body;
  const off = await live.patch(`${ENDPOINTS}/${id}`, { enabled: false });
  expect(off.body).toMatchObject({
    ...HOOK,
    description: 'Shop',
    headerNames: ['X-A'],
    enabled: false,
    disabledReason: 'by_hand',
  });
  expect(off.body.disabledAt).not.toBeNull();
  await app.database.asSuperuser('update webhook_endpoint set failing_since = now() where id = $1', [id]);
  const on = await live.patch(`${ENDPOINTS}/${id}`, { enabled: true, headers: null, description: null });
  const well = { enabled: true, disabledReason: null, disabledAt: null, failingSince: null, headerNames: [], description: null };
  expect(on.body).toMatchObject(well);
  const log = await live.get('/api/v1/admin/audit-logs?targetKind=webhook_endpoint&action=webhook_endpoint.updated');
  expect(log.body.data).toHaveLength(2);
  expect(log.text).not.toContain('shop.example');
});

test('who hears of what follows every change of endpoints and of the setting', async () => {
  expect(await heard()).toBeUndefined();
  expect((await live.patch('/api/v1/admin/settings', { webhooks: { eventLog: false } })).status).toBe(200);
  const one = (await live.post(ENDPOINTS, HOOK)).body.id;
  const two = (await live.post(ENDPOINTS, { ...HOOK, eventTypes: ['settings.*'] })).body.id;
  expect(await heard()).toEqual(['lead.*', 'member.created', 'settings.*']);
  await live.patch(`${ENDPOINTS}/${two}`, { enabled: false });
  expect(await heard()).toEqual(['lead.*', 'member.created']);
  await live.patch(`${ENDPOINTS}/${one}`, { eventTypes: ['import.*', 'member.moved'] });
  expect(await heard()).toEqual(['import.*', 'member.moved']);
  await live.delete(`${ENDPOINTS}/${one}`);
  expect(await heard()).toEqual([]);
  await live.patch('/api/v1/admin/settings', { webhooks: { eventLog: true } });
  expect(await heard()).toEqual(['*']);
});

test('in LIVE the log is on from the first endpoint, unless the tenant has said otherwise; in SANDBOX from the start', async () => {
  const shown = async (client: ApiClient) => (await client.get('/api/v1/admin/settings')).body.webhooks;
  expect(await shown(live)).toEqual({ eventLog: false });
  expect(await shown(sandbox)).toEqual({ eventLog: true });
  await live.post(ENDPOINTS, HOOK);
  expect(await shown(live)).toEqual({ eventLog: true });
  expect(await heard()).toEqual(['*']);
});

test('a deletion cancels what waits, forgets the secret and keeps what was delivered', async () => {
  const { endpointId, deliveryIds } = await plantLog(app, scope);
  const gone = await live.delete(`${ENDPOINTS}/${endpointId}`);
  expect(gone.body).toEqual({ id: endpointId, deleted: true });
  for (const deed of [
    live.get(`${ENDPOINTS}/${endpointId}`),
    live.delete(`${ENDPOINTS}/${endpointId}`),
    live.patch(`${ENDPOINTS}/${endpointId}`, { enabled: true }),
    live.post(`${ENDPOINTS}/${endpointId}/rotate-secret`, {}),
    live.post(`${ENDPOINTS}/${endpointId}/test`, { type: 'member.created' }),
  ]) {
    expect((await deed).status).toBe(404);
  }
  const shown = (await live.get(`/api/v1/webhook-deliveries?endpointId=${endpointId}`)).body.data as {
    id: string;
    status: string;
  }[];
  const statuses = deliveryIds.map((id) => shown.find((delivery) => delivery.id === id)?.status);
  expect(statuses).toEqual(['delivered', 'failed', 'cancelled']);
  const idsOf = async (status: string): Promise<string[]> => {
    const { data } = (await live.get(`/api/v1/webhook-deliveries?endpointId=${endpointId}&status=${status}`)).body;
    return (data as { id: string }[]).map(({ id }) => id);
  };
  const stored = () =>
    app.database.asSuperuser<{ status: string }>('select status from webhook_delivery where id = $1', [deliveryIds[2]]);
  expect([await idsOf('waiting'), await idsOf('cancelled'), await stored()]).toEqual([
    [],
    [deliveryIds[2]],
    [{ status: 'waiting' }],
  ]);
  expect((await live.get(`/api/v1/webhook-deliveries/${deliveryIds[2]}`)).body).toMatchObject({
    status: 'cancelled',
    nextAttemptAt: null,
    settledAt: expect.any(String),
  });
  await app.runSweep('clear-webhook-endpoints', scope);
  expect([await idsOf('waiting'), await idsOf('cancelled'), await stored()]).toEqual([
    [],
    [deliveryIds[2]],
    [{ status: 'cancelled' }],
  ]);
  const [{ cancelled_at: doneAt } = { cancelled_at: null }] = await app.database.asSuperuser<{ cancelled_at: Date | null }>(
    'select cancelled_at from webhook_endpoint where id = $1',
    [endpointId],
  );
  expect(doneAt).not.toBeNull();
  const retried = await live.post(`/api/v1/webhook-deliveries/${deliveryIds[1]}/retry`, {});
  expect([retried.status, retried.body.code]).toEqual([409, 'ENDPOINT_DISABLED']);
});

test('another address begins without the failures of the one before', async () => {
  const { id } = (await live.post(ENDPOINTS, HOOK)).body;
  await app.database.asSuperuser('update webhook_endpoint set failing_since = now() where id = $1', [id]);
  expect((await live.patch(`${ENDPOINTS}/${id}`, { description: 'the same' })).body.failingSince).not.toBeNull();
  expect((await live.patch(`${ENDPOINTS}/${id}`, { url: 'https://shop.example/mended' })).body.failingSince).toBeNull();
});

test('the secret before is gone from the database once its overlap is over, and not earlier', async () => {
  const { id } = (await live.post(ENDPOINTS, HOOK)).body;
  await live.post(`${ENDPOINTS}/${id}/rotate-secret`, {});
  const old = () =>
    app.database.asSuperuser(
      'select old_secret_sealed is not null as kept, secret_sealed is not null as has from webhook_endpoint where id = $1',
      [id],
    );
  await app.runSweep('clear-webhook-endpoints', scope);
  expect(await old()).toEqual([{ kept: true, has: true }]);
  await app.database.asSuperuser("update webhook_endpoint set old_secret_until = now() - interval '1 second' where id = $1", [
    id,
  ]);
  const due = await app.database.asSuperuser('select from due_scopes() where sweep = $1 and tenant_id = $2', [
    'clear-webhook-endpoints',
    scope.tenantId,
  ]);
  expect(due).toHaveLength(1);
  await app.runSweep('clear-webhook-endpoints', scope);
  expect(await old()).toEqual([{ kept: false, has: true }]);
});

test('a rotation has another secret, and one within its overlap ends that', async () => {
  const { id, secret } = (await live.post(ENDPOINTS, HOOK)).body;
  const first = await live.post(`${ENDPOINTS}/${id}/rotate-secret`, {});
  expect(first.status, first.text).toBe(200);
  expect(first.body.secret).not.toBe(secret);
  const hours = (Date.parse(first.body.oldSecretUntil) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23);
  expect(hours).toBeLessThan(25);
  const second = await live.post(`${ENDPOINTS}/${id}/rotate-secret`, { overlapHours: 0 });
  expect(second.body.oldSecretUntil).toBeNull();
  expect((await live.post(`${ENDPOINTS}/${id}/rotate-secret`, { overlapHours: 73 })).status).toBe(400);
});
