/** The log by the API, what is forgotten of it, and what an erasure takes out of it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { MAX_REPLAYED } from '../../../src/features/webhooks/endpoints/endpoints-operations.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { plantEvents } from '../../support/webhooks/plant-webhooks.ts';
import { sealAll } from '../../support/webhooks/told-events.ts';
import { plantLog } from './plant-log.ts';

const EVENTS = '/api/v1/webhook-events';
const DELIVERIES = '/api/v1/webhook-deliveries';

let app: TestApp;
let live: ApiClient;
let sandbox: ApiClient;
let scope: Scope;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  const tenant = await app.newTenant();
  live = apiClient(app, tenant.liveKey);
  sandbox = apiClient(app, tenant.sandboxKey);
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
});

const sequences = (body: { data: { sequence: number }[] }): number[] => body.data.map(({ sequence }) => sequence);

/** As if they were sealed so many days ago. */
async function age(upTo: number, days: number): Promise<void> {
  await app.database.asSuperuser(
    `update outgoing_sequence set sealed_at = now() - make_interval(days => $3) where tenant_id = $1 and sequence <= $2`,
    [scope.tenantId, upTo, days],
  );
}

interface Scheduled {
  deliveries: number;
  next_at: Date | null;
}
async function deliveriesOf(endpointId: string): Promise<Scheduled> {
  const [row] = await app.database.asSuperuser<Scheduled>(
    `select e.next_at, (select count(*)::int from webhook_delivery d where d.endpoint_id = e.id) as deliveries
     from webhook_endpoint e where e.id = $1`,
    [endpointId],
  );
  if (!row) throw new Error('no such endpoint');
  return row;
}

test('events come by their numbers, page by page, and the other environment sees none', async () => {
  const { eventIds } = await plantLog(app, scope);
  const first = await live.get(`${EVENTS}?limit=2`);
  expect(first.status, first.text).toBe(200);
  expect([sequences(first.body), first.body.lastSequence, first.body.hasMore]).toEqual([[1, 2], 3, true]);
  expect(first.body.data[0]).toMatchObject({ id: eventIds[0], type: 'member.created', actor: { kind: 'operator', id: null } });
  expect(first.body.data[0].data).toEqual({ name: 'Planted' });
  const next = await live.get(`${EVENTS}?limit=2&cursor=${first.body.nextCursor}`);
  expect([sequences(next.body), next.body.nextCursor]).toEqual([[3], null]);
  expect(sequences((await live.get(`${EVENTS}?afterSequence=2`)).body)).toEqual([3]);
  expect(sequences((await live.get(`${EVENTS}?type=lead.captured`)).body)).toEqual([]);
  expect((await sandbox.get(EVENTS)).body).toMatchObject({ data: [], lastSequence: 0 });
  expect((await sandbox.get(`${EVENTS}/${eventIds[0]}`)).status).toBe(404);
});

test('the log and the deliveries are filtered by type and by time', async () => {
  await plantLog(app, scope);
  await plantLog(app, scope, { type: 'lead.captured' });
  const events = async (query: string) => sequences((await live.get(`${EVENTS}?${query}`)).body);
  const deliveries = async (query: string) =>
    sequences((await live.get(`${DELIVERIES}?${query}`)).body).toSorted((a, b) => a - b);
  const [past, ahead] = [-60_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
  for (const list of [events, deliveries]) {
    expect(await list('type=member.created')).toEqual([1, 2, 3]);
    expect(await list('type=lead.captured')).toEqual([4, 5, 6]);
    expect(await list('type=payout.paid')).toEqual([]);
    expect(await list(`from=${past}`)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await list(`from=${ahead}`)).toEqual([]);
    expect(await list(`to=${ahead}`)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await list(`to=${past}`)).toEqual([]);
  }
});

test('an event without a number is not there yet', async () => {
  const [id] = await plantEvents(app, scope, 1);
  expect((await live.get(`${EVENTS}/${id}`)).status).toBe(404);
  expect((await live.get(EVENTS)).body.data).toEqual([]);
});

test('a delivery shows its attempts and what is sent; sent again it waits, with those that were made', async () => {
  const { deliveryIds, eventIds } = await plantLog(app, scope);
  const before = (await live.get(`${DELIVERIES}/${deliveryIds[0]}`)).body;
  expect(before).toMatchObject({
    status: 'delivered',
    attemptCount: 1,
    nextAttemptAt: null,
    body: { id: eventIds[0], sequence: 1 },
  });
  expect(before.attempts).toEqual([
    { number: 1, at: before.attempts[0].at, ms: 12, status: 200, fault: null, answer: 'heard of Planted' },
  ]);
  const again = await live.post(`${DELIVERIES}/${deliveryIds[0]}/retry`, {});
  expect(again.status, again.text).toBe(200);
  expect(again.body).toMatchObject({ status: 'waiting', attemptCount: 1, settledAt: null, lastAttempt: { number: 1 } });
  expect(again.body.nextAttemptAt).not.toBeNull();
  const waiting = (await live.get(`${DELIVERIES}?status=waiting`)).body.data as { id: string }[];
  expect(waiting.map(({ id }) => id)).toEqual([deliveryIds[2], deliveryIds[0]]);
  expect((await sandbox.post(`${DELIVERIES}/${deliveryIds[0]}/retry`, {})).status).toBe(404);
});

test('a replay of what has failed to arrive wakes that alone, and tells how many; a disabled endpoint gets none', async () => {
  const { endpointId, deliveryIds } = await plantLog(app, scope);
  const day = { from: new Date(Date.now() - 86_400_000).toISOString(), to: new Date(Date.now() + 86_400_000).toISOString() };
  const replay = (body: object) => live.post(`/api/v1/webhook-endpoints/${endpointId}/replay`, body);
  expect((await replay({ ...day, onlyFailed: true })).body).toEqual({ count: 2 });
  // What is on its way already is not asked for once more.
  expect((await replay({ ...day, onlyFailed: true })).body).toEqual({ count: 0 });
  const statuses = async () => {
    const { data } = (await live.get(DELIVERIES)).body as { data: { id: string; status: string }[] };
    return deliveryIds.map((id) => data.find((delivery) => delivery.id === id)?.status);
  };
  expect(await statuses()).toEqual(['delivered', 'waiting', 'waiting']);
  expect((await replay({ ...day, types: ['lead.*'] })).body).toEqual({ count: 0 });
  expect((await replay(day)).body).toEqual({ count: 3 });
  expect(await statuses()).toEqual(['waiting', 'waiting', 'waiting']);
  expect((await replay({ from: day.to, to: day.from })).status).toBe(400);
  await live.patch(`/api/v1/webhook-endpoints/${endpointId}`, { enabled: false });
  const refused = await replay(day);
  expect([refused.status, refused.body.code]).toEqual([409, 'ENDPOINT_DISABLED']);
});

test('a replay sends only types that the endpoint hears, whatever it names', async () => {
  const { endpointId } = await plantLog(app, scope);
  await plantLog(app, scope, { type: 'lead.captured' });
  await plantLog(app, scope, { type: 'member.moved' });
  const day = { from: new Date(Date.now() - 86_400_000).toISOString(), to: new Date(Date.now() + 86_400_000).toISOString() };
  const path = `/api/v1/webhook-endpoints/${endpointId}`;
  const count = async (rest: object) => (await live.post(`${path}/replay`, { ...day, ...rest })).body.count as number;
  await live.patch(path, { eventTypes: ['member.moved', 'lead.converted'] });
  // What has failed is of `member.created`, of which it hears no more.
  expect(await count({ types: ['*'], onlyFailed: true })).toBe(0);
  expect(await count({ types: ['*'] })).toBe(3);
  expect(await count({ types: ['lead.*', 'member.created'] })).toBe(0);
  await live.patch(path, { eventTypes: ['member.*'] });
  // Two have failed, of which one is to be tried again.
  expect(await count({ types: ['*'], onlyFailed: true })).toBe(2);
  expect(await count({})).toBe(6);
  expect(await count({ types: ['member.moved', 'lead.*'] })).toBe(3);
});

test('no replay is taken while more than 10,000 events wait for the endpoint', async () => {
  const { endpointId, deliveryIds } = await plantLog(app, scope);
  const other = await plantLog(app, scope);
  await plantEvents(app, scope, MAX_REPLAYED - 1, { type: 'lead.captured' });
  await app.database.asSuperuser(
    `insert into webhook_delivery (tenant_id, environment, endpoint_id, event_id, next_at)
     select tenant_id, environment, $2, event_id, now() from outgoing_unsealed where tenant_id = $1 and environment = 'LIVE'`,
    [scope.tenantId, endpointId],
  );
  const day = { from: new Date(Date.now() - 86_400_000).toISOString(), to: new Date(Date.now() + 86_400_000).toISOString() };
  const replay = (id: string) => live.post(`/api/v1/webhook-endpoints/${id}/replay`, { ...day, onlyFailed: true });
  // With the one that is planted as waiting there are 10,000.
  expect((await replay(endpointId)).body).toEqual({ count: 2 });
  const refused = await replay(endpointId);
  expect([refused.status, refused.body.code]).toEqual([422, 'TOO_MANY_EVENTS']);
  expect(refused.text).toContain('wait for the endpoint already');
  expect((await replay(other.endpointId)).body).toEqual({ count: 2 });
  await app.database.asSuperuser(
    "update webhook_delivery set status = 'delivered', next_at = null, settled_at = now() where id = $1",
    [deliveryIds[2]],
  );
  expect((await replay(endpointId)).body).toEqual({ count: 0 });
});

test('more than 10,000 events are too many for one replay, and none of them is sent; 10,000 are not', async () => {
  const { endpointId } = await plantLog(app, scope);
  await plantEvents(app, scope, 10_000, { type: 'lead.captured' });
  await plantEvents(app, scope, 1, { type: 'lead.converted' });
  await sealAll(app, scope);
  // As autovacuum does within a minute.
  await app.database.asSuperuser('analyze outgoing_event, outgoing_sequence, webhook_delivery');
  // Only now, so that none is sent by itself.
  await live.patch(`/api/v1/webhook-endpoints/${endpointId}`, { eventTypes: ['lead.*'] });
  const before = await deliveriesOf(endpointId);
  const day = { from: new Date(Date.now() - 86_400_000).toISOString(), to: new Date(Date.now() + 86_400_000).toISOString() };
  const replay = (types: string[]) => live.post(`/api/v1/webhook-endpoints/${endpointId}/replay`, { ...day, types });
  const refused = await replay(['lead.*']);
  expect([refused.status, refused.body.code]).toEqual([422, 'TOO_MANY_EVENTS']);
  expect(await deliveriesOf(endpointId)).toEqual(before);
  const accepted = await replay(['lead.captured']);
  expect([accepted.status, accepted.body]).toEqual([202, { count: 10_000 }]);
  expect(await deliveriesOf(endpointId)).toMatchObject({ deliveries: before.deliveries + 10_000 });
});

test('what is older than 30 days is forgotten from the front, with its deliveries, and who asks for it is told', async () => {
  const { eventIds, deliveryIds, endpointId } = await plantLog(app, scope);
  // A younger one in front of an older one holds it back: numbers have no gap.
  await age(3, 31);
  await app.database.asSuperuser('update outgoing_sequence set sealed_at = now() where tenant_id = $1 and sequence = 2', [
    scope.tenantId,
  ]);
  await app.runSweep('forget-webhooks', scope);
  expect(sequences((await live.get(EVENTS)).body)).toEqual([2, 3]);
  await age(2, 31);
  await app.runSweep('forget-webhooks', scope);
  const rest = (await live.get(EVENTS)).body;
  expect([rest.data, rest.lastSequence]).toEqual([[], 3]);
  expect((await live.get(`${EVENTS}/${eventIds[0]}`)).status).toBe(404);
  expect((await live.get(`${DELIVERIES}/${deliveryIds[0]}`)).status).toBe(404);
  expect((await live.get(`/api/v1/webhook-endpoints/${endpointId}`)).status).toBe(200);
  const behind = await live.get(`${EVENTS}?afterSequence=2`);
  expect([behind.status, behind.body.code, behind.body.details.oldestSequence]).toEqual([422, 'EVENTS_FORGOTTEN', 4]);
  expect((await live.get(`${EVENTS}?afterSequence=3`)).status).toBe(200);
});

test('a replay leaves out what is about to be forgotten, and the log from a time has what happened since', async () => {
  const { endpointId } = await plantLog(app, scope);
  const day = { from: new Date(Date.now() - 86_400_000).toISOString(), to: new Date(Date.now() + 86_400_000).toISOString() };
  await age(1, 30);
  expect((await live.post(`/api/v1/webhook-endpoints/${endpointId}/replay`, day)).body).toEqual({ count: 2 });
  const from = new Date(Date.now() - 60_000).toISOString();
  expect(sequences((await live.get(`${EVENTS}?from=${from}`)).body)).toEqual([2, 3]);
  expect(sequences((await live.get(`${EVENTS}?objectId=planted-object&afterSequence=1`)).body)).toEqual([2, 3]);
  expect(sequences((await live.get(`${EVENTS}?objectId=other`)).body)).toEqual([]);
  expect((await live.get(`${DELIVERIES}?objectId=planted-object`)).body.data).toHaveLength(3);
});

test('the sweep is due for a deleted endpoint and for hours alone, where no events are left', async () => {
  const { id } = (await live.post('/api/v1/webhook-endpoints', { url: 'https://shop.example/', eventTypes: ['lead.*'] })).body;
  await app.database.asSuperuser('delete from outgoing_unsealed where tenant_id = $1', [scope.tenantId]);
  const due = async (): Promise<number> => {
    const rows = await app.database.asSuperuser('select from due_scopes() where sweep = $1 and tenant_id = $2', [
      'forget-webhooks',
      scope.tenantId,
    ]);
    return rows.length;
  };
  expect(await due()).toBe(0);
  await app.database.asSuperuser(
    `insert into webhook_hour (tenant_id, environment, endpoint_id, starts_at, delivered, failed)
     values ($1, 'LIVE', $2, now() - interval '31 days', 1, 0)`,
    [scope.tenantId, id],
  );
  expect(await due()).toBe(1);
  await app.runSweep('forget-webhooks', scope);
  expect(await due()).toBe(0);
  await live.delete(`/api/v1/webhook-endpoints/${id}`);
  await app.database.asSuperuser(
    "update webhook_endpoint set deleted_at = now() - interval '31 days', cancelled_at = now() - interval '31 days' where id = $1",
    [id],
  );
  expect(await due()).toBe(1);
  await app.runSweep('forget-webhooks', scope);
  expect(await due()).toBe(0);
});

test('an endpoint that was deleted goes once nothing of it is kept', async () => {
  const { endpointId } = await plantLog(app, scope);
  await live.delete(`/api/v1/webhook-endpoints/${endpointId}`);
  const left = () => app.database.asSuperuser('select id from webhook_endpoint where id = $1', [endpointId]);
  await app.runSweep('forget-webhooks', scope);
  await app.database.asSuperuser(
    "update webhook_endpoint set deleted_at = now() - interval '31 days', cancelled_at = now() - interval '31 days' where id = $1",
    [endpointId],
  );
  await app.runSweep('forget-webhooks', scope);
  expect(await left()).toHaveLength(1);
  await age(3, 31);
  await app.runSweep('forget-webhooks', scope);
  expect(await left()).toHaveLength(0);
});

test('an erasure takes the member out of what was told, and out of what receivers answered; others stay', async () => {
  const member = (await live.post('/api/v1/users', { email: `${randomUUID()}@shop.example` })).body.id as string;
  const theirs = await plantLog(app, scope, { objectId: member });
  const others = await plantLog(app, scope);
  const erased = await live.post(`/api/v1/members/${member}/erasure`, { reason: 'asked' });
  expect(erased.status, erased.text).toBeLessThan(300);
  const gone = (await live.get(`${DELIVERIES}/${theirs.deliveryIds[0]}`)).body;
  expect(gone.body).toMatchObject({ objectId: member, data: null, leftOut: ['data'] });
  expect(gone.attempts[0]).toMatchObject({ status: 200, answer: null });
  const kept = (await live.get(`${DELIVERIES}/${others.deliveryIds[0]}`)).body;
  expect([kept.body.data, kept.attempts[0].answer]).toEqual([{ name: 'Planted' }, 'heard of Planted']);
});
