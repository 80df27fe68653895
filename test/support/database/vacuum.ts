/** Tables as their plans are read: with statistics, and with every page known to be visible to all. */
import { eventually } from '../jobs/test-jobs.ts';
import type { TestDatabase } from './test-database.ts';

/**
 * Again while pages are left out: an autovacuum worker that was at work beside holds a snapshot, to which the newest rows
 * are not visible.
 */
export async function vacuumWhole({ asSuperuser }: TestDatabase, tables: readonly string[]): Promise<void> {
  await eventually(async () => {
    for (const table of tables) await asSuperuser(`vacuum analyze ${table}`);
    const half = await asSuperuser('select from pg_class where oid = any($1::regclass[]) and relallvisible < relpages', [tables]);
    return half.length === 0;
  }, 50_000);
}
