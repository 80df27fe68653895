/** How a tenant stands, for whoever looks. Source: docs/specification/overview.md. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import { invalidField } from '../../errors.ts';
import type { CallContext } from '../../http/operation.ts';
import { holdsRight } from '../../http/rights.ts';
import { majorSum } from '../../money.ts';
import type { getOverview, OverviewAnswer } from './overview-operations.ts';
import {
  commissionTotals,
  failingEndpoints,
  frameOfOverview,
  heldLines,
  joinedByMonth,
  type MonthlySum,
  waitingChanges,
  waitingPayouts,
  waitingReviews,
} from './overview-queries.ts';

type Query = z.output<(typeof getOverview)['query'] & {}>;

/** Months of one answer. */
const MOST_MONTHS = 60;
const DEFAULT_MONTHS = 12;
/** As the operation has it. */
const EARLIEST = '1970-01';

export interface OverviewService {
  /** VALIDATION_ERROR for more than MOST_MONTHS. */
  read(context: CallContext, query: Query): Promise<OverviewAnswer>;
}

export function createOverviewService({ frames }: { frames: Frames }): OverviewService {
  return {
    read: ({ scope }, query) =>
      frames.read(scope, async (db) => {
        const frame = await db.row(frameOfOverview(scope));
        if (!frame) throw new Error('the tenant of a call is there');
        const months = monthsOf(query, frame.thisMonth);
        const currency = query.currency ?? frame.currency;
        const span = { first: `${months[0]}-01`, last: `${months.at(-1)}-01` };
        const may = async <T>(right: string, read: () => Promise<T>): Promise<T | undefined> =>
          holdsRight(scope, right) ? await read() : undefined;
        const [sums, joined, reviews, held, payouts, changes, endpoints] = await Promise.all([
          may('commissions:read', () => db.rows(commissionTotals(scope, { ...span, currency }))),
          may('members:read', () => db.rows(joinedByMonth(scope, span))),
          may('admin:kyc', () => db.row(waitingReviews(scope))),
          may('commissions:read', () => db.row(heldLines(scope))),
          may('payouts:read', () => db.row(waitingPayouts(scope))),
          db.row(waitingChanges(scope, { rights: scope.rights, all: scope.rights.includes('*') })),
          may('webhooks:read', () => db.row(failingEndpoints(scope))),
        ]);
        const of = (month: string) => joined?.find((row) => row.month === month)?.joined ?? 0;
        return {
          from: months[0] ?? '',
          to: months.at(-1) ?? '',
          currency,
          timeZone: frame.timeZone,
          commissions: sums
            ? {
                ...byStatus(sums, currency),
                months: months.map((month) => ({
                  month,
                  ...byStatus(
                    sums.filter((row) => row.month === month),
                    currency,
                  ),
                })),
              }
            : null,
          members: joined
            ? {
                joined: joined.reduce((sum, row) => sum + row.joined, 0),
                months: months.map((month) => ({ month, joined: of(month) })),
              }
            : null,
          waiting: {
            kycReviews: reviews?.waiting ?? null,
            heldCommissions: held?.waiting ?? null,
            blockedPayouts: payouts?.blocked ?? null,
            failedPayouts: payouts?.failed ?? null,
            runsToApprove: payouts?.drafted ?? null,
            runsToExecute: payouts?.approved ?? null,
            pendingChanges: changes?.waiting ?? null,
            failingEndpoints: endpoints?.waiting ?? null,
          },
        };
      }),
  };
}

function byStatus(sums: readonly MonthlySum[], currency: string) {
  const of = <Status extends MonthlySum['status']>(status: Status) =>
    majorSum(
      status,
      sums.reduce((sum, row) => (row.status === status ? sum + row.amount : sum), 0n),
      currency,
    );
  return { ...of('pending'), ...of('cleared'), ...of('processing'), ...of('paid') };
}

/** From the first to the last, both asked for or as by default. */
function monthsOf({ from, to }: Query, thisMonth: string): string[] {
  const last = indexOf(to ?? (from !== undefined && from > thisMonth ? from : thisMonth));
  const first = from === undefined ? Math.max(last - DEFAULT_MONTHS + 1, indexOf(EARLIEST)) : indexOf(from);
  if (last - first >= MOST_MONTHS) throw invalidField('from', `must be at most ${MOST_MONTHS} months before the end`);
  return Array.from({ length: last - first + 1 }, (_, at) => monthAt(first + at));
}

/** Months since the year 0. */
function indexOf(month: string): number {
  const [year = 0, of = 1] = month.split('-').map(Number);
  return year * 12 + of - 1;
}

function monthAt(index: number): string {
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
}
