/** The form of a new endpoint, and its secret in a dialog that must be confirmed. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { dialog } from '../../../pages/parts/dialog.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { copyButton } from '../../../pages/parts/id.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import type { createWebhookEndpoint } from '../../webhooks/endpoints/endpoints-operations.ts';
import { descriptionField, type EventTypes, headerFields, typeFields, urlField } from './endpoint-fields.ts';
import { endpointName, hearsWords } from './endpoints-view.ts';

export function drawNewEndpoint(page: Pick<PageContext, 'at' | 'environment' | 'form'>, types: EventTypes): PageView {
  const form = page.form('create', {
    submit: `Make the endpoint of ${page.environment}`,
    fields: [urlField(), descriptionField(), ...typeFields(types, []), ...headerFields([], 1)],
  });
  return {
    crumbs: [{ label: 'Webhooks', href: page.at('/webhooks') }],
    crumb: 'New endpoint',
    body: card({ body: form }),
  };
}

/** Drawn in answer to the form alone: no address leads here again. */
export function drawSecret(page: Pick<PageContext, 'at' | 'format'>, made: AnswerOf<typeof createWebhookEndpoint>): PageView {
  const { at, format } = page;
  const { id, secret, oldSecretUntil } = made;
  const done = html`<div class="form-end"><a class="button button-main" href="${at(`/webhooks/endpoints/${id}`)}">I have stored it</a></div>`;
  const gone = html`<p>The secret was made, and shown when the form was sent first. It cannot be shown again. If you did not store it, rotate it: that makes another.</p>`;
  const shown = html`<p>Store it now where your receiver finds it, and nowhere else. It is not shown again, to nobody.</p><div class="command secret"><pre tabindex="0"><code>${secret}</code></pre>${copyButton(secret ?? '', 'Copy the secret')}</div>`;
  const overlap =
    oldSecretUntil !== null &&
    html`<p>Until ${exactTime(format, oldSecretUntil)} each event is signed with the old secret as well: a receiver that knows either of them takes it.</p>`;
  const title = 'The secret of the endpoint';
  return {
    title,
    crumbs: [{ label: 'Webhooks', href: at('/webhooks') }],
    body: html`${dialog({ id: 'secret', title, mustConfirm: true, body: html`${secret === null ? gone : shown}${overlap}${done}` })}${card(
      {
        body: facts([
          { name: 'Endpoint', value: html`<bdi class="break">${endpointName(made)}</bdi>` },
          { name: 'Address', value: html`<span class="break">${made.url}</span>` },
          { name: 'Hears', value: hearsWords(made.eventTypes) },
        ]),
      },
    )}`,
  };
}
