/** What is due to one member, what is on its way to it, and what keeps it from being paid, in SQL. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import type { PaymentProvider, PayoutStatus } from '../open/payout-states.ts';
import { everyReason, isDue, joinJudged, type PresentReason } from '../runs/block-rules.ts';

const member = statement<{ defaultCurrency: string }, { memberId: string }>('readiness_member', ({ memberId }) =>
  raw(
    `select t.default_currency as "defaultCurrency" from member m join tenant t on t.id = m.tenant_id
   where ${ofTenant('m')} and m.id = :memberId`,
    { memberId },
  ),
);

/** The tenant's currency; undefined: no such member. */
export async function findMembersDefaultCurrency(db: Db, scope: Scope, memberId: string): Promise<string | undefined> {
  return (await db.row(member(scope, { memberId })))?.defaultCurrency;
}

/** Of one currency. */
export interface Due {
  currency: string;
  amountMinor: bigint;
}

/** The member's currencies are found one by one in an index that begins with them: of any number of lines few are read. */
const due = statement<Due, { memberId: string; currency: string | null; cutoff: Date }>(
  'readiness_due',
  ({ memberId, currency, cutoff }) =>
    raw(
      `with recursive earned(currency) as (
     select coalesce(:currency::text, (select min(l.currency) from commission_line l
                                       where ${ofTenant('l')} and l.beneficiary_id = :memberId))
     union all
     select (select min(l.currency) from commission_line l
             where ${ofTenant('l')} and l.beneficiary_id = :memberId and l.currency > earned.currency)
     from earned where earned.currency is not null and :currency::text is null)
   select earned.currency, due.amount_minor as "amountMinor"
   from earned
   cross join lateral (
     select sum(l.amount_minor)::bigint as amount_minor from commission_line l
     where ${isDue('earned.currency')} and l.beneficiary_id = :memberId) due
   where due.amount_minor is not null`,
      { memberId, currency, cutoff },
    ),
);

/** What a draft with this cutoff would take; currencies of which it would take nothing are left out. */
export async function listDue(
  db: Db,
  scope: Scope,
  memberId: string,
  currency: string | undefined,
  cutoff: Date,
): Promise<Due[]> {
  return db.rows(due(scope, { memberId, currency: currency ?? null, cutoff }));
}

export interface PayoutOnItsWay {
  id: string;
  runId: string | null;
  currency: string;
  amountMinor: bigint;
  status: PayoutStatus;
  createdAt: Date;
}

const onItsWay = statement<PayoutOnItsWay, { memberId: string; currency: string | null }>(
  'readiness_on_its_way',
  ({ memberId, currency }) =>
    raw(
      `select distinct on (p.currency) p.id, p.payout_run_id as "runId", p.currency, p.amount_minor as "amountMinor", p.status,
          p.created_at as "createdAt"
   from payout p
   where ${ofTenant('p')} and p.member_id = :memberId and p.status in ('queued', 'processing')
     and (:currency::text is null or p.currency = :currency)
   order by p.currency, p.id`,
      { memberId, currency },
    ),
);

/** The oldest of each currency. */
export async function listOnTheirWay(
  db: Db,
  scope: Scope,
  memberId: string,
  currency: string | undefined,
): Promise<PayoutOnItsWay[]> {
  return db.rows(onItsWay(scope, { memberId, currency: currency ?? null }));
}

export interface LastPaid {
  currency: string;
  amountMinor: bigint;
  paidAt: Date;
}

const lastPaid = statement<LastPaid, { memberId: string; currency: string | null }>(
  'readiness_last_paid',
  ({ memberId, currency }) =>
    raw(
      `select p.currency, p.amount_minor as "amountMinor", p.paid_at as "paidAt"
   from payout p
   where ${ofTenant('p')} and p.member_id = :memberId and p.status = 'paid'
     and (:currency::text is null or p.currency = :currency)
   order by p.paid_at desc, p.id desc limit 1`,
      { memberId, currency },
    ),
);

export async function findLastPaid(
  db: Db,
  scope: Scope,
  memberId: string,
  currency: string | undefined,
): Promise<LastPaid | undefined> {
  return db.row(lastPaid(scope, { memberId, currency: currency ?? null }));
}

/** What is judged, of one currency. */
export interface Judging {
  currency: string;
  /** Null: nothing is due. */
  amountMinor: bigint | null;
  /** Null: nothing is paid in the currency. */
  minimumMinor: bigint | null;
  payableStep: bigint;
}

export interface JudgingRules {
  now: Date;
  provider: PaymentProvider;
  requireKyc: boolean;
  accountCooldownHours: number;
}

export interface Judged {
  currency: string;
  /** The account that would be paid to; null: there is none. */
  accountId: string | null;
  /** All that hold, by their precedence; names as they were compared last. */
  reasons: PresentReason[];
}

const TERMS = { currency: 'due.currency', minimum: 'due.minimum_minor', payableStep: 'due.payable_step' };

type Given = Omit<JudgingRules, 'accountCooldownHours'> & {
  memberId: string;
  cooldownHours: number;
  currencies: string[];
  amounts: (bigint | null)[];
  minimums: (bigint | null)[];
  steps: bigint[];
};

const judge = statement<Judged, Given>(
  'readiness_judge',
  ({ memberId, currencies, amounts, minimums, steps, now, provider, requireKyc, cooldownHours }) =>
    raw(
      `select due.currency, account.id as "accountId", ${everyReason(TERMS)} as reasons
   from (select :memberId::uuid as member_id, w.*
         from unnest(:currencies::text[], :amounts::bigint[], :minimums::bigint[], :steps::bigint[])
           w(currency, amount_minor, minimum_minor, payable_step)) due
   ${joinJudged(TERMS)}
   order by due.currency collate "C"`,
      { memberId, currencies, amounts, minimums, steps, now, provider, requireKyc, cooldownHours },
    ),
);

/** What keeps a member from being paid, by currency. */
export async function judgeMember(
  db: Db,
  scope: Scope,
  memberId: string,
  judging: readonly Judging[],
  { now, provider, requireKyc, accountCooldownHours: cooldownHours }: JudgingRules,
): Promise<Judged[]> {
  return db.rows(
    judge(scope, {
      memberId,
      currencies: judging.map(({ currency }) => currency),
      amounts: judging.map(({ amountMinor }) => amountMinor),
      minimums: judging.map(({ minimumMinor }) => minimumMinor),
      steps: judging.map(({ payableStep }) => payableStep),
      now,
      provider,
      requireKyc,
      cooldownHours,
    }),
  );
}
