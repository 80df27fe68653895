/** Endpoints in SQL. Those that were deleted are found by nobody here. */
import type { NamedActor } from '../../../actor.ts';
import { takeLock } from '../../../db/lock-classes.ts';
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { namedActor } from '../../audit/open/named-actor.ts';

export interface Endpoint {
  id: string;
  url: string;
  eventTypes: string[];
  description: string | null;
  enabled: boolean;
  disabledReason: 'by_hand' | 'gone' | 'failing' | null;
  disabledAt: Date | null;
  headerNames: string[];
  /** Of who made it, or last changed what it is sent and where, or enabled it. */
  rights: string[];
  /** Whose they are. */
  rightsOf: NamedActor;
  failingSince: Date | null;
  oldSecretUntil: Date | null;
  createdBy: NamedActor;
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = `e.id, e.url, e.event_types as "eventTypes", e.description, e.enabled, e.disabled_reason as "disabledReason",
  e.disabled_at as "disabledAt", e.header_names as "headerNames", e.rights, e.failing_since as "failingSince",
  case when e.old_secret_until > now() then e.old_secret_until end as "oldSecretUntil", ${namedActor('e.created_by')} as "createdBy", ${namedActor('e.rights_of')} as "rightsOf",
  e.created_at as "createdAt", e.updated_at as "updatedAt"`;
const THIS = `${ofTenant('e')} and e.id = :endpointId and e.deleted_at is null`;

type OfEndpoint = { endpointId: string };

const lockNew = statement<unknown>('webhooks_lock_new_endpoint', () => raw(`select ${takeLock('webhookEndpoints')}`));

interface NewEndpoint {
  id: string;
  url: string;
  eventTypes: readonly string[];
  description: string | null;
  enabled: boolean;
  headerNames: readonly string[];
  headersSealed: Buffer | null;
  rights: readonly string[];
  secretSealed: Buffer;
  /** An `actorRef`. */
  createdBy: string;
}

const insert = statement<Endpoint, NewEndpoint & { most: number }>(
  'webhooks_insert_endpoint',
  ({ id, url, eventTypes, description, enabled, headerNames, headersSealed, rights, secretSealed, createdBy, most }) =>
    raw(
      `insert into webhook_endpoint as e (tenant_id, environment, id, url, event_types, description, enabled, disabled_reason,
                                          disabled_at, header_names, headers_sealed, rights, rights_of, secret_sealed, created_by)
   select :tenantId, :environment, :id, :url, :eventTypes::text[], :description, :enabled::boolean,
          case when not :enabled then 'by_hand' end, case when not :enabled then now() end, :headerNames::text[],
          :headersSealed::bytea, :rights::text[], :createdBy, :secretSealed::bytea, :createdBy
   where (select count(*) from webhook_endpoint o where ${ofTenant('o')} and o.deleted_at is null) < :most
   returning ${COLUMNS}`,
      { id, url, eventTypes, description, enabled, headerNames, headersSealed, rights, secretSealed, createdBy, most },
    ),
);

/** Undefined where there are `most` already; of several at once one is counted after the other. */
export async function insertEndpoint(db: Db, scope: Scope, endpoint: NewEndpoint, most: number): Promise<Endpoint | undefined> {
  const [, row] = await Promise.all([db.rows(lockNew(scope)), db.row(insert(scope, { ...endpoint, most }))]);
  return row;
}

const find = statement<Endpoint, OfEndpoint>('webhooks_find_endpoint', ({ endpointId }) =>
  raw(`select ${COLUMNS} from webhook_endpoint e where ${THIS}`, { endpointId }),
);

export function findEndpoint(db: Db, scope: Scope, endpointId: string): Promise<Endpoint | undefined> {
  return db.row(find(scope, { endpointId }));
}

const lock = statement<Endpoint, OfEndpoint>('webhooks_lock_endpoint', ({ endpointId }) =>
  raw(`select ${COLUMNS} from webhook_endpoint e where ${THIS} for no key update of e`, { endpointId }),
);

export function lockEndpoint(db: Db, scope: Scope, endpointId: string): Promise<Endpoint | undefined> {
  return db.row(lock(scope, { endpointId }));
}

const list = statement<Endpoint, { after: string | null; count: number }>('webhooks_list_endpoints', ({ after, count }) =>
  raw(
    `select ${COLUMNS} from webhook_endpoint e
     where ${ofTenant('e')} and e.deleted_at is null and (:after::uuid is null or e.id > :after)
     order by e.id limit :count`,
    { after, count },
  ),
);

/** Oldest first. */
export function listEndpoints(db: Db, scope: Scope, after: string | undefined, count: number): Promise<Endpoint[]> {
  return db.rows(list(scope, { after: after ?? null, count }));
}

export interface EndpointChange {
  url: string;
  eventTypes: readonly string[];
  description: string | null;
  enabled: boolean;
  headerNames: readonly string[];
  /** Undefined: those that it has. */
  headersSealed: Buffer | null | undefined;
  rights: readonly string[];
  /** An `actorRef`; undefined: whose they are. */
  rightsOf: string | undefined;
}

const update = statement<
  Endpoint,
  OfEndpoint &
    Omit<EndpointChange, 'headersSealed' | 'rightsOf'> & {
      headersSealed: Buffer | null;
      replacesHeaders: boolean;
      rightsOf: string | null;
    }
>(
  'webhooks_update_endpoint',
  ({ endpointId, url, eventTypes, description, enabled, headerNames, headersSealed, replacesHeaders, rights, rightsOf }) =>
    raw(
      `update webhook_endpoint e set url = :url, event_types = :eventTypes::text[], description = :description,
         enabled = :enabled::boolean,
         disabled_reason = case when :enabled then null else coalesce(e.disabled_reason, 'by_hand') end,
         disabled_at = case when :enabled then null else coalesce(e.disabled_at, now()) end,
         failing_since = case when (:enabled and not e.enabled) or e.url <> :url then null else e.failing_since end,
         header_names = :headerNames::text[], rights = :rights::text[], rights_of = coalesce(:rightsOf::text, e.rights_of),
         headers_sealed = case when :replacesHeaders::boolean then :headersSealed::bytea else e.headers_sealed end,
         next_at = case when :enabled and not e.enabled then ${SCOPE_NOW} else e.next_at end,
         updated_at = now()
       where ${THIS} returning ${COLUMNS}`,
      { endpointId, url, eventTypes, description, enabled, headerNames, headersSealed, replacesHeaders, rights, rightsOf },
    ),
);

/** Of an endpoint that is locked. Enabled again it is looked at at once: something may have waited. */
export async function updateEndpoint(db: Db, scope: Scope, endpointId: string, change: EndpointChange): Promise<Endpoint> {
  const { headersSealed, rightsOf, ...rest } = change;
  const replaced = { headersSealed: headersSealed ?? null, replacesHeaders: headersSealed !== undefined };
  const row = await db.row(update(scope, { endpointId, ...rest, ...replaced, rightsOf: rightsOf ?? null }));
  if (!row) throw new Error('a locked endpoint vanished');
  return row;
}

const rotate = statement<Endpoint, OfEndpoint & { secretSealed: Buffer; overlapHours: number }>(
  'webhooks_rotate_secret',
  ({ endpointId, secretSealed, overlapHours }) =>
    raw(
      `update webhook_endpoint e set secret_sealed = :secretSealed::bytea,
         old_secret_sealed = case when :overlapHours::int > 0 then e.secret_sealed end,
         old_secret_until = case when :overlapHours::int > 0 then now() + make_interval(hours => :overlapHours) end,
         updated_at = now()
       where ${THIS} returning ${COLUMNS}`,
      { endpointId, secretSealed, overlapHours },
    ),
);

export function rotateSecret(
  db: Db,
  scope: Scope,
  endpointId: string,
  to: { secretSealed: Buffer; overlapHours: number },
): Promise<Endpoint | undefined> {
  return db.row(rotate(scope, { endpointId, ...to }));
}

const remove = statement<{ id: string }, OfEndpoint>('webhooks_delete_endpoint', ({ endpointId }) =>
  raw(
    `update webhook_endpoint e set deleted_at = now(), enabled = false, disabled_reason = null, disabled_at = null,
       secret_sealed = null, old_secret_sealed = null, old_secret_until = null, headers_sealed = null, header_names = '{}',
       next_at = null, updated_at = now()
     where ${THIS} returning e.id`,
    { endpointId },
  ),
);

/** False where there is none. What waits for it counts as cancelled from now on; a sweep says so of each. */
export async function deleteEndpoint(db: Db, scope: Scope, endpointId: string): Promise<boolean> {
  return (await db.row(remove(scope, { endpointId }))) !== undefined;
}

export interface Hour {
  endpointId: string;
  from: Date;
  delivered: number;
  failed: number;
}

const hours = statement<Hour, { endpointIds: readonly string[] }>('webhooks_hours', ({ endpointIds }) =>
  raw(
    `with span as (select date_trunc('hour', now()) as last)
   select e.id as "endpointId", s.starts_at as "from", coalesce(h.delivered, 0) as delivered, coalesce(h.failed, 0) as failed
   from span cross join unnest(:endpointIds::uuid[]) as e(id)
     cross join lateral generate_series(span.last - interval '23 hours', span.last, interval '1 hour') as s(starts_at)
     left join webhook_hour h on ${ofTenant('h')} and h.endpoint_id = e.id and h.starts_at = s.starts_at
   order by e.id, s.starts_at`,
    { endpointIds },
  ),
);

/** How the attempts of the last 24 hours ended, by the hour, the oldest first; an hour without one is there too. */
export function readHours(db: Db, scope: Scope, endpointIds: readonly string[]): Promise<Hour[]> {
  return db.rows(hours(scope, { endpointIds }));
}
