/** What an approver of a run has to see, in SQL. The sum of the ledger is of all postings of the currency, however old. */
import { raw, replanned, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { JOIN_VERIFIED, NAME_UNJUDGED } from '../open/holder-names.ts';
import { countsAt } from '../open/payout-hold.ts';
import type { BlockReason, RefusalReason } from '../open/payout-states.ts';
import { firstRefusal } from '../payouts/refusal-rules.ts';

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

export interface BooksOfRun {
  runMinor: bigint;
  blockedMinor: bigint;
  elsewhereMinor: bigint;
  laterMinor: bigint;
  /** All commissions of the currency that are cleared. */
  clearedMinor: bigint;
  /** Commissions that queued payouts have taken, of the run and of others, by what the payouts consume. */
  takenMinor: bigint;
  ledgerMinor: bigint;
  /** Members of whom the ledger has less than the run would pay; none is looked for while the whole ledger agrees with the lines. */
  shortIds: string[];
  /** Queued payouts of the run whose amount is not that of their commissions. */
  mispricedIds: string[];
}

const books = replanned<BooksOfRun, { runId: string; currency: string; cutoff: Date }>(({ runId, currency, cutoff }) =>
  raw(
    // What a payout says and what it consumes are two records: neither stands for the other.
    `with drafted as materialized (
     select p.id, p.payout_run_id is not distinct from :runId as own, p.amount_minor, coalesce(sum(c.amount_minor), 0) as taken
     from payout p left join payout_line c on ${ofTenant('c')} and c.payout_id = p.id and c.live
     where ${ofTenant('p')} and p.currency = :currency and p.status = 'queued'
     group by p.tenant_id, p.environment, p.id),
   queued as (
     select coalesce(sum(d.amount_minor) filter (where d.own), 0)::bigint as own,
            coalesce(sum(d.amount_minor) filter (where not d.own), 0)::bigint as others,
            coalesce(sum(d.taken), 0)::bigint as taken,
            coalesce(array_agg(d.id) filter (where d.own and d.taken <> d.amount_minor), '{}') as mispriced
     from drafted d),
   line as (
     select coalesce(sum(l.amount_minor), 0)::bigint as cleared from commission_line l
     where ${ofTenant('l')} and l.currency = :currency and l.status = 'cleared'),
   later as (
     select coalesce(sum(l.amount_minor), 0)::bigint as later from commission_line l
     where ${ofTenant('l')} and l.currency = :currency and l.status = 'cleared' and l.clears_at > :cutoff and l.amount_minor >= 0
       and not exists (select from payout_line c where ${ofTenant('c')} and c.line_id = l.id and c.live)),
   blocked as (
     select coalesce(sum(b.amount_minor), 0)::bigint as blocked from payout_block b
     where ${ofTenant('b')} and b.payout_run_id = :runId),
   posted as (
     select coalesce(sum(x.amount_minor), 0)::bigint as owed from posting x
     where ${ofTenant('x')} and x.member_id is not null and x.currency = :currency and x.account = 'member:cleared'),
   -- Gone through by member only where the whole differs: an execution looks at each member it pays.
   short as (
     select case when posted.owed = line.cleared then '{}' else (
       select coalesce(array_agg(p.member_id), '{}') from payout p
       where ${ofTenant('p')} and p.payout_run_id = :runId and p.status = 'queued' and p.amount_minor > 0 and p.amount_minor > (
         select coalesce(sum(x.amount_minor), 0) from posting x
         where ${ofTenant('x')} and x.member_id = p.member_id and x.currency = :currency and x.account = 'member:cleared')) end as ids
     from posted cross join line)
   select queued.own as "runMinor", blocked.blocked as "blockedMinor", queued.others as "elsewhereMinor",
          later.later as "laterMinor", line.cleared as "clearedMinor", queued.taken as "takenMinor",
          posted.owed as "ledgerMinor", short.ids as "shortIds", queued.mispriced as "mispricedIds"
   from queued cross join line cross join later cross join blocked cross join posted cross join short`,
    { runId, currency, cutoff },
  ),
);

/** What a currency's books have of a run, of the others, and of what no run has. */
export async function readBooks(
  db: Db,
  scope: Scope,
  run: { runId: string; currency: string; cutoff: Date },
): Promise<BooksOfRun> {
  const row = await db.row(books(scope, run));
  if (!row) throw new Error('the books gave no row');
  return row;
}

export interface LikelyRefusal {
  payoutId: string;
  memberId: string;
  accountId: string;
  amountMinor: bigint;
  /** Null: only its holder's name is to be compared anew. */
  reason: RefusalReason | null;
  /** The verified name has changed: what comes of it is not known yet. */
  isUnjudged: boolean;
}

interface RefusalTerms {
  runId: string;
  currency: string;
  draftedAt: Date;
  requireKyc: boolean;
  /** As the books found them. */
  shortIds: readonly string[];
  mispricedIds: readonly string[];
}

/** Longer than any transaction that was under way when the run was drafted. */
const SLACK = "interval '1 hour'";

/**
 * The payouts of the run are joined with tables alone, never with what the statement has made: of that the planner knows
 * nothing. What it has made is asked by `in`, which is a look into a hash table.
 */
const refusals = replanned<LikelyRefusal, RefusalTerms>(({ runId, currency, draftedAt, requireKyc, shortIds, mispricedIds }) =>
  raw(
    `with clock as materialized (select ${SCOPE_NOW} as now),
   -- A commission that was taken leaves its place by being held or reversed.
   astray as materialized (
     select c.payout_id from commission_line l
     join payout_line c on ${ofTenant('c')} and c.line_id = l.id and c.live
     where ${ofTenant('l')} and l.status in ('held', 'reversed') and l.status_changed_at >= :draftedAt::timestamptz - ${SLACK}),
   owing as materialized (
     select l.beneficiary_id from commission_line l
     where ${ofTenant('l')} and l.currency = :currency and l.status = 'cleared' and l.amount_minor < 0
       and not exists (
         select from payout_line c join payout o on ${ofTenant('o')} and o.id = c.payout_id
         where ${ofTenant('c')} and c.line_id = l.id and c.live and o.payout_run_id = :runId)),
   judged as (
     select q.id as "payoutId", q.member_id as "memberId", a.id as "accountId", q.amount_minor as "amountMinor",
            ${firstRefusal({
              identityChanged: `q.member_id in (
                   select c.member_id from kyc_record c where ${ofTenant('c')} and c.identity_changed_at is not null)`,
              nameStops: `k.id is not null and not ${NAME_UNJUDGED} and a.name_match = 'mismatch' and a.name_accepted_at is null`,
              changed: `q.id in (select astray.payout_id from astray) or q.member_id in (select owing.beneficiary_id from owing)
                   or q.member_id = any (:shortIds::uuid[]) or q.id = any (:mispricedIds::uuid[])`,
            })} as reason, ${NAME_UNJUDGED} as "isUnjudged"
     from payout q
     join member m on ${ofTenant('m')} and m.id = q.member_id
     left join payout_hold h on ${countsAt('q.member_id', '(select clock.now from clock)')}
     join payout_account a on ${ofTenant('a')} and a.id = q.payout_account_id ${JOIN_VERIFIED}
     where ${ofTenant('q')} and q.payout_run_id = :runId and q.status = 'queued')
   select judged.* from judged where judged.reason is not null or judged."isUnjudged" order by judged."payoutId"`,
    { runId, currency, draftedAt, requireKyc, shortIds, mispricedIds },
  ),
);

/** Queued payouts of a run that an execution would not carry out by now, or whose holder's name it would compare first. */
export async function listLikelyRefusals(db: Db, scope: Scope, run: RefusalTerms): Promise<LikelyRefusal[]> {
  return db.rows(refusals(scope, run));
}

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

/** So many are shown of each list. */
const SHOWN = 10;

const paidBy = (runId: string): string => `select p.member_id, p.amount_minor from payout p
     where ${ofTenant('p')} and p.payout_run_id = ${runId} and p.status <> 'cancelled'`;

const difference = replanned<RunDifference, { runId: string; formerId: string }>(({ runId, formerId }) =>
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
export async function compareRuns(db: Db, scope: Scope, runId: string, formerId: string): Promise<RunDifference> {
  const row = await db.row(difference(scope, { runId, formerId }));
  if (!row) throw new Error('two runs gave no row');
  return row;
}

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
