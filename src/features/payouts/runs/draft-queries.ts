/** Drafting a payout run in SQL: one statement over all members, so that the service's memory stays flat. */
import { takeLock } from '../../../db/lock-classes.ts';
import { raw, replanned, statement, unscopedStatement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import type { MinimumPayout } from '../../commissions/open/minimum-payout.ts';
import type { TwoHandsRule } from '../../two-hands/open/two-hands-rule.ts';
import type { PaymentProvider } from '../open/payout-states.ts';
import { firstReason, isDue, joinJudged } from './block-rules.ts';
import { type PayoutRun, runColumns } from './runs-queries.ts';

const lockDrafts = unscopedStatement<unknown, { key: string }>('payouts_lock_drafts', ({ key }) =>
  raw(`select ${takeLock('payoutDrafts', ':key')}`, { key }),
);

/** Drafts of one currency come one after the other: the second finds the lines that the first has left. */
export async function lockDraftsOf(db: Db, { tenantId, environment }: Scope, currency: string): Promise<void> {
  await db.rows(lockDrafts({ key: `${tenantId}:${environment}:${currency}` }));
}

const lockBeside = statement<unknown, { payoutId: string }>('payouts_lock_drafts_beside', ({ payoutId }) =>
  raw(
    `select ${takeLock('payoutDrafts', "p.tenant_id::text || ':' || p.environment || ':' || p.currency")} from payout p
   where ${ofTenant('p')} and p.id = :payoutId`,
    { payoutId },
  ),
);

/** The same of the currency of a payout, whose commissions are about to be taken. */
export async function lockDraftsBeside(db: Db, scope: Scope, payoutId: string): Promise<void> {
  await db.rows(lockBeside(scope, { payoutId }));
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

const TERMS = { currency: ':currency', minimum: ':minimum', payableStep: ':payableStep' };

/**
 * Planned anew each time: the right plan for all members of a large tenant is the wrong one for a small one.
 * Nothing that it has made is joined with anything: of that the planner knows nothing, and a nested loop over
 * 300,000 lines takes for ever.
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
     where ${isDue(TERMS.currency)}),
   due as materialized (
     select t.member_id, sum(t.amount_minor)::bigint as amount_minor, count(*)::int as line_count,
            array_agg(t.id) as line_ids, array_agg(t.amount_minor) as line_amounts
     from taken t group by t.member_id),
   judged as materialized (
     select due.*, uuidv7() as payout_id, account.id as account_id,
            ${firstReason(TERMS)} as reason
     from due
     ${joinJudged(TERMS)}),
   run as (
     insert into payout_run as r (tenant_id, environment, currency, cutoff_at, status, payout_count, total_minor, blocked_count,
                                  minimum_minor, minimum_source, created_by, drafter_root, dual_control, require_kyc, created_at, updated_at)
     select :tenantId, :environment, :currency, :cutoff, 'draft', count(*) filter (where j.reason is null),
            coalesce(sum(j.amount_minor) filter (where j.reason is null), 0), count(j.reason), :minimum, :minimumSource, :createdBy,
            :drafterRoot, :dualControl, :requireKyc, :now, :now
     from judged j
     returning ${runColumns}),
   made as (
     insert into payout (tenant_id, environment, id, payout_run_id, member_id, payout_account_id, provider_type, currency, amount_minor,
                         line_count, lines_minor, status, created_by, created_at, updated_at)
     select :tenantId, :environment, j.payout_id, run.id, j.member_id, j.account_id, :provider, :currency, j.amount_minor,
            j.line_count, (select sum(a) from unnest(j.line_amounts) a), 'queued', :createdBy, :now, :now
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
