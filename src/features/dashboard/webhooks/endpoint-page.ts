/** One endpoint: how it fares, what it hears, its secret, and what is sent to it again. */
import { invalidField } from '../../../errors.ts';
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { instantOf } from '../../../pages/instants.ts';
import { listWebhookDeliveries } from '../../webhooks/deliveries/deliveries-operations.ts';
import {
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  replayWebhookEvents,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from '../../webhooks/endpoints/endpoints-operations.ts';
import { listWebhookEventTypes } from '../../webhooks/log/events-operations.ts';
import { besideItsField, eventTypesOf, headersAgain, headersOf } from './endpoint-fields.ts';
import { drawEndpoint } from './endpoint-view.ts';
import { drawSecret } from './new-endpoint-view.ts';

const paramsOf = ({ params }: Pick<PageContext, 'params'>): { endpointId: string } => ({
  endpointId: params['endpointId'] ?? '',
});

export const endpointPage = definePage({
  path: '/webhooks/endpoints/:endpointId',
  title: 'Endpoint',
  below: '/webhooks',
  needs: [getWebhookEndpoint, listWebhookEventTypes, listWebhookDeliveries],
  async get(page) {
    const params = paramsOf(page);
    const [endpoint, types, deliveries] = await Promise.all([
      page.invoke(getWebhookEndpoint, { params, query: { with: 'hours' } }),
      page.invoke(listWebhookEventTypes),
      page.invoke(listWebhookDeliveries, { query: { ...params, limit: '10' } }),
    ]);
    return drawEndpoint(page, { endpoint, types: types.data, deliveries: deliveries.data });
  },
  actions: {
    change: {
      needs: [updateWebhookEndpoint],
      async run(page, form) {
        const eventTypes = eventTypesOf(form);
        const headers = headersAgain(form);
        const body = {
          url: form.text('url') ?? '',
          eventTypes,
          description: form.text('description') ?? null,
          ...(headers && { headers }),
        };
        await besideItsField(form, eventTypes, () => page.invoke(updateWebhookEndpoint, { params: paramsOf(page), body }));
        return { to: page.here(), said: 'The endpoint is changed.' };
      },
    },
    headers: {
      needs: [updateWebhookEndpoint],
      async run(page, form) {
        const headers = headersOf(form) ?? null;
        await page.invoke(updateWebhookEndpoint, { params: paramsOf(page), body: { headers } });
        return { to: page.here(), said: headers === null ? 'No header of yours is sent any more.' : 'The headers are kept.' };
      },
    },
    enable: { needs: [updateWebhookEndpoint], run: (page) => becomes(page, true) },
    disable: { needs: [updateWebhookEndpoint], run: (page) => becomes(page, false) },
    rotate: {
      needs: [rotateWebhookSecret],
      async run(page, form) {
        const body = { overlapHours: form.number('overlapHours') };
        return { shownOnce: drawSecret(page, await page.invoke(rotateWebhookSecret, { params: paramsOf(page), body })) };
      },
    },
    test: {
      needs: [testWebhookEndpoint],
      async run(page, form) {
        const type = form.text('type') ?? '';
        const { eventId } = await page.invoke(testWebhookEndpoint, { params: paramsOf(page), body: { type } });
        const to = page.at('/webhooks/deliveries', { eventId });
        return {
          to,
          said: 'The example is written down, and sent within a second or so. Open this page again to see how it went.',
        };
      },
    },
    replay: {
      needs: [replayWebhookEvents],
      async run(page, form) {
        const { timeZone } = page.tenant;
        const from = instantOf(timeZone, 'from', form.text('from'));
        if (from === undefined) throw invalidField('from', 'must be a date');
        const to = instantOf(timeZone, 'to', form.text('to')) ?? page.now.toISOString();
        const body = { from, to, onlyFailed: form.text('which') !== 'all' };
        const { count } = await page.invoke(replayWebhookEvents, { params: paramsOf(page), body });
        const events = count === 1 ? '1 event is' : `${page.format.count(count)} events are`;
        return { to: page.here(), said: `${events} sent again.` };
      },
    },
    delete: {
      needs: [deleteWebhookEndpoint],
      async run(page) {
        await page.invoke(deleteWebhookEndpoint, { params: paramsOf(page) });
        return { to: page.at('/webhooks'), said: 'The endpoint is deleted. What waited for it is sent to nobody.' };
      },
    },
  },
});

async function becomes(page: PageContext, enabled: boolean): Promise<{ to: string; said: string }> {
  await page.invoke(updateWebhookEndpoint, { params: paramsOf(page), body: { enabled } });
  return { to: page.here(), said: enabled ? 'The endpoint is sent events again.' : 'The endpoint is sent nothing now.' };
}
