/** Sending again what the log has, in SQL. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { type IdRange, idsBetween } from '../log/id-range.ts';
import { KEPT_DAYS } from '../log/kept-days.ts';

export interface Replay {
  endpointId: string;
  from: string;
  to: string;
  /** By their names. */
  types: readonly string[];
  /** Failed for good, or waiting for another attempt behind one that failed. */
  onlyFailed: boolean;
}

/** Of those that are not about to be forgotten, whose number is looked up for each alone. */
const IN_LOG = `join lateral (
       select s.sequence from outgoing_sequence s
       where ${ofTenant('s')} and s.event_id = e.id and s.sealed_at > now() - interval '${KEPT_DAYS} days' + interval '1 hour' offset 0) s on true
     where ${ofTenant('e')} and e.type = any (:types::text[]) and e.occurred_at >= :from::timestamptz and e.occurred_at < :to::timestamptz
       and e.only_for is null`;

/** Each begins with its own index, and ends as soon as they are too many. */
const CHOSEN = `(select e.id as event_id, s.sequence from outgoing_event e ${IN_LOG} and not :onlyFailed::boolean limit :most::int + 1)
     union all
     (select e.id, s.sequence
      from webhook_delivery f
        join lateral (select o.* from outgoing_event o where ${ofTenant('o')} and o.id = f.event_id offset 0) e on true
        ${IN_LOG} and ${ofTenant('f')} and f.endpoint_id = :endpointId and f.status in ('waiting', 'failed') and f.tries > 0
        and :onlyFailed::boolean and f.event_id >= :lowId and f.event_id <= :highId limit :most::int + 1)`;

/** Nothing is sent again where it would be more than `most`. */
const replay = statement<{ count: number }, Replay & IdRange & { most: number }>(
  'webhooks_replay',
  ({ endpointId, from, to, types, onlyFailed, lowId, highId, most }) =>
    raw(
      `with clock as (select ${SCOPE_NOW} as now),
   chosen as materialized (${CHOSEN}),
   total as (select count(*)::int as count from chosen),
   again as (
     insert into webhook_delivery as d (tenant_id, environment, endpoint_id, event_id, next_at)
     select :tenantId, :environment, :endpointId, c.event_id, clock.now from chosen c cross join clock cross join total
     where total.count <= :most::int order by c.sequence
     on conflict (tenant_id, environment, event_id, endpoint_id)
       do update set status = 'waiting', tries = 0, next_at = excluded.next_at, settled_at = null),
   woken as (
     update webhook_endpoint p set next_at = least(p.next_at, clock.now) from clock cross join total
     where ${ofTenant('p')} and p.id = :endpointId and total.count between 1 and :most::int)
   select count from total`,
      { endpointId, from, to, types, onlyFailed, lowId, highId, most },
    ),
);

/** How many; more than `most` stands for as many or more, of which none is sent. */
export async function replayEvents(db: Db, scope: Scope, asked: Replay, most: number): Promise<number> {
  return (await db.row(replay(scope, { ...asked, ...idsBetween(scope, asked.from, asked.to), most })))?.count ?? 0;
}
