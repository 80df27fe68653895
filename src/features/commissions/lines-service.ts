/** Lines as other features may change them: locked by family, and only in their status. */
import type { Db, Scope } from '../../db/frame.ts';
import type { LineStatus } from './commission-line.ts';
import { changeLineStatuses, type LockedLine, lockPurchaseLines, type StatusChange } from './line-locks-queries.ts';
import { lockPayoutLines, movePayoutLines } from './payout-lines-queries.ts';

export interface LineLocks {
  /** Every line of a purchase and every line linked to one, oldest first, locked to the end of the transaction. */
  lockPurchaseLines(db: Db, scope: Scope, purchaseId: string): Promise<LockedLine[]>;
  /** Of lines that the transaction has locked. */
  changeStatuses(db: Db, scope: Scope, changes: readonly StatusChange[]): Promise<void>;
}

export const lineLocks: LineLocks = { lockPurchaseLines, changeStatuses: changeLineStatuses };

/** Lines as payouts may change them: all that are live in the payouts named. */
export interface PayoutLines {
  /** To the end of the transaction; before the debts of their members, as refunds do. */
  lock(db: Db, scope: Scope, payoutIds: readonly string[]): Promise<void>;
  /** Of locked lines. Throws when one has another status than `from`. */
  move(db: Db, scope: Scope, payoutIds: readonly string[], move: { from: LineStatus; to: LineStatus }): Promise<void>;
}

export const payoutLines: PayoutLines = { lock: lockPayoutLines, move: movePayoutLines };
