/**
 * What a person has bought, in SQL: for the statements that erase it or export it. Their parameters are `:memberId`,
 * `:emails` and `:emailsNorm` of the person.
 */
import { ofTenant } from '../../../db/tenant-condition.ts';

/** Read once, and each row then found by its key: what is looked through for each row takes minutes for many. */
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

/** `in (…)`: purchases whose customer or buyer is the member. `customers` is `in (…)` of the customers' ids. */
export const purchasesOfPerson = (customers: string = customersOfPerson): string =>
  amongThose(`select p.id from event p where ${ofTenant('p')} and p.customer_id ${customers}
   union
   select b.id from event b where ${ofTenant('b')} and b.buyer_member_id = :memberId and b.kind = 'purchase'`);

/** `in (…)`: those purchases, and of what took them back. */
export const salesOfPerson = (customers?: string): string =>
  amongThose(`select s.id from event s where ${ofTenant('s')} and s.id ${purchasesOfPerson(customers)}
   union
   select r.id from event r where ${ofTenant('r')} and r.purchase_id ${purchasesOfPerson(customers)}`);
