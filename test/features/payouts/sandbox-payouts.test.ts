/** A SANDBOX without a provider account pays through the simulated provider: from the account to the books, by the jobs themselves. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { newAccount, newPayee } from '../../support/payments/payout-accounts.ts';
import { approveKyc, earn, execute, payoutOf } from '../../support/payments/payout-world.ts';

let app: TestApp;
let tenant: TestTenant;
let scope: Scope;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp({ JOBS: 'inline', SWEEP_INTERVAL_MS: '50' });
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'SANDBOX' };
  client = apiClient(app, tenant.sandboxKey);
  await plantPaymentSettings(app, scope, { accountCooldownHours: 0 });
});
afterAll(() => app.close());

const US_PROFILE = {
  countryCode: 'USA',
  address: { addressLine1: '1 Main St', city: 'Austin', state: 'TX', postalCode: '78701' },
};

/** A member with 100 USD to be paid to an account whose number ends so. */
async function payeeWith(lastFour: string): Promise<MemberBody> {
  const member = await newPayee(client, US_PROFILE);
  await approveKyc(app, member.id);
  const bankAccount = { accountHolderName: 'Ada Example', routingNumber: '110000000', accountNumber: `00012345${lastFour}` };
  await newAccount(client, member.id, { methodType: 'us_bank_transfer', currency: 'USD', bankAccount });
  await earn(app, scope, client, member, 10_000);
  return member;
}

async function payTo(lastFour: string): Promise<{ payoutId: string; runId: string; member: MemberBody }> {
  const member = await payeeWith(lastFour);
  const run = await execute(client);
  const payout = run.payouts.find(({ userId }) => userId === member.id);
  if (!payout) throw new Error(`the member is not in the run: ${JSON.stringify(run.blocked)}`);
  return { payoutId: payout.id, runId: run.id, member };
}

/** The provider is asked at once what became of it, not after some seconds. */
async function until(payoutId: string, status: string): Promise<Awaited<ReturnType<typeof payoutOf>>> {
  await untilSent(payoutId);
  await app.database.asSuperuser('update payout set check_at = now() where id = $1', [payoutId]);
  for (;;) {
    const payout = await payoutOf(client, payoutId);
    if (payout.status === status) return payout;
    await sleep(50);
  }
}

/** Until the provider has been given it. */
async function untilSent(payoutId: string): Promise<void> {
  for (let sent = false; !sent; ) {
    const rows = await app.database.asSuperuser(
      'select from payout_attempt where payout_id = $1 and provider_payout_id is not null',
      [payoutId],
    );
    sent = rows.length > 0;
    if (!sent) await sleep(50);
  }
}

const balanceOf = async ({ id }: MemberBody) =>
  (await client.get(`/api/v1/users/status?user_id=${id}`)).body.commission_balance as Record<string, number>;
const tell = (payoutId: string, outcome: string) =>
  client.post('/api/v1/sandbox/vendor-events', { kind: 'payout', payoutId, outcome });

describe('by its number an account', () => {
  test('is paid', async () => {
    const { payoutId, member } = await payTo('6789');
    expect(await until(payoutId, 'paid')).toMatchObject({ amountMinor: 10_000, attempt: 1 });
    expect(await balanceOf(member)).toMatchObject({ pending: 0, cleared: 0, paid: 100 });
  });

  test('fails: the commission is cleared again', async () => {
    const { payoutId, member } = await payTo('0003');
    expect(await until(payoutId, 'failed')).toMatchObject({ failureCode: 'account_closed' });
    expect(await balanceOf(member)).toMatchObject({ cleared: 100, paid: 0 });
  });
});

describe('told by POST /sandbox/vendor-events, a payout that stays on its way', () => {
  test.each([
    ['paid', 'paid', { cleared: 0, paid: 100 }],
    ['failed', 'failed', { cleared: 100, paid: 0 }],
  ])('is %s, once', async (outcome, status, balance) => {
    const { payoutId, member } = await payTo('0001');
    await untilSent(payoutId);
    const answer = await tell(payoutId, outcome);
    expect([answer.status, answer.body]).toEqual([200, { kind: 'payout', payoutId, status, effect: 'applied' }]);
    expect((await tell(payoutId, outcome)).body).toMatchObject({ effect: 'no_change' });
    expect(await balanceOf(member)).toMatchObject(balance);
  });

  test('comes back after it was paid', async () => {
    const { payoutId, member } = await payTo('0001');
    await untilSent(payoutId);
    await tell(payoutId, 'paid');
    expect((await tell(payoutId, 'returned')).body).toMatchObject({ status: 'returned', effect: 'applied' });
    expect(await balanceOf(member)).toMatchObject({ cleared: 100, paid: 0 });
  });

  test('of another tenant, and in LIVE, is not there', async () => {
    const { payoutId } = await payTo('0001');
    const other = await app.newTenant();
    const foreign = await apiClient(app, other.sandboxKey).post('/api/v1/sandbox/vendor-events', {
      kind: 'payout',
      payoutId,
      outcome: 'paid',
    });
    expect([foreign.status, foreign.body.code]).toEqual([404, 'NOT_FOUND']);
    const live = await apiClient(app, tenant.liveKey).post('/api/v1/sandbox/vendor-events', {
      kind: 'payout',
      payoutId,
      outcome: 'paid',
    });
    expect([live.status, live.body.code]).toEqual([403, 'ENVIRONMENT_MISMATCH']);
  });
});

test('the doctor finds nothing wrong with any of it', async () => {
  await expectSoundBooks(app);
});
