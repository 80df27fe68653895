/** Payouts through a vendor that refuses, loses answers and changes its mind: the money moves once. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { booksOf } from '../../support/money/debts.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { createPayoutVendorDouble, type PayoutVendorDouble } from '../../support/payments/payout-vendor-double.ts';
import {
  checkAll,
  draft,
  earn,
  execute,
  payable,
  payoutOf,
  runJobs,
  runOf,
  startPayouts,
} from '../../support/payments/payout-world.ts';

let app: TestApp;
let client: ApiClient;
let scope: Scope;
let vendor: PayoutVendorDouble;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});
beforeEach(async () => {
  const tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
  vendor = createPayoutVendorDouble();
  await plantPaymentSettings(app, scope, {});
  // What the test before has left to do is not to meet the faults of this one.
  await app.database.asSuperuser("update pgboss.job set state = 'completed', completed_on = now() where state = 'created'");
});

const retry = (payoutId: string) => client.post(`/api/v1/payouts/${payoutId}/retry`, {});

/** One payout that is processing; nothing is sent yet. */
async function started(): Promise<{ member: MemberBody; payoutId: string; runId: string }> {
  const member = await payable(app, scope, client, 6_000, { provider: 'payvendor' });
  const run = await execute(client);
  await startPayouts(app, scope);
  return { member, payoutId: run.payouts[0]?.id ?? '', runId: run.id };
}

test('sends a transfer and a payout, each under its key, and settles when it is told to be paid', async () => {
  const { member, payoutId, runId } = await started();
  expect(await runJobs(app, vendor)).toBe(1);
  expect(vendor.calls).toEqual([
    { name: 'createTransfer', key: `tr:${payoutId}:1` },
    { name: 'createPayout', key: `po:${payoutId}:1` },
  ]);
  expect([...vendor.transfers.values()]).toMatchObject([
    {
      amountMinor: 6_000n,
      currency: 'USD',
      metadata: { tenant_id: scope.tenantId, environment: 'LIVE', user_id: member.id, payout_id: payoutId, attempt: '1' },
    },
  ]);
  expect((await payoutOf(client, payoutId)).status).toBe('processing');
  await checkAll(app, scope, vendor);
  expect((await payoutOf(client, payoutId)).status).toBe('processing');
  vendor.tell(payoutId, 'paid');
  await checkAll(app, scope, vendor);
  expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'paid', failureCode: null });
  expect(await booksOf(app, member)).toMatchObject({ cleared: 0, paid: 6_000 });
  expect((await runOf(client, runId)).status).toBe('completed');
  const before = vendor.calls.length;
  await checkAll(app, scope, vendor);
  expect(vendor.calls).toHaveLength(before);
});

test.each(['createTransfer', 'createPayout'] as const)(
  'an answer to %s that is lost is asked for again under its key',
  async (name) => {
    const { payoutId } = await started();
    vendor.outcome = 'paid';
    vendor.failNext(name, 'lost', 'dropped', 'lost');
    await runJobs(app, vendor);
    expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'processing', failureCode: 'PROVIDER_UNAVAILABLE' });
    for (let i = 0; i < 3; i++) await checkAll(app, scope, vendor);
    expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'paid', failureCode: null, failureMessage: null });
    expect([vendor.transfers.size, vendor.payouts.size]).toEqual([1, 1]);
    expect(vendor.stranded()).toBe(0n);
  },
);

test.each(['createTransfer', 'createPayout'] as const)(
  'an answer to %s that was lost a day ago is looked for: its key may be forgotten',
  async (name) => {
    const { payoutId } = await started();
    vendor.outcome = 'paid';
    vendor.failNext(name, 'lost');
    await runJobs(app, vendor);
    vendor.forgetKeys();
    await app.database.asSuperuser("update payout_attempt set started_at = now() - interval '23 hours' where payout_id = $1", [
      payoutId,
    ]);
    await checkAll(app, scope, vendor);
    expect((await payoutOf(client, payoutId)).status).toBe('paid');
    expect([vendor.transfers.size, vendor.payouts.size]).toEqual([1, 1]);
  },
);

test('what was never sent is sent after a day too', async () => {
  const { payoutId } = await started();
  vendor.outcome = 'paid';
  await app.database.asSuperuser("update payout_attempt set started_at = now() - interval '3 days' where payout_id = $1", [
    payoutId,
  ]);
  // Alone: a second job beside it may rightly ask about what this one has just sent.
  expect(await runJobs(app, vendor)).toBe(1);
  expect((await payoutOf(client, payoutId)).status).toBe('paid');
  expect(vendor.calls.map(({ name }) => name)).toEqual(['findTransfer', 'createTransfer', 'findPayout', 'createPayout']);
});

test('a transfer that is refused has failed, and nothing was moved', async () => {
  const { member, payoutId, runId } = await started();
  vendor.failNext('createTransfer', 'refused');
  await runJobs(app, vendor);
  expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'failed', failureCode: 'refused' });
  expect(await booksOf(app, member)).toMatchObject({ cleared: 6_000, paid: 0 });
  expect((await runOf(client, runId)).status).toBe('partially_failed');
  expect(vendor.transfers.size).toBe(0);
});

test('a payout that is refused, or fails at the bank, is taken back before it is retried', async () => {
  const { member, payoutId, runId } = await started();
  vendor.failNext('createPayout', 'refused');
  vendor.failNext('reverseTransfer', 'lost', 'dropped');
  await runJobs(app, vendor);
  expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'processing', failureCode: 'PROVIDER_UNAVAILABLE' });
  await checkAll(app, scope, vendor);
  expect((await payoutOf(client, payoutId)).status).toBe('processing');
  await checkAll(app, scope, vendor);
  expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'failed', failureCode: 'refused' });
  expect(vendor.stranded()).toBe(0n);

  expect((await retry(payoutId)).status).toBe(200);
  await startPayouts(app, scope);
  vendor.outcome = 'failed';
  await runJobs(app, vendor);
  expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'failed', failureCode: 'account_closed', attempt: 2 });
  expect(vendor.stranded()).toBe(0n);

  vendor.outcome = 'paid';
  await retry(payoutId);
  await startPayouts(app, scope);
  await runJobs(app, vendor);
  expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'paid', attempt: 3 });
  expect(vendor.netTo(payoutId)).toBe(6_000n);
  expect(vendor.stranded()).toBe(0n);
  expect(await booksOf(app, member)).toMatchObject({ cleared: 0, paid: 6_000 });
  expect((await runOf(client, runId)).status).toBe('completed');
});

describe('a reversal that the vendor refuses', () => {
  const reversalKeys = () => vendor.calls.filter(({ name }) => name === 'reverseTransfer').map(({ key }) => key);

  test('is asked for by another key, for the vendor repeats its answer; until then nothing has failed', async () => {
    const { member, payoutId } = await started();
    vendor.outcome = 'failed';
    vendor.failNext('reverseTransfer', 'no_funds', 'refused');
    await runJobs(app, vendor);
    const held = { status: 'processing', failureCode: 'reversal_refused' };
    expect(await payoutOf(client, payoutId)).toMatchObject({
      ...held,
      failureMessage: 'The payment provider does not take the transfer back: insufficient_funds',
    });
    await checkAll(app, scope, vendor);
    expect(await payoutOf(client, payoutId)).toMatchObject(held);
    expect(await booksOf(app, member)).toMatchObject({ cleared: 0, paid: 0 });
    await checkAll(app, scope, vendor);
    expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'failed', failureCode: 'account_closed' });
    expect(reversalKeys()).toEqual([`rev:${payoutId}:1`, `rev:${payoutId}:1:1`, `rev:${payoutId}:1:2`]);
    expect([vendor.stranded(), vendor.payouts.size, vendor.transfers.size]).toEqual([0n, 1, 1]);
    expect(await booksOf(app, member)).toMatchObject({ cleared: 6_000, paid: 0 });
  });

  test('keeps its key where the answer was lost, before a refusal and behind it', async () => {
    const { payoutId } = await started();
    vendor.failNext('createPayout', 'refused');
    vendor.failNext('reverseTransfer', 'dropped', 'no_funds', 'lost');
    await runJobs(app, vendor);
    for (let i = 0; i < 3; i++) await checkAll(app, scope, vendor);
    expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'failed', failureCode: 'refused' });
    const [first, second] = [`rev:${payoutId}:1`, `rev:${payoutId}:1:1`];
    expect(reversalKeys()).toEqual([first, first, second, second]);
    expect(vendor.stranded()).toBe(0n);
  });

  test('counts anew when the payout is retried', async () => {
    const { payoutId } = await started();
    vendor.outcome = 'failed';
    vendor.failNext('reverseTransfer', 'refused');
    await runJobs(app, vendor);
    await checkAll(app, scope, vendor);
    await retry(payoutId);
    await startPayouts(app, scope);
    await runJobs(app, vendor);
    expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'failed', attempt: 2 });
    expect(reversalKeys()).toEqual([`rev:${payoutId}:1`, `rev:${payoutId}:1:1`, `rev:${payoutId}:2`]);
    expect(vendor.stranded()).toBe(0n);
  });
});

test('a paid payout that fails after all is taken back, returned, and paid by the next run', async () => {
  const { member, payoutId } = await started();
  vendor.outcome = 'paid';
  await runJobs(app, vendor);
  expect((await payoutOf(client, payoutId)).status).toBe('paid');
  vendor.tell(payoutId, 'failed', 'account_closed');
  // As the provider's event does.
  await app.database.asSuperuser('update payout set check_at = now() where id = $1', [payoutId]);
  await checkAll(app, scope, vendor);
  expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'returned', failureCode: 'account_closed' });
  expect(await booksOf(app, member)).toMatchObject({ cleared: 6_000, paid: 0 });
  expect(vendor.stranded()).toBe(0n);
  expect((await draft(client)).payouts).toMatchObject([{ userId: member.id, amountMinor: 6_000 }]);
});

test('a refused key fails nothing: it is tried again until the settings are right', async () => {
  const { payoutId } = await started();
  vendor.failNext('createTransfer', 'unauthorized');
  await runJobs(app, vendor);
  expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'processing', failureCode: 'PROVIDER_CONFIGURATION' });
  vendor.outcome = 'paid';
  await checkAll(app, scope, vendor);
  expect((await payoutOf(client, payoutId)).status).toBe('paid');
});

test('money that has not reached the connected account yet is waited for, by a fresh key each time', async () => {
  const { payoutId } = await started();
  vendor.outcome = 'paid';
  vendor.failNext('createPayout', 'no_funds', 'no_funds');
  await runJobs(app, vendor);
  expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'processing', failureCode: 'funds_not_arrived' });
  await checkAll(app, scope, vendor);
  await checkAll(app, scope, vendor);
  expect((await payoutOf(client, payoutId)).status).toBe('paid');
  const keys = vendor.calls.filter(({ name }) => name === 'createPayout').map(({ key }) => key);
  expect(keys).toEqual([`po:${payoutId}:1`, `po:${payoutId}:1:1`, `po:${payoutId}:1:2`]);
  expect(vendor.payouts.size).toBe(1);
});

test('while a job is at it, the same job and a check ask for nothing', async () => {
  for (let i = 0; i < 20; i++) await payable(app, scope, client, 6_000, { provider: 'payvendor' });
  await execute(client);
  await startPayouts(app, scope);
  const [job] = await app.database.asSuperuser(
    "select data from pgboss.job where name = 'advance-payouts' and state = 'created'",
  );
  vendor.outcome = 'paid';
  let others: Promise<number> | undefined;
  const runOthers = async (): Promise<number> => {
    await app.database.asSuperuser("insert into pgboss.job (name, data) values ('advance-payouts', $1)", [job?.['data']]);
    await app.database.asSuperuser("update payout set check_at = now() where tenant_id = $1 and status = 'processing'", [
      scope.tenantId,
    ]);
    await app.runSweep('check-payouts', scope);
    vendor.meanwhile = undefined;
    return runJobs(app, vendor);
  };
  vendor.meanwhile = () => (others ??= runOthers());
  expect(await runJobs(app, vendor)).toBe(1);
  expect(await others).toBe(2);
  // Whichever job came to a payout first: two calls each, and none a second time.
  const orders = vendor.calls.filter(({ name }) => name === 'createTransfer' || name === 'createPayout');
  expect([vendor.transfers.size, vendor.payouts.size, orders.length]).toEqual([20, 20, 40]);
  const rows = await app.database.asSuperuser('select distinct status from payout where tenant_id = $1', [scope.tenantId]);
  expect(rows).toEqual([{ status: 'paid' }]);
});

test('with answers lost at random nothing is left open and nothing is paid twice', async () => {
  for (let i = 0; i < 40; i++) await payable(app, scope, client, 6_000, { provider: 'payvendor' });
  const run = await execute(client);
  await startPayouts(app, scope);
  vendor.lostRate = 0.3;
  vendor.outcome = 'paid';
  await runJobs(app, vendor);
  for (let i = 0; i < 15; i++) await checkAll(app, scope, vendor);
  expect(await runOf(client, run.id)).toMatchObject({ status: 'completed', byStatus: [{ status: 'paid', count: 40 }] });
  expect([vendor.transfers.size, vendor.payouts.size]).toEqual([40, 40]);
  expect(vendor.stranded()).toBe(0n);
});

test('payouts of the provider are not settled by hand', async () => {
  const { payoutId } = await started();
  for (const [deed, body] of [
    ['settle', { reference: 'x' }],
    ['return', { reason: 'x' }],
  ] as const) {
    const answer = await client.post(`/api/v1/payouts/${payoutId}/${deed}`, body);
    expect(answer).toMatchObject({ status: 409, body: { error: 'The payment vendor tells what becomes of this payout' } });
  }
});

describe('what the vendor has refused for good', () => {
  test.each(['lost', 'refused'] as const)('is never asked for again, though its reversal is %s for a day', async (fault) => {
    const { member, payoutId: first } = await started();
    vendor.failNext('createPayout', 'refused');
    vendor.failNext('reverseTransfer', fault);
    await runJobs(app, vendor);
    await app.database.asSuperuser("update payout_attempt set started_at = now() - interval '24 hours' where payout_id = $1", [
      first,
    ]);
    vendor.forgetKeys();
    // Another one's money is on the same connected account by now.
    await earn(app, scope, client, member, 6_000);
    const second = (await execute(client)).payouts[0]?.id ?? '';
    await startPayouts(app, scope);
    vendor.failNext('createPayout', 'no_funds');
    await runJobs(app, vendor);
    vendor.calls.length = 0;
    await app.database.asSuperuser('update payout set check_at = now(), claimed_until = null where id = $1', [first]);
    await app.runSweep('check-payouts', scope);
    await runJobs(app, vendor);
    expect(vendor.calls.map(({ name }) => name)).toEqual(['reverseTransfer']);
    expect(await payoutOf(client, first)).toMatchObject({ status: 'failed', failureCode: 'refused' });
    await checkAll(app, scope, vendor);
    expect([vendor.netTo(first), vendor.netTo(second), vendor.reversals.length]).toEqual([0n, 6_000n, 1]);
  });
});
