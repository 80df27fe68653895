import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { toMajorNumber } from '../../money.ts';
import { getMemberHistory } from './history-operations.ts';
import { memberBody } from './member-resource.ts';
import { createUser, getUserStatus, listUsers, updateUser } from './users-operations.ts';
import type { MemberStatus } from './users-queries.ts';
import type { UsersService } from './users-service.ts';

export function mountUsers(router: Router, mount: Mount, users: UsersService): void {
  mount(
    router,
    getUserStatus,
    ({ query, ...context }) => users.readStatus(context, query.user_id),
    (status) => ({
      status: 200,
      body: statusBody(status),
    }),
  );
  mount(
    router,
    createUser,
    ({ body, ...context }) => users.createMember(context, body),
    (member) => ({
      status: 201,
      body: memberBody(member),
      headers: { Location: `/api/v1/users/status?user_id=${member.id}` },
    }),
  );
  mount(
    router,
    listUsers,
    ({ query, ...context }) => users.listMembers(context, query),
    ({ rows, nextCursor }) => ({
      status: 200,
      body: { data: rows.map(memberBody), has_more: nextCursor !== null, next_cursor: nextCursor },
    }),
  );
  mount(
    router,
    updateUser,
    ({ params, body, ...context }) => users.updateMember(context, params.user_id, body),
    (member) => ({
      status: 200,
      body: memberBody(member),
    }),
  );
  mount(router, getMemberHistory, ({ params, ...context }) => users.readHistory(context, params.userId));
}

function statusBody(status: MemberStatus) {
  const { currency, pendingMinor, clearedMinor, processingMinor, paidMinor } = status;
  return {
    user_id: status.userId,
    email: status.email,
    membership_tier: status.membershipTier,
    is_active: status.isActive,
    can_recruit: status.canRecruit,
    commission_balance: {
      pending: toMajorNumber(pendingMinor, currency),
      cleared: toMajorNumber(clearedMinor, currency),
      paid: toMajorNumber(paidMinor, currency),
      total: toMajorNumber(pendingMinor + clearedMinor + processingMinor + paidMinor, currency),
    },
    currency,
  };
}
