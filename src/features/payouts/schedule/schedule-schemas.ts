/** When runs are drafted by themselves, as settings say it: docs/specification/payouts.md#schedule. */
import { z } from 'zod';
import { currency } from '../../../http/schemas.ts';
import { CADENCES, type Cadence, CUTOFFS, DAYS_OF } from '../open/payout-schedule.ts';

const DEFAULT_TIME = '06:00';
const MOST_CURRENCIES = 20;

const cadence = z.enum(CADENCES).meta({
  id: 'PayoutCadence',
  description: '`weekly`: on a day of the week; `twice_a_month`: on two days of the month; `monthly`: on one',
});
const cutoff = z.enum(CUTOFFS).meta({
  id: 'PayoutCutoff',
  description: '`now`: what had cleared at the draft; `end_of_previous_month`: what had cleared when the month began',
});

/** The last day of a month, whichever that is. */
const day = z.union([
  z.int().min(1, 'must be from 1 to 28, or last').max(28, 'must be from 1 to 28, or last'),
  z.literal('last', 'must be from 1 to 28, or last'),
]);

const localTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 06:00');

const shape = {
  currency,
  cadence,
  days: z.array(day).meta({
    description:
      'One, or two of `twice_a_month`. Of `weekly` 1 (Monday) to 7; else 1 to 28, or `last` for the last day of the month',
  }),
};

export const scheduledDrafts = z
  .object({
    ...shape,
    localTime: z.string().meta({ description: "In the tenant's `reportingTimeZone`" }),
    cutoff,
  })
  .meta({ id: 'PayoutSchedule' });

function daysFault(of: Cadence, days: readonly (number | 'last')[]): string | undefined {
  const { count, last } = DAYS_OF[of];
  if (days.length !== count) return count === 1 ? 'must have one day' : 'must have two days';
  if (new Set(days).size !== days.length) return 'must not name one twice';
  const fits = days.every((one) => (one === 'last' ? of !== 'weekly' : one <= last));
  return fits ? undefined : `must be from 1 to ${last}`;
}

const entry = z
  .strictObject({
    ...shape,
    localTime: localTime.default(DEFAULT_TIME).meta({ description: `In the tenant's zone; default ${DEFAULT_TIME}` }),
    cutoff: cutoff.default('now'),
  })
  .superRefine((value, context) => {
    const message = daysFault(value.cadence, value.days);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['days'], message });
  })
  .meta({ id: 'PayoutScheduleBody' });

const whole = z
  .array(entry)
  .max(MOST_CURRENCIES, `must have at most ${MOST_CURRENCIES}`)
  .refine((all) => new Set(all.map((one) => one.currency)).size === all.length, 'must name a currency once')
  .nullish();

export const schedulePatch = whole.meta({
  description: 'When runs are drafted by themselves, as a whole, one for a currency; `null`: never',
});

export const expectedSchedule = whole.meta({
  description:
    'The schedule that `schedule` was made of: where it is another by now, 409 `STATE_CONFLICT`, and nothing changes. Left out: whatever it is',
});
