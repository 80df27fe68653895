/** One payout as a document. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { actor, auditOf } from '../../../pages/parts/actor.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import { dialog, opensDialog } from '../../../pages/parts/dialog.ts';
import { eventsOf } from '../../../pages/parts/events-of.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { id } from '../../../pages/parts/id.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { money } from '../../../pages/parts/money.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { dateOf, exactTime } from '../../../pages/parts/time.ts';
import {
  cancelPayout,
  type getPayout,
  type listPayoutCommissions,
  retryPayout,
  returnPayout,
  settlePayout,
} from '../../payouts/payouts/payouts-operations.ts';
import { amountOf, exactOf } from './amounts.ts';
import { failureWords } from './reasons.ts';

type Payout = AnswerOf<typeof getPayout>;
type Commissions = AnswerOf<typeof listPayoutCommissions>;
type Page = Pick<PageContext, 'at' | 'here' | 'can' | 'opens' | 'form' | 'format' | 'query'>;

interface PayoutFacts {
  payout: Payout;
  commissions: Commissions;
  names: MemberNames;
}

export function drawPayout(page: Page, { payout, commissions, names }: PayoutFacts): PageView {
  const { at, format } = page;
  const { currency, runId } = payout;
  const amount = format.money(exactOf(payout.amountMinor, payout.amountMinorExact), currency);
  const crumbs = [{ label: 'Payouts', href: at('/payouts') }];
  if (runId !== null) crumbs.push({ label: 'Run', href: at(`/payouts/runs/${runId}/watch`) });
  const { buttons, dialogs } = deeds(page, payout, amount);
  return {
    title: `${amount} to ${names.text(payout.userId)}`,
    crumbs,
    crumb: id(payout.id),
    actions: html`${auditOf(page, 'payout', payout.id)}${eventsOf(page, payout.id)}${buttons}`,
    body: html`${card({ body: topFacts(page, payout, names) })}${drawFailure(payout)}${beside(
      drawCommissions(page, payout, commissions),
      html`${drawAbout(page, payout)}${drawAttempts(page, payout)}`,
    )}${dialogs}`,
  };
}

function topFacts({ format }: Page, payout: Payout, names: MemberNames): Html {
  return facts(
    [
      { name: 'Member', value: html`<bdi class="break">${names.link(payout.userId)}</bdi>` },
      { name: 'Amount', value: amountOf(format, payout, payout.currency) },
      { name: 'State', value: stateChip(payout.status) },
      { name: 'Paid', value: payout.paidAt && exactTime(format, payout.paidAt) },
      payout.reference !== null && { name: 'Reference', value: html`<bdi class="break">${payout.reference}</bdi>` },
    ],
    { row: true },
  );
}

function drawFailure({ status, failureCode, failureMessage }: Payout): Html | undefined {
  if (failureCode === null && failureMessage === null) return undefined;
  const tone = status === 'processing' ? 'waiting' : 'bad';
  const title = failureCode !== null ? failureWords(failureCode) : 'It came back';
  const what = status === 'processing' ? 'It is held up: ' : '';
  return html`<div class="notice notice-${tone} run-notice"><div><p><strong>${what}${title}.</strong> ${failureMessage !== null && html`<bdi class="break">${failureMessage}</bdi>`}</p>${failureCode !== null && html`<p><code>${failureCode}</code></p>`}</div></div>`;
}

function drawAbout(page: Page, payout: Payout): Html {
  const { at, format } = page;
  const { runId, provider, payoutAccountId } = payout;
  const by = provider === 'manual' ? 'You, by hand' : 'The payment vendor';
  return card({
    title: 'About',
    body: facts([
      { name: 'Paid by', value: by },
      {
        name: 'Run',
        value:
          runId === null
            ? 'In no run: money that was paid outside the service'
            : html`<a href="${at(`/payouts/runs/${runId}`)}">The run</a>`,
      },
      payoutAccountId !== null && { name: 'Account', value: id(payoutAccountId) },
      { name: 'Commissions', value: format.count(payout.commissionCount) },
      { name: 'Drafted', value: exactTime(format, payout.createdAt) },
      payout.createdBy !== null && { name: 'By', value: html`<bdi>${actor(page, payout.createdBy)}</bdi>` },
      { name: 'Last changed', value: exactTime(format, payout.updatedAt) },
    ]),
  });
}

function drawAttempts(page: Page, { attempts, provider }: Payout): Html | undefined {
  if (attempts.length === 0) return undefined;
  const items = attempts.map(({ attempt, outcome, createdBy, startedAt, endedAt, ...ids }) => {
    const told = facts([
      { name: 'Begun', value: exactTime(page.format, startedAt) },
      { name: 'Ended', value: endedAt && exactTime(page.format, endedAt) },
      createdBy !== null && { name: 'Asked for by', value: html`<bdi>${actor(page, createdBy)}</bdi>` },
      ids.transferId !== null && { name: 'Transfer', value: id(ids.transferId) },
      ids.providerPayoutId !== null && { name: 'Payout at the vendor', value: id(ids.providerPayoutId) },
      ids.reversalId !== null && { name: 'Taken back by', value: id(ids.reversalId) },
    ]);
    return html`<li><p><strong>${attempt}.</strong> ${outcome === null ? stateChip('processing') : stateChip(outcome)}</p>${told}</li>`;
  });
  const lead = provider === 'payvendor' ? 'With the ids by which the vendor knows each.' : undefined;
  return card({ title: 'Attempts', lead, body: html`<ul class="attempts">${items}</ul>` });
}

function drawCommissions(page: Page, { currency }: Payout, { data, nextCursor }: Commissions): Html {
  const { at, format, opens, can } = page;
  return card({
    title: 'The commissions that it pays',
    lead: 'Oldest first. They add up to the amount.',
    flush: true,
    body: html`${table<Commissions['data'][number]>({
      caption: 'Commissions',
      rows: data,
      ...(opens('/commissions/x') && { link: ({ id: line }: { id: string }) => at(`/commissions/${line}`) }),
      columns: [
        { title: 'Kind', cell: ({ kind }) => kind.replaceAll('_', ' ') },
        {
          title: 'Sale',
          secondary: true,
          cell: ({ eventId, externalEventId }) =>
            can('events:read')
              ? html`<a class="break" href="${at(`/sales/${eventId}`)}"><bdi>${externalEventId}</bdi></a>`
              : html`<bdi class="break">${externalEventId}</bdi>`,
        },
        { title: 'State', secondary: true, cell: ({ status }) => stateChip(status) },
        { title: 'Sold', secondary: true, cell: ({ occurredAt }) => dateOf(format, occurredAt) },
        { title: 'Amount', number: true, cell: ({ amountMinor }) => money(format, amountMinor, currency) },
      ],
      empty: html`<p class="muted">It pays no commission.</p>`,
    })}${pagerOf(page, nextCursor)}`,
  });
}

/** What can be done with it now: each names the amount. */
function deeds(page: Page, { status, provider, runId }: Payout, amount: string): { buttons: Html; dialogs: Html } {
  const isManual = provider === 'manual';
  const all = [
    status === 'failed' &&
      runId !== null &&
      page.can(retryPayout) && {
        name: 'retry-payout',
        label: 'Retry…',
        title: 'Try it again?',
        body: page.form('retry', {
          note: 'With the same commissions, to the same account. Where one has changed, the payout is cancelled.',
          submit: `Retry ${amount}`,
        }),
      },
    status === 'processing' &&
      isManual &&
      page.can(settlePayout) && {
        name: 'settle-payout',
        label: 'It is paid…',
        title: 'It was paid',
        body: page.form('settle', {
          fields: [
            {
              name: 'reference',
              label: 'Reference',
              required: true,
              maxLength: 255,
              hint: 'Under which your bank knows it. Write nothing of the person into it.',
            },
            { name: 'paidAt', label: 'Paid on', type: 'date', hint: 'Empty: today.' },
          ],
          submit: `${amount} was paid`,
        }),
      },
    (status === 'processing' || status === 'paid') &&
      isManual &&
      page.can(returnPayout) && {
        name: 'return-payout',
        label: 'It did not arrive…',
        title: 'It did not arrive',
        body: page.form('return', {
          note: 'The commissions are cleared again, and the next run pays them.',
          fields: [{ name: 'reason', label: 'Why', required: true, maxLength: 500 }],
          submit: `${amount} did not arrive`,
          tone: 'danger',
        }),
      },
    status === 'queued' &&
      page.can(cancelPayout) && {
        name: 'cancel-payout',
        label: 'Cancel it…',
        title: 'Cancel this payout?',
        body: page.form('cancel', {
          note: 'Its commissions are free for the next run.',
          submit: `Cancel ${amount}`,
          tone: 'danger',
        }),
      },
  ].filter((deed) => deed !== false);
  return {
    buttons: html`${all.map(({ name, label }) => opensDialog(name, label))}`,
    dialogs: html`${all.map(({ name, title, body }) => dialog({ id: name, title, body }))}`,
  };
}
