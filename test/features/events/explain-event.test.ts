/**
 * GET /events/{event_id}/explain: everybody considered has one outcome, and the document never changes
 * (docs/specification/events.md#explain).
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlanDefinitionInput } from '../../../src/features/commissions/open/plan-definition.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { disputeOf, purchaseOf, refundOf, type Sale } from '../../support/money/money-calls.ts';
import { payOut } from '../../support/money/pay-out.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

interface Share {
  commission_id: string | null;
  paid_level: number;
  amount_minor: number;
  nothing_because: string | null;
  status: string | null;
  net_minor: number;
}
interface Outcome {
  user_id: string;
  level: number;
  outcome: 'paid' | 'not_paid';
  reason: string | null;
  message: string | null;
  shares: Share[];
}
interface Explanation {
  outcomes: Outcome[];
  breakage_minor: number;
  recomputed: boolean | null;
  inputs: { block: string | null; upline: { user_id: string; level: number }[] };
  walk_end: { reason: string; message: string } | null;
  journal: { postings: { account: string; currency: string; user_id: string | null; amount_minor: number }[] } | null;
  commissions: { id: string; amount_minor: number }[];
  reversal: { lines: Record<string, unknown>[]; moved_commission_ids: string[] } | null;
}

async function explain(client: ApiClient, eventId: string): Promise<Explanation> {
  const answer = await client.get(`/api/v1/events/${eventId}/explain`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
}

/** `1 paid 1000, 2 INACTIVE, 3 paid 500+300`. */
const told = ({ outcomes }: Explanation) =>
  outcomes
    .map(({ level, reason, shares }) => `${level} ${reason ?? `paid ${shares.map((share) => share.amount_minor).join('+')}`}`)
    .join(', ');

/** What holds of the explanation of every purchase. */
function expectWhole(explained: Explanation, sale: Sale, chain: readonly MemberBody[]): void {
  const { outcomes, journal } = explained;
  expect(outcomes.map(({ level, user_id }) => [level, user_id])).toEqual(
    chain.slice(0, outcomes.length).map((member, index) => [index + 1, member.id]),
  );
  for (const { outcome, reason, message, shares } of outcomes) {
    expect([reason === null, message === null]).toEqual([outcome === 'paid', outcome === 'paid']);
    const paying = shares.filter((share) => share.nothing_because === null);
    expect(paying.length > 0).toBe(outcome === 'paid');
  }
  const shares = outcomes.flatMap((outcome) => outcome.shares).filter((share) => share.commission_id !== null);
  expect(shares.map((share) => [share.commission_id, share.amount_minor])).toEqual(
    sale.commissions.map((line) => [line.id, line.amount_minor]),
  );
  const postings = journal?.postings ?? [];
  const sums = new Map<string, number>();
  for (const { currency, amount_minor } of postings) sums.set(currency, (sums.get(currency) ?? 0) + amount_minor);
  expect([...sums.values()].every((sum) => sum === 0)).toBe(true);
  const toMembers = postings.filter((posting) => posting.user_id !== null).map((posting) => posting.amount_minor);
  expect(toMembers).toEqual(sale.commissions.map((line) => line.amount_minor));
  expect(explained.recomputed).not.toBe(false);
}

interface Case {
  plan?: Partial<PlanDefinitionInput>;
  upline: string;
  sale?: object;
  before?: (client: ApiClient, chain: MemberBody[], tenant: TestTenant) => Promise<unknown>;
  outcomes: string;
  end?: string;
}

const DEEP = { multiplierMilli: 1000, maxDepth: 10 };
const differential: Partial<PlanDefinitionInput> = {
  mode: 'differential',
  levels: [],
  tierRules: {
    SENIOR: { rateBps: 1_000 },
    ORDINARY: { rateBps: 500 },
    MANAGER: { rateBps: 1_500 },
    DIRECTOR: { rateBps: 2_000 },
  },
};

const SUBSCRIBER = { external_id: 'subscriber' };

const CASES: Record<string, Case> = {
  'the worked example, compress': {
    upline: 'O O S M D D',
    outcomes: '1 paid 1000, 2 TIER_DEPTH, 3 paid 500, 4 paid 300, 5 paid 200, 6 paid 100',
    end: 'ALL_LEVELS_TAKEN',
  },
  'the worked example, none': {
    plan: { compression: 'none' },
    upline: 'O O S M D D',
    outcomes: '1 paid 1000, 2 TIER_DEPTH, 3 paid 300, 4 paid 200, 5 paid 100',
    end: 'ALL_LEVELS_TAKEN',
  },
  'the worked example, roll_up': {
    plan: { compression: 'roll_up' },
    upline: 'O O S M D D',
    outcomes: '1 paid 1000, 2 TIER_DEPTH, 3 paid 500+300, 4 paid 200, 5 paid 100',
  },
  'roll_up beyond the last level, past somebody who cannot take it': {
    plan: {
      compression: 'roll_up',
      levels: [
        { level: 1, rateBps: 1_000 },
        { level: 2, rateBps: 500 },
      ],
    },
    upline: 'O O O S D',
    outcomes: '1 paid 1000, 2 TIER_DEPTH, 3 TIER_DEPTH, 4 paid 500',
  },
  'roll_up to nobody': {
    plan: { compression: 'roll_up' },
    upline: 'O O',
    outcomes: '1 paid 1000, 2 TIER_DEPTH',
    end: 'END_OF_UPLINE',
  },
  INACTIVE: { upline: 'o D d D', outcomes: '1 INACTIVE, 2 paid 1000, 3 INACTIVE, 4 paid 500', end: 'END_OF_UPLINE' },
  TIER_WITHOUT_RULE: {
    plan: { tierRules: { ORDINARY: DEEP } },
    upline: 'O S O',
    outcomes: '1 paid 1000, 2 TIER_WITHOUT_RULE, 3 paid 500',
  },
  KYC_NOT_APPROVED: {
    plan: { qualification: { kycApproved: true } },
    upline: 'D D D',
    sale: { occurred_at: '2026-05-01T00:00:00Z' },
    before: (_client, chain) =>
      app.database.asSuperuser(
        `with record as (
           insert into kyc_record (tenant_id, environment, member_id, provider, status, status_since, verified_at, created_at, updated_at)
           select m.tenant_id, m.environment, m.id, 'manual', 'approved', t.at, t.at, t.at, t.at
           from member m cross join lateral (
             select case m.id when $1 then '2026-05-01T00:00:00Z'::timestamptz else '2026-05-01T00:00:01Z' end as at) t
           where m.id = any ($2)
           returning member_id, verified_at)
         update member m set kyc_approved_at = record.verified_at from record where m.id = record.member_id`,
        [chain[1]?.id, chain.slice(1).map((member) => member.id)],
      ),
    outcomes: '1 KYC_NOT_APPROVED, 2 paid 1000, 3 KYC_NOT_APPROVED',
  },
  PERSONAL_SALES: {
    plan: { qualification: { minPersonalSalesMinor: { USD: 100 } } },
    upline: 'D D',
    before: (client, chain) => purchaseOf(client, { amount_minor: 100, attribution: { user_id: chain[1]?.id } }),
    outcomes: '1 PERSONAL_SALES, 2 paid 1000',
  },
  ACTIVE_DIRECTS: { plan: { qualification: { minActiveDirects: 1 } }, upline: 'D D', outcomes: '1 ACTIVE_DIRECTS, 2 paid 1000' },
  RATE_NOT_HIGHER: {
    plan: differential,
    upline: 'S O M D D',
    outcomes: '1 paid 1000, 2 RATE_NOT_HIGHER, 3 paid 500, 4 paid 500',
    end: 'TOP_RATE_TAKEN',
  },
  'differential, an inactive member does not raise the bar': {
    plan: differential,
    upline: 'O d S S',
    outcomes: '1 paid 500, 2 INACTIVE, 3 paid 500, 4 RATE_NOT_HIGHER',
    end: 'END_OF_UPLINE',
  },
  NO_BASE: { upline: 'D D', sale: { tax_minor: 10_000 }, outcomes: '1 NO_BASE, 2 NO_BASE' },
  NO_AMOUNT_FOR_CURRENCY: {
    plan: {
      levels: [
        { level: 1, flatMinor: { EUR: 50 } },
        { level: 2, flatMinor: { USD: 70 } },
      ],
    },
    upline: 'D D',
    outcomes: '1 NO_AMOUNT_FOR_CURRENCY, 2 paid 70',
  },
  ROUNDED_TO_ZERO: { upline: 'D D', sale: { amount_minor: 9 }, outcomes: '1 paid 1, 2 ROUNDED_TO_ZERO' },
  EVENT_CEILING: { plan: { caps: { perEventPayoutBps: 1 } }, upline: 'D D', outcomes: '1 paid 1, 2 EVENT_CEILING' },
  MEMBER_CAP: {
    plan: { caps: { perMemberPeriodMinor: { USD: 1_000 } } },
    upline: 'D D',
    before: (client, chain) => purchaseOf(client, { attribution: { user_id: chain[0]?.id } }),
    outcomes: '1 MEMBER_CAP, 2 paid 500',
  },
  CUSTOMER_CAP: {
    plan: { caps: { perCustomerLifetimeMinor: { USD: 1_000 } } },
    upline: 'D D',
    outcomes: '1 paid 1000, 2 CUSTOMER_CAP',
  },
  RECURRING_DISABLED: {
    plan: { recurring: { enabled: false } },
    upline: 'D d D',
    sale: { type: 'subscription_renewal' },
    outcomes: '1 RECURRING_DISABLED, 2 INACTIVE, 3 RECURRING_DISABLED',
  },
  RECURRING_MONTHS: {
    plan: { recurring: { maxMonths: 1 } },
    upline: 'D',
    before: (client, chain) =>
      purchaseOf(client, { customer: SUBSCRIBER, occurred_at: '2026-01-31T12:00:00Z', attribution: { user_id: chain[0]?.id } }),
    sale: { customer: SUBSCRIBER, type: 'subscription_renewal', occurred_at: '2026-02-28T12:00:00Z' },
    outcomes: '1 RECURRING_MONTHS',
  },
  RECURRING_EVENTS: {
    plan: { recurring: { maxEvents: 1 } },
    upline: 'D',
    before: (client, chain) =>
      purchaseOf(client, { customer: SUBSCRIBER, type: 'subscription_initial', attribution: { user_id: chain[0]?.id } }),
    sale: { customer: SUBSCRIBER, type: 'subscription_renewal' },
    outcomes: '1 RECURRING_EVENTS',
  },
};

describe('each considered member has exactly one outcome', () => {
  test.each(Object.entries(CASES))('%s', async (_label, { plan, upline, sale: fields, before, outcomes, end }) => {
    const tenant = await app.newTenant();
    const client = apiClient(app, tenant.liveKey);
    if (plan) await publishPlan(app, tenant, plan);
    const chain = await newUpline(client, upline);
    await before?.(client, chain, tenant);
    const sale = await purchaseOf(client, { attribution: { user_id: chain[0]?.id }, ...fields });
    const explained = await explain(client, sale.event_id);
    expect(told(explained)).toBe(outcomes);
    expectWhole(explained, sale, chain);
    expect(explained.recomputed).toBe(true);
    if (end !== undefined) expect(explained.walk_end?.reason).toBe(end);
  });

  test.each<[string, Partial<PlanDefinitionInput>, boolean]>([
    ['UNATTRIBUTED', {}, false],
    ['PERSONAL_PURCHASE', { personalPurchase: 'none' }, true],
    ['NO_PLAN', { scope: { types: ['subscription_initial'] } }, false],
  ])('%s: nobody is considered', async (block, plan, buys) => {
    const tenant = await app.newTenant();
    const client = apiClient(app, tenant.liveKey);
    await publishPlan(app, tenant, plan);
    const [buyer] = await newUpline(client, 'D D');
    const sale = await purchaseOf(client, buys ? { buyer_user_id: buyer?.id } : {});
    const explained = await explain(client, sale.event_id);
    expect([explained.inputs.block, explained.outcomes, explained.journal, explained.commissions]).toEqual([block, [], null, []]);
    expectWhole(explained, sale, []);
  });

  test('a buyer’s own levels: sponsor_first begins above, self_rebate with the buyer', async () => {
    for (const [personalPurchase, from] of [
      ['sponsor_first', 1],
      ['self_rebate', 0],
    ] as const) {
      const tenant = await app.newTenant();
      const client = apiClient(app, tenant.liveKey);
      await publishPlan(app, tenant, { personalPurchase });
      const chain = await newUpline(client, 'D d D');
      const sale = await purchaseOf(client, { buyer_user_id: chain[0]?.id });
      const explained = await explain(client, sale.event_id);
      expectWhole(explained, sale, chain.slice(from));
      expect(told(explained)).toBe(from === 1 ? '1 INACTIVE, 2 paid 1000' : '1 paid 1000, 2 INACTIVE, 3 paid 500');
    }
  });

  test('a chain of 40 that cannot be paid, and one beyond it that can', async () => {
    const client = apiClient(app, (await app.newTenant()).liveKey);
    const top = await newUpline(client, 'S');
    const chain = [...(await newUpline(client, 'O'.repeat(40), top[0])), ...top];
    const sale = await purchaseOf(client, { attribution: { user_id: chain[0]?.id } });
    const explained = await explain(client, sale.event_id);
    expectWhole(explained, sale, chain);
    expect(told(explained)).toBe(
      `1 paid 1000, ${Array.from({ length: 39 }, (_, n) => `${n + 2} TIER_DEPTH, `).join('')}41 paid 500`,
    );
  });
});

describe('the explanation stays', () => {
  test('whatever is back-dated before the sale; a refund changes only what became of the lines', async () => {
    const tenant = await app.newTenant();
    const client = apiClient(app, tenant.liveKey);
    await publishPlan(app, tenant, {
      compression: 'roll_up',
      caps: { perEventPayoutBps: 1_500, perMemberPeriodMinor: { USD: 600 }, perCustomerLifetimeMinor: { USD: 1_200 } },
      qualification: { minActiveDirects: 0, minPersonalSalesMinor: { USD: 0 } },
    });
    const chain = await newUpline(client, 'O o S M D');
    const occurredAt = '2026-05-10T12:00:00Z';
    const sale = await purchaseOf(client, { occurred_at: occurredAt, attribution: { user_id: chain[0]?.id } });
    const first = await explain(client, sale.event_id);
    expect(first.recomputed).toBe(true);
    expectWhole(first, sale, chain);

    const other = await client.newMember({ membership_tier: 'DIRECTOR' });
    const effectiveAt = '2026-05-01T00:00:00Z';
    for (const [index, member] of chain.entries()) {
      const change = {
        membership_tier: index % 2 === 0 ? 'DIRECTOR' : 'ORDINARY',
        is_active: index === 1,
        effective_at: effectiveAt,
      };
      expect((await client.patch(`/api/v1/users/${member.id}`, change)).status).toBe(200);
    }
    const moved = await client.post(`/api/v1/members/${chain[0]?.id}/sponsor`, { sponsorId: other.id, effectiveAt });
    expect(moved.status).toBe(200);
    await publishPlan(app, tenant, { levels: [{ level: 1, rateBps: 9_000 }] }, effectiveAt);
    // Sales of the same month, customer and members, that would have taken the room.
    await purchaseOf(client, { occurred_at: '2026-05-02T00:00:00Z', attribution: { user_id: chain[0]?.id } });
    expect(await explain(client, sale.event_id)).toEqual(first);

    const refund = await refundOf(client, sale, { amount_minor: 3_333 });
    await client.post(`/api/v1/commissions/${sale.commissions[0]?.id}/void`, {});
    const later = await explain(client, sale.event_id);
    const settled = ({ commissions: _lines, outcomes, ...rest }: Explanation) => ({
      ...rest,
      outcomes: outcomes.map((outcome) => ({
        ...outcome,
        shares: outcome.shares.map(({ status: _status, net_minor: _net, ...share }) => share),
      })),
    });
    expect(settled(later)).toEqual(settled(first));
    const net = later.outcomes.flatMap((outcome) => outcome.shares.map((share) => share.net_minor));
    const taken = new Map(
      refund.body.commissions.map((line: { reverses_commission_id: string; amount_minor: number }) => [
        line.reverses_commission_id,
        line.amount_minor,
      ]),
    );
    expect(net).toEqual(
      later.outcomes.flatMap((outcome) =>
        outcome.shares.map((share) =>
          share.commission_id === sale.commissions[0]?.id ? 0 : share.amount_minor + Number(taken.get(share.commission_id) ?? 0),
        ),
      ),
    );
    // Lines, their reversals and the void.
    expect(later.commissions).toHaveLength(sale.commissions.length + refund.body.commissions.length + 1);
  });
});

describe('of what takes a purchase back', () => {
  test('the arithmetic: the share of the whole refunded, rounded on the total, less what was taken before', async () => {
    const client = apiClient(app, (await app.newTenant()).liveKey);
    const chain = await newUpline(client, 'D D D D D');
    const sale = await purchaseOf(client, { amount_minor: 9_999, attribution: { user_id: chain[0]?.id } });
    let before = 0;
    for (const amount of [1_111, 1, 4_567]) {
      const refund = await refundOf(client, sale, { amount_minor: amount });
      const after = before + amount;
      const explained = await explain(client, refund.body.event_id);
      expect(explained).toMatchObject({ kind: 'refund', outcomes: [], inputs: null, recomputed: null, plan: null });
      expect(explained.reversal).toMatchObject({
        purchase_minor: 9_999,
        refunded_before_minor: before,
        refunded_after_minor: after,
      });
      const part = (whole: number, refunded: number) => Math.floor((2 * whole * refunded + 9_999) / (2 * 9_999));
      const moved = sale.commissions.filter((line) => part(line.amount_minor, after) !== part(line.amount_minor, before));
      expect(explained.reversal?.lines).toEqual(
        moved.map((line) => ({
          commission_id: line.id,
          amount_minor: line.amount_minor,
          exact: { numerator: `${line.amount_minor * after}`, denominator: '9999' },
          reversed_in_all_minor: part(line.amount_minor, after),
          reversed_before_minor: part(line.amount_minor, before),
          posted_minor: part(line.amount_minor, before) - part(line.amount_minor, after),
        })),
      );
      expect(refund.body.commissions).toHaveLength(moved.length);
      before = after;
    }
  });

  test('a dispute: what it moved, what it took back and gave back, in balanced journals', async () => {
    const client = apiClient(app, (await app.newTenant()).liveKey);
    const chain = await newUpline(client, 'D D');
    const sale = await purchaseOf(client, { attribution: { user_id: chain[0]?.id } });
    await payOut(app, [sale.commissions[1]?.id ?? '']);
    const dispute = randomUUID();
    const opened = await disputeOf(client, sale, dispute, 'opened');
    const lost = await disputeOf(client, sale, dispute, 'lost');
    const won = await disputeOf(client, sale, dispute, 'won');
    const explained = await Promise.all([opened, lost, won].map(({ body }) => explain(client, body.event_id)));
    expect(explained.map(({ reversal }) => reversal?.moved_commission_ids.length)).toEqual([1, 1, 0]);
    expect(explained.map(({ reversal }) => reversal?.lines.map((line) => line['posted_minor']))).toEqual([
      [],
      [-1_000, -500],
      [1_000, 500],
    ]);
    expect(explained.map(({ journal }) => journal?.postings.reduce((sum, posting) => sum + posting.amount_minor, 0))).toEqual([
      undefined,
      0,
      0,
    ]);
    expect(explained[1]?.journal?.postings.map(({ account, amount_minor }) => `${account} ${amount_minor}`)).toEqual([
      'company:commission_expense 1500',
      'member:pending -1000',
      'member:cleared -500',
    ]);
  });
});

test('of another tenant or environment, or of nothing, is the same 404', async () => {
  const tenant = await app.newTenant();
  const client = apiClient(app, tenant.liveKey);
  const sale = await purchaseOf(client, {});
  const absent = await client.get(`/api/v1/events/${randomUUID()}/explain`);
  expectRefusal(absent, 404, 'NOT_FOUND');
  for (const key of [tenant.sandboxKey, (await app.newTenant()).liveKey]) {
    const answer = await apiClient(app, key).get(`/api/v1/events/${sale.event_id}/explain`);
    expect([answer.status, answer.text]).toEqual([404, absent.text]);
  }
  expectRefusal(await client.get('/api/v1/events/x/explain'), 400, 'VALIDATION_ERROR', ['event_id']);
});
