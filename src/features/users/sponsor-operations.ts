/** The public contract of moving members in the tree. Source: docs/specification/hierarchy.md#moves. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { instant, text, timestamp, uuid } from '../../http/schemas.ts';
import { usersErrors } from './open/users-errors.ts';

const sponsorMove = z
  .object({
    userId: uuid.meta({ description: 'The member' }),
    sponsorId: uuid.nullable().meta({ description: 'As asked for; a later change may hold at present' }),
    formerSponsorId: uuid.nullable().meta({ description: 'The sponsor that held at effectiveAt until this move' }),
    effectiveAt: timestamp
      .nullable()
      .meta({ description: 'When the sponsor begins to count; null: it has been the sponsor since always, and nothing changed' }),
    reason: z.string().nullable().meta({ description: 'Why the member moves' }),
    downlineMoved: z
      .int()
      .meta({ description: 'Members below the moved one that have moved along; 0 when the present sponsor stays' }),
  })
  .meta({ id: 'SponsorMove' });

export type SponsorMoveAnswer = z.input<typeof sponsorMove>;

export const moveMember = defineOperation({
  method: 'post',
  path: '/api/v1/members/{userId}/sponsor',
  operationId: 'moveMember',
  group: 'Members',
  summary: 'Move a member, with its downline, under another sponsor',
  description:
    'The sponsor is kept as dated history: a move counts from `effectiveAt` (default now, never ahead of now) until the next one, so commissions for earlier sales keep the former upline. A move dated before a later one fills its interval and leaves the present sponsor alone. The tree has no cycle at any time: a move that would close one at any instant it counts for is refused. Without `effectiveAt`, a move to the present sponsor changes nothing.',
  scope: 'members:write',
  hands: 'neutral',
  params: z.strictObject({ userId: uuid }),
  body: z
    .strictObject({
      sponsorId: uuid.nullable().meta({ description: 'null makes the member a root' }),
      effectiveAt: instant.nullish().meta({ description: 'From when the new sponsor counts; default now' }),
      reason: text(500).nullish().meta({ description: 'Why the member moves' }),
    })
    .meta({ example: { sponsorId: null, effectiveAt: '2026-11-01T00:00:00Z', reason: 'Now leads a team' } }),
  success: [{ status: 200, meaning: 'Moved, or under that sponsor already' }],
  response: sponsorMove,
  errors: ['USER_NOT_FOUND', usersErrors.CYCLE_DETECTED, usersErrors.RECRUITING_DISABLED],
});
