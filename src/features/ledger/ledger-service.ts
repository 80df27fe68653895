/** The ledger: sealing, verifying, and folds of its postings. Source: docs/specification/commissions.md#the-ledger. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope, WriteDb } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { MAX_AMOUNT_MINOR } from '../../money.ts';
import { lockFolds } from './balance-limit-queries.ts';
import { type BalanceRow, memberBalances, memberEntries } from './balances-queries.ts';
import type { getMemberBalances, getTrialBalance, listMemberLedger, verifyLedgerOperation } from './ledger-operations.ts';
import { holdersToLookAt, passesLimit } from './open/balance-limit.ts';
import type { NewPosting } from './open/journal.ts';
import { ledgerErrors } from './open/ledger-errors.ts';
import {
  advance,
  type LedgerPosition,
  type MemberAccount,
  readPosition,
  START,
  totalOf,
  writePosition,
} from './running-balances.ts';
import { lockSealing, sealBlock } from './seal-queries.ts';
import { foldTrialBalance, type TrialBalance } from './trial-balance.ts';
import type { SealsVerification, VerifySeals } from './verify-seals.ts';

type VerifyQuery = z.output<(typeof verifyLedgerOperation)['query'] & {}>;
type TrialBalanceQuery = z.output<(typeof getTrialBalance)['query'] & {}>;
type BalancesQuery = z.output<(typeof getMemberBalances)['query'] & {}>;
type EntriesQuery = z.output<(typeof listMemberLedger)['query'] & {}>;

export interface MemberBalance {
  currency: string;
  pendingMinor: bigint;
  clearedMinor: bigint;
  processingMinor: bigint;
  paidMinor: bigint;
}

export interface MemberEntry {
  journalId: string;
  seq: number;
  causeType: string;
  causeId: string;
  account: MemberAccount;
  amountMinor: bigint;
  currency: string;
  occurredAt: Date;
  recordedAt: Date;
  accountBalanceMinor: bigint;
  totalBalanceMinor: bigint;
}

export interface LedgerDeps {
  frames: Frames;
  cursors: Cursors;
  verifySeals: VerifySeals;
}

export interface LedgerService {
  /** Computes every hash of the ledger and of the audit log anew; from a block on when the query names one. */
  verify(context: RequestContext, query: VerifyQuery): Promise<SealsVerification>;
  readTrialBalance(context: RequestContext, query: TrialBalanceQuery): Promise<TrialBalance>;
  /** In the tenant's currency, and in each other that the member has postings in. USER_NOT_FOUND. */
  readBalances(
    context: RequestContext,
    memberId: string,
    query: BalancesQuery,
  ): Promise<{ userId: string; asOf: Date; balances: MemberBalance[] }>;
  /** Oldest first, with running balances. USER_NOT_FOUND. */
  listEntries(context: RequestContext, memberId: string, query: EntriesQuery): Promise<Page<MemberEntry>>;
}

export function createLedgerService({ frames, cursors, verifySeals }: LedgerDeps): LedgerService {
  return {
    verify: ({ scope }, query) => frames.read(scope, (db) => verifySeals(db, scope, query), { snapshot: true }),

    readTrialBalance: ({ scope }, query) => frames.read(scope, (db) => foldTrialBalance(db, scope, query), { snapshot: true }),

    async readBalances({ scope }, memberId, { asOf = null }) {
      const rows = await frames.readOnce(scope, memberBalances(scope, { memberId, asOf }));
      const [first] = rows;
      if (!first) throw new AppError('USER_NOT_FOUND', 'No such member');
      return { userId: memberId, asOf: first.as_of, balances: balancesOf(rows, first.default_currency) };
    },

    async listEntries({ scope }, memberId, { limit, cursor, currency = null }) {
      const list = { scope, operationId: 'listMemberLedger', filters: { memberId, currency } };
      const opened = cursors.open(cursor, list);
      let position = opened === undefined ? START : readPosition(opened);
      const found = await frames.readOnce(
        scope,
        memberEntries(scope, { memberId, currency, afterJournal: position.journalId, afterSeq: position.seq, count: limit + 1 }),
      );
      if (found.length === 0) throw new AppError('USER_NOT_FOUND', 'No such member');
      const rows: { entry: MemberEntry; position: LedgerPosition }[] = [];
      for (const row of found) {
        if (row.journal_id === null) break;
        const entry = { journalId: row.journal_id, seq: row.seq, account: accountOf(row.account), amountMinor: row.amount_minor };
        position = advance(position, entry);
        rows.push({
          entry: {
            ...entry,
            causeType: row.cause_type,
            causeId: row.cause_id,
            currency: row.currency,
            occurredAt: row.occurred_at,
            recordedAt: row.recorded_at,
            accountBalanceMinor: position.balances[entry.account],
            totalBalanceMinor: totalOf(position.balances),
          },
          position,
        });
      }
      const page = cursors.page(rows, limit, list, (row) => writePosition(row.position));
      return { rows: page.rows.map((row) => row.entry), nextCursor: page.nextCursor };
    },
  };
}

function balancesOf(rows: readonly BalanceRow[], defaultCurrency: string): MemberBalance[] {
  const balances = rows
    .filter((row) => row.currency !== null)
    .map((row) => ({
      currency: row.currency ?? '',
      pendingMinor: row.pending,
      clearedMinor: row.cleared,
      processingMinor: row.processing,
      paidMinor: row.paid,
    }));
  if (!balances.some((balance) => balance.currency === defaultCurrency)) {
    balances.push({ currency: defaultCurrency, pendingMinor: 0n, clearedMinor: 0n, processingMinor: 0n, paidMinor: 0n });
  }
  return balances.toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}

function accountOf(account: string): MemberAccount {
  const kind = account.slice('member:'.length);
  return kind === 'paid_out' ? 'paid' : (kind as MemberAccount);
}

/**
 * Throws BALANCE_LIMIT when the postings would take a member's balance past what answers can hold; to be called ahead of
 * their insertion. Of postings that are not large it asks nothing. The field is what the caller sent the amount as.
 */
export async function refuseBeyondLimit(
  db: Db,
  scope: Scope,
  postings: readonly NewPosting[],
  field?: 'amount_minor',
): Promise<void> {
  const holders = holdersToLookAt(postings);
  if (holders.length === 0) return;
  const folds = await lockFolds(db, scope, holders);
  for (const holder of holders) {
    const own = folds
      .filter((fold) => fold.member_id === holder.memberId && fold.currency === holder.currency)
      .map(({ account, balance }) => ({ account, balanceMinor: BigInt(balance) }));
    if (!passesLimit(holder, own, postings)) continue;
    const message = `would take the balance of a member past ${MAX_AMOUNT_MINOR} minor units of ${holder.currency}`;
    throw new AppError(
      ledgerErrors.BALANCE_LIMIT,
      `This ${message}`,
      field === undefined ? {} : { details: { fields: [{ field, message }] } },
    );
  }
}

export const BLOCK_JOURNALS = 1_000;
/** A block of so many postings for each journal that it may have is full. */
const POSTINGS_A_JOURNAL = 50;

/**
 * Seals the oldest unsealed journals, at most `limit`, into the next block; returns how many. 0 when there are none, or
 * when somebody else is sealing this tenant and environment. The first block of a day asks for a check
 * of the whole ledger in the same transaction.
 */
export async function sealJournals(
  db: WriteDb,
  scope: Scope,
  limit: number = BLOCK_JOURNALS,
  requestCheck?: (db: WriteDb, scope: Scope) => Promise<unknown>,
): Promise<number> {
  const lock = await db.row(lockSealing(scope));
  if (lock?.mine !== true) return 0;
  const block = await db.row(sealBlock(scope, { journals: limit, postings: limit * POSTINGS_A_JOURNAL }));
  if (block?.first_of_day === true) await requestCheck?.(db, scope);
  return block?.entry_count ?? 0;
}
