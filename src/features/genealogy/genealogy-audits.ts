/** What the doctor asks of the counted downlines. */
import { sameTenant } from '../../db/tenant-condition.ts';
import type { Audit } from '../../doctor/audit.ts';

export const genealogyAudits: readonly Audit[] = [
  {
    id: 'I-9',
    title: 'the counted downlines, folded and pending, equal the tree',
    sql: `with recursive zone as (
            select t.id as tenant_id, e.environment, coalesce(r.time_zone, t.reporting_time_zone) as name
            from tenant t cross join (values ('LIVE'), ('SANDBOX')) e(environment)
            left join rollup_state r on r.tenant_id = t.id and r.environment = e.environment and r.rollup = 'downline'),
          pending as (
            select p.tenant_id, p.environment, a.member_id, p.delta, p.active_delta,
                   to_char(p.joined_at at time zone zone.name, 'YYYY-MM') as month
            from downline_pending p join zone using (tenant_id, environment) cross join lateral unnest(p.ancestor_ids) as a(member_id)),
          counted as (
            select tenant_id, environment, member_id, what, sum(n) as n
            from (select tenant_id, environment, member_id, what, n from downline_count
                    cross join lateral (values ('total', total), ('active', active), ('direct', direct)) v(what, n)
                  union all
                  select tenant_id, environment, member_id, to_char(month, 'YYYY-MM'), joined from downline_month
                  union all
                  select tenant_id, environment, member_id, what, n from pending
                    cross join lateral (values ('total', delta), ('active', active_delta)) v(what, n)
                  union all
                  select tenant_id, environment, member_id, month, delta from pending where month is not null
                  union all
                  select tenant_id, environment, sponsor_id, 'direct', sponsor_delta from downline_pending where sponsor_id is not null) x
            group by 1, 2, 3, 4),
          up as (
            select tenant_id, environment, id, parent_id as ancestor_id from member where parent_id is not null
            union -- not all: a cycle must not run for ever
            select up.tenant_id, up.environment, up.id, m.parent_id from up
            join member m on ${sameTenant('m', 'up')} and m.id = up.ancestor_id
            where m.parent_id is not null),
          actual as (
            select tenant_id, environment, up.ancestor_id as member_id, v.what, sum(v.n) as n
            from up join member m using (tenant_id, environment, id) join zone using (tenant_id, environment)
            cross join lateral (values ('total', 1), ('active', m.is_active::int), ('direct', (m.parent_id = up.ancestor_id)::int),
                                       (to_char(m.created_at at time zone zone.name, 'YYYY-MM'), 1)) v(what, n)
            group by 1, 2, 3, 4)
          select tenant_id, environment, member_id, what, counted.n::text as counted, actual.n::text as actual
          from counted full join actual using (tenant_id, environment, member_id, what)
          where coalesce(counted.n, 0) <> coalesce(actual.n, 0)
          union all
          select c.tenant_id, c.environment, c.member_id, 'sponsor', c.parent_id::text, m.parent_id::text
          from downline_count c join member m on ${sameTenant('m', 'c')} and m.id = c.member_id
          where c.parent_id is distinct from m.parent_id`,
  },
];
