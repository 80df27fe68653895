/** What payouts move in the books, as the composition gives it to them. */
import { lockPayoutLines, movePayoutLines } from '../../../src/features/commissions/payout-lines-queries.ts';
import { lockDebts } from '../../../src/features/events/debts/lock-debts.ts';
import { type PayoutBooks, type SettlePayout, settlePayout } from '../../../src/features/payouts/payouts/settle-payout.ts';

export const books: PayoutBooks = { lines: { lock: lockPayoutLines, move: movePayoutLines }, debts: { lock: lockDebts } };

export const settle: SettlePayout = (db, scope, settlement) => settlePayout(books, db, scope, settlement);
