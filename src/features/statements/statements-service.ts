/**
 * A member's month in the ledger, as JSON, CSV and PDF. All three are made of one walk over the entries,
 * which carries the balances along: whatever is recorded meanwhile, they agree with themselves.
 */
import type { Frames } from '../../db/frame.ts';
import type { Scope } from '../../db/scope.ts';
import { type CsvCell, csvPieces, textCell, valueCell } from '../../documents/csv.ts';
import { makePdf } from '../../documents/pdf.ts';
import { AppError } from '../../errors.ts';
import type { RequestContext } from '../../http/operation.ts';
import { minorSum, toMajorText } from '../../money.ts';
import { ACCOUNTS, accountOf, type Balances, newFold, type StatementFold } from './fold-statement.ts';
import { statementContent } from './statement-content.ts';
import { type StatementEntryRow, type StatementHeadRow, statementEntries, statementHead } from './statements-queries.ts';

interface Asked {
  /** YYYY-MM */
  period: string;
  currency?: string | undefined;
}

/** Each USER_NOT_FOUND. */
export interface StatementsService {
  makeJson(context: RequestContext, memberId: string, asked: Asked): Promise<AsyncIterable<string>>;
  makeCsv(context: RequestContext, memberId: string, asked: Asked): Promise<AsyncIterable<string>>;
  makePdf(context: RequestContext, memberId: string, asked: Asked): Promise<Buffer>;
}

const PAGE = 500;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
const PDF_ENTRIES = 1_000;
const COLUMNS = [
  'recordedAt',
  'occurredAt',
  'account',
  'amount',
  'currency',
  'causeType',
  'causeId',
  'externalEventId',
  'payoutId',
  'journalId',
  'seq',
];

export function createStatementsService({ frames }: { frames: Frames }): StatementsService {
  async function readHead(scope: Scope, memberId: string, { period, currency }: Asked): Promise<StatementHeadRow> {
    const [head] = await frames.readOnce(
      scope,
      statementHead(scope, { memberId, currency: currency ?? null, firstDay: `${period}-01` }),
    );
    if (!head) throw new AppError('USER_NOT_FOUND', 'No such member');
    return head;
  }

  /** The entries page by page, each counted in the fold before it is handed on. */
  async function* entryPages(scope: Scope, head: StatementHeadRow, fold: StatementFold): AsyncGenerator<StatementEntryRow[]> {
    const { tenantId, environment } = scope;
    const { memberId, currency, from, to, timeZone } = head;
    let after: Pick<StatementEntryRow, 'journalId' | 'seq'> | undefined = { journalId: LOWEST_ID, seq: -1 };
    while (after) {
      const rows: StatementEntryRow[] = await frames.readOnce(
        scope,
        statementEntries(
          { tenantId, environment },
          { memberId, currency, from, to, timeZone, afterJournal: after.journalId, afterSeq: after.seq, count: PAGE },
        ),
      );
      for (const row of rows) fold.add(row);
      yield rows;
      after = rows.length === PAGE ? rows.at(-1) : undefined;
    }
  }

  return {
    async makeJson({ scope }, memberId, asked) {
      const head = await readHead(scope, memberId, asked);
      const fold = newFold(head);
      return jsonPieces(head, asked.period, fold, entryPages(scope, head, fold));
    },

    async makeCsv({ scope }, memberId, asked) {
      const head = await readHead(scope, memberId, asked);
      const fold = newFold(head);
      return csvPieces(COLUMNS, csvPages(head, fold, entryPages(scope, head, fold)));
    },

    async makePdf({ scope }, memberId, asked) {
      const head = await readHead(scope, memberId, asked);
      const fold = newFold(head);
      const entries: StatementEntryRow[] = [];
      for await (const rows of entryPages(scope, head, fold)) entries.push(...rows.slice(0, PDF_ENTRIES - entries.length));
      return makePdf(statementContent(head, asked.period, fold, entries));
    },
  };
}

async function* jsonPieces(
  head: StatementHeadRow,
  period: string,
  fold: StatementFold,
  pages: AsyncIterable<StatementEntryRow[]>,
): AsyncGenerator<string> {
  const { memberId, currency, timeZone, from, to, isOver } = head;
  const status = isOver ? 'final' : 'preliminary';
  const opening = balancesBody(fold.opening);
  yield `${JSON.stringify({ userId: memberId, period, currency, timeZone, from, to, status, opening }).slice(0, -1)},"entries":[`;
  let first = true;
  for await (const rows of pages) {
    if (rows.length > 0) yield (first ? '' : ',') + rows.map((row) => JSON.stringify(entryBody(row))).join(',');
    first = false;
  }
  const payouts = fold.payouts().map((payout) => ({ ...payout, ...minorSum('amountMinor', payout.amountMinor) }));
  yield `],"payouts":${JSON.stringify(payouts)},"closing":${JSON.stringify(balancesBody(fold.balances()))}}`;
}

function balancesBody(balances: Balances) {
  return {
    ...minorSum('pendingMinor', balances.pending),
    ...minorSum('clearedMinor', balances.cleared),
    ...minorSum('processingMinor', balances.processing),
    ...minorSum('paidMinor', balances.paid),
    ...minorSum(
      'totalMinor',
      ACCOUNTS.reduce((sum, account) => sum + balances[account], 0n),
    ),
  };
}

function entryBody({ localTime: _shown, ...row }: StatementEntryRow) {
  return { ...row, account: accountOf(row.account), ...minorSum('amountMinor', row.amountMinor) };
}

async function* csvPages(
  { currency, from, to }: StatementHeadRow,
  fold: StatementFold,
  pages: AsyncIterable<StatementEntryRow[]>,
): AsyncGenerator<CsvCell[][]> {
  const balanceRows = (balances: Balances, at: Date, causeType: string): CsvCell[][] =>
    ACCOUNTS.map((account) => [
      valueCell(at.toISOString()),
      valueCell(''),
      valueCell(account),
      valueCell(toMajorText(balances[account], currency)),
      valueCell(currency),
      valueCell(causeType),
      ...Array.from({ length: COLUMNS.length - 6 }, () => valueCell('')),
    ]);
  yield balanceRows(fold.opening, from, 'opening');
  for await (const rows of pages) yield rows.map((row) => entryCells(row, currency));
  yield balanceRows(fold.balances(), to, 'closing');
}

function entryCells(row: StatementEntryRow, currency: string): CsvCell[] {
  return [
    valueCell(row.recordedAt.toISOString()),
    valueCell(row.occurredAt.toISOString()),
    valueCell(accountOf(row.account)),
    valueCell(toMajorText(row.amountMinor, currency)),
    valueCell(currency),
    valueCell(row.causeType),
    valueCell(row.causeId),
    textCell(row.externalEventId),
    textCell(row.payoutId),
    valueCell(row.journalId),
    valueCell(row.seq),
  ];
}
