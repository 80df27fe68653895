/**
 * What a person has bought, in SQL: for the statements that erase it or export it. Their parameters are `:memberId`,
 * `:emails` and `:emailsNorm` of the person.
 */
import { ofTenant } from '../../../db/tenant-condition.ts';

/**
 * Ids of the customers that are the member: those whose email is one that it has or had, those that are called by such an
 * email, and those of purchases that name the member as the buyer. No index has customers by their email.
 */
export const customersOfPerson = `select c.id from customer c
   where ${ofTenant('c')}
     and (lower(c.email) = any (:emailsNorm) or c.email = any (:emails) or lower(c.external_id) = any (:emailsNorm))
   union
   select b.customer_id from event b where ${ofTenant('b')} and b.buyer_member_id = :memberId and b.customer_id is not null`;

/** Ids of purchases whose customer or buyer is the member. `customers` is a select of the customers' ids. */
export const purchasesOfPerson = (customers: string = customersOfPerson): string =>
  `select p.id from event p join (${customers}) mine on mine.id = p.customer_id where ${ofTenant('p')}
   union
   select b.id from event b where ${ofTenant('b')} and b.buyer_member_id = :memberId and b.kind = 'purchase'`;

/** Ids of those purchases, and of what took them back. */
export const salesOfPerson = (customers?: string): string =>
  `select s.id from (${purchasesOfPerson(customers)}) s
   union
   select r.id from event r join (${purchasesOfPerson(customers)}) s on s.id = r.purchase_id where ${ofTenant('r')}`;
