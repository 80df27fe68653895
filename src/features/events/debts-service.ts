/** What members owe, as other features may guard it: nothing is forgiven or clawed back meanwhile. */
import type { Db, Scope } from '../../db/frame.ts';
import { debtKey, lockInOrder } from './plan-limits-queries.ts';

export interface DebtLocks {
  /** Held to the end of the transaction; taken behind the locks on lines, as refunds do. */
  lock(db: Db, scope: Scope, owed: readonly { memberId: string; currency: string }[]): Promise<void>;
}

export const debtLocks: DebtLocks = {
  lock: (db, scope, owed) =>
    lockInOrder(
      db,
      scope,
      owed.map(({ memberId, currency }) => debtKey(memberId, currency)),
    ),
};
