import { camelList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import { addGroupMembers, listGroupMembers, listMemberGroups } from './group-operations.ts';
import type { GroupMember } from './group-queries.ts';
import type { GroupMovesService } from './group-service.ts';

export function groupMovesRoutes(moves: GroupMovesService): Route[] {
  return [
    route(
      addGroupMembers,
      ({ params, body, ...context }) => moves.add(context, params.key, body),
      (moved) => ({ status: 200, body: moved }),
    ),
    route(
      listGroupMembers,
      ({ params, query, ...context }) => moves.list(context, params.key, query),
      camelList((row: GroupMember) => row),
    ),
    route(
      listMemberGroups,
      ({ params, ...context }) => moves.listGroups(context, params.userId),
      (data) => ({ status: 200, body: { data } }),
    ),
  ];
}
