/** The least that is paid out, by the plan or built in; and who is paid that was not before. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { builtInMinimumMinor, minimumPayout } from '../../../src/features/commissions/open/minimum-payout.ts';
import { methodsOf, PAYOUT_COUNTRIES } from '../../../src/features/payouts/methods/payout-methods.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { booksOf } from '../../support/money/debts.ts';
import { draft, earn, execute, payable, payoutOf, startPayouts } from '../../support/payments/payout-world.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let scope: Scope;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
});

/** In the plan in force: what is published does not change, but for a test. */
const nameMinimum = (minimums: Record<string, number>) =>
  client.get('/api/v1/commission-plans').then(async ({ body }) => {
    const plan = await client.get(`/api/v1/commission-plans/${body.data[0].id}`);
    const { definition } = plan.body.versions[0];
    const made = await client.patch(`/api/v1/commission-plans/${body.data[0].id}`, {
      definition: { ...definition, minimumPayoutMinor: { ...definition.minimumPayoutMinor, ...minimums } },
    });
    expect(made.status, made.text).toBe(200);
    const published = await client.post(`/api/v1/commission-plans/${body.data[0].id}/publish`, {});
    expect(published.status, published.text).toBe(201);
  });

test.each([
  ['EUR', 5_000],
  ['JPY', 5_000],
  ['KRW', 50_000],
  ['HUF', 1_500_000],
  ['KWD', 15_000],
  ['IDR', 50_000_000],
])('of %s it is %i minor units unless the plan names one, to the minor unit', async (currency, amountMinor) => {
  const below = await payable(app, scope, client, amountMinor - 1, { currency });
  const exact = await payable(app, scope, client, amountMinor, { currency });
  const dry = await client.post('/api/v1/payout-runs', { currency, dryRun: true });
  const run = await draft(client, { currency });
  for (const answer of [dry.body, run]) {
    expect(answer).toMatchObject({
      minimumPayout: { amountMinor, source: 'built_in' },
      payouts: [{ userId: exact.id, amountMinor }],
      blocked: [{ userId: below.id, reason: 'BELOW_MINIMUM', amountMinor: amountMinor - 1 }],
    });
  }
  expect((await client.get(`/api/v1/payout-runs/${run.id}`)).body.minimumPayout).toEqual({ amountMinor, source: 'built_in' });
  expect((await client.get('/api/v1/payout-runs')).body.data[0].minimumPayout).toEqual({ amountMinor, source: 'built_in' });
});

test('the one of the plan goes before the built-in one, also one of nothing', async () => {
  const member = await payable(app, scope, client, 1, { currency: 'EUR' });
  await nameMinimum({ EUR: 0, JPY: 7 });
  expect(await draft(client, { currency: 'EUR' })).toMatchObject({
    minimumPayout: { amountMinor: 0, source: 'plan' },
    payouts: [{ userId: member.id, amountMinor: 1 }],
  });
  expect(await draft(client, { currency: 'USD' })).toMatchObject({ minimumPayout: { amountMinor: 5_000, source: 'plan' } });
  const yen = await payable(app, scope, client, 6, { currency: 'JPY' });
  expect((await draft(client, { currency: 'JPY' })).blocked).toMatchObject([{ userId: yen.id, reason: 'BELOW_MINIMUM' }]);
  await earn(app, scope, client, yen, 1, 'JPY');
  expect((await draft(client, { currency: 'JPY' })).payouts).toMatchObject([{ userId: yen.id, amountMinor: 7 }]);
});

test('a currency without any is paid to nobody until the plan names one', async () => {
  const member = await payable(app, scope, client, 100_000_000, { currency: 'LBP' });
  const debtor = await payable(app, scope, client, 0, { currency: 'LBP' });
  await earn(app, scope, client, debtor, -1, 'LBP');
  const run = await draft(client, { currency: 'LBP' });
  expect(run).toMatchObject({ payoutCount: 0, minimumPayout: null });
  expect(Object.fromEntries(run.blocked.map(({ userId, reason }) => [userId, reason]))).toEqual({
    [member.id]: 'NO_MINIMUM',
    [debtor.id]: 'NO_MINIMUM',
  });
  expect((await client.get(`/api/v1/payout-runs/${run.id}/blocked?reason=NO_MINIMUM`)).body.data).toHaveLength(2);
  await nameMinimum({ LBP: 100_000_000 });
  const next = await draft(client, { currency: 'LBP' });
  expect(next.payouts).toMatchObject([{ userId: member.id }]);
  expect(next.blocked).toMatchObject([{ userId: debtor.id, reason: 'NEGATIVE_BALANCE' }]);
});

test('every currency of the payout methods has a built-in one, of whole major units', () => {
  const currencies = new Set(PAYOUT_COUNTRIES.flatMap((country) => methodsOf(country).map(({ currency }) => currency)));
  expect(currencies.size).toBeGreaterThan(20);
  expect([...currencies].filter((currency) => builtInMinimumMinor(currency) === undefined)).toEqual([]);
  expect(
    ['USD', 'EUR', 'GBP', 'JPY', 'KRW', 'HUF', 'IDR', 'KWD'].map((currency) => [currency, builtInMinimumMinor(currency)]),
  ).toEqual([
    ['USD', 5_000n],
    ['EUR', 5_000n],
    ['GBP', 4_000n],
    ['JPY', 5_000n],
    ['KRW', 50_000n],
    ['HUF', 1_500_000n],
    ['IDR', 50_000_000n],
    ['KWD', 15_000n],
  ]);
  expect(minimumPayout({ USD: 0 }, 'USD')).toEqual({ amountMinor: 0n, source: 'plan' });
  expect(minimumPayout(undefined, 'USD')).toEqual({ amountMinor: 5_000n, source: 'built_in' });
  expect(minimumPayout({}, 'LBP')).toBeUndefined();
});

test('an inactive member is paid what it has earned, also one that was deactivated on the way', async () => {
  const early = await payable(app, scope, client, 6_000);
  const late = await payable(app, scope, client, 7_000);
  await client.patch(`/api/v1/users/${early.id}`, { is_active: false });
  const run = await execute(client);
  expect(run).toMatchObject({ payoutCount: 2, blocked: [] });
  await client.patch(`/api/v1/users/${late.id}`, { is_active: false });
  expect((await client.get(`/api/v1/members/${late.id}/payout-hold`)).body.payoutHold).toBeNull();
  await startPayouts(app, scope);
  for (const { id } of run.payouts) {
    expect((await payoutOf(client, id)).status).toBe('processing');
    expect((await client.post(`/api/v1/payouts/${id}/settle`, { reference: 'BANK-1' })).status).toBe(200);
  }
  expect([await booksOf(app, early), await booksOf(app, late)]).toMatchObject([{ paid: 6_000 }, { paid: 7_000 }]);
});

test('a test member is paid by no run in LIVE; in a SANDBOX the flag has no effect', async () => {
  const flag = (id: string) => app.database.asSuperuser('update member set is_test_user = true where id = $1', [id]);
  const member = await payable(app, scope, client, 6_000);
  await flag(member.id);
  expect((await draft(client)).blocked).toMatchObject([{ userId: member.id, reason: 'TEST_USER', amountMinor: 6_000 }]);
  const sandbox: Scope = { ...scope, environment: 'SANDBOX' };
  const sandboxClient = apiClient(app, tenant.sandboxKey);
  const played = await payable(app, sandbox, sandboxClient, 6_000);
  await flag(played.id);
  const run = await execute(sandboxClient);
  expect(run.payouts).toMatchObject([{ userId: played.id }]);
  await startPayouts(app, sandbox);
  expect((await payoutOf(sandboxClient, run.payouts[0]?.id ?? '')).status).toBe('processing');
});
