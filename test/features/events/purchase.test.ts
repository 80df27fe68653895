/**
 * POST /events/purchase and GET /events/{event_id}: docs/specification/events.md#purchase,
 * docs/specification/commissions.md#who-is-paid.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { newUpline, paidTo } from '../../support/money/model-upline.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Members and event ids are new in every test; only what changes the tenant itself takes a new one. */
async function freshTenant(): Promise<void> {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
}

/** The ledger only grows, so a breach of any test before is still there. */
const checkBooksAfterwards = () => afterAll(() => expectCleanBooks(app));

const purchase = (fields: object = {}) => client.post('/api/v1/events/purchase', client.purchaseBody(fields));

describe('the default plan', () => {
  checkBooksAfterwards();
  beforeAll(freshTenant);

  test('pays five levels 10/5/3/2/1 % when every tier is deep enough', async () => {
    const chain = await newUpline(client, 'D D D D D D');
    const answer = await purchase({ external_event_id: 'order-1', attribution: { user_id: chain[0]?.id } });
    expect(answer.status).toBe(201);
    expect(answer.headers['x-environment']).toBe('LIVE');
    expect(answer.body).toEqual({
      event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      external_event_id: 'order-1',
      status: 'accepted',
      attribution: { user_id: chain[0]?.id, rule: 'explicit_user', receipt_id: expect.any(String) },
      commissions: [1000, 500, 300, 200, 100].map((amount, index) => ({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        user_id: chain[index]?.id,
        kind: 'commission',
        level: index + 1,
        paid_level: index + 1,
        rate_bps: amount,
        flat_minor: null,
        multiplier_milli: 1000,
        base_minor: 10_000,
        amount_minor: amount,
        currency: 'USD',
        source_amount_minor: null,
        source_currency: null,
        exchange_rate_id: null,
        capped_minor: 0,
        cap: null,
        pay_source: null,
        status: 'pending',
        clears_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/),
        reverses_commission_id: null,
      })),
    });
  });

  test.each([
    ['O O S M D D', '1/L1:1000 3/L2:500 4/L3:300 5/L4:200 6/L5:100'],
    ['O', '1/L1:1000'],
    ['o', ''],
    ['o d S', '3/L1:1000'],
    ['O d S', '1/L1:1000 3/L2:500'],
    ['S S S S M', '1/L1:1000 2/L2:500 3/L3:300 5/L4:200'],
    ['O O O O O', '1/L1:1000'],
  ])('pays the upline %s: %s', async (tiers, expected) => {
    const chain = await newUpline(client, tiers);
    const answer = await purchase({ attribution: { user_id: chain[0]?.id } });
    expect(answer.status).toBe(201);
    expect(paidTo(chain, answer.body.commissions)).toBe(expected);
    // An inactive explicit user still wins the attribution and is an unqualified level 1.
    expect(answer.body).toMatchObject({ status: 'accepted', attribution: { user_id: chain[0]?.id, rule: 'explicit_user' } });
  });

  test('pays from the second read of a deep chain: 40 ORDINARY members under seniors', async () => {
    const seniors = await newUpline(client, 'S S D M');
    const chain = [...(await newUpline(client, 'O'.repeat(40), seniors[0])), ...seniors];
    const answer = await purchase({ attribution: { user_id: chain[0]?.id } });
    expect(paidTo(chain, answer.body.commissions)).toBe('1/L1:1000 41/L2:500 42/L3:300 43/L4:200 44/L5:100');
  });

  test('stores the lines and one balanced journal: the expense against each pending account', async () => {
    const chain = await newUpline(client, 'D D D');
    const { body } = await purchase({ attribution: { user_id: chain[0]?.id } });
    const postings = await app.database.asSuperuser(
      `select p.account, p.member_id, p.currency, p.amount_minor::text as amount, j.cause_type, j.cause_id
       from posting p join journal_entry j on j.id = p.journal_id where p.tenant_id = $1 and j.cause_id = $2 order by p.seq`,
      [tenant.tenantId, body.event_id],
    );
    const cause = { cause_type: 'event', cause_id: body.event_id, currency: 'USD' };
    expect(postings).toEqual([
      { ...cause, account: 'company:commission_expense', member_id: null, amount: '-1800' },
      { ...cause, account: 'member:pending', member_id: chain[0]?.id, amount: '1000' },
      { ...cause, account: 'member:pending', member_id: chain[1]?.id, amount: '500' },
      { ...cause, account: 'member:pending', member_id: chain[2]?.id, amount: '300' },
    ]);
  });

  test.each([
    ['nothing taken off', {}, 10_000],
    ['tax', { tax_minor: 1_900 }, 8_100],
    ['tax and shipping', { tax_minor: 1_900, shipping_minor: 500 }, 7_600],
    ['tax and shipping are all of it', { tax_minor: 9_500, shipping_minor: 500 }, 0],
    ['a discount is for the record only', { discount_minor: 2_000 }, 10_000],
  ])('calculates on the amount net of tax and shipping: %s', async (_label, fields, base) => {
    const [member] = await newUpline(client, 'O');
    const answer = await purchase({ attribution: { user_id: member?.id }, ...fields });
    expect(answer.status).toBe(201);
    expect(answer.body.status).toBe('accepted');
    expect(
      answer.body.commissions.map((line: { base_minor: number; amount_minor: number }) => [line.base_minor, line.amount_minor]),
    ).toEqual(base === 0 ? [] : [[base, base / 10]]);
  });

  test('rounds half a cent up, once a line, and leaves out lines of nothing', async () => {
    const chain = await newUpline(client, 'D D D D D');
    const at = async (amount: number) => {
      const answer = await purchase({ amount_minor: amount, attribution: { user_id: chain[0]?.id } });
      return paidTo(chain, answer.body.commissions);
    };
    expect(await at(50)).toBe('1/L1:5 2/L2:3 3/L3:2 4/L4:1 5/L5:1'); // 5, 2.5, 1.5, 1, 0.5
    expect(await at(49)).toBe('1/L1:5 2/L2:2 3/L3:1 4/L4:1'); // 4.9, 2.45, 1.47, 0.98, 0.49
    expect(await at(0)).toBe('');
    expect(await at(999_999_999_999_999)).toBe(
      '1/L1:100000000000000 2/L2:50000000000000 3/L3:30000000000000 4/L4:20000000000000 5/L5:10000000000000',
    );
  });

  test('pays in the currency of the purchase, whatever the tenant’s', async () => {
    const [member] = await newUpline(client, 'O');
    for (const [currency, amount] of [
      ['JPY', 5_005],
      ['KWD', 12_345],
    ] as const) {
      const answer = await purchase({ currency, amount_minor: amount, attribution: { user_id: member?.id } });
      expect(answer.body.commissions).toMatchObject([
        { currency, base_minor: amount, amount_minor: Math.floor(amount / 10 + 0.5) },
      ]);
    }
    const status = await client.get(`/api/v1/users/status?user_id=${member?.id}`);
    expect(status.body).toMatchObject({ currency: 'USD', commission_balance: { pending: 0, total: 0 } });
  });

  test.each([
    ['one_time', 'sales'],
    ['subscription_initial', 'subscription'],
    ['subscription_renewal', 'subscription'],
    [undefined, 'sales'],
    [null, 'sales'],
  ])('a purchase of type %s is of the source %s', async (type, source) => {
    const [member] = await newUpline(client, 'O');
    const answer = await purchase({ ...(type === undefined ? {} : { type }), attribution: { user_id: member?.id } });
    expect(answer.status).toBe(201);
    const event = await client.get(`/api/v1/events/${answer.body.event_id}`);
    expect(event.body.type).toBe(type ?? 'one_time');
    const breakdown = await client.get(`/api/v1/members/${member?.id}/commissions/breakdown`);
    expect(breakdown.body.bySource).toEqual({ sales: 0, subscription: 0, manual: 0, [source]: 10 });
  });
});

describe('other plans', () => {
  checkBooksAfterwards();
  beforeEach(freshTenant);

  test.each([
    ['none', '1/L1:1000 3/L3:300'],
    ['roll_up', '1/L1:1000 3/L2:500 3/L3:300'],
    ['compress', '1/L1:1000 3/L2:500'],
  ] as const)('golden (d): an inactive level 2 under %s is %s', async (compression, expected) => {
    await publishPlan(app, tenant, { compression });
    const chain = await newUpline(client, 'D d D');
    const answer = await purchase({ attribution: { user_id: chain[0]?.id } });
    expect(paidTo(chain, answer.body.commissions)).toBe(expected);
  });

  test('the worked example with roll_up reads back with two lines of one member, and repeats as it was', async () => {
    await publishPlan(app, tenant, { compression: 'roll_up' });
    const chain = await newUpline(client, 'O O S M D D');
    const body = client.purchaseBody({ attribution: { user_id: chain[0]?.id } });
    const answer = await client.post('/api/v1/events/purchase', body);
    expect(paidTo(chain, answer.body.commissions)).toBe('1/L1:1000 3/L2:500 3/L3:300 4/L4:200 5/L5:100');
    const read = await client.get(`/api/v1/events/${answer.body.event_id}`);
    expect(read.body.commissions).toEqual(answer.body.commissions);
    expect((await client.post('/api/v1/events/purchase', body)).text).toBe(answer.text);
  });

  test.each([
    ['none', []],
    ['sponsor_first', ['S:1000', 'T:500']],
    ['self_rebate', ['M:1000', 'S:500', 'T:300']],
  ] as const)('personalPurchase %s pays %j', async (personalPurchase, expected) => {
    await publishPlan(app, tenant, { personalPurchase });
    const [buyer, sponsor, top] = await newUpline(client, 'D D D');
    const names = new Map([
      [buyer?.id, 'M'],
      [sponsor?.id, 'S'],
      [top?.id, 'T'],
    ]);
    const answer = await purchase({ buyer_user_id: buyer?.id });
    expect(answer.status).toBe(201);
    const lines = answer.body.commissions as { user_id: string; level: number; amount_minor: number }[];
    expect(lines.map((line) => `${names.get(line.user_id)}:${line.amount_minor}`)).toEqual(expected);
    expect(lines.map((line) => line.level)).toEqual(expected.map((_, index) => index + 1));
  });

  test.each([
    ['gross', 1000],
    ['net_of_tax', 900],
    ['net_of_tax_shipping', 850],
  ] as const)('base %s', async (base, amount) => {
    await publishPlan(app, tenant, { base });
    const [member] = await newUpline(client, 'O');
    const answer = await purchase({ tax_minor: 1_000, shipping_minor: 500, attribution: { user_id: member?.id } });
    expect(answer.body.commissions).toMatchObject([{ amount_minor: amount, base_minor: amount * 10 }]);
  });

  test('a sale is paid by the plan in force at its date', async () => {
    const changed = await publishPlan(app, tenant, { levels: [{ level: 1, rateBps: 2000 }] }, '2026-03-01T00:00:00Z');
    const chain = await newUpline(client, 'D D');
    const at = async (occurredAt: string) => {
      const answer = await purchase({ occurred_at: occurredAt, attribution: { user_id: chain[0]?.id } });
      const event = await client.get(`/api/v1/events/${answer.body.event_id}`);
      return { paid: paidTo(chain, answer.body.commissions), isNew: event.body.plan_version_id === changed };
    };
    expect(await at('2026-02-28T23:59:59.999Z')).toEqual({ paid: '1/L1:1000 2/L2:500', isNew: false });
    expect(await at('2026-03-01T00:00:00Z')).toEqual({ paid: '1/L1:2000', isNew: true });
  });
});

describe('attribution', () => {
  checkBooksAfterwards();
  beforeAll(freshTenant);

  test('by referral code, in any case', async () => {
    const [member] = await newUpline(client, 'O S');
    for (const code of [member?.referral_code, member?.referral_code.toLowerCase()]) {
      const answer = await purchase({ attribution: { referral_code: code } });
      expect(answer.body).toMatchObject({
        status: 'accepted',
        attribution: { user_id: member?.id, rule: 'referral_code', receipt_id: expect.any(String) },
      });
      expect(answer.body.commissions).toHaveLength(2);
    }
  });

  test('an explicit user wins over a code', async () => {
    const [member] = await newUpline(client, 'O');
    const [other] = await newUpline(client, 'O');
    const answer = await purchase({ attribution: { user_id: member?.id, referral_code: other?.referral_code } });
    expect(answer.body.attribution).toEqual({ user_id: member?.id, rule: 'explicit_user', receipt_id: expect.any(String) });
    expect(answer.body.commissions).toMatchObject([{ user_id: member?.id }]);
  });

  test.each([
    ['none given', {}],
    ['null', { attribution: null }],
    ['empty', { attribution: {} }],
    ['an unknown code', { attribution: { referral_code: 'NOBODY-HAS-THIS' } }],
  ])('nobody to credit is unattributed, never a silent success: %s', async (_label, fields) => {
    const answer = await purchase(fields);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      status: 'unattributed',
      attribution: { user_id: null, rule: 'none', receipt_id: expect.any(String) },
      commissions: [],
    });
  });

  test('an unknown explicit user is a 400, also one of another tenant or environment, and stores nothing', async () => {
    const sandbox = apiClient(app, tenant.sandboxKey);
    const stranger = apiClient(app, (await app.newTenant()).liveKey);
    const ids = [randomUUID(), (await sandbox.newMember()).id, (await stranger.newMember()).id];
    const body = client.purchaseBody();
    for (const id of ids) {
      const answer = await client.post('/api/v1/events/purchase', { ...body, attribution: { user_id: id } });
      expectRefusal(answer, 400, 'VALIDATION_ERROR', ['attribution.user_id']);
    }
    for (const id of ids) {
      expectRefusal(await client.post('/api/v1/events/purchase', { ...body, buyer_user_id: id }), 400, 'VALIDATION_ERROR', [
        'buyer_user_id',
      ]);
    }
    expect((await client.post('/api/v1/events/purchase', body)).status).toBe(201);
  });

  test('a code of another tenant or environment is unknown', async () => {
    const foreign = await apiClient(app, tenant.sandboxKey).newMember();
    const answer = await purchase({ attribution: { referral_code: foreign.referral_code } });
    expect(answer.body.status).toBe('unattributed');
  });

  test('an inactive code owner still wins and is an unqualified level 1', async () => {
    const chain = await newUpline(client, 'd S');
    const answer = await purchase({ attribution: { referral_code: chain[0]?.referral_code } });
    expect(answer.body).toMatchObject({ status: 'accepted', attribution: { user_id: chain[0]?.id, rule: 'referral_code' } });
    expect(paidTo(chain, answer.body.commissions)).toBe('2/L1:1000');
  });

  test('a buying member’s sponsor is level 1, whatever attribution says', async () => {
    const [buyer, sponsor, top] = await newUpline(client, 'D D D');
    const [other] = await newUpline(client, 'D');
    for (const attribution of [
      undefined,
      { user_id: other?.id },
      { referral_code: other?.referral_code },
      { user_id: buyer?.id },
    ]) {
      const answer = await purchase({ buyer_user_id: buyer?.id, ...(attribution ? { attribution } : {}) });
      expect(answer.body).toMatchObject({ status: 'accepted', attribution: { user_id: sponsor?.id } });
      expect(
        paidTo(
          [sponsor, top].flatMap((member) => member ?? []),
          answer.body.commissions,
        ),
      ).toBe('1/L1:1000 2/L2:500');
    }
  });

  test('a buyer without a sponsor has nobody to credit', async () => {
    const [buyer] = await newUpline(client, 'D');
    const answer = await purchase({ buyer_user_id: buyer?.id });
    expect(answer.body).toMatchObject({ status: 'unattributed', attribution: { user_id: null }, commissions: [] });
  });
});

describe('refused with the field', () => {
  beforeAll(freshTenant);

  const tooMuch = 1_000_000_000_000_000;
  test.each<[label: string, fields: object, named: string[]]>([
    ['tax and shipping above the amount', { tax_minor: 9_000, shipping_minor: 1_001 }, ['amount_minor']],
    ['no external_event_id', { external_event_id: undefined }, ['external_event_id']],
    ['an empty external_event_id', { external_event_id: '' }, ['external_event_id']],
    ['an external_event_id of 201 characters', { external_event_id: 'x'.repeat(201) }, ['external_event_id']],
    ['no amount', { amount_minor: undefined }, ['amount_minor']],
    ['a negative amount', { amount_minor: -1 }, ['amount_minor']],
    ['an amount with a fraction', { amount_minor: 10.5 }, ['amount_minor']],
    ['an amount as text', { amount_minor: '10' }, ['amount_minor']],
    ['an amount beyond the bound', { amount_minor: tooMuch }, ['amount_minor']],
    ['a negative tax', { tax_minor: -1 }, ['tax_minor']],
    ['no currency', { currency: undefined }, ['currency']],
    ['a currency that there is not', { currency: 'qqq' }, ['currency']],
    ['an unknown currency', { currency: 'ZZZ' }, ['currency']],
    ['no customer', { customer: undefined }, ['customer']],
    ['a customer without external_id', { customer: {} }, ['customer.external_id']],
    ['a customer email that is none', { customer: { external_id: 'c', email: 'nobody' } }, ['customer.email']],
    ['an unknown type', { type: 'gift' }, ['type']],
    ['an unknown field', { price: 5 }, ['price']],
    ['an unknown nested field', { customer: { external_id: 'c', phone: '1' } }, ['customer.phone']],
    ['a malformed user id', { attribution: { user_id: 'me' } }, ['attribution.user_id']],
    ['a time without a zone', { occurred_at: '2026-01-01T00:00:00' }, ['occurred_at']],
    ['a day that does not exist', { occurred_at: '2026-02-30T00:00:00Z' }, ['occurred_at']],
    ['the year 0', { occurred_at: '0000-01-01T00:00:00Z' }, ['occurred_at']],
    ['a zone that does not exist', { occurred_at: '2026-01-01T00:00:00+20:00' }, ['occurred_at']],
    ['a line item without an amount', { line_items: [{ sku: 'a' }] }, ['line_items[0].amount_minor']],
  ])('%s', async (_label, fields, named) => {
    expectRefusal(await purchase(fields), 400, 'VALIDATION_ERROR', named);
  });

  test('metadata of more than 10 KB of JSON; exactly 10 KB is kept', async () => {
    const bytes = (count: number) => ({ note: 'x'.repeat(count - '{"note":""}'.length) });
    expectRefusal(await purchase({ metadata: bytes(10_241) }), 400, 'VALIDATION_ERROR', ['metadata']);
    // Bytes, not characters: é takes two.
    expectRefusal(await purchase({ metadata: { note: 'é'.repeat(5_120) } }), 400, 'VALIDATION_ERROR', ['metadata']);
    const answer = await purchase({ metadata: bytes(10_240) });
    expect(answer.status).toBe(201);
    expect((await client.get(`/api/v1/events/${answer.body.event_id}`)).body.metadata).toEqual(bytes(10_240));
  });
});

describe('GET /events/{event_id}', () => {
  checkBooksAfterwards();
  beforeEach(freshTenant);

  test('shows what was sent, with defaults, and the commissions', async () => {
    const chain = await newUpline(client, 'D D');
    const sent = {
      external_event_id: 'order-77',
      type: 'subscription_initial',
      occurred_at: '2026-05-01T12:00:00+02:00',
      amount_minor: 10_000,
      currency: 'USD',
      tax_minor: 1_000,
      shipping_minor: 500,
      discount_minor: 250,
      customer: { external_id: 'c-9', email: 'Ann@Shop.example', name: 'Ann' },
      attribution: { referral_code: chain[0]?.referral_code },
      line_items: [
        { sku: 'a-1', name: 'Tea', category: 'food', quantity: 2, amount_minor: 5_000 },
        { sku: 'b', amount_minor: 5_000 },
      ],
      metadata: { channel: 'web', nested: { b: [1, 2.5, null], a: true } },
    };
    const posted = await client.post('/api/v1/events/purchase', sent);
    const answer = await client.get(`/api/v1/events/${posted.body.event_id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...posted.body,
      kind: 'purchase',
      type: 'subscription_initial',
      occurred_at: '2026-05-01T10:00:00.000Z',
      recorded_at: expect.stringMatching(/Z$/),
      created_by: { kind: 'api_key', id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: null },
      amount_minor: 10_000,
      currency: 'USD',
      tax_minor: 1_000,
      shipping_minor: 500,
      discount_minor: 250,
      base_minor: 8_500,
      breakage_minor: 0,
      customer: { ...sent.customer, country: null },
      discount_code: null,
      buyer_user_id: null,
      purchase: null,
      dispute_id: null,
      stage: null,
      reason: null,
      description: null,
      actor: null,
      plan_version_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      line_items: sent.line_items,
      metadata: sent.metadata,
    });
  });

  test('absent values are null', async () => {
    const { body } = await purchase({ customer: { external_id: 'alone' } });
    const answer = await client.get(`/api/v1/events/${body.event_id}`);
    expect(answer.body).toMatchObject({
      customer: { external_id: 'alone', email: null, name: null, country: null },
      buyer_user_id: null,
      line_items: null,
      metadata: null,
      tax_minor: 0,
      shipping_minor: 0,
      discount_minor: 0,
      discount_code: null,
    });
  });

  test('a later purchase fills in and refreshes what is known of the customer; saying less takes nothing away', async () => {
    const customerOf = async (eventId: string) => (await client.get(`/api/v1/events/${eventId}`)).body.customer;
    const first = await purchase({ customer: { external_id: 'returning' } });
    await purchase({ customer: { external_id: 'returning', email: 'a@shop.example', name: 'Ann' } });
    expect(await customerOf(first.body.event_id)).toEqual({
      external_id: 'returning',
      email: 'a@shop.example',
      name: 'Ann',
      country: null,
    });
    await purchase({ customer: { external_id: 'returning', email: 'b@shop.example' } });
    await purchase({ customer: { external_id: 'returning', name: 'Anna' } });
    await purchase({ customer: { external_id: 'returning' } });
    expect(await customerOf(first.body.event_id)).toEqual({
      external_id: 'returning',
      email: 'b@shop.example',
      name: 'Anna',
      country: null,
    });
  });

  test('of another environment or tenant, or unknown, is the same 404', async () => {
    const { body } = await purchase();
    const stranger = apiClient(app, (await app.newTenant()).liveKey);
    const absent = await client.get(`/api/v1/events/${randomUUID()}`);
    expectRefusal(absent, 404, 'NOT_FOUND');
    for (const other of [apiClient(app, tenant.sandboxKey), stranger]) {
      const answer = await other.get(`/api/v1/events/${body.event_id}`);
      expect([answer.status, answer.text]).toEqual([404, absent.text]);
    }
    expectRefusal(await client.get('/api/v1/events/not-a-uuid'), 400, 'VALIDATION_ERROR', ['event_id']);
  });
});
