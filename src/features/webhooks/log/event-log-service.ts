/** The log of events, for tenants who compare what they heard, and those who would rather ask. Source: docs/specification/webhooks.md#log. */
import type { z } from 'zod';
import type { Frames } from '../../../db/frame.ts';
import { AppError } from '../../../errors.ts';
import type { DeclaredEvent } from '../../../house/events.ts';
import type { CallContext, RequestContext } from '../../../http/operation.ts';
import type { Cursors, Page } from '../../../http/pagination.ts';
import { findEvent } from '../deliveries/deliveries-queries.ts';
import { type EventBody, eventFor, type SealedEvent } from '../open/event-body.ts';
import { exampleBody } from '../open/event-examples.ts';
import type { ScopeOfType } from '../open/event-rights.ts';
import { webhooksErrors } from '../open/webhooks-errors.ts';
import type { listWebhookEvents } from './events-operations.ts';
import { listEvents, readHead } from './events-queries.ts';
import { idsBetween } from './id-range.ts';

type List = z.output<(typeof listWebhookEvents)['query'] & {}>;

export interface ExplainedType {
  type: string;
  meaning: string;
  example: EventBody;
}

export interface EventLogService {
  /** In the order of their numbers. EVENTS_FORGOTTEN where some behind `afterSequence` are there no more. */
  list(context: CallContext, query: List): Promise<Page<SealedEvent> & { lastSequence: bigint }>;
  /** NOT_FOUND. */
  read(context: CallContext, eventId: string): Promise<SealedEvent>;
  types(context: RequestContext): ExplainedType[];
}

export function createEventLogService({
  frames,
  cursors,
  events,
  scopeOfType,
}: {
  frames: Frames;
  cursors: Cursors;
  events: ReadonlyMap<string, DeclaredEvent>;
  scopeOfType: ScopeOfType;
}): EventLogService {
  return {
    async list({ scope }, { limit, cursor, afterSequence, type, objectId, from, to }) {
      const filters = { type, objectId, from, to };
      const list = { scope, operationId: 'listWebhookEvents', filters: { ...filters, afterSequence } };
      const position = cursors.open(cursor, list);
      const after = BigInt(position ?? afterSequence ?? 0);
      return frames.read(
        scope,
        async (db) => {
          const { sequence, forgotten } = await readHead(db, scope);
          const asksForForgotten = (position !== undefined || afterSequence !== undefined) && after < forgotten;
          if (asksForForgotten) {
            throw new AppError(webhooksErrors.EVENTS_FORGOTTEN, `The log begins behind ${forgotten}`, {
              details: {
                oldestSequence: Number(forgotten) + 1,
                fields: [{ field: 'afterSequence', message: `must be at least ${forgotten}` }],
              },
            });
          }
          const rows = await listEvents(db, scope, { ...filters, ...idsBetween(scope, from, to) }, after, limit + 1);
          const shown = rows.map((event) => eventFor(event, scope, scopeOfType));
          return { ...cursors.page(shown, limit, list, (event) => `${event.sequence}`), lastSequence: sequence };
        },
        { snapshot: true },
      );
    },

    async read({ scope }, eventId) {
      const event = await frames.read(scope, (db) => findEvent(db, scope, eventId));
      if (!event) throw new AppError('NOT_FOUND', 'No such event');
      return eventFor(event, scope, scopeOfType);
    },

    types: ({ scope }) =>
      [...events].map(([type, { meaning }]) => ({
        type,
        meaning,
        example: exampleBody(type, scope.environment),
      })),
  };
}
