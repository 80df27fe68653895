/** Changes that weaken a safeguard and wait for another pair of hands. */
import { defineFeature } from '../../house/feature.ts';
import type { TwoHandsOffers } from '../two-hands/two-hands-feature.ts';
import { type ConfirmChange, createConfirmChange } from './confirm-change.ts';
import { createExpirePendingChanges } from './expire-pending-changes.ts';
import { pendingChangesErrors } from './open/pending-changes-errors.ts';
import { pendingChangesCommands } from './pending-changes-commands.ts';
import { pendingChangesPersonal } from './pending-changes-personal.ts';
import { pendingChangesRoutes } from './pending-changes-routes.ts';
import { createPendingChangesService, EXPIRE, type PendingChangesService } from './pending-changes-service.ts';

export interface PendingChangesOffers extends Pick<PendingChangesService, 'holdBack' | 'refuseToWait'> {
  /** For the operator's commands. */
  changes: Pick<PendingChangesService, 'list' | 'reject'> & { confirm: ConfirmChange };
}

export const pendingChangesFeature = defineFeature({
  name: 'pending-changes',
  errors: pendingChangesErrors,
  commands: pendingChangesCommands,
  personal: pendingChangesPersonal,
  sealed: [{ kind: 'for a time', table: 'pending_change', column: 'request_sealed' }],
  tables: ['pending_change_field', 'pending_change'],
  // Nothing waits in a SANDBOX.
  kept: ['pending_change_field', 'pending_change'],
  due: { [EXPIRE]: [{ table: 'pending_change', where: "status = 'open'", at: 'expires_at', clock: 'database' }] },
  open({ frames, cursors, cipher, house }, { twoHands }: { twoHands: TwoHandsOffers }) {
    const deps = { frames, cipher, house, twoHands };
    const changes = createPendingChangesService({ ...deps, cursors });
    const confirm = createConfirmChange(deps);
    return {
      offers: {
        holdBack: changes.holdBack,
        refuseToWait: changes.refuseToWait,
        changes: { list: changes.list, reject: changes.reject, confirm },
      } satisfies PendingChangesOffers,
      routes: pendingChangesRoutes(changes, confirm),
      sweeps: [createExpirePendingChanges(changes)],
    };
  },
});
