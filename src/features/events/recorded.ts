/** What recording an event gives back: the same for the first post and every repeat. */
import type { Db, Scope } from '../../db/frame.ts';
import { AppError } from '../../errors.ts';
import type { ContentDigester } from './content-digest.ts';
import { differingFields } from './content-digest.ts';
import type { InsertedEvent, NewEvent } from './event-insert-queries.ts';
import { findEventByExternalId, type StoredEvent } from './events-queries.ts';

/** What an answer shows of an event. */
export type Receipt = Pick<
  StoredEvent,
  | 'eventId'
  | 'externalEventId'
  | 'kind'
  | 'type'
  | 'status'
  | 'amountMinor'
  | 'currency'
  | 'attributedId'
  | 'attributionRule'
  | 'receiptId'
  | 'purchase'
  | 'disputeId'
  | 'stage'
  | 'evaluation'
  | 'description'
  | 'actor'
  | 'lines'
>;

export interface Recorded {
  created: boolean;
  receipt: Receipt;
}

export interface RecorderDeps {
  digester: ContentDigester;
}

/** Every event as it is sent has its own permanent id. */
export interface EventInput extends Record<string, unknown> {
  external_event_id: string;
}

export function recordedOf(event: NewEvent, inserted: InsertedEvent, purchaseExternalId: string | undefined): Recorded {
  const { purchaseId } = event;
  const lines = event.lines.map((line, index) => ({ ...line, id: inserted.lineIds[index] ?? '' }));
  return {
    created: true,
    receipt: {
      ...event,
      eventId: inserted.eventId,
      receiptId: inserted.receiptId,
      purchase: purchaseId === null ? null : { eventId: purchaseId, externalEventId: purchaseExternalId ?? '' },
      lines: lines.toSorted((a, b) => a.level - b.level || a.paidLevel - b.paidLevel || (a.id < b.id ? -1 : 1)),
    },
  };
}

/** The first answer to an event that is known already. EVENT_ID_REUSED when it said something else. */
export async function repeatOf(db: Db, scope: Scope, input: EventInput, deps: RecorderDeps): Promise<Recorded> {
  const stored = await findEventByExternalId(db, scope, input.external_event_id);
  if (!stored) throw new Error('a taken external_event_id has no event');
  const fields = differingFields(deps.digester.digest(input), stored.contentDigests);
  if (fields.length > 0) {
    throw new AppError('EVENT_ID_REUSED', 'This external_event_id was used for other content', {
      details: { fields: fields.map((field) => ({ field, message: 'differs from what was sent first' })) },
    });
  }
  // Lines as they were born, whatever has become of them since.
  const first = stored.evaluation?.firstStatuses;
  const lines = stored.lines.map((line, index) => ({ ...line, status: first?.[index] ?? ('pending' as const) }));
  return { created: false, receipt: { ...stored, lines } };
}
