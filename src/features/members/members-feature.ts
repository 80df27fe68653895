/** Summaries of members: earnings, referrals, team and taxes, from rollups by local day and month. */
import { defineFeature } from '../../house/feature.ts';
import type { GenealogyService } from '../genealogy/genealogy-service.ts';
import { rollupsInAnotherZone } from '../genealogy/open/rollup-zones.ts';
import { FOLD_BATCH, foldCommissions } from './fold-commissions.ts';
import { memberListRoutes } from './member-list-routes.ts';
import { createMemberListService } from './member-list-service.ts';
import { membersAudits } from './members-audits.ts';
import { membersCommands } from './members-commands.ts';
import { membersRoutes } from './members-routes.ts';
import { createMembersService } from './members-service.ts';

export const membersFeature = defineFeature({
  name: 'members',
  commands: membersCommands,
  audits: membersAudits,
  scopes: {
    'members:read': 'Read summaries, the tree and profiles',
    'members:write': 'Change profiles and sponsors',
  },
  groups: {
    'Member summaries': "What a member's own pages show: team, commissions, referrals, taxes",
    Members: 'Search of members, and what is done to one',
  },
  growsWith: 'lines',
  tables: ['commission_pending', 'commission_rollup', 'commission_leg', 'commission_total'],
  due: { 'fold-commissions': [{ table: 'commission_pending' }, { select: rollupsInAnotherZone('commissions') }] },
  open({ frames, cursors }, { genealogy }: { genealogy: GenealogyService }) {
    return {
      offers: {},
      routes: [
        ...membersRoutes(createMembersService({ frames, viewerOf: genealogy.viewerOf })),
        ...memberListRoutes(createMemberListService({ frames, cursors })),
      ],
      sweeps: [{ name: 'fold-commissions', batchSize: FOLD_BATCH, last: true, run: foldCommissions }],
    };
  },
});
