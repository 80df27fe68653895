/** Commission lines in SQL: one and many. */
import { sqlBuilder } from '../../db/connect.ts';
import type { Db, Scope } from '../../db/frame.ts';
import { built, prepared } from '../../db/statement.ts';
import type { HoldCause, LineKind, LineSource, LineStatus } from './commission-line.ts';

export interface Commission {
  id: string;
  eventId: string;
  externalEventId: string;
  beneficiaryId: string;
  kind: LineKind;
  source: LineSource;
  level: number;
  paidLevel: number;
  rateBps: number;
  flatMinor: bigint | null;
  multiplierMilli: number;
  baseMinor: bigint;
  amountMinor: bigint;
  currency: string;
  sourceAmountMinor: bigint | null;
  sourceCurrency: string | null;
  exchangeRateId: string | null;
  cappedMinor: bigint;
  cap: string | null;
  status: LineStatus;
  holdCause: HoldCause | null;
  holdReason: string | null;
  clearsAt: Date;
  occurredAt: Date;
  createdAt: Date;
  planVersionId: string | null;
  reversesLineId: string | null;
}

interface CommissionRow {
  id: string;
  event_id: string;
  external_event_id: string;
  beneficiary_id: string;
  kind: LineKind;
  source: LineSource;
  level: number;
  paid_level: number;
  rate_bps: number;
  flat_minor: bigint | null;
  multiplier_milli: number;
  base_minor: bigint;
  amount_minor: bigint;
  currency: string;
  source_amount_minor: bigint | null;
  source_currency: string | null;
  exchange_rate_id: string | null;
  capped_minor: bigint;
  cap: string | null;
  status: LineStatus;
  hold_cause: HoldCause | null;
  hold_reason: string | null;
  clears_at: Date;
  occurred_at: Date;
  created_at: Date;
  plan_version_id: string | null;
  reverses_line_id: string | null;
}

/** For `frames.readOnce`. */
export const commissionStatement = prepared<CommissionRow, [string, string, string]>(
  'commissions_find',
  `select l.*, e.external_event_id from commission_line l
   join event e on e.tenant_id = l.tenant_id and e.environment = l.environment and e.id = l.event_id
   where l.tenant_id = $1 and l.environment = $2 and l.id = $3`,
);

export interface CommissionFilters {
  userId: string | undefined;
  eventId: string | undefined;
  status: LineStatus | undefined;
  kind: LineKind | undefined;
  level: number | undefined;
  currency: string | undefined;
  /** YYYY-MM of the sale in the tenant's zone. */
  period: string | undefined;
}

/** In order of their ids, which is the order they were made in. */
export async function listCommissions(
  db: Db,
  scope: Scope,
  filters: CommissionFilters,
  afterId: string | undefined,
  count: number,
): Promise<Commission[]> {
  const query = sqlBuilder('commission_line as l')
    .join('event as e', (on) =>
      on.on('e.tenant_id', 'l.tenant_id').andOn('e.environment', 'l.environment').andOn('e.id', 'l.event_id'),
    )
    .where({ 'l.tenant_id': scope.tenantId, 'l.environment': scope.environment })
    .orderBy('l.id')
    .limit(count)
    .select('l.*', 'e.external_event_id');
  if (filters.userId !== undefined) query.where('l.beneficiary_id', filters.userId);
  if (filters.eventId !== undefined) query.where('l.event_id', filters.eventId);
  if (filters.status !== undefined) query.where('l.status', filters.status);
  if (filters.kind !== undefined) query.where('l.kind', filters.kind);
  if (filters.level !== undefined) query.where('l.level', filters.level);
  if (filters.currency !== undefined) query.where('l.currency', filters.currency);
  if (filters.period !== undefined) {
    const startOf = (day: string) => `(select start_of_local_day(${day}, t.reporting_time_zone) from tenant t where t.id = ?)`;
    query
      .whereRaw(`l.occurred_at >= ${startOf('?::date')}`, [`${filters.period}-01`, scope.tenantId])
      .whereRaw(`l.occurred_at < ${startOf("(?::date + interval '1 month')::date")}`, [`${filters.period}-01`, scope.tenantId]);
  }
  if (afterId !== undefined) query.where('l.id', '>', afterId);
  return (await db.rows(built<CommissionRow>(query))).map(toCommission);
}

export function toCommission(row: CommissionRow): Commission {
  return {
    id: row.id,
    eventId: row.event_id,
    externalEventId: row.external_event_id,
    beneficiaryId: row.beneficiary_id,
    kind: row.kind,
    source: row.source,
    level: row.level,
    paidLevel: row.paid_level,
    rateBps: row.rate_bps,
    flatMinor: row.flat_minor,
    multiplierMilli: row.multiplier_milli,
    baseMinor: row.base_minor,
    amountMinor: row.amount_minor,
    currency: row.currency,
    sourceAmountMinor: row.source_amount_minor,
    sourceCurrency: row.source_currency,
    exchangeRateId: row.exchange_rate_id,
    cappedMinor: row.capped_minor,
    cap: row.cap,
    status: row.status,
    holdCause: row.hold_cause,
    holdReason: row.hold_reason,
    clearsAt: row.clears_at,
    occurredAt: row.occurred_at,
    createdAt: row.created_at,
    planVersionId: row.plan_version_id,
    reversesLineId: row.reverses_line_id,
  };
}
