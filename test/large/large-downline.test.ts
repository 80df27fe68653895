/**
 * A downline of 25,000 in a tenant of 40,000, above what is gathered: its members are found by walking
 * the tenant's, in pages that may come short. Paged to the end each order gives exactly the members that a
 * plain walk of the sponsors does, though some joined before their sponsor, some are hidden with their
 * downline, and some joined or moved after the last fold.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';
import { countAnew, type Planted, plantMembers } from '../support/tree/plant-tree.ts';
import { idsOf, type ListedMember, readList, readPage, readTree } from '../support/tree/tree-calls.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const BELOW = 25_000;
const COUNT = 40_000;
/** The numbers from which on members stand beside the downline and not in it; they joined in its midst. */
const BESIDE = BELOW + 3;
/** By one in six; sponsors of more stand nearer to the top. */
const SPONSOR = `case when n = 2 then 1 when n between 3 and ${BESIDE - 1} then 2 + (n - 3) / 6 when n > ${BESIDE} then ${BESIDE} + (n - ${BESIDE}) / 6 end`;
const JOINED = `case when n >= ${BESIDE} then 1000000 + n when n < 12000 then n * 3 else 2000000 - n end`;

interface Row {
  id: string;
  parent_id: string | null;
  is_active: boolean;
  created: string;
  /** As of the last fold. */
  folded: number;
}

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let planted: Planted;
let root: string;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function plantAll(): Promise<void> {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  planted = await plantMembers(app, tenant, { count: COUNT, sponsor: SPONSOR, joined: JOINED, active: 'n % 97 <> 0' });
  await countAnew(app, tenant);
  root = planted.id(2);
}

const moveTo = async (n: number, sponsorId: string | null) => {
  const answer = await client.post(`/api/v1/members/${planted.id(n)}/sponsor`, { sponsorId });
  expect(answer.status, answer.text).toBe(200);
};

const readRows = (): Promise<Row[]> =>
  app.database.asSuperuser<Row>(
    `select m.id, m.parent_id, m.is_active, to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') as created,
            coalesce(c.total, 0) as folded
     from member m left join downline_count c on c.tenant_id = m.tenant_id and c.environment = m.environment and c.member_id = m.id
     where m.tenant_id = $1`,
    [tenant.tenantId],
  );

interface Expected extends Row {
  depth: number;
  total: number;
}

/** The downline of a member, from the rows' sponsors alone. */
function downlineOf(rows: readonly Row[], top: string, includeInactive: boolean): Expected[] {
  const recruits = new Map<string, Row[]>();
  for (const row of rows) recruits.set(row.parent_id ?? '', [...(recruits.get(row.parent_id ?? '') ?? []), row]);
  const totals = new Map<string, number>();
  const count = (id: string): number => {
    const total = (recruits.get(id) ?? []).reduce((sum, row) => sum + 1 + count(row.id), 0);
    totals.set(id, total);
    return total;
  };
  count(top);
  const found: Expected[] = [];
  let level = [top];
  for (let depth = 1; level.length > 0; depth++) {
    const next = level.flatMap((id) => recruits.get(id) ?? []).filter((row) => includeInactive || row.is_active);
    found.push(...next.map((row) => ({ ...row, depth, total: totals.get(row.id) ?? 0 })));
    level = next.map(({ id }) => id);
  }
  return found;
}

const compareText = (a: string, b: string) => Number(a > b) - Number(a < b);
const ORDERS: Record<string, (a: Expected, b: Expected) => number> = {
  joinedAt: (a, b) => compareText(a.created, b.created) || compareText(a.id, b.id),
  '-joinedAt': (a, b) => compareText(b.created, a.created) || compareText(b.id, a.id),
  totalDownline: (a, b) => b.folded - a.folded || compareText(b.id, a.id),
};

const shown = ({ userId, sponsorId, depth, totalDownline, isActive }: ListedMember) => [
  userId,
  sponsorId,
  depth,
  totalDownline,
  isActive,
];
const awaited = (row: Expected) => [row.id, row.parent_id, row.depth, row.total, row.is_active];

/** Reads a whole list and compares it; returns how many members each page but the last had. */
async function expectList(sort: string, includeInactive: boolean, of = root): Promise<number[]> {
  const query = `sort=${encodeURIComponent(sort)}&includeInactive=${includeInactive}`;
  const { members, pages } = await readList(client, of, 'downline', query, () => 100);
  const expected = downlineOf(await readRows(), of, includeInactive).toSorted(ORDERS[sort]);
  expect(expected.length).toBeGreaterThan(15_000);
  expect(members.length).toBe(expected.length);
  expect(members.map(shown)).toEqual(expected.map(awaited));
  return pages.slice(0, -1).map(({ data }) => data.length);
}

describe('partly pending', () => {
  beforeAll(async () => {
    await plantAll();
    await moveTo(40, planted.id(BESIDE)); // out, with its downline
    await moveTo(BESIDE + 2_000, planted.id(24_000)); // in, with its downline, below one that joined later
    await moveTo(3_000, planted.id(5)); // within
    for (let i = 0; i < 30; i++) await client.newMember({ parent_id: planted.id(i * 1_300 + 1), is_active: i % 3 > 0 });
    const [sponsor, leaf] = [await client.newMember({ parent_id: root }), await client.newMember()];
    await client.post(`/api/v1/members/${leaf.id}/sponsor`, { sponsorId: sponsor.id });
    await client.patch(`/api/v1/users/${planted.id(300)}`, { is_active: false });
  });

  test.each([
    ['joinedAt', true],
    ['-joinedAt', false],
    ['totalDownline', true],
  ] as const)('by %s to the end (with inactive ones: %s)', async (sort, includeInactive) => {
    const sizes = await expectList(sort, includeInactive);
    expect(sizes.some((size) => size > 0 && size < 100)).toBe(true);
    if (sort !== 'totalDownline') expect(sizes).toContain(0);
  });

  test('the counts at its top are exact', async () => {
    const { tree } = await readTree(client, root, 'depth=1');
    const below = downlineOf(await readRows(), root, true);
    expect([tree.directReferrals, tree.totalDownline]).toEqual([below.filter(({ depth }) => depth === 1).length, below.length]);
  });

  test('a page ends with a member that then moves away or is switched off', async () => {
    for (const sort of ['joinedAt', '-joinedAt', 'totalDownline']) {
      const query = `sort=${sort}&limit=30&includeInactive=false`;
      const first = await readPage(client, root, 'downline', query);
      const [away, off] = [first.data.at(-1), first.data.at(-2)];
      expect((await client.post(`/api/v1/members/${away?.userId}/sponsor`, { sponsorId: null })).status).toBe(200);
      expect((await client.patch(`/api/v1/users/${off?.userId}`, { is_active: false })).status).toBe(200);
      const second = await readPage(client, root, 'downline', query, first.nextCursor);
      expect(second.data.length).toBeGreaterThan(0);
      expect(new Set([...idsOf(first.data), ...idsOf(second.data)]).size).toBe(first.data.length + second.data.length);
    }
  });
});

test('a large downline that has just come under a small member is all there, before it is counted', async () => {
  await plantAll();
  const { id } = await client.newMember();
  await client.newMember({ parent_id: id });
  await moveTo(2, id);
  await expectList('totalDownline', true, id);
});

// Each member that a page looks at is asked for its own upline: a thousand members each, beside a deep chain.
test.each(['joinedAt', 'totalDownline'])(
  'a large downline beside a chain of 2,000 that joined in its midst, by %s',
  async (sort) => {
    tenant = await app.newTenant();
    client = apiClient(app, tenant.liveKey);
    const star = await plantMembers(app, tenant, {
      count: BELOW + 1,
      sponsor: 'case when n > 1 then 1 end',
      joined: 'case when n <= 50 then n else 1000000 - n end',
    });
    await plantMembers(app, tenant, {
      count: 2_000,
      sponsor: 'nullif(n - 1, 0)',
      joined: 'case when n < 1000 then 100 else 1000000 end + n',
    });
    await countAnew(app, tenant);
    const own = new Set(Array.from({ length: BELOW }, (_, index) => star.id(index + 2)));
    const found = new Set<string>();
    // Pages come short, some empty, and go on behind the chain.
    for (let cursor = '', pages = 0; found.size < 250; pages++) {
      expect(pages).toBeLessThan(500);
      const answer = await client.get(`/api/v1/members/${star.id(1)}/downline?limit=100&sort=${sort}${cursor}`);
      expect(answer.status, answer.text).toBe(200);
      for (const { userId } of answer.body.data as { userId: string }[]) {
        expect(own.has(userId) && !found.has(userId), userId).toBe(true);
        found.add(userId);
      }
      expect(answer.body.hasMore).toBe(true);
      cursor = `&cursor=${answer.body.nextCursor}`;
    }
  },
);
