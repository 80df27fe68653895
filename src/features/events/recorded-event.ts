/** What recording an event gives back: the same for the first post and every repeat. */
import type { NamedActor } from '../../actor.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { LineTerms } from '../commissions/open/commission-line.ts';
import type { ContentDigester } from './content-digest.ts';
import { differingFields } from './content-digest.ts';
import type { InsertedEvent, NewEvent } from './event-insert-queries.ts';
import { findEventByExternalId, type StoredEvent } from './events-queries.ts';
import { eventsErrors } from './open/events-errors.ts';
import type { SentEvent } from './open/sent-event.ts';

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
  | 'breakageMinor'
  | 'attributedId'
  | 'attributionRule'
  | 'receiptId'
  | 'purchase'
  | 'disputeId'
  | 'stage'
  | 'evaluation'
  | 'description'
  | 'actor'
  | 'createdBy'
> & { lines: RecordedLine[] };

/** A line as the answer to its event shows it. */
export type RecordedLine = LineTerms & { id: string };

export interface Recorded {
  created: boolean;
  receipt: Receipt;
}

export interface RecorderDeps {
  digester: ContentDigester;
}

/** `more`: what the event itself does not say, as far as the answer to its kind shows it. */
export function recordedOf(
  event: NewEvent,
  inserted: InsertedEvent,
  more: { purchaseExternalId?: string; createdBy?: NamedActor | null } = {},
): Recorded {
  const { purchaseId } = event;
  const lines = event.lines.map((line, index) => ({ ...line, id: inserted.lineIds[index] ?? '' }));
  return {
    created: true,
    receipt: {
      ...event,
      eventId: inserted.eventId,
      receiptId: inserted.receiptId,
      purchase: purchaseId === null ? null : { eventId: purchaseId, externalEventId: more.purchaseExternalId ?? '' },
      createdBy: more.createdBy ?? null,
      lines: lines.toSorted((a, b) => a.level - b.level || a.paidLevel - b.paidLevel || (a.id < b.id ? -1 : 1)),
    },
  };
}

/** The first answer to an event that is known already. EVENT_ID_REUSED when it said something else. */
export async function repeatOf(
  db: Db,
  scope: Scope,
  { externalEventId, content }: SentEvent,
  deps: RecorderDeps,
): Promise<Recorded> {
  const stored = await findEventByExternalId(db, scope, externalEventId);
  if (!stored) throw new Error('a taken external_event_id has no event');
  const fields = differingFields(deps.digester.digest(content), stored.contentDigests);
  if (fields.length > 0) {
    throw new AppError(eventsErrors.EVENT_ID_REUSED, 'This external_event_id was used for other content', {
      details: { fields: fields.map((field) => ({ field, message: 'differs from what was sent first' })) },
    });
  }
  // Lines as they were born, whatever has become of them since.
  const first = stored.evaluation?.firstStatuses;
  const lines = stored.lines.map((line, index) => ({ ...line, status: first?.[index] ?? ('pending' as const) }));
  return { created: false, receipt: { ...stored, lines } };
}
