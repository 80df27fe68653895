/** A member as the groups with snake_case bodies show it. */
import { z } from 'zod';
import { currencyOut, emailOut, membershipTier, namedActor, timestamp, uuid } from '../../../http/schemas.ts';
import type { Member } from './member.ts';

export const memberResource = z
  .object({
    id: uuid,
    tenant_id: uuid,
    email: emailOut,
    membership_tier: membershipTier,
    parent_id: uuid.nullable().meta({ description: 'Sponsor; null for a root member' }),
    is_active: z.boolean(),
    can_recruit: z.boolean(),
    is_test_user: z.boolean(),
    name: z.string().nullable(),
    external_id: z.string().nullable().meta({ description: "The member's id in the tenant's own system" }),
    pay_currency: currencyOut,
    referral_code: z.string().meta({ description: "The member's default referral code" }),
    created_by: namedActor.nullable().meta({ description: 'Null of a member from before it was kept' }),
    created_at: timestamp,
    updated_at: timestamp,
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
    name: member.name,
    external_id: member.externalId,
    pay_currency: member.payCurrency,
    referral_code: member.referralCode,
    created_by: member.createdBy,
    created_at: member.createdAt,
    updated_at: member.updatedAt,
  };
}
