/** What the planner expects of a database that is new (src/db/first-statistics.ts). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setFirstStatistics } from '../../src/db/first-statistics.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const statistics = (table: string) =>
  database.asSuperuser<{ name: string; distinct: number }>(
    `select attname as name, n_distinct::float as distinct from pg_stats
     where schemaname = 'public' and tablename = '${table}' and attname in ('tenant_id', 'environment', 'key') order by attname`,
  );
const FIRST = [
  { name: 'environment', distinct: 1 },
  { name: 'tenant_id', distinct: 1 },
];

test('each tenant table of a new database has its rows with one tenant', async () => {
  const without = await database.asSuperuser<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpages = 0
       and not exists (select from pg_statistic s where s.starelid = c.oid and s.staattnum = a.attnum)`,
  );
  expect(without).toEqual([]);
  expect(await statistics('idempotency_key')).toEqual(FIRST);
});

test('a table whose rows were looked at keeps what was found, however often the database is migrated', async () => {
  await database.asSuperuser(
    `insert into idempotency_key (tenant_id, environment, operation, key, fingerprint, expires_at)
     select uuidv7(), case n % 2 when 0 then 'LIVE' else 'SANDBOX' end, 'op', 'key', '', now() from generate_series(1, 100) n`,
  );
  await database.asSuperuser('analyze idempotency_key');
  const found = await statistics('idempotency_key');
  expect(found).toContainEqual({ name: 'tenant_id', distinct: -1 });
  await setFirstStatistics(database.ownerUrl);
  expect(await statistics('idempotency_key')).toEqual(found);
});

test('an empty table that was looked at counts as one that was not', async () => {
  await database.asSuperuser('analyze lead');
  await setFirstStatistics(database.ownerUrl);
  const [row] = await database.asSuperuser<object>(`select relpages, reltuples::int from pg_class where relname = 'lead'`);
  expect(row).toEqual({ relpages: 0, reltuples: -1 });
  expect(await statistics('lead')).toEqual(FIRST);
});
