/** The daily check of a ledger, as a job: leased, for it reads for as long as the ledger is long. */
import type { Logger } from 'pino';
import type { LeasedHandler } from '../../jobs/job.ts';
import { verifyLedger } from './verify-ledger.ts';

export const CHECK_LEDGER = 'check-ledger';

/**
 * Verifies the whole ledger of the job's scope. A ledger that does not verify fails the job, which
 * becomes a dead letter that `cli doctor` and `cli jobs list` show, and is logged with what is wrong.
 */
export function createLedgerCheck(logger: Logger): LeasedHandler {
  return {
    name: CHECK_LEDGER,
    kind: 'leased',
    async run(frames, { scope }) {
      const { faults } = await frames.read(scope, (db) => verifyLedger(db, scope), { snapshot: true });
      if (faults.length === 0) return;
      logger.error({ ...scope, faults }, 'the ledger does not verify');
      throw new Error(`the ledger does not verify: ${faults.map(({ kind }) => kind).join(', ')}`);
    },
  };
}
