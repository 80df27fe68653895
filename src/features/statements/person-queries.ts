/** Parts of the statements' SQL: whose a document is. :tenantId is the tenant, :environment the environment. */
import { ofTenant } from '../../db/tenant-condition.ts';

export interface StatementPerson {
  tenantName: string;
  memberId: string;
  email: string;
  /** The name of the identity where it is known, else the one that the member goes by. */
  name: string | null;
  countryCode: string | null;
}

/** From `member m` and `tenant t`; member_profile is joined as `f`. */
export const PERSON_COLUMNS = `t.name as "tenantName", m.id as "memberId", m.email,
  coalesce(nullif(concat_ws(' ', f.given_name, f.surname), ''), m.name) as name, f.country_code as "countryCode"`;

export const PERSON_TABLES = `member m join tenant t on t.id = m.tenant_id
  left join member_profile f on ${ofTenant('f')} and f.member_id = m.id`;
