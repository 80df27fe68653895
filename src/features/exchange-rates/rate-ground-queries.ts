/** What a new exchange rate is judged by, in SQL. */
import { SCOPE_KEY, takeLock } from '../../db/lock-classes.ts';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import type { RateGround, Ratio } from './judge-rate.ts';

/** Small steps must not add up to a large one within so many days. */
const WINDOW = "interval '7 days'";

const lockPair = statement<unknown, { pair: string }>('exchange_rates_lock_pair', ({ pair }) =>
  raw(`select ${takeLock('ratePairs', `${SCOPE_KEY} || ':' || :pair`)}`, { pair }),
);

/** What counted at the beginning of the window, and what came into force in it. */
const countingIn = (source: ':sourceCurrency' | ':targetCurrency', target: ':sourceCurrency' | ':targetCurrency') =>
  `(select x.* from exchange_rate x, instant
    where ${ofTenant('x')} and x.source_currency = ${source} and x.target_currency = ${target}
      and x.effective_at <= instant.at - ${WINDOW}
    order by x.effective_at desc, x.id desc limit 1)
   union all
   (select x.* from exchange_rate x, instant
    where ${ofTenant('x')} and x.source_currency = ${source} and x.target_currency = ${target}
      and x.effective_at > instant.at - ${WINDOW} and x.effective_at <= instant.at)`;

type GroundRow = { backdated: boolean; id: string | null; numerator: bigint; denominator: bigint; latest: boolean };

/**
 * The rate of the pair that counts at the instant, and the lowest and the highest that counted in the days before it. The
 * other way round has a say only where the pair itself has no rate: it may have been left to itself.
 */
const ground = statement<GroundRow, { sourceCurrency: string; targetCurrency: string; effectiveAt: string | null }>(
  'exchange_rates_ground',
  ({ sourceCurrency, targetCurrency, effectiveAt }) =>
    raw(
      `with instant as (
     select c.now, coalesce(:effectiveAt::timestamptz, c.now) as at
     from (select scope_now(:tenantId, :environment) as now) c),
   own as materialized (${countingIn(':sourceCurrency', ':targetCurrency')}),
   turned as materialized (${countingIn(':targetCurrency', ':sourceCurrency')}),
   counting as materialized (
     select id, effective_at, numerator, denominator, numerator::numeric / denominator as value from own
     union all
     select id, effective_at, denominator, numerator, denominator::numeric / numerator from turned where not exists (select from own)),
   latest as (select id from counting order by effective_at desc, id desc limit 1)
   select instant.at < instant.now as backdated, r.id, r.numerator, r.denominator, r.latest
   from instant left join (
     select c.id, c.numerator, c.denominator, c.id = (select id from latest) as latest from counting c
     where c.id in ((select id from latest), (select id from counting order by value, id limit 1),
                    (select id from counting order by value desc, id limit 1))) r on true`,
      { sourceCurrency, targetCurrency, effectiveAt },
    ),
);

export interface ReadGround extends RateGround {
  /** The rate that counts at the instant, of the pair or of the other way round. */
  inForce: (Ratio & { id: string }) | null;
}

/** Behind a lock of the pair, so that of two rates at once the second is judged by the first. */
export async function lockRateGround(
  db: Db,
  scope: Scope,
  rate: { sourceCurrency: string; targetCurrency: string; effectiveAt: string | null },
): Promise<ReadGround> {
  const { sourceCurrency, targetCurrency, effectiveAt } = rate;
  const pair = [sourceCurrency, targetCurrency].toSorted().join(':');
  await db.rows(lockPair(scope, { pair }));
  const rows = await db.rows(ground(scope, { sourceCurrency, targetCurrency, effectiveAt }));
  const references = rows.flatMap(({ id, latest, numerator, denominator }) =>
    id === null ? [] : [{ id, latest, numerator, denominator }],
  );
  const inForce = references.find(({ latest }) => latest);
  return {
    backdated: rows.some(({ backdated }) => backdated),
    references,
    inForce: inForce ? { id: inForce.id, numerator: inForce.numerator, denominator: inForce.denominator } : null,
  };
}
