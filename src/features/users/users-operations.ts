/** The public contract of the Users group: docs/specification/hierarchy.md#members. */
import { z } from 'zod';
import { defineOperation, type Effect } from '../../http/operation.ts';
import { pageQuery, snakePaging } from '../../http/pagination.ts';
import {
  currency,
  email,
  emailOut,
  instant,
  majorSumOut,
  membershipTier,
  queryBoolean,
  text,
  uuid,
  uuidList,
} from '../../http/schemas.ts';
import { groupKey } from '../groups/open/group-key.ts';
import { memberResource, memberStanding } from './open/member-resource.ts';
import { newMemberBody } from './open/new-member.ts';
import { usersErrors } from './open/users-errors.ts';

/** Whoever names a group moves a member into it. */
const movesToGroup: Effect = {
  operationId: 'addGroupMembers',
  when: 'when it names a `group`',
  has: ({ body }) => body.group != null,
};

export const createUser = defineOperation({
  method: 'post',
  path: '/api/v1/users',
  operationId: 'createUser',
  group: 'Users',
  summary: 'Create a member',
  description: [
    '`parent_id` names the sponsor and wins over `referral_code`, which wins over `click_id`; one that is unknown is a 400. With none of them the sponsor is the referrer of the open lead with this email, if there is one and it may recruit; else the member is a root. `parent_id: null` is a root whatever lead there is. A click that is too old, or whose member may not recruit, is passed over.',
    'The email is unique in the tenant and environment, without regard to case; a 409 names the member who has it, or the external id, in `details.existing_id`. A lead with this email becomes `converted`. Why the member stands where it does is in its receipt: GET /api/v1/referrals/attributions?placed_user_id=.',
  ].join(' '),
  scope: 'users:write',
  effects: [movesToGroup],
  body: newMemberBody,
  success: [{ status: 201, meaning: 'Created; `Location` names it' }],
  response: memberResource,
  errors: [usersErrors.EMAIL_EXISTS, usersErrors.EXTERNAL_ID_EXISTS, usersErrors.RECRUITING_DISABLED],
});

export const listUsers = defineOperation({
  method: 'get',
  path: '/api/v1/users',
  operationId: 'listUsers',
  group: 'Users',
  summary: 'List members, oldest first',
  scope: 'users:read',
  query: z.strictObject({
    email: email.optional().meta({ description: 'Exact, without regard to case' }),
    tier: membershipTier.optional().meta({ description: 'Members of this tier' }),
    is_active: queryBoolean.optional().meta({ description: 'Whether the member is active' }),
    parent_id: uuid.optional().meta({ description: 'Members with this sponsor' }),
    external_id: text(255).optional().meta({ description: 'Exact' }),
    ids: uuidList
      .optional()
      .meta({ description: 'These members, as far as there are such; at most 100, with commas between them' }),
    is_test_user: queryBoolean.optional().meta({ description: 'Whether it is a test member, which is never paid' }),
    group: groupKey.optional().meta({ description: 'Members in this group' }),
    standing: memberStanding.optional().meta({ description: 'Members of this standing' }),
    created_from: instant.optional().meta({ description: 'Made at this instant or later' }),
    created_to: instant.optional().meta({ description: 'Made before this instant' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: z.object({
    data: z.array(memberResource).meta({ description: 'The rows' }),
    ...snakePaging,
  }),
  errors: [],
});

export const getUser = defineOperation({
  method: 'get',
  path: '/api/v1/users/{user_id}',
  operationId: 'getUser',
  group: 'Users',
  summary: 'Read a member',
  scope: 'users:read',
  params: z.strictObject({ user_id: uuid }),
  success: [{ status: 200, meaning: 'The member' }],
  response: memberResource,
  errors: ['USER_NOT_FOUND'],
});

export const putUser = defineOperation({
  method: 'put',
  path: '/api/v1/users/by-external-id/{external_id}',
  operationId: 'putUser',
  group: 'Users',
  summary: "Create or change a member by the tenant's own id",
  description: [
    'Without a member of this external id it creates one, as POST /api/v1/users does; `email` is needed then. Of a member that is there it changes what is sent, from now on, and leaves what is not; `null` clears `name` and leaves every other field as it is. What is the same already is not written.',
    'What places a member under its sponsor, and when it joined, counts for the creation alone: `parent_id`, `referral_code` and `joined_at` of a member that is there are not looked at. POST /api/v1/members/{userId}/sponsor moves it.',
    'Of two that come at once one creates the member and the other changes it.',
  ].join('\n\n'),
  scope: 'users:write',
  effects: [movesToGroup],
  params: z.strictObject({ external_id: text(255) }),
  body: newMemberBody
    .extend({
      email: email.optional().meta({ description: 'Needed to create a member' }),
      external_id: text(255).nullish().meta({ description: 'The one of the path, if it is sent' }),
    })
    .meta({ example: { email: 'ada@shop.example', name: 'Ada Example', membership_tier: 'SENIOR' } }),
  success: [
    { status: 200, meaning: 'The member as it is now' },
    { status: 201, meaning: 'Created; `Location` names it' },
  ],
  response: memberResource,
  errors: [usersErrors.EMAIL_EXISTS, usersErrors.EXTERNAL_ID_EXISTS, usersErrors.RECRUITING_DISABLED],
});

export const updateUser = defineOperation({
  method: 'patch',
  path: '/api/v1/users/{user_id}',
  operationId: 'updateUser',
  group: 'Users',
  summary: "Change a member's tier, activity, group or right to recruit, or correct its data",
  description: [
    'Tier, activity and group are kept as dated history: a change counts from `effective_at` (default now, never ahead of now) until the next one, so commissions for earlier sales keep the former values.',
    'What else is sent is corrected as of now, and an audit entry names the fields. A new `email` must be free (409); sessions go on, and the vendors of payments and verifications keep the address that they know. `pay_currency` counts for the lines of later sales. `null` clears `name` and `external_id`.',
    'A member whose data was erased cannot be made active, recruit again, or be corrected: 409.',
  ].join('\n\n'),
  scope: 'users:write',
  effects: [movesToGroup],
  params: z.strictObject({ user_id: uuid }),
  body: z
    .strictObject({
      is_active: z.boolean().optional().meta({ description: 'Whether the member is active' }),
      can_recruit: z.boolean().optional().meta({ description: 'Whether the member may have recruits' }),
      membership_tier: membershipTier.optional().meta({ description: 'The new tier, from `effective_at` on' }),
      group: groupKey.optional().meta({ description: 'Key of the new group, from `effective_at` on' }),
      effective_at: instant.nullish().meta({ description: 'Of tier, activity and group' }),
      reason: text(500).nullish().meta({ description: 'Of the change of tier, activity or group' }),
      email: email.optional().meta({ description: 'A new address' }),
      name: text(255).nullable().optional().meta({ description: 'Full name; null: none' }),
      external_id: text(255).nullable().optional().meta({ description: "Id in the tenant's own system; null: none" }),
      pay_currency: currency.optional(),
      is_test_user: z.boolean().optional().meta({ description: 'Whether it is a test member, which is never paid' }),
    })
    .refine(
      ({ effective_at: _at, reason: _reason, ...set }) => Object.values(set).some((value) => value !== undefined),
      'must set a field of the member',
    )
    .meta({ example: { membership_tier: 'MANAGER', effective_at: '2026-11-01T00:00:00Z', reason: 'Promotion' } }),
  success: [{ status: 200, meaning: 'The member as it is now' }],
  response: memberResource,
  errors: ['USER_NOT_FOUND', 'STATE_CONFLICT', usersErrors.EMAIL_EXISTS, usersErrors.EXTERNAL_ID_EXISTS],
});

export const getUserStatus = defineOperation({
  method: 'get',
  path: '/api/v1/users/status',
  operationId: 'getUserStatus',
  group: 'Users',
  summary: "A member's state and commission balance",
  scope: 'users:read',
  query: z.strictObject({ user_id: uuid }),
  success: [{ status: 200, meaning: 'The member exists' }],
  response: z
    .object({
      user_id: uuid.meta({ description: 'The member' }),
      email: emailOut.meta({ description: "The member's address" }),
      membership_tier: membershipTier.meta({ description: 'Tier of the member now' }),
      is_active: z.boolean().meta({ description: 'Whether the member is active' }),
      can_recruit: z.boolean().meta({ description: 'Whether the member may have recruits' }),
      commission_balance: z
        .object({ ...majorSumOut('pending'), ...majorSumOut('cleared'), ...majorSumOut('paid'), ...majorSumOut('total') })
        .meta({
          description:
            'Folds of the ledger in `currency`. `total` = pending + cleared + processing + paid, so `total` minus the three shown is what is processing.',
        }),
      currency: currency.meta({ description: "The tenant's default currency; balances in others are in the breakdown" }),
    })
    .meta({ id: 'UserStatusResponse' }),
  errors: ['USER_NOT_FOUND'],
});
