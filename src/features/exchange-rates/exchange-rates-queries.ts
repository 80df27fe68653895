/** Exchange rates in SQL. */
import { sqlBuilder } from '../../db/connect.ts';
import type { Db, Scope, WriteDb } from '../../db/frame.ts';
import { built, prepared } from '../../db/statement.ts';

export interface ExchangeRate {
  id: string;
  sourceCurrency: string;
  targetCurrency: string;
  numerator: bigint;
  denominator: bigint;
  effectiveAt: Date;
  source: string;
  recordedAt: Date;
}

interface RateRow {
  id: string;
  source_currency: string;
  target_currency: string;
  numerator: bigint;
  denominator: bigint;
  effective_at: Date;
  source: string;
  recorded_at: Date;
}

function toRate(row: RateRow): ExchangeRate {
  return {
    id: row.id,
    sourceCurrency: row.source_currency,
    targetCurrency: row.target_currency,
    numerator: row.numerator,
    denominator: row.denominator,
    effectiveAt: row.effective_at,
    source: row.source,
    recordedAt: row.recorded_at,
  };
}

export interface NewRate {
  sourceCurrency: string;
  targetCurrency: string;
  numerator: number;
  denominator: number;
  /** Null: the scope's clock. */
  effectiveAt: string | null;
  source: string;
  keyId: string;
}

const insert = prepared<RateRow, [string, string, string, string, number, number, string | null, string, string]>(
  'exchange_rates_insert',
  `insert into exchange_rate (tenant_id, environment, source_currency, target_currency, numerator, denominator,
                              effective_at, source, recorded_by)
   select $1, $2, $3, $4, $5, $6, coalesce($7::timestamptz, scope_now($1, $2)), $8, $9
   where $7::timestamptz is null or $7::timestamptz <= scope_now($1, $2) + interval '1 year'
   returning *`,
);

/** Undefined when it would come into force more than a year ahead. The frame's last statement. */
export async function insertRate(db: WriteDb, scope: Scope, rate: NewRate): Promise<ExchangeRate | undefined> {
  const row = await db.lastRow(
    insert(
      scope.tenantId,
      scope.environment,
      rate.sourceCurrency,
      rate.targetCurrency,
      rate.numerator,
      rate.denominator,
      rate.effectiveAt,
      rate.source,
      rate.keyId,
    ),
  );
  return row && toRate(row);
}

export interface RateFilters {
  sourceCurrency: string | undefined;
  targetCurrency: string | undefined;
}

/** Rates in order of their ids, which is the order they were recorded in. */
export async function listRates(
  db: Db,
  scope: Scope,
  filters: RateFilters,
  afterId: string | undefined,
  count: number,
): Promise<ExchangeRate[]> {
  const query = sqlBuilder('exchange_rate as r')
    .where({ 'r.tenant_id': scope.tenantId, 'r.environment': scope.environment })
    .orderBy('r.id')
    .limit(count)
    .select('r.*');
  if (filters.sourceCurrency !== undefined) query.where('r.source_currency', filters.sourceCurrency);
  if (filters.targetCurrency !== undefined) query.where('r.target_currency', filters.targetCurrency);
  if (afterId !== undefined) query.where('r.id', '>', afterId);
  return (await db.rows(built<RateRow>(query))).map(toRate);
}

export interface RateAt {
  targetCurrency: string;
  id: string;
  numerator: bigint;
  denominator: bigint;
}

const ratesAt = prepared<RateAt, [string, string, string, readonly string[], Date]>(
  'exchange_rates_at',
  `select r.target_currency as "targetCurrency", r.id, r.numerator, r.denominator
   from unnest($4::text[]) target(currency)
   cross join lateral (
     select x.target_currency, x.id, x.numerator, x.denominator from exchange_rate x
     where x.tenant_id = $1 and x.environment = $2 and x.source_currency = $3 and x.target_currency = target.currency
       and x.effective_at <= $5
     order by x.effective_at desc, x.id desc limit 1) r`,
);

/** Of each target the latest rate in force at an instant; a target without one is left out. */
export function findRatesAt(
  db: Db,
  scope: Scope,
  sourceCurrency: string,
  targetCurrencies: readonly string[],
  at: Date,
): Promise<RateAt[]> {
  return db.rows(ratesAt(scope.tenantId, scope.environment, sourceCurrency, targetCurrencies, at));
}
