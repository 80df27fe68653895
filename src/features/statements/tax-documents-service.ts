/** What a member was paid in a year: the list of years, and each as a PDF and as CSV. */
import type { Frames } from '../../db/frame.ts';
import type { Scope } from '../../db/scope.ts';
import { csvPieces, textCell, valueCell } from '../../documents/csv.ts';
import { makePdf } from '../../documents/pdf.ts';
import { AppError } from '../../errors.ts';
import type { RequestContext } from '../../http/operation.ts';
import { toMajorText } from '../../money.ts';
import { personFacts } from './statement-person.ts';
import { type PaymentRow, type TaxMonthRow, taxMonths, taxPayments, taxYears } from './tax-documents-queries.ts';

export interface TaxYear {
  year: number;
  currency: string;
  totalPaidMinor: bigint;
  transactionCount: number;
  status: 'final' | 'preliminary';
}

interface Asked {
  year: number;
  currency: string | undefined;
}

/** Each USER_NOT_FOUND; the files NOT_FOUND for a year without a payout. */
export interface TaxDocumentsService {
  listYears(
    context: RequestContext,
    memberId: string,
    currency: string | undefined,
  ): Promise<{ data: TaxYear[]; timeZone: string }>;
  makePdf(context: RequestContext, memberId: string, asked: Asked): Promise<Buffer>;
  makeCsv(context: RequestContext, memberId: string, asked: Asked): Promise<AsyncIterable<string>>;
}

const PAGE = 500;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
const COLUMNS = ['date', 'type', 'amount', 'currency', 'payoutId', 'reference', 'occurredAt'];

export function createTaxDocumentsService({ frames }: { frames: Frames }): TaxDocumentsService {
  async function readYear(scope: Scope, memberId: string, { year, currency }: Asked) {
    const rows = await frames.readOnce(scope, taxMonths(scope, { memberId, currency: currency ?? null, year }));
    const [first] = rows;
    if (!first) throw noSuchMember();
    if (first.lastAt === null) throw new AppError('NOT_FOUND', `Nothing was paid out in ${year} in ${first.currency}`);
    return { first, lastAt: first.lastAt, rows };
  }

  async function* paymentPages(scope: Scope, memberId: string, year: number, currency: string): AsyncGenerator<PaymentRow[]> {
    for (let after: string | undefined = LOWEST_ID; after !== undefined; ) {
      const rows: PaymentRow[] = await frames.readOnce(
        scope,
        taxPayments(scope, { memberId, currency, year, afterJournal: after, count: PAGE }),
      );
      yield rows;
      after = rows.length === PAGE ? rows.at(-1)?.journalId : undefined;
    }
  }

  return {
    async listYears({ scope }, memberId, currency) {
      const rows = await frames.readOnce(scope, taxYears(scope, { memberId, currency: currency ?? null }));
      const [first] = rows;
      if (!first) throw noSuchMember();
      const data = rows.flatMap(({ year, currency: paidIn, total, count, is_over }): TaxYear[] =>
        year === null
          ? []
          : [
              {
                year,
                currency: paidIn,
                totalPaidMinor: total,
                transactionCount: count,
                status: is_over ? 'final' : 'preliminary',
              },
            ],
      );
      return { data, timeZone: first.time_zone };
    },

    async makePdf({ scope }, memberId, asked) {
      const { first, lastAt, rows } = await readYear(scope, memberId, asked);
      return makePdf(contentOf(asked.year, first, lastAt, rows));
    },

    async makeCsv({ scope }, memberId, asked) {
      const { currency } = (await readYear(scope, memberId, asked)).first;
      const pages = paymentPages(scope, memberId, asked.year, currency);
      return csvPieces(COLUMNS, mapPages(pages, currency));
    },
  };
}

async function* mapPages(pages: AsyncIterable<PaymentRow[]>, currency: string) {
  for await (const rows of pages) {
    yield rows.map((row) => [
      valueCell(row.localTime.slice(0, 10)),
      valueCell(row.amountMinor > 0n ? 'paid' : 'returned'),
      valueCell(toMajorText(row.amountMinor, currency)),
      valueCell(currency),
      textCell(row.payoutId),
      textCell(row.reference),
      valueCell(row.occurredAt.toISOString()),
    ]);
  }
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November'];

function contentOf(year: number, first: TaxMonthRow, date: Date, rows: readonly TaxMonthRow[]) {
  const { currency, timeZone, isOver, memberId } = first;
  const amounts = (part: { paid: bigint; returned: bigint; count: number }): string[] => [
    String(part.count),
    toMajorText(part.paid, currency),
    toMajorText(part.returned, currency),
    toMajorText(part.paid - part.returned, currency),
  ];
  const sum = rows.reduce(
    (all, { paid, returned, count }) => ({
      paid: all.paid + paid,
      returned: all.returned + returned,
      count: all.count + count,
    }),
    { paid: 0n, returned: 0n, count: 0 },
  );
  const status = isOver ? 'Final: the year is over' : 'Preliminary: the year is not over';
  return {
    title: `Payments in ${year}`,
    date,
    footer: `Member ${memberId}, payments in ${year}, ${currency}`,
    parts: [
      {
        kind: 'facts' as const,
        facts: [
          ...personFacts(first),
          ['Currency', currency] as const,
          ['Time zone', timeZone] as const,
          ['Status', status] as const,
        ],
      },
      {
        kind: 'table' as const,
        columns: [
          { title: 'Month', share: 0.28 },
          { title: 'Payouts', share: 0.12, align: 'right' as const },
          { title: 'Paid out', share: 0.2, align: 'right' as const },
          { title: 'Came back', share: 0.2, align: 'right' as const },
          { title: 'Total', share: 0.2, align: 'right' as const },
        ],
        rows: rows.map((row) => [MONTHS[row.month - 1] ?? 'December', ...amounts(row)]),
        total: ['Year', ...amounts(sum)],
      },
      {
        kind: 'note' as const,
        text: 'Commissions that were paid out, by the day of the payout. One that came back is taken off on the day it came back. No tax was withheld by this service.',
      },
    ],
  };
}

function noSuchMember(): AppError {
  return new AppError('USER_NOT_FOUND', 'No such member');
}
