/** An event as its sender knows it. */
import { text } from '../../../http/schemas.ts';

/** What the service calls the events that it makes itself; nobody else may call one so. Source: docs/specification/events.md#event-id. */
export const OWN_PREFIX = 'svc:';

/** The id of an event that is sent, whatever its kind. */
export const sentEventId = text(200).refine(
  (id) => !id.startsWith(OWN_PREFIX),
  `must not begin with ${OWN_PREFIX}, which the service calls its own events by`,
);

export interface SentEvent {
  /** Its own for ever. */
  externalEventId: string;
  /** What was sent, before defaults: a repeat must say the same. */
  content: Readonly<Record<string, unknown>>;
}
