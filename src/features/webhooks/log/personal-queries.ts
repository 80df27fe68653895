/** Events about a person, as they are erased, in SQL. */
import { raw, statement } from '../../../db/query.ts';
import type { Scope } from '../../../db/scope.ts';
import type { Statement } from '../../../db/statement.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import type { Person } from '../../../house/personal.ts';

const erase = statement<unknown, Pick<Person, 'memberId' | 'emailsNorm' | 'saleIds'>>(
  'erasure_told_events',
  ({ memberId, emailsNorm, saleIds }) =>
    raw(
      `with theirs as materialized (
     select (:memberId::uuid)::text as object_id
     union all select unnest(:saleIds::uuid[])::text
     union all select l.id::text from lead l
       where ${ofTenant('l')} and (l.email = any (:emailsNorm) or l.converted_member_id = :memberId)
     union all select c.id::text from commission_line c where ${ofTenant('c')} and c.beneficiary_id = :memberId
     union all select a.id::text from payout_account a where ${ofTenant('a')} and a.member_id = :memberId
     union all select p.id::text from payout p where ${ofTenant('p')} and p.member_id = :memberId
     union all select i.id::text from import_run i where ${ofTenant('i')}
     union all select k.id::text from kyc_record k where ${ofTenant('k')} and k.member_id = :memberId),
   emptied as (
     update outgoing_event o set data = null, left_out = '{data}'
     from theirs where ${ofTenant('o')} and o.object_id = theirs.object_id
     returning o.id)
   update webhook_attempt a set answer = null
   from emptied join webhook_delivery d on ${ofTenant('d')} and d.event_id = emptied.id
   where ${ofTenant('a')} and a.delivery_id = d.id and a.answer is not null`,
      { memberId, emailsNorm, saleIds },
    ),
);

/** What receivers have answered may repeat what they were sent: it goes too. That something happened stays, and to what. */
export function eraseToldEvents({ tenantId, environment }: Scope, { memberId, emailsNorm, saleIds }: Person): Statement<unknown> {
  return erase({ tenantId, environment }, { memberId, emailsNorm, saleIds });
}
