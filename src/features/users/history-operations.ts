/** The public contract of a member's dated history. Source: docs/specification/hierarchy.md#as-of. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { membershipTier, timestamp, uuid } from '../../http/schemas.ts';
import { groupKeyOut } from '../groups/open/group-key.ts';
import { memberStanding } from './open/member-resource.ts';

/** A list of values, each with when it began to count, when it was recorded, and why. */
function datedList<Value extends z.ZodRawShape>(value: Value) {
  return z.array(
    z.object({
      ...value,
      validFrom: timestamp.nullable().meta({ description: 'From when the value counts; null: since always' }),
      recordedAt: timestamp.meta({ description: 'When the service recorded it' }),
      reason: z.string().nullable().meta({ description: 'Why, as whoever did it wrote; null: not given' }),
    }),
  );
}

const memberHistory = z
  .object({
    userId: uuid.meta({ description: 'The member' }),
    tier: datedList({ membershipTier }).meta({ description: 'Tiers over time' }),
    activity: datedList({ isActive: z.boolean() }).meta({ description: 'Activity over time' }),
    sponsor: datedList({ sponsorId: uuid.nullable() }).meta({ description: 'Sponsors over time' }),
    group: datedList({ group: groupKeyOut }).meta({ description: 'Keys of groups over time' }),
    standing: datedList({ standing: memberStanding }).meta({ description: 'Standings over time' }),
  })
  .meta({ id: 'MemberHistory' });

export type MemberHistoryAnswer = z.input<typeof memberHistory>;

export const getMemberHistory = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/history',
  operationId: 'getMemberHistory',
  group: 'Members',
  summary: "A member's tiers, activity, sponsors, groups and standings over time",
  description:
    'Oldest first. A value counts from `validFrom` until the next entry does; of entries with the same `validFrom` the last one counts. What has never changed has one entry.',
  scope: 'members:read',
  params: z.strictObject({ userId: uuid }),
  success: [{ status: 200, meaning: 'The history' }],
  response: memberHistory,
  errors: ['USER_NOT_FOUND'],
});
