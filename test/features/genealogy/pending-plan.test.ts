/** What waits to be counted for one tenant does not slow the reads of another. */
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { referralStatsStatement } from '../../../src/features/members/referral-stats-queries.ts';
import { connectInScope } from '../../support/database/scoped-client.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.ts';

const BACKLOG = 20_000;
const scope: Scope = { tenantId: '00000000-0000-7000-8000-000000000001', environment: 'LIVE' };
const other = '00000000-0000-7000-8000-000000000002';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.asSuperuser(`
    set session_replication_role = replica;
    insert into downline_pending (tenant_id, environment, member_id, ancestor_ids, delta, sponsor_id, sponsor_delta, joined_at)
    select '${other}', 'LIVE', uuidv7(), array[uuidv7(), uuidv7()], 1, uuidv7(), 1, now() from generate_series(1, ${BACKLOG});
    set session_replication_role = origin`);
  await database.asSuperuser('analyze downline_pending');
  client = await connectInScope(database, scope);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

test('what waits for another is no reason to plan a large statement anew each time', async () => {
  const { name, text, values } = referralStatsStatement(scope, { memberId: other, currency: null });
  for (let times = 0; times < 10; times++) await client.query({ name: name ?? '', text, values: [...(values ?? [])] });
  const { rows } = await client.query(
    'select custom_plans::int, generic_plans::int from pg_prepared_statements where name = $1',
    [name],
  );
  // PostgreSQL tries five plans of its own before it keeps one for all values.
  expect(rows).toEqual([{ custom_plans: 5, generic_plans: 5 }]);
});
