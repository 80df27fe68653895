/** Lines as other features may lock and change them: by family, and only in their status. */
import type { Db, Scope } from '../../../db/scope.ts';
import type { CommissionLine, HoldCause, LineAction, LineStatus } from './commission-line.ts';

/** A line that the transaction has locked, with what decides on what may become of it. */
export interface LockedLine extends CommissionLine {
  /** Whether this line voids the one it takes back: nothing more becomes of that family. */
  isVoid: boolean;
  /** What was last done to this line by hand, or before it came to the line that it tops up; ids ascend with time. */
  lastAction: LastAction | null;
  /** A purchase's own line, and what tops it up, is held since it was born where its beneficiary has the customer's email. */
  bornHeld: boolean;
}

export interface LastAction {
  id: string;
  action: LineAction;
}

export interface StatusChange {
  lineId: string;
  status: LineStatus;
  holdCause: HoldCause | null;
  holdReason: string | null;
}

export interface LineLocks {
  /** Every line of a purchase, every top-up of one, and every line linked to these, oldest first, locked to the end of the transaction. */
  lockPurchaseLines(db: Db, scope: Scope, purchaseId: string): Promise<LockedLine[]>;
  /** These lines and everything linked to them, oldest first, locked: behind it they may be topped up. */
  lockLinesToTopUp(db: Db, scope: Scope, lineIds: readonly string[]): Promise<LockedLine[]>;
  /** Of lines that the transaction has locked. */
  changeStatuses(db: Db, scope: Scope, changes: readonly StatusChange[]): Promise<void>;
}

/** Lines as payouts may change them: all that are live in the payouts named. */
export interface PayoutLines {
  /** Locks them to the end of the transaction; it comes before the debts of their members, as refunds do. */
  lock(db: Db, scope: Scope, payoutIds: readonly string[]): Promise<void>;
  /** Of locked lines. Throws when one has another status than `from`. */
  move(db: Db, scope: Scope, payoutIds: readonly string[], move: { from: LineStatus; to: LineStatus }): Promise<void>;
}
