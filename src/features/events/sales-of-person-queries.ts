/** The sales of a person that is erased, by their ids. */
import { raw, replanned } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import type { NamedPerson, Sales } from '../../house/personal.ts';
import { customersOfPerson } from './open/person-sql.ts';

type Row = { id: string };

const findCustomers = replanned<Row, Pick<NamedPerson, 'memberId' | 'emails' | 'emailsNorm'>>(
  ({ memberId, emails, emailsNorm }) =>
    raw(`select x.id from customer x where ${ofTenant('x')} and x.id ${customersOfPerson}`, { memberId, emails, emailsNorm }),
);

const findPurchases = replanned<Row, { memberId: string; customerIds: readonly string[] }>(({ memberId, customerIds }) =>
  raw(
    `select p.id from event p where ${ofTenant('p')} and p.customer_id = any (:customerIds::uuid[])
   union
   select b.id from event b where ${ofTenant('b')} and b.buyer_member_id = :memberId and b.kind = 'purchase'`,
    { memberId, customerIds },
  ),
);

const findReversals = replanned<Row, { purchaseIds: readonly string[] }>(({ purchaseIds }) =>
  raw(`select r.id from event r where ${ofTenant('r')} and r.purchase_id = any (:purchaseIds::uuid[])`, { purchaseIds }),
);

const idsOf = (rows: readonly Row[]): string[] => rows.map(({ id }) => id);

/** Purchases of these customers, and those that name the member as the buyer. */
export async function listPurchasesOfCustomers(
  db: Db,
  scope: Scope,
  memberId: string,
  customerIds: readonly string[],
): Promise<string[]> {
  return idsOf(await db.rows(findPurchases(scope, { memberId, customerIds })));
}

/** The purchases, and the refunds and chargebacks that took them back. */
export async function withReversals(db: Db, scope: Scope, purchaseIds: readonly string[]): Promise<string[]> {
  if (purchaseIds.length === 0) return [];
  return [...purchaseIds, ...idsOf(await db.rows(findReversals(scope, { purchaseIds })))];
}

/** What the person has bought: purchases whose customer or buyer it is. */
export async function findSales(db: Db, scope: Scope, { memberId, emails, emailsNorm }: NamedPerson): Promise<Sales> {
  const customerIds = idsOf(await db.rows(findCustomers(scope, { memberId, emails, emailsNorm })));
  const purchaseIds = await listPurchasesOfCustomers(db, scope, memberId, customerIds);
  return { purchaseIds, saleIds: await withReversals(db, scope, purchaseIds) };
}
