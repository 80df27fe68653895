/** What payouts move in the books, as the composition gives it to them. */
import type { Cipher } from '../../../src/encryption.ts';
import { lockPayoutLines, movePayoutLines } from '../../../src/features/commissions/payout-lines-queries.ts';
import { lockDebts } from '../../../src/features/events/debts/lock-debts.ts';
import { createNameJudge, type NameJudge } from '../../../src/features/payouts/names/judge-names.ts';
import { type PayoutBooks, type SettlePayout, settlePayout } from '../../../src/features/payouts/payouts/settle-payout.ts';
import type { PayoutFreeze } from '../../../src/features/payouts/reconcile/freeze.ts';
import { findFreeze } from '../../../src/features/payouts/reconcile/freeze-queries.ts';

/** Accounts that tests plant have no holder's name. */
const names = createNameJudge({
  decrypt() {
    throw new Error('a planted account has a sealed name');
  },
} as Partial<Cipher> as Cipher);

export const freeze: Pick<PayoutFreeze, 'isFrozen'> = { isFrozen: async (db) => (await findFreeze(db)) !== undefined };

export const books: PayoutBooks & { names: NameJudge; freeze: Pick<PayoutFreeze, 'isFrozen'> } = {
  lines: { lock: lockPayoutLines, move: movePayoutLines },
  debts: { lock: lockDebts },
  mail: { isOn: false, toMember: async () => undefined },
  names,
  freeze,
};

export const settle: SettlePayout = (db, scope, settlement) => settlePayout(books, db, scope, settlement);
