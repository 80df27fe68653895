/** What a page of a level earned this month is looked up row by row, however many months, lines and members there are. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { earnedThisMonth } from '../../../src/features/genealogy/commissions-this-month-queries.ts';
import { type BlockReader, openBlockReader } from '../../support/database/blocks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.ts';
import { vacuumWhole } from '../../support/database/vacuum.ts';

const MEMBERS = 5_000;
const MONTHS = 24;
const PAGE = 100;
const TABLES = ['commission_rollup', 'commission_pending'];
const scope: Scope = { tenantId: '00000000-0000-7000-8000-000000000001', environment: 'LIVE' };
const idOf = (n: number): string => `00000000-0000-7000-8000-${n.toString().padStart(12, '0')}`;

let database: TestDatabase;
let reader: BlockReader;

beforeAll(async () => {
  database = await createTestDatabase();
  const id = `('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
  const month = `(date_trunc('month', now() at time zone 'UTC') - m * interval '1 month')::date`;
  await database.asSuperuser(`
    set session_replication_role = replica;
    insert into tenant (id, name, slug, default_currency, reporting_time_zone) values ('${scope.tenantId}', 'Test', 'test', 'USD', 'UTC');
    insert into commission_rollup (tenant_id, environment, member_id, currency, grain, bucket, source, status, level, amount_minor, lines)
      select '${scope.tenantId}', 'LIVE', ${id}, 'USD', 'month', ${month}, 'sales', 'paid', 1, 100, 1
      from generate_series(1, ${MEMBERS}) n cross join generate_series(0, ${MONTHS - 1}) m;
    insert into commission_pending (tenant_id, environment, member_id, currency, occurred_at, source, status, level, amount_minor, lines)
      select '${scope.tenantId}', 'LIVE', ${id}, 'USD', now(), 'sales', 'pending', 1, n, 1 from generate_series(1, ${MEMBERS}) n;
    set session_replication_role = origin`);
  await vacuumWhole(database, TABLES);
  reader = await openBlockReader(database, scope);
});
afterAll(async () => {
  await reader.end();
  await database.drop();
});

test('a page of a hundred costs some blocks a row', async () => {
  const ids = Array.from({ length: PAGE }, (_one, n) => idOf((n + 1) * 50));
  const { blocks, found } = await reader.blocksOf(async (db) => {
    const rows = await db.rows(earnedThisMonth(scope, { ids }));
    expect(new Map(rows.map((row) => [row.id, Number(row.amount)]))).toEqual(
      new Map(ids.map((id, n) => [id, 100 + (n + 1) * 50])),
    );
    return rows;
  });
  expect(found).toBe(PAGE);
  expect(blocks).toHaveLength(1);
  expect(blocks[0]).toBeLessThan(10 * PAGE);
});
