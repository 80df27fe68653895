/**
 * external_event_id is unique for ever: a repeat is answered as at first, other content is refused
 * (docs/specification/events.md#event-id).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let chain: MemberBody[];

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  chain = await newUpline(client, 'O S M');
});
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

const post = (body: object, as: ApiClient = client) => as.post('/api/v1/events/purchase', body);

/** Everything that can be sent. */
function fullBody() {
  return {
    external_event_id: `order-${randomUUID()}`,
    type: 'one_time',
    occurred_at: '2026-05-01T12:00:00Z',
    amount_minor: 10_000,
    currency: 'USD',
    tax_minor: 100,
    shipping_minor: 50,
    discount_minor: 25,
    customer: { external_id: `c-${randomUUID()}`, email: 'ann@shop.example', name: 'Ann' },
    attribution: { user_id: chain[0]?.id, referral_code: chain[1]?.referral_code },
    line_items: [{ sku: 'a', amount_minor: 9_850 }],
    metadata: { channel: 'web', page: { x: 1, y: 2 } },
  };
}

async function eventCount(): Promise<string> {
  const [row] = await app.database.asSuperuser<{ count: string }>(
    `select (select count(*) from event) || '/' || (select count(*) from journal_entry) || '/' || (select count(*) from commission_line) as count`,
  );
  return row?.count ?? '';
}

describe('the same content', () => {
  test('answers 200 with the first answer, byte for byte, and stores nothing', async () => {
    const body = fullBody();
    const first = await post(body);
    expect(first.status).toBe(201);
    expect(first.body.commissions).toHaveLength(3);
    const before = await eventCount();
    for (let i = 0; i < 3; i++) {
      const again = await post(body);
      expect([again.status, again.text]).toEqual([200, first.text]);
      expect(again.headers['idempotent-replayed']).toBeUndefined();
    }
    expect(await eventCount()).toBe(before);
  });

  test('also after tiers, activity, the tree and the plan have changed', async () => {
    const own = await app.newTenant();
    const owner = apiClient(app, own.liveKey);
    const upline = await newUpline(owner, 'O S M');
    const body = owner.purchaseBody({ attribution: { user_id: upline[0]?.id } });
    const first = await post(body, owner);
    for (const change of [{ membership_tier: 'DIRECTOR' }, { is_active: false, can_recruit: false }]) {
      for (const member of upline) expect((await owner.patch(`/api/v1/users/${member.id}`, change)).status).toBe(200);
    }
    await newUpline(owner, 'D');
    await publishPlan(app, own, { levels: [{ level: 1, rateBps: 5000 }] });
    const again = await post(body, owner);
    expect([again.status, again.text]).toEqual([200, first.text]);
    const read = await owner.get(`/api/v1/events/${first.body.event_id}`);
    expect(read.body.commissions).toEqual(first.body.commissions);
  });

  test('also once its commissions have cleared, which the event itself shows', async () => {
    const body = fullBody();
    const first = await post(body);
    const setStatus = (status: string) =>
      app.database.asSuperuser('update commission_line set status = $2 where event_id = $1', [first.body.event_id, status]);
    await setStatus('cleared'); // clearing is not built yet
    try {
      const again = await post(body);
      expect([again.status, again.text]).toEqual([200, first.text]);
      const event = await client.get(`/api/v1/events/${first.body.event_id}`);
      expect(new Set(event.body.commissions.map((line: { status: string }) => line.status))).toEqual(new Set(['cleared']));
    } finally {
      await setStatus('pending');
    }
  });

  test('of one that was unattributed stays so, even when its code exists by now', async () => {
    const body = client.purchaseBody({ attribution: { referral_code: `LATER-${randomUUID().slice(0, 8)}` } });
    const first = await post(body);
    expect(first.body.status).toBe('unattributed');
    await app.database.asSuperuser(
      `insert into referral_code (tenant_id, environment, code, member_id, is_default) values ($1, 'LIVE', upper($2), $3, false)`,
      [tenant.tenantId, (body['attribution'] as { referral_code: string }).referral_code, chain[0]?.id],
    );
    const again = await post(body);
    expect([again.status, again.text]).toEqual([200, first.text]);
  });

  test('null and absent are the same content, in both directions', async () => {
    const bare = client.purchaseBody();
    const nulls = {
      ...bare,
      type: null,
      occurred_at: null,
      tax_minor: null,
      shipping_minor: null,
      discount_minor: null,
      customer: { ...Object(bare['customer']), email: null, name: null },
      buyer_user_id: null,
      attribution: { user_id: null, referral_code: null },
      line_items: null,
      metadata: null,
    };
    const first = await post(bare);
    expect((await post(nulls)).text).toBe(first.text);
    const other = randomUUID();
    const withNulls = await post({ ...nulls, external_event_id: other });
    const withoutThem = await post({ ...bare, external_event_id: other });
    expect([withNulls.status, withoutThem.status, withoutThem.text]).toEqual([201, 200, withNulls.text]);
  });

  test('in another order of its keys is the same content, in metadata too', async () => {
    const body = fullBody();
    const first = await post(body);
    const reversed = Object.fromEntries(
      Object.entries({ ...body, metadata: { page: { y: 2, x: 1 }, channel: 'web' } }).toReversed(),
    );
    const again = await post(reversed);
    expect([again.status, again.text]).toEqual([200, first.text]);
  });

  test('is still the first answer once the sale has become too old to be recorded', async () => {
    // Just inside the five years; a busy machine gets a second try with more room.
    let body = {};
    let first: Awaited<ReturnType<typeof post>> | undefined;
    for (const roomMs of [1_500, 6_000]) {
      const limit = new Date(Date.now() + roomMs);
      limit.setUTCFullYear(limit.getUTCFullYear() - 5);
      body = client.purchaseBody({ occurred_at: limit.toISOString() });
      first = await post(body);
      await sleep(roomMs + 100);
      if (first.status === 201) break;
    }
    expect(first?.status).toBe(201);
    const again = await post(body);
    expect([again.status, again.text]).toEqual([200, first?.text]);
  });

  test('changes nothing: not even what a later purchase has said of the customer', async () => {
    const externalId = `c-${randomUUID()}`;
    const old = client.purchaseBody({ customer: { external_id: externalId, email: 'old@shop.example', name: 'Old' } });
    const { body: first } = await post(old);
    await post(client.purchaseBody({ customer: { external_id: externalId, email: 'new@shop.example', name: 'New' } }));
    expect((await post(old)).status).toBe(200);
    const event = await client.get(`/api/v1/events/${first.event_id}`);
    expect(event.body.customer).toEqual({ external_id: externalId, email: 'new@shop.example', name: 'New', country: null });
  });
});

describe('other content', () => {
  test.each<[label: string, change: (body: ReturnType<typeof fullBody>) => object, named: string[]]>([
    ['amount', () => ({ amount_minor: 10_001 }), ['amount_minor']],
    ['currency', () => ({ currency: 'EUR' }), ['currency']],
    ['type', () => ({ type: 'subscription_renewal' }), ['type']],
    ['time', () => ({ occurred_at: '2026-05-01T12:00:01Z' }), ['occurred_at']],
    ['tax and shipping', () => ({ tax_minor: 99, shipping_minor: 51 }), ['shipping_minor', 'tax_minor']],
    ['discount left out', () => ({ discount_minor: null }), ['discount_minor']],
    ['another customer', (body) => ({ customer: { ...body.customer, external_id: 'c-other' } }), ['customer.external_id']],
    ['customer email', (body) => ({ customer: { ...body.customer, email: 'eve@shop.example' } }), ['customer.email']],
    ['customer name left out', (body) => ({ customer: { ...body.customer, name: undefined } }), ['customer.name']],
    ['attributed user', (body) => ({ attribution: { ...body.attribution, user_id: chain[2]?.id } }), ['attribution.user_id']],
    ['no attribution', () => ({ attribution: undefined }), ['attribution.referral_code', 'attribution.user_id']],
    ['a buyer as well', () => ({ buyer_user_id: chain[0]?.id }), ['buyer_user_id']],
    ['line items', () => ({ line_items: [{ sku: 'a', amount_minor: 9_851 }] }), ['line_items']],
    ['metadata, deep down', () => ({ metadata: { channel: 'web', page: { x: 1, y: 3 } } }), ['metadata']],
    [
      'several at once',
      () => ({ amount_minor: 1, tax_minor: 0, shipping_minor: 0, metadata: {} }),
      ['amount_minor', 'metadata', 'shipping_minor', 'tax_minor'],
    ],
  ])('is 409 EVENT_ID_REUSED and names what differs: %s', async (_label, change, named) => {
    const body = fullBody();
    const first = await post(body);
    const before = await eventCount();
    expectRefusal(await post({ ...body, ...change(body) }), 409, 'EVENT_ID_REUSED', named);
    expect(await eventCount()).toBe(before);
    const read = await client.get(`/api/v1/events/${first.body.event_id}`);
    expect(read.body).toMatchObject({ amount_minor: 10_000, customer: body.customer, metadata: body.metadata });
    expect((await post(body)).text).toBe(first.text);
  });

  test('is compared as sent, before defaults: an explicit default is another content', async () => {
    const body = client.purchaseBody();
    await post(body);
    expectRefusal(await post({ ...body, type: 'one_time', tax_minor: 0 }), 409, 'EVENT_ID_REUSED', ['tax_minor', 'type']);
  });
});

test('the same id in the other environment and in another tenant is another event', async () => {
  const body = client.purchaseBody();
  const first = await post(body);
  const ids = new Set([first.body.event_id]);
  const others = [apiClient(app, tenant.sandboxKey), apiClient(app, (await app.newTenant()).liveKey)];
  for (const other of others) {
    const answer = await post({ ...body, amount_minor: 77 }, other);
    expect(answer.status).toBe(201);
    ids.add(answer.body.event_id);
  }
  expect(ids.size).toBe(3);
  expect((await post(body)).text).toBe(first.text);
});

test('an Idempotency-Key replays its own answer: the 201 of the first call, the 200 of a repeat under a new key', async () => {
  const body = fullBody();
  const withKey = (key: string) => client.post('/api/v1/events/purchase', body, { 'idempotency-key': key });
  const first = await withKey('k-1');
  const replay = await withKey('k-1');
  expect([first.status, replay.status, replay.text]).toEqual([201, 201, first.text]);
  expect(replay.headers['idempotent-replayed']).toBe('true');
  const underOther = await withKey('k-2');
  expect([underOther.status, underOther.text, underOther.headers['idempotent-replayed']]).toEqual([200, first.text, undefined]);
});
