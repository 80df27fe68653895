/** What a tenant may know of frozen payouts. Source: docs/specification/payouts.md#freeze. */
import type { Frames } from '../../../db/frame.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { type Route, route } from '../../../http/route.ts';
import { PAYMENT_DEFAULTS } from '../settings/payment-settings.ts';
import { paymentSettingsStatement } from '../settings/payment-settings-queries.ts';
import { explainFreeze } from './freeze.ts';
import { getPayoutFreeze } from './freeze-operations.ts';
import { findFreeze } from './freeze-queries.ts';
import { countUnanswered } from './reconcile-queries.ts';
import { readState } from './state-queries.ts';

export function payoutFreezeRoutes({ frames }: { frames: Frames }): Route[] {
  async function read(db: Db, scope: Scope) {
    const [freeze, unanswered] = await Promise.all([findFreeze(db), countUnanswered(db, scope)]);
    if (!freeze) {
      return { frozen: false, reason: null, message: null, vendor: 'none', bank: 'none', unanswered, accepted: 0 } as const;
    }
    const [state, settings = PAYMENT_DEFAULTS] = await Promise.all([
      readState(db, scope, freeze.freezeId),
      db.row(paymentSettingsStatement(scope)),
    ]);
    const stands = (concerned: boolean, done: boolean) => (concerned ? (done ? 'matched' : 'open') : 'none');
    return {
      frozen: true,
      reason: freeze.reason,
      message: explainFreeze(freeze),
      vendor: stands(settings.secretKeySealed !== null, state.vendorDone),
      // Of test data no bank knows anything.
      bank: stands(scope.environment === 'LIVE' && state.paysByHand, state.bankDone),
      unanswered,
      accepted: state.accepted.length,
    } as const;
  }

  return [route(getPayoutFreeze, ({ scope }) => frames.read(scope, (db) => read(db, scope)))];
}
