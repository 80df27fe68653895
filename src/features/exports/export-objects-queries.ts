/** Objects of exports in SQL. Each is written down before it is made, so that a crash leaves none behind. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';

/** Longer than from the last page to the end of the object. */
const WRITABLE = "interval '15 minutes'";
/** An object is removed when its export has neither ended nor dropped it for so long. */
const LEFT_BEHIND = "interval '1 day'";

type Object = { exportId: string; storageKey: string };

const exportObject = tenantTable('export_object');

const plan = statement<unknown, Object>('exports_plan_object', ({ exportId, storageKey }) =>
  raw(
    `insert into export_object as o (tenant_id, environment, storage_key, export_id, remove_after, writable_until)
   values (:tenantId, :environment, :storageKey, :exportId, now() + ${LEFT_BEHIND}, now() + ${WRITABLE})
   on conflict (tenant_id, environment, storage_key) do update
   set remove_after = case when o.removing then o.remove_after else excluded.remove_after end, writable_until = excluded.writable_until`,
    { exportId, storageKey },
  ),
);

/** Somebody writes it now, and may for a while; it is removed in time unless it is kept. */
export async function planObject(db: Db, scope: Scope, exportId: string, storageKey: string): Promise<void> {
  await db.rows(plan(scope, { exportId, storageKey }));
}

const keep = statement<unknown, Object>('exports_keep_object', ({ exportId, storageKey }) =>
  exportObject()
    .where({ export_id: exportId, storage_key: storageKey, removing: false })
    .update({ remove_after: null })
    .returning(raw('1')),
);

/** False when it is being removed, or was. */
export async function keepObject(db: Db, scope: Scope, exportId: string, storageKey: string): Promise<boolean> {
  return (await db.row(keep(scope, { exportId, storageKey }))) !== undefined;
}

const drop = statement<unknown, { exportIds: readonly string[] }>('exports_drop_objects', ({ exportIds }) =>
  exportObject()
    .whereIn('export_id', exportIds)
    .update({ remove_after: raw('now()') }),
);

/** All of these exports, to be removed now. */
export async function dropObjects(db: Db, scope: Scope, exportIds: readonly string[]): Promise<void> {
  if (exportIds.length > 0) await db.rows(drop(scope, { exportIds }));
}

const dropOne = statement<unknown, Object>('exports_drop_object', ({ exportId, storageKey }) =>
  raw(
    `insert into export_object as o (tenant_id, environment, storage_key, export_id, remove_after, writable_until)
   select :tenantId::uuid, :environment, :storageKey, :exportId::uuid, now(), now()
   where not exists (
     select from export_run r
     where ${ofTenant('r')} and r.id = :exportId and r.status = 'completed'
       and r.storage_key = :storageKey)
   on conflict (tenant_id, environment, storage_key) do update set remove_after = now(), writable_until = now()`,
    { exportId, storageKey },
  ),
);

/** By whoever wrote it: nobody does any more. Also one whose row is gone; not that of an export that is complete. */
export async function dropObject(db: Db, scope: Scope, exportId: string, storageKey: string): Promise<void> {
  await db.rows(dropOne(scope, { exportId, storageKey }));
}

const markDue = statement<{ count: number }, { limit: number }>('exports_mark_due_objects', ({ limit }) =>
  raw(
    `with due as (
     select d.storage_key from export_object d
     where ${ofTenant('d')} and d.remove_after <= now()
     order by d.remove_after limit :limit for update skip locked),
   marked as (
     update export_object o set removing = true, remove_after = now() + interval '5 minutes'
     from due where ${ofTenant('o')} and o.storage_key = due.storage_key
     returning o.storage_key)
   select count(*)::int as count from marked`,
    { limit },
  ),
);

/** Marks them as being removed, and due again in five minutes, should nobody do it. Returns their number. */
export async function markDueObjects(db: Db, scope: Scope, limit: number): Promise<number> {
  return (await db.row(markDue(scope, { limit })))?.count ?? 0;
}

const listRemoving = statement<{ key: string }, { after: string; limit: number }>('exports_list_removing', ({ after, limit }) =>
  exportObject('o')
    .where('o.removing', true)
    .where('o.storage_key', '>', after)
    .orderBy('o.storage_key')
    .limit(limit)
    .select('o.storage_key as key'),
);

/** Behind this key; '' is before the first. */
export async function keysBeingRemoved(db: Db, scope: Scope, after: string, limit: number): Promise<string[]> {
  return (await db.rows(listRemoving(scope, { after, limit }))).map(({ key }) => key);
}

const settle = statement<unknown, { keys: readonly string[] }>('exports_settle_removals', ({ keys }) =>
  raw(
    `with once_more as (
     update export_object o set remove_after = o.writable_until
     where ${ofTenant('o')} and o.storage_key = any (:keys::text[]) and o.removing and o.writable_until > now())
   delete from export_object o
   where ${ofTenant('o')} and o.storage_key = any (:keys::text[]) and o.removing and o.writable_until <= now()`,
    { keys },
  ),
);

/** What was removed; what may still be written comes up once more when it may not. */
export async function settleRemovals(db: Db, scope: Scope, keys: readonly string[]): Promise<void> {
  await db.rows(settle(scope, { keys }));
}
