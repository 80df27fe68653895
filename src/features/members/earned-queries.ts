/**
 * Parts of the summaries' statements: whose they are, and what the member earned. Parameters of both: `:memberId`, and
 * `:currency`, null for the tenant's.
 */
import { ofTenant } from '../../db/tenant-condition.ts';

/**
 * The CTE `who`: the member, the currency and zone of the answer, and the local days from one up to
 * another that it is about. No row: no such member. `is_folded` is false while the tenant reports in
 * another zone than the rollups fall into buckets by.
 */
export const whoText = (fromDay: string, toDay: string): string =>
  `who as materialized (
     select m.id, m.is_test_user and :environment = 'LIVE' as is_test, coalesce(:currency, t.default_currency) as currency, t.reporting_time_zone as zone,
            coalesce(s.time_zone = t.reporting_time_zone, true) as is_folded, d.from_day, d.to_day,
            start_of_local_day(d.from_day, t.reporting_time_zone) as from_at, start_of_local_day(d.to_day, t.reporting_time_zone) as to_at
     from member m join tenant t on t.id = m.tenant_id
     left join rollup_state s on ${ofTenant('s')} and s.rollup = 'commissions'
     cross join (select ${fromDay} as from_day, ${toDay} as to_day) d
     where ${ofTenant('m')} and m.id = :memberId)`;

/** All days there are. */
export const ALWAYS = ["'-infinity'::date", "'infinity'::date"] as const;

/** From the first day of a month, or of all months when the expression is null. */
export const monthOf = (firstDay: string) =>
  [`coalesce(${firstDay}, '-infinity')`, `coalesce((${firstDay} + interval '1 month')::date, 'infinity')`] as const;

const whose = (alias: string, member: string): string =>
  `${ofTenant(alias)} and ${alias}.${member} = :memberId and ${alias}.currency = (select w.currency from who w)`;

const within = (alias: string): string =>
  `${alias}.occurred_at >= (select w.from_at from who w) and ${alias}.occurred_at < (select w.to_at from who w)`;

const localDay = (alias: string): string => `(${alias}.occurred_at at time zone (select w.zone from who w))::date`;

/**
 * What `who` earned, as (day, source, status, level, amount_minor, lines) to be summed up: folded, and
 * not yet folded; or, while nothing folded fits, the lines themselves. The scalar conditions are tested
 * once and keep the other branch from running. A month's `day` is its first or any other.
 */
export const earnedText = (grain: string): string =>
  `select r.bucket as day, r.source, r.status, r.level, r.amount_minor, r.lines from commission_rollup r
   where (select w.is_folded from who w) and ${whose('r', 'member_id')} and r.grain = ${grain}
     and r.bucket >= (select w.from_day from who w) and r.bucket < (select w.to_day from who w)
   union all
   select ${localDay('p')}, p.source, p.status, p.level, p.amount_minor, p.lines from commission_pending p
   where (select w.is_folded from who w) and ${whose('p', 'member_id')} and ${within('p')}
   union all
   select ${localDay('l')}, l.source, case l.status when 'held' then 'pending' else l.status end, l.level, l.amount_minor, 1
   from commission_line l
   where not (select w.is_folded from who w) and ${whose('l', 'beneficiary_id')} and ${within('l')} and l.status <> 'reversed'`;
