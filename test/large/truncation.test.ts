/**
 * Where a tree is cut (docs/specification/reliability.md#tree-properties): 5,000 nodes, level by level,
 * sponsors in order; counts are never cut.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { countAnew, type Planted, plantMembers } from '../support/tree/plant-tree.ts';
import { idsOf, levelsOf, readPage, readTree, SORTS } from '../support/tree/tree-calls.ts';

vi.setConfig({ testTimeout: 300_000 });

const LIMIT = 5_000;

let app: TestApp;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** In a tenant of its own, which `client` then reads. */
async function plant(count: number, sponsor: string, active?: string): Promise<Planted> {
  const tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  const planted = await plantMembers(app, tenant, { count, sponsor, joined: '-n', ...(active === undefined ? {} : { active }) });
  await countAnew(app, tenant);
  return planted;
}

/** What the answer says of its size, and the nodes in it. */
async function sizeOf(id: string, query: string): Promise<[stated: number, found: number, truncated: boolean]> {
  const { tree, meta } = await readTree(client, id, query);
  return [meta.totalNodes, levelsOf(tree).flat().length, meta.truncated];
}

describe('a star of 50,000', () => {
  const POINTS = 50_000;
  let star: Planted;
  beforeAll(async () => {
    star = await plant(POINTS + 1, 'case when n > 1 then 1 end');
  });

  test('shows the first 4,999 and counts all', async () => {
    const { tree, meta } = await readTree(client, star.id(1), 'depth=10');
    expect(meta).toEqual({ maxDepth: 10, includeInactive: false, totalNodes: LIMIT, truncated: true });
    expect([tree.directReferrals, tree.totalDownline]).toEqual([POINTS, POINTS]);
    expect(idsOf(tree.children)).toEqual(star.ids.slice(1, LIMIT));
  });

  test('counts one that joined just now, and one that left', async () => {
    const { id } = await client.newMember({ parent_id: star.id(1) });
    const counts = async () => {
      const { tree } = await readTree(client, star.id(1), 'depth=1');
      return [tree.directReferrals, tree.totalDownline, tree.children.length];
    };
    expect(await counts()).toEqual([POINTS + 1, POINTS + 1, LIMIT - 1]);
    await client.post(`/api/v1/members/${id}/sponsor`, { sponsorId: star.id(2) });
    expect(await counts()).toEqual([POINTS, POINTS + 1, LIMIT - 1]);
    await client.post(`/api/v1/members/${id}/sponsor`, { sponsorId: null });
    expect(await counts()).toEqual([POINTS, POINTS, LIMIT - 1]);
  });

  test.each(SORTS)('several pages of its downline by %s', async (sort) => {
    const found: string[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < 12; page++) {
      const answer = await readPage(client, star.id(1), 'downline', `sort=${sort}&limit=100`, cursor);
      expect(answer.hasMore).toBe(true);
      found.push(...idsOf(answer.data));
      cursor = answer.nextCursor;
    }
    // The later in the order of ids the earlier it joined.
    const ascends = sort === '-joinedAt' || sort === 'depth';
    const expected = ascends ? star.ids.slice(1) : star.ids.slice(1).toReversed();
    expect(found.length).toBeGreaterThanOrEqual(800);
    expect(found).toEqual(expected.slice(0, found.length));
  });
});

test('a star of 19,000, whose downline is gathered: several pages of each order', async () => {
  const star = await plant(19_001, 'case when n > 1 then 1 end');
  for (const sort of SORTS) {
    const pages = [await readPage(client, star.id(1), 'downline', `sort=${sort}&limit=100`)];
    while (pages.length < 8) {
      const cursor = pages.at(-1)?.nextCursor ?? null;
      pages.push(await readPage(client, star.id(1), 'downline', `sort=${sort}&limit=100`, cursor));
    }
    const ascends = sort === '-joinedAt' || sort === 'depth';
    const expected = ascends ? star.ids.slice(1) : star.ids.slice(1).toReversed();
    expect(pages.flatMap((page) => idsOf(page.data))).toEqual(expected.slice(0, 800));
  }
});

describe('at the limit', () => {
  test.each([
    ['5,000 are all shown', LIMIT, [LIMIT, LIMIT, false]],
    ['5,001 are cut', LIMIT + 1, [LIMIT, LIMIT, true]],
  ] as const)('%s, in a wide tree and in one of many levels', async (_name, count, expected) => {
    for (const sponsor of ['case when n > 1 then 1 end', 'case when n > 1 then n / 4 + (n < 4)::int end']) {
      const tree = await plant(count, sponsor);
      expect(await sizeOf(tree.id(1), 'depth=10')).toEqual(expected);
    }
  });

  test('who is hidden takes no place', async () => {
    // The last is inactive.
    const tree = await plant(LIMIT + 1, 'case when n > 1 then 1 end', `n <= ${LIMIT}`);
    expect(await sizeOf(tree.id(1), '')).toEqual([LIMIT, LIMIT, false]);
    expect(await sizeOf(tree.id(1), 'includeInactive=true')).toEqual([LIMIT, LIMIT, true]);
  });

  test('what is too deep does not count', async () => {
    // 4,999 below the root, then one below the last of them.
    const tree = await plant(LIMIT + 1, `case when n > ${LIMIT} then ${LIMIT} when n > 1 then 1 end`);
    expect(await sizeOf(tree.id(1), 'depth=1')).toEqual([LIMIT, LIMIT, false]);
    expect(await sizeOf(tree.id(1), 'depth=2')).toEqual([LIMIT, LIMIT, true]);
    const { tree: shown } = await readTree(client, tree.id(1), 'depth=2');
    const last = shown.children.at(-1);
    expect([last?.userId, last?.directReferrals, last?.totalDownline, last?.children]).toEqual([tree.id(LIMIT), 1, 1, []]);
  });
});

test('the level that is cut is cut at its end, by sponsors first', async () => {
  // Three sponsors; of 7,500 below them n % 3 says whose, so they joined in turn.
  const tree = await plant(7_504, 'case when n > 4 then n % 3 + 2 when n > 1 then 1 end');
  const of = (sponsor: number) => tree.ids.slice(4).filter((_, index) => ((index + 5) % 3) + 2 === sponsor);
  const { tree: shown, meta } = await readTree(client, tree.id(1), 'depth=10');
  expect([meta.totalNodes, meta.truncated, shown.totalDownline]).toEqual([LIMIT, true, 7_503]);
  expect(shown.children.map(({ userId }) => userId)).toEqual([2, 3, 4].map(tree.id));
  expect(shown.children.map(({ directReferrals, totalDownline }) => [directReferrals, totalDownline])).toEqual(
    [1, 2, 3].map(() => [2_500, 2_500]),
  );
  expect(shown.children.map(({ children }) => idsOf(children))).toEqual([of(2), of(3).slice(0, 2_496), []]);
});
