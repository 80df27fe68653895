/** A failed payout that is tried again, in the caller's transaction. Source: docs/specification/payouts.md#payout-states. */
import type { ActingScope } from '../../../actor.ts';
import { violates } from '../../../db/constraints.ts';
import type { Db } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import type { LockedPayout } from './payout-changes-queries.ts';
import { storeRequeued } from './payouts-queries.ts';
import { amountOf } from './settle-payout.ts';

/** Of a locked payout. STATE_CONFLICT when another payout has one of its commissions: the transaction is spent then. */
export async function requeuePayout(db: Db, scope: ActingScope, payoutId: string): Promise<void> {
  try {
    await storeRequeued(db, scope, payoutId, scope.provenance.actor);
  } catch (error) {
    if (!violates(error, 'payout_line_live_key')) throw error;
    throw new AppError('STATE_CONFLICT', 'Another payout has taken commissions of this one', { cause: error });
  }
}

/** STATE_CONFLICT of one whose member is on hold. */
export function refuseHeld({ memberId }: Pick<LockedPayout, 'memberId'>, held: ReadonlySet<string>): void {
  if (!held.has(memberId)) return;
  throw new AppError('STATE_CONFLICT', 'Payouts to the member are on hold', { details: { reason: 'HELD' } });
}

/** What somebody has done to one payout. */
export function auditPayout(
  db: Db,
  scope: ActingScope,
  payout: Pick<LockedPayout, 'id' | 'amountMinor' | 'currency' | 'attempt'>,
  deed: 'cancelled' | 'retried',
): Promise<void> {
  return recordAudit(db, scope, {
    action: `payout.${deed}`,
    by: scope.provenance,
    objectKind: 'payout',
    objectId: payout.id,
    details: { ...amountOf(payout), attempt: payout.attempt },
  });
}
