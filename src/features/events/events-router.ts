import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import type { BatchService } from './batch-service.ts';
import { batchBody, eventBody, manualBody, purchaseBody, reversalBody, statusOf } from './event-bodies.ts';
import { getEvent, listEvents, recordBatch } from './events-operations.ts';
import type { EventsService } from './events-service.ts';
import { explainEvent } from './explain-operations.ts';
import { recordManualCommission } from './manual-operations.ts';
import { recordPurchase } from './purchase-operations.ts';
import { recordChargeback, recordRefund } from './reversal-operations.ts';

export function mountEvents(
  router: Router,
  mount: Mount,
  { events, batches }: { events: EventsService; batches: BatchService },
): void {
  mount(
    router,
    recordPurchase,
    ({ body, ...context }) => events.record(context, { kind: 'purchase', input: body }),
    (recorded) => ({ status: statusOf(recorded), body: purchaseBody(recorded.receipt) }),
  );
  mount(
    router,
    recordRefund,
    ({ body, ...context }) => events.record(context, { kind: 'refund', input: body }),
    (recorded) => ({ status: statusOf(recorded), body: reversalBody(recorded.receipt) }),
  );
  mount(
    router,
    recordChargeback,
    ({ body, ...context }) => events.record(context, { kind: 'chargeback', input: body }),
    (recorded) => ({ status: statusOf(recorded), body: reversalBody(recorded.receipt) }),
  );
  mount(
    router,
    recordManualCommission,
    ({ body, ...context }) => events.record(context, { kind: 'commission', input: body }),
    (recorded) => ({ status: statusOf(recorded), body: manualBody(recorded.receipt) }),
  );
  mount(
    router,
    recordBatch,
    ({ body, ...context }) => batches.record(context, { events: body.events, validateOnly: body.validate_only ?? false }),
    (items) => ({ status: 207, body: batchBody(items) }),
  );
  mount(
    router,
    listEvents,
    ({ query, ...context }) => events.listEvents(context, query),
    ({ rows, nextCursor }) => ({
      status: 200,
      body: { data: rows.map(eventBody), has_more: nextCursor !== null, next_cursor: nextCursor },
    }),
  );
  mount(
    router,
    getEvent,
    ({ params, ...context }) => events.readEvent(context, params.event_id),
    (event) => ({
      status: 200,
      body: eventBody(event),
    }),
  );
  mount(router, explainEvent, ({ params, ...context }) => events.explain(context, params.event_id));
}
