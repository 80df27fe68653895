/** The daily check of a ledger, as a job: leased, for it reads for as long as the ledger is long. */
import type { Logger } from 'pino';
import { z } from 'zod';
import { bySystem } from '../../actor.ts';
import type { WriteDb } from '../../db/scope.ts';
import type { DeclaredEvents } from '../../house/events.ts';
import type { LeasedHandler } from '../../jobs/job.ts';
import { tell } from '../webhooks/webhooks-service.ts';
import { noteCheck, readLastCheck } from './last-check-queries.ts';
import { ledgerFault } from './ledger-operations.ts';
import type { VerifyFault } from './verify-faults.ts';
import { anchorOf, verifyLedger } from './verify-ledger.ts';

export const CHECK_LEDGER = 'check-ledger';

/** Repeated once, to tell a broken ledger from a broken connection. */
export const CHECK_RETRIES = 1;

export const ledgerEvents: DeclaredEvents = {
  'ledger.fault_found': {
    meaning: 'The daily check found that the ledger does not verify.',
    schema: z.object({ faults: z.array(ledgerFault) }),
    scope: 'ledger:read',
  },
};

/** The object is the tenant, for there is no other. */
function tellFaults(db: WriteDb, tenantId: string, faults: readonly VerifyFault[]): void {
  tell(db, bySystem(CHECK_LEDGER), 'ledger.fault_found', tenantId, { data: { faults } });
}

/**
 * Verifies the ledger of the job's scope from the last block that was found sound; the whole once a week, and the first time.
 * Source: docs/specification/commissions.md#sealing. A ledger that does not verify fails the job, which
 * becomes a dead letter that `cli doctor` and `cli jobs list` show, and is logged with what is wrong. The tenant is told
 * by the last attempt alone, once for each check.
 */
export function createLedgerCheck(logger: Logger): LeasedHandler {
  return {
    name: CHECK_LEDGER,
    kind: 'leased',
    async run(frames, { scope, attempt }) {
      const { faults, head, isWhole } = await frames.read(
        scope,
        async (db) => {
          const last = await readLastCheck(db, scope);
          const anchor = last && !last.isWholeDue ? anchorOf(last) : {};
          return { ...(await verifyLedger(db, scope, anchor)), isWhole: anchor.fromSeq === undefined };
        },
        { snapshot: true },
      );
      if (faults.length === 0) {
        if (head) await frames.write(scope, (db) => noteCheck(db, scope, { ...head, isWhole }));
        return;
      }
      logger.error({ ...scope, faults }, 'the ledger does not verify');
      if (attempt > CHECK_RETRIES) await frames.write(scope, async (db) => tellFaults(db, scope.tenantId, faults));
      throw new Error(`the ledger does not verify: ${faults.map(({ kind }) => kind).join(', ')}`);
    },
  };
}
