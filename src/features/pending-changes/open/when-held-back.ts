/** What an operation answers that waits for another pair of hands; it goes into the operation's `success`. */
import { z } from 'zod';
import { namedActor, timestamp, uuid } from '../../../http/schemas.ts';
import { PENDING_CHANGE_STATUSES } from './pending-change.ts';

const value = z.unknown().meta({ description: 'Of a secret, whether it is set; null where the value is not shown' });

export const pendingChangeStatus = z.enum(PENDING_CHANGE_STATUSES).meta({
  id: 'PendingChangeStatus',
  description:
    '`open`: it waits; `confirmed`, `rejected`: by a second person; `expired`: nobody confirmed it in time; `cancelled`: one of its fields was changed meanwhile, by a change that needed no second pair of hands',
});

export const pendingChangeResource = z
  .object({
    id: uuid.meta({ description: 'Of the change that waits' }),
    operationId: z.string().meta({ description: 'Of the request that waits' }),
    status: pendingChangeStatus,
    fields: z
      .array(
        z
          .object({
            field: z.string().meta({ description: 'As `payments.dualControl`' }),
            direction: z
              .enum(['tightens', 'weakens', 'neutral'])
              .meta({ description: 'What it does to a safeguard: `tightens`, `weakens`, or `neutral`: nothing' }),
            from: value,
            to: value,
          })
          .meta({ id: 'PendingChangeField' }),
      )
      .meta({ description: 'All that the request would change' }),
    createdBy: namedActor.meta({ description: 'Who asked for it' }),
    createdAt: timestamp.meta({ description: 'When it was asked for' }),
    expiresAt: timestamp.meta({ description: 'From then on it cannot be confirmed' }),
    decidedBy: namedActor
      .nullable()
      .meta({ description: 'Who confirmed, rejected or cancelled it, or `system`; null: it waits' }),
    decidedAt: timestamp.nullable().meta({ description: 'When it stopped waiting; null: it waits' }),
    reason: z.string().nullable().meta({ description: 'Why it was rejected; null: nothing was said' }),
  })
  .meta({ id: 'PendingChange' });

export const whenHeldBack = {
  status: 202 as const,
  meaning: 'Nothing has changed yet: the request waits for another pair of hands',
  response: z.object({ pendingChange: pendingChangeResource.meta({ description: 'What waits to be confirmed' }) }),
};

const pendingChangeSnake = z
  .object({
    id: uuid.meta({ description: 'Of the change that waits' }),
    operation_id: pendingChangeResource.shape.operationId,
    status: pendingChangeResource.shape.status,
    fields: pendingChangeResource.shape.fields,
    created_by: namedActor.meta({ description: 'Who asked for it' }),
    created_at: timestamp.meta({ description: 'When it was asked for' }),
    expires_at: pendingChangeResource.shape.expiresAt,
    decided_by: namedActor
      .nullable()
      .meta({ description: 'Who confirmed, rejected or cancelled it, or `system`; null: it waits' }),
    decided_at: timestamp.nullable().meta({ description: 'When it stopped waiting; null: it waits' }),
    reason: pendingChangeResource.shape.reason,
  })
  .meta({ id: 'PendingChangeSnake' });

/** The same of the groups whose fields are in snake_case. */
export const whenHeldBackSnake = {
  ...whenHeldBack,
  response: z.object({ pending_change: pendingChangeSnake.meta({ description: 'What waits to be confirmed' }) }),
  present(waiting: unknown) {
    const { operationId, createdBy, createdAt, expiresAt, decidedBy, decidedAt, ...same } = (
      waiting as z.input<typeof whenHeldBack.response>
    ).pendingChange;
    return {
      pending_change: {
        ...same,
        operation_id: operationId,
        created_by: createdBy,
        created_at: createdAt,
        expires_at: expiresAt,
        decided_by: decidedBy,
        decided_at: decidedAt,
      },
    };
  },
};
