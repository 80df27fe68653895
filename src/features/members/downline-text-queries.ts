/**
 * The part of the summaries' statements that counts a member's downline: folded, and not yet folded.
 * Parameters: $1 tenant, $2 environment, $3 member.
 */

/**
 * The CTE `team`: how many `members` there are below, how many of them `direct`, `active`, and how many
 * `joined` in the local month that begins on `month`; null for all. While the counts are kept by the
 * months of another zone than the tenant's, who joined is counted from the tree.
 */
export const teamText = (month: string): string =>
  `month as materialized (
     select d.day, start_of_local_day(d.day, t.reporting_time_zone) as from_at,
            start_of_local_day((d.day + interval '1 month')::date, t.reporting_time_zone) as to_at,
            coalesce(s.time_zone = t.reporting_time_zone, true) as is_folded
     from tenant t
     left join rollup_state s on s.tenant_id = $1 and s.environment = $2 and s.rollup = 'downline'
     cross join lateral (select ${month} as day) d
     where t.id = $1),
   queued as materialized (
     select coalesce(sum(p.delta) filter (where $3 = any (p.ancestor_ids)), 0) as members,
            coalesce(sum(p.sponsor_delta) filter (where p.sponsor_id = $3), 0) as direct,
            coalesce(sum(p.active_delta) filter (where $3 = any (p.ancestor_ids)), 0) as active,
            coalesce(sum(p.delta) filter (where $3 = any (p.ancestor_ids) and p.joined_at >= month.from_at and p.joined_at < month.to_at), 0) as joined
     from month join downline_pending p on p.tenant_id = $1 and p.environment = $2),
   below as (
     with recursive b as (
       select m.id, m.created_at from member m where m.tenant_id = $1 and m.environment = $2 and m.parent_id = $3
       union all
       select m.id, m.created_at from b join member m on m.tenant_id = $1 and m.environment = $2 and m.parent_id = b.id)
     select b.id, b.created_at from b),
   team as materialized (
     select (coalesce(c.total, 0) + q.members)::int as members, (coalesce(c.direct, 0) + q.direct)::int as direct,
            (coalesce(c.active, 0) + q.active)::int as active,
            case when month.day is null then coalesce(c.total, 0) + q.members
                 when month.is_folded then q.joined + coalesce((
                   select j.joined from downline_month j
                   where j.tenant_id = $1 and j.environment = $2 and j.member_id = $3 and j.month = month.day), 0)
                 else (select count(*) from below b where b.created_at >= month.from_at and b.created_at < month.to_at) end::int as joined
     from month cross join queued q
     left join downline_count c on c.tenant_id = $1 and c.environment = $2 and c.member_id = $3)`;
