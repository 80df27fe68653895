/** What the page of one member is made of; what the reader's role may not see is absent. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext } from '../../../pages/define-page.ts';
import { monthOf } from '../../../pages/parts/months.ts';
import { listAuditLogs } from '../../audit/audit-log-operations.ts';
import { listCommissions } from '../../commissions/commissions-operations.ts';
import { listEvents } from '../../events/events-operations.ts';
import { listUpline } from '../../genealogy/genealogy-operations.ts';
import { listGroups } from '../../groups/groups-operations.ts';
import { getKyc } from '../../kyc/records/kyc-operations.ts';
import { getMemberBalances } from '../../ledger/ledger-operations.ts';
import { getCommissionBreakdown } from '../../members/members-operations.ts';
import { getTeamStats } from '../../members/team-operations.ts';
import { listPayoutAccounts } from '../../payouts/accounts/payout-accounts-operations.ts';
import { getPayoutHold } from '../../payouts/holds/payout-hold-operations.ts';
import { getProfile } from '../../profile/profile-operations.ts';
import { addGroupMembers } from '../../users/group-operations.ts';
import { getMemberHistory } from '../../users/history-operations.ts';
import { getUser } from '../../users/users-operations.ts';

export interface MemberFacts {
  user: AnswerOf<typeof getUser>;
  profile: AnswerOf<typeof getProfile> | undefined;
  balances: AnswerOf<typeof getMemberBalances>['balances'] | undefined;
  breakdown: AnswerOf<typeof getCommissionBreakdown> | undefined;
  commissions: AnswerOf<typeof listCommissions>['data'] | undefined;
  /** Those credited to the member, the last recorded first. */
  sales: AnswerOf<typeof listEvents>['data'] | undefined;
  team: AnswerOf<typeof getTeamStats> | undefined;
  /** From the sponsor up. */
  upline: AnswerOf<typeof listUpline>['data'] | undefined;
  /** Null where no verification was started. */
  kyc: AnswerOf<typeof getKyc> | null | undefined;
  accounts: AnswerOf<typeof listPayoutAccounts>['accounts'] | undefined;
  hold: AnswerOf<typeof getPayoutHold>['payoutHold'] | undefined;
  history: AnswerOf<typeof getMemberHistory> | undefined;
  audit: AnswerOf<typeof listAuditLogs>['data'] | undefined;
  /** That the member can be moved into, for a reader who may. */
  groups: AnswerOf<typeof listGroups>['data'] | undefined;
}

export const FACTS_NEED = [getUser];
export const FACTS_USE = [
  getProfile,
  getMemberBalances,
  getCommissionBreakdown,
  listCommissions,
  listEvents,
  getTeamStats,
  listUpline,
  getKyc,
  listPayoutAccounts,
  getPayoutHold,
  getMemberHistory,
  listAuditLogs,
  listGroups,
];

/** Throws what the operations answer: USER_NOT_FOUND where there is no such member. */
export async function readMember(page: PageContext, userId: string): Promise<MemberFacts> {
  const params = { userId };
  // Alone and first: of a member that does not exist nothing else is asked.
  const user = await page.invoke(getUser, { params: { user_id: userId } });
  // A few at a time: each has a connection of its own, and others want some too.
  const [profile, money, breakdown, commissions] = await Promise.all([
    page.invokeIfAllowed(getProfile, { params }),
    page.invokeIfAllowed(getMemberBalances, { params }),
    page.invokeIfAllowed(getCommissionBreakdown, { params }),
    page.invokeIfAllowed(listCommissions, { query: { userId, sort: '-createdAt', limit: '10' } }),
  ]);
  const [team, upline, kyc, accounts] = await Promise.all([
    page.invokeIfAllowed(getTeamStats, { params, query: { period: monthOf(page.now, page.tenant.timeZone) } }),
    page.invokeIfAllowed(listUpline, { params, query: { limit: '3' } }),
    page.invokeIfAllowed(getKyc, { params }).catch(nullWhereNotStarted),
    page.invokeIfAllowed(listPayoutAccounts, { params, query: { limit: '20' } }),
  ]);
  const [hold, history, audit, groups, sales] = await Promise.all([
    page.invokeIfAllowed(getPayoutHold, { params }),
    page.invokeIfAllowed(getMemberHistory, { params }),
    // Who reads the entries of verifications alone would be told that nothing was changed.
    page.can('admin:audit')
      ? page.invoke(listAuditLogs, { query: { targetKind: 'member', targetId: userId, limit: '10' } })
      : undefined,
    page.can(addGroupMembers) ? page.invokeIfAllowed(listGroups, { query: { status: 'active', limit: '100' } }) : undefined,
    page.invokeIfAllowed(listEvents, { query: { user_id: userId, kind: 'purchase', sort: '-recorded_at', limit: '5' } }),
  ]);
  return {
    user,
    profile,
    balances: money?.balances,
    breakdown,
    commissions: commissions?.data,
    sales: sales?.data,
    team,
    upline: upline?.data,
    kyc,
    accounts: accounts?.accounts,
    hold: hold?.payoutHold,
    history,
    audit: audit?.data,
    groups: groups?.data,
  };
}

function nullWhereNotStarted(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'NOT_FOUND') return null;
  throw error;
}
