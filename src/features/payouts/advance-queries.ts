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
  connectedAccountId: string | null;
  bankAccountId: string | null;
}

const claim = prepared<
  PayoutToAdvance,
  [string, string, payoutIds: string[], seconds: number, keyHours: number, overdueDays: number]
>(
  'payouts_claim',
  `with claimed as (
     update payout p set claimed_until = now() + make_interval(secs => $4)
     from (select x.id from payout x
           where x.tenant_id = $1 and x.environment = $2 and x.id = any ($3::uuid[]) and x.provider_type = 'payvendor'
             and x.status in ('processing', 'paid') and x.check_at is not null
             and (x.claimed_until is null or x.claimed_until <= now())
           order by x.id for update skip locked) free
     where p.tenant_id = $1 and p.environment = $2 and p.id = free.id
     returning p.*)
   select c.id, c.member_id as "memberId", c.currency, c.amount_minor as "amountMinor", c.status, c.attempt, c.checks,
          a.transfer_id as "transferId", a.provider_payout_id as "providerPayoutId", a.reversal_id as "reversalId",
          a.started_at <= now() - make_interval(hours => $5) as "isOld", a.refusals,
          a.started_at <= now() - make_interval(days => $6) as "isOverdue",
          v.provider_account_id as "connectedAccountId", b.external_account_id as "bankAccountId"
   from claimed c
   join payout_attempt a on a.tenant_id = $1 and a.environment = $2 and a.payout_id = c.id and a.attempt = c.attempt
   join payout_account b on b.tenant_id = $1 and b.environment = $2 and b.id = c.payout_account_id
   left join provider_account v on v.tenant_id = $1 and v.environment = $2 and v.id = b.provider_account_ref`,
);

/** Those that no other job has in hand. */
export async function claimPayouts(
  db: WriteDb,
  scope: Scope,
  payoutIds: readonly string[],
  { seconds, keyHours, overdueDays }: { seconds: number; keyHours: number; overdueDays: number },
): Promise<PayoutToAdvance[]> {
  return db.rows(claim(scope.tenantId, scope.environment, [...payoutIds], seconds, keyHours, overdueDays));
}

const waitFor = prepared<unknown, [string, string, payoutIds: string[]]>(
  'payouts_wait_for_claims',
  `update payout p set check_at = least(p.check_at, p.claimed_until)
   where p.tenant_id = $1 and p.environment = $2 and p.id = any ($3::uuid[]) and p.check_at is not null and p.claimed_until > now()`,
);

/** Those that a job has in hand, this one or another, are due again when its claim ends: should it die. */
export async function waitForClaims(db: Db, scope: Scope, payoutIds: readonly string[]): Promise<void> {
  await db.rows(waitFor(scope.tenantId, scope.environment, [...payoutIds]));
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

const storeLater = prepared<
  { id: string },
  [string, string, string, attempt: number, checkInSeconds: number | null, code: string | null, message: string | null]
>(
  'payouts_check_later',
  `update payout p set check_at = now() + make_interval(secs => $5::int), checks = p.checks + 1, claimed_until = null,
          failure_code = case when p.status = 'processing' then $6 else p.failure_code end,
          failure_message = case when p.status = 'processing' then $7 else p.failure_message end
   where p.tenant_id = $1 and p.environment = $2 and p.id = $3 and p.attempt = $4 and p.status in ('processing', 'paid')
   returning p.id`,
);

/** When the provider is asked next; null: not any more. The trouble is shown with a payout that it holds up. */
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
