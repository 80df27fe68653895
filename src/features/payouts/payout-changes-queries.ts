/** What happens to payouts in SQL: locked, executed, settled, and the journals of it. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import type { PaymentProvider, PayoutStatus } from './payout-states.ts';

/** A payout with its present attempt, locked. */
export interface LockedPayout {
  id: string;
  runId: string;
  memberId: string;
  currency: string;
  providerType: PaymentProvider;
  status: PayoutStatus;
  attempt: number;
  createdAt: Date;
}

const lockOne = prepared<LockedPayout, [string, string, string]>(
  'payouts_lock',
  `select p.id, p.payout_run_id as "runId", p.member_id as "memberId", p.currency, p.provider_type as "providerType", p.status,
          p.attempt, p.created_at as "createdAt"
   from payout p where p.tenant_id = $1 and p.environment = $2 and p.id = $3 for update`,
);

export async function lockPayout(db: Db, scope: Scope, payoutId: string): Promise<LockedPayout | undefined> {
  return db.row(lockOne(scope.tenantId, scope.environment, payoutId));
}

const journalMoves = prepared<
  unknown,
  [string, string, payoutIds: string[], cause: string, from: string, to: string, occurredAt: Date | null]
>(
  'payouts_post_moves',
  `with clock as (select case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end as now),
   due as materialized (
     select uuidv7() as journal_id, a.id as attempt_id, p.member_id, p.currency, p.amount_minor
     from payout p cross join lateral (
       select x.id from payout_attempt x
       where x.tenant_id = $1 and x.environment = $2 and x.payout_id = p.id and x.attempt = p.attempt offset 0) a
     where p.tenant_id = $1 and p.environment = $2 and p.id = any ($3::uuid[])),
   journal as (
     insert into journal_entry (tenant_id, environment, id, cause_type, cause_id, occurred_at, recorded_at)
     select $1, $2, due.journal_id, $4, due.attempt_id, coalesce($7::timestamptz, clock.now), clock.now from due cross join clock)
   insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
   select $1, $2, due.journal_id, side.seq, side.account, due.member_id, due.currency, side.sign * due.amount_minor
   from due cross join (values (0::smallint, $5, -1), (1::smallint, $6, 1)) side(seq, account, sign)`,
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
  await db.rows(journalMoves(scope.tenantId, scope.environment, [...payoutIds], cause, from, to, occurredAt ?? null));
}

const settle = prepared<
  unknown,
  [
    string,
    string,
    string,
    status: string,
    failureCode: string | null,
    failureMessage: string | null,
    reference: string | null,
    paidAt: Date | null,
  ]
>(
  'payouts_settle',
  `with clock as (select case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end as now),
   freed as (
     update payout_line l set live = false
     where $4 <> 'paid' and l.tenant_id = $1 and l.environment = $2 and l.payout_id = $3 and l.live),
   ended as (
     update payout_attempt a set outcome = $4, ended_at = now()
     from payout p
     where p.tenant_id = $1 and p.environment = $2 and p.id = $3
       and a.tenant_id = $1 and a.environment = $2 and a.payout_id = p.id and a.attempt = p.attempt),
   -- Kept for this payout alone: the account was given up while it was on its way.
   forgotten as (
     update payout_account x set bank_sealed = null
     from payout p
     where p.tenant_id = $1 and p.environment = $2 and p.id = $3
       and x.tenant_id = $1 and x.environment = $2 and x.id = p.payout_account_id and x.status = 'deactivated'
       and x.bank_sealed is not null
       and not exists (
         select from payout o
         where o.tenant_id = $1 and o.environment = $2 and o.payout_account_id = x.id and o.id <> p.id and o.status = 'processing'))
   update payout p set status = $4, failure_code = $5, failure_message = $6, reference = coalesce($7, p.reference),
          paid_at = case when $4 = 'paid' then coalesce($8, clock.now) else p.paid_at end,
          -- Due by now: somebody has had the provider asked since the payout was taken up.
          check_at = case when $4 = 'paid' and p.check_at <= now() then p.check_at end, checks = 0, updated_at = clock.now
   from clock where p.tenant_id = $1 and p.environment = $2 and p.id = $3`,
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
  await db.rows(settle(scope.tenantId, scope.environment, payoutId, status, failureCode, failureMessage, reference, paidAt));
}

const openOf = prepared<{ open: number }, [string, string, runId: string, atMost: number]>(
  'payouts_open_of_run',
  `select count(*)::int as open from (
     select from payout p
     where p.tenant_id = $1 and p.environment = $2 and p.payout_run_id = $3 and p.status in ('queued', 'processing')
     limit $4) o`,
);

/** How many of a run's payouts are queued or processing, counted up to `atMost`. */
export async function countOpenPayouts(db: Db, scope: Scope, runId: string, atMost: number): Promise<number> {
  return (await db.row(openOf(scope.tenantId, scope.environment, runId, atMost)))?.open ?? 0;
}

const end = prepared<unknown, [string, string, runId: string]>(
  'payouts_end_run',
  `update payout_run r
   set status = case when exists (
         select from payout p where p.tenant_id = $1 and p.environment = $2 and p.payout_run_id = $3 and p.status = 'failed')
       then 'partially_failed' else 'completed' end,
       updated_at = case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end
   where r.tenant_id = $1 and r.environment = $2 and r.id = $3 and r.status = 'executing'
     and not exists (
       select from payout p where p.tenant_id = $1 and p.environment = $2 and p.payout_run_id = $3
         and p.status in ('queued', 'processing'))`,
);

/** Of a locked run: ended unless a payout is still queued or processing. */
export async function storeRunEnd(db: Db, scope: Scope, runId: string): Promise<void> {
  await db.rows(end(scope.tenantId, scope.environment, runId));
}

const ask = prepared<{ id: string }, [string, string, string]>(
  'payouts_ask_again',
  `update payout p set check_at = now(), checks = 0
   where p.tenant_id = $1 and p.environment = $2 and p.id = $3 and p.provider_type = 'payvendor' and p.status in ('processing', 'paid')
   returning p.id`,
);

/** The provider is asked at once what became of the payout. False when there is nothing to ask. */
export async function askProviderAgain(db: Db, scope: Scope, payoutId: string): Promise<boolean> {
  return (await db.row(ask(scope.tenantId, scope.environment, payoutId))) !== undefined;
}

export interface PayoutOfProvider {
  payoutId: string;
  status: PayoutStatus;
  attempt: number;
  presentAttempt: number;
}

const ofProvider = prepared<PayoutOfProvider, [string, string, objectId: string]>(
  'payouts_of_provider',
  `select p.id as "payoutId", p.status, a.attempt, p.attempt as "presentAttempt"
   from payout_attempt a join payout p on p.tenant_id = $1 and p.environment = $2 and p.id = a.payout_id
   where a.tenant_id = $1 and a.environment = $2 and (a.transfer_id = $3 or a.provider_payout_id = $3) limit 1`,
);

/** Whose a transfer (tr_…) or a payout (po_…) of the provider is. */
export async function findPayoutOfProvider(db: Db, scope: Scope, objectId: string): Promise<PayoutOfProvider | undefined> {
  return db.row(ofProvider(scope.tenantId, scope.environment, objectId));
}
