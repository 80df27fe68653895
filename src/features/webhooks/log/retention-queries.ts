/** The end of events, in SQL. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';

type Batch = { limit: number; keptDays: number };

const LOCKED = `select h.sequence from outgoing_head h where ${ofTenant('h')} for no key update`;

const lock = statement<unknown>('webhooks_lock_head_to_forget', () => raw(LOCKED));

/** Numbers that go: behind what is forgotten already, so that the index is not read where it is full of what is gone. */
type Range = { behind: bigint; upTo: bigint };

/** Only the first numbers, with none left between them: an earlier one may have been given a little later. */
const mark = statement<Range & { count: number }, Batch>('webhooks_mark_forgotten', ({ limit, keptDays }) =>
  raw(
    `with before as materialized (select b.forgotten from outgoing_head b where ${ofTenant('b')}),
   first as (
     select s.sequence, bool_and(s.sealed_at < now() - make_interval(days => :keptDays)) over (order by s.sequence) as is_over
     from (select q.sequence, q.sealed_at from outgoing_sequence q
           where ${ofTenant('q')} and q.sequence > (select b.forgotten from before b) order by q.sequence limit :limit) s),
   over as (select max(f.sequence) as up_to, count(*)::int as count from first f where f.is_over)
   update outgoing_head h set forgotten = over.up_to
   from over cross join before where ${ofTenant('h')} and over.up_to is not null
   returning before.forgotten as behind, h.forgotten as "upTo", over.count`,
    { limit, keptDays },
  ),
);

const GOES = `${ofTenant('s')} and s.sequence > :behind and s.sequence <= :upTo`;
const OLD = `select s.event_id from outgoing_sequence s where ${GOES}`;

const attempts = statement<unknown, Range>('webhooks_forget_attempts', ({ behind, upTo }) =>
  raw(
    `delete from webhook_attempt a using webhook_delivery d
     where ${ofTenant('a')} and ${ofTenant('d')} and d.id = a.delivery_id and d.event_id in (${OLD})`,
    { behind, upTo },
  ),
);

const deliveries = statement<unknown, Range>('webhooks_forget_deliveries', ({ behind, upTo }) =>
  raw(`delete from webhook_delivery d where ${ofTenant('d')} and d.event_id in (${OLD})`, { behind, upTo }),
);

const events = statement<unknown, Range>('webhooks_forget_events', ({ behind, upTo }) =>
  raw(
    `with gone as (delete from outgoing_sequence s where ${GOES} returning s.event_id)
     delete from outgoing_event o using gone where ${ofTenant('o')} and o.id = gone.event_id`,
    { behind, upTo },
  ),
);

/** The oldest events with their deliveries and attempts; returns how many. */
export async function forgetEvents(db: Db, scope: Scope, batch: Batch): Promise<number> {
  const [, marked] = await Promise.all([db.rows(lock(scope)), db.row(mark(scope, batch))]);
  if (!marked) return 0;
  const { count, ...range } = marked;
  await Promise.all([attempts, deliveries, events].map((forget) => db.rows(forget(scope, range))));
  return count;
}

const lockDeleted = statement<{ id: string }>('webhooks_lock_deleted_endpoint', () =>
  raw(
    `select e.id from webhook_endpoint e where ${ofTenant('e')} and e.deleted_at is not null and e.cancelled_at is null
     order by e.id limit 1 for no key update skip locked`,
  ),
);

const cancel = statement<{ count: number }, { endpointId: string; limit: number }>(
  'webhooks_cancel_waiting',
  ({ endpointId, limit }) =>
    raw(
      `with waiting as materialized (
     select d.id from webhook_delivery d
     where ${ofTenant('d')} and d.endpoint_id = :endpointId and d.status = 'waiting' order by d.next_at limit :limit),
   cancelled as (
     update webhook_delivery d set status = 'cancelled', next_at = null, settled_at = now()
     where ${ofTenant('d')} and d.id = any (array(select w.id from waiting w))
     returning d.id),
   done as (
     update webhook_endpoint e set cancelled_at = now()
     where ${ofTenant('e')} and e.id = :endpointId and (select count(*) from waiting) < :limit::bigint)
   select count(*)::int as count from cancelled`,
      { endpointId, limit },
    ),
);

/**
 * At most `limit` of the deliveries that wait for an endpoint that was deleted. The second statement sees those of a sealer
 * that the lock of the first has waited for; one that comes later opens the endpoint for another look.
 */
export async function cancelWaiting(db: Db, scope: Scope, limit: number): Promise<number> {
  const endpoint = await db.row(lockDeleted(scope));
  return endpoint ? ((await db.row(cancel(scope, { endpointId: endpoint.id, limit })))?.count ?? 0) : 0;
}

const oldSecrets = statement<unknown>('webhooks_forget_old_secrets', () =>
  raw(
    `update webhook_endpoint e set old_secret_sealed = null, old_secret_until = null
     where ${ofTenant('e')} and e.old_secret_until <= now()`,
  ),
);

/** Those that sign no more. */
export async function forgetOldSecrets(db: Db, scope: Scope): Promise<void> {
  await db.rows(oldSecrets(scope));
}

const hours = statement<unknown, { keptDays: number }>('webhooks_forget_hours', ({ keptDays }) =>
  raw(
    `delete from webhook_hour h
     where ${ofTenant('h')} and h.starts_at < now() - make_interval(days => :keptDays)`,
    { keptDays },
  ),
);

const endpoints = statement<{ id: string }, { keptDays: number }>('webhooks_forget_endpoints', ({ keptDays }) =>
  raw(
    `delete from webhook_endpoint e
     where ${ofTenant('e')} and e.cancelled_at < now() - make_interval(days => :keptDays)
       and not exists (select from webhook_delivery d where ${ofTenant('d')} and d.endpoint_id = e.id)
       and not exists (select from webhook_hour h where ${ofTenant('h')} and h.endpoint_id = e.id)
     returning e.id`,
    { keptDays },
  ),
);

/** Those that were deleted, once nothing that was sent to them is kept; returns whether there were any. */
export async function forgetEndpoints(db: Db, scope: Scope, keptDays: number): Promise<boolean> {
  const [, gone] = await Promise.all([db.rows(hours(scope, { keptDays })), db.rows(endpoints(scope, { keptDays }))]);
  return gone.length > 0;
}
