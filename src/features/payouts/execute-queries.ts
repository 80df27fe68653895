/** Executing what a run has made due, in SQL: a batch of payouts at a time. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import type { BlockReason, PaymentProvider } from './payout-states.ts';

export interface DuePayout {
  id: string;
  runId: string;
  memberId: string;
  currency: string;
  providerType: PaymentProvider;
}

const takeDue = prepared<DuePayout, [string, string, limit: number]>(
  'payouts_take_due',
  `select p.id, p.payout_run_id as "runId", p.member_id as "memberId", p.currency, p.provider_type as "providerType"
   from payout p
   where p.tenant_id = $1 and p.environment = $2
     and p.execute_at <= (select case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end)
   order by p.execute_at, p.id limit $3 for update skip locked`,
);

/** Locked; those that somebody else has locked are left to them. */
export async function takeDuePayouts(db: Db, scope: Scope, limit: number): Promise<DuePayout[]> {
  return db.rows(takeDue(scope.tenantId, scope.environment, limit));
}

export interface Refusal {
  payoutId: string;
  /** CHANGED: it would not be what was drafted. */
  reason: BlockReason | 'CHANGED';
}

const refusals = prepared<Refusal, [string, string, payoutIds: string[], requireKyc: boolean]>(
  'payouts_refusals',
  `select judged.* from (
     select p.id as "payoutId",
            case when not m.is_active then 'INACTIVE'
                 when $4 and m.kyc_approved_at is null then 'KYC_REQUIRED'
                 when a.status <> 'active' then 'NO_ACCOUNT'
                 when drafted.astray > 0 or drafted.amount_minor <> p.amount_minor or owed.found
                   or balance.amount_minor < p.amount_minor then 'CHANGED' end as reason
     from payout p
     join member m on m.tenant_id = $1 and m.environment = $2 and m.id = p.member_id
     join payout_account a on a.tenant_id = $1 and a.environment = $2 and a.id = p.payout_account_id
     cross join lateral (
       select count(*) filter (where l.status <> 'cleared') as astray, coalesce(sum(l.amount_minor), 0) as amount_minor
       from payout_line c join commission_line l on l.tenant_id = $1 and l.environment = $2 and l.id = c.line_id
       where c.tenant_id = $1 and c.environment = $2 and c.payout_id = p.id and c.live offset 0) drafted
     cross join lateral (
       select exists (
         select from commission_line l
         where l.tenant_id = $1 and l.environment = $2 and l.beneficiary_id = p.member_id and l.currency = p.currency
           and l.status = 'cleared' and l.amount_minor < 0
           and not exists (select from payout_line c where c.tenant_id = $1 and c.environment = $2 and c.payout_id = p.id
                             and c.line_id = l.id and c.live)) as found offset 0) owed
     cross join lateral (
       select coalesce(sum(x.amount_minor), 0) as amount_minor from posting x
       where x.tenant_id = $1 and x.environment = $2 and x.member_id = p.member_id and x.currency = p.currency
         and x.account = 'member:cleared' offset 0) balance
     where p.tenant_id = $1 and p.environment = $2 and p.id = any ($3::uuid[])) judged
   where judged.reason is not null`,
);

/** Which of these payouts may not be executed, and why. Read behind the locks on their lines and debts. */
export async function findRefusals(db: Db, scope: Scope, payoutIds: readonly string[], requireKyc: boolean): Promise<Refusal[]> {
  return db.rows(refusals(scope.tenantId, scope.environment, [...payoutIds], requireKyc));
}

const refuse = prepared<unknown, [string, string, payoutIds: string[], reasons: string[]]>(
  'payouts_refuse',
  `with freed as (
     update payout_line l set live = false
     where l.tenant_id = $1 and l.environment = $2 and l.payout_id = any ($3::uuid[]) and l.live)
   update payout p set status = 'cancelled', execute_at = null, failure_code = r.reason,
          updated_at = case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end
   from unnest($3::uuid[], $4::text[]) as r(id, reason)
   where p.tenant_id = $1 and p.environment = $2 and p.id = r.id`,
);

/** Cancels them; their lines are free. */
export async function storeRefusals(db: Db, scope: Scope, refused: readonly Refusal[]): Promise<void> {
  const ids = refused.map(({ payoutId }) => payoutId);
  const reasons = refused.map(({ reason }) => reason);
  await db.rows(refuse(scope.tenantId, scope.environment, ids, reasons));
}

const start = prepared<unknown, [string, string, payoutIds: string[], fallbackSeconds: number]>(
  'payouts_start',
  `with started as (
     update payout p set status = 'processing', attempt = p.attempt + 1, execute_at = null, failure_code = null,
            failure_message = null, checks = 0, claimed_until = null,
            check_at = case p.provider_type when 'payvendor' then now() + make_interval(secs => $4) end,
            updated_at = case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end
     where p.tenant_id = $1 and p.environment = $2 and p.id = any ($3::uuid[])
     returning p.id, p.attempt)
   insert into payout_attempt (tenant_id, environment, payout_id, attempt, started_at)
   select $1, $2, started.id, started.attempt, now() from started`,
);

/** A new attempt of each. A job sends them; should it be lost, they are looked after in `fallbackSeconds`. */
export async function storeStarted(db: Db, scope: Scope, payoutIds: readonly string[], fallbackSeconds: number): Promise<void> {
  await db.rows(start(scope.tenantId, scope.environment, [...payoutIds], fallbackSeconds));
}

const takeToCheck = prepared<{ id: string }, [string, string, limit: number, fallbackSeconds: number]>(
  'payouts_take_to_check',
  `update payout p set check_at = now() + make_interval(secs => $4)
   from (select x.id from payout x
         where x.tenant_id = $1 and x.environment = $2 and x.check_at <= now()
         order by x.check_at, x.id limit $3 for update skip locked) due
   where p.tenant_id = $1 and p.environment = $2 and p.id = due.id
   returning p.id`,
);

/** What the provider is to be asked about, for a job to do. */
export async function takePayoutsToCheck(db: Db, scope: Scope, limit: number, fallbackSeconds: number): Promise<string[]> {
  const rows = await db.rows(takeToCheck(scope.tenantId, scope.environment, limit, fallbackSeconds));
  return rows.map(({ id }) => id);
}
