/** Payouts in SQL: one and many, with their attempts and the commissions they consume. */
import type { Knex } from 'knex';
import { type Actor, actorRef, type NamedActor } from '../../../actor.ts';
import { type GivenPlaces, listStatement, raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import { namedActor } from '../../audit/open/named-actor.ts';
import type { NamedLine } from '../../commissions/open/commission-line.ts';
import { type NamedLineRow, namedLineColumns, toNamedLine } from '../../commissions/open/line-rows.ts';
import type { PaymentProvider, PayoutStatus } from '../open/payout-states.ts';
import type { ReconciledAs } from '../open/reconciled-as.ts';
import type { PayoutSort } from '../payout-schemas.ts';
import { IS_RECONCILED_AS } from '../reconcile/reconciled-condition.ts';

export interface Payout {
  id: string;
  /** Null of a settlement, like its account. */
  runId: string | null;
  memberId: string;
  payoutAccountId: string | null;
  providerType: PaymentProvider;
  currency: string;
  amountMinor: bigint;
  lineCount: number;
  status: PayoutStatus;
  attempt: number;
  failureCode: string | null;
  failureMessage: string | null;
  reference: string | null;
  paidAt: Date | null;
  /** Who drafted it; null of those from before it was kept. */
  createdBy: NamedActor | null;
  createdAt: Date;
  updatedAt: Date;
}

const payout = tenantTable('payout');
const payoutAttempt = tenantTable('payout_attempt');

/** Of a row `p`. */
export const payoutColumns = {
  id: 'p.id',
  runId: 'p.payout_run_id',
  memberId: 'p.member_id',
  payoutAccountId: 'p.payout_account_id',
  providerType: 'p.provider_type',
  currency: 'p.currency',
  amountMinor: 'p.amount_minor',
  lineCount: 'p.line_count',
  status: 'p.status',
  attempt: 'p.attempt',
  failureCode: 'p.failure_code',
  failureMessage: 'p.failure_message',
  reference: 'p.reference',
  paidAt: 'p.paid_at',
  createdBy: raw(namedActor('p.created_by')),
  createdAt: 'p.created_at',
  updatedAt: 'p.updated_at',
} as const satisfies Record<keyof Payout, string | Knex.Raw>;

const find = statement<Payout, { payoutId: string }>('payouts_find', ({ payoutId }) =>
  payout('p').where('p.id', payoutId).select(payoutColumns),
);

export async function findPayout(db: Db, scope: Scope, payoutId: string): Promise<Payout | undefined> {
  return db.row(find(scope, { payoutId }));
}

export interface PayoutFilters {
  runId?: string | undefined;
  userId?: string | undefined;
  status?: PayoutStatus | undefined;
  currency?: string | undefined;
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
  reconciled?: ReconciledAs | undefined;
}

type Listing = PayoutFilters & { afterId: string | undefined; count: number };

/**
 * Each in an index with the id behind it, which is partial: the planner takes it where it reads the condition, which holds
 * for `all`. They never change: a row's place in the list follows from its id.
 */
const SORTED = {
  createdAt: { column: 'created_at', all: "p.created_at > '-infinity'" },
  amount: { column: 'amount_minor', all: 'p.amount_minor > 0' },
} as const;

function filtered(places: GivenPlaces<Listing>): Knex.QueryBuilder {
  const { runId, userId, status, currency, createdFrom, createdTo, reconciled, count } = places;
  const query = payout('p').limit(count).select(payoutColumns);
  if (runId) query.where('p.payout_run_id', runId);
  if (userId) query.where('p.member_id', userId);
  if (status) query.where('p.status', status);
  if (currency) query.where('p.currency', currency);
  if (reconciled) query.where(raw(IS_RECONCILED_AS, { reconciled }));
  if (createdFrom || createdTo) query.where(raw(SORTED.createdAt.all));
  if (createdFrom) query.where('p.created_at', '>=', createdFrom);
  if (createdTo) query.where('p.created_at', '<', createdTo);
  return query;
}

const list = listStatement<Payout, Listing>('payouts_list', (places) => {
  const { afterId } = places;
  const query = filtered(places).orderBy('p.id');
  if (afterId) query.where('p.id', '>', afterId);
  return query;
});

/** In order of their ids, which is the order they were drafted in. */
export async function listPayouts(
  db: Db,
  scope: Scope,
  filters: PayoutFilters,
  afterId: string | undefined,
  count: number,
): Promise<Payout[]> {
  return db.rows(list(scope, { ...filters, afterId, count }));
}

const sorted = (sort: PayoutSort) => {
  const { column, all } = SORTED[sort.replace('-', '') as keyof typeof SORTED];
  const [direction, beyond] = sort.startsWith('-') ? (['desc', '<'] as const) : (['asc', '>'] as const);
  return listStatement<Payout, Listing>(`payouts_list_by_${column}_${direction}`, (places) => {
    const { afterId } = places;
    const query = filtered(places)
      .where(raw(all))
      .orderBy([
        { column: `p.${column}`, order: direction },
        { column: 'p.id', order: direction },
      ]);
    const place = `select a.${column}, a.id from payout a where ${ofTenant('a')} and a.id = :afterId`;
    if (afterId) query.where(raw(`(p.${column}, p.id) ${beyond} (${place})`, { afterId }));
    return query;
  });
};
const sortedLists = {
  createdAt: sorted('createdAt'),
  '-createdAt': sorted('-createdAt'),
  amount: sorted('amount'),
  '-amount': sorted('-amount'),
};

/** Equal ones in the order of their ids, or against it. */
export async function listPayoutsSorted(
  db: Db,
  scope: Scope,
  filters: PayoutFilters,
  { sort, afterId }: { sort: PayoutSort; afterId: string | undefined },
  count: number,
): Promise<Payout[]> {
  return db.rows(sortedLists[sort](scope, { ...filters, afterId, count }));
}

export interface PayoutAttempt {
  attempt: number;
  transferId: string | null;
  providerPayoutId: string | null;
  reversalId: string | null;
  outcome: 'paid' | 'failed' | 'returned' | null;
  /** Who asked for it: the run's executor, or the retry's. Null of those from before it was kept. */
  createdBy: NamedActor | null;
  startedAt: Date;
  endedAt: Date | null;
}

const attempts = statement<PayoutAttempt, { payoutId: string }>('payouts_attempts', ({ payoutId }) =>
  payoutAttempt('a')
    .where('a.payout_id', payoutId)
    .orderBy('a.attempt')
    .select({
      attempt: 'a.attempt',
      transferId: 'a.transfer_id',
      providerPayoutId: 'a.provider_payout_id',
      reversalId: 'a.reversal_id',
      outcome: 'a.outcome',
      createdBy: raw(namedActor('a.created_by')),
      startedAt: 'a.started_at',
      endedAt: 'a.ended_at',
    }),
);

export async function listAttempts(db: Db, scope: Scope, payoutId: string): Promise<PayoutAttempt[]> {
  return db.rows(attempts(scope, { payoutId }));
}

export type ConsumedLine = Pick<
  NamedLine,
  'id' | 'eventId' | 'externalEventId' | 'kind' | 'amountMinor' | 'currency' | 'status' | 'occurredAt'
>;

const lines = statement<NamedLineRow, { payoutId: string; afterId: string | null; count: number }>(
  'payouts_lines',
  ({ payoutId, afterId, count }) =>
    raw(
      `select line.* from (
     select c.line_id from payout_line c
     where ${ofTenant('c')} and c.payout_id = :payoutId and (:afterId::uuid is null or c.line_id > :afterId)
     order by c.line_id limit :count) c
   cross join lateral (
     select ${namedLineColumns('l', 'e')}
     from commission_line l join event e on ${ofTenant('e')} and e.id = l.event_id
     where ${ofTenant('l')} and l.id = c.line_id offset 0) line
   order by line.id`,
      { payoutId, afterId, count },
    ),
);

/** The commissions of a payout, also of one that did not go through, oldest first. */
export async function listConsumedLines(
  db: Db,
  scope: Scope,
  payoutId: string,
  afterId: string | undefined,
  count: number,
): Promise<ConsumedLine[]> {
  const rows = await db.rows(lines(scope, { payoutId, afterId: afterId ?? null, count }));
  return rows.map((row) => consumedLine(toNamedLine(row)));
}

function consumedLine(line: NamedLine): ConsumedLine {
  const { id, eventId, externalEventId, kind, amountMinor, currency, status, occurredAt } = line;
  return { id, eventId, externalEventId, kind, amountMinor, currency, status, occurredAt };
}

const cancel = statement<unknown, { payoutId: string }>('payouts_cancel', ({ payoutId }) =>
  raw(
    `with freed as (
     update payout_line l set live = false
     where ${ofTenant('l')} and l.payout_id = :payoutId and l.live)
   update payout p set status = 'cancelled', execute_at = null,
          updated_at = ${SCOPE_NOW}
   where ${ofTenant('p')} and p.id = :payoutId`,
    { payoutId },
  ),
);

/** Of a locked payout, whose lines are free. */
export async function storeCancelled(db: Db, scope: Scope, payoutId: string): Promise<void> {
  await db.rows(cancel(scope, { payoutId }));
}

const requeue = statement<unknown, { payoutId: string; by: string }>('payouts_requeue', ({ payoutId, by }) =>
  raw(
    `with again as (
     update payout_line l set live = true
     where ${ofTenant('l')} and l.payout_id = :payoutId)
   update payout p set status = 'queued', execute_at = clock.now, failure_code = null, failure_message = null,
          requested_by = :by, updated_at = clock.now
   from (select ${SCOPE_NOW} as now) clock
   where ${ofTenant('p')} and p.id = :payoutId`,
    { payoutId, by },
  ),
);

/** Of a locked payout that failed: due at once, as `by` asks for. Violates `payout_line_live_key` when another payout has one of its lines. */
export async function storeRequeued(db: Db, scope: Scope, payoutId: string, by: Actor): Promise<void> {
  await db.rows(requeue(scope, { payoutId, by: actorRef(by) }));
}
