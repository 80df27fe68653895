import { type Route, route } from '../../http/route.ts';
import { getCommissionBreakdown, getTaxSummary } from './members-operations.ts';
import type { MembersService } from './members-service.ts';
import { getReferralStats, getTeamStats } from './team-operations.ts';

export function membersRoutes(members: MembersService): Route[] {
  return [
    route(getCommissionBreakdown, ({ params, query, ...context }) => members.readBreakdown(context, params.userId, query)),
    route(getTaxSummary, ({ params, query, ...context }) => members.readTaxSummary(context, params.userId, params.year, query)),
    route(getReferralStats, ({ params, query, ...context }) => members.readReferralStats(context, params.userId, query)),
    route(getTeamStats, ({ params, query, ...context }) => members.readTeamStats(context, params.userId, query)),
  ];
}
