/** How a run differs from the one before it, in SQL. A draft keeps the answer, for all who look at it. */
import { raw, replanned, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';

export interface FormerRun {
  runId: string;
  createdAt: Date;
  count: number;
  totalMinor: bigint;
}

/** A run, and when it was executed; null: not yet. */
type OfRun = { runId: string; currency: string; executedAt: Date | null };

const former = statement<FormerRun, OfRun>('payouts_former_run', ({ runId, currency, executedAt }) =>
  raw(
    `select r.id as "runId", r.created_at as "createdAt", r.payout_count as count, r.total_minor as "totalMinor"
   from payout_run r
   where ${ofTenant('r')} and r.currency = :currency and r.id <> :runId
     and r.executed_at < coalesce(:executedAt::timestamptz, 'infinity')
     and exists (select from payout p where ${ofTenant('p')} and p.payout_run_id = r.id and p.status = 'paid')
   order by r.executed_at desc, r.id desc limit 1`,
    { runId, currency, executedAt },
  ),
);

/** The run of the currency that was executed last before it, and has paid somebody. */
export async function findFormerRun(db: Db, scope: Scope, run: OfRun): Promise<FormerRun | undefined> {
  return db.row(former(scope, run));
}

export interface RunDifference {
  joinedCount: number;
  joinedMinor: bigint;
  goneCount: number;
  goneMinor: bigint;
  more: number;
  less: number;
  /** Amounts in digits. */
  changes: { userId: string; before: string; now: string }[];
}

interface Terms {
  runId: string;
  formerId: string;
}

/** So many changes are shown. */
const SHOWN = 10;

const paidBy = (runId: string): string => `select p.member_id, p.amount_minor from payout p
     where ${ofTenant('p')} and p.payout_run_id = ${runId} and p.status <> 'cancelled'`;

const difference = replanned<RunDifference, Terms>(({ runId, formerId }) =>
  raw(
    `with pair as materialized (
     select coalesce(o.member_id, n.member_id) as member_id, coalesce(o.amount_minor, 0) as before, coalesce(n.amount_minor, 0) as now
     from (${paidBy(':formerId')}) o full join (${paidBy(':runId')}) n on n.member_id = o.member_id),
   most as (
     select pair.member_id, pair.before, pair.now from pair where pair.now <> pair.before
     order by abs(pair.now - pair.before) desc, pair.member_id limit ${SHOWN})
   select count(*) filter (where pair.before = 0)::int as "joinedCount",
          coalesce(sum(pair.now) filter (where pair.before = 0), 0)::bigint as "joinedMinor",
          count(*) filter (where pair.now = 0)::int as "goneCount",
          coalesce(sum(pair.before) filter (where pair.now = 0), 0)::bigint as "goneMinor",
          count(*) filter (where pair.before > 0 and pair.now > pair.before)::int as more,
          count(*) filter (where pair.now > 0 and pair.now < pair.before)::int as less,
          coalesce((select json_agg(json_build_object('userId', most.member_id, 'before', most.before::text, 'now', most.now::text)
                                    order by abs(most.now - most.before) desc, most.member_id) from most), '[]') as changes
   from pair`,
    { runId, formerId },
  ),
);

/** Whom one run pays and the other does not, and how amounts differ; without cancelled payouts. */
async function compare(db: Db, scope: Scope, terms: Terms): Promise<RunDifference> {
  const row = await db.row(difference(scope, terms));
  if (!row) throw new Error('two runs gave no row');
  return row;
}

/** Amounts in digits. */
type KeptDifference = Omit<RunDifference, 'joinedMinor' | 'goneMinor'> & { joinedMinor: string; goneMinor: string };

interface Comparison {
  formerId: string;
  /** Payouts of the former run that were cancelled by then. */
  formerCancelled: number;
  difference: KeptDifference;
}

const cancelledOf = (runId: string): string => `(select count(*)::int from payout p
            where ${ofTenant('p')} and p.payout_run_id = ${runId} and p.status = 'cancelled')`;

const kept = statement<{ comparison: Comparison | null; cancelled: number; formerCancelled: number }, Terms>(
  'payouts_kept_comparison',
  ({ runId, formerId }) =>
    raw(
      `select r.comparison, ${cancelledOf(':runId')} as cancelled, ${cancelledOf(':formerId')} as "formerCancelled"
   from payout_run r where ${ofTenant('r')} and r.id = :runId`,
      { runId, formerId },
    ),
);

const keep = statement<unknown, { runId: string; comparison: string }>('payouts_keep_comparison', ({ runId, comparison }) =>
  raw(`update payout_run r set comparison = :comparison::jsonb where ${ofTenant('r')} and r.id = :runId`, { runId, comparison }),
);

/** Keeps it of a run that has just been drafted: the amounts of payouts never change, nor do their members. */
export async function keepComparison(db: Db, scope: Scope, run: { id: string; currency: string }): Promise<void> {
  const former = await findFormerRun(db, scope, { runId: run.id, currency: run.currency, executedAt: null });
  if (!former) return;
  const terms: Terms = { runId: run.id, formerId: former.runId };
  // Counted ahead: a payout that is cancelled in between is in neither, and the answer does not hold.
  const [state, { joinedMinor, goneMinor, ...difference }] = await Promise.all([
    db.row(kept(scope, terms)),
    compare(db, scope, terms),
  ]);
  const comparison: Comparison = {
    formerId: former.runId,
    formerCancelled: state?.formerCancelled ?? 0,
    difference: { ...difference, joinedMinor: joinedMinor.toString(), goneMinor: goneMinor.toString() },
  };
  await db.rows(keep(scope, { runId: run.id, comparison: JSON.stringify(comparison) }));
}

/**
 * How a run differs from `formerId`: as its draft kept it where that was of the same run, and no payout of either was
 * cancelled since; else reckoned anew.
 */
export async function compareRuns(db: Db, scope: Scope, runId: string, formerId: string): Promise<RunDifference> {
  const terms: Terms = { runId, formerId };
  const state = await db.row(kept(scope, terms));
  const comparison = state?.comparison;
  if (comparison?.formerId !== formerId || state?.cancelled !== 0 || state.formerCancelled !== comparison.formerCancelled) {
    return compare(db, scope, terms);
  }
  const { joinedMinor, goneMinor, ...difference } = comparison.difference;
  return { ...difference, joinedMinor: BigInt(joinedMinor), goneMinor: BigInt(goneMinor) };
}
