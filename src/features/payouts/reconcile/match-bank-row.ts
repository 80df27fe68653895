/** One payment of the bank's file, matched with payouts by hand. Source: docs/specification/payouts.md#bank-file. */
import { newId } from '../../../db/ids.ts';
import type { Scope, WriteDb } from '../../../db/scope.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import { amountOf, type PayoutBooks, settlePayout } from '../payouts/settle-payout.ts';
import { lockDraftsOf } from '../runs/draft-queries.ts';
import type { BankRow } from './bank-file.ts';
import { findPayoutWithReference, listMembersPaidTo } from './bank-queries.ts';
import { type Finding, OPERATOR, recoverPayout, startAgain, undoneUnless, type Verdict, type Why } from './match-transfer.ts';
import { findKnownPayout, type KnownPayout } from './reconcile-queries.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** More members than this have an account that ends so: nobody can tell which of them was paid. */
const MOST_MEMBERS = 5;

interface Matched {
  verdict: Verdict;
  why: Why | null;
  payoutId: string | null;
  memberId: string | null;
}

/**
 * Matches one, in the caller's transaction: by the id of a payout, by the reference that a payout was settled with, else by the
 * end of the account, the currency and the amount, where these fit one member alone. Safe to repeat.
 */
export async function matchBankRow(books: PayoutBooks, db: WriteDb, scope: Scope, row: BankRow): Promise<Finding> {
  const reference = referenceOf(row);
  await lockDraftsOf(db, scope, row.currency);
  const payoutId = UUID.test(row.reference) ? row.reference.toLowerCase() : undefined;
  const known = payoutId === undefined ? undefined : await findKnownPayout(db, scope, payoutId, 1);
  const matched =
    payoutId !== undefined && known
      ? await matchKnown(books, db, scope, { ...known, payoutId }, row)
      : await matchByAccount(books, db, scope, row, reference, payoutId);
  if (matched.verdict === 'recorded' && matched.payoutId !== null) {
    await settlePayout(books, db, scope, {
      payoutId: matched.payoutId,
      outcome: 'paid',
      reference,
      paidAt: row.date,
      by: OPERATOR,
    });
    await recordAudit(db, scope, {
      action: 'payout.reconciled',
      by: OPERATOR,
      objectKind: 'payout',
      objectId: matched.payoutId,
      details: amountOf(row),
    });
  }
  return { ...matched, id: reference, amountMinor: row.amountMinor, currency: row.currency, at: row.date };
}

async function matchKnown(
  books: PayoutBooks,
  db: WriteDb,
  scope: Scope,
  known: KnownPayout & { payoutId: string },
  { amountMinor, currency }: BankRow,
): Promise<Matched> {
  const { payoutId, memberId, status, runId } = known;
  const told = (verdict: Verdict, why: Why | null = null): Matched => ({ verdict, why, payoutId, memberId });
  if (known.providerType !== 'manual' || known.amountMinor !== amountMinor || known.currency !== currency) {
    return told('unmatched', 'differs');
  }
  if (status === 'paid' || status === 'returned') return told('agrees');
  if (status === 'processing') return told('recorded');
  if (status === 'cancelled' || runId === null) return told('unmatched', 'ended_otherwise');
  // Those of the run that are not in the file are cancelled with the first that is: the bank has not been asked for them.
  const isStarted = await startAgain(books, db, scope, { ...known, runId }, [payoutId]);
  return isStarted ? told('recorded') : told('unmatched', 'no_lines');
}

async function matchByAccount(
  books: PayoutBooks,
  db: WriteDb,
  scope: Scope,
  { accountEnd, currency, amountMinor, date }: BankRow,
  reference: string,
  lostId: string | undefined,
): Promise<Matched> {
  const settled = await findPayoutWithReference(db, scope, reference, currency, amountMinor);
  if (settled) return { verdict: 'agrees', why: null, payoutId: settled.payoutId, memberId: settled.memberId };
  const memberIds = await listMembersPaidTo(db, scope, accountEnd, currency, MOST_MEMBERS + 1);
  const none = { verdict: 'unmatched', payoutId: null, memberId: null } as const;
  if (memberIds.length === 0) return { ...none, why: 'no_account' };
  if (memberIds.length > MOST_MEMBERS) return { ...none, why: 'not_a_payout' };
  const lost = { payoutId: lostId ?? newId(), attempt: 1, currency, amountMinor, createdAt: date };
  const recover = (memberId: string) =>
    recoverPayout(books, db, scope, { ...lost, memberId, provider: 'manual', connectedAccountId: null }, []);
  const fitting: string[] = [];
  for (const memberId of memberIds) if (await wouldBeMade(db, () => recover(memberId))) fitting.push(memberId);
  const [memberId] = fitting;
  if (memberId === undefined) return { ...none, why: 'no_lines' };
  if (fitting.length > 1) return { ...none, why: 'not_a_payout' };
  await recover(memberId);
  return { verdict: 'recorded', why: null, payoutId: lost.payoutId, memberId };
}

async function wouldBeMade(db: WriteDb, make: () => Promise<Why | undefined>): Promise<boolean> {
  let isMade = false;
  await undoneUnless(db, async () => {
    isMade = (await make()) === undefined;
    return false;
  });
  return isMade;
}

/** A payment without one gets something that is the same whenever the file is read. */
function referenceOf({ reference, date, accountEnd, amountMinor, currency, ordinal }: BankRow): string {
  if (reference !== '') return reference.slice(0, 255);
  return `bank ${date.toISOString().slice(0, 10)} ${accountEnd} ${amountMinor} ${currency} ${ordinal}`;
}
