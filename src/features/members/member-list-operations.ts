/** The public contract of the list of members. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { pageQuery } from '../../http/pagination.ts';
import { currency, emailOut, instant, membershipTier, queryBoolean, timestamp, uuid } from '../../http/schemas.ts';

const prefix = (max: number) => z.string().min(1, 'must not be empty').max(max, `must have at most ${max} characters`);

const listedMember = z
  .object({
    id: uuid,
    email: emailOut,
    name: z.string().nullable(),
    externalId: z.string().nullable().meta({ description: "The member's id in the tenant's own system" }),
    membershipTier,
    sponsorId: uuid.nullable().meta({ description: 'Null for a root member' }),
    isActive: z.boolean(),
    canRecruit: z.boolean(),
    isTestUser: z.boolean(),
    payCurrency: currency,
    referralCode: z.string().meta({ description: "The member's default referral code" }),
    joinedAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'ListedMember' });

export const listMembers = defineOperation({
  method: 'get',
  path: '/api/v1/members',
  operationId: 'listMembers',
  group: 'Members',
  summary: 'Search members, oldest first',
  description: 'All filters given must hold. Every character of `email` and `name` means itself; there are no wildcards.',
  scope: 'members:read',
  query: z.strictObject({
    email: prefix(254).optional().meta({ description: 'Beginning of the email, without regard to case' }),
    name: prefix(255).optional().meta({ description: 'Beginning of the name, without regard to case' }),
    tier: membershipTier.optional(),
    isActive: queryBoolean.optional(),
    sponsorId: uuid.optional().meta({ description: 'The first level of this member' }),
    joinedFrom: instant.optional().meta({ description: 'Joined at this instant or later' }),
    joinedTo: instant.optional().meta({ description: 'Joined before this instant' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: z.object({ data: z.array(listedMember), hasMore: z.boolean(), nextCursor: z.string().nullable() }),
  errors: [],
});
