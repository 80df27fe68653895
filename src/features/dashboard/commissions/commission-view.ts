/** One commission as a document: its arithmetic, its lines in the ledger, and what was done with it. */
import type { PageView } from '../../../pages/define-page.ts';
import { type Drawn, type Html, html } from '../../../pages/html.ts';
import { actor, auditOf } from '../../../pages/parts/actor.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { chip, stateChip } from '../../../pages/parts/chips.ts';
import { eventsOf } from '../../../pages/parts/events-of.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { id } from '../../../pages/parts/id.ts';
import { money } from '../../../pages/parts/money.ts';
import { table } from '../../../pages/parts/table.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import { HELD } from '../../events/open/explain-reasons.ts';
import { listMemberLedger } from '../../ledger/ledger-operations.ts';
import type { CommissionFacts, CommissionWhy, Look } from './commission-facts.ts';
import { drawDeeds, offersOf } from './deeds-view.ts';
import { drawDerivation } from './derivation-view.ts';

export function drawCommission(page: Look, facts: CommissionFacts): PageView {
  const { at, can, format } = page;
  const { commission } = facts.why;
  const { amountMinor, currency, eventId } = commission;
  const explain = can('events:read') && html`<a class="button" href="${at(`/sales/${eventId}`)}">The sale, explained</a>`;
  return {
    title: `${format.money(amountMinor, currency)} for ${facts.names.text(commission.userId)}`,
    crumbs: [{ label: 'Commissions', href: at('/commissions') }],
    crumb: id(commission.id),
    actions: html`${auditOf(page, 'commission', commission.id)}${eventsOf(page, commission.id)}${eventsOf(page, eventId, { label: 'Events of its sale' })}${explain}${offersOf(page, facts.why)}`,
    body: html`${card({ body: topFacts(page, facts) })}${beside(mainColumn(page, facts), sideColumn(page, facts))}${drawDeeds(page, facts.why)}`,
  };
}

function topFacts({ at, can, format }: Look, { why, names }: CommissionFacts): Html {
  const { commission, netMinor, derivation } = why;
  const { amountMinor, currency, eventId, externalEventId } = commission;
  const sale = html`<bdi class="break">${externalEventId}</bdi>`;
  return facts(
    [
      { name: 'Member', value: html`<bdi>${names.link(commission.userId)}</bdi>` },
      { name: 'Amount', value: money(format, amountMinor, currency) },
      netMinor !== amountMinor && { name: 'Left of it', value: money(format, netMinor, currency) },
      { name: 'State', value: stateChip(commission.status) },
      { name: 'Sale', value: can('events:read') ? html`<a href="${at(`/sales/${eventId}`)}">${sale}</a>` : sale },
      derivation !== null && {
        name: 'Recomputed now',
        value: derivation.recomputed ? chip('Same to the cent', 'good') : chip('Differs from what is stored', 'bad'),
      },
    ],
    { row: true },
  );
}

function mainColumn(page: Look, all: CommissionFacts): Drawn {
  const { why } = all;
  const how = why.derivation
    ? card({
        title: 'How the amount came about',
        lead: 'From the sale upwards, by the plan in force at the sale.',
        body: drawDerivation(page, { ...all, derivation: why.derivation }),
      })
    : card({ title: 'Where it comes from', body: origin(page, why) });
  return html`${how}${drawLinked(page, why)}${drawLedger(page, why)}`;
}

const ORIGINS: Readonly<Record<string, string>> = {
  reversal: 'It takes back a part of another commission, by a refund or a lost dispute.',
  clawback: 'It takes back what was paid out already. The member owes it until later commissions make up for it.',
  reinstatement: 'It gives again what a dispute had taken back, which was won after all.',
  bonus: 'A bonus that somebody gave by hand.',
  top_up: 'It tops a sale up: what the sale would have paid with the rate of the whole period, less what it has paid.',
  adjustment: 'An adjustment that somebody made by hand.',
  correction: 'A correction that somebody made by hand.',
  write_off: 'It forgives what the member could not be asked for. The company bears it.',
};

function origin({ at }: Look, { commission }: CommissionWhy): Html {
  const { kind, reversesCommissionId: of, aboutEventId: sale } = commission;
  const other = of !== null && html`<p><a href="${at(`/commissions/${of}`)}">The commission that it is about</a></p>`;
  const topped = sale !== null && html`<p><a href="${at(`/sales/${sale}`)}">The sale that it tops up</a></p>`;
  return html`<p>${ORIGINS[sale === null ? kind : 'top_up'] ?? 'No plan has worked it out.'}</p>${topped}${other}`;
}

function drawLinked({ at, format }: Look, { commission, linked }: CommissionWhy): Html | undefined {
  if (linked.length === 0) return undefined;
  return card({
    title: 'What became of it',
    lead: 'Lines are never changed: what takes back is a line of its own.',
    flush: true,
    body: table({
      caption: 'Lines linked to it',
      rows: linked,
      link: (line) => at(`/commissions/${line.id}`),
      columns: [
        { title: 'Kind', cell: ({ kind }) => kind.replaceAll('_', ' ') },
        { title: 'By', secondary: true, cell: ({ externalEventId }) => html`<bdi class="break">${externalEventId}</bdi>` },
        { title: 'When', secondary: true, cell: ({ createdAt }) => exactTime(format, createdAt) },
        { title: 'State', cell: ({ status }) => stateChip(status) },
        { title: 'Amount', number: true, cell: ({ amountMinor }) => money(format, amountMinor, commission.currency) },
      ],
      empty: html``,
    }),
  });
}

const CAUSES: Readonly<Record<string, string>> = { event: 'the sale or refund', clearing: 'clearing', payout: 'payout' };

function drawLedger({ at, can, format }: Look, { commission, ledger }: CommissionWhy): Html {
  const { userId, currency } = commission;
  return card({
    title: 'In the ledger',
    id: 'ledger',
    lead: 'Oldest first. A clearing posts the sum of all that it clears.',
    actions:
      can(listMemberLedger) && html`<a href="${at(`/members/${userId}/ledger`, { currency })}">All postings of the member</a>`,
    flush: true,
    body: table({
      caption: 'Postings',
      rows: ledger,
      columns: [
        { title: 'Posted', cell: ({ recordedAt }) => exactTime(format, recordedAt) },
        {
          title: 'For',
          cell: ({ causeType, causeId }) => {
            const word = CAUSES[causeType] ?? causeType.replaceAll('_', ' ');
            return causeType === 'event' && can('events:read') ? html`<a href="${at(`/sales/${causeId}`)}">${word}</a>` : word;
          },
        },
        { title: 'Account', secondary: true, cell: ({ account }) => html`<code>${account}</code>` },
        { title: 'Journal', secondary: true, cell: ({ journalId }) => id(journalId) },
        { title: 'Amount', number: true, cell: (posting) => money(format, posting.amountMinor, posting.currency) },
      ],
      empty: html`<p class="muted">Nothing was posted for it.</p>`,
    }),
  });
}

function sideColumn(page: Look, { why }: CommissionFacts): Drawn {
  const { commission } = why;
  const { format } = page;
  const { currency, sourceAmountMinor, sourceCurrency, holdCause } = commission;
  const about = facts([
    { name: 'Kind', value: commission.aboutEventId === null ? commission.kind.replaceAll('_', ' ') : 'top-up of a sale' },
    { name: 'Level', value: commission.level === 0 ? 'by hand' : `${commission.level}, paid as ${commission.paidLevel}` },
    holdCause !== null && { name: 'On hold', value: HELD[holdCause] },
    commission.holdReason !== null && { name: 'Because', value: html`<bdi class="break">${commission.holdReason}</bdi>` },
    sourceAmountMinor !== null &&
      sourceCurrency !== null && {
        name: 'Before conversion',
        value: html`${money(format, sourceAmountMinor, sourceCurrency)}, paid in ${currency}`,
      },
    commission.cappedMinor > 0 && {
      name: 'Taken off by a cap',
      value: html`${money(format, commission.cappedMinor, sourceCurrency ?? currency)} (${(commission.cap ?? '').replaceAll('_', ' ')})`,
    },
    { name: 'Sold', value: exactTime(format, commission.occurredAt) },
    { name: 'Made', value: exactTime(format, commission.createdAt) },
    { name: 'Clears', value: exactTime(format, commission.clearsAt) },
  ]);
  return html`${card({ title: 'About', body: about })}${drawActions(page, why)}`;
}

const DONE = { hold: 'Put on hold', release: 'Released', void: 'Voided' } as const;

function drawActions(page: Look, { actions }: CommissionWhy): Html | undefined {
  if (actions.length === 0) return undefined;
  const items = actions.map(
    ({ action, createdBy, recordedAt, fromStatus, toStatus, reason }) =>
      html`<li><p><strong>${DONE[action]}</strong>${createdBy && html` by <bdi>${actor(page, createdBy)}</bdi>`}, ${exactTime(page.format, recordedAt)}</p><p>${stateChip(fromStatus)} <span aria-hidden="true">→</span><span class="unseen">became</span> ${stateChip(toStatus)}</p>${reason !== null && html`<p class="muted break"><bdi>${reason}</bdi></p>`}</li>`,
  );
  return card({ title: 'By hand', body: html`<ul class="deeds">${items}</ul>` });
}
