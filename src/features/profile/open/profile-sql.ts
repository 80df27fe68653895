/** Profiles in SQL, for the statements that rename a person. */
import { ofTenant } from '../../../db/tenant-condition.ts';

/**
 * Each name of a profile that there is; null leaves it as it is, and a row whose names are these already is not written.
 * The arguments are parameters of the statement: `:id`, `:givenName`.
 */
export const renameProfile = (memberId: string, { givenName, surname }: { givenName: string; surname: string }): string =>
  `update member_profile set given_name = coalesce(${givenName}, given_name), surname = coalesce(${surname}, surname),
          updated_at = scope_now(:tenantId, :environment)
   where ${ofTenant('member_profile')} and member_id = ${memberId}
     and (coalesce(${givenName}, given_name) is distinct from given_name or coalesce(${surname}, surname) is distinct from surname)`;
