/** What a job that speaks to the provider reads and keeps of payouts, each in a commit of its own. */
import type { Db, Scope, WriteDb } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

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

const claim = prepared<
  PayoutToAdvance,
  [string, string, payoutIds: string[], seconds: number, keyHours: number, overdueDays: number]
>(
  'payouts_claim',
  // Laterals: one probe each, whatever the planner believes of a young table.
  `with free as materialized (
     select x.id from unnest($3::uuid[]) wanted(id) cross join lateral (
       select y.* from payout y where y.tenant_id = $1 and y.environment = $2 and y.id = wanted.id offset 0 for update skip locked) x
     where x.provider_type = 'payvendor' and x.status in ('processing', 'paid') and x.check_at is not null
       and (x.claimed_until is null or x.claimed_until <= now())),
   claimed as (
     update payout p set claimed_until = now() + make_interval(secs => $4), check_at = now() + make_interval(secs => $4)
     where p.tenant_id = $1 and p.environment = $2 and p.id = any (array(select free.id from free))
     returning p.*)
   select c.id, c.member_id as "memberId", c.currency, c.amount_minor as "amountMinor", c.status, c.attempt, c.checks,
          a.transfer_id as "transferId", a.provider_payout_id as "providerPayoutId", a.reversal_id as "reversalId",
          a.started_at <= now() - make_interval(hours => $5) as "isOld", a.refusals,
          a.reversal_refusals as "reversalRefusals", a.refused_code as "refusedCode",
          a.started_at <= now() - make_interval(days => $6) as "isOverdue",
          b.provider_account_id as "connectedAccountId", b.external_account_id as "bankAccountId"
   from claimed c
   cross join lateral (
     select x.* from payout_attempt x
     where x.tenant_id = $1 and x.environment = $2 and x.payout_id = c.id and x.attempt = c.attempt offset 0) a
   cross join lateral (
     select x.external_account_id, v.provider_account_id from payout_account x
     left join provider_account v on v.tenant_id = $1 and v.environment = $2 and v.id = x.provider_account_ref
     where x.tenant_id = $1 and x.environment = $2 and x.id = c.payout_account_id offset 0) b`,
);

/** Those that no other job has in hand. Should this one die, they are due again when its claim ends. */
export async function claimPayouts(
  db: WriteDb,
  scope: Scope,
  payoutIds: readonly string[],
  { seconds, keyHours, overdueDays }: { seconds: number; keyHours: number; overdueDays: number },
): Promise<PayoutToAdvance[]> {
  return db.rows(claim(scope.tenantId, scope.environment, [...payoutIds], seconds, keyHours, overdueDays));
}

const storeTransfer = prepared<{ id: string }, [string, string, string, attempt: number, transferId: string]>(
  'payouts_store_transfer',
  `update payout_attempt a set transfer_id = coalesce(a.transfer_id, $5)
   where a.tenant_id = $1 and a.environment = $2 and a.payout_id = $3 and a.attempt = $4 returning a.id`,
);

/** All that are stored here are the frame's last statement. */
export async function saveTransfer(
  db: WriteDb,
  scope: Scope,
  { id, attempt }: PayoutToAdvance,
  transferId: string,
): Promise<void> {
  await db.lastRow(storeTransfer(scope.tenantId, scope.environment, id, attempt, transferId));
}

const storeSent = prepared<
  { id: string },
  [string, string, string, attempt: number, providerPayoutId: string, checkInSeconds: number]
>(
  'payouts_store_sent',
  `with sent as (
     update payout_attempt a set provider_payout_id = coalesce(a.provider_payout_id, $5)
     where a.tenant_id = $1 and a.environment = $2 and a.payout_id = $3 and a.attempt = $4
     returning a.payout_id)
   update payout p set check_at = now() + make_interval(secs => $6), checks = 0, claimed_until = null, failure_code = null,
          failure_message = null
   from sent where p.tenant_id = $1 and p.environment = $2 and p.id = sent.payout_id and p.attempt = $4 and p.status = 'processing'
   returning p.id`,
);

export async function saveSent(
  db: WriteDb,
  scope: Scope,
  { id, attempt }: PayoutToAdvance,
  providerPayoutId: string,
  checkInSeconds: number,
): Promise<void> {
  await db.lastRow(storeSent(scope.tenantId, scope.environment, id, attempt, providerPayoutId, checkInSeconds));
}

const storeReversal = prepared<{ id: string }, [string, string, string, attempt: number, reversalId: string]>(
  'payouts_store_reversal',
  `update payout_attempt a set reversal_id = coalesce(a.reversal_id, $5)
   where a.tenant_id = $1 and a.environment = $2 and a.payout_id = $3 and a.attempt = $4 returning a.id`,
);

export async function saveReversal(
  db: WriteDb,
  scope: Scope,
  { id, attempt }: PayoutToAdvance,
  reversalId: string,
): Promise<void> {
  await db.lastRow(storeReversal(scope.tenantId, scope.environment, id, attempt, reversalId));
}

const storeRefusal = prepared<{ id: string }, [string, string, string, attempt: number, refusals: number]>(
  'payouts_store_refusal',
  `update payout_attempt a set refusals = $5
   where a.tenant_id = $1 and a.environment = $2 and a.payout_id = $3 and a.attempt = $4 returning a.id`,
);

export async function saveRefusal(db: WriteDb, scope: Scope, { id, attempt, refusals }: PayoutToAdvance): Promise<void> {
  await db.lastRow(storeRefusal(scope.tenantId, scope.environment, id, attempt, refusals + 1));
}

const storeRefusedCode = prepared<{ id: string }, [string, string, string, attempt: number, code: string]>(
  'payouts_store_refused_code',
  `update payout_attempt a set refused_code = coalesce(a.refused_code, left($5, 100))
   where a.tenant_id = $1 and a.environment = $2 and a.payout_id = $3 and a.attempt = $4 returning a.id`,
);

export async function saveFinalRefusal(db: WriteDb, scope: Scope, { id, attempt }: PayoutToAdvance, code: string): Promise<void> {
  await db.lastRow(storeRefusedCode(scope.tenantId, scope.environment, id, attempt, code));
}

const storeReversalRefusal = prepared<{ id: string }, [string, string, string, attempt: number, refusals: number]>(
  'payouts_store_reversal_refusal',
  `update payout_attempt a set reversal_refusals = $5
   where a.tenant_id = $1 and a.environment = $2 and a.payout_id = $3 and a.attempt = $4 returning a.id`,
);

export async function saveReversalRefusal(
  db: WriteDb,
  scope: Scope,
  { id, attempt, reversalRefusals }: PayoutToAdvance,
): Promise<void> {
  await db.lastRow(storeReversalRefusal(scope.tenantId, scope.environment, id, attempt, reversalRefusals + 1));
}

const storeLater = prepared<
  { id: string },
  [string, string, string, attempt: number, checkInSeconds: number | null, code: string | null, message: string | null]
>(
  'payouts_check_later',
  `update payout p set check_at = case when p.check_at <= now() then p.check_at else now() + make_interval(secs => $5::int) end,
          checks = p.checks + 1, claimed_until = null,
          failure_code = case when p.status = 'processing' then $6 else p.failure_code end,
          failure_message = case when p.status = 'processing' then $7 else p.failure_message end
   where p.tenant_id = $1 and p.environment = $2 and p.id = $3 and p.attempt = $4 and p.status in ('processing', 'paid')
   returning p.id`,
);

/**
 * When the provider is asked next; null: not any more. At once where it has become due meanwhile: an event came, or the
 * settings were changed. The trouble is shown with a payout that it holds up.
 */
export async function checkLater(
  db: WriteDb,
  scope: Scope,
  { id, attempt }: PayoutToAdvance,
  checkInSeconds: number | null,
  trouble: { code: string; message: string } | undefined,
): Promise<void> {
  const { code = null, message = null } = trouble ?? {};
  await db.lastRow(
    storeLater(scope.tenantId, scope.environment, id, attempt, checkInSeconds, code, message?.slice(0, 500) ?? null),
  );
}

const hold = prepared<
  { held: number },
  [string, string, payoutIds: string[], afterSeconds: number[], code: string, message: string]
>(
  'payouts_hold',
  `with free as materialized (
     select x.id from unnest($3::uuid[]) wanted(id) cross join lateral (
       select y.* from payout y where y.tenant_id = $1 and y.environment = $2 and y.id = wanted.id offset 0 for update skip locked) x
     where x.provider_type = 'payvendor' and x.status in ('processing', 'paid') and x.check_at is not null
       and (x.claimed_until is null or x.claimed_until <= now())),
   held as (
     update payout p
     set check_at = now() + make_interval(secs => ($4::int[])[1 + least(p.checks, cardinality($4::int[]) - 1)]),
         checks = p.checks + 1, claimed_until = null,
         failure_code = case when p.status = 'processing' then $5 else p.failure_code end,
         failure_message = case when p.status = 'processing' then $6 else p.failure_message end
     where p.tenant_id = $1 and p.environment = $2 and p.id = any (array(select free.id from free))
     returning p.id)
   select count(*)::int as held from held`,
);

/** Of these, those that no job has in hand wait, each for longer than the time before; why is shown with them. Returns how many. */
export async function holdPayouts(
  db: WriteDb,
  scope: Scope,
  payoutIds: readonly string[],
  afterSeconds: readonly number[],
  { code, message }: { code: string; message: string },
): Promise<number> {
  const { tenantId, environment } = scope;
  const row = await db.lastRow(hold(tenantId, environment, [...payoutIds], [...afterSeconds], code, message.slice(0, 500)));
  return row?.held ?? 0;
}

const wake = prepared<unknown, [string, string, limit: number]>(
  'payouts_wake_held',
  `update payout p set check_at = now(), checks = 0
   from (select x.id from payout x
         where x.tenant_id = $1 and x.environment = $2 and x.check_at > now() and x.status = 'processing'
           and x.failure_code in ('PROVIDER_CONFIGURATION', 'unauthorized', 'needs_approval', 'base_url')
         order by x.check_at limit $3 for update skip locked) held
   where p.tenant_id = $1 and p.environment = $2 and p.id = held.id`,
);

/** What the settings have held up is due at once, at most so many. */
export async function wakeHeldPayouts(db: Db, scope: Scope, limit: number): Promise<void> {
  await db.rows(wake(scope.tenantId, scope.environment, limit));
}
