/**
 * Random histories recorded twice: one purchase after the other, and those of each round at once, sharing transactions.
 * Answers, lines, postings, customers and receipts are the same (docs/specification/events.md#coalescing).
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlanDefinitionInput } from '../../../src/features/commissions/open/plan-definition.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { planArbitrary } from '../../support/money/plan-arbitrary.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { ALWAYS, PATH } from './coalescing-shop.ts';

const TIERS = ['ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR'] as const;
const TYPES = ['one_time', 'subscription_initial', 'subscription_renewal'] as const;

let database: TestDatabase;
let apart: TestApp;
let together: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  apart = await startTestApp({ PURCHASE_COALESCING: 'off' }, database);
  together = await startTestApp(ALWAYS, database);
});
afterAll(async () => {
  await expectSoundBooks(apart);
  await together.close();
  await apart.close();
  await database.drop();
});

const LADDER = {
  id: 'monthly',
  measure: 'base' as const,
  period: 'month' as const,
  steps: [
    { from: { USD: 0 }, rateBps: 1000 },
    { from: { USD: 20_000 }, rateBps: 1500 },
    { from: { USD: 60_000 }, rateBps: 2500 },
  ],
};
const RULES: NonNullable<PlanDefinitionInput['rules']> = [
  { id: 'late', levels: [1], when: { fact: 'customer.monthsSinceFirst', gte: 1 }, pay: { rateBps: 200 } },
  { id: 'first', levels: [1], when: { fact: 'customer.purchaseNumber', lt: 2 }, pay: { rateBps: 2_000 } },
];

/** What is left of a cap, and what was sold in a month, goes by the order of recording: there is none among those at once. */
const withoutOrder = planArbitrary.map((plan): Partial<PlanDefinitionInput> => {
  const { perEventPayoutBps } = plan.caps;
  return {
    ...(plan as Partial<PlanDefinitionInput>),
    caps: { perEventPayoutBps, perMemberPeriodMinor: null, perCustomerLifetimeMinor: null },
    qualification: { ...plan.qualification, minPersonalSalesMinor: {} },
    fx: { payCurrency: 'purchase', rateAt: 'occurred_at' },
  };
});
type Plan = Partial<PlanDefinitionInput>;
const LEVELS = [
  { level: 1, ladder: 'monthly' },
  { level: 2, rateBps: 300 },
];
const OTHERS: Plan[] = [
  {},
  { ladders: [LADDER], levels: LEVELS },
  { rules: RULES },
  { rules: RULES.slice(0, 1), recurring: { enabled: true, maxMonths: 2, maxEvents: null } },
];
const plans = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...OTHERS) }, withoutOrder);

const sale = fc.record({
  customer: fc.nat(7),
  seller: fc.option(fc.nat(5), { nil: undefined, freq: 3 }),
  by: fc.constantFrom('user', 'code', 'buyer'),
  amount: fc.integer({ min: 0, max: 60_000 }),
  type: fc.constantFrom(...TYPES),
  /** Of a member, of the customer, or not sent. */
  email: fc.constantFrom('member', 'own', 'none', 'none'),
  metadata: fc.option(
    fc.jsonValue({ maxDepth: 2 }).map((value) => ({ value })),
    { nil: undefined },
  ),
  isUnknown: fc.nat(12).map((n) => n === 0),
});
type Sold = typeof sale extends fc.Arbitrary<infer T> ? T : never;

const histories = fc.record({
  plan: plans,
  tiers: fc.array(fc.nat(3), { minLength: 2, maxLength: 6, size: 'max' }),
  changes: fc.array(fc.record({ who: fc.nat(5), day: fc.integer({ min: 1, max: 25 }), tier: fc.nat(3) }), { maxLength: 3 }),
  rounds: fc.array(
    fc.record({
      day: fc.integer({ min: 1, max: 28 }),
      month: fc.integer({ min: 1, max: 3 }),
      sales: fc.uniqueArray(sale, { minLength: 1, maxLength: 7, size: 'max', selector: ({ customer }) => customer }),
      repeats: fc.boolean(),
    }),
    { minLength: 2, maxLength: 4, size: 'max' },
  ),
});

interface Shop {
  tenant: TestTenant;
  client: ApiClient;
  people: MemberBody[];
}

async function open(
  app: TestApp,
  { plan, tiers, changes }: Pick<typeof histories extends fc.Arbitrary<infer T> ? T : never, 'plan' | 'tiers' | 'changes'>,
): Promise<Shop> {
  const tenant = await app.newTenant();
  const client = apiClient(app, tenant.liveKey);
  await publishPlan(app, tenant, plan);
  const people: MemberBody[] = [];
  for (const [n, tier] of tiers.entries()) {
    const parent = people[n - 1];
    people.push(
      await client.newMember({
        email: `m${n}@test.example`,
        membership_tier: TIERS[tier],
        ...(parent && { parent_id: parent.id }),
      }),
    );
  }
  for (const { who, day, tier } of changes) {
    const path = `/api/v1/users/${people[who % people.length]?.id}`;
    const change = { membership_tier: TIERS[tier], effective_at: new Date(Date.UTC(2026, 1, day)).toISOString() };
    expect((await client.patch(path, change)).status).toBe(200);
  }
  return { tenant, client, people };
}

function bodyOf({ people }: Shop, id: string, occurredAt: string, sold: Sold): object {
  const seller = sold.seller === undefined ? undefined : people[sold.seller % people.length];
  const attribution = { user: { user_id: seller?.id }, code: { referral_code: seller?.referral_code }, buyer: undefined }[
    sold.by
  ];
  return {
    external_event_id: id,
    type: sold.type,
    amount_minor: sold.amount,
    currency: 'USD',
    occurred_at: occurredAt,
    customer: {
      external_id: `c${sold.customer}`,
      ...(sold.email === 'member' && { email: people[0]?.email }),
      ...(sold.email === 'own' && { email: `c${sold.customer}@shop.example`, name: `Customer ${sold.customer}` }),
    },
    ...(seller && attribution && { attribution }),
    ...(seller && sold.by === 'buyer' && { buyer_user_id: seller.id }),
    ...(sold.isUnknown && { attribution: { user_id: '00000000-0000-7000-8000-000000000000' } }),
    ...(sold.metadata !== undefined && { metadata: sold.metadata }),
  };
}

/** All that was stored, without ids; members by their emails. */
async function storedOf({ tenant }: Shop): Promise<object[]> {
  const email = (id: string) => `(select m.email from member m where m.id = ${id})`;
  return database.asSuperuser(
    `select e.external_event_id, e.status, e.occurred_at, e.base_minor::text, e.breakage_minor::text, ${email('e.attributed_member_id')} as credited,
            e.attribution_rule, e.content_digests is not null as digested, d.metadata, c.email, c.name, ${email('c.first_referrer_id')} as first,
            (select json_agg(json_build_object('to', ${email('l.beneficiary_id')}, 'level', l.level, 'paid', l.paid_level, 'rate', l.rate_bps,
                      'flat', l.flat_minor, 'base', l.base_minor, 'amount', l.amount_minor, 'status', l.status, 'clears', l.clears_at,
                      'hold', l.hold_cause, 'source', l.pay_source) order by l.level, l.paid_level, l.id)
             from commission_line l where l.event_id = e.id) as lines,
            (select json_agg(json_build_object('seq', p.seq, 'account', p.account, 'to', ${email('p.member_id')}, 'amount', p.amount_minor,
                      'currency', p.currency) order by p.seq)
             from journal_entry j join posting p on p.journal_id = j.id where j.cause_id = e.id) as postings,
            (select json_agg(json_build_object('rule', r.rule, 'winner', ${email('r.winner_id')}, 'model', r.model, 'asOf', r.as_of))
             from attribution_receipt r where r.event_id = e.id) as receipts
     from event e join customer c on c.tenant_id = e.tenant_id and c.environment = e.environment and c.id = e.customer_id
     left join event_detail d on d.event_id = e.id
     where e.tenant_id = $1 order by e.external_event_id`,
    [tenant.tenantId],
  );
}

/** An answer with members by their place and without other ids. */
function plain({ people }: Shop, { status, text }: { status: number; text: string }): string {
  const named = people.reduce((all, { id }, n) => all.replaceAll(id, `member ${n}`), text);
  const ids = /"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"/g;
  return `${status} ${named.replace(ids, '"an id"').replace(/"requestId":"[^"]*"/, '')}`;
}

test('at once or one after the other, the same is recorded', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ({ rounds, ...ground }) => {
      const shops = [await open(apart, ground), await open(together, ground)] as const;
      const sent: [number, number][] = [];
      for (const [r, { day, month, sales, repeats }] of rounds.entries()) {
        const at = new Date(Date.UTC(2026, month - 1, day, 12)).toISOString();
        const requests = (shop: Shop) => [
          ...sales.map((sold, n) => bodyOf(shop, `sale-${r}-${n}`, at, sold)),
          ...(repeats ? sent.slice(-1) : []).map(([before, n]) => {
            const { day: d, month: m, sales: list } = rounds[before] ?? expect.unreachable();
            return bodyOf(
              shop,
              `sale-${before}-${n}`,
              new Date(Date.UTC(2026, m - 1, d, 12)).toISOString(),
              list[n] ?? expect.unreachable(),
            );
          }),
        ];
        const [slow, quick] = shops;
        const expected: string[] = [];
        for (const body of requests(slow)) expected.push(plain(slow, await slow.client.post(PATH, body)));
        const answers = await Promise.all(requests(quick).map((body) => quick.client.post(PATH, body)));
        expect(answers.map((answer) => plain(quick, answer))).toEqual(expected);
        sent.push(...sales.map((_, n): [number, number] => [r, n]));
      }
      expect(await storedOf(shops[1])).toEqual(await storedOf(shops[0]));
    }),
    { numRuns: 12 },
  );
  const said = (message: string) => together.logLines.filter((line) => line.includes(message));
  expect(said('purchases were recorded together').length).toBeGreaterThan(12);
  expect(said('recorded one by one')).toEqual([]);
});
