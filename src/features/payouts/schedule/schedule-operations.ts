/** The public contract of scheduled drafts: docs/specification/payouts.md#schedule. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { timestamp, uuid } from '../../../http/schemas.ts';
import { SCHEDULE_OUTCOMES } from '../open/payout-schedule.ts';
import { scheduledDrafts } from './schedule-schemas.ts';

export const getPayoutSchedule = defineOperation({
  method: 'get',
  path: '/api/v1/payouts/schedule',
  operationId: 'getPayoutSchedule',
  group: 'Payout runs',
  summary: 'When runs are drafted next, by currency',
  description: 'It is set by `payments.schedule` of the settings. Drafts are approved and executed as others are.',
  scope: 'payouts:read',
  success: [{ status: 200, meaning: 'Empty without a schedule' }],
  response: z
    .object({
      data: z
        .array(
          z.object({
            ...scheduledDrafts.shape,
            nextAt: timestamp.meta({ description: 'When the next one is drafted' }),
            last: z
              .object({
                date: z.string().meta({ description: 'The local date that it was due, YYYY-MM-DD' }),
                outcome: z.enum(SCHEDULE_OUTCOMES).meta({
                  id: 'ScheduleOutcome',
                  description:
                    '`DRAFTED`; `SKIPPED_OPEN_DRAFT`: a run of the currency was in draft; `NOTHING_DUE`: nobody was owed anything',
                }),
                runId: uuid.nullable().meta({ description: 'The draft; null: none was made' }),
                at: timestamp.meta({ description: 'When that was' }),
              })
              .nullable()
              .meta({ description: 'The latest; null: none yet' }),
          }),
        )
        .meta({ description: 'By currency' }),
    })
    .meta({ id: 'PayoutSchedules' }),
  errors: [],
});
