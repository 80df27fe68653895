/** What a reconciliation reads and records of payouts that were made outside of what the database knows. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import type { PaymentProvider, PayoutStatus, RunStatus } from '../open/payout-states.ts';
import { IS_UNANSWERED } from './reconciled-condition.ts';

/** A payout as the database has it, locked, beside one execution of it. */
export interface KnownPayout {
  memberId: string;
  currency: string;
  amountMinor: bigint;
  providerType: PaymentProvider;
  status: PayoutStatus;
  /** The present one. */
  attempt: number;
  runId: string | null;
  runStatus: RunStatus | null;
  connectedAccountId: string | null;
  /** Of the execution that was asked about; null where there was none. */
  asked: { transferId: string | null; reversalId: string | null; outcome: string | null } | null;
}

const known = statement<KnownPayout, { payoutId: string; attempt: number }>('reconcile_known', ({ payoutId, attempt }) =>
  raw(
    `select p.member_id as "memberId", p.currency, p.amount_minor as "amountMinor", p.provider_type as "providerType", p.status,
          p.attempt, p.payout_run_id as "runId", r.status as "runStatus", v.provider_account_id as "connectedAccountId",
          (select json_build_object('transferId', a.transfer_id, 'reversalId', a.reversal_id, 'outcome', a.outcome)
           from payout_attempt a
           where ${ofTenant('a')} and a.payout_id = p.id and a.attempt = :attempt) as asked
   from payout p
   left join payout_run r on ${ofTenant('r')} and r.id = p.payout_run_id
   left join payout_account b on ${ofTenant('b')} and b.id = p.payout_account_id
   left join provider_account v on ${ofTenant('v')} and v.id = b.provider_account_ref
   where ${ofTenant('p')} and p.id = :payoutId for update of p`,
    { payoutId, attempt },
  ),
);

export async function findKnownPayout(db: Db, scope: Scope, payoutId: string, attempt: number): Promise<KnownPayout | undefined> {
  return db.row(known(scope, { payoutId, attempt }));
}

const astray = statement<{ astray: boolean }, { payoutId: string }>('reconcile_lines_astray', ({ payoutId }) =>
  raw(
    `select exists (
     select from payout_line c join commission_line l on ${ofTenant('l')} and l.id = c.line_id
     where ${ofTenant('c')} and c.payout_id = :payoutId and c.live and l.status <> 'cleared') as astray`,
    { payoutId },
  ),
);

/** Whether its commissions are not all cleared any more: asked behind the locks on them. */
export async function haveLinesGone(db: Db, scope: Scope, payoutId: string): Promise<boolean> {
  return (await db.row(astray(scope, { payoutId })))?.astray === true;
}

const noteTransfer = statement<
  { id: string },
  { payoutId: string; attempt: number; transferId: string; reversalId: string | null; startedAt: Date }
>('reconcile_note_transfer', ({ payoutId, attempt, transferId, reversalId, startedAt }) =>
  raw(
    `with noted as (
     update payout_attempt a set transfer_id = :transferId, reversal_id = :reversalId, started_at = least(a.started_at, :startedAt)
     where ${ofTenant('a')} and a.payout_id = :payoutId and a.attempt = :attempt
     returning a.payout_id)
   update payout p set check_at = now(), checks = 0, claimed_until = null
   from noted where ${ofTenant('p')} and p.id = noted.payout_id and p.status in ('processing', 'paid')
   returning p.id`,
    { payoutId, attempt, transferId, reversalId, startedAt },
  ),
);

/**
 * What the vendor has of an execution. It is asked about the payout as soon as payouts go on, and by the age of the transfer it
 * is known whether it still remembers the keys.
 */
export async function storeTransferOf(
  db: Db,
  scope: Scope,
  noted: { payoutId: string; attempt: number; transferId: string; reversalId: string | null; startedAt: Date },
): Promise<void> {
  await db.rows(noteTransfer(scope, noted));
}

export interface Begun {
  /** The run was still to be executed. */
  begun: boolean;
  /** Payouts of it that were cancelled. */
  cancelled: number;
}

const beginRun = statement<Begun, { runId: string; sentIds: string[]; by: string }>(
  'reconcile_begin_run',
  ({ runId, sentIds, by }) =>
    raw(
      `with clock as (select ${SCOPE_NOW} as now),
   unsent as (
     update payout p set status = 'cancelled', execute_at = null, failure_code = 'RESTORED', updated_at = clock.now
     from clock
     where ${ofTenant('p')} and p.payout_run_id = :runId and p.status = 'queued' and p.id <> all (:sentIds::uuid[])
     returning p.id),
   freed as (
     update payout_line l set live = false
     where ${ofTenant('l')} and l.payout_id = any (array(select unsent.id from unsent)) and l.live),
   begun as (
     update payout_run r set status = 'executing', executed_by = :by, executed_at = clock.now, updated_at = clock.now
     from clock where ${ofTenant('r')} and r.id = :runId and r.status in ('draft', 'approved')
     returning r.id)
   select exists (select from begun) as begun, (select count(*)::int from unsent) as cancelled`,
      { runId, sentIds, by },
    ),
);

/**
 * A run that is still to be executed, of which a payout was sent: it is executing. Its payouts that were not sent are
 * cancelled, for nobody has executed them here, and can be drafted again.
 */
export async function beginRestoredRun(
  db: Db,
  scope: Scope,
  runId: string,
  sentIds: readonly string[],
  by: string,
): Promise<Begun> {
  const row = await db.row(beginRun(scope, { runId, sentIds: [...sentIds], by }));
  if (!row) throw new Error('a restored run returned no row');
  return row;
}

export interface Recovered {
  payoutId: string;
  attempt: number;
  memberId: string;
  currency: string;
  amountMinor: bigint;
  provider: PaymentProvider;
  /** At the vendor; null: any account of the member that is paid by hand. */
  connectedAccountId: string | null;
  startedAt: Date;
  by: string;
}

/** `no_lines`: whole commissions that are cleared and free do not come to the amount. */
export type Recovery = 'made' | 'no_member' | 'no_account' | 'no_lines';

export interface RecoveredIn {
  recovery: Recovery;
  /** The run that the payout was made in. */
  runId: string | null;
}

const recover = statement<RecoveredIn, Recovered>(
  'reconcile_recover',
  ({ payoutId, attempt, memberId, currency, amountMinor, provider, connectedAccountId, startedAt, by }) =>
    raw(
      `with clock as (select ${SCOPE_NOW} as now),
   person as (select m.id from member m where ${ofTenant('m')} and m.id = :memberId for no key update),
   account as (
     select b.id from payout_account b
     left join provider_account v on ${ofTenant('v')} and v.id = b.provider_account_ref
     where ${ofTenant('b')} and b.member_id = :memberId and b.currency = :currency and b.provider_type = :provider
       and (:connectedAccountId::text is null or v.provider_account_id = :connectedAccountId)
     order by b.status = 'active' desc, b.is_primary desc, b.id desc limit 1),
   -- As a draft takes them: what takes back whenever it came, and the rest by when it had cleared.
   free as materialized (
     select l.id, l.amount_minor, sum(l.amount_minor) over (order by l.amount_minor > 0, l.clears_at, l.id) as so_far
     from commission_line l
     where ${ofTenant('l')} and l.beneficiary_id = :memberId and l.currency = :currency and l.status = 'cleared'
       and not exists (select from payout_line c where ${ofTenant('c')} and c.line_id = l.id and c.live)),
   taken as materialized (
     select f.id, f.amount_minor from free f
     where f.so_far <= :amountMinor and exists (select from free x where x.so_far = :amountMinor)),
   fits as (
     select account.id as account_id from person cross join account where exists (select from taken)),
   there as (
     select r.id from payout_run r cross join fits
     where ${ofTenant('r')} and r.currency = :currency and r.status = 'executing' and r.created_by = :by
       and not exists (select from payout o where ${ofTenant('o')} and o.payout_run_id = r.id and o.member_id = :memberId)
     order by r.id limit 1 for update),
   made_run as (
     insert into payout_run (tenant_id, environment, currency, cutoff_at, status, payout_count, total_minor, blocked_count,
                             created_by, drafter_root, dual_control, approved_by, approved_at, executed_by, executed_at,
                             created_at, updated_at)
     select :tenantId, :environment, :currency, clock.now, 'executing', 1, :amountMinor, 0, :by, :by, 'none', :by, clock.now, :by,
            clock.now, clock.now, clock.now
     from fits cross join clock where not exists (select from there)
     returning id),
   grown as (
     update payout_run r set payout_count = r.payout_count + 1, total_minor = r.total_minor + :amountMinor
     from there where ${ofTenant('r')} and r.id = there.id),
   run as (select id from there union all select id from made_run),
   made as (
     insert into payout (tenant_id, environment, id, payout_run_id, member_id, payout_account_id, provider_type, currency,
                         amount_minor, line_count, status, attempt, check_at, created_by, requested_by, created_at, updated_at)
     select :tenantId, :environment, :payoutId, run.id, :memberId, fits.account_id, :provider, :currency, :amountMinor,
            (select count(*) from taken), 'processing', :attempt, case :provider when 'payvendor' then now() end, :by, :by,
            clock.now, clock.now
     from fits cross join run cross join clock
     returning id),
   attempt as (
     insert into payout_attempt (tenant_id, environment, payout_id, attempt, created_by, started_at)
     select :tenantId, :environment, made.id, :attempt, :by, :startedAt from made),
   consumed as (
     insert into payout_line (tenant_id, environment, payout_id, line_id, amount_minor)
     select :tenantId, :environment, made.id, t.id, t.amount_minor from made cross join taken t)
   select case when exists (select from made) then 'made'
               when not exists (select from person) then 'no_member'
               when not exists (select from account) then 'no_account' else 'no_lines' end as recovery,
          (select run.id from run) as "runId"`,
      { payoutId, attempt, memberId, currency, amountMinor, provider, connectedAccountId, startedAt, by },
    ),
);

/**
 * A payout that the database does not know, processing, in a run of its own kind that the operator is said to have drafted and
 * executed; with the commissions that it paid, which are not locked yet.
 */
export async function insertRecovered(db: Db, scope: Scope, recovered: Recovered): Promise<RecoveredIn> {
  const row = await db.row(recover(scope, recovered));
  if (!row) throw new Error('a recovery returned no row');
  return row;
}

const freeLines = statement<{ payoutId: string; runId: string }, { memberId: string; currency: string; sentIds: string[] }>(
  'reconcile_free_lines',
  ({ memberId, currency, sentIds }) =>
    raw(
      `with unsent as (
     update payout p set status = 'cancelled', execute_at = null, failure_code = 'RESTORED', updated_at = ${SCOPE_NOW}
     where ${ofTenant('p')} and p.member_id = :memberId and p.currency = :currency and p.status = 'queued'
       and p.id <> all (:sentIds::uuid[])
     returning p.id, p.payout_run_id),
   freed as (
     update payout_line l set live = false
     where ${ofTenant('l')} and l.payout_id = any (array(select unsent.id from unsent)) and l.live)
   select unsent.id as "payoutId", unsent.payout_run_id as "runId" from unsent`,
      { memberId, currency, sentIds },
    ),
);

/** Cancels what was drafted for a member since the restore and not sent; with their runs. What was paid before has taken its commissions. */
export async function cancelUnsent(
  db: Db,
  scope: Scope,
  { memberId, currency }: { memberId: string; currency: string },
  sentIds: readonly string[],
): Promise<{ payoutId: string; runId: string }[]> {
  return db.rows(freeLines(scope, { memberId, currency, sentIds: [...sentIds] }));
}

export interface SentPayout {
  payoutId: string;
  memberId: string;
  transferId: string;
  currency: string;
  amountMinor: bigint;
}

const sent = statement<SentPayout, { since: Date; listed: string[] }>('reconcile_sent', ({ since, listed }) =>
  raw(
    `select p.id as "payoutId", p.member_id as "memberId", a.transfer_id as "transferId", p.currency, p.amount_minor as "amountMinor"
   from payout_attempt a join payout p on ${ofTenant('p')} and p.id = a.payout_id
   where ${ofTenant('a')} and a.started_at >= :since and a.transfer_id is not null and a.reversal_id is null
     and not starts_with(a.transfer_id, 'tr_sim_')
     and a.outcome is distinct from 'failed' and a.outcome is distinct from 'returned'
     and not exists (select from unnest(:listed::text[]) known(id) where known.id = a.transfer_id)
   order by a.id limit 1000`,
    { since, listed },
  ),
);

/** Payouts whose transfer the vendor has not listed. */
export function listSentElsewhere(db: Db, scope: Scope, since: Date, listed: readonly string[]): Promise<SentPayout[]> {
  return db.rows(sent(scope, { since, listed: [...listed] }));
}

const unanswered = statement<{ waiting: number }>('reconcile_unanswered', () =>
  raw(
    `select count(*)::int as waiting from payout p
   join payout_attempt a on ${IS_UNANSWERED}
   where ${ofTenant('p')}`,
  ),
);

/** Payouts that were begun and of which no transfer is known: they are asked for once more, or searched, when payouts go on. */
export async function countUnanswered(db: Db, scope: Scope): Promise<number> {
  return (await db.row(unanswered(scope)))?.waiting ?? 0;
}
