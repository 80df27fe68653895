/** The sender's lease of an endpoint, what is due for it, and what became of that, in SQL. */
import { raw, statement, unscopedStatement } from '../../../db/query.ts';
import type { Db, Environment, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import type { UnreadEvent } from '../open/event-body.ts';

const LEASE = "interval '20 seconds'";
/** An endpoint is disabled behind so long without a success. */
const FAILING = "interval '5 days'";
/** Longer than any gap between two attempts, with time to spare: behind so long without one it begins to fail anew. */
const SILENCE = "interval '2 days'";

/** A frame that others wait behind waits briefly itself: a row that is locked for longer is left to whoever has it. */
export const waitBriefly = unscopedStatement<unknown>('webhooks_wait_briefly', () =>
  raw("select set_config('lock_timeout', '100ms', true)"),
);

export interface LeasedEndpoint {
  url: string;
  secretSealed: Buffer;
  oldSecretSealed: Buffer | null;
  headersSealed: Buffer | null;
  /** Beyond them it is sent events without their objects. */
  rights: string[];
  isFailing: boolean;
  /** When it was last changed, to the microsecond. */
  version: string;
}

export interface Lease {
  endpointId: string;
  /** Of this turn. */
  lease: string;
}

const take = statement<LeasedEndpoint, Lease>('webhooks_take_endpoint', ({ endpointId, lease }) =>
  raw(
    `update webhook_endpoint e set leased_by = :lease, leased_until = now() + ${LEASE}
     from (select f.id from webhook_endpoint f
           where ${ofTenant('f')} and f.id = :endpointId and f.enabled and f.next_at <= ${SCOPE_NOW}
             and (f.leased_until is null or f.leased_until < now())
           for no key update skip locked) free
     where ${ofTenant('e')} and e.id = free.id
     returning e.url, e.secret_sealed as "secretSealed", e.headers_sealed as "headersSealed", e.rights,
       case when e.old_secret_until > now() then e.old_secret_sealed end as "oldSecretSealed",
       e.failing_since is not null as "isFailing", e.updated_at::text as version`,
    { endpointId, lease },
  ),
);

/** Undefined where another has it, or nothing is due. */
export function takeEndpoint(db: Db, scope: Scope, lease: Lease): Promise<LeasedEndpoint | undefined> {
  return db.row(take(scope, lease));
}

/** Of the last attempts, for the endpoint: one counts from now where a success lies between it and those before. */
export type Health = 'unknown' | 'well' | 'failing' | 'failing anew';

export interface HeldEndpoint {
  enabled: boolean;
  /** Whether it is not as it was taken: what became of its attempts says nothing of it then. */
  isChanged: boolean;
  /** For as long as disables it. */
  failsForDays: boolean;
}

const hold = statement<HeldEndpoint, Lease & { health: Health; version: string }>(
  'webhooks_hold_endpoint',
  ({ endpointId, lease, health, version }) =>
    raw(
      `update webhook_endpoint e set leased_until = now() + ${LEASE},
       failing_since = case when e.updated_at <> :version::timestamptz then e.failing_since else
                         case :health::text when 'well' then null
                         when 'failing' then case when e.last_failed_at > ${SCOPE_NOW} - ${SILENCE}
                                               then coalesce(e.failing_since, ${SCOPE_NOW}) else ${SCOPE_NOW} end
                         when 'failing anew' then ${SCOPE_NOW} else e.failing_since end end,
       last_failed_at = case when e.updated_at = :version::timestamptz and :health::text in ('failing', 'failing anew')
                          then ${SCOPE_NOW} else e.last_failed_at end
     where ${ofTenant('e')} and e.id = :endpointId and e.leased_by = :lease
     returning e.enabled, e.updated_at <> :version::timestamptz as "isChanged",
       coalesce(:health::text = 'failing' and e.failing_since <= ${SCOPE_NOW} - ${FAILING}, false) as "failsForDays"`,
      { endpointId, lease, health, version },
    ),
);

/** Renews the lease. Undefined where it is lost. */
export function holdEndpoint(
  db: Db,
  scope: Scope,
  lease: Lease & { health: Health; version: string },
): Promise<HeldEndpoint | undefined> {
  return db.row(hold(scope, lease));
}

const release = statement<unknown, Lease>('webhooks_release_endpoint', ({ endpointId, lease }) =>
  raw(
    `update webhook_endpoint e set leased_by = null, leased_until = null,
       next_at = (select greatest(d.next_at, ${SCOPE_NOW}) from webhook_delivery d
                  where ${ofTenant('d')} and d.endpoint_id = :endpointId and d.status = 'waiting' order by d.next_at limit 1)
     where ${ofTenant('e')} and e.id = :endpointId and e.leased_by = :lease`,
    { endpointId, lease },
  ),
);

/**
 * Behind `holdEndpoint` of the same frame, whose lock keeps off who wakes the endpoint: this statement sees the deliveries
 * of all who did. What is due already counts as due from now, behind those that wait.
 */
export async function releaseEndpoint(db: Db, scope: Scope, lease: Lease): Promise<void> {
  await db.rows(release(scope, lease));
}

export interface DueDelivery {
  id: string;
  attemptCount: number;
  tries: number;
  event: UnreadEvent;
}

type DueRow = Omit<DueDelivery, 'event'> & Omit<UnreadEvent, 'id' | 'environment'> & { eventId: string };

/** `offset 0` below: rows are looked up one by one, whatever a plan made of young tables would rather do. */

/** So many bytes of objects are read at a time, or one object. */
const MOST_BYTES = 500_000;

const due = statement<DueRow, { endpointId: string; known: readonly string[]; limit: number }>(
  'webhooks_due_deliveries',
  ({ endpointId, known, limit }) =>
    raw(
      `with due as materialized (
     select d.id, d.event_id, d.attempt_count, d.tries
     from webhook_delivery d
     where ${ofTenant('d')} and d.endpoint_id = :endpointId and d.status = 'waiting' and d.next_at <= (select ${SCOPE_NOW})
       and d.id <> all (:known::uuid[])
     order by d.next_at limit :limit),
   numbered as materialized (select x.*, row_number() over () as n from due x),
   counted as (
     select x.*, sum(octet_length(o.data::text)) over (order by x.n rows between unbounded preceding and 1 preceding) as before
     from numbered x cross join lateral (
       select e.data from outgoing_event e where ${ofTenant('e')} and e.id = x.event_id offset 0) o)
   select c.id, c.attempt_count as "attemptCount", c.tries, c.event_id as "eventId", s.sequence, o.type,
     o.occurred_at as "occurredAt", o.object_id as "objectId", o.object_version as "objectVersion", o.actor,
     coalesce(o.data::text, 'null') as "dataText", o.left_out as "leftOut", o.only_for is not null as "isExample"
   from counted c
     cross join lateral (select e.* from outgoing_event e where ${ofTenant('e')} and e.id = c.event_id offset 0) o
     cross join lateral (select q.sequence from outgoing_sequence q where ${ofTenant('q')} and q.event_id = c.event_id offset 0) s
   where coalesce(c.before, 0) < ${MOST_BYTES}
   order by c.n`,
      { endpointId, known, limit },
    ),
);

/** The longest due first, without those that are known already. */
export async function readDue(
  db: Db,
  scope: Scope,
  asked: { endpointId: string; known: readonly string[]; limit: number },
): Promise<DueDelivery[]> {
  const rows = await db.rows(due(scope, asked));
  const environment: Environment = scope.environment;
  return rows.map(({ id, attemptCount, tries, eventId, ...event }) => ({
    id,
    attemptCount,
    tries,
    event: { ...event, id: eventId, environment },
  }));
}

const emptiedOf = statement<{ id: string }, { eventIds: readonly string[] }>('webhooks_emptied_events', ({ eventIds }) =>
  raw(`select e.id from outgoing_event e where ${ofTenant('e')} and e.id = any (:eventIds::uuid[]) and e.data is null`, {
    eventIds,
  }),
);

/** Those of the events that have no object, or none any more. */
export async function readEmptied(db: Db, scope: Scope, eventIds: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set(eventIds.length === 0 ? [] : (await db.rows(emptiedOf(scope, { eventIds }))).map(({ id }) => id));
}

export interface EndedAttempt {
  deliveryId: string;
  /** Of its delivery's attempts. */
  number: number;
  /** Those before it, since the delivery was last asked for. */
  tries: number;
  at: Date;
  ms: number;
  status: number | null;
  fault: string | null;
  answer: string | null;
  outcome: 'delivered' | 'failed' | 'waiting';
  gapSeconds: number | null;
}

const settle = statement<unknown, { endpointId: string; attempts: string }>(
  'webhooks_settle_attempts',
  ({ endpointId, attempts }) =>
    raw(
      `with ended as materialized (
     select * from json_to_recordset(:attempts::json) as x (
       "deliveryId" uuid, number int, tries int, at timestamptz, ms int, status int, fault text, answer text, outcome text,
       "gapSeconds" float8)),
   tried as materialized (
     select d.id, d.status, d.next_at, d.tries, x.outcome, x.number, x."gapSeconds" as gap, d.tries = x.tries as as_asked
     from ended x cross join lateral (
       select l.* from webhook_delivery l
       where ${ofTenant('l')} and l.id = x."deliveryId" and l.attempt_count = x.number - 1 for no key update offset 0) d),
   judged as materialized (
     select t.id, t.number, t.tries + case when t.as_asked then 1 else 0 end as tries,
       case when t.outcome = 'delivered' or (t.status = 'waiting' and t.as_asked) then t.outcome else t.status end as status,
       case when t.as_asked then ${SCOPE_NOW} + make_interval(secs => t.gap) else t.next_at end as next_at
     from tried t),
   settled as (
     update webhook_delivery d set attempt_count = j.number, tries = j.tries, status = j.status,
       next_at = case when j.status = 'waiting' then j.next_at end,
       settled_at = case when j.status <> 'waiting' then coalesce(d.settled_at, now()) end
     from judged j where ${ofTenant('d')} and d.id = any (array(select t.id from tried t)) and d.id = j.id
     returning d.id, d.event_id),
   told as materialized (
     select o.id, o.data is null as emptied from outgoing_event o
     where ${ofTenant('o')} and o.id = any (array(
       select s.event_id from settled s join ended x on x."deliveryId" = s.id where x.answer <> ''))
     order by o.id for share skip locked),
   counted as (
     insert into webhook_hour as h (tenant_id, environment, endpoint_id, starts_at, delivered, failed)
     select :tenantId, :environment, :endpointId, date_trunc('hour', x.at), count(*) filter (where x.outcome = 'delivered'),
            count(*) filter (where x.outcome <> 'delivered')
     from ended x join settled s on s.id = x."deliveryId" group by date_trunc('hour', x.at)
     on conflict (tenant_id, environment, endpoint_id, starts_at)
       do update set delivered = h.delivered + excluded.delivered, failed = h.failed + excluded.failed)
   insert into webhook_attempt (tenant_id, environment, delivery_id, number, at, ms, status, fault, answer)
   select :tenantId, :environment, x."deliveryId", x.number, x.at, x.ms, x.status, x.fault,
     case when x.answer <> '' and coalesce(t.emptied, true) then null else x.answer end
   from ended x join settled s on s.id = x."deliveryId" left join told t on t.id = s.event_id`,
      { endpointId, attempts },
    ),
);

/**
 * Stores attempts and moves their deliveries on; once and for all, for the number of each is the next. What was asked for
 * anew meanwhile, or cancelled, stays so unless the event has arrived. An answer to what was erased meanwhile may repeat it,
 * and is not kept: the event is locked, so that an erasure sees the answer or is seen. An event that somebody else has
 * locked counts as erased: an erasure may hold it for longer than the lease lasts.
 */
export async function settleAttempts(db: Db, scope: Scope, endpointId: string, attempts: readonly EndedAttempt[]): Promise<void> {
  if (attempts.length > 0) await db.rows(settle(scope, { endpointId, attempts: JSON.stringify(attempts) }));
}

const disable = statement<{ id: string }, { endpointId: string; reason: string }>(
  'webhooks_disable_endpoint',
  ({ endpointId, reason }) =>
    raw(
      `update webhook_endpoint e set enabled = false, disabled_reason = :reason, disabled_at = now(), updated_at = now()
       where ${ofTenant('e')} and e.id = :endpointId and e.enabled
       returning e.id`,
      { endpointId, reason },
    ),
);

/** False where it is disabled already. */
export async function disableEndpoint(db: Db, scope: Scope, endpointId: string, reason: 'gone' | 'failing'): Promise<boolean> {
  return (await db.row(disable(scope, { endpointId, reason }))) !== undefined;
}
