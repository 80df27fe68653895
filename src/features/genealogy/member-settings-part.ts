/** How members see each other, as a tenant's settings show and change it. Source: docs/specification/hierarchy.md#visibility. */
import { z } from 'zod';
import { declareSettings, type SettingsPart } from '../../house/settings.ts';
import { DOWNLINE_VISIBILITIES, type DownlineVisibility } from './open/mask-person.ts';
import { storeVisibility, visibilityStatement } from './visibility-queries.ts';

export const DEFAULT_VISIBILITY: DownlineVisibility = 'masked';

const downlineVisibility = z.enum(DOWNLINE_VISIBILITIES).meta({
  description:
    'What bearer tokens see of other members in trees, lists, relationships and statistics: `masked`, the first name and an initial and no email; `full`; `counts`, numbers alone. Keys see all',
});

const shown = z.object({ downlineVisibility }).meta({ id: 'MemberSettings', description: "Of the key's environment alone" });

const patch = z
  .strictObject({ downlineVisibility: downlineVisibility.optional() })
  .meta({ example: { downlineVisibility: 'full' } });

/** The more members see of each other, the wider. */
const WIDTH: Record<DownlineVisibility, number> = { counts: 0, masked: 1, full: 2 };

export const memberSettingsDeclaration = declareSettings({
  name: 'members',
  shown,
  patch,
  hands: { downlineVisibility: (before, after) => (WIDTH[after] > WIDTH[before] ? 'weakens' : 'tightens') },
});

export function createMemberSettingsPart(): SettingsPart<z.output<typeof shown>, z.output<typeof patch>> {
  return {
    async read(db, scope) {
      return (await db.row(visibilityStatement(scope))) ?? { downlineVisibility: DEFAULT_VISIBILITY };
    },

    refuse() {
      // Whatever has the form can be used.
    },

    async plan(db, scope, { downlineVisibility }) {
      const before = (await db.row(visibilityStatement(scope)))?.downlineVisibility ?? DEFAULT_VISIBILITY;
      const after = downlineVisibility ?? before;
      return {
        changes: after === before ? [] : [{ field: 'members.downlineVisibility', from: before, to: after }],
        async store() {
          await storeVisibility(db, scope, after);
          return { downlineVisibility: after };
        },
      };
    },
  };
}
