/**
 * The part of the summaries' statements that counts the downline of the member `:memberId`: folded, and not yet folded.
 */
import { ofTenant, theTenant } from '../../db/tenant-condition.ts';
import { memberStep } from '../../db/upline-step-sql.ts';

/**
 * The CTE `team`: how many `members` there are below, how many of them `direct`, `active`, and how many
 * `joined` in the local month that begins on `month`; null for all. While the counts are kept by the
 * months of another zone than the tenant's, who joined is counted from the tree. Test members in LIVE, who are few, are
 * taken off by their present flag; the counts themselves are of the tree and know nothing of it.
 */
export const teamText = (month: string): string =>
  `month as materialized (
     select d.day, start_of_local_day(d.day, t.reporting_time_zone) as from_at,
            start_of_local_day((d.day + interval '1 month')::date, t.reporting_time_zone) as to_at,
            coalesce(s.time_zone = t.reporting_time_zone, true) as is_folded
     from tenant t
     left join rollup_state s on ${ofTenant('s')} and s.rollup = 'downline'
     cross join lateral (select ${month} as day) d
     where ${theTenant('t')}),
   queued as materialized (
     select coalesce(sum(p.delta) filter (where :memberId = any (p.ancestor_ids)), 0) as members,
            coalesce(sum(p.sponsor_delta) filter (where p.sponsor_id = :memberId), 0) as direct,
            coalesce(sum(p.active_delta) filter (where :memberId = any (p.ancestor_ids)), 0) as active,
            coalesce(sum(p.delta) filter (where :memberId = any (p.ancestor_ids) and p.joined_at >= month.from_at and p.joined_at < month.to_at), 0) as joined
     from month join downline_pending p on ${ofTenant('p')}),
   below as (
     with recursive b as (
       select m.id, m.created_at from member m where ${ofTenant('m')} and m.parent_id = :memberId
       union all
       select m.id, m.created_at from b join member m on ${ofTenant('m')} and m.parent_id = b.id)
     select b.id, b.created_at from b),
   tested as materialized (
     select m.id, m.parent_id, m.is_active, m.created_at from member m
     where ${ofTenant('m')} and m.is_test_user and :environment = 'LIVE'),
   test_below as materialized (
     with recursive up as (
       select t.id as tester, t.parent_id as id from tested t where t.parent_id is not null
       union all
       select up.tester, m.parent_id from up
       ${memberStep('up.id', ['parent_id'])}
       where up.id <> :memberId and m.parent_id is not null)
     select count(*) as members, count(*) filter (where t.parent_id = :memberId) as direct,
            count(*) filter (where t.is_active) as active,
            count(*) filter (where month.day is null or (t.created_at >= month.from_at and t.created_at < month.to_at)) as joined
     from month cross join tested t where t.id in (select up.tester from up where up.id = :memberId)),
   team as materialized (
     select (coalesce(c.total, 0) + q.members - x.members)::int as members, (coalesce(c.direct, 0) + q.direct - x.direct)::int as direct,
            (coalesce(c.active, 0) + q.active - x.active)::int as active,
            (case when month.day is null then coalesce(c.total, 0) + q.members
                 when month.is_folded then q.joined + coalesce((
                   select j.joined from downline_month j
                   where ${ofTenant('j')} and j.member_id = :memberId and j.month = month.day), 0)
                 else (select count(*) from below b where b.created_at >= month.from_at and b.created_at < month.to_at) end - x.joined)::int as joined
     from month cross join queued q cross join test_below x
     left join downline_count c on ${ofTenant('c')} and c.member_id = :memberId)`;
