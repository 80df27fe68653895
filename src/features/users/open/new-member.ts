/** What is sent of a new member: by itself, and as a row of a file. */
import { z } from 'zod';
import { currency, email, instant, membershipTier, text, uuid } from '../../../http/schemas.ts';
import { groupKey } from '../../groups/open/group-key.ts';

export const newMemberBody = z
  .strictObject({
    email,
    membership_tier: membershipTier.nullish().meta({ description: 'Tier of the member; default ORDINARY' }),
    parent_id: uuid
      .nullish()
      .meta({ description: 'The sponsor; `null`: none, whatever lead there is, unless `referral_code` or `click_id` names one' }),
    referral_code: text(64).nullish().meta({ description: "The sponsor's" }),
    click_id: text(255).nullish().meta({ description: 'As the link gave it to the page; the sponsor is whose link it was' }),
    is_active: z.boolean().nullish().meta({ description: 'Whether the member is active; default true' }),
    can_recruit: z.boolean().nullish().meta({ description: 'Whether the member may have recruits; default true' }),
    is_test_user: z.boolean().nullish().meta({ description: 'Whether it is a test member, which is never paid; default false' }),
    name: text(255).nullish().meta({ description: 'Full name' }),
    group: groupKey.nullish().meta({ description: 'Key of its group; default `default`' }),
    joined_at: instant
      .nullish()
      .meta({ description: 'When it came to the tenant, of a member that comes from elsewhere: not ahead of now; default now' }),
    external_id: text(255).nullish().meta({ description: "Id in the tenant's own system" }),
    pay_currency: currency.nullish().meta({ description: "Currency that the member is paid in; default the tenant's" }),
  })
  .meta({
    example: { email: 'ada@shop.example', name: 'Ada Example', membership_tier: 'SENIOR', referral_code: 'F9DZ3HZQDS' },
  });

export type NewMemberInput = z.output<typeof newMemberBody>;
