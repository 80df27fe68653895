/** Objects of the storage that are to go, in SQL. Each is written down before it is made, so that a crash leaves none behind. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';

const objectRemoval = tenantTable('object_removal');

const plan = statement<unknown, { key: string; seconds: number }>('kyc_plan_removal', ({ key, seconds }) =>
  objectRemoval().insert({ storage_key: key, remove_after: raw('now() + make_interval(secs => :seconds)', { seconds }) }),
);

/** To be removed after a time, unless it is kept until then. */
export async function planRemoval(db: Db, scope: Scope, key: string, afterSeconds: number): Promise<void> {
  await db.rows(plan(scope, { key, seconds: afterSeconds }));
}

const hasten = statement<unknown, { key: string }>('kyc_hasten_removal', ({ key }) =>
  objectRemoval()
    .where({ storage_key: key })
    .update({ remove_after: raw('now()') }),
);

export async function hastenRemoval(db: Db, scope: Scope, key: string): Promise<void> {
  await db.rows(hasten(scope, { key }));
}

const keep = statement<{ key: string }, { key: string }>('kyc_keep_object', ({ key }) =>
  objectRemoval().where({ storage_key: key, removing: false }).delete('storage_key as key'),
);

/** False when it is being removed, or was. */
export async function keepObject(db: Db, scope: Scope, key: string): Promise<boolean> {
  return (await db.row(keep(scope, { key }))) !== undefined;
}

const markDue = statement<{ count: number }, { limit: number }>('kyc_mark_due_removals', ({ limit }) =>
  raw(
    `with due as (
     select o.storage_key from object_removal o
     where ${ofTenant('o')} and o.remove_after <= now()
     order by o.remove_after limit :limit for update skip locked),
   marked as (
     update object_removal o set removing = true, remove_after = now() + interval '5 minutes'
     from due where ${ofTenant('o')} and o.storage_key = due.storage_key
     returning o.storage_key)
   select count(*)::int as count from marked`,
    { limit },
  ),
);

/** Marks them as being removed, and due again in five minutes, should nobody do it. Returns their number. */
export async function markDueRemovals(db: Db, scope: Scope, limit: number): Promise<number> {
  return (await db.row(markDue(scope, { limit })))?.count ?? 0;
}

const listRemoving = statement<{ key: string }, { after: string; limit: number }>('kyc_list_removing', ({ after, limit }) =>
  objectRemoval('o')
    .where('o.removing', true)
    .where('o.storage_key', '>', after)
    .orderBy('o.storage_key')
    .limit(limit)
    .select('o.storage_key as key'),
);

/** Behind this key; '' is before the first. */
export async function keysBeingRemoved(db: Db, scope: Scope, after: string, limit: number): Promise<string[]> {
  const rows = await db.rows(listRemoving(scope, { after, limit }));
  return rows.map(({ key }) => key);
}

const settle = statement<unknown, { keys: readonly string[] }>('kyc_settle_removals', ({ keys }) =>
  raw(
    `with once_more as (
     update object_removal o set removing = false, remove_after = o.writable_until
     where ${ofTenant('o')} and o.storage_key = any(:keys) and o.removing and o.writable_until > now())
   delete from object_removal o
   where ${ofTenant('o')} and o.storage_key = any(:keys) and o.removing
     and coalesce(o.writable_until <= now(), true)`,
    { keys },
  ),
);

/** What was removed; what may still be written comes up once more when it may not. */
export async function settleRemovals(db: Db, scope: Scope, keys: readonly string[]): Promise<void> {
  await db.rows(settle(scope, { keys }));
}
