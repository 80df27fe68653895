/** Drafting a payout run in SQL: one statement over all members, so that the service's memory stays flat. */
import { takeLock } from '../../../db/lock-classes.ts';
import { raw, replanned, statement, unscopedStatement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { MAX_AMOUNT_MINOR } from '../../../money.ts';
import type { MinimumPayout } from '../../commissions/open/minimum-payout.ts';
import type { TwoHandsRule } from '../../two-hands/open/two-hands-rule.ts';
import { JOIN_VERIFIED, NAME_STOPS } from '../open/holder-names.ts';
import { canBePaidTo } from '../open/payable-account.ts';
import { countsAt } from '../open/payout-hold.ts';
import type { PaymentProvider } from '../open/payout-states.ts';
import { type PayoutRun, runColumns } from './runs-queries.ts';

const lockDrafts = unscopedStatement<unknown, { key: string }>('payouts_lock_drafts', ({ key }) =>
  raw(`select ${takeLock('payoutDrafts', ':key')}`, { key }),
);

/** Drafts of one currency come one after the other: the second finds the lines that the first has left. */
export async function lockDraftsOf(db: Db, { tenantId, environment }: Scope, currency: string): Promise<void> {
  await db.rows(lockDrafts({ key: `${tenantId}:${environment}:${currency}` }));
}

const cutoff = statement<{ now: Date; cutoff: Date }, { cutoffAt: string | null }>('payouts_cutoff', ({ cutoffAt }) =>
  raw(
    `select clock.now, coalesce(:cutoffAt::timestamptz, clock.now) as cutoff
   from (select case when :environment = 'SANDBOX' then scope_now(:tenantId::uuid, :environment) else now() end as now) clock`,
    { cutoffAt },
  ),
);

/** By the scope's clock, which is also the cutoff unless one is given. */
export async function readCutoff(db: Db, scope: Scope, cutoffAt: string | undefined): Promise<{ now: Date; cutoff: Date }> {
  const row = await db.row(cutoff(scope, { cutoffAt: cutoffAt ?? null }));
  if (!row) throw new Error('the clock has no row');
  return row;
}

export interface DraftRules {
  currency: string;
  cutoff: Date;
  now: Date;
  /** Undefined: nothing is paid in the currency. */
  minimum: MinimumPayout | undefined;
  provider: PaymentProvider;
  requireKyc: boolean;
  accountCooldownHours: number;
  /** An `actorRef`. */
  createdBy: string;
  /** In whose hands the drafter is, as an `actorRef`. */
  drafterRoot: string;
  /** Stamped on the run. */
  dualControl: TwoHandsRule;
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
  {
    currency: string;
    cutoff: Date;
    now: Date;
    minimum: bigint | null;
    minimumSource: string | null;
    provider: PaymentProvider;
    requireKyc: boolean;
    cooldownHours: number;
    createdBy: string;
    drafterRoot: string;
    dualControl: string;
    payableStep: bigint;
  }
>(
  ({
    currency,
    cutoff,
    now,
    minimum,
    minimumSource,
    provider,
    requireKyc,
    cooldownHours,
    createdBy,
    drafterRoot,
    dualControl,
    payableStep,
  }) =>
    raw(
      `with taken as materialized (
     select l.id, l.beneficiary_id as member_id, l.amount_minor
     from commission_line l
     where ${ofTenant('l')} and l.currency = :currency and l.status = 'cleared'
       and (l.clears_at <= :cutoff or l.amount_minor < 0)
       and not exists (select from payout_line p where ${ofTenant('p')} and p.line_id = l.id and p.live)),
   due as materialized (
     select t.member_id, sum(t.amount_minor)::bigint as amount_minor, count(*)::int as line_count,
            array_agg(t.id) as line_ids, array_agg(t.amount_minor) as line_amounts
     from taken t group by t.member_id),
   judged as materialized (
     select due.*, uuidv7() as payout_id, account.id as account_id,
            case when :environment = 'LIVE' and m.is_test_user then 'TEST_USER'
                 when h.member_id is not null then 'HELD'
                 when due.amount_minor >= 0 and (due.amount_minor < :minimum or due.amount_minor = 0) then 'BELOW_MINIMUM'
                 when :minimum::bigint is null then 'NO_MINIMUM'
                 when account.id is null then 'NO_ACCOUNT'
                 when (:requireKyc and (m.kyc_approved_at is null or m.kyc_approved_at > :now)) or account.identity_changed then 'KYC_REQUIRED'
                 when due.amount_minor < 0 then 'NEGATIVE_BALANCE'
                 when greatest(account.activated_at, account.destination_since) + make_interval(hours => :cooldownHours) > :now then 'ACCOUNT_COOLDOWN'
                 when account.name_stops then 'NAME_MISMATCH'
                 when due.amount_minor % :payableStep <> 0 or due.amount_minor > ${MAX_AMOUNT_MINOR} then 'AMOUNT_NOT_PAYABLE' end as reason
     from due
     join member m on ${ofTenant('m')} and m.id = due.member_id
     left join payout_hold h on ${countsAt('due.member_id', ':now')}
     left join lateral (
       select a.id, a.activated_at, a.destination_since, ${NAME_STOPS} as name_stops,
              exists (select from kyc_record c where ${ofTenant('c')} and c.member_id = a.member_id
                        and c.identity_changed_at is not null) as identity_changed
       from payout_account a ${JOIN_VERIFIED}
       where ${ofTenant('a')} and a.member_id = due.member_id and a.currency = :currency and ${canBePaidTo('a')}
         and a.provider_type = :provider
       order by a.is_primary desc, a.id desc limit 1) account on true),
   run as (
     insert into payout_run as r (tenant_id, environment, currency, cutoff_at, status, payout_count, total_minor, blocked_count,
                                  minimum_minor, minimum_source, created_by, drafter_root, dual_control, created_at, updated_at)
     select :tenantId, :environment, :currency, :cutoff, 'draft', count(*) filter (where j.reason is null),
            coalesce(sum(j.amount_minor) filter (where j.reason is null), 0), count(j.reason), :minimum, :minimumSource, :createdBy,
            :drafterRoot, :dualControl, :now, :now
     from judged j
     returning ${runColumns}),
   made as (
     insert into payout (tenant_id, environment, id, payout_run_id, member_id, payout_account_id, provider_type, currency, amount_minor,
                         line_count, status, created_by, created_at, updated_at)
     select :tenantId, :environment, j.payout_id, run.id, j.member_id, j.account_id, :provider, :currency, j.amount_minor,
            j.line_count, 'queued', :createdBy, :now, :now
     from judged j cross join run where j.reason is null),
   consumed as (
     insert into payout_line (tenant_id, environment, payout_id, line_id, amount_minor)
     select :tenantId, :environment, j.payout_id, line.id, line.amount_minor
     from judged j cross join lateral unnest(j.line_ids, j.line_amounts) line(id, amount_minor) where j.reason is null),
   blocked as (
     insert into payout_block (tenant_id, environment, payout_run_id, member_id, reason, amount_minor)
     select :tenantId, :environment, run.id, j.member_id, j.reason, j.amount_minor
     from judged j cross join run where j.reason is not null)
   select * from run`,
      {
        currency,
        cutoff,
        now,
        minimum,
        minimumSource,
        provider,
        requireKyc,
        cooldownHours,
        createdBy,
        drafterRoot,
        dualControl,
        payableStep,
      },
    ),
);

/** A run with a payout for everybody who can be paid, and the reason for everybody who cannot. */
export async function insertDraft(db: Db, scope: Scope, rules: DraftRules): Promise<PayoutRun> {
  const { currency, cutoff: at, now, minimum, provider, requireKyc, accountCooldownHours: hours, payableStep } = rules;
  const { tenantId, environment } = scope;
  const row = await db.row(
    draft(
      { tenantId, environment },
      {
        currency,
        cutoff: at,
        now,
        minimum: minimum?.amountMinor ?? null,
        minimumSource: minimum?.source ?? null,
        provider,
        requireKyc,
        cooldownHours: hours,
        createdBy: rules.createdBy,
        drafterRoot: rules.drafterRoot,
        dualControl: rules.dualControl,
        payableStep,
      },
    ),
  );
  if (!row) throw new Error('the draft returned no run');
  return row;
}
