/**
 * The member summaries as a plain fold over lines and postings: in JavaScript, with its own calendar, so
 * that nothing of the service's SQL is used to check it.
 */
import type { TestApp } from '../../support/app/test-app.ts';

interface Line {
  memberId: string;
  currency: string;
  source: string;
  status: string;
  level: number;
  amount: number;
  at: Date;
}

interface Payout {
  memberId: string;
  currency: string;
  journalId: string;
  amount: number;
  at: Date;
}

export interface Books {
  lines: Line[];
  payouts: Payout[];
}

export async function readBooks(app: TestApp, tenantId: string): Promise<Books> {
  const lines = await app.database.asSuperuser<Omit<Line, 'amount'> & { amount: string }>(
    `select beneficiary_id as "memberId", currency, source, status, level, amount_minor::text as amount, occurred_at as at
     from commission_line where tenant_id = $1`,
    [tenantId],
  );
  const payouts = await app.database.asSuperuser<Omit<Payout, 'amount'> & { amount: string }>(
    `select p.member_id as "memberId", p.currency, p.journal_id as "journalId", p.amount_minor::text as amount, j.occurred_at as at
     from posting p join journal_entry j on j.id = p.journal_id where p.tenant_id = $1 and p.account = 'member:paid_out'`,
    [tenantId],
  );
  const withNumber = <Row extends { amount: string }>(row: Row) => ({ ...row, amount: Number(row.amount) });
  return { lines: lines.map(withNumber), payouts: payouts.map(withNumber) };
}

/** 2026-03-31, of the instant in the zone. */
export function localDate(at: Date | number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);
}

/** The first millisecond of a UTC month's namesake in the zone, by halving the 30 hours it can begin in. */
export function startOfMonth(year: number, month: number, timeZone: string): number {
  const first = `${year}-${String(month).padStart(2, '0')}-01`;
  let [before, after] = [Date.UTC(year, month - 1, 1, -15), Date.UTC(year, month - 1, 1, 15)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (localDate(middle, timeZone) >= first) after = middle;
    else before = middle;
  }
  return after;
}

const sum = (rows: readonly { amount: number }[]) => rows.reduce((total, { amount }) => total + amount, 0);

/** Major units; the quotient of two integers is the double nearest to the decimal. */
const major = (minor: number, currency: string) => minor / (currency === 'JPY' ? 1 : 100);

function grouped<Row extends { amount: number }>(rows: readonly Row[], keyOf: (row: Row) => string, currency: string) {
  return [...Map.groupBy(rows, keyOf)]
    .map(([key, group]) => ({ key, amount: major(sum(group), currency), count: group.length }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** The breakdown, save for the percentages. */
export function foldBreakdown({ lines }: Books, memberId: string, currency: string, timeZone: string, period: string) {
  const dayOf = ({ at }: Line) => localDate(at, timeZone);
  const counted = lines.filter(
    (line) =>
      line.memberId === memberId &&
      line.currency === currency &&
      line.status !== 'reversed' &&
      (period === 'all' || dayOf(line).startsWith(period)),
  );
  const amountOf = (matches: (line: Line) => boolean) => major(sum(counted.filter(matches)), currency);
  return {
    totalAmount: amountOf(() => true),
    bySource: {
      sales: amountOf((line) => line.source === 'sales'),
      subscription: amountOf((line) => line.source === 'subscription'),
      manual: amountOf((line) => line.source === 'manual'),
    },
    byStatus: {
      pending: amountOf(({ status }) => status === 'pending' || status === 'held'),
      cleared: amountOf(({ status }) => status === 'cleared'),
      processing: amountOf(({ status }) => status === 'processing'),
      paid: amountOf(({ status }) => status === 'paid'),
    },
    byLevel: grouped(counted, ({ level }) => String(level), currency).map(({ key, amount, count }) => ({
      level: Number(key),
      amount,
      count,
    })),
    trend: grouped(counted, (line) => dayOf(line).slice(0, period === 'all' ? 7 : 10), currency).map(
      ({ key, amount, count }) => ({
        period: key,
        amount,
        count,
      }),
    ),
    period,
    currency,
    timeZone,
  };
}

/** `now` is by the clock that the tenant goes by. */
export function foldTaxSummary(
  { lines, payouts, now }: Books & { now: Date },
  memberId: string,
  currency: string,
  timeZone: string,
  year: number,
) {
  const mine = (row: Line | Payout) =>
    row.memberId === memberId && row.currency === currency && localDate(row.at, timeZone).startsWith(`${year}-`);
  const paid = payouts.filter(mine);
  const unpaid = lines.filter((line) => mine(line) && line.status !== 'reversed' && line.status !== 'paid');
  return {
    year,
    totalPaid: major(sum(paid), currency),
    totalPending: major(sum(unpaid), currency),
    taxDocumentsAvailable: paid.length > 0 && Number(localDate(now, timeZone).slice(0, 4)) > year,
    monthlyBreakdown: Array.from({ length: 12 }, (_, index) => {
      const ofMonth = paid.filter(({ at }) => Number(localDate(at, timeZone).slice(5, 7)) === index + 1);
      const byJournal = [...Map.groupBy(ofMonth, ({ journalId }) => journalId).values()].map(sum);
      return {
        month: index + 1,
        amount: major(sum(ofMonth), currency),
        transactionCount: byJournal.filter((net) => net > 0).length,
      };
    }),
    currency,
    timeZone,
  };
}

/** What the team statistics and the referral statistics say of commissions. */
export function foldTeam(books: Books, memberId: string, currency: string, timeZone: string, period: string) {
  const { byLevel } = foldBreakdown(books, memberId, currency, timeZone, period);
  const levels = byLevel.filter(({ level }) => level >= 2);
  const minor = (amount: number) => Math.round(amount * (currency === 'JPY' ? 1 : 100));
  return {
    commission: major(
      levels.reduce((total, { amount }) => total + minor(amount), 0),
      currency,
    ),
    commissions: levels.reduce((total, { count }) => total + count, 0),
    byLevel: levels,
  };
}
