/** Who is shown and sent the object of an event: docs/specification/webhooks.md#rights. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { getWebhookDelivery } from '../../../src/features/webhooks/deliveries/deliveries-operations.ts';
import { getWebhookEvent, listWebhookEvents } from '../../../src/features/webhooks/log/events-operations.ts';
import { createScopeOfType } from '../../../src/features/webhooks/open/event-rights.ts';
import { withoutOwn } from '../../../src/features/webhooks/sending/without-own.ts';
import { house } from '../../../src/features.ts';
import { eventsOf, scopesOf } from '../../../src/house/house.ts';
import { createScopeOf } from '../../../src/http/rights.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { invokeAs, plantSignedIn } from '../../support/app/test-people.ts';
import { eventually } from '../../support/jobs/test-jobs.ts';
import { type FakeReceiver, startFakeReceiver } from '../../support/webhooks/fake-receiver.ts';
import {
  forgetTold,
  listAttempts,
  listDeliveries,
  plantEndpoint,
  plantEvents,
  silenceEndpoints,
} from '../../support/webhooks/plant-webhooks.ts';
import { createSendWorker, whileSending } from '../../support/webhooks/send-worker.ts';
import { plantLog } from './plant-log.ts';

const ENDPOINTS = '/api/v1/webhook-endpoints';
const EVENTS = '/api/v1/webhook-events';
const DELIVERIES = '/api/v1/webhook-deliveries';
const URL_OF_SHOP = 'https://shop.example/hooks';
const WITHOUT = { data: null, leftOut: ['data'] };

let app: TestApp;
let tenantId: string;
let strong: ApiClient;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  const tenant = await app.newTenant();
  tenantId = tenant.tenantId;
  strong = apiClient(app, tenant.liveKey);
  await forgetTold(app, { tenantId });
});

const at = (environment: 'LIVE' | 'SANDBOX'): Scope => ({ tenantId, environment });

async function clientWith(scopes: string[], environment: 'LIVE' | 'SANDBOX' = 'LIVE'): Promise<ApiClient> {
  return apiClient(app, (await app.tenants.createKey({ tenantId, environment, scopes })).apiKey);
}

test('every type has a scope that a key may have', () => {
  const events = eventsOf(house);
  const scopeOf = createScopeOfType({ events, scopeOf: createScopeOf(app.composition.app.operations) });
  const all = scopesOf(house);
  expect([...events.keys()].filter((type) => !all.includes(scopeOf(type)))).toEqual([]);
  expect([scopeOf('kyc.approved'), scopeOf('api_key.created'), scopeOf('lost.type')]).toEqual(['kyc:read', 'admin:keys', '*']);
});

describe('reads', () => {
  test.each(['LIVE', 'SANDBOX'] as const)('in %s show an object to a key with the scope of its type', async (environment) => {
    const kyc = await plantLog(app, at(environment), { type: 'kyc.approved', data: { name: 'Ida' } });
    const member = await plantLog(app, at(environment), { type: 'member.created', data: { name: 'Ida' } });
    const weak = await clientWith(['webhooks:read', 'users:read'], environment);
    const listed = (await weak.get(EVENTS)).body.data as { id: string; type: string; data: unknown }[];
    expect(listed.map(({ id }) => id)).toEqual([...kyc.eventIds, ...member.eventIds]);
    for (const event of listed) {
      const isMember = event.type === 'member.created';
      expect(event).toMatchObject(isMember ? { data: { name: 'Ida' } } : WITHOUT);
      expect((await weak.get(`${EVENTS}/${event.id}`)).body).toEqual(event);
    }
    const hidden = await weak.get(`${DELIVERIES}/${kyc.deliveryIds[0]}`);
    expect(hidden.status).toBe(200);
    expect(hidden.body).toMatchObject({ eventType: 'kyc.approved', status: 'delivered', body: WITHOUT });
    expect(hidden.body.attempts).toEqual([expect.objectContaining({ status: 200, answer: null })]);
    const whole = (await weak.get(`${DELIVERIES}/${member.deliveryIds[0]}`)).body;
    expect(whole.body).not.toHaveProperty('leftOut');
    expect(whole.attempts[0].answer).toBe('heard of Planted');
    const reader = await clientWith(['webhooks:read', 'kyc:read'], environment);
    expect((await reader.get(`${EVENTS}/${kyc.eventIds[0]}`)).body.data).toEqual({ name: 'Ida' });
  });

  test.each([
    ['read-only', false, true],
    ['developer', false, false],
    ['admin', true, true],
    ['owner', true, true],
  ] as const)('by a person with the role %s go by its scopes', async (role, seesKyc, seesMembers) => {
    const kyc = await plantLog(app, at('LIVE'), { type: 'kyc.approved' });
    const member = await plantLog(app, at('LIVE'), { type: 'member.created' });
    const person = await plantSignedIn(app, tenantId, { role });
    const shown = async (eventId = '') =>
      (await invokeAs(app, person, getWebhookEvent, { params: { eventId } })).body as { data: unknown };
    const planted = { name: 'Planted' };
    expect((await shown(kyc.eventIds[0])).data).toEqual(seesKyc ? planted : null);
    expect((await shown(member.eventIds[0])).data).toEqual(seesMembers ? planted : null);
    const { body } = await invokeAs(app, person, listWebhookEvents, { query: { type: 'kyc.approved' } });
    expect((body as { data: { data: unknown }[] }).data.map(({ data }) => data !== null)).toEqual([seesKyc, seesKyc, seesKyc]);
    const delivery = await invokeAs(app, person, getWebhookDelivery, { params: { deliveryId: kyc.deliveryIds[0] ?? '' } });
    expect(JSON.stringify(delivery.body).includes('Planted')).toBe(seesKyc);
  });
});

describe('an endpoint', () => {
  const WEAK = ['webhooks:read', 'webhooks:write', 'users:read'];
  const hook = { url: URL_OF_SHOP, eventTypes: ['kyc.approved', 'member.created'] };
  const hiddenOf = async (id: string): Promise<unknown> => (await strong.get(`${ENDPOINTS}/${id}`)).body.hiddenTypes;

  test('has the rights of who made it or last changed where and what it is sent', async () => {
    const weak = await clientWith(WEAK);
    const made = await weak.post(ENDPOINTS, hook);
    expect([made.status, made.body.hiddenTypes]).toEqual([201, ['kyc.approved']]);
    const path = `${ENDPOINTS}/${made.body.id}`;
    // What changes nothing of it gives no rights.
    await strong.patch(path, { ...hook, description: 'Shop', enabled: true });
    await strong.post(`${path}/rotate-secret`, {});
    expect(await hiddenOf(made.body.id)).toEqual(['kyc.approved']);
    expect((await strong.patch(path, { headers: null })).body.hiddenTypes).toEqual([]);
    await weak.patch(path, { description: 'Ours' });
    expect(await hiddenOf(made.body.id)).toEqual([]);
    for (const change of [{ url: `${URL_OF_SHOP}/2` }, { eventTypes: ['kyc.*', 'member.moved'] }, { headers: { 'X-A': 'a' } }]) {
      expect((await weak.patch(path, change)).body.hiddenTypes).toContain('kyc.approved');
      expect((await strong.patch(path, { headers: null })).body.hiddenTypes).toEqual([]);
    }
    const listed = (await weak.get(`${ENDPOINTS}?with=hours`)).body.data as object[];
    expect(listed.map((one) => Object.keys(one).includes('rights'))).toEqual([false]);
  });

  test('that is enabled again has the rights of who enables it, and not of who made it', async () => {
    const weak = await clientWith(WEAK);
    const { id } = (await strong.post(ENDPOINTS, hook)).body;
    const path = `${ENDPOINTS}/${id}`;
    // To disable it, and to say once more what it is, gives no rights.
    await weak.patch(path, { enabled: true });
    await weak.patch(path, { enabled: false });
    expect(await hiddenOf(id)).toEqual([]);
    expect((await weak.patch(path, { enabled: true })).body.hiddenTypes).toEqual(['kyc.approved']);
    await strong.patch(path, { enabled: false });
    expect(await hiddenOf(id)).toEqual(['kyc.approved']);
    expect((await strong.patch(path, { enabled: true })).body.hiddenTypes).toEqual([]);
  });

  test('says whose rights it has, and the audit log where it led and leads, without what may be secret of an address', async () => {
    const weak = await clientWith(WEAK);
    const { id, createdBy, rightsOf } = (await strong.post(ENDPOINTS, { ...hook, url: `${URL_OF_SHOP}/s3cret?key=s3cret` })).body;
    expect([createdBy.kind, rightsOf]).toEqual(['api_key', createdBy]);
    const path = `${ENDPOINTS}/${id}`;
    expect((await weak.patch(path, { description: 'Ours' })).body.rightsOf).toEqual(createdBy);
    const moved = (await weak.patch(path, { url: 'https://thief.example/s3cret' })).body;
    expect(moved).toMatchObject({ createdBy, rightsOf: { kind: 'api_key', id: expect.not.stringMatching(createdBy.id) } });
    expect((await strong.get(path)).body.rightsOf).toEqual(moved.rightsOf);
    expect((await strong.patch(path, { enabled: false })).body.rightsOf).toEqual(moved.rightsOf);
    expect((await strong.patch(path, { enabled: true })).body.rightsOf).toEqual(createdBy);
    const log = await strong.get(`/api/v1/admin/audit-logs?targetKind=webhook_endpoint&targetId=${id}`);
    const details = (log.body.data as { details: { url?: unknown } }[]).map(({ details: { url } }) => url);
    expect(details.filter((url) => url !== undefined)).toEqual([
      { from: 'https://shop.example', to: 'https://thief.example' },
      'https://shop.example',
    ]);
    expect(log.text).not.toContain('s3cret');
  });

  test('keeps its headers for the address that they were given for', async () => {
    const { id } = (await strong.post(ENDPOINTS, { ...hook, headers: { 'X-Gate': 'open sesame' } })).body;
    const path = `${ENDPOINTS}/${id}`;
    for (const url of ['https://thief.example/hooks', 'https://shop.example/other', `${URL_OF_SHOP}?to=thief`]) {
      const moved = await strong.patch(path, { url });
      expect([moved.status, moved.body.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(moved.body.details.fields).toEqual([{ field: 'headers', message: 'must be sent again with another address' }]);
    }
    expect((await strong.patch(path, { url: URL_OF_SHOP, description: 'Shop' })).body).toMatchObject({ url: URL_OF_SHOP });
    const again = { url: 'https://shop.example/other', headers: { 'X-Gate': 'open sesame' } };
    expect((await strong.patch(path, again)).body.headerNames).toEqual(['X-Gate']);
    expect((await strong.patch(path, { url: 'https://thief.example/', headers: null })).body.headerNames).toEqual([]);
    expect((await strong.patch(path, { url: URL_OF_SHOP })).status).toBe(200);
  });
});

describe('what is sent', () => {
  let receiver: FakeReceiver;
  beforeEach(async () => {
    receiver = await startFakeReceiver();
  });
  afterEach(async () => {
    receiver.close();
    await silenceEndpoints(app);
  });

  test('has the object of types within the rights of the endpoint; examples are whole', async () => {
    const rights = ['webhooks:write', 'users:read'];
    const { id } = await plantEndpoint(app, at('LIVE'), { url: receiver.url, rights });
    await plantEvents(app, at('LIVE'), 1, { type: 'member.created' });
    await plantEvents(app, at('LIVE'), 1, { type: 'kyc.approved' });
    expect((await strong.post(`${ENDPOINTS}/${id}/test`, { type: 'kyc.rejected' })).status).toBe(202);
    const isSent = async () =>
      (await listDeliveries(app, at('LIVE'))).filter(({ status }) => status === 'delivered').length === 3;
    await whileSending(createSendWorker(app, [receiver]), () => eventually(isSent));
    const sent = receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: unknown; leftOut?: string[] });
    const of = (type: string) => sent.find((one) => one.type === type);
    expect(of('member.created')?.data).toEqual({ name: 'Ada' });
    expect(of('kyc.approved')).toMatchObject(WITHOUT);
    expect(of('kyc.rejected')?.data).toMatchObject({ id: expect.any(String) });
  });

  test('is kept without the endpoint’s own headers where an answer repeats them', async () => {
    await plantEndpoint(app, at('LIVE'), {
      url: receiver.url,
      headers: { Authorization: 'Bearer s3cret-token', 'X-A': 'short' },
    });
    await plantEvents(app, at('LIVE'), 1);
    receiver.reply = () => ({ status: 200, body: 'got Bearer s3cret-token and s3cret-token and short' });
    const isKept = async () => (await listAttempts(app, at('LIVE'))).length === 1;
    await whileSending(createSendWorker(app, [receiver]), () => eventually(isKept));
    expect((await listAttempts(app, at('LIVE')))[0]?.answer).toBe('got … and … and short');
  });
});

test.each([
  ['all of it', 'a 12345678 b', { a: '12345678' }, 'a … b'],
  ['as JSON has it', '{"h":"12\\"45678"}', { a: '12"45678' }, '{"h":"…"}'],
  ['cut at the end', 'a 123456789', { a: '1234567890' }, 'a …'],
  ['the longer first', '12345678 123456789', { a: '12345678', b: '123456789' }, '… …'],
  ['nothing short', '1234567', { a: '1234567' }, '1234567'],
])('own values are taken out of an answer: %s', (_name, answer, own, kept) => {
  expect(withoutOwn(answer, own)).toBe(kept);
});
