/** Payouts of a database that was restored, or that a replica has taken over. Source: docs/specification/payouts.md#freeze. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { createPayoutVendorDouble } from '../../support/payments/payout-vendor-double.ts';
import {
  act,
  checkAll,
  draft,
  execute,
  payable,
  payoutOf,
  runJobs,
  runOf,
  startPayouts,
} from '../../support/payments/payout-world.ts';

let app: TestApp;
let scope: Scope;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp({}, 'own');
});
afterAll(() => app.close());

beforeEach(async () => {
  await thaw();
  const tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
});

const FREEZES = {
  'another server': "update payout_freeze set system_identifier = '1'",
  'another timeline': 'update payout_freeze set timeline = timeline + 1',
  'by hand': 'update payout_freeze set frozen_at = now()',
};
const freeze = (how: keyof typeof FREEZES = 'another timeline') => app.database.asSuperuser(FREEZES[how]);
const thaw = () =>
  app.database.asSuperuser(
    `update payout_freeze f set system_identifier = c.system_identifier, timeline = c.timeline, frozen_at = null
     from cluster_identity() c`,
  );

test('a database remembers its server when it is made, and nothing is frozen', async () => {
  const [own] = await app.database.asSuperuser(
    `select f.system_identifier = s.system_identifier::text as same, f.timeline from payout_freeze f, pg_control_system() s`,
  );
  expect(own).toEqual({ same: true, timeline: 1 });
  expect(await app.database.asSuperuser('select from payout_freeze_state()')).toEqual([]);
});

describe.each(Object.keys(FREEZES) as (keyof typeof FREEZES)[])('frozen for %s', (how) => {
  test('a run is drafted and approved, and its execution is 503', async () => {
    await payable(app, scope, client, 6_000);
    await freeze(how);
    const run = await draft(client);
    expect((await act(client, run.id, 'approve')).status).toBe(200);
    const refused = await act(client, run.id, 'execute');
    expect([refused.status, refused.body.code]).toEqual([503, 'PAYOUTS_FROZEN']);
    expect(refused.headers['retry-after']).toBe('600');
    expect((await runOf(client, run.id)).status).toBe('approved');
    await thaw();
    expect((await act(client, run.id, 'execute')).status).toBe(200);
  });
});

test('no settlement is entered, no file for the bank leaves, no payout is retried', async () => {
  const member = await payable(app, scope, client, 6_000);
  const run = await execute(client);
  await startPayouts(app, scope);
  await freeze();
  const csv = await client.get(`/api/v1/payout-runs/${run.id}/payouts.csv`);
  const settled = await client.post(`/api/v1/members/${member.id}/settlements`, {
    currency: 'USD',
    amountMinor: 6_000,
    reference: 'bank-1',
  });
  expect([csv.status, settled.status]).toEqual([503, 503]);
  const payoutId = run.payouts[0]?.id ?? '';
  await client.post(`/api/v1/payouts/${payoutId}/return`, { reason: 'it came back' });
  const retried = await client.post(`/api/v1/payouts/${payoutId}/retry`, {});
  expect([retried.status, retried.body.code]).toEqual([503, 'PAYOUTS_FROZEN']);
});

test('what happened is told all the same: a payout by hand is settled', async () => {
  await payable(app, scope, client, 6_000);
  const run = await execute(client);
  await startPayouts(app, scope);
  await freeze();
  const settled = await client.post(`/api/v1/payouts/${run.payouts[0]?.id}/settle`, { reference: 'bank-2' });
  expect(settled.status, settled.text).toBe(200);
});

test('what is due waits without a failure, and goes on by itself', async () => {
  await payable(app, scope, client, 6_000);
  const run = await execute(client);
  const payoutId = run.payouts[0]?.id ?? '';
  await freeze();
  expect(await startPayouts(app, scope)).toBe(0);
  expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'queued', failureCode: null });
  await thaw();
  expect(await startPayouts(app, scope)).toBe(1);
  expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'processing' });
});

test('a failover between the execution and the claim: nothing is asked of the vendor, in any tenant', async () => {
  await plantPaymentSettings(app, scope);
  const vendor = createPayoutVendorDouble();
  vendor.outcome = 'paid';
  await payable(app, scope, client, 6_000, { provider: 'payvendor' });
  const run = await execute(client);
  await startPayouts(app, scope);
  await freeze();
  await runJobs(app, vendor);
  await checkAll(app, scope, vendor);
  expect(vendor.transfers.size).toBe(0);
  await thaw();
  await checkAll(app, scope, vendor);
  expect(vendor.transfers.size).toBe(1);
  expect(await payoutOf(client, run.payouts[0]?.id ?? '')).toMatchObject({ status: 'paid' });
});

test('a payout that a worker has in hand when a failover comes is its last: the next claim sees it', async () => {
  await plantPaymentSettings(app, scope);
  const vendor = createPayoutVendorDouble();
  vendor.outcome = 'paid';
  // More than one claim takes.
  for (let i = 0; i < 20; i++) await payable(app, scope, client, 6_000, { provider: 'payvendor' });
  await execute(client);
  await startPayouts(app, scope);
  const create = vendor.createTransfer;
  vendor.createTransfer = async (order) => {
    await freeze();
    return create(order);
  };
  await runJobs(app, vendor);
  expect(vendor.transfers.size).toBeGreaterThan(0);
  expect(vendor.transfers.size).toBeLessThanOrEqual(16);
});
