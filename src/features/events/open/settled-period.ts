/** What the explanation of a settled period shows: docs/specification/events.md#period. */
import { z } from 'zod';

/** Sums are whole numbers as text: of minor units, or of sales. */
export const settledPeriod = z.object({
  ladder: z.string(),
  /** Local days as YYYY-MM-DD; the last one is not of the period. */
  from_day: z.string(),
  to_day: z.string(),
  run: z.int(),
  /** The currency of the purchases. */
  currency: z.string(),
  measure: z.enum(['base', 'amount', 'sales']),
  sum: z.string(),
  /** Number of the step, from 0. */
  step: z.int(),
  rate_bps: z.int(),
  top_ups: z.array(
    z.object({
      /** The line of the purchase. */
      commission_id: z.string(),
      purchase_event_id: z.string(),
      level: z.int(),
      paid_level: z.int(),
      paid: z.object({ sum: z.string(), step: z.int(), amount_minor: z.int() }),
      settled: z.object({ step: z.int(), amount_minor: z.int() }),
      topped_up_before_minor: z.int(),
      amount_minor: z.int(),
      /** The currency of the line. */
      currency: z.string(),
    }),
  ),
});

export type SettledPeriod = z.infer<typeof settledPeriod>;
