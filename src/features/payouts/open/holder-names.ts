/** Whose name a payout account is held under, as SQL for whatever pays. Source: docs/specification/payouts.md#holder-name. */
import { ofTenant } from '../../../db/tenant-condition.ts';

export const HOLDER_TYPES = ['individual', 'business'] as const;
export type HolderType = (typeof HOLDER_TYPES)[number];

export const NAME_MATCHES = ['matched', 'mismatch', 'accepted', 'not_compared'] as const;
export type NameMatch = (typeof NAME_MATCHES)[number];

/** The approved verification `k` and the profile `p` of the member of an account `a`. */
export const JOIN_VERIFIED = `left join kyc_record k on ${ofTenant('k')} and k.member_id = a.member_id and k.status = 'approved'
  left join member_profile p on ${ofTenant('p')} and p.member_id = a.member_id`;

/** That there is a name to compare with which the verdict of `a` was not found by. */
export const NAME_UNJUDGED = `(k.id is not null and (a.name_match is null or a.name_judged_for is distinct from
  case a.holder_type when 'business' then p.business_name_digest else k.names_digest end))`;

/** That nothing is to be paid to `a` because of its holder's name: it is another, or was not compared yet. */
export const NAME_STOPS = `(k.id is not null and (${NAME_UNJUDGED} or (a.name_match = 'mismatch' and a.name_accepted_at is null)))`;
