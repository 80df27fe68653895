/** When runs are drafted by themselves, as pure data: docs/specification/payouts.md#schedule. */

export const CADENCES = ['weekly', 'twice_a_month', 'monthly'] as const;
export type Cadence = (typeof CADENCES)[number];

export const CUTOFFS = ['now', 'end_of_previous_month'] as const;
export type Cutoff = (typeof CUTOFFS)[number];

/** How many days a cadence has, and the greatest of them. */
export const DAYS_OF = {
  weekly: { count: 1, last: 7 },
  twice_a_month: { count: 2, last: 28 },
  monthly: { count: 1, last: 28 },
} as const satisfies Record<Cadence, { count: number; last: number }>;

export interface PayoutSchedule {
  currency: string;
  cadence: Cadence;
  /** Of a week from Monday, 1, to 7; else days of a month. */
  days: readonly (number | 'last')[];
  /** HH:MM. */
  localTime: string;
  cutoff: Cutoff;
}

/** What came of a scheduled draft. */
export const SCHEDULE_OUTCOMES = ['DRAFTED', 'SKIPPED_OPEN_DRAFT', 'NOTHING_DUE'] as const;
export type ScheduleOutcome = (typeof SCHEDULE_OUTCOMES)[number];
