/** Events about a person, as they are erased, in SQL. */
import { raw, statement } from '../../../db/query.ts';
import type { Scope } from '../../../db/scope.ts';
import type { Statement } from '../../../db/statement.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import type { Person } from '../../../house/personal.ts';

type OfPerson = Pick<Person, 'memberId' | 'emailsNorm' | 'saleIds'>;

/**
 * `found` are the ids of events that show something of the person. Of an object that is the person's those of all types
 * do; of a sale or a payout run of others those that list its lines or payouts. Each object is looked up by itself, however
 * many there are.
 */
const FOUND = `lines as materialized (
     select c.id, c.event_id, c.source from commission_line c where ${ofTenant('c')} and c.beneficiary_id = :memberId),
   theirs as materialized (
     select (:memberId::uuid)::text as object_id, '%' as types
     union select unnest(:saleIds::uuid[])::text, '%'
     union select l.id::text, '%' from lead l
       where ${ofTenant('l')} and (l.email = any (:emailsNorm) or l.converted_member_id = :memberId)
     union select l.id::text, '%' from lines l
     union select l.event_id::text, '%' from lines l where l.source = 'manual'
     union select c.id::text, '%' from commission_line c where ${ofTenant('c')} and c.event_id = any (:saleIds::uuid[])
     union select l.event_id::text, 'commissions.%' from lines l
     union select r.id::text, 'commissions.%'
       from lines l cross join lateral (
         select e.id from event e where ${ofTenant('e')} and e.purchase_id = l.event_id offset 0) r
     union select a.id::text, '%' from payout_account a where ${ofTenant('a')} and a.member_id = :memberId
     union select p.id::text, '%' from payout p where ${ofTenant('p')} and p.member_id = :memberId
     union select p.payout_run_id::text, 'payouts.%' from payout p
       where ${ofTenant('p')} and p.member_id = :memberId and p.payout_run_id is not null
     union select i.id::text, '%' from import_run i where ${ofTenant('i')}
     union select r.id::text, '%' from rate_override r where ${ofTenant('r')} and r.member_id = :memberId
     union select k.id::text, '%' from kyc_record k where ${ofTenant('k')} and k.member_id = :memberId),
   found as materialized (
     select o.id, o.emptied from theirs t cross join lateral (
       select e.id, e.data is null as emptied from outgoing_event e
       where ${ofTenant('e')} and e.object_id = t.object_id and e.type like t.types offset 0) o)`;

const emptyEvents = statement<unknown, OfPerson>('erasure_told_events', ({ memberId, emailsNorm, saleIds }) =>
  raw(
    `with ${FOUND},
   locked as materialized (
     select e.id from outgoing_event e
     where ${ofTenant('e')} and e.id = any (array(select f.id from found f where not f.emptied))
     order by e.id for no key update)
   update outgoing_event o set data = null, left_out = '{data}'
   from locked where ${ofTenant('o')} and o.id = locked.id`,
    { memberId, emailsNorm, saleIds },
  ),
);

const emptyAnswers = statement<unknown, OfPerson>('erasure_told_answers', ({ memberId, emailsNorm, saleIds }) =>
  raw(
    `with ${FOUND},
   heard as materialized (
     select d.id from found f cross join lateral (
       select x.id from webhook_delivery x where ${ofTenant('x')} and x.event_id = f.id offset 0) d
     where f.emptied)
   update webhook_attempt a set answer = null
   from heard where ${ofTenant('a')} and a.delivery_id = heard.id and a.answer is not null`,
    { memberId, emailsNorm, saleIds },
  ),
);

/** That something happened stays, and to what. */
export function eraseToldEvents({ tenantId, environment }: Scope, { memberId, emailsNorm, saleIds }: Person): Statement<unknown> {
  return emptyEvents({ tenantId, environment }, { memberId, emailsNorm, saleIds });
}

/**
 * What receivers have answered may repeat what they were sent. It goes behind the events: whoever stores an answer locks
 * its event, so what was stored meanwhile is seen here, and what is stored later finds the event empty, or locked.
 */
export function eraseHeardAnswers(
  { tenantId, environment }: Scope,
  { memberId, emailsNorm, saleIds }: Person,
): Statement<unknown> {
  return emptyAnswers({ tenantId, environment }, { memberId, emailsNorm, saleIds });
}
