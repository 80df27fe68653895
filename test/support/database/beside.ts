/** Transactions of somebody else's that are open while something runs, and who waits for them. */
import pg from 'pg';
import type { Scope } from '../../../src/db/scope.ts';
import { eventually } from '../jobs/test-jobs.ts';
import type { TestDatabase } from './test-database.ts';

/** Until so many wait for locks. */
export function blocked(database: Pick<TestDatabase, 'asSuperuser'>, count = 1): Promise<void> {
  return eventually(async () => {
    const rows = await database.asSuperuser(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length >= count;
  });
}

/** A transaction in the scope, which is committed when `work` is done. */
export async function beside<T>(
  database: Pick<TestDatabase, 'workerUrl'>,
  { tenantId, environment }: Scope,
  work: (other: pg.Client) => Promise<T>,
): Promise<T> {
  const one = new pg.Client({ connectionString: database.workerUrl });
  await one.connect();
  try {
    await one.query('begin');
    await one.query(
      "select set_config('app.tenant_id', $1, true), set_config('app.environment', $2, true), set_config('app.member_id', '', true)",
      [tenantId, environment],
    );
    const result = await work(one);
    await one.query('commit');
    return result;
  } finally {
    await one.end();
  }
}
