/** What a member has bought, as it is erased and as its data is exported, in SQL. */
import { raw, replanned, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { byId, type ExportList, exportList, type NamedPerson, ofMember, type Sales, utc } from '../../house/personal.ts';
import { formerEmailsOf } from '../users/open/member-sql.ts';
import { customersOfPerson } from './open/person-sql.ts';
import { listPurchasesOfCustomers, withReversals } from './sales-of-person-queries.ts';

type OfPerson = Pick<NamedPerson, 'memberId' | 'emails' | 'emailsNorm'>;

/**
 * A customer is recognised by nothing afterwards: what it buys next is bought by a customer that nobody knows. Its external id
 * is a key, so the row is locked against purchases that refer to it, too: what is listed behind this has all of them.
 */
const erase = statement<{ id: string; externalId: string }, OfPerson>('erasure_customers', ({ memberId, emails, emailsNorm }) =>
  raw(
    `update customer x set email = null, email_norm = null, name = null, external_id = 'erased-' || gen_random_uuid(),
          updated_at = scope_now(:tenantId, :environment)
   where ${ofTenant('x')} and x.id ${customersOfPerson}
   returning x.id, old.external_id as "externalId"`,
    { memberId, emails, emailsNorm },
  ),
);

const findManual = replanned<{ id: string }, { memberId: string }>(({ memberId }) =>
  raw(
    `select l.event_id as id from commission_line l
   where ${ofTenant('l')} and l.beneficiary_id = :memberId and l.source = 'manual'`,
    { memberId },
  ),
);

const eraseDetails = replanned<unknown, { eventIds: readonly string[] }>(({ eventIds }) =>
  raw(
    `update event_detail d set metadata = null, line_items = null, discount_code = null, customer_country = null, description = null, actor = null
   where ${ofTenant('d')} and d.event_id = any (:eventIds::uuid[])
     and num_nonnulls(d.metadata, d.line_items, d.discount_code, d.customer_country, d.description, d.actor) > 0`,
    { eventIds },
  ),
);

const eraseReasons = replanned<unknown, { eventIds: readonly string[] }>(({ eventIds }) =>
  raw(
    `update event x set reason = null
   where ${ofTenant('x')} and x.id = any (:eventIds::uuid[]) and x.reason is not null`,
    { eventIds },
  ),
);

/**
 * No index has customers by their email, so all of the tenant's are read: some 0.3 s a million. The events themselves
 * stay, with digests of what was sent by which a repeat is told from a reused id.
 */
export async function eraseSales(db: Db, scope: Scope, { memberId, emails, emailsNorm }: NamedPerson): Promise<Sales> {
  const customers = await db.rows(erase(scope, { memberId, emails, emailsNorm }));
  const customerIds = customers.map(({ id }) => id);
  const [purchaseIds, manual] = await Promise.all([
    listPurchasesOfCustomers(db, scope, memberId, customerIds),
    db.rows(findManual(scope, { memberId })),
  ]);
  const saleIds = await withReversals(db, scope, purchaseIds);
  const eventIds = [...saleIds, ...manual.map(({ id }) => id)];
  if (eventIds.length > 0) {
    await Promise.all([db.rows(eraseDetails(scope, { eventIds })), db.rows(eraseReasons(scope, { eventIds: saleIds }))]);
  }
  return { customerExternalIds: customers.map(({ externalId }) => externalId), purchaseIds, saleIds };
}

const isOfMember = `lower(c.email) = m.email_norm or c.email = m.email or lower(c.external_id) = m.email_norm
     or lower(c.email) in (${formerEmailsOf(':memberId')})
     or c.id in (select b.customer_id from event b where ${ofTenant('b')} and b.buyer_member_id = :memberId)`;

export const customersOfMember: ExportList = exportList(
  'export_customers',
  byId('c'),
  { id: 'c.id', externalId: 'c.external_id', email: 'c.email', name: 'c.name', createdAt: utc('c.created_at') },
  `member m join customer c on ${ofTenant('c')}
     and (${isOfMember})
   ${ofMember('m', 'id')}`,
);

/** With what the tenant attached to them. */
export const purchasesOfMember: ExportList = exportList(
  'export_purchases',
  byId('e'),
  {
    id: 'e.id',
    externalEventId: 'e.external_event_id',
    occurredAt: utc('e.occurred_at'),
    amountMinor: 'e.amount_minor',
    currency: 'e.currency',
    metadata: 'd.metadata',
    lineItems: 'd.line_items',
    discountCode: 'd.discount_code',
    customerCountry: 'd.customer_country',
  },
  `member m join event e on ${ofTenant('e')} and e.kind = 'purchase'
   left join event_detail d on ${ofTenant('d')} and d.event_id = e.id
   ${ofMember('m', 'id')} and e.id = any (array(
     select b.id from event b where ${ofTenant('b')} and b.buyer_member_id = :memberId
     union
     select p.id from event p where ${ofTenant('p')} and p.customer_id = any (array(
       select c.id from customer c join member m on ${ofTenant('m')} and m.id = :memberId
       where ${ofTenant('c')} and (${isOfMember})))))`,
);
