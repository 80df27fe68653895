/** From rows to the summaries of a member's downline: pure calculations. */
import { divideRoundHalfUp, majorSum } from '../../money.ts';
import { maskFor, type Viewer } from '../genealogy/open/mask-person.ts';
import type { ReferralStatsRow } from './referral-stats-queries.ts';
import type { ReferralStatsAnswer, TeamStatsAnswer } from './team-operations.ts';
import type { TeamStatsRow } from './team-stats-queries.ts';

export function summariseReferrals(row: ReferralStatsRow, viewer: Viewer): ReferralStatsAnswer {
  const { currency, leads, converted } = row;
  const performers = viewer.visibility === 'counts' ? [] : (row.performers ?? []);
  return {
    totalReferrals: row.members,
    directReferrals: row.direct,
    referralsThisMonth: row.joined,
    conversionRate: leads === 0n ? 0 : Number(divideRoundHalfUp(10_000n * converted, leads)) / 10_000,
    ...majorSum('totalCommissionFromReferrals', row.earned, currency),
    topPerformers: performers.map(({ id, email, name, given_name: givenName, surname, recruits, amount }) => {
      const { id: userId, ...person } = maskFor(viewer, { id, email, name, givenName, surname });
      return { userId, ...person, referralCount: recruits, ...majorSum('commissionGenerated', BigInt(amount), currency) };
    }),
    currency,
    timeZone: row.time_zone,
  };
}

export function summariseTeam(first: TeamStatsRow, rows: readonly TeamStatsRow[], period: string): TeamStatsAnswer {
  const { currency } = first;
  const levels = rows.flatMap(({ level, amount, count }) => (level === null ? [] : [{ level, amount, count }]));
  return {
    teamSize: first.members,
    directReferrals: first.direct,
    activeMembers: first.active,
    newMembers: first.joined,
    ...majorSum(
      'commission',
      levels.reduce((sum, { amount }) => sum + amount, 0n),
      currency,
    ),
    commissions: levels.reduce((sum, { count }) => sum + count, 0),
    byLevel: levels.map(({ level, amount, count }) => ({ level, ...majorSum('amount', amount, currency), count })),
    period,
    currency,
    timeZone: first.time_zone,
  };
}
