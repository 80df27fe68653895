/** Snapshots in SQL. What is shown is by the scope's clock; when the file goes, by the real one. */
import type { Knex } from 'knex';
import { takeLock } from '../../../db/lock-classes.ts';
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import type { Statement } from '../../../db/statement.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import { namedActor } from '../../audit/open/named-actor.ts';
import type { EventSnapshot, SnapshotKind } from './event-snapshot.ts';

const COLUMNS = `s.id, s.kinds, s.status, s.sequence, s.row_count as "rowCount", s.byte_count as "byteCount", s.failure,
  ${namedActor('s.created_by')} as "createdBy", s.created_at as "createdAt", s.finished_at as "finishedAt", s.expires_at as "expiresAt"`;
const THIS = `${ofTenant('s')} and s.id = :id`;

const eventSnapshot = tenantTable('event_snapshot');
const one = (id: Knex.Raw) => eventSnapshot('s').where('s.id', id).select(raw(COLUMNS));

const lockNew = statement<unknown>('webhooks_lock_new_snapshot', () => raw(`select ${takeLock('snapshots')}`));

/** Behind this no snapshot is asked for until the transaction ends. */
export function lockNewSnapshots(scope: Scope): Statement<unknown> {
  return lockNew(scope);
}

const insert = statement<EventSnapshot, { kinds: readonly SnapshotKind[]; createdBy: string; most: number }>(
  'webhooks_insert_snapshot',
  ({ kinds, createdBy, most }) =>
    raw(
      `insert into event_snapshot as s (tenant_id, environment, kinds, created_by, created_at)
   select :tenantId, :environment, :kinds::text[], :createdBy, ${SCOPE_NOW}
   where (
     select count(*) from event_snapshot u
     where ${ofTenant('u')} and u.status in ('queued', 'running') and u.expires_at > now()) < :most
   returning ${COLUMNS}`,
      { kinds, createdBy, most },
    ),
);

/** Undefined while `most` are unfinished; of several at once one is counted after the other. */
export async function insertSnapshot(
  db: Db,
  scope: Scope,
  kinds: readonly SnapshotKind[],
  createdBy: string,
  most: number,
): Promise<EventSnapshot | undefined> {
  await db.rows(lockNewSnapshots(scope));
  return db.row(insert(scope, { kinds, createdBy, most }));
}

const find = statement<EventSnapshot, { id: string }>('webhooks_find_snapshot', ({ id }) => one(id));

export async function findSnapshot(db: Db, scope: Scope, id: string): Promise<EventSnapshot | undefined> {
  return db.row(find(scope, { id }));
}

const lock = statement<EventSnapshot & { storageKey: string | null }, { id: string }>('webhooks_lock_snapshot', ({ id }) =>
  one(id).select('s.storage_key as storageKey').forNoKeyUpdate(),
);

/** Against its file's being removed. */
export async function lockSnapshot(db: Db, scope: Scope, id: string) {
  return db.row(lock(scope, { id }));
}

const begin = statement<{ kinds: SnapshotKind[] }, { id: string; storageKey: string }>(
  'webhooks_begin_snapshot',
  ({ id, storageKey }) =>
    raw(
      `update event_snapshot s set status = 'running', storage_key = :storageKey
   where ${THIS} and s.status in ('queued', 'running') and s.expires_at > now()
   returning s.kinds`,
      { id, storageKey },
    ),
);

/** Undefined when there is nothing to do any more. */
export async function beginSnapshot(db: Db, scope: Scope, id: string, storageKey: string): Promise<SnapshotKind[] | undefined> {
  return (await db.row(begin(scope, { id, storageKey })))?.kinds;
}

export interface MadeSnapshot {
  sequence: bigint;
  rowCount: number;
  byteCount: number;
}

const complete = statement<unknown, MadeSnapshot & { id: string }>(
  'webhooks_complete_snapshot',
  ({ id, sequence, rowCount, byteCount }) =>
    raw(
      `update event_snapshot s set status = 'completed', sequence = :sequence, row_count = :rowCount, byte_count = :byteCount,
          finished_at = ${SCOPE_NOW}
   where ${THIS} and s.status in ('running', 'completed') returning 1`,
      { id, sequence, rowCount, byteCount },
    ),
);

/** False when it was given up meanwhile. Repeatable; of two runs the later wrote the file. */
export async function completeSnapshot(db: Db, scope: Scope, id: string, made: MadeSnapshot): Promise<boolean> {
  return (await db.row(complete(scope, { id, ...made }))) !== undefined;
}

const completed = statement<unknown, { id: string }>('webhooks_snapshot_has_file', ({ id }) =>
  eventSnapshot().where({ id, status: 'completed' }).select(raw('1')),
);

/** Whether it is complete: its file is there to be fetched. */
export async function hasFile(db: Db, scope: Scope, id: string): Promise<boolean> {
  return (await db.row(completed(scope, { id }))) !== undefined;
}

const fail = statement<unknown, { id: string; failure: string }>('webhooks_fail_snapshot', ({ id, failure }) =>
  raw(
    `update event_snapshot s set status = 'failed', failure = :failure, finished_at = ${SCOPE_NOW}, remove_at = now()
   where ${THIS} and s.status in ('queued', 'running')`,
    { id, failure },
  ),
);

export async function failSnapshot(db: Db, scope: Scope, id: string, failure: string): Promise<void> {
  await db.rows(fail(scope, { id, failure }));
}

const outdate = statement<unknown>('webhooks_outdate_snapshots', () =>
  raw(
    `update event_snapshot s set status = 'expired', remove_at = now()
   where ${ofTenant('s')} and s.status in ('queued', 'running', 'completed')`,
  ),
);

/**
 * All files go, and none comes of what is being made: nobody knows who is in them without reading. Behind `lockNewSnapshots` of
 * the same transaction: what is asked for later reads what the transaction has left.
 */
export function outdateSnapshots(scope: Scope): Statement<unknown> {
  return outdate(scope);
}

const expireDue = statement<{ count: number }, { limit: number }>('webhooks_expire_snapshots', ({ limit }) =>
  raw(
    `with due as (
     select d.id from event_snapshot d where ${ofTenant('d')} and d.remove_at <= now()
     order by d.remove_at limit :limit for update skip locked),
   expired as (
     update event_snapshot s set status = case s.status when 'failed' then 'failed' else 'expired' end,
            remove_at = case when s.storage_key is not null then now() + interval '5 minutes' end
     from due where ${ofTenant('s')} and s.id = due.id
     returning s.id)
   select count(*)::int as count from expired`,
    { limit },
  ),
);

/** Those with a file are due again in five minutes, should nobody remove it. Returns their number. */
export async function expireDueSnapshots(db: Db, scope: Scope, limit: number): Promise<number> {
  return (await db.row(expireDue(scope, { limit })))?.count ?? 0;
}

const listRemoving = statement<{ key: string }, { limit: number }>('webhooks_list_removed_snapshots', ({ limit }) =>
  eventSnapshot('s')
    .whereIn('s.status', ['failed', 'expired'])
    .whereNotNull('s.remove_at')
    .whereNotNull('s.storage_key')
    .orderBy('s.remove_at')
    .limit(limit)
    .select('s.storage_key as key'),
);

/** Of files that are to be removed. */
export async function snapshotKeysToRemove(db: Db, scope: Scope, limit: number): Promise<string[]> {
  return (await db.rows(listRemoving(scope, { limit }))).map(({ key }) => key);
}

const settle = statement<unknown, { keys: readonly string[] }>('webhooks_settle_snapshots', ({ keys }) =>
  raw(
    `update event_snapshot s set remove_at = null, storage_key = null
   where ${ofTenant('s')} and s.storage_key = any (:keys::text[]) and s.status in ('failed', 'expired')`,
    { keys },
  ),
);

export async function settleSnapshots(db: Db, scope: Scope, keys: readonly string[]): Promise<void> {
  await db.rows(settle(scope, { keys }));
}

export interface SnapshotHead {
  sequence: bigint;
  /** Events are committed that have no number yet. */
  waiting: boolean;
  takenAt: Date;
}

const head = statement<SnapshotHead>('webhooks_snapshot_head', () =>
  raw(
    `select coalesce((select h.sequence from outgoing_head h where ${ofTenant('h')}), 0) as sequence,
            exists (select from outgoing_unsealed u where ${ofTenant('u')}) as waiting, ${SCOPE_NOW} as "takenAt"`,
  ),
);

/** As the transaction sees it. */
export async function readSnapshotHead(db: Db, scope: Scope): Promise<SnapshotHead> {
  const row = await db.row(head(scope));
  if (!row) throw new Error('a statement without a condition has answered nothing');
  return row;
}
