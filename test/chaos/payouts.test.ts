/**
 * Workers killed with -9 while they pay members: whatever the moment, each member is paid once.
 * Source: docs/specification/reliability.md#f-3.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { eventually, startWorkerProcess } from '../support/jobs/test-jobs.ts';
import { expectSoundBooks } from '../support/money/sound-books.ts';
import { plantPaymentSettings } from '../support/payments/payment-settings.ts';
import { createPayoutVendorDouble, type PayoutVendorDouble } from '../support/payments/payout-vendor-double.ts';
import { type ServedVendor, servePayoutVendor } from '../support/payments/payout-vendor-remote.ts';
import { execute, payable, runOf } from '../support/payments/payout-world.ts';

const ROUNDS = Number(process.env['PAYOUT_CRASHES'] ?? 5);
/** More than are sent at once. */
const MEMBERS = 24;

interface Point {
  name: string;
  fault?: string;
  call?: 'createTransfer' | 'createPayout' | 'reverseTransfer';
}

/** P1 to P4 of docs/specification/reliability.md#f-3, each for the transfer and for the payout that follows it. */
const POINTS: Point[] = [
  { name: 'before the sweep commits', fault: 'sweep:handled' },
  { name: 'P1, claimed', fault: 'payout:claimed' },
  { name: 'P2, the transfer made and its answer lost', call: 'createTransfer' },
  { name: 'P3, the transfer in hand and not stored', fault: 'payout:transferred' },
  { name: 'P4, the transfer stored', fault: 'payout:transfer-stored' },
  { name: 'P2, the payout made and its answer lost', call: 'createPayout' },
  { name: 'P3, the payout in hand and not stored', fault: 'payout:sent' },
  { name: 'P4, the payout stored', fault: 'payout:sent-stored' },
];

/** The same for the transfer that is taken back, once the payout has failed at the bank. */
const REVERSAL_POINTS: Point[] = [
  { name: 'P1, the failed payout stored', fault: 'payout:sent-stored' },
  { name: 'P2, the transfer taken back and the answer lost', call: 'reverseTransfer' },
  { name: 'P3, the reversal in hand and not stored', fault: 'payout:reversed' },
  { name: 'P4, the reversal stored', fault: 'payout:reversal-stored' },
];

const REFUSAL_STORED: Point = { name: 'P0, the refusal stored', fault: 'payout:refusal-stored' };

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface Ground {
  scope: Scope;
  client: ApiClient;
  vendor: PayoutVendorDouble;
  served: ServedVendor;
  runId: string;
}

/** A run that is due to be executed, in a tenant of its own. */
async function newRun(): Promise<Ground> {
  const tenant = await app.newTenant();
  const scope = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
  const client = apiClient(app, tenant.liveKey);
  const vendor = createPayoutVendorDouble();
  vendor.outcome = 'paid';
  await plantPaymentSettings(app, scope);
  for (let i = 0; i < MEMBERS; i++) await payable(app, scope, client, 6_000, { provider: 'payvendor' });
  const run = await execute(client);
  return { scope, client, vendor, served: await servePayoutVendor(vendor), runId: run.id };
}

const vendorEnv = ({ served }: Ground, faultPoints?: string): Record<string, string> => ({
  VENDOR_URL: served.url,
  ...(faultPoints === undefined ? {} : { FAULT_POINTS: `${faultPoints}=kill` }),
});

/** Starts a worker that dies at the point, and waits until it has. */
async function crash(ground: Ground, { fault, call }: Point): Promise<void> {
  const doomed = await startWorkerProcess(app.database, vendorEnv(ground, fault), '../payments/payout-process.ts');
  if (call) {
    ground.served.beforeAnswer = (name) => {
      if (name === call) doomed.child.kill('SIGKILL');
    };
  }
  expect(await doomed.ended).toBe('SIGKILL');
  ground.served.beforeAnswer = undefined;
}

async function rescue(ground: Ground, timeoutMs: number, lapse: boolean): Promise<void> {
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

async function expectPaidOnce({ client, vendor, runId, scope }: Ground): Promise<void> {
  expect(await runOf(client, runId)).toMatchObject({
    status: 'completed',
    byStatus: [{ status: 'paid', count: MEMBERS, totalMinor: 6_000 * MEMBERS }],
  });
  expect([vendor.transfers.size, vendor.payouts.size, vendor.stranded()]).toEqual([MEMBERS, MEMBERS, 0n]);
  const stored = await app.database.asSuperuser<{ transfer_id: string; provider_payout_id: string }>(
    'select transfer_id, provider_payout_id from payout_attempt where tenant_id = $1',
    [scope.tenantId],
  );
  expect(stored.map((attempt) => attempt.transfer_id).toSorted()).toEqual([...vendor.transfers.keys()].toSorted());
  expect(stored.map((attempt) => attempt.provider_payout_id).toSorted()).toEqual([...vendor.payouts.keys()].toSorted());
  await expectSoundBooks(app);
}

/** All of it is at the tenant again, each transfer was taken back once, and the commissions are free. */
async function expectTakenBackOnce({ client, vendor, runId, scope }: Ground, payoutsMade: number): Promise<void> {
  expect(await runOf(client, runId)).toMatchObject({
    status: 'partially_failed',
    byStatus: [{ status: 'failed', count: MEMBERS, totalMinor: 6_000 * MEMBERS }],
  });
  expect([vendor.transfers.size, vendor.payouts.size, vendor.reversals.length, vendor.stranded()]).toEqual([
    MEMBERS,
    payoutsMade,
    MEMBERS,
    0n,
  ]);
  const stored = await app.database.asSuperuser<{ reversal_id: string }>(
    'select reversal_id from payout_attempt where tenant_id = $1',
    [scope.tenantId],
  );
  expect(stored.map((attempt) => attempt.reversal_id).toSorted()).toEqual(vendor.reversals.toSorted());
  const lines = await app.database.asSuperuser(
    'select status, count(*)::int as count from commission_line where tenant_id = $1 group by 1',
    [scope.tenantId],
  );
  expect(lines).toEqual([{ status: 'cleared', count: MEMBERS }]);
  await expectSoundBooks(app);
}

/** More refusals than there are requests for payouts. */
const REFUSED = Array.from({ length: 10 * MEMBERS }, () => 'refused' as const);

describe('on the way back from a payout that', () => {
  test.each(REVERSAL_POINTS)('failed at the bank, killed $name', async (point) => {
    for (let round = 0; round < ROUNDS; round++) {
      const ground = await newRun();
      ground.vendor.outcome = 'failed';
      try {
        await crash(ground, point);
        await rescue(ground, 30_000, true);
        await expectTakenBackOnce(ground, MEMBERS);
      } finally {
        ground.served.close();
      }
    }
  });

  test.each([REFUSAL_STORED, ...REVERSAL_POINTS.slice(1)])('the vendor has refused, killed $name', async (point) => {
    for (let round = 0; round < ROUNDS; round++) {
      const ground = await newRun();
      ground.vendor.failNext('createPayout', ...REFUSED);
      try {
        await crash(ground, point);
        await rescue(ground, 30_000, true);
        await expectTakenBackOnce(ground, 0);
      } finally {
        ground.served.close();
      }
    }
  });

  test('failed at the bank, killed with a refusal of the reversal in hand', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const ground = await newRun();
      ground.vendor.outcome = 'failed';
      ground.vendor.failNext('reverseTransfer', 'no_funds', 'no_funds', 'no_funds');
      try {
        await crash(ground, { name: '', fault: 'payout:reversal-refused' });
        await rescue(ground, 60_000, true);
        await expectTakenBackOnce(ground, MEMBERS);
      } finally {
        ground.served.close();
      }
    }
  });
});

test.each(POINTS)('killed $name', async (point) => {
  for (let round = 0; round < ROUNDS; round++) {
    const ground = await newRun();
    try {
      await crash(ground, point);
      await rescue(ground, 30_000, true);
      await expectPaidOnce(ground);
    } finally {
      ground.served.close();
    }
  }
});

test('killed, and nobody looks after it: all are paid once the claim has lapsed', async () => {
  const ground = await newRun();
  await crash(ground, { name: '', fault: 'payout:transferred' });
  await rescue(ground, 90_000, false);
  await expectPaidOnce(ground);
  ground.served.close();
});

test('killed again and again while every fourth answer is lost', async () => {
  const ground = await newRun();
  ground.vendor.lostRate = 0.25;
  for (const point of [...POINTS, ...POINTS]) {
    const doomed = await startWorkerProcess(app.database, vendorEnv(ground), '../payments/payout-process.ts');
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 300 + (point.call ? 0 : 50)));
    doomed.child.kill('SIGKILL');
    await doomed.ended;
    await app.database.asSuperuser('update payout set claimed_until = null, check_at = now() where check_at is not null');
  }
  ground.vendor.lostRate = 0;
  await rescue(ground, 60_000, true);
  await expectPaidOnce(ground);
  ground.served.close();
});
