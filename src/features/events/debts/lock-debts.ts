/** What members owe, locked so that nothing is forgiven or clawed back meanwhile. */
import type { Db, Scope } from '../../../db/scope.ts';
import { debtKey, lockInOrder } from '../purchases/plan-limits-queries.ts';

/** Held to the end of the transaction; taken behind the locks on lines, as refunds do. */
export function lockDebts(db: Db, scope: Scope, owed: readonly { memberId: string; currency: string }[]): Promise<void> {
  return lockInOrder(
    db,
    scope,
    owed.map(({ memberId, currency }) => debtKey(memberId, currency)),
  );
}
