import { camelList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import { archiveGroup, createGroup, getGroup, listGroups, updateGroup } from './groups-operations.ts';
import type { Group } from './groups-queries.ts';
import type { GroupsService } from './groups-service.ts';

export function groupsRoutes(groups: GroupsService): Route[] {
  const ok = (group: Group) => ({ status: 200 as const, body: group });
  return [
    route(
      createGroup,
      ({ body, ...context }) => groups.create(context, body),
      (group) => ({ status: 201, body: group, headers: { Location: `/api/v1/groups/${group.key}` } }),
    ),
    route(
      listGroups,
      ({ query, ...context }) => groups.list(context, query),
      camelList((group: Group) => group),
    ),
    route(getGroup, ({ params, ...context }) => groups.read(context, params.key), ok),
    route(updateGroup, ({ params, body, ...context }) => groups.update(context, params.key, body), ok),
    route(archiveGroup, ({ params, ...context }) => groups.archive(context, params.key), ok),
  ];
}
