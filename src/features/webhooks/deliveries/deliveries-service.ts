/** Deliveries: listed, read, asked for anew. Source: docs/specification/webhooks.md#attempts. */
import type { z } from 'zod';
import type { Frames } from '../../../db/frame.ts';
import { AppError } from '../../../errors.ts';
import type { ActingContext, CallContext, RequestContext } from '../../../http/operation.ts';
import type { Cursors, Page } from '../../../http/pagination.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import { eventFor, readsObject, type SealedEvent } from '../open/event-body.ts';
import type { ScopeOfType } from '../open/event-rights.ts';
import { webhooksErrors } from '../open/webhooks-errors.ts';
import type { listWebhookDeliveries } from './deliveries-operations.ts';
import {
  type Attempt,
  type Delivery,
  findDelivery,
  findEvent,
  listDeliveries,
  readAttempts,
  retryDelivery,
} from './deliveries-queries.ts';

type List = z.output<(typeof listWebhookDeliveries)['query'] & {}>;

export interface WholeDelivery extends Delivery {
  attempts: (Attempt & { answer: string | null })[];
  event: SealedEvent;
}

export interface DeliveriesService {
  list(context: RequestContext, query: List): Promise<Page<Delivery>>;
  /** NOT_FOUND. Without the object, and what was answered, where the caller may not read it. */
  read(context: CallContext, deliveryId: string): Promise<WholeDelivery>;
  /** NOT_FOUND, ENDPOINT_DISABLED. */
  retry(context: ActingContext, deliveryId: string): Promise<Delivery>;
}

export function createDeliveriesService({
  frames,
  cursors,
  scopeOfType,
}: {
  frames: Frames;
  cursors: Cursors;
  scopeOfType: ScopeOfType;
}): DeliveriesService {
  return {
    async list({ scope }, { limit, cursor, endpointId, eventId, objectId, type, status, from, to }) {
      const filters = { endpointId, eventId, objectId, type, status, from, to };
      const list = { scope, operationId: 'listWebhookDeliveries', filters };
      const before = cursors.open(cursor, list);
      const rows = await frames.read(scope, (db) => listDeliveries(db, scope, filters, before, limit + 1));
      return cursors.page(rows, limit, list, ({ id }) => id);
    },

    read: ({ scope }, deliveryId) =>
      frames.read(scope, async (db) => {
        const [delivery, attempts] = await Promise.all([
          findDelivery(db, scope, deliveryId),
          readAttempts(db, scope, deliveryId),
        ]);
        const event = delivery && (await findEvent(db, scope, delivery.eventId));
        if (!event) throw noSuchDelivery();
        const answered = readsObject(event, scope, scopeOfType)
          ? attempts
          : attempts.map((attempt) => ({ ...attempt, answer: null }));
        return { ...delivery, attempts: answered, event: eventFor(event, scope, scopeOfType) };
      }),

    retry: ({ scope, guard, shape }, deliveryId) =>
      frames.write(
        scope,
        async (db) => {
          const enabled = await retryDelivery(db, scope, deliveryId);
          if (enabled === undefined) throw noSuchDelivery();
          if (!enabled)
            throw new AppError(webhooksErrors.ENDPOINT_DISABLED, 'The endpoint of the delivery is disabled or deleted');
          const delivery = await findDelivery(db, scope, deliveryId);
          if (!delivery) throw noSuchDelivery();
          await recordAudit(db, scope, {
            action: 'webhook_delivery.retried',
            by: scope.provenance,
            objectKind: 'webhook_delivery',
            objectId: deliveryId,
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
