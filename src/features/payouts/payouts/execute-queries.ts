/** Executing what a run has made due, in SQL: a batch of payouts at a time. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { JOIN_VERIFIED, NAME_STOPS } from '../open/holder-names.ts';
import { countsAt } from '../open/payout-hold.ts';
import type { PaymentProvider, RefusalReason } from '../open/payout-states.ts';
import { firstRefusal } from './refusal-rules.ts';

export interface DuePayout {
  id: string;
  runId: string;
  memberId: string;
  currency: string;
  providerType: PaymentProvider;
  amountMinor: bigint;
}

const takeDue = statement<DuePayout, { limit: number }>('payouts_take_due', ({ limit }) =>
  raw(
    `select p.id, p.payout_run_id as "runId", p.member_id as "memberId", p.currency, p.provider_type as "providerType",
          p.amount_minor as "amountMinor"
   from payout p
   where ${ofTenant('p')}
     and p.execute_at <= (select ${SCOPE_NOW})
   order by p.execute_at, p.id limit :limit for update skip locked`,
    { limit },
  ),
);

/** Locked; those that somebody else has locked are left to them. */
export async function takeDuePayouts(db: Db, scope: Scope, limit: number): Promise<DuePayout[]> {
  return db.rows(takeDue(scope, { limit }));
}

export interface Refusal {
  payoutId: string;
  reason: RefusalReason;
}

const refusals = statement<Refusal, { payoutIds: string[]; requireKyc: boolean }>(
  'payouts_refusals',
  ({ payoutIds, requireKyc }) =>
    raw(
      `select judged.* from (
     select p.id as "payoutId",
            ${firstRefusal({
              identityChanged: `exists (
                   select from kyc_record c where ${ofTenant('c')} and c.member_id = p.member_id
                     and c.identity_changed_at is not null)`,
              nameStops: 'name.stops',
              changed: `drafted.astray > 0 or drafted.amount_minor <> p.amount_minor or owed.found
                   or balance.amount_minor < p.amount_minor`,
            })} as reason
     from payout p
     join member m on ${ofTenant('m')} and m.id = p.member_id
     left join payout_hold h on ${countsAt('p.member_id', `(select ${SCOPE_NOW})`)}
     join payout_account a on ${ofTenant('a')} and a.id = p.payout_account_id
     cross join lateral (
       select ${NAME_STOPS} as stops from (select) one ${JOIN_VERIFIED} offset 0) name
     cross join lateral (
       select count(*) filter (where l.status <> 'cleared') as astray, coalesce(sum(l.amount_minor), 0) as amount_minor
       from payout_line c join commission_line l on ${ofTenant('l')} and l.id = c.line_id
       where ${ofTenant('c')} and c.payout_id = p.id and c.live offset 0) drafted
     cross join lateral (
       select exists (
         select from commission_line l
         where ${ofTenant('l')} and l.beneficiary_id = p.member_id and l.currency = p.currency
           and l.status = 'cleared' and l.amount_minor < 0
           and not exists (select from payout_line c where ${ofTenant('c')} and c.payout_id = p.id
                             and c.line_id = l.id and c.live)) as found offset 0) owed
     cross join lateral (
       select coalesce(sum(x.amount_minor), 0) as amount_minor from posting x
       where ${ofTenant('x')} and x.member_id = p.member_id and x.currency = p.currency
         and x.account = 'member:cleared' offset 0) balance
     where ${ofTenant('p')} and p.id = any (:payoutIds::uuid[])) judged
   where judged.reason is not null`,
      { payoutIds, requireKyc },
    ),
);

/** Which of these payouts may not be executed, and why. Read behind the locks on their lines and debts. */
export async function findRefusals(db: Db, scope: Scope, payoutIds: readonly string[], requireKyc: boolean): Promise<Refusal[]> {
  return db.rows(refusals(scope, { payoutIds: [...payoutIds], requireKyc }));
}

const refuse = statement<unknown, { payoutIds: string[]; reasons: string[] }>('payouts_refuse', ({ payoutIds, reasons }) =>
  raw(
    `with freed as (
     update payout_line l set live = false
     where ${ofTenant('l')} and l.payout_id = any (:payoutIds::uuid[]) and l.live)
   update payout p set status = 'cancelled', execute_at = null, failure_code = r.reason,
          updated_at = ${SCOPE_NOW}
   from unnest(:payoutIds::uuid[], :reasons::text[]) as r(id, reason)
   where ${ofTenant('p')} and p.id = r.id`,
    { payoutIds, reasons },
  ),
);

/** Cancels them; their lines are free. */
export async function storeRefusals(db: Db, scope: Scope, refused: readonly Refusal[]): Promise<void> {
  const ids = refused.map(({ payoutId }) => payoutId);
  const reasons = refused.map(({ reason }) => reason);
  await db.rows(refuse(scope, { payoutIds: ids, reasons }));
}

const start = statement<unknown, { payoutIds: string[]; fallbackSeconds: number }>(
  'payouts_start',
  ({ payoutIds, fallbackSeconds }) =>
    raw(
      `with started as (
     update payout p set status = 'processing', attempt = p.attempt + 1, execute_at = null, failure_code = null,
            failure_message = null, checks = 0, claimed_until = null,
            check_at = case p.provider_type when 'payvendor' then now() + make_interval(secs => :fallbackSeconds) end,
            updated_at = ${SCOPE_NOW}
     where ${ofTenant('p')} and p.id = any (:payoutIds::uuid[])
     returning p.id, p.attempt, p.requested_by)
   insert into payout_attempt (tenant_id, environment, payout_id, attempt, created_by, started_at)
   select :tenantId, :environment, started.id, started.attempt, started.requested_by, now() from started`,
      { payoutIds, fallbackSeconds },
    ),
);

/** A new attempt of each, which names who asked for it. A job sends them; should it be lost, they are looked after in `fallbackSeconds`. */
export async function storeStarted(db: Db, scope: Scope, payoutIds: readonly string[], fallbackSeconds: number): Promise<void> {
  await db.rows(start(scope, { payoutIds: [...payoutIds], fallbackSeconds }));
}

const takeToCheck = statement<{ id: string }, { limit: number; fallbackSeconds: number }>(
  'payouts_take_to_check',
  ({ limit, fallbackSeconds }) =>
    raw(
      `update payout p set check_at = now() + make_interval(secs => :fallbackSeconds)
   from (select x.id from payout x
         where ${ofTenant('x')} and x.check_at <= now()
         order by x.check_at, x.id limit :limit for update skip locked) due
   where ${ofTenant('p')} and p.id = due.id
   returning p.id`,
      { limit, fallbackSeconds },
    ),
);

/** What the provider is to be asked about, for a job to do. */
export async function takePayoutsToCheck(db: Db, scope: Scope, limit: number, fallbackSeconds: number): Promise<string[]> {
  const rows = await db.rows(takeToCheck(scope, { limit, fallbackSeconds }));
  return rows.map(({ id }) => id);
}
