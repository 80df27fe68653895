/** What payouts move in the books, as the composition gives it to them. */
import type { Cipher } from '../../../src/encryption.ts';
import { lockPayoutLines, movePayoutLines } from '../../../src/features/commissions/payout-lines-queries.ts';
import { lockDebts } from '../../../src/features/events/debts/lock-debts.ts';
import { createNameJudge, type NameJudge } from '../../../src/features/payouts/names/judge-names.ts';
import { type PayoutBooks, type SettlePayout, settlePayout } from '../../../src/features/payouts/payouts/settle-payout.ts';

/** Accounts that tests plant have no holder's name. */
const names = createNameJudge({
  decrypt() {
    throw new Error('a planted account has a sealed name');
  },
} as Partial<Cipher> as Cipher);

export const books: PayoutBooks & { names: NameJudge } = {
  lines: { lock: lockPayoutLines, move: movePayoutLines },
  debts: { lock: lockDebts },
  names,
};

export const settle: SettlePayout = (db, scope, settlement) => settlePayout(books, db, scope, settlement);
