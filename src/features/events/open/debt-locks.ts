/** What members owe, as other features may guard it: nothing is forgiven or clawed back meanwhile. */
import type { Db, Scope } from '../../../db/scope.ts';

export interface DebtLocks {
  /** Held to the end of the transaction; taken behind the locks on lines, as refunds do. */
  lock(db: Db, scope: Scope, owed: readonly { memberId: string; currency: string }[]): Promise<void>;
}
