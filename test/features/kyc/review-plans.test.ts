/** What a reviewer asks for at each turn is read from indexes, however many wait. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db, Scope } from '../../../src/db/scope.ts';
import { type Statement, sendable } from '../../../src/db/statement.ts';
import { flagsStatement } from '../../../src/features/kyc/review/flags-queries.ts';
import { listQueue, type QueueFilters } from '../../../src/features/kyc/review/kyc-queue-queries.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.ts';

const MANY = 100_000;
const scope: Scope = { tenantId: '00000000-0000-7000-8000-000000000001', environment: 'LIVE' };
const idOf = (n: number) => `00000000-0000-7000-8000-${n.toString().padStart(12, '0')}`;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  const id = "('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid";
  // Twenty of those that have waited longest are taken; every tenth thousandth has the number of the first.
  await database.asSuperuser(`
    set session_replication_role = replica;
    insert into member (tenant_id, environment, id, email, email_norm, membership_tier, is_active, can_recruit, is_test_user, pay_currency, created_at)
      select '${scope.tenantId}', 'LIVE', ${id}, n || '@m.example', n || '@m.example', 'ORDINARY', true, true, false, 'USD', now()
      from generate_series(1, ${MANY}) n;
    insert into member_profile (tenant_id, environment, member_id, country_code, id_number_sealed, id_number_last_four, id_number_digest,
                                created_at, updated_at)
      select '${scope.tenantId}', 'LIVE', ${id}, 'DEU', '\\x01', '6789', sha256((case when n % 10000 = 1 then 1 else n end)::text::bytea), now(), now()
      from generate_series(1, ${MANY}) n;
    insert into kyc_record (tenant_id, environment, member_id, provider, status, status_since, taken_by, taken_until, created_at, updated_at)
      select '${scope.tenantId}', 'LIVE', ${id}, 'manual', 'pending', '2026-01-01'::timestamptz + n * interval '1 second',
             case when n <= 20 then 'staff:eve' end, case when n <= 20 then now() + interval '1 hour' end, now(), now()
      from generate_series(1, ${MANY}) n;
    set session_replication_role = origin;
    analyze member; analyze member_profile; analyze kyc_record`);
  client = new pg.Client({ connectionString: database.appUrl });
  await client.connect();
  await client.query("select set_config('app.tenant_id', $1, false), set_config('app.environment', 'LIVE', false)", [
    scope.tenantId,
  ]);
}, 120_000);
afterAll(async () => {
  await client.end();
  await database.drop();
});

interface Explained {
  Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
  'Execution Time': number;
}

/** What a statement finds; the blocks that it read, and its milliseconds at best: others use the machine. */
async function run(statement: Statement<unknown>): Promise<{ rows: unknown[]; blocks: number; ms: number }> {
  const { text, values } = sendable(statement);
  const explain = { text: `explain (analyze, buffers, format json) ${text}`, values };
  const took: number[] = [];
  let blocks = Number.NaN;
  // The first reads the catalog.
  for (let time = 0; time < 6; time++) {
    const [row] = (await client.query<{ 'QUERY PLAN': [Explained] }>(explain)).rows;
    const [{ Plan, 'Execution Time': ms }] = row?.['QUERY PLAN'] ?? fail();
    blocks = Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'];
    took.push(ms);
  }
  const { rows } = await client.query({ text, values });
  return { rows, blocks, ms: Math.min(...took) };
}

function fail(): never {
  throw new Error('no plan');
}

const none: QueueFilters = {
  status: undefined,
  provider: undefined,
  userId: undefined,
  assignedTo: undefined,
  freeFor: undefined,
};

async function page(filters: Partial<QueueFilters>, count: number, after?: { since: string; id: string }) {
  const asked: Statement<unknown>[] = [];
  const rows = (statement: Statement<unknown>) => {
    asked.push(statement);
    return Promise.resolve([]);
  };
  await listQueue({ rows } as unknown as Db, scope, { ...none, ...filters }, after, count);
  const [statement] = asked;
  if (!statement) throw new Error('nothing was asked');
  return run(statement);
}

test('the next one that is free', async () => {
  const { rows, blocks, ms } = await page({ status: 'pending', freeFor: 'staff:bob' }, 2);
  expect(rows).toMatchObject([{ userId: idOf(21), user: { email: '21@m.example' } }, { userId: idOf(22) }]);
  expect(blocks).toBeLessThan(60);
  expect(ms).toBeLessThan(10);
});

test.each<[string, Partial<QueueFilters>]>([
  ['of one status', { status: 'pending' }],
  ['of all', {}],
  ['of what is free', { freeFor: 'staff:bob' }],
])('a page in the middle, %s', async (_name, filters) => {
  const after = { since: '2026-01-01T12:00:00.000000Z', id: idOf(0) };
  const { rows, blocks, ms } = await page(filters, 26, after);
  expect(rows).toHaveLength(26);
  expect(blocks).toBeLessThan(350);
  expect(ms).toBeLessThan(10);
});

test('the flags of one, whose number ten have', async () => {
  const { rows, blocks } = await run(flagsStatement(scope, { memberId: idOf(1), names: Buffer.alloc(32) }));
  expect(rows).toMatchObject([{ sameAccount: [], mismatchedAccountId: null }]);
  expect((rows[0] as { sameIdNumber: string[] }).sameIdNumber).toHaveLength(9);
  expect(blocks).toBeLessThan(80);
});
