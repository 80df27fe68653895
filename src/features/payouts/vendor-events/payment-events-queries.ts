/** The payment vendor's events in SQL: each once, those that wait for what they are about, and forgetting old ones. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import type { PaymentEvent } from './payment-event.ts';

const paymentEvent = tenantTable('payment_event');

export type EventOutcome = 'applied' | 'no_change' | 'older' | 'parked' | 'ignored' | 'foreign';

interface NewEvent {
  eventId: string;
  type: string;
  accountId: string | null;
  objectId: string | null;
  createdAt: Date | null;
  body: string;
}

const insert = statement<{ id: string }, NewEvent>(
  'payment_events_insert',
  ({ eventId, type, accountId, objectId, createdAt, body }) =>
    paymentEvent()
      .insert({
        provider: 'payvendor',
        event_id: eventId,
        type,
        account_id: accountId,
        object_id: objectId,
        vendor_created_at: createdAt,
        outcome: 'ignored',
        body,
      })
      .onConflict(['provider', 'event_id'])
      .ignore()
      .returning('id'),
);

/** Undefined when it has been received before. */
export async function insertEvent(db: Db, scope: Scope, event: PaymentEvent): Promise<string | undefined> {
  const { id, type, account, createdAt, object, kept } = event;
  const stored = await db.row(
    insert(scope, { eventId: id, type, accountId: account, objectId: object?.id ?? null, createdAt, body: JSON.stringify(kept) }),
  );
  return stored?.id;
}

const store = statement<unknown, { id: string; outcome: EventOutcome; giveUpAfter: number }>(
  'payment_events_store_outcome',
  ({ id, outcome, giveUpAfter }) =>
    raw(
      `update payment_event e set outcome = :outcome, retries = e.retries + (e.retry_at is not null)::int,
          retry_at = case when :outcome = 'parked' and e.retries < :giveUpAfter
                          then now() + least(3600, 5 * 2 ^ least(e.retries, 12)) * interval '1 second' end
   where ${ofTenant('e')} and e.id = :id`,
      { id, outcome, giveUpAfter },
    ),
);

/** Five seconds, doubled up to an hour: about three days in all. */
const MOST_RETRIES = 80;

export async function storeOutcome(db: Db, scope: Scope, id: string, outcome: EventOutcome): Promise<void> {
  await db.rows(store(scope, { id, outcome, giveUpAfter: MOST_RETRIES }));
}

const newer = statement<{ newer: boolean }, { objectId: string; types: string[]; at: Date | null }>(
  'payment_events_newer',
  ({ objectId, types, at }) =>
    raw(
      `select exists (
     select from payment_event e
     where ${ofTenant('e')} and e.object_id = :objectId and e.type = any (:types) and e.vendor_created_at > :at
       and e.outcome in ('applied', 'no_change')) as newer`,
      { objectId, types, at },
    ),
);

/** Whether an event of these types that the vendor made later has counted already. */
export async function isOutdated(db: Db, scope: Scope, event: PaymentEvent, types: readonly string[]): Promise<boolean> {
  const found = await db.row(newer(scope, { objectId: event.object?.id ?? '', types: [...types], at: event.createdAt }));
  return found?.newer === true;
}

const told = statement<{ told: boolean }, { objectId: string; types: string[] }>('payment_events_told', ({ objectId, types }) =>
  raw(
    `select exists (
     select from payment_event e
     where ${ofTenant('e')} and e.object_id = :objectId and e.type = any (:types)) as told`,
    { objectId, types },
  ),
);

/** Whether an event of these types about the same object has been received, whatever came of it. */
export async function wasTold(db: Db, scope: Scope, event: PaymentEvent, types: readonly string[]): Promise<boolean> {
  return (await db.row(told(scope, { objectId: event.object?.id ?? '', types: [...types] })))?.told === true;
}

const takeDue = statement<{ id: string; body: unknown }, { count: number }>('payment_events_take_due', ({ count }) =>
  raw(
    `select e.id, e.body from payment_event e
   where ${ofTenant('e')} and e.retry_at <= now()
   order by e.retry_at limit :count for update skip locked`,
    { count },
  ),
);

/** Parked events that are due, locked. */
export function takeDueEvents(db: Db, scope: Scope, count: number): Promise<{ id: string; body: unknown }[]> {
  return db.rows(takeDue(scope, { count }));
}

const forget = statement<{ count: number }, { days: number; limit: number }>('payment_events_forget', ({ days, limit }) =>
  raw(
    `with gone as (
     delete from payment_event e where ${ofTenant('e')} and e.ctid = any (array(
       select o.ctid from payment_event o
       where ${ofTenant('o')} and o.outcome <> 'parked'
         and o.received_at < now() - make_interval(days => :days)
       order by o.received_at limit :limit for update skip locked))
     returning 1)
   select count(*)::int as count from gone`,
    { days, limit },
  ),
);

/** Parked ones stay, those too that are not tried any more: money may hang on them. */
export async function forgetOldEvents(db: Db, scope: Scope, days: number, limit: number): Promise<number> {
  return (await db.row(forget(scope, { days, limit })))?.count ?? 0;
}
