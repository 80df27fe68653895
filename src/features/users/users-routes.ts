import { snakeList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import { majorSum } from '../../money.ts';
import type { ChangesService } from './changes-service.ts';
import { getMemberHistory } from './history-operations.ts';
import type { Member } from './open/member.ts';
import { memberBody } from './open/member-resource.ts';
import { createUser, getUser, getUserStatus, listUsers, putUser, updateUser } from './users-operations.ts';
import type { MemberStatus } from './users-queries.ts';
import type { UsersService } from './users-service.ts';

export function usersRoutes(users: UsersService, changes: ChangesService): Route[] {
  return [
    route(
      getUserStatus,
      ({ query, ...context }) => users.readStatus(context, query.user_id),
      (status) => ({
        status: 200,
        body: statusBody(status),
      }),
    ),
    route(
      createUser,
      ({ body, ...context }) => users.createMember(context, body),
      (member) => ({
        status: 201,
        body: memberBody(member),
        headers: locationOf(member),
      }),
    ),
    route(
      getUser,
      ({ params, ...context }) => users.readMember(context, params.user_id),
      (member) => ({ status: 200, body: memberBody(member) }),
    ),
    route(
      putUser,
      ({ params, body, ...context }) => changes.putMember(context, params.external_id, body),
      ({ member, created }) => ({
        status: created ? 201 : 200,
        body: memberBody(member),
        ...(created && { headers: locationOf(member) }),
      }),
    ),
    route(listUsers, ({ query, ...context }) => users.listMembers(context, query), snakeList(memberBody)),
    route(
      updateUser,
      ({ params, body, ...context }) => changes.updateMember(context, params.user_id, body),
      (member) => ({
        status: 200,
        body: memberBody(member),
      }),
    ),
    route(getMemberHistory, ({ params, ...context }) => users.readHistory(context, params.userId)),
  ];
}

function locationOf({ id }: Member): Record<string, string> {
  return { Location: `/api/v1/users/${id}` };
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
      ...majorSum('pending', pendingMinor, currency),
      ...majorSum('cleared', clearedMinor, currency),
      ...majorSum('paid', paidMinor, currency),
      ...majorSum('total', pendingMinor + clearedMinor + processingMinor + paidMinor, currency),
    },
    currency,
  };
}
