/**
 * A purchase as it will be read once it is stored: what is told of it need not be read behind its insert. It differs from
 * what is read then only where somebody else changes the customer meanwhile. Source: docs/specification/webhooks.md#events.
 */
import { commissionBody } from '../../commissions/open/commission-body.ts';
import { bornHoldReason, type CommissionLine, type NewLine } from '../../commissions/open/commission-line.ts';
import { eventBody } from '../event-body.ts';
import { detailJson, type GivenIds, type InsertedEvent, type NewEvent } from '../event-insert-queries.ts';
import type { EventAnswer } from '../events-operations.ts';
import type { AheadOfEvent, PurchaseFacts } from './purchase-facts-queries.ts';

/** An event that is not stored yet, and whose ids are known. */
export interface IdentifiedEvent extends NewEvent {
  given: GivenIds;
  lines: readonly (NewLine & { givenId: string })[];
}

export interface Foretold {
  /** With the ids that it is told by. */
  event: IdentifiedEvent;
  sale: EventAnswer;
  /** As `toldLines` would read them. */
  lines: { eventId: string; commissions: ReturnType<typeof commissionBody>[] };
}

/** The event with ids that are made already; undefined where there are none, or fewer than it has lines. */
export function withIds(event: NewEvent, ahead: AheadOfEvent | null): IdentifiedEvent | undefined {
  const [eventId, receiptId, ...lineIds] = ahead?.ids ?? [];
  if (!eventId || !receiptId || event.lines.length > lineIds.length) return undefined;
  return {
    ...event,
    given: { eventId, receiptId },
    lines: event.lines.map((line, n) => ({ ...line, givenId: lineIds[n] ?? '' })),
  };
}

/** What storing it will answer. */
export function insertedAs({ given, receipt, lines }: IdentifiedEvent): InsertedEvent {
  return { eventId: given.eventId, receiptId: receipt && given.receiptId, lineIds: lines.map(({ givenId }) => givenId) };
}

/** Undefined where it has more lines than there are ids ahead, or nobody hears of it. */
export function foretell(plain: NewEvent, { ahead, customer: known }: PurchaseFacts): Foretold | undefined {
  const event = withIds(plain, ahead);
  if (!ahead || !event) return undefined;
  const { customer, externalEventId } = event;
  const { eventId, receiptId } = insertedAs(event);
  const lines = event.lines.map((line) => storedLine(line, { eventId, recordedAt: ahead.recordedAt }));
  const sale = eventBody({
    ...event,
    eventId,
    receiptId,
    recordedAt: ahead.recordedAt,
    customer: customer && {
      externalId: customer.externalId,
      email: customer.email ?? known?.email ?? null,
      name: customer.name ?? known?.name ?? null,
    },
    purchase: null,
    createdBy: ahead.createdBy,
    lines,
    metadata: asRead(event.metadata),
    lineItems: asRead(event.lineItems),
  });
  return { event, sale, lines: { eventId, commissions: lines.map((line) => commissionBody({ ...line, externalEventId })) } };
}

function storedLine(
  { calculationHash: _hash, writeOff: _writeOff, givenId: id, ...terms }: IdentifiedEvent['lines'][number],
  { eventId, recordedAt }: { eventId: string } & Pick<AheadOfEvent, 'recordedAt'>,
): CommissionLine {
  return { ...terms, id, eventId, holdReason: bornHoldReason(terms), createdAt: recordedAt, clearedJournalId: null };
}

function asRead(detail: unknown): unknown {
  const json = detailJson(detail);
  return json === null ? null : JSON.parse(json);
}
