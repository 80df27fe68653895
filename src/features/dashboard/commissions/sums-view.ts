/** What commissions come to: by state, and of one member by level. */
import { type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { bar } from '../../../pages/parts/rungs.ts';
import { table } from '../../../pages/parts/table.ts';
import type { CommissionsFacts, Look } from './commissions-facts.ts';

const STATES = ['pending', 'cleared', 'processing', 'paid'] as const;

type Sums = { [N in (typeof STATES)[number]]: number | null } & { [N in `${(typeof STATES)[number]}Exact`]?: string | undefined };

/** Each sum leads to its lines, as far as one list has them all: held lines are part of what is pending. */
export function drawStates(page: Look, { breakdown, overview, filters }: CommissionsFacts): Html | undefined {
  const sums: Sums | undefined | null = breakdown?.byStatus ?? overview?.commissions;
  const currency = breakdown?.currency ?? overview?.currency;
  if (!sums || currency === undefined) return undefined;
  const { format, at } = page;
  const { userId, period } = filters;
  const isWhole = userId !== undefined || period !== undefined;
  const row = STATES.map((status) => {
    const shown = majorMoney(page, sums[status] ?? sums[`${status}Exact`] ?? '0', currency);
    const to = at('/commissions', { userId, period, currency, status });
    return {
      name: status.charAt(0).toUpperCase() + status.slice(1),
      value: isWhole ? html`<a class="amount" href="${to}">${shown}</a>` : html`<span class="amount">${shown}</span>`,
    };
  });
  const of =
    period !== undefined && period !== ''
      ? `Sales of ${format.month(period)}`
      : overview
        ? `Sales from ${format.month(overview.from)} to ${format.month(overview.to)}`
        : 'All sales';
  return card({
    title: 'By state',
    lead: `${of}, in ${currency}. Held lines are part of what is pending; what is reversed counts nowhere.`,
    body: facts(row, { row: true }),
  });
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
          cell: ({ amount, amountExact }) => majorMoney(page, amount ?? amountExact ?? '0', currency),
        },
      ],
      empty: html``,
    }),
  });
}

function share(percentage: number, text: string): Html {
  return html`<span class="share">${bar(percentage / 100)}<span>${text}</span></span>`;
}

/** Major units, as the summaries have them; past the exact numbers a text. */
function majorMoney({ format: { locale } }: Look, amount: number | string, currency: string): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount as number);
}
