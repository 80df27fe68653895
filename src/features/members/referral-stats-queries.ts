/** The referral statistics in SQL. */
import { raw, statement } from '../../db/query.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { teamText } from './downline-text-queries.ts';
import { ALWAYS, earnedText, whoText } from './earned-queries.ts';

export interface PerformerRow {
  id: string;
  email: string;
  name: string | null;
  given_name: string | null;
  surname: string | null;
  /** Minor units as text: a JSON number is a double. */
  amount: string;
  recruits: number;
}

export interface ReferralStatsRow {
  currency: string;
  time_zone: string;
  members: number;
  direct: number;
  joined: number;
  leads: bigint;
  converted: bigint;
  earned: bigint;
  performers: PerformerRow[] | null;
}

const TOP = 10;

const WHOSE = `${ofTenant('g')} and g.member_id = :memberId and g.currency = (select w.currency from who w)`;

/** The recruit by the name of `id`, if it still is one. */
const recruit = (id: string): string =>
  `cross join lateral (
         select m.email, m.name from member m
         where ${ofTenant('m')} and m.id = ${id} and m.parent_id = :memberId and not (m.is_test_user and :environment = 'LIVE') offset 0) m`;

/** Present recruits with an amount on one side of zero, the best first; as many as `count`. */
const ranked = (side: string, count: string): string =>
  `select x.id, x.amount_minor, x.email, x.name
     from (
       (select g.leg_id as id, g.amount_minor, m.email, m.name from commission_leg g ${recruit('g.leg_id')}
        where ${WHOSE} and g.amount_minor ${side} and g.leg_id not in (select f.leg_id from fresh f)
        order by g.amount_minor desc, g.leg_id limit ${TOP})
       union all
       select f.leg_id, f.amount_minor, m.email, m.name from fresh f ${recruit('f.leg_id')}
       where f.amount_minor ${side}) x
     order by x.amount_minor desc, x.id limit ${count}`;

/**
 * One row, or none: no such member. The best recruits come from an index of their legs, save those that
 * have something not yet folded, which are ranked beside them; and only what is missing of ten is looked
 * for among recruits that earned nothing. So a member's recruits are not all read.
 */
export const referralStatsStatement = statement<ReferralStatsRow, { memberId: string; currency: string | null }>(
  'members_referral_stats',
  ({ memberId, currency }) =>
    raw(
      `with ${whoText(...ALWAYS)},
   earned as (${earnedText("'month'")}),
   ${teamText("date_trunc('month', scope_now(:tenantId, :environment) at time zone t.reporting_time_zone)::date")},
   credited as materialized (
     select count(*) as leads, count(*) filter (where l.conversion_status = 'converted') as converted from lead l
     where ${ofTenant('l')} and l.referrer_user_id = :memberId
       and (l.converted_member_id is null or l.converted_member_id not in (select t.id from tested t))),
   queued_leg as materialized (
     select p.leg_id, sum(p.amount_minor) as amount_minor from commission_pending p
     where ${ofTenant('p')} and p.member_id = :memberId and p.currency = (select w.currency from who w)
       and p.leg_id is not null
     group by p.leg_id),
   fresh as materialized (
     select q.leg_id, (q.amount_minor + coalesce(g.amount_minor, 0))::bigint as amount_minor
     from queued_leg q
     left join lateral (
       select g.amount_minor from commission_leg g where ${WHOSE} and g.leg_id = q.leg_id offset 0) g on true),
   best as materialized (${ranked('> 0', `${TOP}`)}),
   idle as materialized (
     select m.id, 0::bigint as amount_minor, m.email, m.name from member m
     where ${ofTenant('m')} and m.parent_id = :memberId and not (m.is_test_user and :environment = 'LIVE')
       and m.id not in (
         select g.leg_id from commission_leg g
         where ${WHOSE} and g.amount_minor <> 0 and g.leg_id not in (select f.leg_id from fresh f)
         union all
         select f.leg_id from fresh f where f.amount_minor <> 0)
     order by m.id limit ${TOP} - (select count(*) from best)),
   worst as materialized (
     ${ranked('< 0', `${TOP} - (select count(*) from best) - (select count(*) from idle)`)}),
   performer as materialized (select * from best union all select * from idle union all select * from worst),
   queued_direct as (
     select p.sponsor_id, sum(p.sponsor_delta) as direct from downline_pending p
     where ${ofTenant('p')} and p.sponsor_id = any (array(select r.id from performer r))
     group by p.sponsor_id),
   listed as (
     select json_agg(json_build_object('id', r.id, 'email', r.email, 'name', r.name, 'given_name', f.given_name,
                                       'surname', f.surname, 'amount', r.amount_minor::text,
                                       'recruits', coalesce(c.direct, 0) + coalesce(q.direct, 0)
                                         - (select count(*) from tested t where t.parent_id = r.id))
                     order by r.amount_minor desc, r.id) as performers
     from performer r
     left join lateral (
       select c.direct from downline_count c
       where ${ofTenant('c')} and c.member_id = r.id offset 0) c on true
     left join lateral (
       select f.given_name, f.surname from member_profile f
       where ${ofTenant('f')} and f.member_id = r.id offset 0) f on true
     left join queued_direct q on q.sponsor_id = r.id)
   select who.currency, who.zone as time_zone, team.members, team.direct, team.joined, credited.leads, credited.converted,
          (select coalesce(sum(e.amount_minor), 0) from earned e where e.level >= 2)::bigint as earned, listed.performers
   from who cross join team cross join credited cross join listed`,
      { memberId, currency },
    ),
);
