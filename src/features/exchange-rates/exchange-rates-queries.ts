/** Exchange rates in SQL. */
import type { NamedActor } from '../../actor.ts';
import { listStatement, raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { namedActor } from '../audit/open/named-actor.ts';

export interface ExchangeRate {
  id: string;
  sourceCurrency: string;
  targetCurrency: string;
  numerator: bigint;
  denominator: bigint;
  effectiveAt: Date;
  source: string;
  recordedAt: Date;
  /** Null of those from before it was kept. */
  createdBy: NamedActor | null;
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
  created_by: NamedActor | null;
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
    createdBy: row.created_by,
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
  /** An `actorRef`. */
  createdBy: string;
}

const exchangeRate = tenantTable('exchange_rate');

const columns = `r.id, r.source_currency, r.target_currency, r.numerator, r.denominator, r.effective_at, r.source, r.recorded_at,
  ${namedActor('r.created_by')} as created_by`;

const insert = statement<RateRow, NewRate>(
  'exchange_rates_insert',
  ({ sourceCurrency, targetCurrency, numerator, denominator, effectiveAt, source, createdBy }) =>
    raw(
      `insert into exchange_rate as r (tenant_id, environment, source_currency, target_currency, numerator, denominator,
                                  effective_at, source, created_by)
       select :tenantId, :environment, :sourceCurrency, :targetCurrency, :numerator, :denominator,
              coalesce(:effectiveAt::timestamptz, scope_now(:tenantId, :environment)), :source, :createdBy
       where :effectiveAt::timestamptz is null
          or :effectiveAt::timestamptz <= scope_now(:tenantId, :environment) + interval '1 year'
       returning ${columns}`,
      { sourceCurrency, targetCurrency, numerator, denominator, effectiveAt, source, createdBy },
    ),
);

/** Undefined when it would come into force more than a year ahead. */
export async function insertRate(db: Db, scope: Scope, rate: NewRate): Promise<ExchangeRate | undefined> {
  const row = await db.row(insert(scope, rate));
  return row && toRate(row);
}

export interface RateFilters {
  sourceCurrency: string | undefined;
  targetCurrency: string | undefined;
}

const list = listStatement<RateRow, RateFilters & { afterId: string | undefined; count: number }>(
  'exchange_rates_list',
  ({ sourceCurrency, targetCurrency, afterId, count }) => {
    const query = exchangeRate('r').orderBy('r.id').limit(count).select(raw(columns));
    if (sourceCurrency) query.where('r.source_currency', sourceCurrency);
    if (targetCurrency) query.where('r.target_currency', targetCurrency);
    if (afterId) query.where('r.id', '>', afterId);
    return query;
  },
);

/** Rates in order of their ids, which is the order they were recorded in. */
export async function listRates(
  db: Db,
  scope: Scope,
  filters: RateFilters,
  afterId: string | undefined,
  count: number,
): Promise<ExchangeRate[]> {
  return (await db.rows(list(scope, { ...filters, afterId, count }))).map(toRate);
}

export interface RateAt {
  targetCurrency: string;
  id: string;
  numerator: bigint;
  denominator: bigint;
}

const ratesAt = statement<RateAt, { sourceCurrency: string; targetCurrencies: readonly string[]; at: Date }>(
  'exchange_rates_at',
  ({ sourceCurrency, targetCurrencies, at }) =>
    raw(
      `select r.target_currency as "targetCurrency", r.id, r.numerator, r.denominator
   from unnest(:targetCurrencies::text[]) target(currency)
   cross join lateral (
     select x.target_currency, x.id, x.numerator, x.denominator from exchange_rate x
     where ${ofTenant('x')} and x.source_currency = :sourceCurrency and x.target_currency = target.currency
       and x.effective_at <= :at
     order by x.effective_at desc, x.id desc limit 1) r`,
      { sourceCurrency, targetCurrencies, at },
    ),
);

/** Of each target the latest rate in force at an instant; a target without one is left out. */
export function findRatesAt(
  db: Db,
  scope: Scope,
  sourceCurrency: string,
  targetCurrencies: readonly string[],
  at: Date,
): Promise<RateAt[]> {
  return db.rows(ratesAt(scope, { sourceCurrency, targetCurrencies, at }));
}
