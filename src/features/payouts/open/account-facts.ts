/** What a reviewer of verifications learns of payout accounts, as SQL. Source: docs/specification/verification.md#flags. */
import { ofTenant } from '../../../db/tenant-condition.ts';

/** That `o` is an account of another member, and the same as `a`. */
export const IS_SAME_OF_ANOTHER = `${ofTenant('o')} and o.fingerprint = a.fingerprint and o.status <> 'deactivated' and o.member_id <> a.member_id`;

/**
 * That the verdict of an account `a` was found by the name that is stated now: `names` is the digest of the person's, `p`
 * the profile. Approvals from before digests were kept have none, and fall with the name.
 */
export const judgedByStated = (names: string): string => `case
  when a.holder_type = 'business' then a.name_judged_for is not distinct from p.business_name_digest
  when a.name_judged_for is not null then a.name_judged_for = ${names}
  else exists (select from kyc_record k
               where ${ofTenant('k')} and k.member_id = a.member_id and k.status = 'approved' and k.names_digest is null) end`;
