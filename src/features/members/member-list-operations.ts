/** The public contract of the list of members. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { camelListOf, pageQuery } from '../../http/pagination.ts';
import {
  currency,
  emailOut,
  instant,
  membershipTier,
  queryBoolean,
  text,
  timestamp,
  uuid,
  uuidList,
} from '../../http/schemas.ts';
import { MEMBER_SORTS } from './sorted-members-queries.ts';

/** A cursor of names holds one. */
const MAX_CURSOR = 2500;

const prefix = (max: number) => z.string().min(1, 'must not be empty').max(max, `must have at most ${max} characters`);

const listedMember = z
  .object({
    id: uuid.meta({ description: 'Id' }),
    email: emailOut.meta({ description: 'Address, as it was typed' }),
    name: z.string().nullable().meta({ description: 'Name; null: none given' }),
    externalId: z.string().nullable().meta({ description: "The member's id in the tenant's own system" }),
    membershipTier,
    sponsorId: uuid.nullable().meta({ description: 'Null for a root member' }),
    isActive: z.boolean().meta({ description: 'Whether the member is active' }),
    canRecruit: z.boolean().meta({ description: 'Whether the member may have recruits' }),
    isTestUser: z.boolean().meta({ description: 'Whether it is a test member, which is never paid' }),
    payCurrency: currency.meta({ description: 'Currency that the member is paid in' }),
    referralCode: z.string().meta({ description: "The member's default referral code" }),
    joinedAt: timestamp.meta({ description: 'When the member joined' }),
    updatedAt: timestamp.meta({ description: 'When it last changed' }),
  })
  .meta({ id: 'ListedMember' });

export const listMembers = defineOperation({
  method: 'get',
  path: '/api/v1/members',
  operationId: 'listMembers',
  group: 'Members',
  summary: 'Search members, oldest first unless sorted',
  description: 'All filters given must hold. Every character of `email` and `name` means itself; there are no wildcards.',
  scope: 'members:read',
  query: z.strictObject({
    email: prefix(254).optional().meta({ description: 'Beginning of the email, without regard to case' }),
    name: prefix(255).optional().meta({ description: 'Beginning of the name, without regard to case' }),
    tier: membershipTier.optional().meta({ description: 'Members of this tier' }),
    isActive: queryBoolean.optional().meta({ description: 'Whether the member is active' }),
    sponsorId: uuid.optional().meta({ description: 'The first level of this member' }),
    joinedFrom: instant.optional().meta({ description: 'Joined at this instant or later' }),
    joinedTo: instant.optional().meta({ description: 'Joined before this instant' }),
    externalId: text(255).optional().meta({ description: 'Exact' }),
    ids: uuidList.optional().meta({
      description:
        'These members, as far as there are such, in this order unless `sort` is given; at most 100, with commas between them',
    }),
    sort: z.enum(MEMBER_SORTS).optional().meta({
      description:
        '`joined`: the oldest first; with `-` from the end. `name`: without regard to case, those without a name last in either direction. `downline`: by the number of members below, as it was counted last, some seconds ago. Of a member whose name or downline changes while pages are read it is open on which of them it stands',
    }),
    ...pageQuery,
    cursor: pageQuery.cursor
      .unwrap()
      .max(MAX_CURSOR)
      .optional()
      .meta(pageQuery.cursor.meta() ?? {}),
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(listedMember),
  csv: {
    fileName: 'members.csv',
    columns: [
      'id',
      'email',
      'name',
      'externalId',
      'membershipTier',
      'sponsorId',
      'isActive',
      'canRecruit',
      'isTestUser',
      'payCurrency',
      'referralCode',
      'joinedAt',
      'updatedAt',
    ],
  },
  errors: [],
});
