/**
 * Properties over random histories (docs/specification/commissions.md#properties): amounts are those of the
 * model as of the sale, whatever order purchases arrive in and however often each is posted; balances are
 * their sums.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_PLAN } from '../../../src/features/commissions/open/plan-definition.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { type CommissionBody, newUpline } from '../../support/money/model-upline.ts';
import { modelUplineWalk } from '../../support/money/model-upline-walk.ts';

const TIERS = ['ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR'] as const;
const LETTERS = 'OSMD';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const plan = {
  compression: DEFAULT_PLAN.compression,
  ratesBps: DEFAULT_PLAN.levels.map((level) => level.rateBps),
  tiers: DEFAULT_PLAN.tierRules,
};

/** Few instants, so that sales and changes meet at the same one. */
const instant = fc.integer({ min: 1, max: 12 }).map((day) => new Date(Date.UTC(2026, 2, day)).toISOString());

const histories = fc.record({
  tiers: fc.array(fc.nat(3), { minLength: 2, maxLength: 8, size: 'max' }),
  changes: fc.array(
    fc.record({
      who: fc.nat(7),
      at: instant,
      what: fc.oneof(fc.record({ membership_tier: fc.constantFrom(...TIERS) }), fc.record({ is_active: fc.boolean() })),
    }),
    { maxLength: 12, size: 'max' },
  ),
  sales: fc.array(fc.record({ seller: fc.nat(7), at: instant, amountMinor: fc.integer({ min: 0, max: 99_999 }) }), {
    minLength: 4,
    maxLength: 8,
    size: 'max',
  }),
  order: fc.array(fc.nat(7), { minLength: 8, maxLength: 16, size: 'max' }),
});

test('random histories, in any order, with repeats', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ({ tiers, changes, sales, order }) => {
      const client = apiClient(app, (await app.newTenant()).liveKey);
      const chain = await newUpline(client, tiers.map((tier) => LETTERS[tier]).join(''));
      for (const { who, at, what } of changes) {
        const answer = await client.patch(`/api/v1/users/${chain[who % chain.length]?.id}`, { ...what, effective_at: at });
        expect(answer.status).toBe(200);
      }
      /** Of the changes up to `at` the latest, of equal ones the last recorded, else what it was created with. */
      const asOf = <Value>(member: number, at: string, read: (what: object) => Value | undefined, first: Value): Value => {
        let best: { at: string; value: Value } | undefined;
        for (const change of changes) {
          const value = read(change.what);
          if (change.who % chain.length !== member || value === undefined || change.at > at) continue;
          if (best === undefined || change.at >= best.at) best = { at: change.at, value };
        }
        return best?.value ?? first;
      };
      const expected = sales.map(({ seller, at, amountMinor }) => {
        const upline = chain.map((member, index) => ({
          id: member.id,
          tier: asOf(
            index,
            at,
            (what) => ('membership_tier' in what ? String(what.membership_tier) : undefined),
            member.membership_tier,
          ),
          isActive: asOf(index, at, (what) => ('is_active' in what ? what.is_active === true : undefined), true),
        }));
        const from = seller % chain.length;
        return modelUplineWalk(plan, BigInt(amountMinor), upline.slice(from));
      });

      const firstAnswers = new Map<number, string>();
      for (const pick of [...order, ...sales.keys()]) {
        const index = pick % sales.length;
        const sale = sales[index];
        if (!sale) continue;
        const answer = await client.post('/api/v1/events/purchase', {
          ...client.purchaseBody({ external_event_id: `sale-${index}`, amount_minor: sale.amountMinor, occurred_at: sale.at }),
          attribution: { user_id: chain[sale.seller % chain.length]?.id },
        });
        const first = firstAnswers.get(index);
        expect(answer.status).toBe(first === undefined ? 201 : 200);
        if (first !== undefined) expect(answer.text).toBe(first);
        firstAnswers.set(index, answer.text);
        const lines = (answer.body.commissions as CommissionBody[]).map((line) => ({
          beneficiaryId: line.user_id,
          level: line.level,
          paidLevel: line.paid_level,
          amountMinor: BigInt(line.amount_minor),
        }));
        expect(lines).toEqual(expected[index]);
      }

      for (const member of chain) {
        const earned = expected.flat().filter((line) => line.beneficiaryId === member.id);
        const { body } = await client.get(`/api/v1/users/status?user_id=${member.id}`);
        expect(Math.round(body.commission_balance.total * 100)).toBe(
          Number(earned.reduce((sum, line) => sum + line.amountMinor, 0n)),
        );
      }
    }),
    { numRuns: 6 },
  );
  await expectCleanBooks(app);
});
