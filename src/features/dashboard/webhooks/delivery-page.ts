/** One delivery: what was sent, how each attempt went, and once more. */
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { getWebhookDelivery, retryWebhookDelivery } from '../../webhooks/deliveries/deliveries-operations.ts';
import { drawDelivery } from './delivery-view.ts';

const paramsOf = ({ params }: Pick<PageContext, 'params'>): { deliveryId: string } => ({
  deliveryId: params['deliveryId'] ?? '',
});

export const deliveryPage = definePage({
  path: '/webhooks/deliveries/:deliveryId',
  title: 'Delivery',
  below: '/webhooks',
  needs: [getWebhookDelivery],
  get: async (page) => drawDelivery(page, await page.invoke(getWebhookDelivery, { params: paramsOf(page) })),
  actions: {
    retry: {
      needs: [retryWebhookDelivery],
      async run(page) {
        await page.invoke(retryWebhookDelivery, { params: paramsOf(page) });
        return {
          to: page.here(),
          said: 'The event is sent once more, within a second or so. Open this page again to see how it went.',
        };
      },
    },
  },
});
