/** The public contract of groups of members: docs/specification/groups.md. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { camelListOf, pageQuery } from '../../http/pagination.ts';
import { namedActor, text, timestamp } from '../../http/schemas.ts';
import { groupsErrors } from './groups-errors.ts';
import { groupKey, groupPath } from './open/group-key.ts';

const groupStatus = z.enum(['active', 'archived']).meta({
  id: 'GroupStatus',
  description: '`active`: members may come into it; `archived`: it has none, and plans that name it are of the past',
});

const group = z
  .object({
    key: z.string().meta({ description: 'What plans name it by, for ever' }),
    name: z.string().meta({ description: 'Name of the group, for people' }),
    status: groupStatus,
    createdBy: namedActor.nullable().meta({ description: 'Who made it; null of `default`, which is always there' }),
    createdAt: timestamp.meta({ description: 'When it was made' }),
    updatedAt: timestamp.meta({ description: 'When it last changed' }),
  })
  .meta({ id: 'Group' });

export const createGroup = defineOperation({
  method: 'post',
  path: '/api/v1/groups',
  operationId: 'createGroup',
  group: 'Groups',
  summary: 'Make a group of members',
  description:
    'A plan names groups in `scope.groups`, and pays sales of their members alone. The key stays for ever, also once the group is archived. Members that are in no other group are in `default`.',
  scope: 'groups:write',
  hands: 'neutral',
  body: z
    .strictObject({
      key: groupKey.meta({ description: 'Small letters, digits and hyphens; plans name the group by it, for ever' }),
      name: text(100).meta({ description: 'Name of the group, for people' }),
    })
    .meta({ example: { key: 'vip', name: 'VIP partners' } }),
  success: [{ status: 201, meaning: 'Made; `Location` names it' }],
  response: group,
  errors: [groupsErrors.GROUP_EXISTS],
});

export const listGroups = defineOperation({
  method: 'get',
  path: '/api/v1/groups',
  operationId: 'listGroups',
  group: 'Groups',
  summary: 'List groups by key, `default` among them',
  scope: 'groups:read',
  query: z.strictObject({
    status: groupStatus.optional().meta({ description: 'Groups in this status' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(group),
  errors: [],
});

const params = groupPath;

export const getGroup = defineOperation({
  method: 'get',
  path: '/api/v1/groups/{key}',
  operationId: 'getGroup',
  group: 'Groups',
  summary: 'Read a group',
  scope: 'groups:read',
  params,
  success: [{ status: 200, meaning: 'The group' }],
  response: group,
  errors: ['NOT_FOUND'],
});

export const updateGroup = defineOperation({
  method: 'patch',
  path: '/api/v1/groups/{key}',
  operationId: 'updateGroup',
  group: 'Groups',
  summary: 'Rename a group, or bring an archived one back',
  description: '`default` cannot be changed: 409.',
  scope: 'groups:write',
  hands: 'neutral',
  params,
  body: z
    .strictObject({
      name: text(100).optional().meta({ description: 'Name of the group, for people' }),
      status: z.literal('active').optional().meta({ description: '`active` brings an archived group back' }),
    })
    .refine(({ name, status }) => name !== undefined || status !== undefined, 'must set name or status')
    .meta({ example: { name: 'Partners of the first hour' } }),
  success: [{ status: 200, meaning: 'The group as it is now' }],
  response: group,
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});

export const archiveGroup = defineOperation({
  method: 'delete',
  path: '/api/v1/groups/{key}',
  operationId: 'archiveGroup',
  group: 'Groups',
  summary: 'Archive a group that nobody is in',
  description:
    'Its key and its past stay: a sale dated before is paid as it was. 409 while members are in it, or a plan that is in force, or will be, names it; `details` has how many members there are and the plans. `default` cannot be archived.',
  scope: 'groups:write',
  hands: 'neutral',
  params,
  success: [{ status: 200, meaning: 'The group, archived' }],
  response: group,
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});
