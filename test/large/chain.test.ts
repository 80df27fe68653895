/**
 * A chain of 10,001 (docs/specification/reliability.md#tree-properties). Every read of it answers, whole or in
 * pages, and it can be grown and moved.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { expectRefusal } from '../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';
import { countAnew, type Planted, plantMembers } from '../support/tree/plant-tree.ts';
import { idsOf, levelsOf, readList, readPage, readRelationship, readTree } from '../support/tree/tree-calls.ts';

vi.setConfig({ testTimeout: 300_000 });

const LENGTH = 10_001;
/** When the member n joined, in minutes: spread over a week, so that most joined before their sponsor. */
const joined = (n: number) => (n * 7_919) % 10_007;

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let chain: Planted;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  chain = await plantMembers(app, tenant, { count: LENGTH, sponsor: 'nullif(n - 1, 0)', joined: '(n * 7919) % 10007' });
  await countAnew(app, tenant);
});
afterAll(() => app.close());

const top = () => chain.id(1);
const bottom = () => chain.id(LENGTH);
const below = (n: number) => chain.ids.slice(n);
const hundred = () => 100;

test('the tree at its top ends with the depth', async () => {
  for (const depth of [1, 10]) {
    const { tree, meta } = await readTree(client, top(), `depth=${depth}`);
    expect(meta).toEqual({ maxDepth: depth, includeInactive: false, totalNodes: depth + 1, truncated: false });
    const nodes = levelsOf(tree).flat();
    expect(idsOf(nodes)).toEqual(chain.ids.slice(0, depth + 1));
    expect(nodes.map((node) => [node.depth, node.directReferrals, node.totalDownline])).toEqual(
      nodes.map((_, index) => [index, 1, LENGTH - 1 - index]),
    );
  }
});

test('a depth out of 1 to 10 is refused', async () => {
  for (const depth of ['0', '11', '-1', '1.5', '']) {
    expectRefusal(await client.get(`/api/v1/members/${top()}/genealogy?depth=${depth}`), 400, 'VALIDATION_ERROR', ['depth']);
  }
});

test('its downline: first pages in each order, and to the end by joining', async () => {
  const byJoining = Array.from({ length: LENGTH - 1 }, (_, index) => index + 2).toSorted((a, b) => joined(a) - joined(b));
  const ids = byJoining.map((n) => chain.id(n));
  const { members, pages } = await readList(client, top(), 'downline', 'sort=joinedAt', hundred);
  expect(idsOf(members)).toEqual(ids);
  expect(members.map(({ depth }) => depth)).toEqual(byJoining.map((n) => n - 1));
  expect(pages.length).toBe(100);
  expect(idsOf((await readPage(client, top(), 'downline', 'sort=-joinedAt&limit=100')).data)).toEqual(
    ids.toReversed().slice(0, 100),
  );

  for (const sort of ['depth', 'totalDownline']) {
    expect(idsOf((await readPage(client, top(), 'downline', `sort=${sort}&limit=100`)).data)).toEqual(below(1).slice(0, 100));
  }
});

test('the upline of the deepest, to its end', async () => {
  const { members } = await readList(client, bottom(), 'upline', '', hundred);
  expect(idsOf(members)).toEqual(chain.ids.slice(0, -1).toReversed());
  expect(members.map(({ depth }) => depth)).toEqual(members.map((_, index) => index + 1));
  expect(members.at(-1)?.sponsorId).toBe(null);
});

test('between its ends, both ways', async () => {
  for (const [from, to, relationship, ids] of [
    [top(), bottom(), 'downline', chain.ids],
    [bottom(), top(), 'upline', chain.ids.toReversed()],
  ] as const) {
    const { path, ...found } = await readRelationship(client, from, to);
    expect(found).toEqual({ connected: true, relationship, distance: LENGTH - 1 });
    expect(idsOf(path)).toEqual(ids);
    expect(path.map(({ depth, children }) => [depth, children])).toEqual(path.map((_, index) => [index, []]));
  }
});

/** The totals of some members, by position. */
const totals = async (...positions: number[]) =>
  Promise.all(positions.map(async (n) => (await readTree(client, chain.id(n), 'depth=1')).tree.totalDownline));

test('it grows at its end, breaks in the middle and is mended, counted before and after folding', async () => {
  const fold = () => app.runSweep('fold-downline', { tenantId: tenant.tenantId, environment: 'LIVE' });
  const moveTo = (n: number, sponsorId: string | null) => client.post(`/api/v1/members/${chain.id(n)}/sponsor`, { sponsorId });
  const { id: child } = await client.newMember({ parent_id: bottom() });
  const middle = 5_001;
  const below2nd = LENGTH - 1; // the child included
  for (const settle of [async () => 0, fold]) {
    await settle();
    expect(await totals(1, 2, middle, LENGTH)).toEqual([LENGTH, below2nd, LENGTH - middle + 1, 1]);
  }
  expect((await readRelationship(client, child, top())).distance).toBe(LENGTH);

  const lifted = await moveTo(middle, null);
  expect([lifted.status, lifted.body.downlineMoved]).toEqual([200, LENGTH - middle + 1]);
  for (const settle of [async () => 0, fold]) {
    await settle();
    expect(await totals(1, middle - 1, middle)).toEqual([middle - 2, 0, LENGTH - middle + 1]);
  }
  expect((await readRelationship(client, bottom(), top())).relationship).toBe('none');

  expectRefusal(await moveTo(middle, bottom()), 409, 'CYCLE_DETECTED');
  const mended = await moveTo(middle, chain.id(middle - 1));
  expect([mended.status, mended.body.downlineMoved]).toEqual([200, LENGTH - middle + 1]);
  expect(await totals(1, 2, middle)).toEqual([LENGTH, below2nd, LENGTH - middle + 1]);
  expect(await fold()).toBeGreaterThan(0);
  const wrong = await app.database.asSuperuser(
    `select n from generate_series(1, ${LENGTH}) n
     left join downline_count c on c.tenant_id = $1 and c.member_id = ($2::text[])[n]::uuid
     where c.total is distinct from ${LENGTH} + 1 - n or c.direct is distinct from 1 or c.active is distinct from c.total`,
    [tenant.tenantId, chain.ids],
  );
  expect(wrong).toEqual([]);
});

test('an inactive member in the middle hides what is below it, not its count', async () => {
  await client.patch(`/api/v1/users/${chain.id(8)}`, { is_active: false });
  const shown = await readList(client, top(), 'downline', 'sort=joinedAt', hundred);
  expect(idsOf(shown.members).toSorted()).toEqual(chain.ids.slice(1, 7));
  const { tree, meta } = await readTree(client, top(), 'depth=10');
  expect([meta.totalNodes, tree.totalDownline]).toEqual([7, LENGTH]);
  expect((await readTree(client, top(), 'depth=10&includeInactive=true')).meta.totalNodes).toBe(11);
});
