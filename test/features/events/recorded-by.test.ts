/** Each event names who recorded it, whatever it is and whichever way it came (docs/specification/conventions.md#actors). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';
import { disputeOf, purchaseOf, refundOf } from '../../support/money/money-calls.ts';
import { importCsv } from '../imports/csv-imports.ts';

interface Named {
  client: ApiClient;
  apiKey: string;
  actor: { kind: 'api_key'; id: string; name: string };
}

let app: TestApp;
let tenant: TestTenant;
let shop: Named;
let office: Named;
let member: MemberBody;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  const first = apiClient(app, tenant.liveKey);
  const named = async (name: string): Promise<Named> => {
    const { body } = await first.post('/api/v1/admin/api-keys', { name, preset: 'full' });
    return { client: apiClient(app, body.apiKey), apiKey: body.apiKey, actor: { kind: 'api_key', id: body.id, name } };
  };
  shop = await named('Shop');
  office = await named('Back office');
  member = await first.newMember();
});
afterAll(() => app.close());

const creatorOf = async (eventId: string) => (await office.client.get(`/api/v1/events/${eventId}`)).body.created_by;
const bonus = () => ({
  external_event_id: `bonus-${randomUUID()}`,
  type: 'bonus',
  user_id: member.id,
  amount_minor: 500,
  currency: 'USD',
  description: 'Newcomer',
  actor: 'kim@shop.example',
});

test('purchases, refunds, stages of disputes and commissions by hand, one by one and in a batch', async () => {
  const { client, actor } = shop;
  const sale = await purchaseOf(client, { attribution: { user_id: member.id } });
  const refund = await refundOf(office.client, sale, { amount_minor: 100 });
  const dispute = await disputeOf(client, sale, 'dispute-1', 'opened');
  const manual = await client.post('/api/v1/events/commission', bonus());
  const batch = await client.post('/api/v1/events/batch', {
    events: [
      { kind: 'purchase', ...client.purchaseBody() },
      { kind: 'commission', ...bonus() },
    ],
  });
  const ids = [sale, dispute.body, manual.body, ...batch.body.results.map((result: { body: object }) => result.body)];
  for (const { event_id } of ids as { event_id: string }[]) expect(await creatorOf(event_id)).toEqual(actor);
  expect(await creatorOf(refund.body.event_id)).toEqual(office.actor);
  const { body } = await office.client.get('/api/v1/events?limit=100');
  const listed = new Map(body.data.map((event: { event_id: string; created_by: object }) => [event.event_id, event.created_by]));
  for (const { event_id } of ids as { event_id: string }[]) expect(listed.get(event_id)).toEqual(actor);
});

test('a repeat by another key is the first answer, and leaves the event to whoever recorded it', async () => {
  const body = bonus();
  const first = await shop.client.post('/api/v1/events/commission', body);
  const again = await office.client.post('/api/v1/events/commission', body);
  expect([first.status, again.status]).toEqual([201, 200]);
  expect(again.body).toEqual(first.body);
  expect(again.body.created_by).toEqual(shop.actor);
  const purchase = shop.client.purchaseBody();
  const { event_id } = (await shop.client.post('/api/v1/events/purchase', purchase)).body;
  await office.client.post('/api/v1/events/purchase', purchase);
  expect(await creatorOf(event_id)).toEqual(shop.actor);
});

test('of the same event from two keys at once whoever stored it is named to both', async () => {
  const body = bonus();
  const answers = await Promise.all([shop, office].map(({ client }) => client.post('/api/v1/events/commission', body)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 201]);
  const creator = answers[0]?.status === 201 ? shop.actor : office.actor;
  for (const answer of answers) expect(answer.body.created_by).toEqual(creator);
});

test('imported purchases name the key that sent the file', async () => {
  const file = ['external_event_id,amount_minor,currency,customer_external_id', 'from-a-file,1000,USD,c-1'].join('\n');
  expect(await importCsv(app, office.apiKey, file, { kind: 'purchases' })).toMatchObject({ appliedCount: 1 });
  const { body } = await shop.client.get('/api/v1/events?external_event_id=from-a-file');
  expect(body.data).toMatchObject([{ created_by: office.actor }]);
});

test('a member is told that a key recorded what it was paid for, and not which', async () => {
  const sale = await purchaseOf(shop.client, { attribution: { user_id: member.id } });
  const { accessToken } = await plantSession(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, member.id);
  const answer = await shop.client.get(`/api/v1/events/${sale.event_id}`, { authorization: `Bearer ${accessToken}` });
  expect(answer.status).toBe(200);
  expect(answer.body.created_by).toEqual({ kind: 'api_key', id: null, name: null });
  expect(answer.text).not.toContain(shop.actor.id);
});
