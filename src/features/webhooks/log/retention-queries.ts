/** The end of events, in SQL. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';

type Batch = { limit: number; keptDays: number };

const LOCKED = `select h.sequence from outgoing_head h where ${ofTenant('h')} for no key update`;

const lock = statement<unknown>('webhooks_lock_head_to_forget', () => raw(LOCKED));

/** Only the first numbers, with none left between them: an earlier one may have been given a little later. */
const mark = statement<{ upTo: bigint; count: number }, Batch>('webhooks_mark_forgotten', ({ limit, keptDays }) =>
  raw(
    `with first as (
     select s.sequence, bool_and(s.sealed_at < now() - make_interval(days => :keptDays)) over (order by s.sequence) as is_over
     from (select q.sequence, q.sealed_at from outgoing_sequence q where ${ofTenant('q')} order by q.sequence limit :limit) s),
   over as (select max(f.sequence) as up_to, count(*)::int as count from first f where f.is_over)
   update outgoing_head h set forgotten = greatest(h.forgotten, over.up_to)
   from over where ${ofTenant('h')} and over.up_to is not null
   returning h.forgotten as "upTo", over.count`,
    { limit, keptDays },
  ),
);

const OLD = `select s.event_id from outgoing_sequence s where ${ofTenant('s')} and s.sequence <= :upTo`;

const attempts = statement<unknown, { upTo: bigint }>('webhooks_forget_attempts', ({ upTo }) =>
  raw(
    `delete from webhook_attempt a using webhook_delivery d
     where ${ofTenant('a')} and ${ofTenant('d')} and d.id = a.delivery_id and d.event_id in (${OLD})`,
    { upTo },
  ),
);

const deliveries = statement<unknown, { upTo: bigint }>('webhooks_forget_deliveries', ({ upTo }) =>
  raw(`delete from webhook_delivery d where ${ofTenant('d')} and d.event_id in (${OLD})`, { upTo }),
);

const events = statement<unknown, { upTo: bigint }>('webhooks_forget_events', ({ upTo }) =>
  raw(
    `with gone as (delete from outgoing_sequence s where ${ofTenant('s')} and s.sequence <= :upTo returning s.event_id)
     delete from outgoing_event o using gone where ${ofTenant('o')} and o.id = gone.event_id`,
    { upTo },
  ),
);

/** The oldest events with their deliveries and attempts; returns how many. */
export async function forgetEvents(db: Db, scope: Scope, batch: Batch): Promise<number> {
  const [, marked] = await Promise.all([db.rows(lock(scope)), db.row(mark(scope, batch))]);
  if (!marked) return 0;
  const { upTo, count } = marked;
  await Promise.all([attempts, deliveries, events].map((forget) => db.rows(forget(scope, { upTo }))));
  return count;
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
     where ${ofTenant('e')} and e.deleted_at < now() - make_interval(days => :keptDays)
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
