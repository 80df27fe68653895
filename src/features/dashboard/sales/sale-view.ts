/** One sale, refund, dispute, commission by hand or period: who was paid, and why. Source: docs/specification/pages.md#explain. */
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Drawn, type Html, html } from '../../../pages/html.ts';
import { actor, auditOf } from '../../../pages/parts/actor.ts';
import { drawCandidates, ruleInWords } from '../../../pages/parts/candidates.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { chip, label, stateChip } from '../../../pages/parts/chips.ts';
import { eventsOf } from '../../../pages/parts/events-of.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { id } from '../../../pages/parts/id.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { money } from '../../../pages/parts/money.ts';
import { table } from '../../../pages/parts/table.ts';
import { ago, exactTime } from '../../../pages/parts/time.ts';
import { drawTopUps, periodFacts } from './period-view.ts';
import { drawTakenBack, whatHappened } from './taken-back-view.ts';
import { drawWalk, type Explanation, type SaleEvent } from './walk-view.ts';

export interface SaleFacts {
  event: SaleEvent;
  why: Explanation;
  /** Of a refund or a dispute the sale it is about. */
  purchase: SaleEvent | undefined;
  /** What took this sale back, oldest first. */
  back: readonly { event: SaleEvent; why: Explanation }[];
  names: MemberNames;
}

type Look = Pick<PageContext, 'at' | 'can' | 'format' | 'here'>;

const TITLES = {
  purchase: 'Who was paid for this sale, and why',
  refund: 'What this refund took back, and why',
  chargeback: 'What this dispute did, and why',
  commission: 'A commission by hand',
  period: 'What a member gets for a period, and why',
} as const;

export function drawSale(page: Look, sale: SaleFacts): PageView {
  const { event } = sale;
  return {
    title: TITLES[event.kind],
    crumbs: [
      { label: 'Sales', href: page.at('/sales') },
      ...(event.purchase
        ? [{ label: event.purchase.external_event_id, href: page.at(`/sales/${event.purchase.event_id}`) }]
        : []),
    ],
    crumb: html`<bdi><code class="break">${event.external_event_id}</code></bdi>`,
    actions: actions(page, sale),
    body: html`${card({ body: topFacts(page, sale) })}${beside(mainColumn(page, sale), sideColumn(page, sale))}`,
  };
}

function actions(page: Look, { event, back }: SaleFacts): Html {
  const { kind, event_id, amount_minor } = event;
  const json = html`${eventsOf(page, event_id)}<a class="button" href="${page.here({ as: 'json' })}" download>Download as JSON</a>`;
  // Only what a person or a key decided is in the audit log: the events of a shop are not.
  if (kind === 'commission') return html`${auditOf(page, 'event', event_id)}${json}`;
  if (kind !== 'purchase' || !page.can('events:write')) return json;
  const refund =
    takenBackOf(back) < amount_minor && html`<a class="button" href="${page.at(`/sales/${event_id}/refund`)}">Refund…</a>`;
  return html`${json}<a class="button" href="${page.at(`/sales/${event_id}/dispute`)}">Dispute…</a>${refund}`;
}

/** Gross, in all. */
function takenBackOf(back: SaleFacts['back']): number {
  return back.at(-1)?.why.reversal?.refunded_after_minor ?? 0;
}

function topFacts(page: Look, { event, why, purchase, back, names }: SaleFacts): Html {
  const { format } = page;
  const { currency } = event;
  const lines = page.can('commissions:read') ? page.at('/commissions', { eventId: event.event_id }) : undefined;
  if (event.kind === 'period') return periodFacts(page, event, why, money(format, sumOfLines(event), currency, lines), names);
  if (event.kind === 'commission') {
    return facts(
      [
        { name: 'Amount', value: money(format, sumOfLines(event), currency, lines) },
        { name: 'Kind', value: event.type?.replaceAll('_', ' ') },
        { name: 'State', value: stateChip(event.status) },
        { name: 'Recorded', value: exactTime(format, event.recorded_at) },
      ],
      { row: true },
    );
  }
  if (purchase) {
    return facts(
      [
        { name: whatHappened(event), value: money(format, event.amount_minor, currency) },
        { name: 'Of the sale', value: money(format, purchase.amount_minor, currency, page.at(`/sales/${purchase.event_id}`)) },
        { name: 'Commissions', value: money(format, sumOfLines(event), currency, lines) },
        { name: 'State', value: stateChip(event.status) },
        { name: 'Recorded', value: exactTime(format, event.recorded_at) },
      ],
      { row: true },
    );
  }
  const refunded = takenBackOf(back);
  return facts(
    [
      { name: 'Paid by the customer', value: money(format, event.amount_minor, currency) },
      { name: 'Commissionable', value: money(format, event.base_minor, currency) },
      { name: 'Commissions', value: money(format, sumOfLines(event), currency, lines) },
      { name: 'Kept by the company', value: money(format, event.breakage_minor ?? 0, currency) },
      refunded > 0 && { name: 'Taken back since', value: money(format, refunded, currency, '#taken-back') },
      { name: 'Recomputed now', value: recomputed(why) },
    ],
    { row: true },
  );
}

/** In the currency of the event, also of lines that were converted. */
function sumOfLines({ commissions }: SaleEvent): number {
  return commissions.reduce((sum, line) => sum + (line.source_amount_minor ?? line.amount_minor), 0);
}

function recomputed({ recomputed: same }: Explanation): Html | undefined {
  if (same === null) return undefined;
  return same ? chip('Same to the cent', 'good') : chip('Differs from what is stored', 'bad');
}

function mainColumn(page: Look, sale: SaleFacts): Drawn {
  const { event, why, purchase, back, names } = sale;
  if (event.kind === 'commission') return card({ title: 'Why', body: byHand(page, sale) });
  if (event.kind === 'period') return drawTopUps(page, event, why);
  if (purchase && why.reversal) {
    const { reversal } = why;
    return card({
      title: 'What each line gives back',
      lead: 'Of each line the same share as of the sale, rounded on the total.',
      body: drawTakenBack(page, { ...event, reversal, made: event.commissions, of: purchase.commissions, names }),
    });
  }
  const walk = card({
    title: 'The walk up the sponsors',
    lead: 'From the sale upwards. Everybody who was considered has exactly one outcome.',
    body: drawWalk(page, { event, why, names }),
  });
  if (back.length === 0) return walk;
  const taken = back.flatMap((one) => {
    const { reversal } = one.why;
    if (!reversal) return [];
    const head = html`<a href="${page.at(`/sales/${one.event.event_id}`)}" class="break"><bdi>${one.event.external_event_id}</bdi></a>, ${exactTime(page.format, one.event.occurred_at)}${one.event.created_by && html`, by <bdi>${actor(page, one.event.created_by)}</bdi>`}`;
    return drawTakenBack(page, { ...one.event, reversal, made: one.event.commissions, of: event.commissions, names }, head);
  });
  return html`${walk}${card({ title: 'Taken back', id: 'taken-back', lead: 'Refunds and disputes of this sale, oldest first.', body: html`<div class="stack">${taken}</div>` })}`;
}

function byHand(page: Look, { event, names }: SaleFacts): Html {
  const [line] = event.commissions;
  return facts([
    { name: 'Member', value: line && html`<bdi>${names.link(line.user_id)}</bdi>` },
    { name: 'What for', value: event.description !== null && html`<bdi class="break">${event.description}</bdi>` },
    { name: 'Decided by', value: event.actor !== null && html`<bdi class="break">${event.actor}</bdi>` },
    line && {
      name: 'Commission',
      value: page.can('commissions:read')
        ? html`<a href="${page.at(`/commissions/${line.id}`)}">${stateChip(line.status)}</a>`
        : stateChip(line.status),
    },
  ]);
}

function sideColumn(page: Look, sale: SaleFacts): Drawn {
  const { event, why } = sale;
  return html`${event.kind === 'purchase' && creditedBy(page, sale)}${recordedBy(page, sale)}${ledgerOf(page, sale)}${lineItems(page, event)}${why.inputs === null ? undefined : roomsOf(page, sale)}`;
}

function creditedBy(page: Look, { event, why, names }: SaleFacts): Html {
  const { user_id: credited, rule, receipt_id: receipt } = event.attribution;
  const definition = why.plan?.definition ?? {};
  const plan = why.plan
    ? html`<p class="muted">${versionOf(page, why.plan)}, mode ${wordOf(definition['mode'])}, compression ${wordOf(definition['compression'])}</p>`
    : html`<p class="muted">No plan covers this sale.</p>`;
  const choice = why.plan_choice === null ? undefined : drawChoice(why.plan_choice);
  // Of a sale that says itself whom it is credited to, nobody else was considered.
  const candidates = why.credit?.candidates ?? [];
  const considered = candidates.length > 0 ? drawCandidates(page, { candidates, names }) : undefined;
  const who =
    credited === null
      ? html`<p>Nobody is credited.</p>`
      : considered === undefined && html`<p>${label(ruleInWords(rule))} <bdi>${names.link(credited)}</bdi></p>`;
  const link =
    receipt !== null && page.can('referrals:read')
      ? html`<p><a href="${page.at(`/attributions/${receipt}`)}">Receipt: who was considered, and why each lost</a></p>`
      : undefined;
  return card({ title: 'Credited by', body: html`<div class="stack-small">${who}${considered}${link}${plan}${choice}</div>` });
}

/** A link to the plan for whoever may read it. */
function versionOf(page: Look, { plan_id: planId, version }: NonNullable<Explanation['plan']>): Html {
  const text = html`Plan version ${version}`;
  return page.can('plans:read') ? html`<a href="${page.at(`/plans/${planId}`)}">${text}</a>` : text;
}

/** Where plans name groups: the group that decided, and the plans that cover the sale too. */
function drawChoice({ group, passed_over: passed }: NonNullable<Explanation['plan_choice']>): Html {
  const who =
    group === null
      ? html`Nobody is credited, so plans of groups do not count.`
      : html`Chosen by the group <code>${group}</code>.`;
  const others = passed.map(({ name, message }) => html`<li><bdi>${name}</bdi> ${message}.</li>`);
  return html`<p class="muted">${who}</p>${passed.length > 0 && html`<ul class="lines">${others}</ul>`}`;
}

function recordedBy(page: Look, { event }: SaleFacts): Html {
  const { format } = page;
  const { customer } = event;
  return card({
    title: event.kind === 'purchase' ? 'The sale' : 'The event',
    body: facts([
      { name: 'Made by', value: event.created_by && html`<bdi>${actor(page, event.created_by)}</bdi>` },
      { name: 'Sold', value: exactTime(format, event.occurred_at) },
      { name: 'Recorded', value: exactTime(format, event.recorded_at) },
      { name: 'State', value: stateChip(event.status) },
      event.type !== null && { name: 'Type', value: event.type.replaceAll('_', ' ') },
      customer !== null && {
        name: 'Customer',
        value: html`<a class="break" href="${page.at('/sales', { customer: customer.external_id })}"><bdi>${customer.name ?? customer.email ?? customer.external_id}</bdi></a>`,
      },
      event.dispute_id !== null && { name: 'Dispute', value: html`<bdi><code class="break">${event.dispute_id}</code></bdi>` },
      event.reason !== null && { name: 'Reason', value: html`<bdi class="break">${event.reason}</bdi>` },
      { name: 'Id', value: id(event.event_id) },
    ]),
  });
}

function ledgerOf(page: Look, { event, why, names }: SaleFacts): Html | undefined {
  if (!why.journal) return undefined;
  const { format } = page;
  return card({
    title: 'In the ledger',
    lead: html`Journal ${id(why.journal.id)}, ${ago(format, why.journal.recorded_at)}. Its postings sum to nothing.`,
    flush: true,
    body: table({
      caption: 'Postings',
      rows: why.journal.postings,
      columns: [
        {
          title: 'Account',
          cell: ({ account, user_id }) =>
            html`<code>${account}</code>${user_id !== null && html`<br><bdi>${names.link(user_id)}</bdi>`}`,
        },
        { title: 'Amount', number: true, cell: ({ amount_minor, currency }) => money(format, amount_minor, currency) },
      ],
      empty: html`<p class="muted">${event.status}: nothing was posted.</p>`,
    }),
  });
}

function lineItems({ format }: Look, { line_items: items, currency }: SaleEvent): Html | undefined {
  if (!items || items.length === 0) return undefined;
  return card({
    title: 'What was bought',
    flush: true,
    body: table({
      caption: 'Line items',
      rows: items,
      columns: [
        { title: 'Product', cell: (item) => html`<code class="break">${wordOf(item['sku'])}</code>` },
        { title: 'Category', cell: (item) => (typeof item['category'] === 'string' ? item['category'] : '–') },
        { title: 'Amount', number: true, cell: (item) => money(format, Number(item['amount_minor'] ?? 0), currency) },
      ],
      empty: html``,
    }),
  });
}

/** Rates and caps that were read, where there were any. */
function roomsOf({ format }: Look, { event, why, names }: SaleFacts): Html | undefined {
  const rooms = why.inputs?.member_rooms ?? [];
  const rates = why.inputs?.rates ?? [];
  if (rooms.length === 0 && rates.length === 0) return undefined;
  return card({
    title: 'Read as of the sale',
    body: facts([
      ...rooms.map(({ user_id, room_minor, room_minor_exact }) => ({
        name: 'Left of the cap',
        value: html`<bdi>${names.link(user_id)}</bdi>: ${format.money(room_minor_exact ?? room_minor ?? 0, event.currency)}`,
      })),
      ...rates.map(({ target_currency, numerator, denominator }) => ({
        name: `Rate to ${target_currency}`,
        value: html`${numerator} / ${denominator}`,
      })),
    ]),
  });
}

/** Of a plan or a line item, which hold anything, what is a text. */
function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
