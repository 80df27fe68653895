import { camelList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import { listMembers } from './member-list-operations.ts';
import type { MemberListService } from './member-list-service.ts';

export function memberListRoutes(memberList: MemberListService): Route[] {
  return [route(listMembers, ({ query, ...context }) => memberList.list(context, query), camelList())];
}
