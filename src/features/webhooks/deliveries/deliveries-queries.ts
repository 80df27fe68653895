/** Deliveries in SQL: one and many, with their events and attempts. */
import { type GivenPlaces, listStatement, raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import type { SealedEvent } from '../open/event-body.ts';

export interface Attempt {
  number: number;
  at: Date;
  ms: number;
  status: number | null;
  fault: string | null;
}

export interface Delivery {
  id: string;
  endpointId: string;
  eventId: string;
  eventType: string;
  objectId: string;
  sequence: bigint;
  status: 'waiting' | 'delivered' | 'failed' | 'cancelled';
  attemptCount: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  settledAt: Date | null;
  lastAttempt: Attempt | null;
}

type Row = Omit<Delivery, 'lastAttempt'> & { lastAttempt: (Omit<Attempt, 'at'> & { at: string }) | null };

/** What waits for an endpoint that is deleted is cancelled, whether its row says so yet or not. */
const STATUS = `case when d.status = 'waiting' and p.deleted_at is not null then 'cancelled' else d.status end`;

const COLUMNS = `d.id, d.endpoint_id as "endpointId", d.event_id as "eventId", e.type as "eventType", e.object_id as "objectId",
  s.sequence, ${STATUS} as status, d.attempt_count as "attemptCount", case when p.deleted_at is null then d.next_at end as "nextAttemptAt",
  d.created_at as "createdAt", coalesce(d.settled_at, p.deleted_at) as "settledAt",
  (select json_build_object('number', a.number, 'at', a.at, 'ms', a.ms, 'status', a.status, 'fault', a.fault) from webhook_attempt a
   where ${ofTenant('a')} and a.delivery_id = d.id order by a.number desc limit 1) as "lastAttempt"`;

const toDelivery = ({ lastAttempt, ...row }: Row): Delivery => ({
  ...row,
  lastAttempt: lastAttempt && { ...lastAttempt, at: new Date(lastAttempt.at) },
});

/** The first condition is the one that an index knows. */
const OF_STATUS = `d.status = any (case :status::text when 'cancelled' then array['cancelled', 'waiting'] else array[:status::text] end)
  and ${STATUS} = :status::text`;
/** Looked up first, in place of a walk through all deliveries. */
const OF_OBJECT = `d.event_id = any (array(select o.id from outgoing_event o where ${ofTenant('o')} and o.object_id = :objectId))`;

const delivery = tenantTable('webhook_delivery');
const deliveries = () =>
  delivery('d')
    .join('outgoing_event as e', 'e.id', 'd.event_id')
    .join('outgoing_sequence as s', 's.event_id', 'd.event_id')
    .join('webhook_endpoint as p', 'p.id', 'd.endpoint_id')
    .select(raw(COLUMNS));

export interface DeliveryFilters {
  endpointId: string | undefined;
  eventId: string | undefined;
  objectId: string | undefined;
  type: string | undefined;
  status: Delivery['status'] | undefined;
  from: string | undefined;
  to: string | undefined;
}

const list = listStatement<Row, DeliveryFilters & { before: string | undefined; count: number }>(
  'webhooks_list_deliveries',
  (p: GivenPlaces<Scope & DeliveryFilters & { before: string | undefined; count: number }>) => {
    const query = deliveries().orderBy('d.id', 'desc').limit(p.count);
    if (p.endpointId) query.where('d.endpoint_id', p.endpointId);
    if (p.eventId) query.where('d.event_id', p.eventId);
    if (p.objectId) query.whereRaw(raw(OF_OBJECT, { objectId: p.objectId }));
    if (p.type) query.where('e.type', p.type);
    if (p.status) query.whereRaw(raw(OF_STATUS, { status: p.status }));
    if (p.from) query.where('d.created_at', '>=', p.from);
    if (p.to) query.where('d.created_at', '<', p.to);
    if (p.before) query.where('d.id', '<', p.before);
    return query;
  },
);

/** Newest first. */
export async function listDeliveries(
  db: Db,
  scope: Scope,
  filters: DeliveryFilters,
  before: string | undefined,
  count: number,
): Promise<Delivery[]> {
  return (await db.rows(list(scope, { ...filters, before, count }))).map(toDelivery);
}

const find = statement<Row, { deliveryId: string }>('webhooks_find_delivery', ({ deliveryId }) =>
  deliveries().where('d.id', deliveryId),
);

export async function findDelivery(db: Db, scope: Scope, deliveryId: string): Promise<Delivery | undefined> {
  const row = await db.row(find(scope, { deliveryId }));
  return row && toDelivery(row);
}

const attempts = statement<Attempt & { answer: string | null }, { deliveryId: string }>('webhooks_attempts', ({ deliveryId }) =>
  tenantTable('webhook_attempt')('a')
    .where('a.delivery_id', deliveryId)
    .orderBy('a.number')
    .select('a.number', 'a.at', 'a.ms', 'a.status', 'a.fault', 'a.answer'),
);

/** The first one first. */
export function readAttempts(db: Db, scope: Scope, deliveryId: string): Promise<(Attempt & { answer: string | null })[]> {
  return db.rows(attempts(scope, { deliveryId }));
}

const event = statement<Omit<SealedEvent, 'environment'>, { eventId: string }>('webhooks_find_event', ({ eventId }) =>
  tenantTable('outgoing_event')('e')
    .join('outgoing_sequence as s', 's.event_id', 'e.id')
    .where('e.id', eventId)
    .select(
      raw(`e.id, e.type, s.sequence, e.occurred_at as "occurredAt", e.object_id as "objectId",
      e.object_version as "objectVersion", e.actor, e.data, e.left_out as "leftOut",
      e.only_for is not null as "isExample"`),
    ),
);

/** Undefined of one that has no number yet, or is forgotten. */
export async function findEvent(db: Db, scope: Scope, eventId: string): Promise<SealedEvent | undefined> {
  const row = await db.row(event(scope, { eventId }));
  return row && { ...row, environment: scope.environment };
}

const retry = statement<{ enabled: boolean }, { deliveryId: string }>('webhooks_retry_delivery', ({ deliveryId }) =>
  raw(
    `with clock as (select ${SCOPE_NOW} as now),
   endpoint as (
     select p.id, p.enabled from webhook_endpoint p join webhook_delivery d on ${ofTenant('d')} and d.endpoint_id = p.id
     where ${ofTenant('p')} and d.id = :deliveryId for no key update of p),
   again as (
     update webhook_delivery d set status = 'waiting', tries = 0, next_at = clock.now, settled_at = null
     from endpoint cross join clock where ${ofTenant('d')} and d.id = :deliveryId and endpoint.enabled),
   woken as (
     update webhook_endpoint p set next_at = least(p.next_at, clock.now) from endpoint cross join clock
     where ${ofTenant('p')} and p.id = endpoint.id and endpoint.enabled)
   select enabled from endpoint`,
    { deliveryId },
  ),
);

/** Whether its endpoint is enabled, without which nothing is done; undefined where there is no such delivery. */
export async function retryDelivery(db: Db, scope: Scope, deliveryId: string): Promise<boolean | undefined> {
  return (await db.row(retry(scope, { deliveryId })))?.enabled;
}
