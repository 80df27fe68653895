/** Random histories: a snapshot taken at any moment, and the events behind it, make the state that the API shows. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { plantKycSettings } from '../../support/kyc/kyc-settings.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { balancesOf, openCopy, type Shown, type State, stateOf } from '../../support/webhooks/fold-events.ts';
import { sealAll, tellPayouts, toldEvents } from '../../support/webhooks/told-events.ts';
import { DEEDS, type Deed, type World } from './fold-deeds.ts';
import { takeSnapshot } from './snapshot-calls.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** So that random histories come to payouts: three members are enrolled, have earned, and are paid. */
const OPENING: [Deed, number][] = [
  ['join', 0],
  ['join', 0],
  ['join', 1],
  ...[0, 1, 2].flatMap((n): [Deed, number][] => [
    ['enrol', n * 5],
    ['sell', n],
    ['byHand', n * 5 + 15],
  ]),
  ['wait', 29],
  ['wait', 29],
  ['pay', 1],
  ['sellAgain', 0],
];
const OF_PAYOUTS: Deed[] = ['pay', 'work', 'outcome', 'payoutByHand', 'again', 'settle', 'byHand', 'draft'];
const anyDeed = fc.oneof(fc.constantFrom(...(Object.keys(DEEDS) as Deed[])), fc.constantFrom(...OF_PAYOUTS));
const deeds = fc.array(fc.tuple(anyDeed, fc.nat(1_000)), { minLength: 6, maxLength: 30 });

/** What no event tells of by itself; see docs/webhooks.md. */
const UNTOLD: Readonly<Record<string, (object: Shown) => object>> = {
  // The lines that an event has within it are as of when it was told, and so is what is said of its customer.
  events: ({ customer }) => ({ commissions: undefined, customer: customer && { external_id: customer.external_id } }),
  // A change of a member to what it is already moves the time of its last change.
  members: () => ({ updated_at: undefined }),
  // Whether a line is on its way or paid, its payout knows.
  commissions: ({ status }) => (['processing', 'paid'].includes(status) ? { status: 'cleared' } : {}),
  payoutRuns: () => ({ byStatus: undefined }),
  // Lists have no attempts; what the provider calls one on its way comes with the next event of its payout.
  payouts: ({ status, attempts = [] }) => ({ attempts: status === 'processing' ? attempts.map(withoutNames) : attempts }),
};

const withoutNames = (attempt: Shown): Shown => ({ ...attempt, transferId: null, providerPayoutId: null });

/** Balances are compared by themselves. */
function comparable(state: State): Record<string, unknown> {
  const shown = [...state].filter(([key]) => !key.startsWith('balances ')).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(shown.map(([key, object]) => [key, { ...object, ...UNTOLD[key.split(' ')[0] ?? '']?.(object) }]));
}

/** As `balancesOf` has them, of what the API shows. */
function shownBalances(state: State): Record<string, object> {
  const rows: [string, object][] = [];
  for (const [key, { userId, balances }] of state) {
    if (!key.startsWith('balances ')) continue;
    for (const { currency, pendingMinor, clearedMinor, processingMinor, paidMinor } of balances) {
      rows.push([
        `${userId} ${currency}`,
        { pending: pendingMinor, cleared: clearedMinor, processing: processingMinor, paid: paidMinor },
      ]);
    }
  }
  return nonZero(rows);
}

/** The ledger counts what is held as pending. */
function foldedBalances(state: State): Record<string, object> {
  const rows = [...balancesOf(state)].map(([key, { held, pending, ...rest }]): [string, object] => [
    key,
    { pending: pending + held, ...rest },
  ]);
  return nonZero(rows);
}

const nonZero = (rows: [string, object][]): Record<string, object> =>
  Object.fromEntries(rows.filter(([, balance]) => Object.values(balance).some((amount) => amount !== 0)));

test('a snapshot and the events behind it make the state', async () => {
  await fc.assert(
    fc.asyncProperty(
      deeds,
      fc.nat(100),
      fc.constantFrom('payvendor' as const, 'manual' as const),
      async (random, moment, provider) => {
        const tenant = await app.newTenant();
        const scope: Scope = { tenantId: tenant.tenantId, environment: 'SANDBOX' };
        await plantKycSettings(app, scope);
        await plantPaymentSettings(app, scope, { provider, accountCooldownHours: 0 });
        const world: World = { app, scope, client: apiClient(app, tenant.sandboxKey), members: [], leads: [], sales: [] };
        const history: [Deed, number][] = [...OPENING, ...random, ['test', moment]];
        const at = moment % history.length;
        let before: Awaited<ReturnType<typeof takeSnapshot>> | undefined;
        for (const [index, [deed, n]] of history.entries()) {
          if (index === at) before = await takeSnapshot(app, tenant.sandboxKey);
          await DEEDS[deed](world, n);
        }
        if (!before) throw new Error('there was no snapshot');
        const { head, lines } = before;
        await tellPayouts(app);
        await sealAll(app, scope);
        const told = await toldEvents(app, scope);
        const copy = openCopy({ sequence: head.sequence, lines });
        for (const event of told) copy.take({ ...event, sequence: Number(event.sequence) });
        const folded = copy.state;
        const state = stateOf((await takeSnapshot(app, tenant.sandboxKey)).lines);
        expect(comparable(folded)).toEqual(comparable(state));
        expect(foldedBalances(folded)).toEqual(shownBalances(state));
        expect(foldedBalances(state)).toEqual(shownBalances(state));
      },
    ),
    { numRuns: Number(process.env['FOLD_RUNS'] ?? 15) },
  );
});
