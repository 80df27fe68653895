/** The payment vendor's events in SQL: each once, those that wait for what they are about, and forgetting old ones. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import type { PaymentEvent } from './payment-event.ts';

export type EventOutcome = 'applied' | 'no_change' | 'older' | 'parked' | 'ignored' | 'foreign';

type InsertValues = [
  string,
  string,
  eventId: string,
  type: string,
  accountId: string | null,
  objectId: string | null,
  createdAt: Date | null,
  body: string,
];

const insert = prepared<{ id: string }, InsertValues>(
  'payment_events_insert',
  `insert into payment_event (tenant_id, environment, provider, event_id, type, account_id, object_id, vendor_created_at, outcome, body)
   values ($1, $2, 'payvendor', $3, $4, $5, $6, $7, 'ignored', $8)
   on conflict (tenant_id, environment, provider, event_id) do nothing
   returning id`,
);

/** Undefined when it has been received before. */
export async function insertEvent(db: Db, scope: Scope, event: PaymentEvent): Promise<string | undefined> {
  const { id, type, account, createdAt, object, kept } = event;
  const values: InsertValues = [
    scope.tenantId,
    scope.environment,
    id,
    type,
    account,
    object?.id ?? null,
    createdAt,
    JSON.stringify(kept),
  ];
  return (await db.row(insert(...values)))?.id;
}

const store = prepared<unknown, [string, string, id: string, outcome: EventOutcome, giveUpAfter: number]>(
  'payment_events_store_outcome',
  `update payment_event e set outcome = $4, retries = e.retries + (e.retry_at is not null)::int,
          retry_at = case when $4 = 'parked' and e.retries < $5
                          then now() + least(3600, 5 * 2 ^ least(e.retries, 12)) * interval '1 second' end
   where e.tenant_id = $1 and e.environment = $2 and e.id = $3`,
);

/** Five seconds, doubled up to an hour: about three days in all. */
const MOST_RETRIES = 80;

export async function storeOutcome(db: Db, scope: Scope, id: string, outcome: EventOutcome): Promise<void> {
  await db.rows(store(scope.tenantId, scope.environment, id, outcome, MOST_RETRIES));
}

const newer = prepared<{ newer: boolean }, [string, string, objectId: string, types: string[], at: Date | null]>(
  'payment_events_newer',
  `select exists (
     select from payment_event e
     where e.tenant_id = $1 and e.environment = $2 and e.object_id = $3 and e.type = any ($4) and e.vendor_created_at > $5
       and e.outcome in ('applied', 'no_change')) as newer`,
);

/** Whether an event of these types that the vendor made later has counted already. */
export async function isOutdated(db: Db, scope: Scope, event: PaymentEvent, types: readonly string[]): Promise<boolean> {
  const found = await db.row(newer(scope.tenantId, scope.environment, event.object?.id ?? '', [...types], event.createdAt));
  return found?.newer === true;
}

const told = prepared<{ told: boolean }, [string, string, objectId: string, types: string[]]>(
  'payment_events_told',
  `select exists (
     select from payment_event e
     where e.tenant_id = $1 and e.environment = $2 and e.object_id = $3 and e.type = any ($4)) as told`,
);

/** Whether an event of these types about the same object has been received, whatever came of it. */
export async function wasTold(db: Db, scope: Scope, event: PaymentEvent, types: readonly string[]): Promise<boolean> {
  return (await db.row(told(scope.tenantId, scope.environment, event.object?.id ?? '', [...types])))?.told === true;
}

const takeDue = prepared<{ id: string; body: unknown }, [string, string, count: number]>(
  'payment_events_take_due',
  `select e.id, e.body from payment_event e
   where e.tenant_id = $1 and e.environment = $2 and e.retry_at <= now()
   order by e.retry_at limit $3 for update skip locked`,
);

/** Parked events that are due, locked. */
export function takeDueEvents(db: Db, scope: Scope, count: number): Promise<{ id: string; body: unknown }[]> {
  return db.rows(takeDue(scope.tenantId, scope.environment, count));
}

const forget = prepared<{ count: number }, [string, string, days: number, limit: number]>(
  'payment_events_forget',
  `with gone as (
     delete from payment_event e where e.tenant_id = $1 and e.environment = $2 and e.ctid = any (array(
       select o.ctid from payment_event o
       where o.tenant_id = $1 and o.environment = $2 and o.outcome <> 'parked'
         and o.received_at < now() - make_interval(days => $3)
       order by o.received_at limit $4 for update skip locked))
     returning 1)
   select count(*)::int as count from gone`,
);

/** Parked ones stay, those too that are not tried any more: money may hang on them. */
export async function forgetOldEvents(db: Db, scope: Scope, days: number, limit: number): Promise<number> {
  return (await db.row(forget(scope.tenantId, scope.environment, days, limit)))?.count ?? 0;
}
