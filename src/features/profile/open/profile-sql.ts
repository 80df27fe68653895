/** Profiles in SQL, for the statements that rename a person. */
import { ofTenant } from '../../../db/tenant-condition.ts';

/**
 * Fills the names that a profile lacks, unless a verification was begun: what it is about changes by the profile alone.
 * The arguments are parameters of the statement: `:id`, `:givenName`.
 */
export const renameProfile = (memberId: string, { givenName, surname }: { givenName: string; surname: string }): string =>
  `update member_profile p set given_name = coalesce(p.given_name, ${givenName}), surname = coalesce(p.surname, ${surname}),
          updated_at = scope_now(:tenantId, :environment)
   where ${ofTenant('p')} and p.member_id = ${memberId}
     and ((p.given_name is null and ${givenName}::text is not null) or (p.surname is null and ${surname}::text is not null))
     and not exists (select from kyc_record k where ${ofTenant('k')} and k.member_id = p.member_id)`;
