/**
 * Workers killed with -9 while they take back what could not be paid: each transfer comes back once.
 * Source: docs/specification/reliability.md#f-3.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { expectSoundBooks } from '../support/money/sound-books.ts';
import { crash, type Ground, MEMBERS, newRun, type Point, ROUNDS, rescue } from '../support/payments/payout-crash.ts';
import { runOf } from '../support/payments/payout-world.ts';

/** P1 to P4 of docs/specification/reliability.md#f-3 for the transfer that is taken back, once the payout has failed at the bank. */
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
      const ground = await newRun(app);
      ground.vendor.outcome = 'failed';
      try {
        await crash(app, ground, point);
        await rescue(app, ground, 30_000, true);
        await expectTakenBackOnce(ground, MEMBERS);
      } finally {
        ground.served.close();
      }
    }
  });

  test.each([REFUSAL_STORED, ...REVERSAL_POINTS.slice(1)])('the vendor has refused, killed $name', async (point) => {
    for (let round = 0; round < ROUNDS; round++) {
      const ground = await newRun(app);
      ground.vendor.failNext('createPayout', ...REFUSED);
      try {
        await crash(app, ground, point);
        await rescue(app, ground, 30_000, true);
        await expectTakenBackOnce(ground, 0);
      } finally {
        ground.served.close();
      }
    }
  });

  test('failed at the bank, killed with a refusal of the reversal in hand', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const ground = await newRun(app);
      ground.vendor.outcome = 'failed';
      ground.vendor.failNext('reverseTransfer', 'no_funds', 'no_funds', 'no_funds');
      try {
        await crash(app, ground, { name: '', fault: 'payout:reversal-refused' });
        await rescue(app, ground, 60_000, true);
        await expectTakenBackOnce(ground, MEMBERS);
      } finally {
        ground.served.close();
      }
    }
  });
});
