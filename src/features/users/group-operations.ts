/** The public contract of who is in which group: docs/specification/groups.md#moving. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { camelListOf, pageQuery } from '../../http/pagination.ts';
import { instant, namedActor, text, timestamp, uuid } from '../../http/schemas.ts';
import { groupPath } from '../groups/open/group-key.ts';

/** That one request moves. */
export const MOST_MOVED = 500;

const params = groupPath;

export const addGroupMembers = defineOperation({
  method: 'post',
  path: '/api/v1/groups/{key}/members',
  operationId: 'addGroupMembers',
  group: 'Groups',
  summary: 'Move members into a group',
  description:
    'A member is in one group at a time: it leaves the one that it was in. The move counts from `effectiveAt` on (default now, never ahead of now): sales of before keep the group of before. All are moved, or none: an id that is no member is a 400 that names it. Without `effectiveAt` a member that is in the group already is left as it is.',
  scope: 'groups:write',
  hands: 'neutral',
  params,
  body: z
    .strictObject({
      userIds: z.array(uuid).min(1).max(MOST_MOVED).meta({ description: 'The members' }),
      effectiveAt: instant.nullish().meta({ description: 'From when it counts; default now' }),
      reason: text(500).nullish().meta({ description: 'Why; it stands in the history of each member' }),
    })
    .meta({
      example: { userIds: ['0199f3a0-0000-7000-8000-000000000001'], reason: 'Sold more than 10,000 in October' },
    }),
  success: [{ status: 200, meaning: 'Moved' }],
  response: z.object({
    group: z.string().meta({ description: 'Key of the group' }),
    moved: z.int().meta({ description: 'How many were moved; the others were there already' }),
  }),
  errors: ['NOT_FOUND'],
});

export const listGroupMembers = defineOperation({
  method: 'get',
  path: '/api/v1/groups/{key}/members',
  operationId: 'listGroupMembers',
  group: 'Groups',
  summary: 'List who is in a group now, oldest members first',
  description: '`GET /api/v1/users?group=` lists the members themselves.',
  scope: 'groups:read',
  params,
  query: z.strictObject(pageQuery),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(
    z
      .object({
        userId: uuid.meta({ description: 'The member' }),
        externalId: z.string().nullable().meta({ description: "The member's id in the tenant's own system" }),
        since: timestamp.nullable().meta({ description: 'From when it is in the group; null: since always' }),
      })
      .meta({ id: 'GroupMember' }),
  ),
  errors: ['NOT_FOUND'],
});

export const listMemberGroups = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/groups',
  operationId: 'listMemberGroups',
  group: 'Groups',
  summary: 'The groups of a member over time',
  description:
    'Oldest first. A value counts from `validFrom` until the next entry does; of entries with the same `validFrom` the last one counts.',
  scope: 'groups:read',
  params: z.strictObject({ userId: uuid }),
  success: [{ status: 200, meaning: 'All of them' }],
  response: z.object({
    data: z.array(
      z
        .object({
          group: z.string().meta({ description: 'Key of the group' }),
          validFrom: timestamp.nullable().meta({ description: 'From when it counts; null: since always' }),
          recordedAt: timestamp.meta({ description: 'When the service recorded it' }),
          reason: z.string().nullable().meta({ description: 'Why, as whoever did it wrote; null: not given' }),
          createdBy: namedActor.nullable().meta({ description: 'Who moved the member; null of the group since always' }),
        })
        .meta({ id: 'MemberGroupEntry' }),
    ),
  }),
  errors: ['USER_NOT_FOUND'],
});
