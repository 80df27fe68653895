/** What is done to an endpoint beside changing it: each in a dialog. */
import type { PageContext } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { dialog } from '../../../pages/parts/dialog.ts';
import {
  deleteWebhookEndpoint,
  replayWebhookEvents,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from '../../webhooks/endpoints/endpoints-operations.ts';
import { type EventTypes, headerFields, MOST_HEADERS } from './endpoint-fields.ts';
import { type Endpoint, endpointName } from './endpoints-view.ts';

type Look = Pick<PageContext, 'can' | 'form'>;

const OVERLAPS = [
  { value: '24', label: 'for a day' },
  { value: '0', label: 'no more: only the new one signs' },
  { value: '1', label: 'for an hour' },
  { value: '72', label: 'for three days' },
];

export function drawDialogs(page: Look, endpoint: Endpoint, types: EventTypes): Html {
  const { can } = page;
  const { enabled } = endpoint;
  return html`${enabled && can(testWebhookEndpoint) && test(page, types)}${enabled && can(replayWebhookEvents) && replay(page)}${can(updateWebhookEndpoint) && html`${headers(page, endpoint)}${toggle(page, enabled)}`}${can(rotateWebhookSecret) && rotate(page)}${can(deleteWebhookEndpoint) && remove(page, endpoint)}`;
}

function test(page: Look, types: EventTypes): Html {
  const form = page.form('test', {
    note: 'An example of that type, with the object id “test”, to this endpoint alone, whatever it hears otherwise.',
    fields: [
      {
        name: 'type',
        label: 'Type',
        type: 'select',
        required: true,
        choices: types.map(({ type }) => ({ value: type, label: type })),
      },
    ],
    submit: 'Send the example',
  });
  return dialog({ id: 'test', title: 'Send a test', body: form });
}

function replay(page: Look): Html {
  const form = page.form('replay', {
    note: 'Under the same event ids, so that a receiver that has one already can tell. The log is kept for 30 days.',
    fields: [
      {
        name: 'which',
        label: 'What is sent again?',
        type: 'radio',
        value: 'failed',
        choices: [
          {
            value: 'failed',
            label: 'What has failed and not arrived',
            hint: 'Also what waits for its next attempt: it is sent at once.',
          },
          { value: 'all', label: 'Everything that it hears', hint: 'Delivered or not.' },
        ],
      },
      { name: 'from', label: 'That happened since', type: 'datetime-local', required: true },
      { name: 'to', label: 'Until', type: 'datetime-local', hint: 'Empty: until now.' },
    ],
    submit: 'Send again',
  });
  return dialog({ id: 'replay', title: 'Send all failed since …', body: form });
}

function headers(page: Look, { headerNames }: Endpoint): Html {
  const form = page.form('headers', {
    note:
      headerNames.length === 0
        ? 'Sent along with each event, as a gateway may ask for.'
        : 'What is kept here replaces all headers, so each value is typed again. Without any name they are taken away.',
    fields: headerFields(headerNames, MOST_HEADERS),
    submit: 'Keep these headers',
  });
  return dialog({ id: 'headers', title: 'Headers of its own', body: form });
}

function toggle(page: Look, enabled: boolean): Html {
  const form = page.form(enabled ? 'disable' : 'enable', {
    note: enabled
      ? 'It is sent nothing until it is enabled again. What waits goes on waiting; what happens meanwhile is not sent to it.'
      : 'It is sent what waits, and hears of what happens from then on: with the objects that you may read, from now on.',
    submit: enabled ? 'Disable the endpoint' : 'Enable the endpoint',
    tone: enabled ? 'danger' : 'main',
  });
  return dialog({ id: 'switch', title: enabled ? 'Disable the endpoint?' : 'Enable the endpoint?', body: form });
}

function rotate(page: Look): Html {
  const form = page.form('rotate', {
    note: 'A new secret signs from now on. It is shown once.',
    fields: [
      {
        name: 'overlapHours',
        label: 'The old secret signs as well',
        type: 'select',
        choices: OVERLAPS,
        value: '24',
        required: true,
      },
    ],
    submit: 'Make the new secret',
  });
  return dialog({ id: 'rotate', title: 'Rotate the secret', body: form });
}

function remove(page: Look, endpoint: Endpoint): Html {
  const form = page.form('delete', {
    note: html`<bdi>${endpointName(endpoint)}</bdi> is sent nothing any more, not even what waits. Its deliveries can be read for 30 days.`,
    submit: 'Delete for good',
    tone: 'danger',
  });
  return dialog({ id: 'delete', title: 'Delete the endpoint for good?', body: form });
}
