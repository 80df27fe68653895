import { camelList } from '../../../http/pagination.ts';
import { type Route, route } from '../../../http/route.ts';
import { eventBody } from '../open/event-body.ts';
import { type DeliveryAnswer, getWebhookDelivery, listWebhookDeliveries, retryWebhookDelivery } from './deliveries-operations.ts';
import type { Delivery } from './deliveries-queries.ts';
import type { DeliveriesService } from './deliveries-service.ts';

export function deliveriesRoutes(deliveries: DeliveriesService): Route[] {
  return [
    route(listWebhookDeliveries, ({ query, ...context }) => deliveries.list(context, query), camelList(deliveryBody)),
    route(
      getWebhookDelivery,
      ({ params, ...context }) => deliveries.read(context, params.deliveryId),
      ({ attempts, event, ...delivery }) => ({
        status: 200,
        body: { ...deliveryBody(delivery), attempts, body: eventBody(event) },
      }),
    ),
    route(
      retryWebhookDelivery,
      ({ params, ...context }) => deliveries.retry(context, params.deliveryId),
      (delivery) => ({ status: 200, body: deliveryBody(delivery) }),
    ),
  ];
}

function deliveryBody({ sequence, ...delivery }: Delivery): DeliveryAnswer {
  return { ...delivery, sequence: Number(sequence) };
}
