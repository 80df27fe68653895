/** Customers with the email of a member, as it is erased and as its data is exported, in SQL. */
import { raw, statement, unscopedStatement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { scopeNow } from '../../db/scope-clock.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { byId, type ExportList, exportList, ofMember, type Person, utc } from '../../house/personal.ts';
import { formerEmailsOf } from '../users/open/member-sql.ts';

const customer = tenantTable('customer');

type Emails = Pick<Person, 'emails' | 'emailsNorm'>;

const erase = statement<unknown, Emails>('erasure_customers', ({ emails, emailsNorm }) =>
  customer('c')
    .whereRaw('(lower(c.email) = any (:emailsNorm) or c.email = any (:emails))', { emails, emailsNorm })
    .update({ email: null, email_norm: null, name: null, updated_at: scopeNow }),
);

const allowTime = unscopedStatement<unknown>('erasure_allow_time', () => raw("set local statement_timeout = '60s'"));

/** No index has customers by their email, so all of the tenant's are read: some 0.3 s a million. */
export async function eraseCustomers(db: Db, scope: Scope, { emails, emailsNorm }: Person): Promise<void> {
  await Promise.all([db.rows(allowTime()), db.rows(erase(scope, { emails, emailsNorm }))]);
}

export const customersOfMember: ExportList = exportList(
  'export_customers',
  byId('c'),
  { id: 'c.id', externalId: 'c.external_id', email: 'c.email', name: 'c.name', createdAt: utc('c.created_at') },
  `member m join customer c on ${ofTenant('c')}
     and (lower(c.email) = m.email_norm or c.email = m.email or lower(c.email) in (${formerEmailsOf(':memberId')}))
   ${ofMember('m', 'id')}`,
);
