/**
 * Caps and recurring limits through events, also when many sales come at once
 * (docs/specification/commissions.md#cuts, docs/specification/commissions.md#recurring).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlanDefinitionInput } from '../../../src/features/commissions/open/plan-definition.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { disputeOf, purchaseOf, refundOf, type Sale } from '../../support/money/money-calls.ts';
import { payOut } from '../../support/money/pay-out.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';

let app: TestApp;
let database: TestDatabase;

beforeAll(async () => {
  // Nobody breaks a deadlock here before those in it have given up: each would show as a 503.
  database = await createTestDatabase();
  for (const setting of ["deadlock_timeout = '60s'", "lock_timeout = '15s'", "statement_timeout = '15s'"]) {
    await database.asSuperuser(`alter role svc_app in database ${database.name} set ${setting}`);
  }
  app = await startTestApp({}, database);
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
  await database.drop();
});

async function newClient(plan: Partial<PlanDefinitionInput>, timeZone = 'UTC'): Promise<ApiClient> {
  const tenant = await app.newTenant({ timeZone });
  await publishPlan(app, tenant, plan);
  return apiClient(app, tenant.liveKey);
}

const amountsOf = (sale: Sale) => sale.commissions.map((line) => line.amount_minor);

/** Whose caps and limits count, where a test names no other. */
const customer = { external_id: 'c' };

/** A sale of 100.00 to the same customer, credited to the member; what each level was paid. */
async function sell(client: ApiClient, member: MemberBody | undefined, fields: object = {}): Promise<number[]> {
  return amountsOf(await purchaseOf(client, { customer, attribution: { user_id: member?.id }, ...fields }));
}

const sumBy = (sales: readonly Sale[], member: MemberBody | undefined) =>
  sales
    .flatMap((sale) => sale.commissions.filter((line) => line.user_id === member?.id))
    .reduce((sum, line) => sum + line.amount_minor, 0);

describe("a member's cap for a month", () => {
  test('is reached to the cent and never passed by forty sales at once of sellers under one sponsor', async () => {
    const client = await newClient({ caps: { perMemberPeriodMinor: { USD: 2_345 } } });
    const [sponsor, top] = await newUpline(client, 'D D');
    const sellers = await Promise.all(Array.from({ length: 4 }, () => newUpline(client, 'D', sponsor)));
    const sales = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        purchaseOf(client, { customer: { external_id: `c${n}` }, attribution: { user_id: sellers[n % 4]?.[0]?.id } }),
      ),
    );
    for (const [seller] of sellers) expect(sumBy(sales, seller)).toBe(2_345);
    expect([sumBy(sales, sponsor), sumBy(sales, top)]).toEqual([2_345, 2_345]);
    const cut = sales.flatMap((sale) => sale.commissions).filter((line) => 'cap' in line && line.cap !== null);
    expect(cut.length).toBeGreaterThan(0);
  });

  test('is of the month of the sale in the tenant’s zone, whenever it arrives', async () => {
    const client = await newClient({ caps: { perMemberPeriodMinor: { USD: 1_500 } } }, 'Pacific/Auckland');
    const [member] = await newUpline(client, 'O');
    const at = (occurredAt: string) => sell(client, member, { occurred_at: occurredAt });
    expect(await at('2026-03-31T10:59:59.999Z')).toEqual([1_000]); // 31 March, the last millisecond
    expect(await at('2026-03-31T11:00:00Z')).toEqual([1_000]); // 1 April
    expect(await at('2026-02-28T11:00:00Z')).toEqual([500]); // 1 March 00:00
    expect(await at('2026-02-28T10:59:59.999Z')).toEqual([1_000]); // 28 February
    expect(await at('2026-03-15T00:00:00Z')).toEqual([]);
    expect(await at('2026-04-30T11:59:59.999Z')).toEqual([500]); // 30 April
    expect(await at('2026-04-30T12:00:00Z')).toEqual([1_000]); // 1 May
  });

  test.each<[string, (client: ApiClient, sale: Sale) => Promise<unknown>, number]>([
    ['a refund in part', (client, sale) => refundOf(client, sale, { amount_minor: 2_500 }), 250],
    ['a full refund', (client, sale) => refundOf(client, sale, {}), 1_000],
    [
      'a dispute that is lost',
      (client, sale) => disputeOf(client, sale, `d-${sale.event_id}`, 'lost', { amount_minor: 5_000 }),
      500,
    ],
    ['a dispute that is only open', (client, sale) => disputeOf(client, sale, `d-${sale.event_id}`, 'opened'), 0],
    ['a void', (client, sale) => client.post(`/api/v1/commissions/${sale.commissions[0]?.id}/void`, {}), 1_000],
    ['a hold', (client, sale) => client.post(`/api/v1/commissions/${sale.commissions[0]?.id}/hold`, {}), 0],
  ])('has as much room again after %s', async (_label, takeBack, room) => {
    for (const caps of [{ perMemberPeriodMinor: { USD: 1_000 } }, { perCustomerLifetimeMinor: { USD: 1_000 } }]) {
      const client = await newClient({ caps });
      const [member] = await newUpline(client, 'O');
      const sale = await purchaseOf(client, { customer, attribution: { user_id: member?.id } });
      expect(await sell(client, member)).toEqual([]);
      await takeBack(client, sale);
      expect(await sell(client, member)).toEqual(room === 0 ? [] : [room]);
      expect(await sell(client, member)).toEqual([]);
    }
  });

  test('a dispute won takes the room back; what was paid in between stays, and nothing is clamped again', async () => {
    const client = await newClient({ caps: { perMemberPeriodMinor: { USD: 1_000 } } });
    const [member] = await newUpline(client, 'O');
    const first = await purchaseOf(client, { customer, attribution: { user_id: member?.id } });
    await payOut(app, [first.commissions[0]?.id ?? '']);
    await disputeOf(client, first, 'd', 'lost');
    const second = await purchaseOf(client, { customer, attribution: { user_id: member?.id } });
    expect(amountsOf(second)).toEqual([1_000]);
    expect((await disputeOf(client, first, 'd', 'won')).body.commissions).toMatchObject([{ amount_minor: 1_000 }]);
    await refundOf(client, second, { amount_minor: 9_000 });
    expect(await sell(client, member)).toEqual([]); // 1000 + 100 of 1000
    await refundOf(client, first, { amount_minor: 5_000 });
    expect(await sell(client, member)).toEqual([400]);
  });

  test('names currencies: another one has no cap', async () => {
    const client = await newClient({ caps: { perMemberPeriodMinor: { USD: 10, JPY: 5 }, perCustomerLifetimeMinor: { KWD: 7 } } });
    const [member] = await newUpline(client, 'O');
    const inCurrency = async (currency: string) => [
      await sell(client, member, { currency }),
      await sell(client, member, { currency }),
    ];
    expect(await inCurrency('USD')).toEqual([[10], []]);
    expect(await inCurrency('EUR')).toEqual([[1_000], [1_000]]);
    expect(await inCurrency('JPY')).toEqual([[5], []]);
    expect(await inCurrency('KWD')).toEqual([[7], []]);
  });
});

describe("a customer's cap", () => {
  test('is reached to the cent and never passed by thirty sales at once through different sellers', async () => {
    const client = await newClient({ caps: { perCustomerLifetimeMinor: { USD: 3_210 } } });
    const sellers = await Promise.all(Array.from({ length: 5 }, () => newUpline(client, 'D D')));
    const sales = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        purchaseOf(client, { customer: { external_id: `c${n % 2}` }, attribution: { user_id: sellers[n % 5]?.[0]?.id } }),
      ),
    );
    for (const parity of [0, 1]) {
      const own = sales.filter((_, n) => n % 2 === parity);
      expect(own.flatMap(amountsOf).reduce((sum, amount) => sum + amount, 0)).toBe(3_210);
    }
  });

  test('is cut after the member’s, levels ascending, and both are named', async () => {
    const client = await newClient({
      caps: { perMemberPeriodMinor: { USD: 800 }, perCustomerLifetimeMinor: { USD: 1_100 }, perEventPayoutBps: 1_700 },
    });
    const [member] = await newUpline(client, 'D D D');
    const sale = await purchaseOf(client, { customer, attribution: { user_id: member?.id } });
    // 1000 + 500 + 300 under a ceiling of 1700: 944.44, 472.22, 283.33; members at 800; the customer leaves 300 for level 2.
    expect(sale.commissions).toMatchObject([
      { amount_minor: 800, capped_minor: 145, cap: 'member_period' },
      { amount_minor: 300, capped_minor: 172, cap: 'customer_lifetime' },
    ]);
    const tight = await newClient({ caps: { perMemberPeriodMinor: { USD: 800 }, perCustomerLifetimeMinor: { USD: 700 } } });
    const [other] = await newUpline(tight, 'O');
    const cut = await purchaseOf(tight, { attribution: { user_id: other?.id } });
    expect(cut.commissions).toMatchObject([{ amount_minor: 700, capped_minor: 300, cap: 'member_period+customer_lifetime' }]);
  });
});

describe('recurring', () => {
  const renewal = (occurredAt?: string) => ({
    type: 'subscription_renewal',
    ...(occurredAt === undefined ? {} : { occurred_at: occurredAt }),
  });

  test('golden (j): twelve calendar months from the first credited event, in the tenant’s zone', async () => {
    const client = await newClient({ recurring: { maxMonths: 12 } }, 'Pacific/Auckland');
    const [member] = await newUpline(client, 'O');
    // 1 February 2025 00:30 in Auckland; in UTC it is still January.
    expect(await sell(client, member, { type: 'subscription_initial', occurred_at: '2025-01-31T11:30:00Z' })).toEqual([1_000]);
    for (let month = 2; month <= 12; month++) {
      const occurredAt = `2025-${String(month).padStart(2, '0')}-28T00:00:00Z`;
      expect(await sell(client, member, renewal(occurredAt))).toEqual([1_000]);
    }
    expect(await sell(client, member, renewal('2026-01-31T11:29:59.999Z'))).toEqual([1_000]);
    expect(await sell(client, member, renewal('2026-01-31T11:30:00Z'))).toEqual([]);
    expect(await sell(client, member, renewal('2026-06-01T00:00:00Z'))).toEqual([]);
    // Only renewals end.
    expect(await sell(client, member, { occurred_at: '2026-06-01T00:00:00Z' })).toEqual([1_000]);
    expect(await sell(client, member, { type: 'subscription_initial', occurred_at: '2026-06-01T00:00:00Z' })).toEqual([1_000]);
    // Another customer begins anew.
    expect(await sell(client, member, { ...renewal('2026-06-01T00:00:00Z'), customer: { external_id: 'c2' } })).toEqual([1_000]);
  });

  test('a month that is too short ends with its last day; summer time does not matter', async () => {
    const client = await newClient({ recurring: { maxMonths: 1 } }, 'America/New_York');
    const [member] = await newUpline(client, 'O');
    const customer = (name: string) => ({ customer: { external_id: name } });
    await sell(client, member, { ...customer('short'), occurred_at: '2026-01-31T17:00:00Z' }); // noon
    expect(await sell(client, member, { ...customer('short'), ...renewal('2026-02-28T16:59:59.999Z') })).toEqual([1_000]);
    expect(await sell(client, member, { ...customer('short'), ...renewal('2026-02-28T17:00:00Z') })).toEqual([]);
    await sell(client, member, { ...customer('summer'), occurred_at: '2026-02-20T17:00:00Z' }); // noon at -5, then at -4
    expect(await sell(client, member, { ...customer('summer'), ...renewal('2026-03-20T15:59:59.999Z') })).toEqual([1_000]);
    expect(await sell(client, member, { ...customer('summer'), ...renewal('2026-03-20T16:00:00Z') })).toEqual([]);
  });

  test('the first event is the earliest credited one: not an uncredited one, and also one that came in late', async () => {
    const client = await newClient({ recurring: { maxMonths: 2 } });
    const [member] = await newUpline(client, 'O');
    await purchaseOf(client, { customer, occurred_at: '2025-01-01T00:00:00Z' });
    await sell(client, member, { occurred_at: '2026-03-01T00:00:00Z' });
    expect(await sell(client, member, renewal('2026-04-20T00:00:00Z'))).toEqual([1_000]);
    await sell(client, member, { occurred_at: '2026-02-01T00:00:00Z' });
    expect(await sell(client, member, renewal('2026-04-20T00:00:00Z'))).toEqual([]);
  });

  test('so many payments of a customer, also when they come at once', async () => {
    const client = await newClient({ recurring: { maxEvents: 4 } });
    const [member] = await newUpline(client, 'O');
    expect(await sell(client, member)).toEqual([1_000]); // no subscription, not counted
    expect(await sell(client, member, { type: 'subscription_initial' })).toEqual([1_000]);
    const sales = await Promise.all(Array.from({ length: 10 }, () => sell(client, member, renewal())));
    expect(sales.flat()).toEqual([1_000, 1_000, 1_000]);
    expect(await sell(client, member, { ...renewal(), customer: { external_id: 'c2' } })).toEqual([1_000]);
  });

  test.each([
    [{ maxEvents: 1 }, renewal()],
    [{ maxMonths: 1 }, { type: 'subscription_initial', occurred_at: '2026-01-01T00:00:00Z' }],
  ])('%o: a sale that was held counts too', async (recurring, first) => {
    const client = await newClient({ recurring });
    const [member] = await newUpline(client, 'O');
    const own = { customer: { ...customer, email: member?.email } };
    const held = await purchaseOf(client, { ...own, ...first, attribution: { user_id: member?.id } });
    expect([(held as Sale & { status: string }).status, amountsOf(held)]).toEqual(['held', [1_000]]);
    expect(await sell(client, member, renewal())).toEqual([]);
  });

  test('disabled: renewals pay nobody, the rest is paid', async () => {
    const client = await newClient({ recurring: { enabled: false } });
    const [member] = await newUpline(client, 'O');
    expect(await sell(client, member, renewal())).toEqual([]);
    expect(await sell(client, member, { type: 'subscription_initial' })).toEqual([1_000]);
    expect(await sell(client, member)).toEqual([1_000]);
  });
});

test('every lock at once: renewals and single sales under all limits together end without one deadlock', async () => {
  const client = await newClient({
    recurring: { maxEvents: 50 },
    caps: { perMemberPeriodMinor: { USD: 100_000 }, perCustomerLifetimeMinor: { USD: 100_000 } },
  });
  const sellers = await Promise.all(Array.from({ length: 3 }, () => newUpline(client, 'D D')));
  const sales = await Promise.all(
    Array.from({ length: 90 }, (_, n) =>
      sell(client, sellers[n % 3]?.[0], {
        customer: { external_id: `c${n % 5}` },
        type: n % 2 === 0 ? 'subscription_renewal' : 'one_time',
      }),
    ),
  );
  expect(sales.every((amounts) => amounts.join() === '1000,500')).toBe(true);
});
