/** Changes that wait for another pair of hands, in SQL. Times are the database's. */
import type { Knex } from 'knex';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { namedActor } from '../audit/open/named-actor.ts';
import { LOCK_ROLE, type LockedRole } from '../staff/open/staff-standing.ts';
import type { PendingChange, PendingChangeStatus, PendingField } from './open/pending-change.ts';

/** Nobody has to have swept for a change to be over. */
const statusAt = (now: string): string =>
  `case when c.status = 'open' and c.expires_at <= ${now} then 'expired' else c.status end`;

const columnsAt = (now: string): string => `c.id, c.operation_id as "operationId", ${statusAt(now)} as status, c.fields,
  ${namedActor('c.created_by')} as "createdBy", c.created_at as "createdAt", c.expires_at as "expiresAt",
  ${namedActor('c.decided_by')} as "decidedBy", c.decided_at as "decidedAt", c.reason`;
const COLUMNS = columnsAt('now()');

const pendingChange = tenantTable('pending_change');

export interface NewChange {
  operationId: string;
  scopes: readonly string[];
  rule: 'keys' | 'persons';
  fields: readonly PendingField[];
  named: readonly string[];
  createdBy: string;
  createdRoot: string;
  hours: number;
}

/** The id is drawn ahead of the row: what is sealed is bound to it. */
const drawId = statement<{ id: string }>('pending_changes_draw_id', () => raw('select uuidv7() as id'));

const insert = statement<PendingChange, Omit<NewChange, 'fields'> & { id: string; fields: string; sealed: Buffer }>(
  'pending_changes_insert',
  ({ id, operationId, scopes, rule, fields, sealed, named, createdBy, createdRoot, hours }) =>
    raw(
      `insert into pending_change as c (tenant_id, environment, id, operation_id, scopes, rule, fields, request_sealed, named, created_by,
                                        created_root, expires_at)
       values (:tenantId, :environment, :id, :operationId, :scopes, :rule, :fields::jsonb, :sealed, :named::bigint[], :createdBy,
               :createdRoot, now() + make_interval(hours => :hours))
       returning ${COLUMNS}`,
      { id, operationId, scopes, rule, fields, sealed, named, createdBy, createdRoot, hours },
    ),
);

/** `seal` gets the id of the change. */
export async function insertChange(
  db: Db,
  scope: Scope,
  { fields, ...change }: NewChange,
  seal: (id: string) => Buffer,
): Promise<PendingChange> {
  const id = (await db.row(drawId(scope)))?.id ?? '';
  const row = await db.row(insert(scope, { ...change, id, fields: JSON.stringify(fields), sealed: seal(id) }));
  if (!row) throw new Error('a pending change was not written');
  return row;
}

const claim = statement<{ field: string }, { id: string; fields: readonly string[] }>('pending_changes_claim', ({ id, fields }) =>
  raw(
    `insert into pending_change_field (tenant_id, environment, field, pending_change_id)
     select :tenantId, :environment, f.field, :id from unnest(:fields::text[]) f(field) order by f.field
     on conflict do nothing returning field`,
    { id, fields },
  ),
);

const holder = statement<{ id: string }, { id: string; fields: readonly string[] }>('pending_changes_holder', ({ id, fields }) =>
  raw(
    `select f.pending_change_id as id from pending_change_field f
     where ${ofTenant('f')} and f.field = any (:fields::text[]) and f.pending_change_id <> :id order by f.field limit 1`,
    { id, fields },
  ),
);

/** Takes the safeguards for the change; of two at once one waits. The change that has one of them already, or undefined. */
export async function claimFields(db: Db, scope: Scope, id: string, fields: readonly string[]): Promise<string | undefined> {
  const taken = await db.rows(claim(scope, { id, fields }));
  if (taken.length === fields.length) return undefined;
  // One that was closed the moment before has let go of them: whoever asks again gets them.
  return (await db.row(holder(scope, { id, fields })))?.id ?? '';
}

const lockOfFields = statement<{ id: string; operationId: string; over: boolean }, { fields: readonly string[] }>(
  'pending_changes_lock_of_fields',
  ({ fields }) =>
    raw(
      `select c.id, c.operation_id as "operationId", c.expires_at <= clock_timestamp() as over from pending_change c
       where ${ofTenant('c')} and c.status = 'open' and c.id in (
         select f.pending_change_id from pending_change_field f where ${ofTenant('f')} and f.field = any (:fields::text[]))
       order by c.id for update`,
      { fields },
    ),
);

/** The open changes that would weaken one of these safeguards, and whether their time is over. */
export function lockChangesOf(
  db: Db,
  scope: Scope,
  fields: readonly string[],
): Promise<{ id: string; operationId: string; over: boolean }[]> {
  return db.rows(lockOfFields(scope, { fields }));
}

interface Closing {
  ids: readonly string[];
  status: Exclude<PendingChangeStatus, 'open'>;
  /** An `actorRef`. */
  by: string;
  reason: string | null;
  /** Whom the reason names. */
  named: readonly string[];
}

const closing = (
  { ids, status, by }: Record<'ids' | 'status' | 'by', Knex.Raw>,
  more: string,
  places: Record<string, Knex.Raw>,
) =>
  raw(
    `with closed as (
       update pending_change c set status = :status, decided_by = :by, decided_at = clock_timestamp(), request_sealed = null${more}
       where ${ofTenant('c')} and c.id = any (:ids::uuid[]) and c.status = 'open' returning c.*),
     freed as (
       delete from pending_change_field f using closed c where ${ofTenant('f')} and f.pending_change_id = c.id)
     select ${COLUMNS} from closed c order by c.id`,
    { ids, status, by, ...places },
  );

const closeStatement = statement<PendingChange, Closing>('pending_changes_close', ({ ids, status, by, reason, named }) =>
  closing({ ids, status, by }, ", reason = :reason, named = coalesce(c.named, '{}') || :named::bigint[]", { reason, named }),
);

/** The same without a reason, which a worker may not give. */
const sweepStatement = statement<PendingChange, Omit<Closing, 'reason' | 'named'>>('pending_changes_sweep', (places) =>
  closing(places, '', {}),
);

/** Ends changes, and lets go of their safeguards and requests; those that were open until then. */
export function closeChanges(
  db: Db,
  scope: Scope,
  closed: Omit<Closing, 'reason' | 'named'> & Partial<Pick<Closing, 'reason' | 'named'>>,
): Promise<PendingChange[]> {
  return db.rows(closeStatement(scope, { ...closed, reason: closed.reason ?? null, named: closed.named ?? [] }));
}

export function sweepChanges(db: Db, scope: Scope, closed: Omit<Closing, 'reason' | 'named'>): Promise<PendingChange[]> {
  return db.rows(sweepStatement(scope, closed));
}

const lockDue = statement<{ id: string }, { limit: number }>('pending_changes_lock_due', ({ limit }) =>
  raw(
    `select c.id from pending_change c where ${ofTenant('c')} and c.status = 'open' and c.expires_at <= now()
     order by c.expires_at limit :limit for update skip locked`,
    { limit },
  ),
);

export async function lockDueChanges(db: Db, scope: Scope, limit: number): Promise<string[]> {
  return (await db.rows(lockDue(scope, { limit }))).map(({ id }) => id);
}

/** What is kept of a change beside what is shown. */
export interface StoredChange extends PendingChange {
  scopes: string[];
  rule: 'keys' | 'persons';
  /** Null once the change is over. */
  sealed: Buffer | null;
  createdByRef: string;
  createdRoot: string;
}

const INNER = `c.scopes, c.rule, c.request_sealed as sealed, c.created_by as "createdByRef", c.created_root as "createdRoot"`;

const one = (id: Knex.Raw) => pendingChange('c').where('c.id', id);

const find = statement<StoredChange, { id: string }>('pending_changes_find', ({ id }) =>
  one(id).select(raw(`${COLUMNS}, ${INNER}`)),
);

export function findChange(db: Db, scope: Scope, id: string): Promise<StoredChange | undefined> {
  return db.row(find(scope, { id }));
}

/** By the clock, not as of the transaction: who waited for the lock must see that the time is over meanwhile. */
const lock = statement<StoredChange, { id: string }>('pending_changes_lock', ({ id }) =>
  one(id)
    .select(raw(`${columnsAt('clock_timestamp()')}, ${INNER}`))
    .forUpdate(),
);

export function lockChange(db: Db, scope: Scope, id: string): Promise<StoredChange | undefined> {
  return db.row(lock(scope, { id }));
}

interface Seen {
  /** What the caller may do, and who it is as an `actorRef`. */
  held: readonly string[];
  self: string;
}

const list = statement<StoredChange, Seen & { status: string | null; before: string | null; count: number }>(
  'pending_changes_list',
  ({ held, self, status, before, count }) =>
    pendingChange('c')
      .whereRaw('(c.scopes <@ :held::text[] or c.created_by = :self)', { held, self })
      .whereRaw(`(:status::text is null or ${statusAt('now()')} = :status)`, { status })
      .whereRaw('(:before::uuid is null or c.id < :before)', { before })
      .orderBy('c.id', 'desc')
      .limit(count)
      .select(raw(`${COLUMNS}, ${INNER}`)),
);

/** Newest first, of those that the caller could ask for itself, and its own. */
export function listChanges(
  db: Db,
  scope: Scope,
  seen: Seen,
  { status, before, count }: { status: string | undefined; before: string | undefined; count: number },
): Promise<StoredChange[]> {
  return db.rows(list(scope, { ...seen, status: status ?? null, before: before ?? null, count }));
}

const apiKey = tenantTable('api_key');

const activeKeys = statement<{ id: string; scopes: string[] }, { ids: readonly string[] }>(
  'pending_changes_active_keys',
  ({ ids }) =>
    apiKey('k')
      .whereIn('k.id', raw(':ids::uuid[]', { ids }))
      .whereRaw('k.revoked_at is null and k.disabled_at is null and (k.expires_at is null or k.expires_at > clock_timestamp())')
      .orderBy('k.id')
      .select('k.id', 'k.scopes')
      .forShare(),
);

/** What the keys may do that are usable now, by id; they stay so until the end of the transaction. */
export async function lockActiveKeys(db: Db, scope: Scope, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db.rows(activeKeys(scope, { ids }));
  return new Map(rows.map(({ id, scopes }) => [id, scopes]));
}

/** The role of a person who is active; it stays so until the end of the transaction. */
export const lockRole = statement<LockedRole, { staffId: string }>('pending_changes_lock_role', ({ staffId }) =>
  raw(LOCK_ROLE, { staffId }),
);

/** Requests that name a person go with it: one that waits is cancelled, and the values and the reason of all are gone. */
export const forgetNamed = statement<unknown, { names: readonly string[] }>('pending_changes_forget_named', ({ names }) =>
  raw(
    `with named as (
       update pending_change c set fields = '[]', reason = null, request_sealed = null,
         status = case when c.status = 'open' then 'cancelled' else c.status end,
         decided_by = coalesce(c.decided_by, 'system'), decided_at = coalesce(c.decided_at, now())
       where ${ofTenant('c')} and c.named && :names::bigint[] returning c.id)
     delete from pending_change_field f using named c where ${ofTenant('f')} and f.pending_change_id = c.id`,
    { names },
  ),
);
