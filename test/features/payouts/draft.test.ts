/** Drafting a payout run: who is paid what, and who is not, and why. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { methodsOf, PAYOUT_COUNTRIES } from '../../../src/features/payouts/methods/payout-methods.ts';
import { payableStep, vendorAmount } from '../../../src/vendors/payments/vendor-amount.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { act, approveKyc, draft, earn, payable, plantAccount } from '../../support/payments/payout-world.ts';

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

test('pays each member all that is cleared, and lists the commissions', async () => {
  const one = await payable(app, scope, client, 7_000);
  const second = await earn(app, scope, client, one, 3_000);
  const two = await payable(app, scope, client, 5_000);
  const answer = await client.post('/api/v1/payout-runs', { currency: 'USD' });
  expect(answer.status).toBe(201);
  expect(answer.headers['location']).toBe(`/api/v1/payout-runs/${answer.body.id}`);
  expect(answer.body).toMatchObject({
    status: 'draft',
    payoutCount: 2,
    totalMinor: 15_000,
    blockedCount: 0,
    hasMorePayouts: false,
    hasMoreBlocked: false,
    blocked: [],
  });
  const paid = Object.fromEntries(
    answer.body.payouts.map((payout: { userId: string; amountMinor: number }) => [payout.userId, payout.amountMinor]),
  );
  expect(paid).toEqual({ [one.id]: 10_000, [two.id]: 5_000 });
  const own = answer.body.payouts.find((payout: { userId: string }) => payout.userId === one.id);
  const first = await client.get(`/api/v1/payouts/${own.id}/commissions?limit=1`);
  expect(first.body).toMatchObject({ data: [{ amountMinor: 7_000, status: 'cleared', kind: 'adjustment' }], hasMore: true });
  const next = await client.get(`/api/v1/payouts/${own.id}/commissions?limit=1&cursor=${first.body.nextCursor}`);
  expect(next.body).toMatchObject({ data: [{ id: second, amountMinor: 3_000 }], hasMore: false, nextCursor: null });
  expect((await client.get(`/api/v1/payouts?runId=${answer.body.id}`)).body.data).toHaveLength(2);
  expect((await client.get(`/api/v1/payout-runs/${answer.body.id}`)).body.byStatus).toEqual([
    { status: 'queued', count: 2, totalMinor: 15_000 },
  ]);
});

test('gives the first reason that applies, in order', async () => {
  const member = await client.newMember({ is_test_user: true });
  await earn(app, scope, client, member, 4_999);
  const hold = `/api/v1/members/${member.id}/payout-hold`;
  expect((await client.put(hold, { reason: 'Asked by the bank' })).status).toBe(200);
  const reason = async (): Promise<string | undefined> => {
    const run = await draft(client);
    await act(client, run.id, 'cancel');
    expect(run.payoutCount + run.blockedCount).toBe(1);
    return run.blocked[0]?.reason;
  };
  expect(await reason()).toBe('TEST_USER');
  await app.database.asSuperuser('update member set is_test_user = false where id = $1', [member.id]);
  expect(await reason()).toBe('HELD');
  await client.delete(hold);
  expect(await reason()).toBe('BELOW_MINIMUM');
  await earn(app, scope, client, member, 1);
  expect(await reason()).toBe('NO_ACCOUNT');
  await plantAccount(app, scope, member.id, { status: 'action_required' });
  await plantAccount(app, scope, member.id, { currency: 'EUR', isPrimary: false });
  await plantAccount(app, scope, member.id, { provider: 'payvendor', isPrimary: false });
  expect(await reason()).toBe('NO_ACCOUNT');
  await plantAccount(app, scope, member.id, { isPrimary: false, activatedAt: new Date(Date.now() - 86_400_000 + 60_000) });
  expect(await reason()).toBe('KYC_REQUIRED');
  await approveKyc(app, member.id);
  await earn(app, scope, client, member, -6_000);
  expect(await reason()).toBe('NEGATIVE_BALANCE');
  await earn(app, scope, client, member, 6_000);
  expect(await reason()).toBe('ACCOUNT_COOLDOWN');
  await app.database.asSuperuser(
    `update payout_account set activated_at = now() - interval '24 hours', destination_since = now() - interval '24 hours',
            name_match = 'mismatch' where member_id = $1`,
    [member.id],
  );
  expect(await reason()).toBe('NAME_MISMATCH');
  await app.database.asSuperuser('update payout_account set name_accepted_at = now() where member_id = $1', [member.id]);
  expect(await reason()).toBeUndefined();
});

describe('a currency that the vendor pays out in whole units only', () => {
  const drafted = async (provider: 'manual' | 'payvendor', amounts: number[], currency = 'HUF') => {
    await plantPaymentSettings(app, scope, { provider });
    const member = await payable(app, scope, client, 0, { provider, currency });
    for (const amount of amounts) await earn(app, scope, client, member, amount, currency);
    const run = await draft(client, { currency });
    return { member, run };
  };

  test('an amount with a fraction is blocked, and the commissions stay cleared', async () => {
    const { member, run } = await drafted('payvendor', [1_700_000, 50_001]);
    expect(run).toMatchObject({
      payoutCount: 0,
      totalMinor: 0,
      blocked: [{ userId: member.id, reason: 'AMOUNT_NOT_PAYABLE', amountMinor: 1_750_001 }],
    });
    expect((await client.get(`/api/v1/payout-runs/${run.id}/blocked?reason=AMOUNT_NOT_PAYABLE`)).body.data).toHaveLength(1);
    const lines = (await client.get(`/api/v1/commissions?userId=${member.id}`)).body.data as { status: string }[];
    expect(lines.map(({ status }) => status)).toEqual(['cleared', 'cleared']);
    // What makes it whole may give or take.
    await earn(app, scope, client, member, -1, 'HUF');
    expect((await draft(client, { currency: 'HUF' })).payouts).toMatchObject([{ userId: member.id, amountMinor: 1_750_000 }]);
  });

  test('fractions that add up to a whole amount are paid', async () => {
    const { run } = await drafted('payvendor', [1_700_050, 50_050]);
    expect(run).toMatchObject({ payoutCount: 1, totalMinor: 1_750_100, blocked: [] });
  });

  test('a tenant that pays by hand pays any amount', async () => {
    const { run } = await drafted('manual', [1_750_001]);
    expect(run).toMatchObject({ payoutCount: 1, totalMinor: 1_750_001, blocked: [] });
  });

  test.each([
    ['USD', 750_001],
    ['ISK', 750_001],
    ['JPY', 750_001],
  ])('%s is paid out to the minor unit', async (currency, amount) => {
    const { run } = await drafted('payvendor', [amount], currency);
    expect(run).toMatchObject({ payoutCount: 1, totalMinor: amount, blocked: [] });
  });

  test('no catalogue currency is drafted that the vendor would refuse, nor blocked that it would take', () => {
    const currencies = new Set(PAYOUT_COUNTRIES.flatMap((country) => methodsOf(country).map(({ currency }) => currency)));
    expect([...currencies].filter((currency) => payableStep(currency) !== 1n)).toEqual(['HUF']);
    for (const currency of currencies) {
      const step = payableStep(currency);
      expect(() => vendorAmount(5_000n * step, currency)).not.toThrow();
      if (step > 1n) expect(() => vendorAmount(5_000n * step + 1n, currency)).toThrow('cannot pay out this amount');
    }
  });
});

test('asks for no KYC and no time where the settings do not', async () => {
  const member = await client.newMember();
  await plantAccount(app, scope, member.id, { activatedAt: new Date() });
  await earn(app, scope, client, member, 5_000);
  await plantPaymentSettings(app, scope, { provider: 'manual', requireKyc: false, accountCooldownHours: 0 });
  expect((await draft(client)).payouts).toMatchObject([{ userId: member.id, amountMinor: 5_000 }]);
});

test('prefers the primary account, else the newest active one of the currency', async () => {
  const member = await payable(app, scope, client, 0, { isPrimary: false });
  const newer = await plantAccount(app, scope, member.id, { isPrimary: false });
  await earn(app, scope, client, member, 5_000);
  const run = await draft(client);
  expect(run.payouts[0]?.payoutAccountId).toBe(newer);
  await act(client, run.id, 'cancel');
  await app.database.asSuperuser('update payout_account set is_primary = (id <> $1) where member_id = $2', [newer, member.id]);
  expect((await draft(client)).payouts[0]?.payoutAccountId).not.toBe(newer);
});

test('takes what had cleared by the cutoff to the instant, and what takes back whenever it came', async () => {
  const member = await payable(app, scope, client, 0);
  const lines = [await earn(app, scope, client, member, 6_000), await earn(app, scope, client, member, 9_000)];
  await app.database.asSuperuser("update commission_line set clears_at = '2026-03-01T00:00:00Z' where id = $1", [lines[0]]);
  await app.database.asSuperuser("update commission_line set clears_at = '2026-03-01T00:00:00.001Z' where id = $1", [lines[1]]);
  await earn(app, scope, client, member, -500);
  const run = await draft(client, { cutoffAt: '2026-03-01T00:00:00Z' });
  expect(run.payouts).toMatchObject([{ amountMinor: 5_500, commissionCount: 2 }]);
  await act(client, run.id, 'cancel');
  expect((await draft(client, { cutoffAt: '2026-02-28T23:59:59.999Z' })).blocked).toMatchObject([
    { reason: 'NEGATIVE_BALANCE', amountMinor: -500 },
  ]);
  const ahead = await client.post('/api/v1/payout-runs', {
    currency: 'USD',
    cutoffAt: new Date(Date.now() + 60_000).toISOString(),
  });
  expect(ahead.status).toBe(400);
  expect(ahead.body.details.fields).toEqual([{ field: 'cutoffAt', message: 'must not be in the future' }]);
});

test('goes by the clock of a SANDBOX', async () => {
  const sandbox = { ...scope, environment: 'SANDBOX' } as const;
  const sandboxClient = apiClient(app, tenant.sandboxKey);
  const member = await payable(app, sandbox, sandboxClient, 0, { activatedAt: new Date() });
  await earn(app, sandbox, sandboxClient, member, 5_000);
  expect((await draft(sandboxClient)).blocked).toMatchObject([{ reason: 'ACCOUNT_COOLDOWN' }]);
  await sandboxClient.post('/api/v1/sandbox/clock', { advanceSeconds: 86_401 });
  expect((await draft(sandboxClient)).payouts).toHaveLength(1);
});

test('leaves pending, held and reversed commissions, and other currencies, alone', async () => {
  const member = await payable(app, scope, client, 6_000);
  await plantAccount(app, scope, member.id, { currency: 'EUR', isPrimary: false });
  await earn(app, scope, client, member, 8_000, 'EUR');
  const held = await earn(app, scope, client, member, 9_000);
  const voided = await earn(app, scope, client, member, 9_000);
  await client.post(`/api/v1/commissions/${held}/hold`, {});
  await client.post(`/api/v1/commissions/${voided}/void`, {});
  await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: member.id } }));
  expect((await draft(client)).payouts).toMatchObject([{ amountMinor: 6_000 }]);
  expect((await draft(client, { currency: 'EUR' })).payouts).toMatchObject([{ amountMinor: 8_000 }]);
  expect(await draft(client, { currency: 'JPY' })).toMatchObject({ payoutCount: 0, blockedCount: 0, totalMinor: 0 });
});

test('a member who owes more than was earned is blocked, and named with what is owed', async () => {
  const member = await payable(app, scope, client, 4_000);
  await earn(app, scope, client, member, -9_000);
  const run = await draft(client);
  expect(run).toMatchObject({
    payoutCount: 0,
    blocked: [{ userId: member.id, reason: 'NEGATIVE_BALANCE', amountMinor: -5_000 }],
  });
  const listed = await client.get(`/api/v1/payout-runs/${run.id}/blocked?reason=NEGATIVE_BALANCE`);
  expect(listed.body).toEqual({ data: run.blocked, hasMore: false, nextCursor: null });
  expect((await client.get(`/api/v1/payout-runs/${run.id}/blocked?reason=INACTIVE`)).body.data).toEqual([]);
});

test('what comes to nothing is not paid', async () => {
  await plantPaymentSettings(app, scope, { provider: 'manual' });
  const member = await payable(app, scope, client, 4_000);
  await earn(app, scope, client, member, -4_000);
  expect((await draft(client)).blocked).toMatchObject([{ reason: 'BELOW_MINIMUM', amountMinor: 0 }]);
});

test('what one run has taken no other takes, until it is cancelled', async () => {
  const member = await payable(app, scope, client, 6_000);
  const first = await draft(client);
  expect(first.payoutCount).toBe(1);
  expect(await draft(client)).toMatchObject({ payoutCount: 0, blockedCount: 0 });
  await earn(app, scope, client, member, 7_000);
  const third = await draft(client);
  expect(third.payouts).toMatchObject([{ amountMinor: 7_000 }]);
  expect((await act(client, first.id, 'cancel')).body.status).toBe('cancelled');
  expect((await draft(client)).payouts).toMatchObject([{ amountMinor: 6_000 }]);
});

test('of drafts at once each commission is in one', async () => {
  for (let i = 0; i < 5; i++) await payable(app, scope, client, 6_000);
  const runs = await Promise.all(Array.from({ length: 6 }, () => draft(client)));
  expect(runs.map((run) => run.payoutCount).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 5]);
});

test('a dry run says what the run would be, and stores nothing', async () => {
  const member = await payable(app, scope, client, 6_000);
  const tablesBefore = await app.database.asSuperuser(
    'select (select count(*) from payout_run) as r, (select count(*) from payout) as p',
  );
  const dry = await client.post('/api/v1/payout-runs', { currency: 'USD', dryRun: true });
  expect(dry.status).toBe(200);
  expect(dry.headers['location']).toBeUndefined();
  expect(dry.body).toMatchObject({ id: null, status: 'draft', payoutCount: 1, totalMinor: 6_000 });
  expect(dry.body.payouts).toMatchObject([{ id: null, runId: null, userId: member.id }]);
  expect(
    await app.database.asSuperuser('select (select count(*) from payout_run) as r, (select count(*) from payout) as p'),
  ).toEqual(tablesBefore);
  expect(
    await app.database.asSuperuser("select from audit_log where object_kind = 'payout_run' and tenant_id = $1", [
      tenant.tenantId,
    ]),
  ).toEqual([]);
  expect((await draft(client)).payoutCount).toBe(1);
});

test('repeated under its Idempotency-Key it is the first draft', async () => {
  await payable(app, scope, client, 6_000);
  const headers = { 'idempotency-key': 'draft-1' };
  const [one, two] = [
    await client.post('/api/v1/payout-runs', { currency: 'USD' }, headers),
    await client.post('/api/v1/payout-runs', { currency: 'USD' }, headers),
  ];
  expect(two.text).toBe(one.text);
  expect(two.headers['idempotent-replayed']).toBe('true');
  const dry = { 'idempotency-key': 'dry-1' };
  const answers = [
    await client.post('/api/v1/payout-runs', { currency: 'USD', dryRun: true }, dry),
    await client.post('/api/v1/payout-runs', { currency: 'USD', dryRun: true }, dry),
  ];
  expect(answers[1]?.text).toBe(answers[0]?.text);
  expect((await client.get('/api/v1/payout-runs')).body.data).toHaveLength(1);
});

test('other tenants and the other environment see none of it', async () => {
  await payable(app, scope, client, 6_000);
  const run = await draft(client);
  const other = await app.newTenant();
  for (const key of [other.liveKey, tenant.sandboxKey]) {
    const stranger = apiClient(app, key);
    expect(await draft(stranger)).toMatchObject({ payoutCount: 0, blockedCount: 0 });
    expect((await stranger.get(`/api/v1/payouts?runId=${run.id}`)).body.data).toEqual([]);
    for (const path of [`/payout-runs/${run.id}`, `/payout-runs/${run.id}/blocked`, `/payouts/${run.payouts[0]?.id}`]) {
      expect((await stranger.get(`/api/v1${path}`)).body.code).toBe('NOT_FOUND');
    }
    expect((await act(stranger, run.id, 'approve')).body.code).toBe('NOT_FOUND');
  }
});
