/** An event as its sender knows it. */
export interface SentEvent {
  /** Its own for ever. */
  externalEventId: string;
  /** What was sent, before defaults: a repeat must say the same. */
  content: Readonly<Record<string, unknown>>;
}
