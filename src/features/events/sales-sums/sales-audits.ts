/** What the doctor asks of the sums of sales. */

import { sameTenant } from '../../../db/tenant-condition.ts';
import type { Audit } from '../../../doctor/audit.ts';
import { netSaleText, salePartText, takenBackText } from './sale-sql.ts';

const net = netSaleText('e', 'coalesce(back.minor, 0)');

export const salesAudits: readonly Audit[] = [
  {
    // In the zone of the sums, whatever the tenant's is now. Those that are not ready are read by nobody.
    id: 'R-2',
    title: 'the sums of sales with what waits to be folded equal the purchases less what was taken back',
    sql: `with state as materialized (
            select tenant_id, environment, time_zone from rollup_state where rollup = 'sales' and ready),
          back as (
            select r.tenant_id, r.environment, r.purchase_id, sum(${takenBackText('r', (other) => sameTenant(other, 'r'))}) as minor
            from state join event r using (tenant_id, environment) where r.purchase_id is not null group by 1, 2, 3),
          part as (
            select e.tenant_id, e.environment, e.attributed_member_id as member_id, e.currency, ${salePartText('e')} as part,
                   (e.occurred_at at time zone state.time_zone)::date as day,
                   ${net.baseMinor} as base, ${net.amountMinor} as amount, ${net.sales} as sales
            from state join event e using (tenant_id, environment)
            left join back on ${sameTenant('back', 'e')} and back.purchase_id = e.id
            where e.kind = 'purchase' and e.attributed_member_id is not null
            union all
            select p.tenant_id, p.environment, p.member_id, p.currency, p.part, (p.occurred_at at time zone state.time_zone)::date,
                   -p.base_minor, -p.amount_minor, -p.sales
            from state join sales_pending p using (tenant_id, environment)),
          difference as (
            select tenant_id, environment, member_id, currency, part, g.grain,
                   case g.grain when 'year' then date_trunc('year', day::timestamp)::date else day end as bucket, base, amount, sales
            from part cross join (values ('day'), ('year')) g(grain)
            union all
            select tenant_id, environment, member_id, currency, part, 'day', day, -base_minor, -amount_minor, -sales
            from state join sales_day using (tenant_id, environment)
            union all
            select tenant_id, environment, member_id, currency, part, 'year', make_date(year, 1, 1), -base_minor, -amount_minor, -sales
            from state join sales_year using (tenant_id, environment))
          select tenant_id, environment, member_id, currency, part, grain, bucket::text, sum(base)::text as base_missing,
                 sum(amount)::text as amount_missing, sum(sales)::text as sales_missing
          from difference group by 1, 2, 3, 4, 5, 6, 7 having sum(base) <> 0 or sum(amount) <> 0 or sum(sales) <> 0`,
  },
];
