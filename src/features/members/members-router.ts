import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { getCommissionBreakdown, getTaxSummary } from './members-operations.ts';
import type { MembersService } from './members-service.ts';
import { getReferralStats, getTeamStats } from './team-operations.ts';

export function mountMembers(router: Router, mount: Mount, members: MembersService): void {
  mount(router, getCommissionBreakdown, ({ params, query, ...context }) => members.readBreakdown(context, params.userId, query));
  mount(router, getTaxSummary, ({ params, query, ...context }) =>
    members.readTaxSummary(context, params.userId, params.year, query),
  );
  mount(router, getReferralStats, ({ params, query, ...context }) => members.readReferralStats(context, params.userId, query));
  mount(router, getTeamStats, ({ params, query, ...context }) => members.readTeamStats(context, params.userId, query));
}
