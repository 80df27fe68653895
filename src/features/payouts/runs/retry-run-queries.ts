/** The failed payouts of a run, in SQL. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import type { LockedPayout } from '../payouts/payout-changes-queries.ts';

export type FailedPayout = Pick<LockedPayout, 'id' | 'memberId' | 'currency' | 'amountMinor' | 'attempt'>;

const FAILED = `${ofTenant('p')} and p.payout_run_id = :runId and p.status = 'failed'
     and (:afterId::uuid is null or p.id > :afterId)`;

const lock = statement<FailedPayout, { runId: string; afterId: string | null; count: number }>(
  'payouts_lock_failed',
  ({ runId, afterId, count }) =>
    raw(
      `select p.id, p.member_id as "memberId", p.currency, p.amount_minor as "amountMinor", p.attempt
   from payout p where ${FAILED} order by p.id limit :count for update`,
      { runId, afterId, count },
    ),
);

/** In the order of their ids; those that somebody retries meanwhile are failed no more, and left out. */
export async function lockFailed(
  db: Db,
  scope: Scope,
  runId: string,
  afterId: string | undefined,
  count: number,
): Promise<FailedPayout[]> {
  return db.rows(lock(scope, { runId, afterId: afterId ?? null, count }));
}

const count = statement<{ failed: number }, { runId: string; afterId: string | null }>(
  'payouts_count_failed',
  ({ runId, afterId }) => raw(`select count(*)::int as failed from payout p where ${FAILED}`, { runId, afterId }),
);

export async function countFailed(db: Db, scope: Scope, runId: string, afterId: string | null): Promise<number> {
  return (await db.row(count(scope, { runId, afterId })))?.failed ?? 0;
}
