/**
 * What a refund or a stage of a dispute would do: each line of the sale with what it gives back, whose balance falls
 * below zero, and the sums. Source: docs/specification/pages.md#previews.
 */
import type { PageContext } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { chip, label, stateChip } from '../../../pages/parts/chips.ts';
import { facts } from '../../../pages/parts/facts.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { money } from '../../../pages/parts/money.ts';
import { bar, dash, distance, rung } from '../../../pages/parts/rungs.ts';
import { table } from '../../../pages/parts/table.ts';
import type { Preview } from './reversal-ground.ts';

type Look = Pick<PageContext, 'at' | 'can' | 'format'>;
type Line = Preview['lines'][number];

/** The sums, on top. */
export function previewFacts({ format }: Look, preview: Preview, paid: number): Html {
  const { amount_minor, refunded_minor, remaining_minor, breakage_minor, currency, kind } = preview;
  const sums = preview.totals.map((total) => ({
    name: preview.totals.length > 1 ? `Commissions, ${total.currency}` : 'Commissions change by',
    value: money(format, total.change_minor ?? total.change_minor_exact ?? 0, total.currency),
  }));
  return facts(
    [
      { name: kind === 'refund' ? 'Refunded now' : 'Disputed', value: money(format, amount_minor, currency) },
      ...(sums.length > 0 ? sums : [{ name: 'Commissions change by', value: money(format, 0, currency) }]),
      breakage_minor !== 0 && { name: 'Kept by the company changes by', value: money(format, breakage_minor, currency) },
      { name: `Taken back of ${format.money(paid, currency)}`, value: money(format, refunded_minor, currency) },
      { name: 'Could still be taken back', value: money(format, remaining_minor, currency) },
    ],
    { row: true },
  );
}

export function drawPreview(page: Look, { preview, names }: { preview: Preview; names: MemberNames }): Html {
  const lines = preview.lines.map((line) => lineRung(page, line, names));
  const none =
    lines.length === 0 &&
    rung('rung-unpaid', dash, html`<p class="rung-why">The sale paid nobody, so nothing is given back.</p>`);
  return html`${card({
    title: 'What each line gives back',
    lead: 'Worked out by recording the event and undoing it. Nothing is stored yet.',
    body: html`<ol class="rungs">${lines}${none}</ol>`,
  })}${drawBalances(page, preview, names)}`;
}

function lineRung({ at, can, format }: Look, line: Line, names: MemberNames): Html {
  const { currency, status_before: before, status_after: after } = line;
  const amount = (minor: number): string => format.money(minor, currency);
  const parts = [
    `${amount(line.amount_minor)} was paid`,
    line.taken_before_minor !== 0 && `${amount(line.taken_before_minor)} of it was taken back before`,
    line.remaining_minor === 0 ? 'nothing is left' : `${amount(line.remaining_minor)} is left`,
  ].filter((part) => part !== false);
  const further = [
    line.is_void && 'It was voided, so nothing changes it.',
    line.entry === 'clawback' && 'It was paid out: the member owes this until later commissions make up for it.',
    line.written_off_minor > 0 && `The company bears ${amount(line.written_off_minor)} of it.`,
    line.written_off_minor < 0 && `${amount(-line.written_off_minor)} that was forgiven is recovered first.`,
  ].filter((text) => text !== false);
  const states =
    before === after
      ? html`<p class="rung-states">${stateChip(after)}</p>`
      : html`<p class="rung-states">${stateChip(before)}<span aria-hidden="true">→</span><span class="unseen"> becomes </span>${stateChip(after)}</p>`;
  const href = can('commissions:read') ? at(`/commissions/${line.commission_id}`) : undefined;
  const left = line.amount_minor > 0 ? line.remaining_minor / line.amount_minor : 0;
  const kind = line.kind === 'commission' ? undefined : label(line.kind.replaceAll('_', ' '));
  return rung(
    line.change_minor === 0 ? 'rung-unpaid' : 'rung-back',
    distance(line.level),
    html`<p class="rung-name"><bdi>${names.link(line.user_id)}</bdi>${kind}</p><div class="rung-share"><div><p class="rung-why">${parts.join(', ')}.${further.map((text) => html`<br>${text}`)}</p>${bar(left)}${states}</div><div class="rung-money">${money(format, line.change_minor, currency, href)}</div></div>`,
  );
}

/** Null of a role that sees no balances. */
function drawBalances({ format }: Look, { balances }: Preview, names: MemberNames): Html | undefined {
  if (balances === null || balances.length === 0) return undefined;
  const sum = (minor: number | null, exact: string | undefined, currency: string): string =>
    format.money(minor ?? exact ?? 0, currency);
  const change = (was: string, is: string): Html =>
    was === is ? html`<span class="muted">${is}</span>` : html`<strong>${is}</strong><br><span class="muted">was ${was}</span>`;
  const below = balances.filter((balance) => balance.becomes_negative).length;
  const lead =
    below === 0
      ? 'Nobody falls below zero by it.'
      : `${below === 1 ? 'One member falls' : `${below} members fall`} below zero, and owe that until later commissions make up for it.`;
  return card({
    title: 'Balances',
    lead,
    flush: true,
    body: table({
      caption: 'Balances before and after',
      rows: balances,
      columns: [
        {
          title: 'Member',
          cell: ({ user_id, becomes_negative }) =>
            html`<bdi>${names.link(user_id)}</bdi>${becomes_negative && html` ${chip('will owe', 'bad')}`}`,
        },
        {
          title: 'Pending',
          number: true,
          cell: (one) =>
            change(
              sum(one.pending_before_minor, one.pending_before_minor_exact, one.currency),
              sum(one.pending_after_minor, one.pending_after_minor_exact, one.currency),
            ),
        },
        {
          title: 'Cleared',
          number: true,
          cell: (one) =>
            change(
              sum(one.cleared_before_minor, one.cleared_before_minor_exact, one.currency),
              sum(one.cleared_after_minor, one.cleared_after_minor_exact, one.currency),
            ),
        },
      ],
      empty: html``,
    }),
  });
}

/** "€4.13 of 3 members", of what is taken back or given again. */
export function changeInWords({ format }: Pick<Look, 'format'>, { lines, totals }: Preview): string | undefined {
  const members = new Set(lines.filter(({ change_minor }) => change_minor !== 0).map(({ user_id }) => user_id)).size;
  if (members === 0) return undefined;
  const sums = totals
    .filter(({ change_minor }) => change_minor !== 0)
    .map(({ change_minor, change_minor_exact, currency }) => {
      const digits = String(change_minor ?? change_minor_exact ?? 0);
      return format.money(digits.replace('-', ''), currency);
    });
  return `${sums.join(' and ')} of ${members === 1 ? 'one member' : `${members} members`}`;
}
