/** Pages of members are read from indexes, whatever the order and however far on, and so are members by the tenant's ids. */
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db, Scope } from '../../../src/db/scope.ts';
import { type Statement, sendable } from '../../../src/db/statement.ts';
import type { MemberFilters } from '../../../src/features/members/member-list-queries.ts';
import { listMembers } from '../../../src/features/members/member-list-queries.ts';
import {
  listSortedMembers,
  MEMBER_SORTS,
  type MemberSort,
  type SortedPlace,
} from '../../../src/features/members/sorted-members-queries.ts';
import { listMembers as listUsers } from '../../../src/features/users/users-list-queries.ts';
import { connectInScope } from '../../support/database/scoped-client.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.ts';

const MANY = 20_000;
const scope: Scope = { tenantId: '00000000-0000-7000-8000-000000000001', environment: 'LIVE' };
const idOf = (n: number) => `00000000-0000-7000-8000-${n.toString().padStart(12, '0')}`;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  const id = (n: string) => `('00000000-0000-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;
  // A tree of three each, in the order they joined in: the first third has downlines. Every tenth is nameless, every
  // hundredth of tests, every 70th in a group, every thousandth banned.
  await database.asSuperuser(`
    set session_replication_role = replica;
    insert into member (tenant_id, environment, id, email, email_norm, name, name_norm, external_id, membership_tier, is_active,
                        can_recruit, is_test_user, pay_currency, created_at, parent_id, group_key, standing)
      select '${scope.tenantId}', 'LIVE', ${id('n')}, n || '@m.example', n || '@m.example',
             case when n % 10 > 0 then 'Name ' || md5(n::text) end, case when n % 10 > 0 then 'name ' || md5(n::text) end, 'crm-' || n,
             'ORDINARY', true, true, n % 100 = 0, 'USD', '2026-01-01'::timestamptz + n * interval '1 second',
             case when n > 1 then ${id('(n + 1) / 3')} end,
             case when n % 70 = 0 then 'group-7' else 'default' end, case when n % 1000 = 0 then 'banned' else 'approved' end
      from generate_series(1, ${MANY}) n;
    insert into referral_code (tenant_id, environment, code, member_id, is_default)
      select tenant_id, environment, 'CODE-' || right(id::text, 12), id, true from member;
    insert into downline_count (tenant_id, environment, member_id, direct, total, active)
      select '${scope.tenantId}', 'LIVE', ${id('n')}, 3, greatest(3, ${MANY} / n), 3 from generate_series(1, ${MANY} / 3) n;
    set session_replication_role = origin;
    analyze member; analyze downline_count; analyze referral_code`);
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

/** Runs what is asked; the blocks that each statement of it read. */
async function blocksOf(ask: (db: Db) => Promise<readonly unknown[]>): Promise<{ blocks: number[]; found: number }> {
  const blocks: number[] = [];
  const rows = async (statement: Statement<unknown>) => {
    const { text, values } = sendable(statement);
    const explain = { text: `explain (analyze, buffers, format json) ${text}`, values };
    await client.query(explain); // the first reads the catalog
    const [row] = (await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explain)).rows;
    const plan = row?.['QUERY PLAN'][0].Plan;
    blocks.push((plan?.['Shared Hit Blocks'] ?? Number.NaN) + (plan?.['Shared Read Blocks'] ?? 0));
    return (await client.query({ text, values })).rows;
  };
  const found = await ask({ rows } as unknown as Db);
  return { blocks, found: found.length };
}

/** A page of 25 with the codes of its members: some seven blocks a row. */
const PAGE = 26;
const MOST = 350;

const none: MemberFilters = {
  emailNorm: undefined,
  nameNorm: undefined,
  externalId: undefined,
  ids: undefined,
  tier: undefined,
  isActive: undefined,
  sponsorId: undefined,
  joinedFrom: undefined,
  joinedTo: undefined,
};

const middle: Record<string, SortedPlace[]> = {
  joined: [{ part: 0, id: idOf(10_000), key: '' }],
  name: [
    { part: 0, id: idOf(10_001), key: 'name 8' },
    { part: 1, id: idOf(10_000), key: '' },
  ],
  downline: [
    { part: 0, id: idOf(15_000), key: '' },
    { part: 1, id: idOf(1000), key: '20' },
  ],
  '-downline': [
    { part: 0, id: idOf(1000), key: '20' },
    { part: 1, id: idOf(15_000), key: '' },
  ],
};

const asked = MEMBER_SORTS.flatMap((sort) =>
  [undefined, ...(middle[sort] ?? middle[sort.slice(1)] ?? [])].map((after): [MemberSort, SortedPlace | undefined] => [
    sort,
    after,
  ]),
);

test.each(asked)('in the order %s behind %j', async (sort, after) => {
  const { blocks, found } = await blocksOf((db) => listSortedMembers(db, scope, { ...none, sort }, after, PAGE));
  expect(found).toBe(PAGE);
  for (const read of blocks) expect(read).toBeLessThan(MOST);
});

const users = {
  ...none,
  parentId: undefined,
  isTestUser: undefined,
  group: undefined,
  standing: undefined,
  createdFrom: undefined,
  createdTo: undefined,
};
const sorted = { ...none, sort: 'name' as const };
const ids = Array.from({ length: 20 }, (_, i) => idOf(i * 900 + 1));

test.each<[string, (db: Db) => Promise<readonly unknown[]>, number]>([
  ['a member of an external id', (db) => listMembers(db, scope, { ...none, externalId: 'crm-777' }, undefined, PAGE), 1],
  ['members of ids', (db) => listMembers(db, scope, { ...none, ids }, undefined, PAGE), 20],
  ['a user of an external id', (db) => listUsers(db, scope, { ...users, externalId: 'crm-777' }, undefined, PAGE), 1],
  // Of a beginning that few have the index leads to them; of one that many have, their ids do.
  ['members of a name', (db) => listMembers(db, scope, { ...none, nameNorm: 'name abc' }, undefined, PAGE), 4],
  ['members of a common name', (db) => listMembers(db, scope, { ...none, nameNorm: 'name' }, undefined, PAGE), PAGE],
  ['the next ones', (db) => listMembers(db, scope, { ...none, nameNorm: 'name' }, idOf(10_000), PAGE), PAGE],
  ['members of a name that nobody has', (db) => listMembers(db, scope, { ...none, nameNorm: 'zoe' }, undefined, PAGE), 0],
  [
    'members of a name by their names',
    (db) => listSortedMembers(db, scope, { ...sorted, nameNorm: 'name 8' }, undefined, PAGE),
    PAGE,
  ],
  ['members of an email', (db) => listMembers(db, scope, { ...none, emailNorm: '777' }, undefined, PAGE), 11],
  ['a member of a whole email', (db) => listMembers(db, scope, { ...none, emailNorm: '777@m.example' }, undefined, PAGE), 1],
  ['members of an email that nobody has', (db) => listMembers(db, scope, { ...none, emailNorm: 'zoe@' }, undefined, PAGE), 0],
  ['a user of an email', (db) => listUsers(db, scope, { ...users, emailNorm: '777@m.example' }, undefined, PAGE), 1],
  ['users of ids', (db) => listUsers(db, scope, { ...users, ids }, undefined, PAGE), 20],
  ['users of tests', (db) => listUsers(db, scope, { ...users, isTestUser: true }, idOf(10_000), PAGE), PAGE],
  ['users of none', (db) => listUsers(db, scope, { ...users, isTestUser: false }, idOf(10_000), PAGE), PAGE],
  ['users of a group', (db) => listUsers(db, scope, { ...users, group: 'group-7' }, undefined, PAGE), PAGE],
  ['users of a group that nobody is in', (db) => listUsers(db, scope, { ...users, group: 'nobody' }, undefined, PAGE), 0],
  ['users of a standing', (db) => listUsers(db, scope, { ...users, standing: 'banned' }, undefined, PAGE), 20],
  [
    'users by creation',
    (db) => listUsers(db, scope, { ...users, createdFrom: '2026-01-01T01:00:00Z' }, idOf(10_000), PAGE),
    PAGE,
  ],
])('%s', async (_name, ask, expected) => {
  const { blocks, found } = await blocksOf(ask);
  expect(found).toBe(expected);
  for (const read of blocks) expect(read).toBeLessThan(MOST);
});
