/** Lines as other features may change them: locked by family, and only in their status. */
import type { Db, Scope } from '../../db/frame.ts';
import { changeLineStatuses, type LockedLine, lockPurchaseLines, type StatusChange } from './line-locks-queries.ts';

export interface LineLocks {
  /** Every line of a purchase and every line linked to one, oldest first, locked to the end of the transaction. */
  lockPurchaseLines(db: Db, scope: Scope, purchaseId: string): Promise<LockedLine[]>;
  /** Of lines that the transaction has locked. */
  changeStatuses(db: Db, scope: Scope, changes: readonly StatusChange[]): Promise<void>;
}

export const lineLocks: LineLocks = { lockPurchaseLines, changeStatuses: changeLineStatuses };
