/** A page of one level of the tree is read from indexes, however wide the level; a filter reads its names once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db, Scope } from '../../../src/db/scope.ts';
import { CHILD_SORTS, type LevelPlace, type LevelQuery, listLevel } from '../../../src/features/genealogy/children-queries.ts';
import { type BlockReader, openBlockReader } from '../../support/database/blocks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.ts';
import { vacuumWhole } from '../../support/database/vacuum.ts';

/** On one level, of whom every tenth has a downline and every fiftieth no name. */
const WIDE = 20_000;
const TABLES = ['member', 'downline_count'];
const TOP = idOf(9_000_000);
const scopes = {
  recruits: { tenantId: '00000000-0000-7000-8000-000000000001', environment: 'LIVE' },
  roots: { tenantId: '00000000-0000-7000-8000-000000000002', environment: 'LIVE' },
} as const satisfies Record<string, Scope>;

function idOf(n: number): string {
  return `00000000-0000-7000-8000-${n.toString().padStart(12, '0')}`;
}

let database: TestDatabase;
const readers = new Map<string, BlockReader>();

beforeAll(async () => {
  database = await createTestDatabase();
  const id = (n: string) => `('00000000-0000-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;
  for (const [kind, { tenantId }] of Object.entries(scopes)) {
    const sponsor = kind === 'roots' ? 'null::uuid' : `'${TOP}'::uuid`;
    const columns = `tenant_id, environment, id, email, email_norm, name, name_norm, membership_tier, is_active, can_recruit, is_test_user,
                     pay_currency, created_at, parent_id`;
    await database.asSuperuser(`
      set session_replication_role = replica;
      ${
        kind === 'roots'
          ? ''
          : `insert into member (${columns})
             values ('${tenantId}', 'LIVE', '${TOP}', 'top@m.example', 'top@m.example', 'Top', 'top', 'ORDINARY', true, true, false, 'USD',
                     '2025-01-01', null);`
      }
      insert into member (${columns})
        select '${tenantId}', 'LIVE', ${id('n')}, n || '@m.example', n || '@m.example',
               case when n % 50 > 0 then 'Name ' || md5(n::text) end, case when n % 50 > 0 then 'name ' || md5(n::text) end,
               'ORDINARY', true, true, false, 'USD', '2026-01-01'::timestamptz + n * interval '1 second', ${sponsor}
        from generate_series(1, ${WIDE}) n;
      insert into downline_count (tenant_id, environment, member_id, direct, total, active, parent_id)
        select '${tenantId}', 'LIVE', ${id('n')}, 1, n / 10, 1, ${sponsor} from generate_series(10, ${WIDE}, 10) n;
      set session_replication_role = origin`);
  }
  await vacuumWhole(database, TABLES);
  for (const [kind, scope] of Object.entries(scopes)) readers.set(kind, await openBlockReader(database, scope));
});
afterAll(async () => {
  for (const reader of readers.values()) await reader.end();
  await database.drop();
});

const PAGE = 26;
/** A page of 26: the rows, their counts and their profiles, some twelve blocks each. */
const MOST = 500;
/** The level's names, from their index or with its rows. */
const ONCE = 1_000;

const middle: Record<(typeof CHILD_SORTS)[number], LevelPlace[]> = {
  joinedAt: [{ part: 0, id: idOf(10_000), key: '' }],
  '-totalDownline': [
    { part: 0, id: idOf(10_000), key: '1000' },
    { part: 1, id: idOf(10_001), key: '' },
  ],
  name: [
    { part: 0, id: idOf(10_001), key: 'name 8' },
    { part: 1, id: idOf(10_000), key: '' },
  ],
};

describe.each(['recruits', 'roots'] as const)('of %s', (kind) => {
  const ask = (query: Partial<LevelQuery>) => (db: Db) =>
    listLevel(db, scopes[kind], {
      memberId: kind === 'roots' ? undefined : TOP,
      sort: 'joinedAt',
      text: undefined,
      from: undefined,
      count: PAGE,
      ...query,
    });
  const read = async (query: Partial<LevelQuery>) => {
    const reader = readers.get(kind);
    if (!reader) throw new Error('no reader');
    return reader.blocksOf(ask(query));
  };

  test.each(CHILD_SORTS.flatMap((sort) => [undefined, ...middle[sort]].map((from) => [sort, from] as const)))(
    'in the order %s behind %j',
    async (sort, from) => {
      const { blocks, found } = await read({ sort, from });
      expect(found).toBe(PAGE);
      for (const one of blocks) expect(one).toBeLessThan(MOST);
    },
  );

  test('a filter that finds few, sorted by size, reads the names of the level once', async () => {
    // In one statement of one scan, and what belongs to the rows that are found.
    for (const [text, least] of [
      ['nobody', 0],
      ['1234', 1],
      ['77@', 5],
    ] as const) {
      const { blocks, found } = await read({ sort: '-totalDownline', text });
      expect(found, text).toBeGreaterThanOrEqual(least);
      expect(blocks, text).toHaveLength(1);
      expect(blocks[0], text).toBeLessThan(ONCE + 30 * found);
    }
  });

  test('a filter that finds most of them does not sort them', async () => {
    const { blocks, found } = await read({ sort: '-totalDownline', text: 'm.example' });
    expect(found).toBe(PAGE);
    expect(blocks).toHaveLength(1);
    expect(blocks[0]).toBeLessThan(2_500);
  });
});
