/** Whether payouts are frozen, in SQL, for whatever makes somebody pay. Source: docs/specification/payouts.md#freeze. */
import { raw, unscopedStatement } from '../../../db/query.ts';
import type { Db } from '../../../db/scope.ts';

/** `other_server`: another system identifier than was remembered, as of a database that was loaded from a dump. */
export type FreezeReason = 'by_hand' | 'other_server' | 'other_timeline';

export interface Freeze {
  reason: FreezeReason;
  /** Its name: what was matched in another one does not count in this. */
  freezeId: string;
}

/** Outside any tenant: the server is that of all. No row: not frozen. */
export const freezeStatement = unscopedStatement<Freeze>('payouts_freeze_state', () =>
  raw('select s.reason, s.freeze_id as "freezeId" from payout_freeze_state() s'),
);

/** Undefined: payouts go on. Asked on the connection that is about to act, so that no failover comes in between unseen. */
export async function findFreeze(db: Db): Promise<Freeze | undefined> {
  return db.row(freezeStatement());
}

/** From now on, whatever the server is. Once frozen by hand it stays the same freeze. */
export const freezeByHandStatement = unscopedStatement<unknown>('payouts_freeze_by_hand', () =>
  raw('update payout_freeze set frozen_at = now() where frozen_at is null'),
);

/** The server is remembered as it is now, and payouts go on; only out of the freeze that was matched. */
export const thawStatement = unscopedStatement<{ thawed: boolean }, { freezeId: string; reason: string | null }>(
  'payouts_thaw',
  ({ freezeId, reason }) =>
    raw(
      `with now_frozen as materialized (select s.freeze_id from payout_freeze_state() s)
   update payout_freeze f
   set system_identifier = c.system_identifier, timeline = c.timeline, remembered_at = now(), frozen_at = null,
       forced_reason = :reason
   from cluster_identity() c, now_frozen n
   where n.freeze_id = :freezeId
   returning true as thawed`,
      { freezeId, reason },
    ),
);
