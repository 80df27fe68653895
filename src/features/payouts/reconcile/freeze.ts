/**
 * Payouts are frozen on a database that was restored, or that a replica has taken over: what was sent since its state is
 * unpaid there. Source: docs/specification/payouts.md#freeze.
 */
import type { Logger } from 'pino';
import type { Frames } from '../../../db/frame.ts';
import type { Db } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import { payoutsErrors } from '../open/payouts-errors.ts';
import { type Freeze, type FreezeReason, findFreeze, freezeStatement } from './freeze-queries.ts';

export interface PayoutFreeze {
  /** In the transaction that makes somebody pay: true, and nothing may be sent. */
  isFrozen(db: Db): Promise<boolean>;
  /** The same for what somebody asks for. Throws PAYOUTS_FROZEN. */
  refuse(db: Db): Promise<void>;
  /** As the database says now. For metrics and commands. */
  read(): Promise<Freeze | undefined>;
}

const WHY: Readonly<Record<FreezeReason, string>> = {
  by_hand: 'an operator has frozen them',
  other_server: 'the database is on another server than the payouts were made on, as one that was loaded from a dump',
  other_timeline: 'the database was restored, or a replica has taken over',
};

const WHAT_TO_DO = 'payouts made since may be missing here: run `cli payouts reconcile` (docs/coming-back.md)';

export function createPayoutFreeze({ frames, logger }: { frames: Frames; logger: Logger }): PayoutFreeze {
  let known: string | undefined;

  /** One line a change, however often it is asked. */
  function tell(freeze: Freeze | undefined): Freeze | undefined {
    if (freeze?.freezeId === known) return freeze;
    known = freeze?.freezeId;
    if (freeze) logger.error({ reason: freeze.reason }, `payouts are frozen: ${WHY[freeze.reason]}; ${WHAT_TO_DO}`);
    else logger.warn('payouts go on: they are not frozen any more');
    return freeze;
  }

  return {
    isFrozen: async (db) => tell(await findFreeze(db)) !== undefined,
    async refuse(db) {
      if (!tell(await findFreeze(db))) return;
      const message = 'Payouts are frozen until they have been matched with what the vendor and the banks have paid';
      throw new AppError(payoutsErrors.PAYOUTS_FROZEN, message, { retryAfterSeconds: 600 });
    },
    async read() {
      const [freeze] = await frames.unscoped(freezeStatement());
      return tell(freeze);
    },
  };
}

/** What a freeze is, for people. */
export function explainFreeze({ reason }: Freeze): string {
  return WHY[reason];
}
