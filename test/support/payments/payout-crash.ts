/** Runs of payouts whose workers are killed at a point, and those who finish the work behind them. */
import { expect } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../app/api-client.ts';
import type { TestApp } from '../app/test-app.ts';
import { eventually, startWorkerProcess } from '../jobs/test-jobs.ts';
import { credit } from '../money/debts.ts';
import { plantPaymentSettings } from './payment-settings.ts';
import { createPayoutVendorDouble, type PayoutVendorDouble } from './payout-vendor-double.ts';
import { type ServedVendor, servePayoutVendor } from './payout-vendor-remote.ts';
import { execute, payable, runOf } from './payout-world.ts';

/** Of each point. The kill comes at the same place every time; what differs is what else was under way. */
export const ROUNDS = Number(process.env['PAYOUT_CRASHES'] ?? 2);
/** More than are sent at once. */
export const MEMBERS = 24;

export interface Point {
  name: string;
  fault?: string;
  call?: 'createTransfer' | 'createPayout' | 'reverseTransfer';
}

export interface Ground {
  scope: Scope;
  client: ApiClient;
  vendor: PayoutVendorDouble;
  served: ServedVendor;
  runId: string;
}

/** A run that is due to be executed, in a tenant of its own. */
export async function newRun(app: TestApp): Promise<Ground> {
  const tenant = await app.newTenant();
  const scope = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
  const client = apiClient(app, tenant.liveKey);
  const vendor = createPayoutVendorDouble();
  vendor.outcome = 'paid';
  await plantPaymentSettings(app, scope);
  await Promise.all(
    Array.from({ length: MEMBERS }, async () => {
      const member = await payable(app, scope, client, 0, { provider: 'payvendor' });
      await credit(client, member, 6_000);
    }),
  );
  await app.runSweep('clear-commissions', scope);
  const run = await execute(client);
  return { scope, client, vendor, served: await servePayoutVendor(vendor), runId: run.id };
}

export const vendorEnv = ({ served }: Ground, faultPoints?: string): Record<string, string> => ({
  VENDOR_URL: served.url,
  ...(faultPoints === undefined ? {} : { FAULT_POINTS: `${faultPoints}=kill` }),
});

/** Starts a worker that dies at the point, and waits until it has. */
export async function crash(app: TestApp, ground: Ground, { fault, call }: Point): Promise<void> {
  const doomed = await startWorkerProcess(app.database, vendorEnv(ground, fault), '../payments/payout-process.ts');
  if (call) {
    ground.served.beforeAnswer = (name) => {
      if (name === call) doomed.child.kill('SIGKILL');
    };
  }
  expect(await doomed.ended).toBe('SIGKILL');
  ground.served.beforeAnswer = undefined;
}

export async function rescue(app: TestApp, ground: Ground, timeoutMs: number, lapse: boolean): Promise<void> {
  if (lapse) {
    // As long as a claim lasts has passed.
    await app.database.asSuperuser(
      `update payout set claimed_until = claimed_until - interval '60 seconds', check_at = check_at - interval '300 seconds'
       where tenant_id = $1`,
      [ground.scope.tenantId],
    );
  }
  const rescuer = await startWorkerProcess(app.database, vendorEnv(ground), '../payments/payout-process.ts');
  await eventually(async () => (await runOf(ground.client, ground.runId)).status !== 'executing', timeoutMs);
  rescuer.child.kill('SIGTERM');
  await rescuer.ended;
}
