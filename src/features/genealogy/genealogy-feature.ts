/** The member tree as it is read: downline, upline, relationship, and the counts they go by. */
import { defineFeature } from '../../house/feature.ts';
import { createChildrenService } from './children-service.ts';
import { createDownlineService } from './downline-service.ts';
import { DOWNLINE_BATCH, foldDownline } from './fold-downline.ts';
import { genealogyAudits } from './genealogy-audits.ts';
import { genealogyCommands } from './genealogy-commands.ts';
import { genealogyRoutes } from './genealogy-routes.ts';
import { createGenealogyService } from './genealogy-service.ts';
import { createMemberSettingsPart, memberSettingsDeclaration } from './member-settings-part.ts';
import { rollupsInAnotherZone } from './open/rollup-zones.ts';

export const genealogyFeature = defineFeature({
  name: 'genealogy',
  commands: genealogyCommands,
  audits: genealogyAudits,
  settings: memberSettingsDeclaration,
  growsWith: 'members',
  tables: ['downline_pending', 'downline_count', 'downline_month', 'rollup_state', 'member_settings'],
  kept: ['member_settings'],
  due: { 'fold-downline': [{ table: 'downline_pending' }, { select: rollupsInAnotherZone('downline') }] },
  open({ frames, cursors }) {
    const genealogy = createGenealogyService({ frames, cursors });
    return {
      offers: genealogy,
      settings: createMemberSettingsPart(),
      routes: genealogyRoutes(
        genealogy,
        createDownlineService({ frames, cursors, viewerOf: genealogy.viewerOf }),
        createChildrenService({ frames, cursors, viewerOf: genealogy.viewerOf }),
      ),
      sweeps: [{ name: 'fold-downline', batchSize: DOWNLINE_BATCH, last: true, run: foldDownline }],
    };
  },
});
