/** Each filter of the audit log reads a page from an index, whatever the log holds beside. */
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db, Scope } from '../../../src/db/scope.ts';
import { type Statement, sendable } from '../../../src/db/statement.ts';
import { type AuditFilters, type IdRange, listAuditEntries } from '../../../src/features/audit/audit-log-queries.ts';
import { connectInScope } from '../../support/database/scoped-client.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.ts';

const MANY = 60_000;
const scope: Scope = { tenantId: '00000000-0000-7000-8000-000000000001', environment: 'LIVE' };
const idOf = (n: number) => `00000000-0000-7000-8000-${n.toString().padStart(12, '0')}`;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  // What is rare stands at the beginning: whoever looked through the log from its end would read all of it.
  await database.asSuperuser(`
    set session_replication_role = replica;
    insert into audit_log (tenant_id, environment, id, action, actor_kind, actor_id, object_kind, object_id, operation_id, details, recorded_at)
      select '${scope.tenantId}', 'LIVE', ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
             case when n < 30 then 'thing.rare' else 'thing.done' end, case when n < 30 then 'staff' else 'vendor' end,
             case when n < 30 then 'rare' else 'payvendor' end, case when n < 30 then 'rare' else 'thing' end,
             case when n < 30 then 'rare' else 'o' || n % 100 end, case when n < 30 then 'rare' else 'doThing' end, '{}',
             '2026-01-01'::timestamptz + n * interval '1 second'
      from generate_series(1, ${MANY}) n;
    insert into audit_origin select tenant_id, environment, id, '192.0.2.1', recorded_at from audit_log;
    set session_replication_role = origin;
    analyze audit_log; analyze audit_origin`);
  client = await connectInScope(database, scope);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

const none: AuditFilters & IdRange = {
  action: undefined,
  actorKind: undefined,
  actorId: undefined,
  targetKind: undefined,
  targetId: undefined,
  objectKind: undefined,
  objectId: undefined,
  operationId: undefined,
  from: undefined,
  to: undefined,
  onlyKind: undefined,
  fromId: undefined,
  toId: undefined,
};

const PAGE = 21;
/** The page, its addresses at some four blocks each, and the way down the index. */
const MOST = 150;

async function read(filters: Partial<typeof none>, beforeId?: string): Promise<{ blocks: number; found: number }> {
  let blocks = 0;
  const rows = async (statement: Statement<unknown>) => {
    const { text, values } = sendable(statement);
    const explain = { text: `explain (analyze, buffers, format json) ${text}`, values };
    await client.query(explain); // the first reads the catalog
    const [row] = (await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explain)).rows;
    const plan = row?.['QUERY PLAN'][0].Plan;
    blocks += (plan?.['Shared Hit Blocks'] ?? Number.NaN) + (plan?.['Shared Read Blocks'] ?? 0);
    return (await client.query({ text, values })).rows;
  };
  const found = await listAuditEntries({ rows } as unknown as Db, scope, { ...none, ...filters }, beforeId, PAGE);
  return { blocks, found: found.length };
}

test.each<[string, Partial<typeof none>]>([
  ['nothing', {}],
  ['an actor', { actorId: 'rare' }],
  ['an actor with many entries', { actorId: 'payvendor' }],
  ['a kind of actor', { actorKind: 'staff' }],
  ['an actor by kind and id', { actorKind: 'staff', actorId: 'rare' }],
  ['a target', { targetId: 'rare' }],
  ['a target with many entries', { targetKind: 'thing', targetId: 'o7' }],
  ['a kind of target', { targetKind: 'rare' }],
  ['the one kind that a reader may see', { onlyKind: 'rare' }],

  ['an object', { objectKind: 'rare', objectId: 'rare' }],
  ['an operation', { operationId: 'rare' }],
  ['an operation with many entries', { operationId: 'doThing' }],
  ['an action', { action: 'thing.rare' }],
  ['a time long ago', { to: '2026-01-01T00:00:30Z', toId: idOf(30) }],
  ['a time', { from: '2026-01-01T02:00:00Z', to: '2026-01-01T02:05:00Z', fromId: idOf(7_200), toId: idOf(7_500) }],
  ['an actor at a time', { actorId: 'payvendor', to: '2026-01-01T02:05:00Z', toId: idOf(7_500) }],
])('a page of %s', async (_what, filters) => {
  const { blocks, found } = await read(filters);
  expect(found).toBe(PAGE);
  expect(blocks).toBeLessThan(MOST);
});

test('a page from the middle, and one of nobody', async () => {
  expect((await read({}, idOf(30_000))).blocks).toBeLessThan(MOST);
  expect((await read({ operationId: 'doThing' }, idOf(30_000))).blocks).toBeLessThan(MOST);
  const nobody = await read({ actorId: 'nobody' });
  expect([nobody.found, nobody.blocks < 20]).toEqual([0, true]);
});
