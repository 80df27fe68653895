/** A rate that a file brings: agreed as by itself, but for what is said already. */
import type { ActingScope } from '../../actor.ts';
import type { WriteDb } from '../../db/scope.ts';
import { invalidField } from '../../errors.ts';
import type { CommissionsOffers } from '../commissions/commissions-feature.ts';
import type { PendingChangesOffers } from '../pending-changes/pending-changes-feature.ts';
import { type Agreed, prepareAgreement, storeAgreement } from './agree.ts';
import type { OverrideRow } from './open/override-rows.ts';
import { findNamed } from './rates-queries.ts';

/**
 * Inside the caller's transaction, of which nothing is written where it throws: what POST /rate-overrides refuses, and
 * SECOND_PERSON_REQUIRED where that would wait.
 */
export type AgreeRow = (db: WriteDb, scope: ActingScope, row: OverrideRow) => Promise<void>;

interface Deps {
  plans: Pick<CommissionsOffers['plans'], 'isPlan'>;
  refuseToWait: PendingChangesOffers['refuseToWait'];
}

export function createAgreeRow({ plans, refuseToWait }: Deps): AgreeRow {
  return async (db, scope, { terms, named: { column, value } }) => {
    const targetId = column === 'target_id' ? value : await findNamed(db, scope, column, value);
    if (targetId === undefined) throw invalidField(column, `is of no ${terms.target} of this tenant and environment`);
    const agreed = await prepareAgreement(db, scope, { ...terms, targetId }, plans);
    if (isSaid(agreed, terms.validFrom != null)) return;
    const hands = await refuseToWait(db, scope, [agreed.effect], 'POST /rate-overrides');
    await storeAgreement(db, scope, agreed, terms.reason ?? null, hands);
  };
}

/** The same pay counts for the same already: of a row with a start of its own, from that start on. */
function isSaid({ before, effect, validFrom }: Agreed, hasStart: boolean): boolean {
  if (effect.direction !== 'neutral' || !before) return false;
  return !hasStart || before.validFrom.getTime() === validFrom.getTime();
}
