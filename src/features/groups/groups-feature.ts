/** Groups of members that plans name, so that each group is paid by its own. */
import { defineFeature } from '../../house/feature.ts';
import { groupsErrors } from './groups-errors.ts';
import { groupsRoutes } from './groups-routes.ts';
import { createGroupsService, type GroupsService } from './groups-service.ts';

export type GroupsOffers = Pick<GroupsService, 'findClosed' | 'listOpen' | 'requireOpen' | 'requireThere'>;

export const groupsFeature = defineFeature({
  name: 'groups',
  errors: groupsErrors,
  constraints: {
    member_group_pkey: { error: groupsErrors.GROUP_EXISTS, message: 'A group with this key already exists' },
  },
  scopes: {
    'groups:read': 'Read groups and who is in them',
    'groups:write': 'Make and archive groups, and move members between them',
  },
  groups: { Groups: 'Groups of members, which plans name' },
  tables: ['member_group'],
  open({ frames, cursors }) {
    const groups = createGroupsService({ frames, cursors });
    const offers: GroupsOffers = groups;
    return { offers, routes: groupsRoutes(groups) };
  },
});
