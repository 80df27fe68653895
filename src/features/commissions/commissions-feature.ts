/** Commission plans, and the commissions that they give: clearing, holding, voiding. */
import { defineFeature } from '../../house/feature.ts';
import type { GroupsOffers } from '../groups/groups-feature.ts';
import type { PendingChangesOffers } from '../pending-changes/pending-changes-feature.ts';
import { commissionSettingsDeclaration, createCommissionSettingsPart } from './commission-settings-part.ts';
import { commissionsAudits } from './commissions-audits.ts';
import { commissionsEvents } from './commissions-events.ts';
import { commissionsPersonal } from './commissions-personal.ts';
import { commissionsRoutes } from './commissions-routes.ts';
import { CLEARING_BATCH, type CommissionsService, createCommissionsService } from './commissions-service.ts';
import { changeLineStatuses, lockLinesToTopUp, lockPurchaseLines } from './line-locks-queries.ts';
import { commissionsErrors } from './open/commissions-errors.ts';
import type { LineLocks, PayoutLines } from './open/line-locks.ts';
import { lockPayoutLines, movePayoutLines } from './payout-lines-queries.ts';
import { plansRoutes } from './plans-routes.ts';
import { createPlansService, type PlansService } from './plans-service.ts';

export interface CommissionsOffers {
  commissions: CommissionsService;
  plans: PlansService;
  lines: LineLocks;
  payoutLines: PayoutLines;
}

export const commissionsFeature = defineFeature({
  name: 'commissions',
  errors: commissionsErrors,
  events: commissionsEvents,
  audits: commissionsAudits,
  personal: commissionsPersonal,
  settings: commissionSettingsDeclaration,
  scopes: {
    'commissions:read': 'Read commissions and their explanations',
    'commissions:write': 'Hold, release and void commissions',
    'plans:read': 'Read commission plans',
    'plans:write': 'Draft and publish commission plans',
  },
  groups: {
    Commissions: 'Lines of commissions: read, explained, held, released, voided',
    'Commission plans': 'Versions of the plan that says who is paid what, and quotes by it',
  },
  growsWith: 'lines',
  tables: ['commission_action', 'commission_line', 'commission_plan_version', 'commission_plan', 'commission_settings'],
  kept: ['commission_settings'],
  due: { 'clear-commissions': [{ table: 'commission_line', where: "status = 'pending'", at: 'clears_at', clock: 'scope' }] },
  open(
    { frames, cursors },
    { pendingChanges: { holdBack }, groups }: { pendingChanges: PendingChangesOffers; groups: GroupsOffers },
  ) {
    const plans = createPlansService({ frames, cursors, holdBack, groups });
    const commissions = createCommissionsService({ frames, cursors, parsePlan: plans.parse });
    return {
      offers: {
        commissions,
        plans,
        lines: { lockPurchaseLines, lockLinesToTopUp, changeStatuses: changeLineStatuses },
        payoutLines: { lock: lockPayoutLines, move: movePayoutLines },
      } satisfies CommissionsOffers,
      settings: createCommissionSettingsPart(),
      routes: [...commissionsRoutes(commissions), ...plansRoutes(plans)],
      sweeps: [{ name: 'clear-commissions', batchSize: CLEARING_BATCH, run: commissions.clearDue }],
    };
  },
});
