import { snakeList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import { batchBody, eventBodyFor, manualBody, purchaseBody, reversalBody, statusOf } from './event-bodies.ts';
import { eventBody } from './event-body.ts';
import { getEvent, listEvents, recordBatch } from './events-operations.ts';
import type { EventsService } from './events-service.ts';
import { explainEvent } from './explain/explain-operations.ts';
import { recordManualCommission } from './manual/manual-operations.ts';
import { purchaseOf } from './open/purchase.ts';
import type { BatchService } from './purchases/batch-service.ts';
import { recordPurchase } from './purchases/purchase-operations.ts';
import { previewBody } from './reversals/preview-body.ts';
import { previewReversal } from './reversals/preview-operations.ts';
import { recordChargeback, recordRefund } from './reversals/reversal-operations.ts';

export function eventsRoutes({ events, batches }: { events: EventsService; batches: BatchService }): Route[] {
  return [
    route(
      recordPurchase,
      ({ body, ...context }) => events.record(context, { kind: 'purchase', purchase: purchaseOf(body) }),
      (recorded) => ({ status: statusOf(recorded), body: purchaseBody(recorded.receipt) }),
    ),
    route(
      recordRefund,
      ({ body, ...context }) => events.record(context, { kind: 'refund', input: body }),
      (recorded) => ({ status: statusOf(recorded), body: reversalBody(recorded.receipt) }),
    ),
    route(
      recordChargeback,
      ({ body, ...context }) => events.record(context, { kind: 'chargeback', input: body }),
      (recorded) => ({ status: statusOf(recorded), body: reversalBody(recorded.receipt) }),
    ),
    route(
      previewReversal,
      ({ params, body, ...context }) => events.previewReversal(context, params.event_id, body),
      (preview) => ({ status: 200, body: previewBody(preview) }),
    ),
    route(
      recordManualCommission,
      ({ body, ...context }) => events.record(context, { kind: 'commission', input: body }),
      (recorded) => ({ status: statusOf(recorded), body: manualBody(recorded.receipt) }),
    ),
    route(
      recordBatch,
      ({ body, ...context }) => batches.record(context, { events: body.events, validateOnly: body.validate_only ?? false }),
      (items) => ({ status: 207, body: batchBody(items) }),
    ),
    route(listEvents, ({ query, ...context }) => events.listEvents(context, query), snakeList(eventBody)),
    route(
      getEvent,
      ({ params, ...context }) => events.readEvent(context, params.event_id),
      (event, { member }) => ({ status: 200, body: member ? eventBodyFor(member.memberId, event) : eventBody(event) }),
    ),
    route(explainEvent, ({ params, ...context }) => events.explain(context, params.event_id)),
  ];
}
