/** GET /members in the order that is asked for, and by the tenant's own ids (docs/specification/hierarchy.md#downline). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { countAnew } from '../../support/tree/plant-tree.ts';

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

type Query = Record<string, string | number>;
const list = (query: Query, by = client) =>
  by.get(
    `/api/v1/members?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString()}`,
  );
const idsOf = (members: readonly { id: string }[]) => members.map((member) => member.id);

/** Every page; `between` runs after each. */
async function allPages(query: Query, between: (page: number) => Promise<unknown> = () => Promise.resolve()): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  for (let page = 0; page === 0 || cursor !== null; page++) {
    const answer = await list({ ...query, ...(cursor === null ? {} : { cursor }) });
    expect(answer.status, answer.text).toBe(200);
    const { data, hasMore, nextCursor }: { data: { id: string }[]; hasMore: boolean; nextCursor: string | null } = answer.body;
    expect([data.length, hasMore]).toEqual([hasMore ? query['limit'] : data.length, nextCursor !== null]);
    seen.push(...idsOf(data));
    cursor = nextCursor;
    await between(page);
  }
  return seen;
}

/** In both directions, by pages of every size that ends differently. */
async function expectOrder(sort: string, up: string[], down: string[], filters: Query = {}): Promise<void> {
  for (const limit of [1, 2, 3, up.length || 7, 100]) {
    expect(await allPages({ sort, limit, ...filters }), `${sort} by ${limit}`).toEqual(up);
    expect(await allPages({ sort: `-${sort}`, limit, ...filters }), `-${sort} by ${limit}`).toEqual(down);
  }
}

const fold = () => countAnew(app, tenant);

describe('sorted', () => {
  test('by name, without regard to case; the nameless are last, oldest first', async () => {
    const names = ['bea', null, 'Ada', 'Ödön', 'BEA', 'ada b', null];
    const members: MemberBody[] = [];
    for (const name of names) members.push(await client.newMember({ name }));
    const [bea, none, ada, odon, bea2, adaB, none2] = idsOf(members) as [string, string, string, string, string, string, string];
    await expectOrder('name', [ada, adaB, bea, bea2, odon, none, none2], [odon, bea2, bea, adaB, ada, none, none2]);
    await expectOrder('name', [ada, adaB], [adaB, ada], { name: 'ADA' });
  });

  test('by when they joined; those of one instant by their ids', async () => {
    const members: MemberBody[] = [];
    for (const day of [3, 1, 2, 1]) {
      const member = await client.newMember();
      await app.database.asSuperuser(
        `update member set created_at = '2026-03-01T00:00:00.000001Z'::timestamptz + $2 * interval '1 day' where id = $1`,
        [member.id, day],
      );
      members.push(member);
    }
    const [third, first, second, first2] = idsOf(members) as [string, string, string, string];
    await expectOrder('joined', [first, first2, second, third], [third, second, first2, first]);
    const from = { joinedFrom: '2026-03-03T00:00:00Z' };
    await expectOrder('joined', [second, third], [third, second], from);
  });

  test('by the size of their downlines; who has none stands at that end, newest first', async () => {
    const root = await client.newMember();
    const child = await client.newMember({ parent_id: root.id });
    const leaf = await client.newMember({ parent_id: child.id });
    const other = await client.newMember();
    const leaf2 = await client.newMember({ parent_id: other.id });
    const alone = await client.newMember();
    await fold();
    const leaves = [alone.id, leaf2.id, leaf.id];
    await expectOrder('downline', [...leaves, child.id, other.id, root.id], [root.id, other.id, child.id, ...leaves]);
    await expectOrder('downline', [leaf.id, child.id], [child.id, leaf.id], { ids: [leaf.id, child.id].join(',') });
    await expectOrder('downline', [], [], { tier: 'DIRECTOR' });
  });

  test('a name of the longest fits a cursor', async () => {
    const names = ['\u05e9\u05bc\u05c1'.normalize('NFC').repeat(85), '\u{1f600}'.repeat(127), '"\\\u0001'.repeat(85)];
    for (const name of names) for (let i = 0; i < 2; i++) await client.newMember({ name });
    expect(new Set(await allPages({ sort: 'name', limit: 1 })).size).toBe(6);
  });

  test('nobody twice and nobody lost who stays, while others join, leave and are renamed', async () => {
    const stay: string[] = [];
    const go: string[] = [];
    for (let i = 0; i < 6; i++) {
      stay.push((await client.newMember({ name: `m${i}` })).id);
      go.push((await client.newMember({ name: `m${i}x` })).id);
    }
    for (const sort of ['name', '-name', 'joined', '-joined', '-downline', 'downline']) {
      const seen = await allPages({ sort, limit: 1 }, async (page) => {
        const id = go[page % 6];
        if (page % 2 === 0) await client.patch(`/api/v1/users/${id}`, { name: page % 4 === 0 ? null : `a${page}` });
        else if (page < 4) await client.newMember({ name: `m${page}${sort}` });
      });
      expect(seen.filter((id) => stay.includes(id)).toSorted(), sort).toEqual(stay.toSorted());
    }
  });

  test('a cursor is good for its sort alone', async () => {
    for (const name of ['a', 'b', 'c']) await client.newMember({ name });
    const sorts = ['', 'name', '-name', 'joined', '-joined', 'downline', '-downline'];
    for (const sort of sorts) {
      const { nextCursor: cursor } = (await list({ limit: 1, ...(sort && { sort }) })).body;
      for (const other of sorts.filter((one) => one !== sort)) {
        expectRefusal(await list({ limit: 1, cursor, ...(other && { sort: other }) }), 400, 'VALIDATION_ERROR', ['cursor']);
      }
      const sandbox = apiClient(app, tenant.sandboxKey);
      expectRefusal(await list({ limit: 1, cursor, ...(sort && { sort }) }, sandbox), 400, 'VALIDATION_ERROR', ['cursor']);
    }
    for (const sort of ['tier', '+name', 'NAME', '', 'name,joined'])
      expectRefusal(await list({ sort }), 400, 'VALIDATION_ERROR', ['sort']);
  });

  test('as anybody else, in the own tenant and environment alone', async () => {
    const member = await client.newMember({ name: 'Ada' });
    const stranger = apiClient(app, (await app.newTenant()).liveKey);
    for (const by of [stranger, apiClient(app, tenant.sandboxKey)]) {
      await by.newMember({ name: 'Eve' });
      for (const sort of ['name', '-joined', 'downline']) {
        const { data } = (await list({ sort }, by)).body;
        expect(data.map(({ name }: { name: string }) => name)).toEqual(['Eve']);
      }
    }
    const { data } = (await list({ sort: 'name' })).body;
    expect(data).toEqual((await list({})).body.data);
    expect(idsOf(data)).toEqual([member.id]);
  });
});

test('found by external id and by ids', async () => {
  const one = await client.newMember({ external_id: 'crm/1' });
  const two = await client.newMember({ external_id: 'crm/10' });
  await client.newMember();
  const found = async (query: Query) => idsOf((await list(query)).body.data);
  expect(await found({ externalId: 'crm/1' })).toEqual([one.id]);
  expect(await found({ externalId: 'CRM/1' })).toEqual([]);
  expect(await found({ ids: [two.id, randomUUID(), one.id, two.id.toUpperCase()].join(',') })).toEqual([two.id, one.id]);
  expect(await found({ ids: one.id, externalId: 'crm/10' })).toEqual([]);
  const many = Array.from({ length: 101 }, () => randomUUID()).join(',');
  for (const ids of [many, '', 'crm/1']) expect((await list({ ids })).status).toBe(400);
});
