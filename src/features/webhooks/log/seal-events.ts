/**
 * Numbers committed events, and makes their deliveries. Ids are not in the order of commits: a transaction that was
 * open for long commits an id that is older than others. A number is given only to what is seen to be committed, and
 * one transaction at a time gives them, so none is missing below the last. Source: docs/specification/webhooks.md#sequence.
 */
import { raw, statement } from '../../../db/query.ts';
import type { Scope, WriteDb } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { matchesTypeSql } from '../open/event-types.ts';

export const MOST_SEALED = 1_000;
/** Of all endpoints, which are never so many. */
const MOST_DELIVERIES = 4_000;

const lock = statement<{ sequence: bigint }>('webhooks_lock_head', () =>
  raw(
    `insert into outgoing_head (tenant_id, environment) values (:tenantId, :environment)
     on conflict (tenant_id, environment) do update set sequence = outgoing_head.sequence
     returning sequence`,
  ),
);

/**
 * Its snapshot is of behind the lock. Who hears of an event is who would hear of it now. Each endpoint's row is written,
 * also where that changes nothing: a sender that ends its turn meanwhile, and does not see the deliveries yet, is waited for.
 * One that was deleted meanwhile has something to be cancelled again.
 */
const seal = statement<{ sealed: number }, { limit: number }>('webhooks_seal', ({ limit }) =>
  raw(
    `with clock as (select ${SCOPE_NOW} as now),
   waiting as materialized (
     select u.event_id from outgoing_unsealed u where ${ofTenant('u')} order by u.event_id
     limit (select least(:limit::bigint, ${MOST_DELIVERIES} / greatest(count(*), 1))
            from webhook_endpoint p where ${ofTenant('p')} and p.deleted_at is null and p.enabled)),
   taken as (
     delete from outgoing_unsealed u
     where ${ofTenant('u')} and u.event_id = any (array(select w.event_id from waiting w))
     returning u.event_id),
   numbered as materialized (
     select t.event_id, h.sequence + row_number() over (order by t.event_id) as sequence
     from taken t cross join outgoing_head h where ${ofTenant('h')}),
   sealed as (
     insert into outgoing_sequence (tenant_id, environment, sequence, event_id)
     select :tenantId, :environment, n.sequence, n.event_id from numbered n),
   head as (
     update outgoing_head h set sequence = (select max(n.sequence) from numbered n)
     where ${ofTenant('h')} and exists (select from numbered)),
   heard as materialized (
     select n.event_id, n.sequence, p.id as endpoint_id
     from numbered n
       join outgoing_event e on ${ofTenant('e')} and e.id = n.event_id
       join webhook_endpoint p on ${ofTenant('p')} and p.deleted_at is null and p.enabled
         and p.created_at < uuid_extract_timestamp(e.id) + interval '1 ms'
         and case when e.only_for is null then ${matchesTypeSql('p.event_types', 'e.type')} else e.only_for = p.id end),
   due as (
     insert into webhook_delivery (tenant_id, environment, endpoint_id, event_id, next_at)
     select :tenantId, :environment, h.endpoint_id, h.event_id, clock.now from heard h cross join clock
     order by h.endpoint_id, h.sequence),
   woken as (
     update webhook_endpoint p set next_at = least(p.next_at, clock.now), cancelled_at = null from clock
     where ${ofTenant('p')} and p.id in (select h.endpoint_id from heard h))
   select count(*)::int as sealed from numbered`,
    { limit },
  ),
);

/** At most `limit` of the events that have no number yet, the oldest ids first; returns how many. */
export async function sealEvents(db: WriteDb, scope: Scope, limit: number = MOST_SEALED): Promise<number> {
  const [, rows] = await Promise.all([db.rows(lock(scope)), db.rows(seal(scope, { limit }))]);
  return rows[0]?.sealed ?? 0;
}
