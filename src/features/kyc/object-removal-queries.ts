/** Objects of the storage that are to go, in SQL. Each is written down before it is made, so that a crash leaves none behind. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

const plan = prepared<unknown, [string, string, key: string, seconds: number]>(
  'kyc_plan_removal',
  `insert into object_removal (tenant_id, environment, storage_key, remove_after)
   values ($1, $2, $3, now() + make_interval(secs => $4))`,
);

/** To be removed after a time, unless it is kept until then. */
export async function planRemoval(db: Db, scope: Scope, key: string, afterSeconds: number): Promise<void> {
  await db.rows(plan(scope.tenantId, scope.environment, key, afterSeconds));
}

const hasten = prepared<unknown, [string, string, key: string]>(
  'kyc_hasten_removal',
  'update object_removal set remove_after = now() where tenant_id = $1 and environment = $2 and storage_key = $3',
);

export async function hastenRemoval(db: Db, scope: Scope, key: string): Promise<void> {
  await db.rows(hasten(scope.tenantId, scope.environment, key));
}

const keep = prepared<{ key: string }, [string, string, key: string]>(
  'kyc_keep_object',
  `delete from object_removal
   where tenant_id = $1 and environment = $2 and storage_key = $3 and not removing
   returning storage_key as key`,
);

/** False when it is being removed, or was. */
export async function keepObject(db: Db, scope: Scope, key: string): Promise<boolean> {
  return (await db.row(keep(scope.tenantId, scope.environment, key))) !== undefined;
}

const markDue = prepared<{ count: number }, [string, string, limit: number]>(
  'kyc_mark_due_removals',
  `with due as (
     select o.storage_key from object_removal o
     where o.tenant_id = $1 and o.environment = $2 and o.remove_after <= now()
     order by o.remove_after limit $3 for update skip locked),
   marked as (
     update object_removal o set removing = true, remove_after = now() + interval '5 minutes'
     from due where o.tenant_id = $1 and o.environment = $2 and o.storage_key = due.storage_key
     returning o.storage_key)
   select count(*)::int as count from marked`,
);

/** Marks them as being removed, and due again in five minutes, should nobody do it. Returns their number. */
export async function markDueRemovals(db: Db, scope: Scope, limit: number): Promise<number> {
  return (await db.row(markDue(scope.tenantId, scope.environment, limit)))?.count ?? 0;
}

const listRemoving = prepared<{ key: string }, [string, string, after: string, limit: number]>(
  'kyc_list_removing',
  `select o.storage_key as key from object_removal o
   where o.tenant_id = $1 and o.environment = $2 and o.removing and o.storage_key > $3
   order by o.storage_key limit $4`,
);

/** Behind this key; '' is before the first. */
export async function keysBeingRemoved(db: Db, scope: Scope, after: string, limit: number): Promise<string[]> {
  const rows = await db.rows(listRemoving(scope.tenantId, scope.environment, after, limit));
  return rows.map(({ key }) => key);
}

const settle = prepared<unknown, [string, string, keys: readonly string[]]>(
  'kyc_settle_removals',
  `with once_more as (
     update object_removal o set removing = false, remove_after = o.writable_until
     where o.tenant_id = $1 and o.environment = $2 and o.storage_key = any($3) and o.removing and o.writable_until > now())
   delete from object_removal o
   where o.tenant_id = $1 and o.environment = $2 and o.storage_key = any($3) and o.removing
     and coalesce(o.writable_until <= now(), true)`,
);

/** What was removed; what may still be written comes up once more when it may not. */
export async function settleRemovals(db: Db, scope: Scope, keys: readonly string[]): Promise<void> {
  await db.rows(settle(scope.tenantId, scope.environment, keys));
}
