/** Members: who they are to the tenant, under whom they stand, and what they were before. */
import { defineFeature } from '../../house/feature.ts';
import type { GroupsOffers } from '../groups/groups-feature.ts';
import type { MailOffers } from '../mail/mail-feature.ts';
import type { ReferralsOffers } from '../referrals/referrals-feature.ts';
import { createChangesService } from './changes-service.ts';
import { groupMovesRoutes } from './group-routes.ts';
import { createGroupMovesService } from './group-service.ts';
import { usersErrors } from './open/users-errors.ts';
import { sponsorRoutes } from './sponsor-routes.ts';
import { createSponsorService } from './sponsor-service.ts';
import { usersAudits } from './users-audits.ts';
import { usersEvents } from './users-events.ts';
import { usersPersonal } from './users-personal.ts';
import { usersRoutes } from './users-routes.ts';
import { createUsersService } from './users-service.ts';

export const usersFeature = defineFeature({
  name: 'users',
  errors: usersErrors,
  constraints: {
    member_email_key: { error: usersErrors.EMAIL_EXISTS, message: 'A member with this email already exists' },
    member_external_id_key: { error: usersErrors.EXTERNAL_ID_EXISTS, message: 'A member with this external_id already exists' },
  },
  events: usersEvents,
  audits: usersAudits,
  personal: usersPersonal,
  scopes: { 'users:read': 'Read members and their status', 'users:write': 'Create and change members' },
  groups: { Users: 'Members and their sponsors' },
  faultPoints: ['member:written'],
  growsWith: 'members',
  tables: [
    'member_tier_history',
    'member_activity_history',
    'member_sponsor_history',
    'member_group_history',
    'member_standing_history',
    'member_former_email',
    'member',
  ],
  open({ frames, cursors }, { referrals, mail, groups }: { referrals: ReferralsOffers; mail: MailOffers; groups: GroupsOffers }) {
    const users = createUsersService({ frames, cursors, clickIds: referrals.clickIds, groups });
    const changes = createChangesService({ frames, users, namingHolder: users.namingHolder, mail, groups });
    const sponsors = createSponsorService({ frames });
    const moves = createGroupMovesService({ frames, cursors, groups });
    return { offers: users, routes: [...usersRoutes(users, changes), ...sponsorRoutes(sponsors), ...groupMovesRoutes(moves)] };
  },
});
