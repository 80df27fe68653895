/** Drafting a payout run in SQL: one statement over all members, so that the service's memory stays flat. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared, replanned } from '../../db/statement.ts';
import type { PaymentProvider } from './payout-states.ts';
import { type PayoutRun, runColumns } from './runs-queries.ts';

const lockDrafts = prepared<unknown, [key: string]>(
  'payouts_lock_drafts',
  'select pg_advisory_xact_lock(hashtextextended($1, 7))',
);

/** Drafts of one currency come one after the other: the second finds the lines that the first has left. */
export async function lockDraftsOf(db: Db, { tenantId, environment }: Scope, currency: string): Promise<void> {
  await db.rows(lockDrafts(`${tenantId}:${environment}:${currency}`));
}

const cutoff = prepared<{ now: Date; cutoff: Date }, [string, string, cutoffAt: string | null]>(
  'payouts_cutoff',
  `select clock.now, coalesce($3::timestamptz, clock.now) as cutoff
   from (select case when $2 = 'SANDBOX' then scope_now($1::uuid, $2) else now() end as now) clock`,
);

/** By the scope's clock, which is also the cutoff unless one is given. */
export async function readCutoff(db: Db, scope: Scope, cutoffAt: string | undefined): Promise<{ now: Date; cutoff: Date }> {
  const row = await db.row(cutoff(scope.tenantId, scope.environment, cutoffAt ?? null));
  if (!row) throw new Error('the clock has no row');
  return row;
}

export interface DraftRules {
  currency: string;
  cutoff: Date;
  now: Date;
  minimumMinor: bigint;
  provider: PaymentProvider;
  requireKyc: boolean;
  accountCooldownHours: number;
  keyId: string;
  /** The provider pays out multiples of this alone. */
  payableStep: bigint;
}

/**
 * Planned anew each time: the right plan for all members of a large tenant is the wrong one for a small one.
 * Nothing that it has made is joined with anything: of that the planner knows nothing, and a nested loop over
 * 300,000 lines takes for ever. The order of the reasons is that of their precedence. What comes to nothing is below any minimum.
 */
const draft = replanned<
  PayoutRun,
  [
    string,
    string,
    currency: string,
    cutoff: Date,
    now: Date,
    minimum: bigint,
    provider: PaymentProvider,
    requireKyc: boolean,
    cooldownHours: number,
    keyId: string,
    payableStep: bigint,
  ]
>(
  `with taken as materialized (
     select l.id, l.beneficiary_id as member_id, l.amount_minor
     from commission_line l
     where l.tenant_id = $1 and l.environment = $2 and l.currency = $3 and l.status = 'cleared'
       and (l.clears_at <= $4 or l.amount_minor < 0)
       and not exists (select from payout_line p where p.tenant_id = $1 and p.environment = $2 and p.line_id = l.id and p.live)),
   due as materialized (
     select t.member_id, sum(t.amount_minor)::bigint as amount_minor, count(*)::int as line_count,
            array_agg(t.id) as line_ids, array_agg(t.amount_minor) as line_amounts
     from taken t group by t.member_id),
   judged as materialized (
     select due.*, uuidv7() as payout_id, account.id as account_id,
            case when not m.is_active then 'INACTIVE'
                 when $8 and (m.kyc_approved_at is null or m.kyc_approved_at > $5) then 'KYC_REQUIRED'
                 when due.amount_minor < 0 then 'NEGATIVE_BALANCE'
                 when due.amount_minor < $6 or due.amount_minor = 0 then 'BELOW_MINIMUM'
                 when account.id is null then 'NO_ACCOUNT'
                 when account.activated_at + make_interval(hours => $9) > $5 then 'ACCOUNT_COOLDOWN'
                 when due.amount_minor % $11 <> 0 then 'AMOUNT_NOT_PAYABLE' end as reason
     from due
     join member m on m.tenant_id = $1 and m.environment = $2 and m.id = due.member_id
     left join lateral (
       select a.id, a.activated_at from payout_account a
       where a.tenant_id = $1 and a.environment = $2 and a.member_id = due.member_id and a.currency = $3 and a.status = 'active'
         and a.provider_type = $7
       order by a.is_primary desc, a.id desc limit 1) account on true),
   run as (
     insert into payout_run as r (tenant_id, environment, currency, cutoff_at, status, payout_count, total_minor, blocked_count,
                                  created_by, created_at, updated_at)
     select $1, $2, $3, $4, 'draft', count(*) filter (where j.reason is null),
            coalesce(sum(j.amount_minor) filter (where j.reason is null), 0), count(j.reason), $10, $5, $5
     from judged j
     returning ${runColumns}),
   made as (
     insert into payout (tenant_id, environment, id, payout_run_id, member_id, payout_account_id, provider_type, currency, amount_minor,
                         line_count, status, created_at, updated_at)
     select $1, $2, j.payout_id, run.id, j.member_id, j.account_id, $7, $3, j.amount_minor, j.line_count, 'queued', $5, $5
     from judged j cross join run where j.reason is null),
   consumed as (
     insert into payout_line (tenant_id, environment, payout_id, line_id, amount_minor)
     select $1, $2, j.payout_id, line.id, line.amount_minor
     from judged j cross join lateral unnest(j.line_ids, j.line_amounts) line(id, amount_minor) where j.reason is null),
   blocked as (
     insert into payout_block (tenant_id, environment, payout_run_id, member_id, reason, amount_minor)
     select $1, $2, run.id, j.member_id, j.reason, j.amount_minor from judged j cross join run where j.reason is not null)
   select * from run`,
);

/** A run with a payout for everybody who can be paid, and the reason for everybody who cannot. */
export async function insertDraft(db: Db, scope: Scope, rules: DraftRules): Promise<PayoutRun> {
  const {
    currency,
    cutoff: at,
    now,
    minimumMinor,
    provider,
    requireKyc,
    accountCooldownHours: hours,
    keyId,
    payableStep,
  } = rules;
  const { tenantId, environment } = scope;
  const row = await db.row(
    draft(tenantId, environment, currency, at, now, minimumMinor, provider, requireKyc, hours, keyId, payableStep),
  );
  if (!row) throw new Error('the draft returned no run');
  return row;
}
