/** The team statistics in SQL. */
import { raw, statement } from '../../db/query.ts';
import { teamText } from './downline-text-queries.ts';
import { earnedText, monthOf, whoText } from './earned-queries.ts';

export interface TeamStatsRow {
  currency: string;
  time_zone: string;
  members: number;
  direct: number;
  active: number;
  joined: number;
  /** Null, like what follows, on the one row of a member without commissions of its downline's sales. */
  level: number | null;
  amount: bigint;
  count: number;
}

/** A row a level, or none: no such member. `firstDay` is that of the month, or null for all. */
export const teamStatsStatement = statement<TeamStatsRow, { memberId: string; currency: string | null; firstDay: string | null }>(
  'members_team_stats',
  ({ memberId, currency, firstDay }) =>
    raw(
      `with ${whoText(...monthOf(':firstDay::date'))},
   earned as (${earnedText("'month'")}),
   ${teamText(':firstDay::date')},
   levels as (
     select e.level, sum(e.amount_minor)::bigint as amount, sum(e.lines)::int as count from earned e
     where e.level >= 2 group by e.level having sum(e.lines) <> 0)
   select who.currency, who.zone as time_zone, team.members, team.direct, team.active, team.joined, l.level, l.amount, l.count
   from who cross join team left join levels l on true
   order by l.level`,
      { memberId, currency, firstDay },
    ),
);
