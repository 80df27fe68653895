/** The public contract of the Users group: service-description (Users and leads), api-decisions §2. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { pageQuery } from '../../http/pagination.ts';
import {
  amountMajorOut,
  currency,
  email,
  emailOut,
  instant,
  membershipTier,
  queryBoolean,
  text,
  uuid,
} from '../../http/schemas.ts';
import { memberResource } from './member-resource.ts';

export const createUser = defineOperation({
  method: 'post',
  path: '/api/v1/users',
  operationId: 'createUser',
  group: 'Users',
  summary: 'Create a member',
  description:
    '`parent_id` names the sponsor and wins over `referral_code`; with neither the member is a root. The email is unique in the tenant and environment, without regard to case. A lead with this email becomes `converted`.',
  scope: 'users:write',
  body: z
    .strictObject({
      email,
      membership_tier: membershipTier.nullish().meta({ description: 'Default ORDINARY' }),
      parent_id: uuid.nullish(),
      referral_code: text(64).nullish(),
      is_active: z.boolean().nullish().meta({ description: 'Default true' }),
      can_recruit: z.boolean().nullish().meta({ description: 'Default true' }),
      is_test_user: z.boolean().nullish().meta({ description: 'Default false' }),
      name: text(255).nullish(),
      external_id: text(255).nullish(),
      pay_currency: currency.nullish().meta({ description: "Default the tenant's currency" }),
    })
    .meta({
      example: { email: 'ada@shop.example', name: 'Ada Example', membership_tier: 'SENIOR', referral_code: 'F9DZ3HZQDS' },
    }),
  success: [{ status: 201, meaning: 'Created; `Location` names its status' }],
  response: memberResource,
  errors: ['EMAIL_EXISTS', 'EXTERNAL_ID_EXISTS', 'RECRUITING_DISABLED'],
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
    tier: membershipTier.optional(),
    is_active: queryBoolean.optional(),
    parent_id: uuid.optional(),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: z.object({
    data: z.array(memberResource),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  }),
  errors: [],
});

export const updateUser = defineOperation({
  method: 'patch',
  path: '/api/v1/users/{user_id}',
  operationId: 'updateUser',
  group: 'Users',
  summary: "Change a member's tier, activity or right to recruit",
  description:
    'Tier and activity are kept as dated history: a change counts from `effective_at` (default now, never ahead of now) until the next one, so commissions for earlier sales keep the former values. A member whose data was erased cannot be made active, or recruit, again: 409.',
  scope: 'users:write',
  params: z.strictObject({ user_id: uuid }),
  body: z
    .strictObject({
      is_active: z.boolean().optional(),
      can_recruit: z.boolean().optional(),
      membership_tier: membershipTier.optional(),
      effective_at: instant.nullish(),
      reason: text(500).nullish(),
    })
    .refine(
      (body) => body.is_active !== undefined || body.can_recruit !== undefined || body.membership_tier !== undefined,
      'must set is_active, can_recruit or membership_tier',
    )
    .meta({ example: { membership_tier: 'MANAGER', effective_at: '2026-11-01T00:00:00Z', reason: 'Promotion' } }),
  success: [{ status: 200, meaning: 'The member as it is now' }],
  response: memberResource,
  errors: ['USER_NOT_FOUND', 'STATE_CONFLICT'],
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
      user_id: uuid,
      email: emailOut,
      membership_tier: membershipTier,
      is_active: z.boolean(),
      can_recruit: z.boolean(),
      commission_balance: z
        .object({ pending: amountMajorOut, cleared: amountMajorOut, paid: amountMajorOut, total: amountMajorOut })
        .meta({
          description:
            'Folds of the ledger in `currency`. `total` = pending + cleared + processing + paid, so `total` minus the three shown is what is processing.',
        }),
      currency: currency.meta({ description: "The tenant's default currency; balances in others are in the breakdown" }),
    })
    .meta({ id: 'UserStatusResponse' }),
  errors: ['USER_NOT_FOUND'],
});
