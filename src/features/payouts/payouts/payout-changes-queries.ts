/** What happens to payouts in SQL: locked, executed, settled, and the journals of it. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import { insertNumberedJournals, insertPostings } from '../../ledger/open/journal-sql.ts';
import type { PaymentProvider, PayoutStatus } from '../open/payout-states.ts';

const payout = tenantTable('payout');
const payoutAttempt = tenantTable('payout_attempt');

/** A payout with its present attempt, locked. */
export interface LockedPayout {
  id: string;
  /** Null of a settlement. */
  runId: string | null;
  memberId: string;
  currency: string;
  amountMinor: bigint;
  providerType: PaymentProvider;
  status: PayoutStatus;
  attempt: number;
  createdAt: Date;
}

const lockOne = statement<LockedPayout, { payoutId: string }>('payouts_lock', ({ payoutId }) =>
  payout()
    .where({ id: payoutId })
    .select({
      id: 'id',
      runId: 'payout_run_id',
      memberId: 'member_id',
      currency: 'currency',
      amountMinor: 'amount_minor',
      providerType: 'provider_type',
      status: 'status',
      attempt: 'attempt',
      createdAt: 'created_at',
    })
    .forUpdate(),
);

export async function lockPayout(db: Db, scope: Scope, payoutId: string): Promise<LockedPayout | undefined> {
  return db.row(lockOne(scope, { payoutId }));
}

const journalMoves = statement<
  unknown,
  { payoutIds: string[]; cause: string; from: string; to: string; occurredAt: Date | null }
>('payouts_post_moves', ({ payoutIds, cause, from, to, occurredAt }) =>
  raw(
    `with clock as (select ${SCOPE_NOW} as now),
   due as materialized (
     select uuidv7() as journal_id, a.id as attempt_id, p.member_id, p.currency, p.amount_minor
     from payout p cross join lateral (
       select x.id from payout_attempt x
       where ${ofTenant('x')} and x.payout_id = p.id and x.attempt = p.attempt offset 0) a
     where ${ofTenant('p')} and p.id = any (:payoutIds::uuid[])),
   journal as (
     ${insertNumberedJournals(`(
       select due.journal_id as id, :cause::text as cause_type, due.attempt_id as cause_id,
              coalesce(:occurredAt::timestamptz, clock.now) as occurred_at, clock.now as recorded_at
       from due cross join clock)`)})
   ${insertPostings(`(
     select due.journal_id, side.seq, side.account, due.member_id, due.currency, side.sign * due.amount_minor as amount_minor
     from due cross join (values (0::smallint, :from, -1), (1::smallint, :to, 1)) side(seq, account, sign))`)}`,
    { payoutIds, cause, from, to, occurredAt },
  ),
);

export type PayoutCause = 'payout_processing' | 'payout_paid' | 'payout_failed' | 'payout_returned';
type Account = 'member:cleared' | 'member:processing' | 'member:paid_out';

/** A journal for each payout, with its present attempt as the cause: so none is posted twice. */
export async function postMoves(
  db: Db,
  scope: Scope,
  payoutIds: readonly string[],
  { cause, from, to, occurredAt }: { cause: PayoutCause; from: Account; to: Account; occurredAt?: Date | undefined },
): Promise<void> {
  await db.rows(journalMoves(scope, { payoutIds: [...payoutIds], cause, from, to, occurredAt: occurredAt ?? null }));
}

const settle = statement<
  unknown,
  {
    payoutId: string;
    status: string;
    failureCode: string | null;
    failureMessage: string | null;
    reference: string | null;
    paidAt: Date | null;
  }
>('payouts_settle', ({ payoutId, status, failureCode, failureMessage, reference, paidAt }) =>
  raw(
    `with clock as (select ${SCOPE_NOW} as now),
   freed as (
     update payout_line l set live = false
     where :status <> 'paid' and ${ofTenant('l')} and l.payout_id = :payoutId and l.live),
   ended as (
     update payout_attempt a set outcome = :status, ended_at = now()
     from payout p
     where ${ofTenant('p')} and p.id = :payoutId
       and ${ofTenant('a')} and a.payout_id = p.id and a.attempt = p.attempt),
   -- Kept for this payout alone: the account was given up while it was on its way.
   forgotten as (
     update payout_account x set bank_sealed = null
     from payout p
     where ${ofTenant('p')} and p.id = :payoutId
       and ${ofTenant('x')} and x.id = p.payout_account_id and x.status = 'deactivated'
       and x.bank_sealed is not null and x.kept_check_at is null
       and not exists (
         select from payout o
         where ${ofTenant('o')} and o.payout_account_id = x.id and o.id <> p.id and o.status = 'processing')),
   -- Of an erased member: it may be the last that was owed.
   looked_at as (
     update payout_account x set kept_check_at = clock.now
     from payout p cross join clock
     where ${ofTenant('p')} and p.id = :payoutId
       and ${ofTenant('x')} and x.member_id = p.member_id and x.kept_check_at is not null)
   update payout p set status = :status, failure_code = :failureCode, failure_message = :failureMessage,
          reference = coalesce(:reference, p.reference),
          paid_at = case when :status = 'paid' then coalesce(:paidAt, clock.now) else p.paid_at end,
          -- Due by now: somebody has had the provider asked since the payout was taken up.
          check_at = case when :status = 'paid' and p.check_at <= now() then p.check_at end, checks = 0, updated_at = clock.now
   from clock where ${ofTenant('p')} and p.id = :payoutId`,
    { payoutId, status, failureCode, failureMessage, reference, paidAt },
  ),
);

export interface Settled {
  status: 'paid' | 'failed' | 'returned';
  failureCode: string | null;
  failureMessage: string | null;
  reference: string | null;
  /** Of a paid one; null: now, by the scope's clock. */
  paidAt: Date | null;
}

/** Ends the present attempt. Lines of what is not paid are free for another payout. */
export async function storeSettled(db: Db, scope: Scope, payoutId: string, settled: Settled): Promise<void> {
  const { status, failureCode, failureMessage, reference, paidAt } = settled;
  await db.rows(settle(scope, { payoutId, status, failureCode, failureMessage, reference, paidAt }));
}

const openOf = statement<{ open: number }, { runId: string; atMost: number }>('payouts_open_of_run', ({ runId, atMost }) =>
  raw(
    `select count(*)::int as open from (
     select from payout p
     where ${ofTenant('p')} and p.payout_run_id = :runId and p.status in ('queued', 'processing')
     limit :atMost) o`,
    { runId, atMost },
  ),
);

/** How many of a run's payouts are queued or processing, counted up to `atMost`. */
export async function countOpenPayouts(db: Db, scope: Scope, runId: string, atMost: number): Promise<number> {
  return (await db.row(openOf(scope, { runId, atMost })))?.open ?? 0;
}

const end = statement<{ id: string }, { runId: string }>('payouts_end_run', ({ runId }) =>
  raw(
    `update payout_run r
   set status = case when exists (
         select from payout p where ${ofTenant('p')} and p.payout_run_id = :runId and p.status = 'failed')
       then 'partially_failed' else 'completed' end,
       updated_at = ${SCOPE_NOW}
   where ${ofTenant('r')} and r.id = :runId and r.status = 'executing'
     and not exists (
       select from payout p where ${ofTenant('p')} and p.payout_run_id = :runId
         and p.status in ('queued', 'processing'))
   returning r.id`,
    { runId },
  ),
);

/** Ends a locked run unless a payout is still queued or processing. Whether it has ended by this. */
export async function storeRunEnd(db: Db, scope: Scope, runId: string): Promise<boolean> {
  return (await db.row(end(scope, { runId }))) !== undefined;
}

const ask = statement<{ id: string }, { payoutId: string }>('payouts_ask_again', ({ payoutId }) =>
  payout()
    .where({ id: payoutId, provider_type: 'payvendor' })
    .whereIn('status', ['processing', 'paid'])
    .update({ check_at: raw('now()'), checks: 0 })
    .returning('id'),
);

/** The provider is asked at once what became of the payout. False when there is nothing to ask. */
export async function askProviderAgain(db: Db, scope: Scope, payoutId: string): Promise<boolean> {
  return (await db.row(ask(scope, { payoutId }))) !== undefined;
}

export interface PayoutOfProvider {
  payoutId: string;
  status: PayoutStatus;
  attempt: number;
  presentAttempt: number;
}

const ofProvider = statement<PayoutOfProvider, { objectId: string }>('payouts_of_provider', ({ objectId }) =>
  payoutAttempt('a')
    .join('payout as p', 'p.id', 'a.payout_id')
    .where((either) => void either.where('a.transfer_id', objectId).orWhere('a.provider_payout_id', objectId))
    .limit(1)
    .select({ payoutId: 'p.id', status: 'p.status', attempt: 'a.attempt', presentAttempt: 'p.attempt' }),
);

/** Whose a transfer (tr_…) or a payout (po_…) of the provider is. */
export async function findPayoutOfProvider(db: Db, scope: Scope, objectId: string): Promise<PayoutOfProvider | undefined> {
  return db.row(ofProvider(scope, { objectId }));
}
