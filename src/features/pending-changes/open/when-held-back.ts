/** What an operation answers that waits for another pair of hands; it goes into the operation's `success`. */
import { z } from 'zod';
import { namedActor, timestamp, uuid } from '../../../http/schemas.ts';
import { PENDING_CHANGE_STATUSES } from './pending-change.ts';

const value = z.unknown().meta({ description: 'Of a secret, whether it is set; null where the value is not shown' });

export const pendingChangeResource = z
  .object({
    id: uuid,
    operationId: z.string().meta({ description: 'Of the request that waits' }),
    status: z.enum(PENDING_CHANGE_STATUSES).meta({
      description:
        '`cancelled`: one of its fields was changed meanwhile, by a change that needed no second pair of hands; `expired`: nobody confirmed it in time',
    }),
    fields: z
      .array(
        z.object({
          field: z.string().meta({ description: 'As `payments.dualControl`' }),
          direction: z.enum(['tightens', 'weakens', 'neutral']),
          from: value,
          to: value,
        }),
      )
      .meta({ description: 'All that the request would change' }),
    createdBy: namedActor,
    createdAt: timestamp,
    expiresAt: timestamp.meta({ description: 'From then on it cannot be confirmed' }),
    decidedBy: namedActor.nullable(),
    decidedAt: timestamp.nullable(),
    reason: z.string().nullable().meta({ description: 'Why it was rejected' }),
  })
  .meta({ id: 'PendingChange' });

export const whenHeldBack = {
  status: 202 as const,
  meaning: 'Nothing has changed yet: the request waits for another pair of hands',
  response: z.object({ pendingChange: pendingChangeResource }),
};
