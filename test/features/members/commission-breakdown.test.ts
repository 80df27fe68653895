/**
 * GET /members/{userId}/commissions/breakdown: docs/specification/hierarchy.md#breakdown. The dates are
 * of 2024 and later: sales may be five years old, so they hold until 2029.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { type CommissionBody, newUpline } from '../../support/money/model-upline.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface Breakdown {
  totalAmount: number;
  bySource: { sales: number; subscription: number; manual: number };
  byStatus: { pending: number; cleared: number; processing: number; paid: number };
  byLevel: { level: number; amount: number; count: number; percentage: number }[];
  trend: { period: string; amount: number; count: number }[];
}

/** A tenant with a chain of three DIRECTORs; sales are made by one of them and seen by the highest. */
async function newShop(options: { currency?: string; timeZone?: string } = {}) {
  const tenant: TestTenant = await app.newTenant(options);
  const client: ApiClient = apiClient(app, tenant.liveKey);
  const chain = await newUpline(client, 'D D D');
  const top = chain[2] as MemberBody;
  return {
    tenant,
    client,
    top,
    /** A purchase that reaches `top` at this level: 10, 5 or 3 %. */
    async sell(level: number, fields: object = {}): Promise<Response> {
      const answer = await client.post(
        '/api/v1/events/purchase',
        client.purchaseBody({ currency: options.currency ?? 'USD', attribution: { user_id: chain[3 - level]?.id }, ...fields }),
      );
      if (answer.status !== 201) throw new Error(answer.text);
      return answer;
    },
    async read(query = ''): Promise<Breakdown> {
      const answer = await client.get(`/api/v1/members/${top.id}/commissions/breakdown${query}`);
      expect(answer.status).toBe(200);
      return answer.body as Breakdown;
    },
  };
}

const cents = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + Math.round(number * 100), 0);

test('a member without commissions has zeros and no rows', async () => {
  const { read } = await newShop({ currency: 'EUR', timeZone: 'Pacific/Auckland' });
  const empty = {
    totalAmount: 0,
    bySource: { sales: 0, subscription: 0, manual: 0 },
    byStatus: { pending: 0, cleared: 0, processing: 0, paid: 0 },
    byLevel: [],
    trend: [],
    currency: 'EUR',
    timeZone: 'Pacific/Auckland',
  };
  expect(await read()).toEqual({ ...empty, period: 'all' });
  expect(await read('?period=2026-02')).toEqual({ ...empty, period: '2026-02' });
});

describe('what is summed', () => {
  test('by source, level and month, with exact amounts and shares of 100 %', async () => {
    const { sell, read } = await newShop();
    await sell(1, { occurred_at: '2026-01-10T12:00:00Z', amount_minor: 10_005 }); // 10.01 (half up)
    await sell(1, { occurred_at: '2026-02-10T12:00:00Z', type: 'subscription_initial' }); // 10.00
    await sell(2, { occurred_at: '2026-02-11T12:00:00Z' }); // 5.00
    await sell(3, { occurred_at: '2026-02-12T12:00:00Z', type: 'subscription_renewal' }); // 3.00
    const all = await read();
    expect(all).toEqual({
      totalAmount: 28.01,
      bySource: { sales: 15.01, subscription: 13, manual: 0 },
      byStatus: { pending: 28.01, cleared: 0, processing: 0, paid: 0 },
      byLevel: [
        { level: 1, amount: 20.01, count: 2, percentage: 71.44 },
        { level: 2, amount: 5, count: 1, percentage: 17.85 },
        { level: 3, amount: 3, count: 1, percentage: 10.71 },
      ],
      trend: [
        { period: '2026-01', amount: 10.01, count: 1 },
        { period: '2026-02', amount: 18, count: 3 },
      ],
      period: 'all',
      currency: 'USD',
      timeZone: 'UTC',
    });
    expect(cents(all.byLevel.map((level) => level.percentage))).toBe(10_000);
    expect(await read('?period=2026-02')).toEqual({
      totalAmount: 18,
      bySource: { sales: 5, subscription: 13, manual: 0 },
      byStatus: { pending: 18, cleared: 0, processing: 0, paid: 0 },
      byLevel: [
        { level: 1, amount: 10, count: 1, percentage: 55.55 },
        { level: 2, amount: 5, count: 1, percentage: 27.78 },
        { level: 3, amount: 3, count: 1, percentage: 16.67 },
      ],
      trend: [
        { period: '2026-02-10', amount: 10, count: 1 },
        { period: '2026-02-11', amount: 5, count: 1 },
        { period: '2026-02-12', amount: 3, count: 1 },
      ],
      period: '2026-02',
      currency: 'USD',
      timeZone: 'UTC',
    });
  });

  test('the level is the real distance, also where compression paid a lower one', async () => {
    const { client, top, read } = await newShop();
    const chain = await newUpline(client, 'O O', top);
    await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: chain[0]?.id } }));
    expect((await read()).byLevel).toEqual([{ level: 3, amount: 5, count: 1, percentage: 100 }]);
  });

  test('one currency at a time: the tenant’s unless another is asked for', async () => {
    const { sell, read } = await newShop({ currency: 'KWD' });
    await sell(1, { currency: 'KWD', amount_minor: 12_345 }); // 1.235 (half up)
    await sell(1, { currency: 'JPY', amount_minor: 5_004 });
    await sell(2, { currency: 'JPY', amount_minor: 5_004 });
    expect(await read()).toMatchObject({ currency: 'KWD', totalAmount: 1.235, byLevel: [{ level: 1, count: 1 }] });
    expect(await read('?currency=JPY')).toMatchObject({
      currency: 'JPY',
      totalAmount: 750,
      byLevel: [
        { level: 1, amount: 500, count: 1, percentage: 66.67 },
        { level: 2, amount: 250, count: 1, percentage: 33.33 },
      ],
    });
    expect(await read('?currency=USD')).toMatchObject({ currency: 'USD', totalAmount: 0, byLevel: [] });
  });
});

describe('months and days are the tenant’s', () => {
  const periodsOf = async (timeZone: string, sales: readonly string[], query = '') => {
    const { sell, read } = await newShop({ timeZone });
    for (const occurredAt of sales) await sell(1, { occurred_at: occurredAt });
    return (await read(query)).trend.map(({ period, count }) => `${period} x${count}`);
  };
  // Golden (f). 23:30 on 31 March in Auckland is 10:30 UTC; half an hour later it is April there.
  const aroundMidnight = ['2026-03-31T10:30:00Z', '2026-03-31T10:59:59.999Z', '2026-03-31T11:00:00Z', '2026-03-31T23:30:00Z'];

  test('31 March 23:30 in Auckland and in UTC', async () => {
    expect(await periodsOf('Pacific/Auckland', aroundMidnight)).toEqual(['2026-03 x2', '2026-04 x2']);
    expect(await periodsOf('Pacific/Auckland', aroundMidnight, '?period=2026-03')).toEqual(['2026-03-31 x2']);
    expect(await periodsOf('Pacific/Auckland', aroundMidnight, '?period=2026-04')).toEqual(['2026-04-01 x2']);
    expect(await periodsOf('UTC', aroundMidnight)).toEqual(['2026-03 x4']);
    expect(await periodsOf('UTC', aroundMidnight, '?period=2026-03')).toEqual(['2026-03-31 x4']);
  });

  test('a day of 23 hours and one of 25 in New York', async () => {
    const spring = ['2026-03-08T04:59:59.999Z', '2026-03-08T05:00:00Z', '2026-03-09T03:59:59.999Z', '2026-03-09T04:00:00Z'];
    expect(await periodsOf('America/New_York', spring, '?period=2026-03')).toEqual([
      '2026-03-07 x1',
      '2026-03-08 x2',
      '2026-03-09 x1',
    ]);
    const autumn = ['2025-11-02T03:59:59.999Z', '2025-11-02T04:00:00Z', '2025-11-03T04:59:59.999Z', '2025-11-03T05:00:00Z'];
    expect(await periodsOf('America/New_York', autumn, '?period=2025-11')).toEqual([
      '2025-11-01 x1',
      '2025-11-02 x2',
      '2025-11-03 x1',
    ]);
  });

  test('a month in which the clock changes begins and ends at its own midnights', async () => {
    const edges = ['2026-03-01T04:59:59.999Z', '2026-03-01T05:00:00Z', '2026-04-01T03:59:59.999Z', '2026-04-01T04:00:00Z'];
    expect(await periodsOf('America/New_York', edges)).toEqual(['2026-02 x1', '2026-03 x2', '2026-04 x1']);
    expect(await periodsOf('America/New_York', edges, '?period=2026-03')).toEqual(['2026-03-01 x1', '2026-03-31 x1']);
  });

  test('a month whose first midnight comes twice holds both hours', async () => {
    // Havana, 1 November 2026: 00:00-01:00 summer time (04:00Z), then once more (05:00Z).
    const twice = ['2026-11-01T03:59:59.999Z', '2026-11-01T04:30:00Z', '2026-11-01T05:30:00Z'];
    expect(await periodsOf('America/Havana', twice)).toEqual(['2026-10 x1', '2026-11 x2']);
    expect(await periodsOf('America/Havana', twice, '?period=2026-10')).toEqual(['2026-10-31 x1']);
    expect(await periodsOf('America/Havana', twice, '?period=2026-11')).toEqual(['2026-11-01 x2']);
  });

  test('a leap day and the last millisecond of a year land once', async () => {
    const edges = ['2024-02-29T23:59:59.999Z', '2024-03-01T00:00:00Z', '2025-12-31T23:59:59.999Z', '2026-01-01T00:00:00Z'];
    expect(await periodsOf('UTC', edges)).toEqual(['2024-02 x1', '2024-03 x1', '2025-12 x1', '2026-01 x1']);
    expect(await periodsOf('UTC', edges, '?period=2024-02')).toEqual(['2024-02-29 x1']);
  });
});

test('property: the months sum to all, and both to what the receipts said', async () => {
  const sale = fc.record({
    level: fc.integer({ min: 1, max: 3 }),
    amountMinor: fc.integer({ min: 0, max: 5_000 }),
    type: fc.constantFrom('one_time', 'subscription_initial', 'subscription_renewal'),
    // Within an hour of the month's end in UTC, Auckland and New York, or anywhere.
    at: fc.oneof(
      fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 5, 30) }),
      fc
        .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: -14 * 60, max: 14 * 60 }))
        .map(([m, min]) => Date.UTC(2026, m) + min * 60_000),
    ),
  });
  const zone = fc.constantFrom('UTC', 'Pacific/Auckland', 'America/New_York');
  await fc.assert(
    fc.asyncProperty(zone, fc.array(sale, { minLength: 5, maxLength: 12 }), async (timeZone, sales) => {
      const { top, sell, read } = await newShop({ timeZone });
      const monthOf = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' });
      const model = new Map<string, { amount: number; count: number }>();
      for (const { level, amountMinor, type, at } of sales) {
        const { body } = await sell(level, { amount_minor: amountMinor, type, occurred_at: new Date(at).toISOString() });
        const mine = (body.commissions as CommissionBody[]).find((line) => line.user_id === top.id);
        if (!mine) continue;
        const month = monthOf.format(at);
        const sum = model.get(month) ?? { amount: 0, count: 0 };
        model.set(month, { amount: sum.amount + mine.amount_minor, count: sum.count + 1 });
      }
      const all = await read();
      expect(all.trend).toEqual(
        [...model]
          .map(([period, { amount, count }]) => ({ period, amount: amount / 100, count }))
          .toSorted((a, b) => (a.period < b.period ? -1 : 1)),
      );
      const months = await Promise.all(['01', '02', '03', '04', '05', '06', '07'].map((month) => read(`?period=2026-${month}`)));
      months.push(await read('?period=2025-12'));
      const total = (part: (breakdown: Breakdown) => number) => cents(months.map(part));
      expect(total((month) => month.totalAmount)).toBe(cents([all.totalAmount]));
      expect(total((month) => month.bySource.sales)).toBe(cents([all.bySource.sales]));
      expect(total((month) => month.bySource.subscription)).toBe(cents([all.bySource.subscription]));
      expect(total((month) => month.byStatus.pending)).toBe(cents([all.byStatus.pending]));
      for (const level of [1, 2, 3]) {
        const of = (breakdown: Breakdown) => breakdown.byLevel.find((row) => row.level === level)?.amount ?? 0;
        expect(total(of)).toBe(cents([of(all)]));
      }
      for (const breakdown of [all, ...months]) {
        expect(cents(breakdown.trend.map((row) => row.amount))).toBe(cents([breakdown.totalAmount]));
        expect(cents(breakdown.byLevel.map((row) => row.percentage))).toBe(breakdown.totalAmount === 0 ? 0 : 10_000);
      }
    }),
    { numRuns: 3 },
  );
  await expectCleanBooks(app);
});

// After the books were checked: these statuses are planted without their postings.
test('held counts as pending, reversed nowhere', async () => {
  const { tenant, sell, read } = await newShop();
  const statuses = ['pending', 'held', 'cleared', 'processing', 'paid', 'reversed'];
  for (const [index, status] of statuses.entries()) {
    const { body } = await sell(1, { amount_minor: 100 * 10 ** index, occurred_at: `2026-0${index + 1}-15T00:00:00Z` });
    const line = (body.commissions as CommissionBody[])[0];
    // Nothing pays a line out yet.
    await app.database.asSuperuser(
      `update commission_line set status = $2, hold_cause = case when $2 = 'held' then 'manual' end where tenant_id = $1 and id = $3`,
      [tenant.tenantId, status, line?.id],
    );
  }
  const all = await read();
  expect(all.byStatus).toEqual({ pending: 1.1, cleared: 10, processing: 100, paid: 1_000 });
  expect(all.totalAmount).toBe(1_111.1);
  expect(all.bySource).toEqual({ sales: 1_111.1, subscription: 0, manual: 0 });
  expect(all.byLevel).toEqual([{ level: 1, amount: 1_111.1, count: 5, percentage: 100 }]);
  expect(all.trend.map((month) => month.period)).toEqual(['2026-01', '2026-02', '2026-03', '2026-04', '2026-05']);
  expect((await read('?period=2026-06')).totalAmount).toBe(0);
});

describe('refused', () => {
  let shop: Awaited<ReturnType<typeof newShop>>;
  beforeAll(async () => {
    shop = await newShop();
  });

  test.each(['2026-13', '2026-00', '2026-1', '26-01', '2026', 'ALL', '', '2026-01-01', ' 2026-01'])(
    'period %j is a 400',
    async (period) => {
      const { client, top } = shop;
      const answer = await client.get(`/api/v1/members/${top.id}/commissions/breakdown?period=${encodeURIComponent(period)}`);
      expectRefusal(answer, 400, 'VALIDATION_ERROR', ['period']);
    },
  );

  test('an unknown currency, an unknown parameter, a malformed id', async () => {
    const { client, top } = shop;
    const path = `/api/v1/members/${top.id}/commissions/breakdown`;
    expectRefusal(await client.get(`${path}?currency=qqq`), 400, 'VALIDATION_ERROR', ['currency']);
    expectRefusal(await client.get(`${path}?year=2026`), 400, 'VALIDATION_ERROR', ['year']);
    expectRefusal(await client.get('/api/v1/members/me/commissions/breakdown'), 400, 'VALIDATION_ERROR', ['userId']);
  });

  test('a member of nobody, of the other environment or of another tenant is the same 404', async () => {
    const { tenant, client } = shop;
    const sandboxed = await apiClient(app, tenant.sandboxKey).newMember();
    const { top: stranger } = await newShop();
    const ids = [randomUUID(), sandboxed.id, stranger.id];
    const answers = await Promise.all(ids.map((id) => client.get(`/api/v1/members/${id}/commissions/breakdown`)));
    for (const answer of answers) expectRefusal(answer, 404, 'USER_NOT_FOUND');
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  });
});
