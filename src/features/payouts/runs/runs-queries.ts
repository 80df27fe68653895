/** Payout runs in SQL: one and many, locked, and moved from one status to the next. */
import type { Knex } from 'knex';
import { type Actor, actorRef, type NamedActor } from '../../../actor.ts';
import { type GivenPlaces, listStatement, raw, statement, unscopedStatement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import { namedActor } from '../../audit/open/named-actor.ts';
import type { TwoHandsRule } from '../../two-hands/open/two-hands-rule.ts';
import type { BlockReason, PayoutStatus, RunStatus } from '../open/payout-states.ts';
import type { BlockedSort } from '../payout-schemas.ts';

export interface PayoutRun {
  id: string;
  currency: string;
  cutoffAt: Date;
  status: RunStatus;
  /** As drafted, all three. */
  payoutCount: number;
  totalMinor: bigint;
  blockedCount: number;
  /** Both null: the currency had no minimum, or it was not kept yet. */
  minimumMinor: bigint | null;
  minimumSource: 'plan' | 'built_in' | null;
  /** What it was stamped with when it was drafted; null: it was past approval when this was introduced. */
  dualControl: TwoHandsRule | null;
  createdBy: NamedActor;
  approvedBy: NamedActor | null;
  approvedAt: Date | null;
  executedBy: NamedActor | null;
  executedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const run = tenantTable('payout_run');
const payout = tenantTable('payout');
const block = tenantTable('payout_block');

export const runColumns = `r.id, r.currency, r.cutoff_at as "cutoffAt", r.status, r.payout_count as "payoutCount",
  r.total_minor as "totalMinor", r.blocked_count as "blockedCount", r.minimum_minor as "minimumMinor",
  r.minimum_source as "minimumSource", r.dual_control as "dualControl", ${namedActor('r.created_by')} as "createdBy",
  ${namedActor('r.approved_by')} as "approvedBy", r.approved_at as "approvedAt",
  ${namedActor('r.executed_by')} as "executedBy", r.executed_at as "executedAt", r.created_at as "createdAt",
  r.updated_at as "updatedAt"`;

const one = (runId: Knex.Raw) => run('r').where('r.id', runId).select(raw(runColumns));

const find = statement<PayoutRun, { runId: string }>('payouts_find_run', ({ runId }) => one(runId));

export async function findRun(db: Db, scope: Scope, runId: string): Promise<PayoutRun | undefined> {
  return db.row(find(scope, { runId }));
}

export interface RunWithTerms extends PayoutRun {
  /** Whether the draft asked for an approved verification; null: it was made by an older release. */
  requiredKyc: boolean | null;
}

const findWithTerms = statement<RunWithTerms, { runId: string }>('payouts_find_run_terms', ({ runId }) =>
  run('r').where('r.id', runId).select(raw(runColumns), { requiredKyc: 'r.require_kyc' }),
);

/** A run, and what its draft went by. */
export async function findRunWithTerms(db: Db, scope: Scope, runId: string): Promise<RunWithTerms | undefined> {
  return db.row(findWithTerms(scope, { runId }));
}

const lock = statement<PayoutRun, { runId: string }>('payouts_lock_run', ({ runId }) => one(runId).forUpdate());

export async function lockRun(db: Db, scope: Scope, runId: string): Promise<PayoutRun | undefined> {
  return db.row(lock(scope, { runId }));
}

export interface RunWithHands extends PayoutRun {
  /** Who counts as its drafter. */
  firstHands: NamedActor;
}

/** In whose hands a run was, as `actorRef`s. */
export interface RunHands {
  drafter: string;
  drafterRoot: string;
  approverRoot: string | null;
}

/** The root of whoever a column names: of a key its own, else the actor. A root never changes. */
const rootOf = (column: string): string => `coalesce(
  (select k.root from api_key k where ${ofTenant('k')} and k.id = (case when ${column} like 'api\\_key:%' then substr(${column}, 9) end)::uuid),
  ${column})`;

/** Who counts as the drafter of a run `r`. Under row security no index is walked by what a coalesce gives. */
const FIRST_HANDS = `${namedActor('case when r.drafter_root is null then r.created_by else r.drafter_root end')} as "firstHands"`;

/** The worker reads it too, for events, and sees no roots of keys: of runs from before roots were kept it is the drafter. */
const findHands = statement<RunWithHands, { runId: string }>('payouts_find_run_hands', ({ runId }) =>
  raw(
    `select ${runColumns}, ${FIRST_HANDS}
   from payout_run r where ${ofTenant('r')} and r.id = :runId`,
    { runId },
  ),
);

export async function findRunWithHands(db: Db, scope: Scope, runId: string): Promise<RunWithHands | undefined> {
  return db.row(findHands(scope, { runId }));
}

const hands = statement<RunHands, { runId: string }>('payouts_hands_of_run', ({ runId }) =>
  run('r')
    .where('r.id', runId)
    .select({
      drafter: 'r.created_by',
      drafterRoot: raw(`coalesce(r.drafter_root, ${rootOf('r.created_by')})`),
      approverRoot: raw(rootOf('r.approved_by')),
    }),
);

export async function readRunHands(db: Db, scope: Scope, runId: string): Promise<RunHands> {
  return present(await db.row(hands(scope, { runId })));
}

export interface RunFilters {
  status: RunStatus | undefined;
  currency: string | undefined;
  createdFrom: string | undefined;
  createdTo: string | undefined;
}

type Given = { [Name in keyof RunFilters]: string | null } & { before: string | null; count: number };

const list = statement<RunWithHands, Given>('payouts_list_runs', ({ status, currency, createdFrom, createdTo, before, count }) =>
  raw(
    `select ${runColumns}, ${FIRST_HANDS} from payout_run r
   where ${ofTenant('r')} and (:status::text is null or r.status = :status) and (:currency::text is null or r.currency = :currency)
     and (:createdFrom::timestamptz is null or r.created_at >= :createdFrom)
     and (:createdTo::timestamptz is null or r.created_at < :createdTo)
     and (:before::uuid is null or r.id < :before)
   order by r.id desc limit :count`,
    { status, currency, createdFrom, createdTo, before, count },
  ),
);

/** Newest first, by their ids. */
export async function listRuns(
  db: Db,
  scope: Scope,
  {
    status = null,
    currency = null,
    createdFrom = null,
    createdTo = null,
  }: { [Name in keyof RunFilters]: string | null | undefined },
  beforeId: string | undefined,
  count: number,
): Promise<RunWithHands[]> {
  return db.rows(list(scope, { status, currency, createdFrom, createdTo, before: beforeId ?? null, count }));
}

export interface BlockedMember {
  memberId: string;
  reason: BlockReason;
  amountMinor: bigint;
  /** As it is now, whatever the reason; all null: none. */
  holdReason: string | null;
  holdUntil: Date | null;
  heldBy: NamedActor | null;
  heldAt: Date | null;
}

type BlockedFilters = { runId: string; reason: BlockReason | undefined };
type BlockedListing = BlockedFilters & { afterMemberId: string | undefined; count: number };

function blockedOf({ runId, reason, count }: GivenPlaces<BlockedListing>): Knex.QueryBuilder {
  const query = block('b')
    .leftJoin('payout_hold as h', 'h.member_id', 'b.member_id')
    .where('b.payout_run_id', runId)
    .limit(count)
    .select({
      memberId: 'b.member_id',
      reason: 'b.reason',
      amountMinor: 'b.amount_minor',
      holdReason: 'h.reason',
      holdUntil: 'h.until',
      heldBy: raw(namedActor('h.created_by')),
      heldAt: 'h.created_at',
    });
  if (reason) query.where('b.reason', reason);
  return query;
}

const blocked = listStatement<BlockedMember, BlockedListing>('payouts_list_blocked', (places) => {
  const { afterMemberId } = places;
  const query = blockedOf(places).orderBy('b.member_id');
  if (afterMemberId) query.where('b.member_id', '>', afterMemberId);
  return query;
});

const blockedByAmount = (direction: 'asc' | 'desc', beyond: '>' | '<') =>
  listStatement<BlockedMember, BlockedListing>(`payouts_list_blocked_${direction}`, (places) => {
    const { runId, afterMemberId } = places;
    const query = blockedOf(places).orderBy([
      { column: 'b.amount_minor', order: direction },
      { column: 'b.member_id', order: direction },
    ]);
    const place = `select a.amount_minor, a.member_id from payout_block a
      where ${ofTenant('a')} and a.payout_run_id = :runId and a.member_id = :afterMemberId`;
    if (afterMemberId) {
      query.where(raw(`(b.amount_minor, b.member_id) ${beyond} (${place})`, { runId, afterMemberId }));
    }
    return query;
  });
const blockedSorted = { amount: blockedByAmount('asc', '>'), '-amount': blockedByAmount('desc', '<') };

/** In the order of the members' ids, unless sorted. */
export async function listBlocked(
  db: Db,
  scope: Scope,
  { sort, ...filters }: BlockedFilters & { sort?: BlockedSort | undefined },
  afterMemberId: string | undefined,
  count: number,
): Promise<BlockedMember[]> {
  const listing = sort === undefined ? blocked : blockedSorted[sort];
  return db.rows(listing(scope, { ...filters, afterMemberId, count }));
}

const statusCounts = statement<{ status: PayoutStatus; count: number; totalMinor: bigint }, { runId: string }>(
  'payouts_count_by_status',
  ({ runId }) =>
    payout()
      .where({ payout_run_id: runId })
      .groupBy('status')
      .select({ status: 'status', count: raw('count(*)::int'), totalMinor: raw('sum(amount_minor)::bigint') }),
);

/** Where a run's payouts are; a status that none has is left out. */
export function countByStatus(
  db: Db,
  scope: Scope,
  runId: string,
): Promise<{ status: PayoutStatus; count: number; totalMinor: bigint }[]> {
  return db.rows(statusCounts(scope, { runId }));
}

const clock = `(select ${SCOPE_NOW} as now) clock`;

const approve = statement<PayoutRun, { runId: string; by: string }>('payouts_approve_run', ({ runId, by }) =>
  raw(
    `update payout_run r set status = 'approved', approved_by = :by, approved_at = clock.now, updated_at = clock.now
   from ${clock} where ${ofTenant('r')} and r.id = :runId returning ${runColumns}`,
    { runId, by },
  ),
);

/** Of a locked run. */
export async function approveRun(db: Db, scope: Scope, runId: string, by: Actor): Promise<PayoutRun> {
  return present(await db.row(approve(scope, { runId, by: actorRef(by) })));
}

const execute = statement<PayoutRun, { runId: string; by: string }>('payouts_execute_run', ({ runId, by }) =>
  raw(
    `with due as (
     update payout p set execute_at = clock.now, requested_by = :by, updated_at = clock.now
     from ${clock} where ${ofTenant('p')} and p.payout_run_id = :runId and p.status = 'queued'
     returning 1)
   update payout_run r set status = 'executing', executed_by = :by, executed_at = clock.now, updated_at = clock.now
   from ${clock}, (select count(*) from due) d
   where ${ofTenant('r')} and r.id = :runId returning ${runColumns}`,
    { runId, by },
  ),
);

/** Of a locked run: all of its queued payouts become due, as `by` asks for. */
export async function executeRun(db: Db, scope: Scope, runId: string, by: Actor): Promise<PayoutRun> {
  return present(await db.row(execute(scope, { runId, by: actorRef(by) })));
}

/** The lines are found by their index whatever the planner knows of a draft that was stored just now. */
const cancel = statement<PayoutRun, { runId: string }>('payouts_cancel_run', ({ runId }) =>
  raw(
    `with gone as (
     update payout p set status = 'cancelled', execute_at = null, updated_at = clock.now
     from ${clock} where ${ofTenant('p')} and p.payout_run_id = :runId and p.status = 'queued'
     returning p.id),
   freed as (
     update payout_line l set live = false
     where ${ofTenant('l')} and l.payout_id = any (array(select gone.id from gone)) and l.live)
   update payout_run r set status = 'cancelled', updated_at = clock.now
   from ${clock} where ${ofTenant('r')} and r.id = :runId returning ${runColumns}`,
    { runId },
  ),
);

/** Of a locked run: with its payouts, whose lines are free. */
export async function cancelRun(db: Db, scope: Scope, runId: string): Promise<PayoutRun> {
  return present(await db.row(cancel(scope, { runId })));
}

const reopen = statement<PayoutRun, { runId: string }>('payouts_reopen_run', ({ runId }) =>
  raw(
    `update payout_run r set status = 'executing', updated_at = clock.now
   from ${clock} where ${ofTenant('r')} and r.id = :runId and r.status = 'partially_failed'
   returning ${runColumns}`,
    { runId },
  ),
);

/** Opens a locked run again, whose failed payout is tried again. False: it had not ended. */
export async function reopenRun(db: Db, scope: Scope, runId: string): Promise<boolean> {
  return (await db.row(reopen(scope, { runId }))) !== undefined;
}

const allowTime = unscopedStatement<unknown>('payouts_allow_time', () => raw("set local statement_timeout = '60s'"));

/** What follows touches as many rows as there are members. */
export async function allowLongStatements(db: Db): Promise<void> {
  await db.rows(allowTime());
}

function present<Run>(run: Run | undefined): Run {
  if (!run) throw new Error('a locked run vanished');
  return run;
}
