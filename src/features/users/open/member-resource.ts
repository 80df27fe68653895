/** A member as the groups with snake_case bodies show it. */
import { z } from 'zod';
import { currencyOut, emailOut, membershipTier, namedActor, timestamp, uuid } from '../../../http/schemas.ts';
import { groupKeyOut } from '../../groups/open/group-key.ts';
import { MEMBER_STANDINGS, type Member } from './member.ts';

export const memberStanding = z.enum(MEMBER_STANDINGS).meta({
  id: 'MemberStanding',
  description: '`approved`: paid by the plans; `pending`: not decided yet; `rejected`, `banned`: paid for no sale of this time',
});

export const memberResource = z
  .object({
    id: uuid.meta({ description: 'Id' }),
    tenant_id: uuid.meta({ description: 'The tenant' }),
    email: emailOut.meta({ description: 'Address, as it was typed' }),
    membership_tier: membershipTier.meta({ description: 'Tier of the member' }),
    parent_id: uuid.nullable().meta({ description: 'Sponsor; null for a root member' }),
    is_active: z.boolean().meta({ description: 'Whether the member is active' }),
    can_recruit: z.boolean().meta({ description: 'Whether the member may have recruits' }),
    is_test_user: z.boolean().meta({ description: 'Whether it is a test member, which is never paid' }),
    group: groupKeyOut.meta({ description: 'Key of its group, now' }),
    standing: memberStanding,
    joined_at: timestamp.meta({ description: 'When it came to the tenant' }),
    name: z.string().nullable().meta({ description: 'Full name; null: not given' }),
    external_id: z.string().nullable().meta({ description: "The member's id in the tenant's own system" }),
    pay_currency: currencyOut,
    referral_code: z.string().meta({ description: "The member's default referral code" }),
    created_by: namedActor.nullable().meta({ description: 'Null of a member from before it was kept' }),
    created_at: timestamp.meta({ description: 'When it was made' }),
    updated_at: timestamp.meta({ description: 'When it last changed' }),
  })
  .meta({ id: 'Member' });

type MemberAnswer = z.input<typeof memberResource>;

export function memberBody(member: Member): MemberAnswer {
  return {
    id: member.id,
    tenant_id: member.tenantId,
    email: member.email,
    membership_tier: member.membershipTier,
    parent_id: member.parentId,
    is_active: member.isActive,
    can_recruit: member.canRecruit,
    is_test_user: member.isTestUser,
    group: member.group,
    standing: member.standing,
    joined_at: member.joinedAt,
    name: member.name,
    external_id: member.externalId,
    pay_currency: member.payCurrency,
    referral_code: member.referralCode,
    created_by: member.createdBy,
    created_at: member.createdAt,
    updated_at: member.updatedAt,
  };
}
