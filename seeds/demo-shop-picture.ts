/** One member in a readable picture: tree, balance, breakdown. Pure: from answers to lines of text. */
import type { BreakdownAnswer, MemberAnswer, StatusAnswer } from './demo-shop-answers.ts';
import { CURRENCIES, type Currency } from './demo-shop-model.ts';
import { columns, formatAmount, formatCount, formatMoney, toMinor } from './demo-shop-text.ts';

/** A bigger downline than this is cut, and says so. */
const MAX_NODES = 40;

/** The sponsors above a member, nearest first. */
export function uplineOf(members: ReadonlyMap<string, MemberAnswer>, id: string): MemberAnswer[] {
  const upline: MemberAnswer[] = [];
  for (let at = members.get(members.get(id)?.parent_id ?? ''); at; at = members.get(at.parent_id ?? '')) upline.push(at);
  return upline;
}

/**
 * Upline from the top down to the member, then the downline, with tier and activity in columns.
 * Recruits stand by name: their order in the API is that of creation, which differs from run to run.
 */
export function drawTree(members: ReadonlyMap<string, MemberAnswer>, id: string): string[] {
  const recruits = Map.groupBy(members.values(), ({ parent_id }) => parent_id);
  const rows: string[][] = [];
  let left = MAX_NODES;
  let cut = 0;

  function draw(member: MemberAnswer, lead: string, ownLead: string): void {
    if (member.id !== id && left-- <= 0) {
      cut++;
      return;
    }
    rows.push(rowOf(member, ownLead));
    const below = (recruits.get(member.id) ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (const [index, recruit] of below.entries()) {
      const isLast = index === below.length - 1;
      draw(recruit, `${lead}${isLast ? '   ' : '|  '}`, `${lead}${isLast ? '`- ' : '+- '}`);
    }
  }
  function rowOf(member: MemberAnswer, lead: string): string[] {
    const mark = member.id === id ? '  <==' : '';
    return [`${lead}${member.name}${mark}`, member.membership_tier, member.is_active ? 'active' : 'NOT ACTIVE'];
  }

  const upline = uplineOf(members, id).toReversed();
  for (const [depth, sponsor] of upline.entries()) rows.push(rowOf(sponsor, leadAt(depth)));
  const member = members.get(id);
  if (member) draw(member, '   '.repeat(upline.length), leadAt(upline.length));
  return [...columns(rows), ...(cut > 0 ? [`... and ${formatCount(cut)} more with their downlines`] : [])];
}

function leadAt(depth: number): string {
  return depth === 0 ? '' : `${'   '.repeat(depth - 1)}\`- `;
}

/** A member's balances in words. */
export function describeBalance(status: StatusAnswer, others: readonly BreakdownAnswer[]): string[] {
  const { currency, commission_balance: balance } = status;
  const [pending, cleared, paid, total] = [balance.pending, balance.cleared, balance.paid, balance.total].map(toMinor) as [
    number,
    number,
    number,
    number,
  ];
  const elsewhere = others.filter((breakdown) => breakdown.currency !== currency && breakdown.totalAmount !== 0);
  return [
    `${status.membership_tier}, ${status.is_active ? 'active' : 'not active'}, ${status.can_recruit ? 'may' : 'may not'} recruit.`,
    ...columns(
      [
        ['pending', formatMoney(pending, currency), 'earned, not cleared yet'],
        ['cleared', formatMoney(cleared, currency), 'free for the next payout'],
        ['in payment', formatMoney(total - pending - cleared - paid, currency), 'on its way: the total less the other three'],
        ['paid', formatMoney(paid, currency), 'paid out so far'],
        ['total', formatMoney(total, currency), ''],
      ],
      [1],
    ).map((line) => `  ${line}`),
    ...elsewhere.map(
      (breakdown) =>
        `Kept apart: ${formatMoney(toMinor(breakdown.totalAmount), breakdown.currency)} from sales in that currency.`,
    ),
  ];
}

type Cells = Record<Currency, { amount: number; count?: number } | undefined>;

/** By level, source and month, a column for each currency, with the number of commission lines where known. */
export function drawBreakdown(breakdowns: readonly BreakdownAnswer[]): string[] {
  const by = (read: (breakdown: BreakdownAnswer) => { name: string; amount: number; count?: number }[]): [string, Cells][] => {
    const names = [...new Set(breakdowns.flatMap((breakdown) => read(breakdown).map(({ name }) => name)))].toSorted();
    return names.map((name) => {
      const cells = breakdowns.map(
        (breakdown) => [breakdown.currency, read(breakdown).find((row) => row.name === name)] as const,
      );
      return [name, Object.fromEntries(cells) as Cells];
    });
  };
  const rows: string[][] = [['', ...CURRENCIES.flatMap((currency) => [currency, 'lines'])]];
  const section = (title: string, entries: [string, Cells][]): void => {
    rows.push([title]);
    for (const [name, cells] of entries) {
      const figures = CURRENCIES.flatMap((currency) => {
        const cell = cells[currency];
        return [cell ? formatAmount(toMinor(cell.amount)) : '-', cell?.count === undefined ? '' : formatCount(cell.count)];
      });
      rows.push([`  ${name}`, ...figures]);
    }
  };
  section(
    'by distance from the sale',
    by(({ byLevel }) =>
      byLevel.map(({ level, amount, count }) => ({
        name: level === 1 ? 'level 1 (own customers)' : `level ${level}`,
        amount,
        count,
      })),
    ),
  );
  section(
    'by source',
    by(({ bySource }) => [
      { name: 'sales', amount: bySource.sales },
      { name: 'subscriptions', amount: bySource.subscription },
    ]),
  );
  section(
    `by month of the sale (${breakdowns[0]?.timeZone})`,
    by(({ trend }) => trend.map(({ period, amount, count }) => ({ name: period, amount, count }))),
  );
  section(
    'in all',
    by(({ totalAmount }) => [{ name: 'total', amount: totalAmount }]),
  );
  return columns(rows, [1, 2, 3, 4]);
}
