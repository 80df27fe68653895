/** The log of events, as tenants read it. Source: docs/specification/webhooks.md#log. */
import type { z } from 'zod';
import type { Frames } from '../../../db/frame.ts';
import { AppError } from '../../../errors.ts';
import type { CallContext } from '../../../http/operation.ts';
import type { Cursors, Page } from '../../../http/pagination.ts';
import type { SealedEvent } from '../open/event-body.ts';
import { webhooksErrors } from '../open/webhooks-errors.ts';
import type { listWebhookEvents } from './events-operations.ts';
import { findEvent, listEvents, readHead } from './events-queries.ts';

type List = z.output<(typeof listWebhookEvents)['query'] & {}>;

export interface EventsPage extends Page<SealedEvent> {
  lastSequence: bigint;
}

export interface EventsService {
  /** EVENTS_FORGOTTEN for a number below those that are kept. */
  list(context: CallContext, query: List): Promise<EventsPage>;
  /** NOT_FOUND, also before it has its number. */
  read(context: CallContext, eventId: string): Promise<SealedEvent>;
}

export function createEventsService({ frames, cursors }: { frames: Frames; cursors: Cursors }): EventsService {
  return {
    async list({ scope }, { limit, cursor, afterSequence, type, objectId, from, to }) {
      const filters = { type, objectId, from, to };
      const identity = { scope, operationId: 'listWebhookEvents', filters: { ...filters, afterSequence } };
      const position = cursors.open(cursor, identity);
      const after = BigInt(position ?? afterSequence ?? 0);
      // One state: what is told to be the last is read with what comes before it.
      const { head, rows } = await frames.read(
        scope,
        async (db) => {
          const [head, rows] = await Promise.all([readHead(db, scope), listEvents(db, scope, filters, after, limit + 1)]);
          return { head, rows };
        },
        { snapshot: true },
      );
      if ((position !== undefined || afterSequence !== undefined) && after < head.forgotten) {
        throw new AppError(webhooksErrors.EVENTS_FORGOTTEN, `Events up to number ${head.forgotten} are not kept any more`, {
          details: { oldestSequence: Number(head.forgotten) + 1 },
        });
      }
      const page = cursors.page(rows, limit, identity, ({ sequence }) => String(sequence));
      return { ...page, lastSequence: head.sequence };
    },

    async read({ scope }, eventId) {
      const event = await frames.read(scope, (db) => findEvent(db, scope, eventId));
      if (!event) throw new AppError('NOT_FOUND', 'No such event');
      return event;
    },
  };
}
