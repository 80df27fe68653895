/**
 * A purchase as it will be read once it is stored: what is told of it need not be read behind its insert. It differs from
 * what is read then only where somebody else changes the customer meanwhile. Source: docs/specification/webhooks.md#events.
 */
import { commissionBody } from '../../commissions/open/commission-body.ts';
import { bornHoldReason, type CommissionLine, type NewLine } from '../../commissions/open/commission-line.ts';
import { eventBody } from '../event-body.ts';
import { detailJson, type NewEvent } from '../event-insert-queries.ts';
import type { EventAnswer } from '../events-operations.ts';
import type { AheadOfEvent, PurchaseFacts } from './purchase-facts-queries.ts';

export interface Foretold {
  /** With the ids that it is told by. */
  event: NewEvent;
  sale: EventAnswer;
  /** As `toldLines` would read them. */
  lines: { eventId: string; commissions: ReturnType<typeof commissionBody>[] };
}

/** Undefined where it has more lines than there are ids ahead, or nobody hears of it. */
export function foretell(event: NewEvent, { ahead, customer: known }: PurchaseFacts): Foretold | undefined {
  const [eventId, receiptId, ...lineIds] = ahead?.ids ?? [];
  if (!ahead || !eventId || !receiptId || event.lines.length > lineIds.length) return undefined;
  const { customer, externalEventId } = event;
  const lines = event.lines.map((line, n) => storedLine(line, { id: lineIds[n] ?? '', eventId, ...ahead }));
  const sale = eventBody({
    ...event,
    eventId,
    receiptId: event.receipt && receiptId,
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
  return {
    event: {
      ...event,
      given: { eventId, receiptId },
      lines: event.lines.map((line, n) => ({ ...line, givenId: lineIds[n] ?? '' })),
    },
    sale,
    lines: { eventId, commissions: lines.map((line) => commissionBody({ ...line, externalEventId })) },
  };
}

function storedLine(
  { calculationHash: _hash, writeOff: _writeOff, givenId: _id, ...terms }: NewLine,
  { id, eventId, recordedAt }: { id: string; eventId: string } & Pick<AheadOfEvent, 'recordedAt'>,
): CommissionLine {
  return { ...terms, id, eventId, holdReason: bornHoldReason(terms), createdAt: recordedAt, clearedJournalId: null };
}

function asRead(detail: unknown): unknown {
  const json = detailJson(detail);
  return json === null ? null : JSON.parse(json);
}
