/**
 * due_scopes() is asked every second by every worker, so what it reads must not grow with tenants that have nothing due.
 * Rows are counted, not time; the benchmark measures the time.
 */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { composeDueScopes, type DuePart, type FunctionParts, type TimedRows } from '../../../src/db/composed-functions.ts';
import { house } from '../../../src/features.ts';
import { createRowPlanter, type RowPlanter } from '../../support/database/planted-rows.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.ts';

const FEW = 3;
const MANY = 300;

let database: TestDatabase;
let planter: RowPlanter;

beforeAll(async () => {
  database = await createTestDatabase();
  planter = await createRowPlanter(database);
});
afterAll(() => database.drop());

/** Tenants of this name, each with rows of the future in every queue that goes by a time. */
async function addIdleTenants(name: string, count: number): Promise<void> {
  await database.asSuperuser(
    `insert into tenant (name, default_currency, reporting_time_zone) select $1, 'USD', 'UTC' from generate_series(1, $2::int)`,
    [name, count],
  );
  for (const part of timedParts) {
    const scopes = `select t.id as tenant_id, e as environment, t.id || e || '${part.sweep}' as nr
      from tenant t, unnest(array['LIVE', 'SANDBOX']) e where t.name = '${name}'`;
    await planter.plant(part.table, scopes, { ...waiting(part.where), ...later(part.at) });
  }
}

const timedParts: (TimedRows & { sweep: string })[] = house.features.flatMap(({ due = {} }) =>
  Object.entries(due).flatMap(([sweep, parts]) => parts.flatMap((part: DuePart) => ('at' in part ? [{ ...part, sweep }] : []))),
);

/** Values of a row for which a condition like `status = 'pending'` or `status in ('a', 'b')` is true. */
function waiting(where = ''): Record<string, string> {
  return Object.fromEntries(
    [...where.matchAll(/(\w+) (?:=|in) \(?('[^']*')/g)].map(([, column = '', value = '']) => [column, value]),
  );
}

/** The columns that an instant is made of, all in the future. */
function later(at: string): Record<string, string> {
  if (at === 'uuid_extract_timestamp(id)') return { id: "uuidv7(interval '1 day')" };
  const columns = at.replace(/\w+\(/g, '').match(/[a-z_]\w*/g) ?? [];
  return Object.fromEntries(columns.map((column) => [column, "now() + interval '1 day'"]));
}

interface Read {
  /** Rows and entries of indexes. */
  rows: number;
  /** Pages. */
  buffers: number;
  due: number;
}

/** What one call reads in a session that has planned all of it. */
async function measure(): Promise<Read> {
  await database.asSuperuser('vacuum analyze');
  const client = new pg.Client({ connectionString: database.workerUrl });
  await client.connect();
  try {
    const explain = 'explain (analyze, buffers, format json) select from due_scopes()';
    await client.query(explain);
    await client.query('begin');
    const before = await rowsRead(client);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(explain);
    const after = await rowsRead(client);
    await client.query('rollback');
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
    return {
      rows: after - before,
      buffers: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
      due: plan['Actual Rows'] ?? Number.NaN,
    };
  } finally {
    await client.end();
  }
}

/** Of this transaction so far. An index that is only scanned counts no rows of its table. */
async function rowsRead(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ read: string }>(
    `select sum(pg_stat_get_xact_tuples_returned(oid) + coalesce(pg_stat_get_xact_tuples_fetched(oid), 0)) as read
     from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`,
  );
  return Number(rows[0]?.read);
}

test('tenants with nothing due cost nothing', async () => {
  await addIdleTenants('few', FEW);
  const few = await measure();
  await addIdleTenants('many', MANY - FEW);
  for (const { table, where = 'true', sweep } of timedParts) {
    const [planted] = await database.asSuperuser<{ rows: number }>(`select count(*)::int as rows from ${table} where ${where}`);
    expect(planted?.rows, `This test has no row that waits for ${sweep}: say above what makes one.`).toBeGreaterThanOrEqual(
      2 * MANY,
    );
  }
  const many = await measure();
  expect([few.due, many.due]).toEqual([0, 0]);
  const what = 'Find what is due by an index of what is due, as the other parts do, not by a look at each tenant.';
  expect(many.rows, what).toBeLessThanOrEqual(few.rows);
  // An index of more rows may be a page deeper.
  expect(many.buffers - few.buffers, what).toBeLessThan(MANY / 4);
});

test.each<[string, DuePart]>([
  ['each tenant', { select: "select t.id as tenant_id, 'LIVE' as environment from tenant t where t.name = 'nobody'" }],
  ['rows that no index tells from others', { table: 'idempotency_key', where: 'status = 0' }],
])('a part that looks at %s is found out', async (_label, part) => {
  const usual = await measure();
  const slow: FunctionParts = { name: 'slow', due: { 'walk-about': [part] } };
  try {
    await install([...house.features, slow]);
    const read = await measure();
    expect(read.rows - usual.rows).toBeGreaterThanOrEqual(MANY);
  } finally {
    await install(house.features);
  }
});

const install = (features: readonly FunctionParts[]): Promise<unknown> => database.asSuperuser(composeDueScopes(features));
