/** A downline by levels ends with the level that passes 100,000 members, and says when there are more below. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createCursors } from '../../src/http/pagination.ts';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';
import { countAnew, type Planted, plantMembers } from '../support/tree/plant-tree.ts';
import { idsOf, readList, readPage, readTree } from '../support/tree/tree-calls.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const FIRST = 100;
/** 100 below the root, 99,900 below these, and one below the last but one: 100,000 in two levels. */
const COUNT = 100_002;

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let tree: Planted;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  tree = await plantMembers(app, tenant, {
    count: COUNT,
    sponsor: `case when n = ${COUNT} then ${COUNT - 2} when n > ${FIRST + 1} then n % ${FIRST} + 2 when n > 1 then 1 end`,
    active: `n <> ${COUNT - 1}`,
  });
  await countAnew(app, tenant);
});
afterAll(() => app.close());

/** The cursor behind the member n, as if all pages up to it had been read. */
function cursorBehind(n: number, depth: number, includeInactive: boolean): string {
  const list = {
    scope: { tenantId: tenant.tenantId, environment: 'LIVE' as const },
    operationId: 'listDownline',
    filters: { memberId: tree.id(1), sort: 'depth', includeInactive },
  };
  return createCursors(app.config.secrets.apiKeyPepper).seal(JSON.stringify({ how: 'levels', id: tree.id(n), at: depth }), list);
}

/** From behind the member n to the end. */
async function rest(n: number, includeInactive: boolean) {
  const query = `sort=depth&limit=40&includeInactive=${includeInactive}`;
  const pages = [await readPage(client, tree.id(1), 'downline', query, cursorBehind(n, 2, includeInactive))];
  while (pages.at(-1)?.hasMore) pages.push(await readPage(client, tree.id(1), 'downline', query, pages.at(-1)?.nextCursor ?? ''));
  return { ids: pages.flatMap(({ data }) => idsOf(data)), truncated: pages.map((page) => page.truncated) };
}

test('the first page does not say that it is cut', async () => {
  const page = await readPage(client, tree.id(1), 'downline', 'sort=depth&limit=100&includeInactive=true');
  expect([page.hasMore, page.truncated, idsOf(page.data)]).toEqual([true, false, tree.ids.slice(1, 101)]);
});

test('100,000 in full levels: the level below is not listed, and the last page says so', async () => {
  const last = COUNT - 1;
  expect(await rest(last - 80, true)).toEqual({ ids: tree.ids.slice(last - 80, last), truncated: [false, true] });
});

test('99,999 in full levels: the level below is listed', async () => {
  // The last of the second level is hidden.
  const last = COUNT - 2;
  expect(await rest(last - 60, false)).toEqual({
    ids: [...tree.ids.slice(last - 60, last), tree.id(COUNT)],
    truncated: [false, false],
  });
});

test('nothing below the level that passes: not cut', async () => {
  await client.post(`/api/v1/members/${tree.id(COUNT)}/sponsor`, { sponsorId: null });
  const last = COUNT - 1;
  expect(await rest(last - 10, true)).toEqual({ ids: tree.ids.slice(last - 10, last), truncated: [false] });
  expect((await readTree(client, tree.id(1), 'depth=1')).tree.totalDownline).toBe(COUNT - 2);
});

test('a member inside has its own levels', async () => {
  const under = (COUNT - 2) % FIRST;
  const { members } = await readList(client, tree.id(under + 2), 'downline', 'sort=depth&includeInactive=true', () => 100);
  expect(idsOf(members)).toEqual(
    tree.ids.filter((_, index) => index > FIRST && index < COUNT - 1 && (index + 1) % FIRST === under),
  );
});
