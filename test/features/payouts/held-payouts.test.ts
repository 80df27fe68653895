/** Payouts of a tenant that has no account with the vendor any more: they wait, say so, and are neither paid nor failed. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { runJobs as runOwnJobs } from '../../support/jobs/run-jobs.ts';
import { booksOf } from '../../support/money/debts.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { createPayoutVendorDouble } from '../../support/payments/payout-vendor-double.ts';
import { checkAll, execute, payable, payoutOf, runJobs, runOf, startPayouts } from '../../support/payments/payout-world.ts';

/** Complete, but for the vendor being chosen. */
const newKey = { payments: { provider: 'manual', payvendor: { secretKey: 'sk_live_given' } } };
const HELD = { status: 'processing', failureCode: 'PROVIDER_CONFIGURATION' };

let app: TestApp;
let client: ApiClient;
let scope: Scope;

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
  await plantPaymentSettings(app, scope);
  app.logLines.length = 0;
});

async function started(count: number): Promise<{ members: MemberBody[]; payoutIds: string[]; runId: string }> {
  const members: MemberBody[] = [];
  for (let i = 0; i < count; i++) members.push(await payable(app, scope, client, 6_000, { provider: 'payvendor' }));
  const run = await execute(client);
  await startPayouts(app, scope);
  return { members, payoutIds: run.payouts.map(({ id }) => id), runId: run.id };
}

/** Seconds until each is due, to the minute below an hour and to the quarter of an hour above. */
async function waits(): Promise<number[]> {
  const rows = await app.database.asSuperuser<{ seconds: number }>(
    `select extract(epoch from check_at - now())::float8 as seconds from payout where tenant_id = $1 and check_at is not null order by id`,
    [scope.tenantId],
  );
  return rows.map(({ seconds }) => Math.abs(seconds > 3_600 ? Math.round(seconds / 900) * 900 : Math.round(seconds / 60) * 60));
}

const warnings = () => app.logLines.filter((line) => line.includes('payouts wait for the payment settings'));

/** The service's own job, which asks for the tenant's own account. */
async function comeBack(): Promise<void> {
  await app.database.asSuperuser('update payout set check_at = now() where check_at is not null and tenant_id = $1', [
    scope.tenantId,
  ]);
  await app.runSweep('check-payouts', scope);
  await runOwnJobs(app, 'advance-payouts');
}

test('all of a job wait together, at last six hours each time, and one line says so', async () => {
  const { members, payoutIds, runId } = await started(20);
  await runOwnJobs(app, 'advance-payouts');
  expect(warnings()).toHaveLength(1);
  expect(warnings()[0]).toContain('"payouts":20');
  expect(warnings()[0]).toContain(scope.tenantId);
  for (const id of payoutIds) {
    expect(await payoutOf(client, id)).toMatchObject({
      ...HELD,
      failureMessage: 'The payment provider cannot be used as it is set up',
    });
  }
  const seen: number[] = [];
  for (let i = 0; i < 7; i++) {
    await comeBack();
    const now = new Set(await waits());
    expect(now.size).toBe(1);
    seen.push(...now);
  }
  expect(seen.slice(2)).toEqual([600, 3600, 21_600, 21_600, 21_600]);
  expect(warnings()).toHaveLength(8);
  // Nobody has said that it was paid, or that it was not.
  expect(await runOf(client, runId)).toMatchObject({ status: 'executing', byStatus: [{ status: 'processing', count: 20 }] });
  expect(await booksOf(app, members[0] as MemberBody)).toMatchObject({ cleared: 0, paid: 0 });
  expect((await client.post(`/api/v1/payouts/${payoutIds[0]}/retry`, {})).status).toBe(409);
});

test('the sweep leaves them alone until then', async () => {
  await started(3);
  await runOwnJobs(app, 'advance-payouts');
  for (let i = 0; i < 5; i++) await comeBack();
  expect(await app.runSweep('check-payouts', scope)).toBe(0);
});

test('a key that is given wakes them, and what was on its way is asked about', async () => {
  const { payoutIds } = await started(1);
  const [payoutId = ''] = payoutIds;
  const vendor = createPayoutVendorDouble();
  await runJobs(app, vendor);
  for (let i = 0; i < 6; i++) await comeBack();
  expect(await payoutOf(client, payoutId)).toMatchObject(HELD);
  const other = await app.newTenant();
  const patch = { payments: { payvendor: { secretKey: 'sk_live_given' } } };
  await apiClient(app, other.liveKey).patch('/api/v1/admin/settings', patch);
  expect(await waits()).toEqual([21_600]);
  expect((await client.patch('/api/v1/admin/settings', { payments: { dualControl: true, provider: 'manual' } })).status).toBe(
    200,
  );
  expect(await waits()).toEqual([21_600]);
  const given = await client.patch('/api/v1/admin/settings', patch);
  expect(`${given.status} ${given.text}`).toContain('200 ');
  expect(await waits()).toEqual([0]);
  expect(await app.runSweep('check-payouts', scope)).toBe(1);
  vendor.tell(payoutId, 'paid');
  await runJobs(app, vendor);
  expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'paid', failureCode: null, failureMessage: null });
  expect([vendor.transfers.size, vendor.payouts.size]).toEqual([1, 1]);
});

test('what the vendor of these settings does not know waits as long, and is not given up', async () => {
  const { payoutIds } = await started(1);
  const [payoutId = ''] = payoutIds;
  const vendor = createPayoutVendorDouble();
  await runJobs(app, vendor);
  const stranger = createPayoutVendorDouble();
  for (let i = 0; i < 7; i++) await checkAll(app, scope, stranger);
  expect(await payoutOf(client, payoutId)).toMatchObject({
    ...HELD,
    failureMessage: 'The provider does not know a payout that it has made',
  });
  expect(await waits()).toEqual([21_600]);
  expect([stranger.transfers.size, stranger.payouts.size]).toEqual([0, 0]);
});

test('what a job has in hand another one does not hold up', async () => {
  const { payoutIds } = await started(1);
  await app.database.asSuperuser("update payout set claimed_until = now() + interval '60 seconds' where id = $1", [payoutIds[0]]);
  await runOwnJobs(app, 'advance-payouts');
  expect(await payoutOf(client, payoutIds[0] ?? '')).toMatchObject({ status: 'processing', failureCode: null });
  expect(warnings()).toEqual([]);
});

test('a key that is given while the old one is being refused is tried at once', async () => {
  const { payoutIds } = await started(1);
  await app.database.asSuperuser(
    "update payout set checks = 6, failure_code = 'PROVIDER_CONFIGURATION', check_at = now() where id = $1",
    payoutIds,
  );
  const vendor = createPayoutVendorDouble();
  vendor.failNext('createTransfer', 'unauthorized');
  vendor.meanwhile = async () => {
    vendor.meanwhile = undefined;
    expect((await client.patch('/api/v1/admin/settings', newKey)).status).toBe(200);
  };
  await runJobs(app, vendor);
  expect(vendor.calls.map(({ name }) => name)).toEqual(['createTransfer']);
  expect(await waits()).toEqual([0]);
  expect(await app.runSweep('check-payouts', scope)).toBe(1);
  await runJobs(app, vendor);
  expect([vendor.transfers.size, vendor.payouts.size]).toEqual([1, 1]);
});

test('once woken it is tried as a new one: soon again when the vendor is busy', async () => {
  const { payoutIds } = await started(1);
  await runOwnJobs(app, 'advance-payouts');
  for (let i = 0; i < 6; i++) await comeBack();
  expect((await client.patch('/api/v1/admin/settings', newKey)).status).toBe(200);
  await app.runSweep('check-payouts', scope);
  const vendor = createPayoutVendorDouble();
  vendor.failNext('createTransfer', 'dropped');
  await runJobs(app, vendor);
  expect(await waits()).toEqual([0]);
  expect(await payoutOf(client, payoutIds[0] ?? '')).toMatchObject({ status: 'processing', failureCode: 'PROVIDER_UNAVAILABLE' });
});
