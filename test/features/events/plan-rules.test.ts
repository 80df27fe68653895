/**
 * What a plan can say, through events: holding, ceiling, differential, qualification, line items, priorities
 * (docs/specification/commissions.md#the-plan).
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlanDefinitionInput } from '../../../src/features/commissions/open/plan-definition.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { addPlan, publishPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import {
  balanceOf,
  disputeOf,
  type LineBody,
  linesOf,
  purchaseOf,
  refundOf,
  type Sale,
} from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

async function newShop(
  plan: Partial<PlanDefinitionInput> = {},
  timeZone = 'UTC',
): Promise<{ tenant: TestTenant; client: ApiClient }> {
  const tenant = await app.newTenant({ timeZone });
  if (Object.keys(plan).length > 0) await publishPlan(app, tenant, plan);
  return { tenant, client: apiClient(app, tenant.liveKey) };
}

/** `1:1000 3:500`: distance and amount of each line. */
const paid = (sale: Sale) => sale.commissions.map((line) => `${line.level}:${line.amount_minor}`).join(' ');

async function sell(client: ApiClient, member: MemberBody | undefined, fields: object = {}): Promise<string> {
  return paid(await purchaseOf(client, { attribution: { user_id: member?.id }, ...fields }));
}

test('holding of level 1 only: the others clear with the next sweep, and are refunded as cleared', async () => {
  const { tenant, client } = await newShop({ holding: { days: 30, appliesTo: 'level_1' } });
  const chain = await newUpline(client, 'D D D');
  const sale = await purchaseOf(client, { attribution: { user_id: chain[0]?.id } });
  const { body: event } = await client.get(`/api/v1/events/${sale.event_id}`);
  expect(sale.commissions.map((line) => line.clears_at === event.occurred_at)).toEqual([false, true, true]);
  expect(sale.commissions.map((line) => line.status)).toEqual(['pending', 'pending', 'pending']);
  await app.runSweep('clear-commissions', { tenantId: tenant.tenantId, environment: 'LIVE' });
  expect((await linesOf(client, sale.event_id)).map((line) => line.status)).toEqual(['pending', 'cleared', 'cleared']);
  const refund = await refundOf(client, sale, { amount_minor: 5_000 });
  expect(refund.body.commissions.map((line: LineBody) => line.status)).toEqual(['pending', 'cleared', 'cleared']);
  expect(await balanceOf(client, chain[1])).toMatchObject({ pending: 0, cleared: 2.5 });
});

test('a line that is partly cleared when the rest of its sale is refunded leaves nothing in either account', async () => {
  // The sweep takes due lines in batches, so it may have cleared a line and not yet what takes it back.
  const { tenant, client } = await newShop();
  const [member] = await newUpline(client, 'O');
  const occurredAt = new Date(Date.now() - 60 * 86_400_000).toISOString();
  const sale = await purchaseOf(client, { occurred_at: occurredAt, attribution: { user_id: member?.id } });
  const refund = await refundOf(client, sale, { amount_minor: 3_000 });
  await app.database.asSuperuser("update commission_line set clears_at = '9999-01-01Z' where id = $1", [
    refund.body.commissions[0].id,
  ]);
  await app.runSweep('clear-commissions', { tenantId: tenant.tenantId, environment: 'LIVE' });
  expect(await balanceOf(client, member)).toMatchObject({ pending: -3, cleared: 10 });
  await refundOf(client, sale, {});
  expect(await balanceOf(client, member)).toMatchObject({ pending: 0, cleared: 0, total: 0 });
});

describe('the ceiling of an event', () => {
  const levels = [1_000, 500, 300].map((rateBps, index) => ({ level: index + 1, rateBps }));
  const tierRules = {
    ORDINARY: { multiplierMilli: 1_000, maxDepth: 5 },
    SENIOR: { multiplierMilli: 1_333, maxDepth: 5 },
    DIRECTOR: { multiplierMilli: 3_000, maxDepth: 5 },
  };

  test.each([
    // Exact parts of 1200: 1000 : 666.5 : 900 of 2566.5 are 467.56, 311.63, 420.81; two remainders up.
    ['by exact parts and largest remainder', 'O S D', 10_000, 1_200, '1:467 2:312 3:421'],
    ['not reached', 'O S D', 10_000, 2_567, '1:1000 2:667 3:900'],
    // The parts round to 2567: one above the ceiling.
    ['one cent below what rounding gave', 'O S D', 10_000, 2_566, '1:1000 2:666 3:900'],
    ['all lines alike: ties to the lower level', 'O O O', 1_001, 500, '1:28 2:14 3:8'],
    ['a ceiling of nothing', 'O O', 10_000, 0, ''],
    ['floor of the ceiling: 33 bps of 999 are 3', 'O O O', 999, 33, '1:2 2:1'],
  ])('%s', async (_label, upline, amount, perEventPayoutBps, expected) => {
    const { client } = await newShop({ levels, tierRules, caps: { perEventPayoutBps } });
    const chain = await newUpline(client, upline);
    const sale = await purchaseOf(client, { amount_minor: amount, attribution: { user_id: chain[0]?.id } });
    expect(paid(sale)).toBe(expected);
    // Refunds go by what was paid, and end at exactly nothing.
    if (amount > 3) await refundOf(client, sale, { amount_minor: Math.floor(amount / 3) });
    await refundOf(client, sale, {});
    for (const member of chain) expect((await balanceOf(client, member))['total']).toBe(0);
  });
});

describe('differential', () => {
  const plan: Partial<PlanDefinitionInput> = {
    mode: 'differential',
    levels: [],
    tierRules: {
      ORDINARY: { rateBps: 500 },
      SENIOR: { rateBps: 1_000, multiplierMilli: 9_000 },
      MANAGER: { rateBps: 1_500 },
      DIRECTOR: { rateBps: 2_000 },
    },
  };

  test.each([
    ['S O M D', '1:1000 3:500 4:500'],
    ['O S M D', '1:500 2:500 3:500 4:500'],
    ['D S M D', '1:2000'],
    ['o S', '2:1000'],
    ['S m M', '1:1000 3:500'],
    ['O O O', '1:500'],
  ])('%s is paid %s', async (upline, expected) => {
    const { client } = await newShop(plan);
    const chain = await newUpline(client, upline);
    expect(await sell(client, chain[0])).toBe(expected);
  });

  test('its lines are capped, refunded and restored like others', async () => {
    const { client } = await newShop({ ...plan, caps: { perMemberPeriodMinor: { USD: 450 } } });
    const chain = await newUpline(client, 'S O M');
    const sale = await purchaseOf(client, { attribution: { user_id: chain[0]?.id } });
    expect(paid(sale)).toBe('1:450 3:450');
    const dispute = randomUUID();
    await disputeOf(client, sale, dispute, 'lost', { amount_minor: 3_333 });
    expect((await balanceOf(client, chain[2]))['total']).toBe(3); // 450 - round(149.985)
    await disputeOf(client, sale, dispute, 'won');
    expect((await balanceOf(client, chain[2]))['total']).toBe(4.5);
  });
});

describe('qualification as of the sale', () => {
  test('personal sales: credited in the month of the zone, less what was taken back of them', async () => {
    const { client } = await newShop({ qualification: { minPersonalSalesMinor: { USD: 5_000 } } }, 'Pacific/Auckland');
    const [seller, sponsor] = await newUpline(client, 'D D');
    const own = (occurredAt: string, fields: object = {}) =>
      purchaseOf(client, { occurred_at: occurredAt, amount_minor: 5_000, attribution: { user_id: sponsor?.id }, ...fields });
    const april = '2026-04-15T00:00:00Z';
    const paidIn = (occurredAt = april) => sell(client, seller, { occurred_at: occurredAt, amount_minor: 100 });
    await own('2026-03-31T10:59:59.999Z'); // still March in Auckland
    await own('2026-04-30T12:00:00Z'); // May
    await own(april, { currency: 'EUR' });
    expect(await paidIn()).toBe('');
    const sale = await own('2026-03-31T11:00:00Z'); // 1 April 00:00
    expect(await paidIn()).toBe('2:10');
    const dispute = randomUUID();
    await disputeOf(client, sale, dispute, 'opened');
    expect(await paidIn()).toBe('2:10');
    await disputeOf(client, sale, dispute, 'lost', { amount_minor: 1 });
    expect(await paidIn()).toBe('');
    await disputeOf(client, sale, dispute, 'won');
    expect(await paidIn()).toBe('2:10');
    await refundOf(client, sale, { amount_minor: 1 });
    expect(await paidIn()).toBe('');
    expect(await paidIn('2026-03-20T00:00:00Z')).toBe('2:10');
    expect(await sell(client, seller, { occurred_at: april, amount_minor: 100, currency: 'EUR' })).toBe('1:10 2:5'); // no minimum
  });

  test('active directs: who was under the member and active at the sale', async () => {
    const { client } = await newShop({ qualification: { minActiveDirects: 2 } });
    const [seller, sponsor] = await newUpline(client, 'D D');
    const other = await client.newMember({ parent_id: sponsor?.id });
    const at = (day: string) => sell(client, seller, { occurred_at: `2026-05-${day}T00:00:00Z` });
    expect(await at('01')).toBe('2:1000');
    await client.patch(`/api/v1/users/${other.id}`, { is_active: false, effective_at: '2026-05-10T00:00:00Z' });
    await client.patch(`/api/v1/users/${other.id}`, { is_active: true, effective_at: '2026-05-20T00:00:00Z' });
    expect([await at('09'), await at('10'), await at('20')]).toEqual(['2:1000', '', '2:1000']);
    const stranger = await client.newMember();
    const moved = await client.post(`/api/v1/members/${other.id}/sponsor`, {
      sponsorId: stranger.id,
      effectiveAt: '2026-05-25T00:00:00Z',
    });
    expect(moved.status).toBe(200);
    expect([await at('24'), await at('25')]).toEqual(['2:1000', '']);
    const late = await client.newMember();
    await client.post(`/api/v1/members/${late.id}/sponsor`, { sponsorId: sponsor?.id, effectiveAt: '2026-05-27T00:00:00Z' });
    expect([await at('26'), await at('27')]).toEqual(['', '2:1000']);
  });

  test('an inactive member is paid when the plan does not ask for activity', async () => {
    const { client } = await newShop({ qualification: { active: false } });
    const chain = await newUpline(client, 'd d');
    expect(await sell(client, chain[0])).toBe('1:1000 2:500');
  });
});

describe('line items and plans beside each other', () => {
  const items = [
    { sku: 'tea', category: 'food', amount_minor: 3_000 },
    { sku: 'pot', category: 'kitchen', amount_minor: 5_000 },
    { sku: 'gift', amount_minor: 2_000 },
  ];

  test.each<[string, PlanDefinitionInput['scope'], string]>([
    ['all of them', {}, '1:1000'],
    ['of a category', { categories: ['food'] }, '1:300'],
    ['of a sku or a category', { skus: ['gift'], categories: ['kitchen'] }, '1:700'],
  ])('base line_items: %s', async (_label, scope, expected) => {
    const { client } = await newShop({ base: 'line_items', ...(scope && { scope }) });
    const [member] = await newUpline(client, 'O');
    expect(await sell(client, member, { line_items: items })).toBe(expected);
    expect(await sell(client, member, scope?.categories ? {} : { line_items: [] })).toBe('');
  });

  test('the plan of the highest priority that covers the sale pays it alone, and its refunds', async () => {
    const { tenant, client } = await newShop();
    const food = await addPlan(app, tenant, {
      base: 'line_items',
      scope: { priority: 5, categories: ['food'] },
      levels: [{ level: 1, rateBps: 5_000 }],
    });
    const gifts = await addPlan(app, tenant, {
      scope: { priority: 9, skus: ['gift'], types: ['subscription_initial'] },
      levels: [{ level: 1, rateBps: 100 }],
    });
    const [member] = await newUpline(client, 'O');
    const planOf = async (fields: object) => {
      const sale = await purchaseOf(client, { attribution: { user_id: member?.id }, ...fields });
      const { body } = await client.get(`/api/v1/events/${sale.event_id}`);
      return [paid(sale), body.plan_version_id, body.base_minor, sale] as const;
    };
    const [amount, version, base, sale] = await planOf({ line_items: items });
    expect([amount, version, base]).toEqual(['1:1500', food, 3_000]);
    expect((await planOf({ line_items: items, type: 'subscription_initial' })).slice(0, 3)).toEqual(['1:100', gifts, 10_000]);
    const rest = await planOf({ line_items: items.slice(1) });
    expect([rest[0], rest[1] === food || rest[1] === gifts]).toEqual(['1:1000', false]);
    expect((await planOf({}))[0]).toBe('1:1000');
    // By the gross amount of the sale, whatever the base was.
    expect((await refundOf(client, sale, { amount_minor: 5_000 })).body.commissions).toMatchObject([{ amount_minor: -750 }]);
  });

  test('of equal priority the latest effective; none before it begins or once it has ended', async () => {
    const { tenant, client } = await newShop();
    const [member] = await newUpline(client, 'O');
    await addPlan(app, tenant, { levels: [{ level: 1, rateBps: 2_000 }] }, { effectiveFrom: '2026-02-01T00:00:00Z' });
    await addPlan(
      app,
      tenant,
      { levels: [{ level: 1, rateBps: 3_000 }] },
      { effectiveFrom: '2026-03-01T00:00:00Z', effectiveTo: '2026-04-01T00:00:00Z' },
    );
    const at = (occurredAt: string) => sell(client, member, { occurred_at: occurredAt });
    expect(await at('2026-01-31T23:59:59.999Z')).toBe('1:1000');
    expect(await at('2026-02-01T00:00:00Z')).toBe('1:2000');
    expect(await at('2026-03-01T00:00:00Z')).toBe('1:3000');
    expect(await at('2026-03-31T23:59:59.999Z')).toBe('1:3000');
    expect(await at('2026-04-01T00:00:00Z')).toBe('1:2000');
  });
});

describe('golden scenarios through refunds', () => {
  test.each([
    ['none', '1:1000 3:300'],
    ['roll_up', '1:1000 3:500 3:300'],
    ['compress', '1:1000 3:500'],
  ] as const)(
    '(d) an inactive level 2 under %s: refunded in three parts nothing is left, no breakage either',
    async (compression, expected) => {
      const { tenant, client } = await newShop({ compression });
      const chain = await newUpline(client, 'D d D');
      const sale = await purchaseOf(client, { attribution: { user_id: chain[0]?.id } });
      expect(paid(sale)).toBe(expected);
      for (const fields of [{ amount_minor: 3_333 }, { amount_minor: 1 }, {}])
        expect((await refundOf(client, sale, fields)).status).toBe(201);
      const left = await app.database.asSuperuser(
        'select account, member_id from posting where tenant_id = $1 group by 1, 2, currency having sum(amount_minor) <> 0',
        [tenant.tenantId],
      );
      expect(left).toEqual([]);
      expect(new Set((await linesOf(client, sale.event_id)).map((line) => line.status))).toEqual(new Set(['reversed']));
    },
  );

  test('(e) JPY, KWD and USD side by side: each rounds to its own unit and keeps its own books', async () => {
    const { tenant, client } = await newShop();
    const chain = await newUpline(client, 'D D D D D');
    for (const [currency, amount] of [
      ['JPY', 55],
      ['KWD', 12_345],
      ['USD', 1_999],
    ] as const) {
      const sale = await purchaseOf(client, { currency, amount_minor: amount, attribution: { user_id: chain[0]?.id } });
      expect(sale.commissions.map((line) => line.amount_minor)).toEqual(
        [1_000, 500, 300, 200, 100].map((bps) => Math.floor((2 * amount * bps + 10_000) / 20_000)),
      );
      expect(new Set(sale.commissions.map((line) => line.currency))).toEqual(new Set([currency]));
      for (const part of [Math.floor(amount / 3), Math.floor(amount / 7)]) await refundOf(client, sale, { amount_minor: part });
      if (currency !== 'KWD') await refundOf(client, sale, {});
    }
    const sums = await app.database.asSuperuser<{ currency: string; members: number; all: number }>(
      `select currency, (sum(amount_minor) filter (where member_id is not null))::int as members, sum(amount_minor)::int as all
       from posting where tenant_id = $1 group by 1 order by 1`,
      [tenant.tenantId],
    );
    // Of 12.345 dinar 5.878 have been taken back: 1235, 617, 370, 247, 123 less 588, 294, 176, 118, 59.
    expect(sums).toEqual([
      { currency: 'JPY', members: 0, all: 0 },
      { currency: 'KWD', members: 1_357, all: 0 },
      { currency: 'USD', members: 0, all: 0 },
    ]);
  });

  test('(c) a sponsor moved between the sale and its arrival: the former one is paid, and takes the refund', async () => {
    const { client } = await newShop();
    const [seller, former] = await newUpline(client, 'D D');
    const [next] = await newUpline(client, 'D');
    const occurredAt = '2026-05-01T00:00:00Z';
    await client.post(`/api/v1/members/${seller?.id}/sponsor`, { sponsorId: next?.id, effectiveAt: '2026-05-01T00:00:00.001Z' });
    const sale = await purchaseOf(client, { occurred_at: occurredAt, attribution: { user_id: seller?.id } });
    expect(sale.commissions[1]?.user_id).toBe(former?.id);
    // Moved again, back-dated: what was recorded stays.
    await client.post(`/api/v1/members/${seller?.id}/sponsor`, { sponsorId: null, effectiveAt: '2026-04-01T00:00:00Z' });
    await refundOf(client, sale, { amount_minor: 4_000 });
    expect((await balanceOf(client, former))['total']).toBe(3);
    expect((await balanceOf(client, next))['total']).toBe(0);
  });

  test('(g) twenty equal posts in parallel, of a purchase and then of its refund: one of each', async () => {
    const { client } = await newShop({ caps: { perMemberPeriodMinor: { USD: 700 }, perCustomerLifetimeMinor: { USD: 900 } } });
    const [member] = await newUpline(client, 'D D');
    const body = client.purchaseBody({ attribution: { user_id: member?.id } });
    const refund = {
      external_event_id: randomUUID(),
      purchase_external_event_id: body['external_event_id'],
      amount_minor: 5_000,
    };
    for (const [path, sent] of [
      ['/api/v1/events/purchase', body],
      ['/api/v1/events/refund', refund],
    ] as const) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => client.post(path, sent)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    }
    expect((await balanceOf(client, member))['total']).toBe(3.5);
  });
});
