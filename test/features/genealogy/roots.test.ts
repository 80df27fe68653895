/** GET /members/roots: those without a sponsor, once each, in the order asked for (docs/specification/hierarchy.md#roots). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';
import { idsOf, type ListAnswer, type ListedMember } from '../../support/tree/tree-calls.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

const ROOTS = '/api/v1/members/roots';
const fold = () => app.runSweep('fold-downline', { tenantId: tenant.tenantId, environment: 'LIVE' });

async function page(query: string, cursor: string | null = null): Promise<ListAnswer> {
  const answer = await client.get(`${ROOTS}?${query}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as ListAnswer;
}

async function whole(query: string, limit: number): Promise<ListedMember[]> {
  const found: ListedMember[] = [];
  for (let cursor: string | null = null, pages = 0; pages === 0 || cursor !== null; pages++) {
    const next: ListAnswer = await page(`${query}&limit=${limit}`, cursor);
    expect(next.data.length).toBeLessThanOrEqual(limit);
    found.push(...next.data);
    cursor = next.nextCursor;
    if (pages > 50) throw new Error('a list does not end');
  }
  return found;
}

/** Each with so many below it, in a chain. */
async function roots(given: readonly [name: string | null, below: number, more?: object][]): Promise<string[]> {
  const made: MemberBody[] = [];
  for (const [name, below, more] of given) {
    const root = await client.newMember({ name, ...more });
    made.push(root);
    for (let i = 0, at = root; i < below; i++) at = await client.newMember({ name: `under ${name}`, parent_id: at.id });
  }
  return made.map(({ id }) => id);
}

describe('the orders', () => {
  test('hold every root once, whatever the pages, with exact counts', async () => {
    const [bea, ada, none, odon, ada2, none2, cy] = (await roots([
      ['Bea', 0],
      ['ada', 3],
      [null, 1],
      ['Ödön', 0],
      ['Ada', 3],
      [null, 0],
      ['Cy', 2, { is_active: false }],
    ])) as [string, string, string, string, string, string, string];
    await fold();
    const orders = {
      joinedAt: [bea, ada, none, odon, ada2, none2, cy],
      '-totalDownline': [ada2, ada, cy, none, bea, odon, none2],
      name: [ada, ada2, bea, cy, odon, none, none2],
    };
    for (const [sort, expected] of Object.entries(orders)) {
      for (const limit of [1, 2, 3, 7, 100])
        expect(idsOf(await whole(`sort=${sort}`, limit)), `${sort} by ${limit}`).toEqual(expected);
    }
    const shown = await whole('', 100);
    expect(shown.map(({ totalDownline }) => totalDownline)).toEqual([0, 3, 1, 0, 3, 0, 2]);
    expect(shown.at(-1)).toMatchObject({ userId: cy, isActive: false, depth: 0, sponsorId: null, name: 'Cy' });
  });

  test.each(['joinedAt', '-totalDownline', 'name'])('search them, and nobody below, by %s', async (sort) => {
    const [love, lovely] = await roots([
      ['Ada LOVELACE', 1],
      ['lovely Bea', 0],
      ['Cy', 2],
    ]);
    await client.newMember({ name: 'Love', parent_id: love });
    await fold();
    for (const limit of [1, 5]) {
      expect(idsOf(await whole(`sort=${sort}&q=LOVE`, limit)).toSorted()).toEqual([love, lovely].map(String).toSorted());
    }
    expect(await whole(`sort=${sort}&q=nobody`, 5)).toEqual([]);
  });

  test('follow a member that becomes a root, or is one no more', async () => {
    const [a, b] = (await roots([
      ['a', 1],
      ['b', 2],
    ])) as [string, string];
    await fold();
    const move = async (id: string, sponsorId: string | null) => {
      const answer = await client.post(`/api/v1/members/${id}/sponsor`, { sponsorId });
      expect(answer.status, answer.text).toBe(200);
    };
    await move(b, a);
    for (const folded of [false, true]) {
      if (folded) await fold();
      expect(idsOf(await whole('sort=-totalDownline', 1)), `${folded}`).toEqual([a]);
    }
    await move(b, null);
    for (const folded of [false, true]) {
      if (folded) await fold();
      expect(idsOf(await whole('sort=-totalDownline', 1)).toSorted(), `${folded}`).toEqual([a, b].toSorted());
    }
    expect(idsOf(await whole('sort=-totalDownline', 1))).toEqual([b, a]);
  });
});

describe('whose they are', () => {
  test('each tenant and environment has its own', async () => {
    const [a] = await roots([['a', 0]]);
    for (const key of [tenant.sandboxKey, (await app.newTenant()).liveKey]) {
      expect((await apiClient(app, key).get(ROOTS)).body).toEqual({ data: [], hasMore: false, nextCursor: null });
    }
    expect(idsOf(await whole('', 5))).toEqual([a]);
  });

  test('a bearer token does not list them, and a cursor of another list is none of theirs', async () => {
    const [a] = (await roots([
      ['a', 2],
      ['b', 0],
    ])) as [string, string];
    const { accessToken } = await plantSession(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, a);
    expectRefusal(await client.get(ROOTS, { authorization: `Bearer ${accessToken}` }), 403, 'FORBIDDEN');
    const { nextCursor } = await page('limit=1');
    expectRefusal(await client.get(`${ROOTS}?sort=name&cursor=${nextCursor}`), 400, 'VALIDATION_ERROR', ['cursor']);
    expectRefusal(await client.get(`/api/v1/members/${a}/children?cursor=${nextCursor}`), 400, 'VALIDATION_ERROR', ['cursor']);
  });
});
