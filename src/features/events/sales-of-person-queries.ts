/** The sales of a person that is erased, by their ids. */
import { raw, replanned } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';

type Row = { id: string };

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
