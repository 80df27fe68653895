/**
 * What a person has bought, in SQL: for the statements that erase it or export it. Their parameters are `:memberId`,
 * `:emails` and `:emailsNorm` of the person.
 */
import { ofTenant } from '../../../db/tenant-condition.ts';

/** Read once, and each row then found by its key. Ids of many rows are parameters instead. */
const amongThose = (select: string): string => `in (select unnest(array(${select})))`;

/**
 * `in (…)`: the customers that are the member: those whose email is one that it has or had, those that are called by such an
 * email, and those of purchases that name the member as the buyer. No index has customers by their email.
 */
export const customersOfPerson: string = amongThose(`select c.id from customer c
   where ${ofTenant('c')}
     and (lower(c.email) = any (:emailsNorm) or c.email = any (:emails) or lower(c.external_id) = any (:emailsNorm))
   union
   select b.customer_id from event b where ${ofTenant('b')} and b.buyer_member_id = :memberId and b.customer_id is not null`);
