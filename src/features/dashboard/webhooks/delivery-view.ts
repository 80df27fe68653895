/** One delivery as a document. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { id, shortId } from '../../../pages/parts/id.ts';
import { table } from '../../../pages/parts/table.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import type { getWebhookDelivery } from '../../webhooks/deliveries/deliveries-operations.ts';
import { answerChip, whyNot } from './fault-words.ts';
import { objectOf, prettyJson } from './json.ts';

type Delivery = AnswerOf<typeof getWebhookDelivery>;
type Attempt = Delivery['attempts'][number];

type Look = Pick<PageContext, 'at' | 'can' | 'form' | 'format' | 'opens'>;

export function drawDelivery(page: Look, delivery: Delivery): PageView {
  const { at, format } = page;
  const { eventType, eventId, endpointId, status, nextAttemptAt, settledAt } = delivery;
  const endpoint = `/webhooks/endpoints/${endpointId}`;
  const top = facts(
    [
      { name: 'State', value: stateChip(status) },
      { name: 'Attempts', value: format.count(delivery.attemptCount) },
      status === 'waiting'
        ? { name: 'Next try', value: nextAttemptAt !== null && exactTime(format, nextAttemptAt) }
        : { name: 'Settled', value: settledAt !== null && exactTime(format, settledAt) },
      { name: 'Number in the log', value: format.count(delivery.sequence) },
    ],
    { row: true },
  );
  const about = facts([
    { name: 'Endpoint', value: html`<a href="${at(endpoint)}"><code title="${endpointId}">${shortId(endpointId)}</code></a>` },
    {
      name: 'Event',
      value: html`<a href="${at(`/webhooks/events/${eventId}`)}"><code title="${eventId}">${shortId(eventId)}</code></a>`,
    },
    { name: 'Object', value: objectOf(page, eventType, delivery.objectId) },
    { name: 'Made', value: exactTime(format, delivery.createdAt) },
  ]);
  return {
    title: eventType,
    crumbs: [
      { label: 'Webhooks', href: at('/webhooks') },
      { label: 'Deliveries', href: at('/webhooks/deliveries') },
    ],
    crumb: id(delivery.id),
    actions: html`<a class="button" href="${at('/webhooks/deliveries', { eventId })}">To other endpoints</a>${page.form('retry', { submit: 'Send again', inline: true })}`,
    body: html`${card({ body: top })}${attemptsCard(page, delivery)}${card({
      title: 'What is sent',
      lead: 'Laid out to be read: it is signed and sent without line breaks. The headers are made anew in each attempt.',
      body: html`<div class="stack-small">${about}${prettyJson(delivery.body)}</div>`,
    })}`,
  };
}

function attemptsCard({ format }: Look, { attempts, status, nextAttemptAt }: Delivery): Html {
  const list = table<Attempt>({
    caption: 'Attempts',
    rows: attempts.toReversed(),
    columns: [
      { title: 'Attempt', cell: ({ number }) => format.count(number) },
      { title: 'When', secondary: true, cell: ({ at }) => exactTime(format, at) },
      { title: 'Took', number: true, secondary: true, cell: ({ ms }) => `${format.count(ms)} ms` },
      { title: 'Why not', secondary: true, cell: (attempt) => whyNot(attempt) ?? '–' },
      { title: 'Answer', cell: (attempt) => html`${answerChip(attempt)}${whatItSaid(attempt)}` },
    ],
    empty: empty({ what: 'Attempts appear here', why: 'It was not tried yet.', level: 3 }),
  });
  const next = status === 'waiting' && nextAttemptAt !== null && html`The next one at ${exactTime(format, nextAttemptAt)}.`;
  return card({ title: 'Attempts', lead: html`The last one first. ${next}`, flush: true, body: list });
}

/** As much as is kept of it, in the cell of the answer: a column of its own has no room on a narrow screen. */
function whatItSaid({ answer }: Attempt): Html | false {
  if (answer === null || answer === '') return false;
  return html`<details class="example"><summary>What it said</summary><pre class="json" tabindex="0"><code>${answer}</code></pre></details>`;
}
