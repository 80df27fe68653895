/** What an approver of a run has to see beside the books, in SQL. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import type { BlockReason } from '../open/payout-states.ts';

export interface BlockedReason {
  reason: BlockReason;
  count: number;
  amountMinor: bigint;
}

const reasons = statement<BlockedReason, { runId: string }>('payouts_blocked_reasons', ({ runId }) =>
  raw(
    `select b.reason, count(*)::int as count, sum(b.amount_minor)::bigint as "amountMinor"
   from payout_block b where ${ofTenant('b')} and b.payout_run_id = :runId group by b.reason`,
    { runId },
  ),
);

export async function countBlocked(db: Db, scope: Scope, runId: string): Promise<BlockedReason[]> {
  return db.rows(reasons(scope, { runId }));
}

/** So many are shown. */
const SHOWN = 10;

export interface LargePayout {
  payoutId: string;
  memberId: string;
  amountMinor: bigint;
}

const largest = statement<LargePayout, { runId: string }>('payouts_largest_of_run', ({ runId }) =>
  raw(
    `select p.id as "payoutId", p.member_id as "memberId", p.amount_minor as "amountMinor" from payout p
   where ${ofTenant('p')} and p.payout_run_id = :runId and p.status <> 'cancelled'
   order by p.amount_minor desc, p.id desc limit ${SHOWN}`,
    { runId },
  ),
);

export async function listLargest(db: Db, scope: Scope, runId: string): Promise<LargePayout[]> {
  return db.rows(largest(scope, { runId }));
}
