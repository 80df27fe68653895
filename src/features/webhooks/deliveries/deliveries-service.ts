/** What became of events at endpoints. Source: docs/specification/webhooks.md#attempts. */
import type { z } from 'zod';
import type { Frames } from '../../../db/frame.ts';
import { AppError } from '../../../errors.ts';
import type { CallContext } from '../../../http/operation.ts';
import type { Cursors, Page } from '../../../http/pagination.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import type { SealedEvent } from '../open/event-body.ts';
import { webhooksErrors } from '../open/webhooks-errors.ts';
import type { listWebhookDeliveries } from './deliveries-operations.ts';
import {
  type Attempt,
  type Delivery,
  findDelivery,
  findEventOf,
  listAttempts,
  listDeliveries,
  lockEndpointOf,
  retryDelivery,
} from './deliveries-queries.ts';

type List = z.output<(typeof listWebhookDeliveries)['query'] & {}>;

export interface WholeDelivery {
  delivery: Delivery;
  attempts: Attempt[];
  event: SealedEvent;
}

export interface DeliveriesService {
  list(context: CallContext, query: List): Promise<Page<Delivery>>;
  /** NOT_FOUND. */
  read(context: CallContext, deliveryId: string): Promise<WholeDelivery>;
  /** NOT_FOUND, ENDPOINT_DISABLED. */
  retry(context: CallContext, deliveryId: string): Promise<Delivery>;
}

export function createDeliveriesService({ frames, cursors }: { frames: Frames; cursors: Cursors }): DeliveriesService {
  return {
    async list({ scope }, { limit, cursor, endpointId, eventId, objectId, type, status, from, to }) {
      const filters = { endpointId, eventId, objectId, type, status, from, to };
      const identity = { scope, operationId: 'listWebhookDeliveries', filters };
      const beforeId = cursors.open(cursor, identity);
      const rows = await frames.read(scope, (db) => listDeliveries(db, scope, filters, beforeId, limit + 1));
      return cursors.page(rows, limit, identity, ({ id }) => id);
    },

    read: ({ scope }, deliveryId) =>
      frames.read(
        scope,
        async (db) => {
          const [delivery, attempts, event] = await Promise.all([
            findDelivery(db, scope, deliveryId),
            listAttempts(db, scope, deliveryId),
            findEventOf(db, scope, deliveryId),
          ]);
          if (!delivery || !event) throw noSuchDelivery();
          return { delivery, attempts, event };
        },
        { snapshot: true },
      ),

    retry: ({ scope, guard, shape }, deliveryId) =>
      frames.write(
        scope,
        async (db) => {
          const endpoint = await lockEndpointOf(db, scope, deliveryId);
          if (!endpoint) throw noSuchDelivery();
          if (!endpoint.enabled) {
            throw new AppError(webhooksErrors.ENDPOINT_DISABLED, 'The endpoint of this delivery is disabled or deleted');
          }
          await retryDelivery(db, scope, deliveryId);
          const delivery = await findDelivery(db, scope, deliveryId);
          if (!delivery) throw noSuchDelivery();
          await recordAudit(db, scope, {
            action: 'webhook_delivery.retried',
            by: scope.provenance,
            objectKind: 'webhook_delivery',
            objectId: deliveryId,
            details: { endpointId: endpoint.endpointId },
          });
          return delivery;
        },
        { guard, shape },
      ),
  };
}

function noSuchDelivery(): AppError {
  return new AppError('NOT_FOUND', 'No such delivery');
}
