/** What stands between a member and its next payout. Source: docs/specification/payouts.md#readiness. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { newAccount, newIban, newPayee, sepaAccount } from '../../support/payments/payout-accounts.ts';
import {
  act,
  approveKyc,
  draft,
  earn,
  execute,
  payable,
  plantAccount,
  startPayouts,
} from '../../support/payments/payout-world.ts';
import { readinessOf, readinessPath, requirementOf, standingOf } from '../../support/payments/readiness.ts';

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

const sql = (text: string, ...values: unknown[]) => app.database.asSuperuser(text, values);
const holdPath = (memberId: string) => `/api/v1/members/${memberId}/payout-hold`;

/** What brings a reason upon a member whom nothing else keeps from being paid 100 USD. */
const CAUSES: Record<string, (member: MemberBody) => Promise<unknown>> = {
  TEST_USER: ({ id }) => sql('update member set is_test_user = true where id = $1', id),
  HELD: ({ id }) => client.put(holdPath(id), { reason: 'Asked by the bank' }),
  BELOW_MINIMUM: (member) => earn(app, scope, client, member, -5_001),
  NO_ACCOUNT: ({ id }) => sql("update payout_account set status = 'action_required' where member_id = $1", id),
  KYC_REQUIRED: ({ id }) => sql('update member set kyc_approved_at = null where id = $1', id),
  NEGATIVE_BALANCE: (member) => earn(app, scope, client, member, -20_000),
  ACCOUNT_COOLDOWN: ({ id }) => sql('update payout_account set activated_at = now() where member_id = $1', id),
  NAME_MISMATCH: ({ id }) => sql("update payout_account set name_match = 'mismatch' where member_id = $1", id),
};
const REASONS = Object.keys(CAUSES);
/** Of these pairs one alone is told: there is no account to say the other of, or what was below the minimum is below nothing. */
const SILENT = new Set(['NO_ACCOUNT ACCOUNT_COOLDOWN', 'NO_ACCOUNT NAME_MISMATCH', 'BELOW_MINIMUM NEGATIVE_BALANCE']);

async function firstOfDraft(memberId: string, fields: object = {}): Promise<string | undefined> {
  const { body } = await client.post('/api/v1/payout-runs', { currency: 'USD', dryRun: true, ...fields });
  const blocked = body.blocked as { userId: string; reason: string }[];
  return blocked.find(({ userId }) => userId === memberId)?.reason;
}

describe('what is missing', () => {
  test('is nothing where a run would pay', async () => {
    const member = await payable(app, scope, client, 10_000);
    expect(await readinessOf(client, member.id)).toEqual({
      userId: member.id,
      asOf: expect.any(String),
      requirements: [{ currency: 'USD', dueMinor: 10_000, minimumMinor: 5_000, state: 'ready', missing: [], payout: null }],
      lastPaid: null,
    });
    expect((await draft(client)).payouts).toMatchObject([{ userId: member.id, amountMinor: 10_000 }]);
  });

  test.each(REASONS)('is %s alone', async (reason) => {
    const member = await payable(app, scope, client, 10_000);
    await CAUSES[reason]?.(member);
    expect(await standingOf(client, member.id)).toBe(`blocked: ${reason}`);
    expect(await firstOfDraft(member.id)).toBe(reason);
  });

  const pairs = REASONS.flatMap((one, index) => REASONS.slice(index + 1).map((two) => [one, two] as const));
  test.each(pairs)('is %s with %s', async (one, two) => {
    const member = await payable(app, scope, client, 10_000);
    await CAUSES[one]?.(member);
    await CAUSES[two]?.(member);
    const expected = SILENT.has(`${one} ${two}`) ? [one === 'BELOW_MINIMUM' ? two : one] : [one, two];
    expect(await standingOf(client, member.id)).toBe(`blocked: ${expected.join(', ')}`);
    expect(await firstOfDraft(member.id)).toBe(expected[0]);
  });

  test('is NO_MINIMUM in a currency without one, whatever is due; and BELOW_MINIMUM where that comes to nothing', async () => {
    const member = await payable(app, scope, client, 10_000, { currency: 'LBP' });
    expect(await requirementOf(client, member.id, 'LBP')).toMatchObject({ minimumMinor: null, missing: ['NO_MINIMUM'] });
    await earn(app, scope, client, member, -15_000, 'LBP');
    expect(await standingOf(client, member.id, 'LBP')).toBe('blocked: NO_MINIMUM, NEGATIVE_BALANCE');
    await earn(app, scope, client, member, 5_000, 'LBP');
    expect(await requirementOf(client, member.id, 'LBP')).toMatchObject({
      dueMinor: 0,
      state: 'blocked',
      missing: ['BELOW_MINIMUM'],
    });
    expect(await firstOfDraft(member.id, { currency: 'LBP' })).toBe('BELOW_MINIMUM');
  });

  test('is AMOUNT_NOT_PAYABLE of a fraction that the vendor does not pay out, unless the amount must change anyway', async () => {
    await plantPaymentSettings(app, scope, { provider: 'payvendor' });
    const member = await payable(app, scope, client, 1_700_001, { provider: 'payvendor', currency: 'HUF' });
    expect(await standingOf(client, member.id, 'HUF')).toBe('blocked: AMOUNT_NOT_PAYABLE');
    await earn(app, scope, client, member, -300_000, 'HUF');
    expect(await standingOf(client, member.id, 'HUF')).toBe('blocked: BELOW_MINIMUM');
    await earn(app, scope, client, member, -3_000_000, 'HUF');
    expect(await standingOf(client, member.id, 'HUF')).toBe('blocked: NEGATIVE_BALANCE');
  });

  test('follows the settings: no KYC, no cool-down, another provider', async () => {
    const member = await client.newMember();
    await plantAccount(app, scope, member.id, { activatedAt: new Date() });
    await earn(app, scope, client, member, 5_000);
    expect(await standingOf(client, member.id)).toBe('blocked: KYC_REQUIRED, ACCOUNT_COOLDOWN');
    await plantPaymentSettings(app, scope, { provider: 'manual', requireKyc: false, accountCooldownHours: 0 });
    expect(await standingOf(client, member.id)).toBe('ready: ');
    await plantPaymentSettings(app, scope, { provider: 'payvendor', requireKyc: false, accountCooldownHours: 0 });
    expect(await standingOf(client, member.id)).toBe('blocked: NO_ACCOUNT');
  });

  test('follows the account that a run would choose, and a verification that fell', async () => {
    const member = await payable(app, scope, client, 10_000, { isPrimary: false });
    await plantAccount(app, scope, member.id, { isPrimary: false, activatedAt: new Date() });
    expect(await standingOf(client, member.id)).toBe('blocked: ACCOUNT_COOLDOWN');
    await sql('update kyc_record set identity_changed_at = now() where member_id = $1', member.id);
    expect(await standingOf(client, member.id)).toBe('blocked: KYC_REQUIRED, ACCOUNT_COOLDOWN');
  });

  test('is told of names as the next draft will have compared them, and nothing is written', async () => {
    const member = await newPayee(client);
    await newAccount(
      client,
      member.id,
      sepaAccount(undefined, { bankAccount: { accountHolderName: 'Eve Other', iban: newIban() } }),
    );
    await sql(
      "update payout_account set activated_at = now() - interval '3 days', destination_since = null where member_id = $1",
      member.id,
    );
    await earn(app, scope, client, member, 10_000, 'EUR');
    await approveKyc(app, member.id);
    const matches = () => sql('select name_match from payout_account where member_id = $1', member.id);
    const before = await matches();
    expect(await standingOf(client, member.id, 'EUR')).toBe('blocked: NAME_MISMATCH');
    await client.patch(`/api/v1/members/${member.id}/profile`, {
      givenName: 'Eve',
      surname: 'Other',
      keepVerification: { reason: 'Typed wrongly' },
    });
    expect(await standingOf(client, member.id, 'EUR')).toBe('ready: ');
    expect(await matches()).toEqual(before);
    expect(await firstOfDraft(member.id, { currency: 'EUR' })).toBeUndefined();
  });

  test('of a member to whom nothing is due is what would stop any amount', async () => {
    const member = await client.newMember();
    expect(await requirementOf(client, member.id)).toEqual({
      currency: 'USD',
      dueMinor: 0,
      minimumMinor: 5_000,
      state: 'nothing_due',
      missing: ['NO_ACCOUNT', 'KYC_REQUIRED'],
      payout: null,
    });
    await approveKyc(app, member.id);
    await plantAccount(app, scope, member.id);
    expect(await standingOf(client, member.id)).toBe('nothing_due: ');
    await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: member.id } }));
    expect(await standingOf(client, member.id)).toBe('nothing_due: ');
    expect(await standingOf(client, member.id, 'LBP')).toBe('nothing_due: NO_MINIMUM, NO_ACCOUNT');
  });
});

describe('what is on its way', () => {
  test('is shown while it is queued and processing, then as what was paid last; what comes back is due again', async () => {
    const member = await payable(app, scope, client, 10_000);
    const run = await execute(client);
    const payout = run.payouts[0];
    const shown = { id: payout?.id, runId: run.id, amountMinor: 10_000, currency: 'USD', createdAt: expect.any(String) };
    expect(await requirementOf(client, member.id)).toEqual({
      currency: 'USD',
      dueMinor: 0,
      minimumMinor: 5_000,
      state: 'in_payout',
      missing: [],
      payout: { ...shown, status: 'queued' },
    });
    await startPayouts(app, scope);
    expect((await requirementOf(client, member.id)).payout).toMatchObject({ status: 'processing' });
    await client.put(holdPath(member.id), { reason: 'Look' });
    expect(await standingOf(client, member.id)).toBe('in_payout: HELD');
    await client.delete(holdPath(member.id));

    expect((await client.post(`/api/v1/payouts/${payout?.id}/settle`, { reference: 'BANK-1' })).status).toBe(200);
    const paid = await readinessOf(client, member.id);
    expect(paid.requirements).toMatchObject([{ state: 'nothing_due', payout: null }]);
    expect(paid.lastPaid).toEqual({ amountMinor: 10_000, currency: 'USD', paidAt: expect.any(String) });
    expect((await readinessOf(client, member.id, 'EUR')).lastPaid).toBeNull();

    expect((await client.post(`/api/v1/payouts/${payout?.id}/return`, { reason: 'Closed' })).status).toBe(200);
    expect(await readinessOf(client, member.id)).toMatchObject({
      requirements: [{ state: 'ready', dueMinor: 10_000, payout: null }],
      lastPaid: null,
    });
  });

  test('stands beside what else is due; of several the oldest is shown', async () => {
    const member = await payable(app, scope, client, 10_000);
    const first = await draft(client);
    await earn(app, scope, client, member, 3_000);
    expect(await requirementOf(client, member.id)).toMatchObject({
      state: 'blocked',
      missing: ['BELOW_MINIMUM'],
      dueMinor: 3_000,
      payout: { amountMinor: 10_000 },
    });
    await earn(app, scope, client, member, 4_000);
    await draft(client);
    expect(await requirementOf(client, member.id)).toMatchObject({ state: 'in_payout', payout: { id: first.payouts[0]?.id } });
    await act(client, first.id, 'cancel');
    expect(await requirementOf(client, member.id)).toMatchObject({
      state: 'ready',
      dueMinor: 10_000,
      payout: { amountMinor: 7_000 },
    });
  });
});

describe('currencies', () => {
  test('are the default one, those of what is due and those of what is on its way, in their order', async () => {
    const member = await payable(app, scope, client, 0);
    expect((await readinessOf(client, member.id)).requirements.map(({ currency }) => currency)).toEqual(['USD']);
    await plantAccount(app, scope, member.id, { currency: 'JPY', isPrimary: false });
    await earn(app, scope, client, member, 9_000, 'JPY');
    await draft(client, { currency: 'JPY' });
    await earn(app, scope, client, member, 8_000, 'EUR');
    await earn(app, scope, client, member, 90_000, 'ZAR');
    const held = await earn(app, scope, client, member, 8_000, 'GBP');
    await client.post(`/api/v1/commissions/${held}/hold`, {});
    const { requirements } = await readinessOf(client, member.id);
    expect(requirements.map(({ currency, state, dueMinor }) => `${currency} ${state} ${dueMinor}`)).toEqual([
      'EUR blocked 8000',
      'JPY in_payout 0',
      'USD nothing_due 0',
      'ZAR blocked 90000',
    ]);
    expect(requirements.map(({ minimumMinor }) => minimumMinor)).toEqual([5_000, 5_000, 5_000, 90_000]);
  });
});

test('goes by the clock of a SANDBOX, where a test member is paid like any other', async () => {
  const sandbox: Scope = { ...scope, environment: 'SANDBOX' };
  const own = apiClient(app, tenant.sandboxKey);
  const member = await payable(app, sandbox, own, 0, { activatedAt: new Date() });
  await own.patch(`/api/v1/users/${member.id}`, { is_test_user: true });
  await earn(app, sandbox, own, member, 5_000);
  await own.put(holdPath(member.id), { reason: 'Look', until: new Date(Date.now() + 3_600_000).toISOString() });
  expect(await standingOf(own, member.id)).toBe('blocked: HELD, ACCOUNT_COOLDOWN');
  await own.post('/api/v1/sandbox/clock', { advanceSeconds: 3_601 });
  expect(await standingOf(own, member.id)).toBe('blocked: ACCOUNT_COOLDOWN');
  const { body: clock } = await own.post('/api/v1/sandbox/clock', { advanceSeconds: 86_400 });
  const { asOf, requirements } = await readinessOf(own, member.id);
  expect(requirements).toMatchObject([{ state: 'ready', dueMinor: 5_000 }]);
  expect(Math.abs(Date.parse(asOf) - Date.parse(clock.now))).toBeLessThan(60_000);
});

test('what a member is told of itself is what the key is told', async () => {
  const member = await payable(app, scope, client, 10_000);
  await execute(client);
  await earn(app, scope, client, member, 7_000);
  const authorization = `Bearer ${(await plantSession(app, scope, member.id)).accessToken}`;
  const byMember = async () => {
    const answer = await client.get(readinessPath(member.id), { authorization });
    expect(answer.status, answer.text).toBe(200);
    return { ...answer.body, asOf: null };
  };
  for (const cause of [undefined, 'HELD', 'KYC_REQUIRED', 'NAME_MISMATCH', 'TEST_USER', 'NO_ACCOUNT']) {
    if (cause) await CAUSES[cause]?.(member);
    expect(await byMember()).toEqual({ ...(await readinessOf(client, member.id)), asOf: null });
  }
  expect(JSON.stringify(await byMember())).not.toContain('Asked by the bank');
});

test('is nobody else’s: other members, tenants, environments, keys without the right', async () => {
  const member = await payable(app, scope, client, 10_000);
  const other = await client.newMember();
  const authorization = `Bearer ${(await plantSession(app, scope, other.id)).accessToken}`;
  expectRefusal(await client.get(readinessPath(member.id), { authorization }), 403, 'FORBIDDEN');
  const stranger = await app.newTenant();
  for (const key of [stranger.liveKey, stranger.sandboxKey, tenant.sandboxKey]) {
    expectRefusal(await apiClient(app, key).get(readinessPath(member.id)), 404, 'USER_NOT_FOUND');
  }
  expectRefusal(await client.get(readinessPath(randomUUID())), 404, 'USER_NOT_FOUND');
  expectRefusal(await client.get(readinessPath('x')), 400, 'VALIDATION_ERROR');
  expectRefusal(await client.get(readinessPath(member.id, 'DOLLARS')), 400, 'VALIDATION_ERROR');
  const { body } = await client.post('/api/v1/admin/api-keys', { name: 'weak', scopes: ['accounts:read'] });
  expectRefusal(await apiClient(app, body.apiKey).get(readinessPath(member.id)), 403, 'FORBIDDEN');
});
