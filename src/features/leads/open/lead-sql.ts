/** Leads in SQL, for the statements that make members of them. */
import { SCOPE_KEY, takeLock } from '../../../db/lock-classes.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';

const isOpen = (lead: string, now: string): string =>
  `${lead}.conversion_status in ('captured', 'qualified') and (${lead}.expires_at is null or ${lead}.expires_at > ${now})`;

/** The lead with the email, lower case, whose life is not over. */
export const openLeadOf = (email: string, now: string): string =>
  `select lead.* from lead where ${ofTenant('lead')} and lead.email = ${email} and ${isOpen('lead', now)}`;

/**
 * New members convert the leads with their emails that are still open when they are made. `members` is the name of a CTE
 * with id, created_at and created_by, and `email` the lead's email, lower case: a parameter, or a column of the CTE.
 */
export const convertLeads = (members: string, email: string): string =>
  `update lead set conversion_status = 'converted', converted_member_id = ${members}.id, updated_at = ${members}.created_at,
            updated_by = ${members}.created_by
     from ${members}
     where ${ofTenant('lead')} and lead.email = ${email} and ${isOpen('lead', `${members}.created_at`)}`;

/**
 * The lock by which captures of an email and what makes a member of it come one after another. `email` is a parameter,
 * lower case. It is taken before the lock of the tree.
 */
export const lockEmail = (email: string): string => takeLock('leadEmails', `${SCOPE_KEY} || ':' || ${email}`);
