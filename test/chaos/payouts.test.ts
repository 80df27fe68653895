/**
 * Workers killed with -9 while they pay members: whatever the moment, each member is paid once.
 * Source: docs/specification/reliability.md#f-3.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { startWorkerProcess } from '../support/jobs/test-jobs.ts';
import { expectSoundBooks } from '../support/money/sound-books.ts';
import { crash, type Ground, MEMBERS, newRun, type Point, ROUNDS, rescue, vendorEnv } from '../support/payments/payout-crash.ts';
import { runOf } from '../support/payments/payout-world.ts';

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

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

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

test.each(POINTS)('killed $name', async (point) => {
  for (let round = 0; round < ROUNDS; round++) {
    const ground = await newRun(app);
    try {
      await crash(app, ground, point);
      await rescue(app, ground, 30_000, true);
      await expectPaidOnce(ground);
    } finally {
      ground.served.close();
    }
  }
});

test('killed, and nobody looks after it: all are paid once the claim has lapsed', async () => {
  const ground = await newRun(app);
  await crash(app, ground, { name: '', fault: 'payout:transferred' });
  await rescue(app, ground, 90_000, false);
  await expectPaidOnce(ground);
  ground.served.close();
});

test('killed again and again while every fourth answer is lost', async () => {
  const ground = await newRun(app);
  ground.vendor.lostRate = 0.25;
  for (const point of [...POINTS, ...POINTS]) {
    const doomed = await startWorkerProcess(app.database, vendorEnv(ground), '../payments/payout-process.ts');
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 300 + (point.call ? 0 : 50)));
    doomed.child.kill('SIGKILL');
    await doomed.ended;
    await app.database.asSuperuser('update payout set claimed_until = null, check_at = now() where check_at is not null');
  }
  ground.vendor.lostRate = 0;
  await rescue(app, ground, 60_000, true);
  await expectPaidOnce(ground);
  ground.served.close();
});
