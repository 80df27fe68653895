/** Deliveries in SQL. */
import type { Knex } from 'knex';
import { listStatement, raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import type { SealedEvent } from '../open/event-body.ts';

export type DeliveryStatus = 'waiting' | 'delivered' | 'failed' | 'cancelled';

export interface LastAttempt {
  number: number;
  at: Date;
  ms: number;
  status: number | null;
  fault: string | null;
}

export interface Attempt extends LastAttempt {
  answer: string | null;
}

export interface Delivery {
  id: string;
  endpointId: string;
  eventId: string;
  eventType: string;
  objectId: string;
  sequence: bigint;
  status: DeliveryStatus;
  attemptCount: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  settledAt: Date | null;
  lastAttempt: LastAttempt | null;
}

/** The last attempt's columns stand beside the others. */
type DeliveryRow = Omit<Delivery, 'lastAttempt'> & { lastNumber: number | null } & {
  [Field in 'at' | 'ms' | 'status' | 'fault' as `last${Capitalize<Field>}`]: LastAttempt[Field] | null;
};

function toDelivery({ lastNumber, lastAt, lastMs, lastStatus, lastFault, ...row }: DeliveryRow): Delivery {
  const lastAttempt =
    lastNumber === null || lastAt === null || lastMs === null
      ? null
      : { number: lastNumber, at: lastAt, ms: lastMs, status: lastStatus, fault: lastFault };
  return { ...row, lastAttempt };
}

const delivery = tenantTable('webhook_delivery');

const COLUMNS = `d.id, d.endpoint_id as "endpointId", d.event_id as "eventId", o.type as "eventType", o.object_id as "objectId",
  s.sequence, d.status, d.attempt_count as "attemptCount", d.next_at as "nextAttemptAt", d.created_at as "createdAt",
  d.settled_at as "settledAt", l.number as "lastNumber", l.at as "lastAt", l.ms as "lastMs", l.status as "lastStatus",
  l.fault as "lastFault"`;

const deliveries = (): Knex.QueryBuilder =>
  delivery('d')
    .join('outgoing_event as o', 'o.id', 'd.event_id')
    .join('outgoing_sequence as s', 's.event_id', 'd.event_id')
    .leftJoin('webhook_attempt as l', (on: Knex.JoinClause) =>
      on.on('l.delivery_id', 'd.id').andOn('l.number', 'd.attempt_count'),
    )
    .select(raw(COLUMNS));

export interface DeliveryFilters {
  endpointId: string | undefined;
  eventId: string | undefined;
  objectId: string | undefined;
  type: string | undefined;
  status: DeliveryStatus | undefined;
  /** ISO 8601. */
  from: string | undefined;
  to: string | undefined;
}

const list = listStatement<DeliveryRow, DeliveryFilters & { beforeId: string | undefined; count: number }>(
  'webhooks_list_deliveries',
  (given) => {
    const query = deliveries().orderBy('d.id', 'desc').limit(given.count);
    if (given.endpointId) query.where('d.endpoint_id', given.endpointId);
    if (given.eventId) query.where('d.event_id', given.eventId);
    if (given.objectId) query.where('o.object_id', given.objectId);
    if (given.type) query.where('o.type', given.type);
    if (given.status) query.where('d.status', given.status);
    if (given.from) query.where('d.created_at', '>=', given.from);
    if (given.to) query.where('d.created_at', '<', given.to);
    if (given.beforeId) query.where('d.id', '<', given.beforeId);
    return query;
  },
);

/** Newest first, in order of their ids. */
export async function listDeliveries(
  db: Db,
  scope: Scope,
  filters: DeliveryFilters,
  beforeId: string | undefined,
  count: number,
): Promise<Delivery[]> {
  return (await db.rows(list(scope, { ...filters, beforeId, count }))).map(toDelivery);
}

const find = statement<DeliveryRow, { deliveryId: string }>('webhooks_find_delivery', ({ deliveryId }) =>
  deliveries().where('d.id', deliveryId),
);

export async function findDelivery(db: Db, scope: Scope, deliveryId: string): Promise<Delivery | undefined> {
  const row = await db.row(find(scope, { deliveryId }));
  return row && toDelivery(row);
}

const attempts = statement<Attempt, { deliveryId: string }>('webhooks_list_attempts', ({ deliveryId }) =>
  raw(
    `select a.number, a.at, a.ms, a.status, a.fault, a.answer from webhook_attempt a
     where ${ofTenant('a')} and a.delivery_id = :deliveryId order by a.number`,
    { deliveryId },
  ),
);

/** The first one first. */
export function listAttempts(db: Db, scope: Scope, deliveryId: string): Promise<Attempt[]> {
  return db.rows(attempts(scope, { deliveryId }));
}

const eventOf = statement<Omit<SealedEvent, 'environment'>, { deliveryId: string }>(
  'webhooks_event_of_delivery',
  ({ deliveryId }) =>
    raw(
      `select o.id, o.type, s.sequence, o.occurred_at as "occurredAt", o.object_id as "objectId",
              o.object_version as "objectVersion", o.actor, o.data, o.left_out as "leftOut"
       from webhook_delivery d
         join outgoing_event o on ${ofTenant('o')} and o.id = d.event_id
         join outgoing_sequence s on ${ofTenant('s')} and s.event_id = d.event_id
       where ${ofTenant('d')} and d.id = :deliveryId`,
      { deliveryId },
    ),
);

export async function findEventOf(db: Db, scope: Scope, deliveryId: string): Promise<SealedEvent | undefined> {
  const row = await db.row(eventOf(scope, { deliveryId }));
  return row && { ...row, environment: scope.environment };
}

const lock = statement<{ endpointId: string; enabled: boolean }, { deliveryId: string }>(
  'webhooks_lock_endpoint_of',
  ({ deliveryId }) =>
    raw(
      `select e.id as "endpointId", e.enabled from webhook_endpoint e
       where ${ofTenant('e')}
         and e.id = (select d.endpoint_id from webhook_delivery d where ${ofTenant('d')} and d.id = :deliveryId)
       for no key update`,
      { deliveryId },
    ),
);

/** The endpoint's row comes ahead of its deliveries', as in the sender. Undefined where there is no such delivery. */
export function lockEndpointOf(
  db: Db,
  scope: Scope,
  deliveryId: string,
): Promise<{ endpointId: string; enabled: boolean } | undefined> {
  return db.row(lock(scope, { deliveryId }));
}

const retry = statement<unknown, { deliveryId: string }>('webhooks_retry_delivery', ({ deliveryId }) =>
  raw(
    `with clock as (select ${SCOPE_NOW} as now),
   asked as (
     update webhook_delivery d set status = 'waiting', tries = 0, next_at = clock.now, settled_at = null
     from clock where ${ofTenant('d')} and d.id = :deliveryId
     returning d.endpoint_id)
   update webhook_endpoint e set next_at = least(e.next_at, clock.now)
   from clock, asked where ${ofTenant('e')} and e.id = asked.endpoint_id`,
    { deliveryId },
  ),
);

/** It is due at once, and its attempts begin anew. */
export async function retryDelivery(db: Db, scope: Scope, deliveryId: string): Promise<void> {
  await db.rows(retry(scope, { deliveryId }));
}
