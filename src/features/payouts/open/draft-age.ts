/** How old a draft may be before people are told to draw it again. Source: docs/specification/payouts.md#review. */

const STALE_AFTER_DAYS = 1;

/** Whether a draft of a moment is old by another one. */
export function isStaleDraft(draftedAt: Date, now: Date): boolean {
  return now.getTime() - draftedAt.getTime() > STALE_AFTER_DAYS * 86_400_000;
}
