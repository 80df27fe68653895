/** One level of the tree: everybody on it once, in the order asked for, with exact counts (docs/specification/hierarchy.md#children). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';
import { idsOf, type ListAnswer, type ListedMember } from '../../support/tree/tree-calls.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let top: MemberBody;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  top = await client.newMember({ name: 'Top' });
});
afterAll(() => app.close());

const fold = () => app.runSweep('fold-downline', { tenantId: tenant.tenantId, environment: 'LIVE' });
const pathOf = (id: string, query: string) => `/api/v1/members/${id}/children?${query}`;

async function page(id: string, query: string, cursor: string | null = null): Promise<ListAnswer> {
  const answer = await client.get(pathOf(id, `${query}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`));
  expect(answer.status, answer.text).toBe(200);
  return answer.body as ListAnswer;
}

async function whole(id: string, query: string, limit: number): Promise<ListedMember[]> {
  const found: ListedMember[] = [];
  for (let cursor: string | null = null, pages = 0; pages === 0 || cursor !== null; pages++) {
    const next: ListAnswer = await page(id, `${query}&limit=${limit}`, cursor);
    expect(next.data.length).toBeLessThanOrEqual(limit);
    expect(next.hasMore).toBe(next.nextCursor !== null);
    found.push(...next.data);
    cursor = next.nextCursor;
    if (pages > 50) throw new Error('a list does not end');
  }
  return found;
}

/** Recruits of `top` by their names; each has so many below it, in a chain. */
async function recruits(given: readonly [name: string | null, below: number, more?: object][]): Promise<MemberBody[]> {
  const made: MemberBody[] = [];
  for (const [name, below, more] of given) {
    const child = await client.newMember({ name, parent_id: top.id, ...more });
    made.push(child);
    for (let i = 0, at = child; i < below; i++) at = await client.newMember({ name: `under ${name}`, parent_id: at.id });
  }
  return made;
}

describe('the orders', () => {
  test('hold everybody on the level once, whatever the pages, with exact counts', async () => {
    const made = await recruits([
      ['Bea', 0],
      ['ada', 3],
      [null, 1],
      ['Ödön', 0],
      ['Ada', 3],
      [null, 0],
      ['Cy', 2, { is_active: false }],
    ]);
    const [bea, ada, none, odon, ada2, none2, cy] = made.map(({ id }) => id) as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    await fold();
    const orders = {
      joinedAt: [bea, ada, none, odon, ada2, none2, cy],
      '-totalDownline': [ada2, ada, cy, none, bea, odon, none2],
      name: [ada, ada2, bea, cy, odon, none, none2],
    };
    for (const [sort, expected] of Object.entries(orders)) {
      for (const limit of [1, 2, 3, 7, 100])
        expect(idsOf(await whole(top.id, `sort=${sort}`, limit)), `${sort} by ${limit}`).toEqual(expected);
    }
    const shown = await whole(top.id, '', 100);
    expect(shown.map(({ directReferrals, totalDownline }) => [directReferrals, totalDownline])).toEqual([
      [0, 0],
      [1, 3],
      [1, 1],
      [0, 0],
      [1, 3],
      [0, 0],
      [1, 2],
    ]);
    expect(shown.at(-1)).toMatchObject({ userId: cy, isActive: false, depth: 1, sponsorId: top.id, name: 'Cy' });
  });

  test('show exact counts before they are folded, and go by them once they are', async () => {
    const [small, large] = (
      await recruits([
        ['small', 1],
        ['large', 2],
      ])
    ).map(({ id }) => id);
    const unfolded = await whole(top.id, 'sort=-totalDownline', 100);
    expect(unfolded.map(({ totalDownline }) => totalDownline)).toEqual([1, 2]);
    expect(idsOf(unfolded)).toEqual([small, large]);
    await fold();
    expect(idsOf(await whole(top.id, 'sort=-totalDownline', 1))).toEqual([large, small]);
  });

  test('follow a member that moves, with its downline, before and behind the fold', async () => {
    const [a, b] = (await recruits([
      ['a', 1],
      ['b', 4],
    ])) as [MemberBody, MemberBody];
    await fold();
    const move = async (id: string, sponsorId: string | null) => {
      const answer = await client.post(`/api/v1/members/${id}/sponsor`, { sponsorId });
      expect(answer.status, answer.text).toBe(200);
    };
    await move(b.id, a.id);
    for (const folded of [false, true]) {
      if (folded) await fold();
      expect(idsOf(await whole(top.id, 'sort=-totalDownline', 1)), `${folded}`).toEqual([a.id]);
      const below = await whole(a.id, 'sort=-totalDownline', 1);
      expect(below.map(({ userId }) => userId)[0], `${folded}`).toBe(b.id);
      expect(below).toHaveLength(2);
    }
    await move(b.id, null);
    expect(await whole(a.id, 'sort=-totalDownline', 1)).toHaveLength(1);
  });

  test('are right after the counts were built anew', async () => {
    const [a, b] = (
      await recruits([
        ['a', 1],
        ['b', 2],
      ])
    ).map(({ id }) => id);
    await app.database.asSuperuser('update tenant set reporting_time_zone = $2 where id = $1', [tenant.tenantId, 'Asia/Tokyo']);
    await fold();
    expect(idsOf(await whole(top.id, 'sort=-totalDownline', 1))).toEqual([b, a]);
  });
});

describe('the filter', () => {
  test.each(['joinedAt', '-totalDownline', 'name'])('finds what a name or an address has in it, by %s', async (sort) => {
    const marked = `x${randomUUID().slice(0, 8)}`;
    const made = await recruits([
      ['Ada LOVELACE', 1],
      ['lovely Bea', 0],
      [null, 0, { email: `Love.${marked}@shop.example` }],
      ['Cy', 2],
      ['100%_love', 0],
    ]);
    const [ada, bea, mail, , percent] = idsOfBodies(made);
    await fold();
    const found = async (q: string) => idsOf(await whole(top.id, `sort=${sort}&q=${encodeURIComponent(q)}`, 1)).toSorted();
    expect(await found('LOVE')).toEqual([ada, bea, mail, percent].map(String).toSorted());
    expect(await found(' lovelace')).toEqual([ada]);
    expect(await found(marked.toUpperCase())).toEqual([mail]);
    expect(await found('%_')).toEqual([percent]);
    expect(await found('nobody')).toEqual([]);
  });

  test('finds Greek names whichever sigma is typed', async () => {
    const [odysseus] = await recruits([['Οδυσσεύς', 0]]);
    expect(idsOf(await whole(top.id, `q=${encodeURIComponent('ΟΔΥΣΣΕΎΣ')}`, 5))).toEqual([odysseus?.id]);
  });
});

const idsOfBodies = (members: readonly MemberBody[]): string[] => members.map(({ id }) => id);

describe('refusals', () => {
  test('an unknown member is 404, one without recruits an empty page', async () => {
    for (const sort of ['joinedAt', '-totalDownline', 'name']) {
      expectRefusal(await client.get(pathOf(randomUUID(), `sort=${sort}`)), 404, 'USER_NOT_FOUND', []);
      expect(await page(top.id, `sort=${sort}`)).toEqual({ data: [], hasMore: false, nextCursor: null });
    }
    expectRefusal(await client.get(pathOf(top.id, 'q=%20')), 400, 'VALIDATION_ERROR', ['q']);
    expectRefusal(await client.get(pathOf(top.id, 'sort=-name')), 400, 'VALIDATION_ERROR', ['sort']);
  });

  test('another tenant and the other environment know no such member', async () => {
    await recruits([['a', 0]]);
    for (const key of [tenant.sandboxKey, (await app.newTenant()).liveKey]) {
      expectRefusal(await apiClient(app, key).get(pathOf(top.id, '')), 404, 'USER_NOT_FOUND', []);
    }
  });

  test('a cursor serves its member, order and filter alone', async () => {
    const [a] = await recruits([
      ['a', 1],
      ['b', 1],
      ['ab', 0],
    ]);
    await fold();
    const { nextCursor } = await page(top.id, 'sort=-totalDownline&limit=1');
    const refused = async (id: string, query: string) =>
      expectRefusal(await client.get(pathOf(id, `${query}&cursor=${nextCursor}`)), 400, 'VALIDATION_ERROR', ['cursor']);
    await refused(top.id, 'sort=name');
    await refused(top.id, 'sort=-totalDownline&q=a');
    await refused(a?.id ?? '', 'sort=-totalDownline');
  });
});

test('a bearer token sees its own downline masked, and may neither search nor sort by names that it does not see', async () => {
  const [child] = await recruits([['Grace Brewster Hopper', 1]]);
  const { accessToken } = await plantSession(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, top.id);
  const asTop = (id: string, query = '') => client.get(pathOf(id, query), { authorization: `Bearer ${accessToken}` });
  const answer = await asTop(top.id);
  expect(answer.body.data).toMatchObject([{ userId: child?.id, email: null, name: 'Grace H.', totalDownline: 1 }]);
  expect((await asTop(child?.id ?? '')).status).toBe(200);
  for (const query of ['q=hopper', 'sort=name', `q=${encodeURIComponent(child?.email ?? '')}`]) {
    expectRefusal(await asTop(top.id, query), 403, 'FORBIDDEN', []);
  }
  const stranger = await client.newMember({});
  expectRefusal(await asTop(stranger.id), 403, 'FORBIDDEN', []);
  await client.patch('/api/v1/admin/settings', { members: { downlineVisibility: 'full' } });
  expect((await asTop(top.id, 'q=hopper&sort=name')).body.data).toMatchObject([{ name: 'Grace Brewster Hopper' }]);
  await client.patch('/api/v1/admin/settings', { members: { downlineVisibility: 'counts' } });
  expect((await asTop(top.id)).body.data).toEqual([]);
  expectRefusal(await asTop(child?.id ?? ''), 403, 'FORBIDDEN', []);
});
