/** The independent evaluator on what the service answers: random sales under one plan after another. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlanDefinitionInput } from '../../../src/features/commissions/open/plan-definition.ts';
import { findDifferences } from '../../../tools/evaluate-explain.ts';
import { findVerdictDifferences } from '../../../tools/evaluate-verdicts.ts';
import type { ExplainDocument } from '../../../tools/explain-document.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let chain: MemberBody[];

const rule = (multiplierMilli: number, maxDepth: number) => ({ multiplierMilli, maxDepth });
const PLANS: Record<string, Partial<PlanDefinitionInput>> = {
  'the default plan': {},
  'none, with multipliers': {
    compression: 'none',
    tierRules: { ORDINARY: rule(1333, 1), SENIOR: rule(777, 3), MANAGER: rule(1100, 5), DIRECTOR: rule(1250, 10) },
  },
  'roll_up under a ceiling and caps': {
    compression: 'roll_up',
    caps: { perEventPayoutBps: 1_500, perMemberPeriodMinor: { USD: 2_500 }, perCustomerLifetimeMinor: { USD: 6_000 } },
  },
  'fixed amounts': {
    levels: [
      { level: 1, flatMinor: { USD: 250 } },
      { level: 2, rateBps: 333 },
    ],
  },
  differential: {
    mode: 'differential',
    levels: [],
    tierRules: {
      ORDINARY: { rateBps: 500 },
      SENIOR: { rateBps: 1_000 },
      MANAGER: { rateBps: 1_500 },
      DIRECTOR: { rateBps: 2_000 },
    },
  },
  'qualified, in the members’ currencies': {
    qualification: { minPersonalSalesMinor: { USD: 1 }, minActiveDirects: 1 },
    fx: { payCurrency: 'member' },
  },
};

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  chain = await newUpline(client, 'O o S d M D D o D');
  const yen = await client.newMember({ parent_id: chain[2]?.id, pay_currency: 'JPY', membership_tier: 'SENIOR' });
  chain = [yen, ...chain];
  const rate = { sourceCurrency: 'USD', targetCurrency: 'JPY', numerator: 151, denominator: 100, source: 'test' };
  const dated = { ...rate, effectiveAt: '2020-01-01T00:00:00Z' };
  expect((await client.post('/api/v1/admin/exchange-rates', dated)).status).toBe(201);
});
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

/** The member's own explanation comes to the same integer, and names nobody else. */
async function explainedToItsMember(id: string, memberId: string, whole: ExplainDocument, hint: string): Promise<void> {
  const token = tokens.get(memberId) ?? (await plantSession(app, live(), memberId)).accessToken;
  tokens.set(memberId, token);
  const { text, body } = await client.get(`/api/v1/commissions/${id}/explain`, { authorization: `Bearer ${token}` });
  expect([body.derivation?.recomputed, findVerdictDifferences(body)], `${hint}: ${text}`).toEqual([true, []]);
  const paid = whole.outcomes.flatMap(({ user_id, shares }) => shares.map((share) => ({ ...share, user_id })));
  expect(paid).toContainEqual(
    expect.objectContaining({
      user_id: memberId,
      paid_level: body.commission.paidLevel,
      amount_minor: body.commission.amountMinor,
    }),
  );
  for (const other of chain) if (other.id !== memberId) expect(text).not.toContain(other.id);
}
const tokens = new Map<string, string>();
const live = () => ({ tenantId: tenant.tenantId, environment: 'LIVE' as const });

const sales = fc.array(
  fc.record({
    amount: fc.integer({ min: 0, max: 50_000 }),
    tax: fc.integer({ min: 0, max: 100 }),
    at: fc.nat(9),
    buyer: fc.option(fc.nat(9), { nil: undefined, freq: 3 }),
    customer: fc.constantFrom('a', 'b', 'c'),
  }),
  { minLength: 25, maxLength: 25 },
);

test.each(Object.entries(PLANS))('%s', async (_name, change) => {
  await publishPlan(app, tenant, change);
  const seed = Math.floor(Math.random() * 2 ** 31);
  const [drawn] = fc.sample(sales, { numRuns: 1, seed });
  const events = (drawn ?? []).map(({ amount, tax, at, buyer, customer }) => ({
    kind: 'purchase',
    ...client.purchaseBody({
      amount_minor: amount + tax,
      tax_minor: tax,
      customer: { external_id: customer },
      attribution: { user_id: chain[at]?.id },
      buyer_user_id: buyer === undefined ? null : chain[buyer]?.id,
    }),
  }));
  const batch = await client.post('/api/v1/events/batch', { events });
  expect([batch.status, batch.body.failed]).toEqual([207, 0]);
  let shares = 0;
  for (const { body } of batch.body.results) {
    const answer = await client.get(`/api/v1/events/${body.event_id}/explain`);
    const document = answer.body as ExplainDocument & { recomputed: boolean; walk_end: object };
    expect([document.recomputed, findDifferences(document)], `seed ${seed}: ${answer.text}`).toEqual([true, []]);
    expect(document.outcomes.map(({ level }) => level)).toEqual(document.outcomes.map((_, index) => index + 1));
    shares += document.outcomes.flatMap((outcome) => outcome.shares).length;
    for (const { id, user_id } of body.commissions) await explainedToItsMember(id, user_id, document, `seed ${seed}`);
  }
  expect(shares).toBeGreaterThan(0);
});
