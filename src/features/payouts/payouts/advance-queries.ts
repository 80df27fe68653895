/** What a job that speaks to the provider reads and keeps of payouts, each in a commit of its own. */
import type { Knex } from 'knex';
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope, WriteDb } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import { matchesTypeSql } from '../../webhooks/open/event-types.ts';
import { HEARD } from '../../webhooks/open/hearing-sql.ts';

const payoutAttempt = tenantTable('payout_attempt');

export interface PayoutToAdvance {
  id: string;
  memberId: string;
  currency: string;
  amountMinor: bigint;
  status: 'processing' | 'paid';
  attempt: number;
  checks: number;
  transferId: string | null;
  providerPayoutId: string | null;
  reversalId: string | null;
  /** What has held it up, both. */
  failureCode: string | null;
  failureMessage: string | null;
  /** The provider may have forgotten the keys of the attempt. */
  isOld: boolean;
  /** For days: what has not arrived by now does not arrive. */
  isOverdue: boolean;
  refusals: number;
  reversalRefusals: number;
  /** The payout was refused for good: it is never asked for again. */
  refusedCode: string | null;
  connectedAccountId: string | null;
  bankAccountId: string | null;
}

const claim = statement<PayoutToAdvance, { payoutIds: string[]; seconds: number; keyHours: number; overdueDays: number }>(
  'payouts_claim',
  ({ payoutIds, seconds, keyHours, overdueDays }) =>
    // Laterals: one probe each, whatever the planner believes of a young table.
    raw(
      `with free as materialized (
     select x.id from unnest(:payoutIds::uuid[]) wanted(id) cross join lateral (
       select y.* from payout y where ${ofTenant('y')} and y.id = wanted.id offset 0 for update skip locked) x
     where x.provider_type = 'payvendor' and x.status in ('processing', 'paid') and x.check_at is not null
       and (x.claimed_until is null or x.claimed_until <= now())),
   claimed as (
     update payout p set claimed_until = now() + make_interval(secs => :seconds), check_at = now() + make_interval(secs => :seconds)
     where ${ofTenant('p')} and p.id = any (array(select free.id from free))
     returning p.*)
   select c.id, c.member_id as "memberId", c.currency, c.amount_minor as "amountMinor", c.status, c.attempt, c.checks,
          c.failure_code as "failureCode", c.failure_message as "failureMessage",
          a.transfer_id as "transferId", a.provider_payout_id as "providerPayoutId", a.reversal_id as "reversalId",
          a.started_at <= now() - make_interval(hours => :keyHours) as "isOld", a.refusals,
          a.reversal_refusals as "reversalRefusals", a.refused_code as "refusedCode",
          a.started_at <= now() - make_interval(days => :overdueDays) as "isOverdue",
          b.provider_account_id as "connectedAccountId", b.external_account_id as "bankAccountId"
   from claimed c
   cross join lateral (
     select x.* from payout_attempt x
     where ${ofTenant('x')} and x.payout_id = c.id and x.attempt = c.attempt offset 0) a
   cross join lateral (
     select x.external_account_id, v.provider_account_id from payout_account x
     left join provider_account v on ${ofTenant('v')} and v.id = x.provider_account_ref
     where ${ofTenant('x')} and x.id = c.payout_account_id offset 0) b`,
      { payoutIds, seconds, keyHours, overdueDays },
    ),
);

/** Those that no other job has in hand. Should this one die, they are due again when its claim ends. */
export async function claimPayouts(
  db: WriteDb,
  scope: Scope,
  payoutIds: readonly string[],
  { seconds, keyHours, overdueDays }: { seconds: number; keyHours: number; overdueDays: number },
): Promise<PayoutToAdvance[]> {
  return db.rows(claim(scope, { payoutIds: [...payoutIds], seconds, keyHours, overdueDays }));
}

const ofAttempt = ({ id, attempt }: { id: Knex.Raw; attempt: Knex.Raw }) =>
  payoutAttempt('a').where('a.payout_id', id).where('a.attempt', attempt).returning('a.id');

const storeTransfer = statement<{ id: string }, { id: string; attempt: number; transferId: string }>(
  'payouts_store_transfer',
  ({ id, attempt, transferId }) =>
    ofAttempt({ id, attempt }).update({ transfer_id: raw('coalesce(a.transfer_id, :transferId)', { transferId }) }),
);

/** All that are stored here are the frame's last statement. */
export async function saveTransfer(
  db: WriteDb,
  scope: Scope,
  { id, attempt }: PayoutToAdvance,
  transferId: string,
): Promise<void> {
  await db.lastRow(storeTransfer(scope, { id, attempt, transferId }));
}

const storeSent = statement<{ id: string }, { id: string; attempt: number; providerPayoutId: string; checkInSeconds: number }>(
  'payouts_store_sent',
  ({ id, attempt, providerPayoutId, checkInSeconds }) =>
    raw(
      `with sent as (
     update payout_attempt a set provider_payout_id = coalesce(a.provider_payout_id, :providerPayoutId)
     where ${ofTenant('a')} and a.payout_id = :id and a.attempt = :attempt
     returning a.payout_id)
   update payout p set check_at = now() + make_interval(secs => :checkInSeconds), checks = 0, claimed_until = null,
          failure_code = null, failure_message = null
   from sent where ${ofTenant('p')} and p.id = sent.payout_id and p.attempt = :attempt and p.status = 'processing'
   returning p.id`,
      { id, attempt, providerPayoutId, checkInSeconds },
    ),
);

/** False where it was settled or tried again meanwhile. `isLast`: nothing of the frame comes behind it. */
export async function saveSent(
  db: WriteDb,
  scope: Scope,
  { id, attempt }: PayoutToAdvance,
  { providerPayoutId, checkInSeconds, isLast }: { providerPayoutId: string; checkInSeconds: number; isLast: boolean },
): Promise<boolean> {
  const store = storeSent(scope, { id, attempt, providerPayoutId, checkInSeconds });
  return (await (isLast ? db.lastRow(store) : db.row(store))) !== undefined;
}

const storeReversal = statement<{ id: string }, { id: string; attempt: number; reversalId: string }>(
  'payouts_store_reversal',
  ({ id, attempt, reversalId }) =>
    ofAttempt({ id, attempt }).update({ reversal_id: raw('coalesce(a.reversal_id, :reversalId)', { reversalId }) }),
);

export async function saveReversal(
  db: WriteDb,
  scope: Scope,
  { id, attempt }: PayoutToAdvance,
  reversalId: string,
): Promise<void> {
  await db.lastRow(storeReversal(scope, { id, attempt, reversalId }));
}

const storeRefusal = statement<{ id: string }, { id: string; attempt: number; refusals: number }>(
  'payouts_store_refusal',
  ({ id, attempt, refusals }) => ofAttempt({ id, attempt }).update({ refusals }),
);

export async function saveRefusal(db: WriteDb, scope: Scope, { id, attempt, refusals }: PayoutToAdvance): Promise<void> {
  await db.lastRow(storeRefusal(scope, { id, attempt, refusals: refusals + 1 }));
}

const storeRefusedCode = statement<{ id: string }, { id: string; attempt: number; code: string }>(
  'payouts_store_refused_code',
  ({ id, attempt, code }) =>
    ofAttempt({ id, attempt }).update({ refused_code: raw('coalesce(a.refused_code, left(:code, 100))', { code }) }),
);

export async function saveFinalRefusal(db: WriteDb, scope: Scope, { id, attempt }: PayoutToAdvance, code: string): Promise<void> {
  await db.lastRow(storeRefusedCode(scope, { id, attempt, code }));
}

const storeReversalRefusal = statement<{ id: string }, { id: string; attempt: number; refusals: number }>(
  'payouts_store_reversal_refusal',
  ({ id, attempt, refusals }) => ofAttempt({ id, attempt }).update({ reversal_refusals: refusals }),
);

export async function saveReversalRefusal(
  db: WriteDb,
  scope: Scope,
  { id, attempt, reversalRefusals }: PayoutToAdvance,
): Promise<void> {
  await db.lastRow(storeReversalRefusal(scope, { id, attempt, refusals: reversalRefusals + 1 }));
}

const storeLater = statement<
  { id: string },
  { id: string; attempt: number; checkInSeconds: number | null; code: string | null; message: string | null }
>('payouts_check_later', ({ id, attempt, checkInSeconds, code, message }) =>
  raw(
    `update payout p
   set check_at = case when p.check_at <= now() then p.check_at else now() + make_interval(secs => :checkInSeconds::int) end,
          checks = p.checks + 1, claimed_until = null,
          failure_code = case when p.status = 'processing' then :code else p.failure_code end,
          failure_message = case when p.status = 'processing' then :message else p.failure_message end
   where ${ofTenant('p')} and p.id = :id and p.attempt = :attempt and p.status in ('processing', 'paid')
   returning p.id`,
    { id, attempt, checkInSeconds, code, message },
  ),
);

/**
 * When the provider is asked next; null: not any more. At once where it has become due meanwhile: an event came, or the
 * settings were changed. The trouble is shown with a payout that it holds up. False where it is over. `isLast`: nothing of
 * the frame comes behind it.
 */
export async function checkLater(
  db: WriteDb,
  scope: Scope,
  { id, attempt }: PayoutToAdvance,
  checkInSeconds: number | null,
  { trouble, isLast }: { trouble: { code: string; message: string } | undefined; isLast: boolean },
): Promise<boolean> {
  const { code = null, message = null } = trouble ?? {};
  const store = storeLater(scope, { id, attempt, checkInSeconds, code, message: message?.slice(0, 500) ?? null });
  return (await (isLast ? db.lastRow(store) : db.row(store))) !== undefined;
}

const hold = statement<
  { held: number; told: string[] | null },
  { payoutIds: string[]; afterSeconds: number[]; code: string; message: string }
>('payouts_hold', ({ payoutIds, afterSeconds, code, message }) =>
  raw(
    `with free as materialized (
     select x.id, x.status = 'processing' and (x.failure_code, x.failure_message) is distinct from (:code, :message) as is_news
     from unnest(:payoutIds::uuid[]) wanted(id) cross join lateral (
       select y.* from payout y where ${ofTenant('y')} and y.id = wanted.id offset 0 for update skip locked) x
     where x.provider_type = 'payvendor' and x.status in ('processing', 'paid') and x.check_at is not null
       and (x.claimed_until is null or x.claimed_until <= now())),
   held as (
     update payout p
     set check_at = now() + make_interval(secs => (:afterSeconds::int[])[1 + least(p.checks, cardinality(:afterSeconds::int[]) - 1)]),
         checks = p.checks + 1, claimed_until = null,
         failure_code = case when p.status = 'processing' then :code else p.failure_code end,
         failure_message = case when p.status = 'processing' then :message else p.failure_message end
     where ${ofTenant('p')} and p.id = any (array(select free.id from free))
     returning p.id)
   select (select count(*)::int from held) as held,
          case when ${matchesTypeSql(HEARD, "'payout.updated'")}
            then array(select free.id from free where free.is_news) end as told`,
    { payoutIds, afterSeconds, code, message },
  ),
);

/** Of these, those that no job has in hand wait, each for longer than the time before; why is shown with them. */
export async function holdPayouts(
  db: WriteDb,
  scope: Scope,
  payoutIds: readonly string[],
  afterSeconds: readonly number[],
  { code, message }: { code: string; message: string },
): Promise<{ count: number /** Those that are shown otherwise by it, where somebody hears of them. */; told: string[] }> {
  const { tenantId, environment } = scope;
  const row = await db.row(
    hold(
      { tenantId, environment },
      { payoutIds: [...payoutIds], afterSeconds: [...afterSeconds], code, message: message.slice(0, 500) },
    ),
  );
  return { count: row?.held ?? 0, told: row?.told ?? [] };
}

const wake = statement<unknown, { limit: number }>('payouts_wake_held', ({ limit }) =>
  raw(
    `update payout p set check_at = now(), checks = 0
   from (select x.id from payout x
         where ${ofTenant('x')} and x.check_at > now() and x.status = 'processing'
           and x.failure_code in ('PROVIDER_CONFIGURATION', 'unauthorized', 'needs_approval', 'base_url')
         order by x.check_at limit :limit for update skip locked) held
   where ${ofTenant('p')} and p.id = held.id`,
    { limit },
  ),
);

/** What the settings have held up is due at once, at most so many. */
export async function wakeHeldPayouts(db: Db, scope: Scope, limit: number): Promise<void> {
  await db.rows(wake(scope, { limit }));
}
