/** Payouts in SQL: one and many, with their attempts and the commissions they consume. */
import { sqlBuilder } from '../../db/connect.ts';
import type { Db, Scope } from '../../db/frame.ts';
import { built, prepared } from '../../db/statement.ts';
import type { LineKind, LineStatus } from '../commissions/commission-line.ts';
import type { PaymentProvider, PayoutStatus } from './payout-states.ts';

export interface Payout {
  id: string;
  runId: string;
  memberId: string;
  payoutAccountId: string;
  providerType: PaymentProvider;
  currency: string;
  amountMinor: bigint;
  lineCount: number;
  status: PayoutStatus;
  attempt: number;
  failureCode: string | null;
  failureMessage: string | null;
  reference: string | null;
  paidAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const columns = {
  id: 'p.id',
  runId: 'p.payout_run_id',
  memberId: 'p.member_id',
  payoutAccountId: 'p.payout_account_id',
  providerType: 'p.provider_type',
  currency: 'p.currency',
  amountMinor: 'p.amount_minor',
  lineCount: 'p.line_count',
  status: 'p.status',
  attempt: 'p.attempt',
  failureCode: 'p.failure_code',
  failureMessage: 'p.failure_message',
  reference: 'p.reference',
  paidAt: 'p.paid_at',
  createdAt: 'p.created_at',
  updatedAt: 'p.updated_at',
} as const satisfies Record<keyof Payout, string>;

const selected = Object.entries(columns)
  .map(([name, column]) => `${column} as "${name}"`)
  .join(', ');

const find = prepared<Payout, [string, string, string]>(
  'payouts_find',
  `select ${selected} from payout p where p.tenant_id = $1 and p.environment = $2 and p.id = $3`,
);

export async function findPayout(db: Db, scope: Scope, payoutId: string): Promise<Payout | undefined> {
  return db.row(find(scope.tenantId, scope.environment, payoutId));
}

export interface PayoutFilters {
  runId: string | undefined;
  userId: string | undefined;
  status: PayoutStatus | undefined;
}

/** In order of their ids, which is the order they were drafted in. */
export async function listPayouts(
  db: Db,
  scope: Scope,
  { runId, userId, status }: PayoutFilters,
  afterId: string | undefined,
  count: number,
): Promise<Payout[]> {
  const query = sqlBuilder('payout as p')
    .where({ 'p.tenant_id': scope.tenantId, 'p.environment': scope.environment })
    .orderBy('p.id')
    .limit(count)
    .select(columns);
  if (runId !== undefined) query.where('p.payout_run_id', runId);
  if (userId !== undefined) query.where('p.member_id', userId);
  if (status !== undefined) query.where('p.status', status);
  if (afterId !== undefined) query.where('p.id', '>', afterId);
  return db.rows(built<Payout>(query));
}

export interface PayoutAttempt {
  attempt: number;
  transferId: string | null;
  providerPayoutId: string | null;
  reversalId: string | null;
  outcome: 'paid' | 'failed' | 'returned' | null;
  startedAt: Date;
  endedAt: Date | null;
}

const attempts = prepared<PayoutAttempt, [string, string, string]>(
  'payouts_attempts',
  `select a.attempt, a.transfer_id as "transferId", a.provider_payout_id as "providerPayoutId", a.reversal_id as "reversalId",
          a.outcome, a.started_at as "startedAt", a.ended_at as "endedAt"
   from payout_attempt a where a.tenant_id = $1 and a.environment = $2 and a.payout_id = $3 order by a.attempt`,
);

export async function listAttempts(db: Db, scope: Scope, payoutId: string): Promise<PayoutAttempt[]> {
  return db.rows(attempts(scope.tenantId, scope.environment, payoutId));
}

export interface ConsumedLine {
  id: string;
  eventId: string;
  externalEventId: string;
  kind: LineKind;
  amountMinor: bigint;
  currency: string;
  status: LineStatus;
  occurredAt: Date;
}

const lines = prepared<ConsumedLine, [string, string, string, afterId: string | null, count: number]>(
  'payouts_lines',
  `select line.* from (
     select c.line_id from payout_line c
     where c.tenant_id = $1 and c.environment = $2 and c.payout_id = $3 and ($4::uuid is null or c.line_id > $4)
     order by c.line_id limit $5) c
   cross join lateral (
     select l.id, l.event_id as "eventId", e.external_event_id as "externalEventId", l.kind, l.amount_minor as "amountMinor",
            l.currency, l.status, l.occurred_at as "occurredAt"
     from commission_line l join event e on e.tenant_id = $1 and e.environment = $2 and e.id = l.event_id
     where l.tenant_id = $1 and l.environment = $2 and l.id = c.line_id offset 0) line
   order by line.id`,
);

/** The commissions of a payout, also of one that did not go through, oldest first. */
export async function listConsumedLines(
  db: Db,
  scope: Scope,
  payoutId: string,
  afterId: string | undefined,
  count: number,
): Promise<ConsumedLine[]> {
  return db.rows(lines(scope.tenantId, scope.environment, payoutId, afterId ?? null, count));
}

const cancel = prepared<unknown, [string, string, string]>(
  'payouts_cancel',
  `with freed as (
     update payout_line l set live = false
     where l.tenant_id = $1 and l.environment = $2 and l.payout_id = $3 and l.live)
   update payout p set status = 'cancelled', execute_at = null,
          updated_at = case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end
   where p.tenant_id = $1 and p.environment = $2 and p.id = $3`,
);

/** Of a locked payout, whose lines are free. */
export async function storeCancelled(db: Db, scope: Scope, payoutId: string): Promise<void> {
  await db.rows(cancel(scope.tenantId, scope.environment, payoutId));
}

const requeue = prepared<unknown, [string, string, string]>(
  'payouts_requeue',
  `with again as (
     update payout_line l set live = true
     where l.tenant_id = $1 and l.environment = $2 and l.payout_id = $3)
   update payout p set status = 'queued', execute_at = clock.now, failure_code = null, failure_message = null, updated_at = clock.now
   from (select case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end as now) clock
   where p.tenant_id = $1 and p.environment = $2 and p.id = $3`,
);

/** Of a locked payout that failed: due at once. Violates `payout_line_live_key` when another payout has one of its lines. */
export async function storeRequeued(db: Db, scope: Scope, payoutId: string): Promise<void> {
  await db.rows(requeue(scope.tenantId, scope.environment, payoutId));
}
