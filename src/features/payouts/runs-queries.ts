/** Payout runs in SQL: one and many, locked, and moved from one status to the next. */
import { sqlBuilder } from '../../db/connect.ts';
import type { Db, Scope } from '../../db/frame.ts';
import { built, prepared } from '../../db/statement.ts';
import type { BlockReason, PayoutStatus, RunStatus } from './payout-states.ts';

export interface PayoutRun {
  id: string;
  currency: string;
  cutoffAt: Date;
  status: RunStatus;
  /** As drafted, all three. */
  payoutCount: number;
  totalMinor: bigint;
  blockedCount: number;
  /** Keys. */
  createdBy: string;
  approvedBy: string | null;
  approvedAt: Date | null;
  executedBy: string | null;
  executedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export const runColumns = `r.id, r.currency, r.cutoff_at as "cutoffAt", r.status, r.payout_count as "payoutCount",
  r.total_minor as "totalMinor", r.blocked_count as "blockedCount", r.created_by as "createdBy", r.approved_by as "approvedBy",
  r.approved_at as "approvedAt", r.executed_by as "executedBy", r.executed_at as "executedAt", r.created_at as "createdAt",
  r.updated_at as "updatedAt"`;

const find = prepared<PayoutRun, [string, string, string]>(
  'payouts_find_run',
  `select ${runColumns} from payout_run r where r.tenant_id = $1 and r.environment = $2 and r.id = $3`,
);

export async function findRun(db: Db, scope: Scope, runId: string): Promise<PayoutRun | undefined> {
  return db.row(find(scope.tenantId, scope.environment, runId));
}

const lock = prepared<PayoutRun, [string, string, string]>(
  'payouts_lock_run',
  `select ${runColumns} from payout_run r where r.tenant_id = $1 and r.environment = $2 and r.id = $3 for update`,
);

export async function lockRun(db: Db, scope: Scope, runId: string): Promise<PayoutRun | undefined> {
  return db.row(lock(scope.tenantId, scope.environment, runId));
}

const list = prepared<PayoutRun, [string, string, status: string | null, currency: string | null, before: string | null, number]>(
  'payouts_list_runs',
  `select ${runColumns} from payout_run r
   where r.tenant_id = $1 and r.environment = $2 and ($3::text is null or r.status = $3) and ($4::text is null or r.currency = $4)
     and ($5::uuid is null or r.id < $5)
   order by r.id desc limit $6`,
);

/** Newest first, by their ids. */
export async function listRuns(
  db: Db,
  scope: Scope,
  { status, currency }: { status: RunStatus | undefined; currency: string | undefined },
  beforeId: string | undefined,
  count: number,
): Promise<PayoutRun[]> {
  return db.rows(list(scope.tenantId, scope.environment, status ?? null, currency ?? null, beforeId ?? null, count));
}

export interface BlockedMember {
  memberId: string;
  reason: BlockReason;
  amountMinor: bigint;
}

/** In the order of the members' ids. */
export async function listBlocked(
  db: Db,
  scope: Scope,
  { runId, reason }: { runId: string; reason: BlockReason | undefined },
  afterMemberId: string | undefined,
  count: number,
): Promise<BlockedMember[]> {
  const query = sqlBuilder('payout_block as b')
    .where({ 'b.tenant_id': scope.tenantId, 'b.environment': scope.environment, 'b.payout_run_id': runId })
    .orderBy('b.member_id')
    .limit(count)
    .select({ memberId: 'b.member_id', reason: 'b.reason', amountMinor: 'b.amount_minor' });
  if (reason !== undefined) query.where('b.reason', reason);
  if (afterMemberId !== undefined) query.where('b.member_id', '>', afterMemberId);
  return db.rows(built<BlockedMember>(query));
}

const statusCounts = prepared<{ status: PayoutStatus; count: number; totalMinor: bigint }, [string, string, string]>(
  'payouts_count_by_status',
  `select p.status, count(*)::int as count, sum(p.amount_minor)::bigint as "totalMinor" from payout p
   where p.tenant_id = $1 and p.environment = $2 and p.payout_run_id = $3 group by p.status`,
);

/** Where a run's payouts are; a status that none has is left out. */
export function countByStatus(
  db: Db,
  scope: Scope,
  runId: string,
): Promise<{ status: PayoutStatus; count: number; totalMinor: bigint }[]> {
  return db.rows(statusCounts(scope.tenantId, scope.environment, runId));
}

const clock = "(select case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end as now) clock";

const approve = prepared<PayoutRun, [string, string, string, keyId: string]>(
  'payouts_approve_run',
  `update payout_run r set status = 'approved', approved_by = $4, approved_at = clock.now, updated_at = clock.now
   from ${clock} where r.tenant_id = $1 and r.environment = $2 and r.id = $3 returning ${runColumns}`,
);

/** Of a locked run. */
export async function approveRun(db: Db, scope: Scope, runId: string, keyId: string): Promise<PayoutRun> {
  return changed(await db.row(approve(scope.tenantId, scope.environment, runId, keyId)));
}

const execute = prepared<PayoutRun, [string, string, string, keyId: string]>(
  'payouts_execute_run',
  `with due as (
     update payout p set execute_at = clock.now, updated_at = clock.now
     from ${clock} where p.tenant_id = $1 and p.environment = $2 and p.payout_run_id = $3 and p.status = 'queued'
     returning 1)
   update payout_run r set status = 'executing', executed_by = $4, executed_at = clock.now, updated_at = clock.now
   from ${clock}, (select count(*) from due) d
   where r.tenant_id = $1 and r.environment = $2 and r.id = $3 returning ${runColumns}`,
);

/** Of a locked run: all of its queued payouts become due. */
export async function executeRun(db: Db, scope: Scope, runId: string, keyId: string): Promise<PayoutRun> {
  return changed(await db.row(execute(scope.tenantId, scope.environment, runId, keyId)));
}

const cancel = prepared<PayoutRun, [string, string, string]>(
  'payouts_cancel_run',
  `with gone as (
     update payout p set status = 'cancelled', execute_at = null, updated_at = clock.now
     from ${clock} where p.tenant_id = $1 and p.environment = $2 and p.payout_run_id = $3 and p.status = 'queued'
     returning p.id),
   freed as (
     update payout_line l set live = false
     from gone where l.tenant_id = $1 and l.environment = $2 and l.payout_id = gone.id and l.live)
   update payout_run r set status = 'cancelled', updated_at = clock.now
   from ${clock} where r.tenant_id = $1 and r.environment = $2 and r.id = $3 returning ${runColumns}`,
);

/** Of a locked run: with its payouts, whose lines are free. */
export async function cancelRun(db: Db, scope: Scope, runId: string): Promise<PayoutRun> {
  return changed(await db.row(cancel(scope.tenantId, scope.environment, runId)));
}

const reopen = prepared<PayoutRun, [string, string, string]>(
  'payouts_reopen_run',
  `update payout_run r set status = 'executing', updated_at = clock.now
   from ${clock} where r.tenant_id = $1 and r.environment = $2 and r.id = $3 and r.status = 'partially_failed'
   returning ${runColumns}`,
);

/** Of a locked run, whose failed payout is tried again. */
export async function reopenRun(db: Db, scope: Scope, runId: string): Promise<void> {
  await db.row(reopen(scope.tenantId, scope.environment, runId));
}

const allowTime = prepared<unknown, []>('payouts_allow_time', "set local statement_timeout = '60s'");

/** What follows touches as many rows as there are members. */
export async function allowLongStatements(db: Db): Promise<void> {
  await db.rows(allowTime());
}

function changed(run: PayoutRun | undefined): PayoutRun {
  if (!run) throw new Error('a locked run vanished');
  return run;
}
