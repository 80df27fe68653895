/** Members in SQL, for the statements of features that keep something of a member beside its row. */
import { ofTenant, theTenant } from '../../../db/tenant-condition.ts';

interface Renaming {
  name: string;
  nameNorm: string;
  /** Whether it stays whatever a sign-in says; left out: as it is. */
  fixed?: string;
}

/** The name, and as it is looked for. The arguments are parameters of the statement. */
export const renameMember = (memberId: string, { name, nameNorm, fixed = 'name_fixed' }: Renaming): string =>
  `update member set name = ${name}, name_norm = ${nameNorm}, name_fixed = ${fixed}, updated_at = scope_now(:tenantId, :environment)
   where ${ofTenant('member')} and id = ${memberId}`;

/** Emails, as they are compared, that a member had and nobody has now: a select for `in (…)`. Where many rows are compared with them the argument is a parameter: they are read once then. */
export const formerEmailsOf = (memberId: string): string =>
  `select f.email_norm from member_former_email f
   where ${ofTenant('f')} and f.member_id = ${memberId}
     and not exists (select from member o where ${ofTenant('o')} and o.email_norm = f.email_norm and o.id <> f.member_id)`;

/** Since when members are verified, null of those that are not. `rows` is a select in brackets with member_id and verified_at. */
export const setKycApproved = (rows: string): string =>
  `update member m set kyc_approved_at = r.verified_at from ${rows} r
   where ${ofTenant('m')} and m.id = r.member_id`;

/** From now on sales ask what was agreed with the member. The argument is a parameter of the statement. */
export const markAgreed = (memberId: string): string =>
  `update member m set has_override = true where ${ofTenant('m')} and m.id = ${memberId} and not m.has_override`;

/** Local days since a member joined, by the names of its row and of an instant; null before it. Source: docs/specification/rates.md#facts. */
export const ageDays = (member: string, at: string): string => {
  const zone = `(select z.reporting_time_zone from tenant z where ${theTenant('z')})`;
  const joined = `coalesce(${member}.joined_at, ${member}.created_at)`;
  return `case when ${joined} <= ${at} then (${at} at time zone ${zone})::date - (${joined} at time zone ${zone})::date end`;
};
