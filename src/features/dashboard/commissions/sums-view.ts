/** What commissions come to: by state, and of one member by level. */
import { type Html, html, joined } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { minorOfMajor, money } from '../../../pages/parts/money.ts';
import { bar } from '../../../pages/parts/rungs.ts';
import { sumWithParts } from '../../../pages/parts/sum-with-parts.ts';
import { table } from '../../../pages/parts/table.ts';
import type { CommissionsFacts, Look } from './commissions-facts.ts';

const STATES = ['pending', 'cleared', 'processing', 'paid'] as const;

type Sums = { [N in (typeof STATES)[number]]: number | null } & { [N in `${(typeof STATES)[number]}Exact`]?: string | undefined };

/** Each sum leads to its lines, as far as one list has them all; of several months each month does. */
export function drawStates(page: Look, { breakdown, overview, filters }: CommissionsFacts): Html | undefined {
  const sums: Sums | undefined | null = breakdown?.byStatus ?? overview?.commissions;
  const currency = breakdown?.currency ?? overview?.currency;
  if (!sums || currency === undefined) return undefined;
  const { format } = page;
  const { userId, period = '' } = filters;
  const isWhole = userId !== undefined || period !== '';
  const of = (some: Sums, status: (typeof STATES)[number]): bigint =>
    minorOfMajor(some[status], some[`${status}Exact`], currency);
  const row = STATES.map((status) => ({
    name: status.charAt(0).toUpperCase() + status.slice(1),
    value: isWhole
      ? sumWithParts(page, of(sums, status), { userId, period, currency, status })
      : money(format, of(sums, status), currency),
  }));
  const paid = overview?.commissions?.months.filter((month) => STATES.some((status) => of(month, status) !== 0n)) ?? [];
  const what =
    period !== ''
      ? `Sales of ${format.month(period)}`
      : overview
        ? `Sales from ${format.month(overview.from)} to ${format.month(overview.to)}`
        : 'All sales';
  return card({
    title: 'By state',
    lead: `${what}, in ${currency}. Held lines are part of what is pending; what is reversed counts nowhere.`,
    body: html`${facts(row, { row: true })}${!isWhole && paid.length > 0 && drawMonths(page, paid, currency)}`,
  });
}

/** The ways to the parts of a sum of several months. */
function drawMonths({ at, format }: Look, months: readonly { month: string }[], currency: string): Html {
  const links = months.map(
    ({ month }) => html`<a href="${at('/commissions', { period: month, currency })}">${format.month(month)}</a>`,
  );
  return html`<p class="hint">By month: ${joined(links, ', ')}</p>`;
}

/** From how far below in the team a member's commissions come. */
export function drawLevels(page: Look, { breakdown, filters }: CommissionsFacts): Html | undefined {
  if (!breakdown || breakdown.byLevel.length === 0) return undefined;
  const { at, format } = page;
  const { userId, period } = filters;
  const { byLevel, currency } = breakdown;
  return card({
    title: 'By level',
    lead: 'How far below in the team the sales were. Level 0 is commissions by hand.',
    flush: true,
    body: table({
      caption: 'Commissions by level',
      rows: byLevel,
      link: ({ level }) => at('/commissions', { userId, period, currency, level }),
      columns: [
        { title: 'Level', cell: ({ level }) => (level === 0 ? 'By hand' : `Level ${level}`) },
        { title: 'Lines', number: true, secondary: true, cell: ({ count }) => format.count(count) },
        { title: 'Share', cell: ({ percentage }) => share(percentage, format.percent(percentage / 100)) },
        {
          title: 'Amount',
          number: true,
          cell: ({ amount, amountExact }) => money(format, minorOfMajor(amount, amountExact, currency), currency),
        },
      ],
      empty: html``,
    }),
  });
}

function share(percentage: number, text: string): Html {
  return html`<span class="share">${bar(percentage / 100)}<span>${text}</span></span>`;
}
