/** GET /users: filters and stable paging (docs/specification/conventions.md#lists). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

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

const list = (query = '') => client.get(`/api/v1/users${query}`);
const idsOf = (members: readonly MemberBody[]) => members.map((member) => member.id);

async function newMembers(count: number): Promise<MemberBody[]> {
  const members: MemberBody[] = [];
  for (let i = 0; i < count; i++) members.push(await client.newMember());
  return members;
}

describe('paging', () => {
  test('an empty tenant has an empty page', async () => {
    expect((await list()).body).toEqual({ data: [], has_more: false, next_cursor: null });
  });

  test('25 rows unless told otherwise, oldest first, and each member once', async () => {
    const members = await newMembers(30);
    const first = (await list()).body;
    expect(first.has_more).toBe(true);
    expect(idsOf(first.data)).toEqual(idsOf(members.slice(0, 25)));
    expect(first.data[0]).toEqual(members[0]); // the same resource as create returned
    const second = (await list(`?cursor=${first.next_cursor}`)).body;
    expect(idsOf(second.data)).toEqual(idsOf(members.slice(25)));
    expect([second.has_more, second.next_cursor]).toEqual([false, null]);
  });

  test('a page that ends the list exactly has no next one', async () => {
    await newMembers(4);
    const { body } = await list('?limit=4');
    expect([body.data.length, body.has_more, body.next_cursor]).toEqual([4, false, null]);
  });

  test('is stable while members are being added: nobody twice, nobody lost', async () => {
    const members = await newMembers(7);
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null; page++) {
      const { body }: { body: { data: MemberBody[]; next_cursor: string | null } } = await list(
        `?limit=2${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...idsOf(body.data));
      cursor = body.next_cursor;
      if (page < 3) members.push(await client.newMember());
    }
    expect(seen).toEqual(idsOf(members));
  });

  test.each(['1', '100'])('limit %s is accepted', async (limit) => expect((await list(`?limit=${limit}`)).status).toBe(200));
  test.each(['0', '101', '-1', '2.5', 'ten', ''])('limit %j is a 400', async (limit) => {
    expectRefusal(await list(`?limit=${limit}`), 400, 'VALIDATION_ERROR', ['limit']);
  });

  test('a cursor is good only where it was made', async () => {
    await newMembers(3);
    const sandbox = apiClient(app, tenant.sandboxKey);
    const stranger = apiClient(app, (await app.newTenant()).liveKey);
    const { next_cursor: cursor } = (await list('?limit=1')).body;
    expect((await list(`?limit=2&cursor=${cursor}`)).status).toBe(200); // another limit is no other list
    const changed = (cursor[0] === 'A' ? 'B' : 'A') + cursor.slice(1);
    for (const answer of [
      await list(`?cursor=${changed}`),
      await list('?cursor=garbage'),
      await list('?cursor='),
      await list(`?tier=SENIOR&cursor=${cursor}`),
      await list(`?is_active=true&cursor=${cursor}`),
      await sandbox.get(`/api/v1/users?cursor=${cursor}`),
      await stranger.get(`/api/v1/users?cursor=${cursor}`),
    ]) {
      expectRefusal(answer, 400, 'VALIDATION_ERROR', ['cursor']);
    }
  });
});

describe('filters', () => {
  test('by tier, activity, sponsor and email, alone and together', async () => {
    const root = await client.newMember({ membership_tier: 'DIRECTOR' });
    const senior = await client.newMember({ membership_tier: 'SENIOR', parent_id: root.id });
    const idle = await client.newMember({ membership_tier: 'SENIOR', parent_id: root.id, is_active: false });
    const leaf = await client.newMember({ parent_id: senior.id, email: 'Leaf.É@Shop.example' });
    const find = async (query: string) => idsOf((await list(query)).body.data);
    expect(await find('?tier=SENIOR')).toEqual([senior.id, idle.id]);
    expect(await find('?is_active=false')).toEqual([idle.id]);
    expect(await find('?is_active=true')).toEqual([root.id, senior.id, leaf.id]);
    expect(await find(`?parent_id=${root.id}`)).toEqual([senior.id, idle.id]);
    expect(await find(`?parent_id=${root.id}&is_active=true`)).toEqual([senior.id]);
    expect(await find(`?email=${encodeURIComponent('leaf.E\u0301@SHOP.example')}`)).toEqual([leaf.id]);
    expect(await find('?email=leaf@shop.example')).toEqual([]);
    const page = (await list(`?parent_id=${root.id}&limit=1`)).body;
    expect(await find(`?parent_id=${root.id}&limit=1&cursor=${page.next_cursor}`)).toEqual([idle.id]);
  });

  test('shows nobody of the other environment or another tenant', async () => {
    const member = await client.newMember();
    const sandbox = apiClient(app, tenant.sandboxKey);
    const stranger = apiClient(app, (await app.newTenant()).liveKey);
    for (const other of [sandbox, stranger]) {
      for (const query of ['', `?parent_id=${member.id}`, `?email=${member.email}`]) {
        expect((await other.get(`/api/v1/users${query}`)).body.data).toEqual([]);
      }
    }
  });

  test.each([
    ['?tier=BARON', 'tier'],
    ['?is_active=1', 'is_active'],
    ['?parent_id=me', 'parent_id'],
    ['?email=nobody', 'email'],
    ['?color=red', 'color'],
    ['?tier=SENIOR&tier=MANAGER', 'tier'],
  ])('%s is a 400 that names %s', async (query, field) => {
    expectRefusal(await list(query), 400, 'VALIDATION_ERROR', [field]);
  });
});
