/** Member summaries. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import type { Scope } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { RequestContext } from '../../http/operation.ts';
import { majorSum } from '../../money.ts';
import type { Viewer } from '../genealogy/open/mask-person.ts';
import { breakdownStatement } from './breakdown-queries.ts';
import type { BreakdownAnswer, getCommissionBreakdown, getTaxSummary, TaxSummaryAnswer } from './members-operations.ts';
import { referralStatsStatement } from './referral-stats-queries.ts';
import { summariseBreakdown } from './summarise-breakdown.ts';
import { summariseReferrals, summariseTeam } from './summarise-team.ts';
import { taxSummaryStatement } from './tax-summary-queries.ts';
import type { getReferralStats, getTeamStats, ReferralStatsAnswer, TeamStatsAnswer } from './team-operations.ts';
import { teamStatsStatement } from './team-stats-queries.ts';

type BreakdownQuery = z.output<(typeof getCommissionBreakdown)['query'] & {}>;
type TaxQuery = z.output<(typeof getTaxSummary)['query'] & {}>;
type ReferralsQuery = z.output<(typeof getReferralStats)['query'] & {}>;
type TeamQuery = z.output<(typeof getTeamStats)['query'] & {}>;

/** Of one member and currency; each USER_NOT_FOUND. */
export interface MembersService {
  /** Commissions by the tenant's months or days. */
  readBreakdown(context: RequestContext, memberId: string, query: BreakdownQuery): Promise<BreakdownAnswer>;
  readTaxSummary(context: RequestContext, memberId: string, year: number, query: TaxQuery): Promise<TaxSummaryAnswer>;
  readReferralStats(context: RequestContext, memberId: string, query: ReferralsQuery): Promise<ReferralStatsAnswer>;
  readTeamStats(context: RequestContext, memberId: string, query: TeamQuery): Promise<TeamStatsAnswer>;
}

interface Deps {
  frames: Frames;
  /** Who looks, and what of others it sees. */
  viewerOf(scope: Scope): Promise<Viewer>;
}

export function createMembersService({ frames, viewerOf }: Deps): MembersService {
  return {
    async readBreakdown({ scope }, memberId, { period, currency }) {
      const rows = await frames.readOnce(
        scope,
        breakdownStatement(scope, { memberId, currency: currency ?? null, period: firstDayOf(period) }),
      );
      if (rows.length === 0) throw noSuchMember();
      return summariseBreakdown(rows, period);
    },

    async readTaxSummary({ scope }, memberId, year, { currency: wanted }) {
      const rows = await frames.readOnce(scope, taxSummaryStatement(scope, { memberId, currency: wanted ?? null, year }));
      const [first] = rows;
      if (!first) throw noSuchMember();
      const { currency } = first;
      const paid = rows.reduce((sum, { amount }) => sum + amount, 0n);
      return {
        year,
        ...majorSum('totalPaid', paid, currency),
        ...majorSum('totalPending', first.unpaid, currency),
        taxDocumentsAvailable: first.has_document,
        monthlyBreakdown: rows.map(({ month, amount, count }) => ({
          month,
          ...majorSum('amount', amount, currency),
          transactionCount: count,
        })),
        currency,
        timeZone: first.time_zone,
      };
    },

    async readReferralStats({ scope }, memberId, { currency }) {
      const [viewer, [row]] = await Promise.all([
        viewerOf(scope),
        frames.readOnce(scope, referralStatsStatement(scope, { memberId, currency: currency ?? null })),
      ]);
      if (!row) throw noSuchMember();
      return summariseReferrals(row, viewer);
    },

    async readTeamStats({ scope }, memberId, { period, currency }) {
      const rows = await frames.readOnce(
        scope,
        teamStatsStatement(scope, { memberId, currency: currency ?? null, firstDay: firstDayOf(period) }),
      );
      const [first] = rows;
      if (!first) throw noSuchMember();
      return summariseTeam(first, rows, period);
    },
  };
}

function firstDayOf(period: string): string | null {
  return period === 'all' ? null : `${period}-01`;
}

function noSuchMember(): AppError {
  return new AppError('USER_NOT_FOUND', 'No such member');
}
