/** /groups: keys that stay for ever, `default` among them, and archiving (docs/specification/groups.md#keys). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';
import { auditedOf, GROUPS, groupOf, move, moved, newGroups } from './group-calls.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let sandbox: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  sandbox = apiClient(app, tenant.sandboxKey);
});
afterAll(() => app.close());

const keysOf = async (query = '', by = client) => {
  const answer = await by.get(`${GROUPS}?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body.data as { key: string }[]).map(({ key }) => key);
};

describe('a group', () => {
  test('is made, and is found where Location says', async () => {
    const answer = await client.post(GROUPS, { key: 'vip', name: 'VIP partners' });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.headers['location']).toBe(`${GROUPS}/vip`);
    expect(answer.body).toEqual({
      key: 'vip',
      name: 'VIP partners',
      status: 'active',
      createdBy: { kind: 'api_key', id: expect.any(String), name: null },
      createdAt: expect.any(String),
      updatedAt: answer.body.createdAt,
    });
    expect((await client.get(`${GROUPS}/vip`)).body).toEqual(answer.body);
  });

  test.each(['a', '0', '-', 'x'.repeat(40), 'a-b--9'])('may have the key %s', async (key) => {
    expect((await client.post(GROUPS, { key, name: key })).status).toBe(201);
    expect((await client.get(`${GROUPS}/${key}`)).body.key).toBe(key);
    expect(await groupOf(client, await client.newMember({ group: key }))).toBe(key);
  });

  test.each([
    ['nothing', ''],
    ['41 characters', 'x'.repeat(41)],
    ['a capital', 'Vip'],
    ['an underscore', 'a_b'],
    ['a blank', 'a b'],
    ['an umlaut', 'ä'],
    ['a wide letter', 'ａ'],
    ['a line break behind it', 'vip\n'],
    ['a number', 7],
    ['null', null],
    ['no key', undefined],
  ])('may not have %s for a key', async (_label, key) => {
    expectRefusal(await client.post(GROUPS, { key, name: 'A group' }), 400, 'VALIDATION_ERROR', ['key']);
    expect(await keysOf()).toEqual(['default']);
  });

  test('has a name of 1 to 100 characters, and nothing else is sent', async () => {
    expect((await client.post(GROUPS, { key: 'long', name: 'ü'.repeat(100) })).body.name).toBe('ü'.repeat(100));
    for (const name of ['', ' ', 'x'.repeat(101), null, undefined]) {
      expectRefusal(await client.post(GROUPS, { key: 'other', name }), 400, 'VALIDATION_ERROR', ['name']);
    }
    const answer = await client.post(GROUPS, { key: 'other', name: 'Other', status: 'archived' });
    expectRefusal(answer, 400, 'VALIDATION_ERROR', ['status']);
    expect(await keysOf()).toEqual(['default', 'long']);
  });

  test('keeps its key, also archived, and nobody else has default', async () => {
    await newGroups(client, 'vip', 'gone');
    expect((await client.delete(`${GROUPS}/gone`)).status).toBe(200);
    for (const key of ['vip', 'gone', 'default']) {
      expectRefusal(await client.post(GROUPS, { key, name: 'Another' }), 409, 'GROUP_EXISTS');
    }
    expect((await client.get(`${GROUPS}/gone`)).body).toMatchObject({ name: 'The group gone', status: 'archived' });
  });

  test('is renamed, and what is not sent stays', async () => {
    await newGroups(client, 'vip');
    const { body: before } = await client.get(`${GROUPS}/vip`);
    const answer = await client.patch(`${GROUPS}/vip`, { name: 'Partners' });
    expect([answer.status, answer.body]).toEqual([200, { ...before, name: 'Partners', updatedAt: expect.any(String) }]);
    expect(Date.parse(answer.body.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect((await client.get(`${GROUPS}/vip`)).body).toEqual(answer.body);
  });

  test.each<[string, object, string[] | undefined]>([
    ['nothing', {}, undefined],
    ['the status archived', { status: 'archived' }, ['status']],
    ['another key', { name: 'Name', key: 'other' }, ['key']],
    ['no name', { name: null }, ['name']],
    ['a blank name', { name: ' ' }, ['name']],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, ['name']],
  ])('is not changed to %s', async (_label, body, fields) => {
    await newGroups(client, 'vip');
    expectRefusal(await client.patch(`${GROUPS}/vip`, body), 400, 'VALIDATION_ERROR', fields);
    expect((await client.get(`${GROUPS}/vip`)).body.name).toBe('The group vip');
  });
});

describe('the group default', () => {
  test('is always there, and nobody made it', async () => {
    expect((await client.get(`${GROUPS}/default`)).body).toMatchObject({ key: 'default', status: 'active', createdBy: null });
    expect(await keysOf('', sandbox)).toEqual(['default']);
  });

  test('is neither changed nor archived', async () => {
    const { body: before } = await client.get(`${GROUPS}/default`);
    for (const body of [{ name: 'Everybody' }, { status: 'active' }]) {
      expectRefusal(await client.patch(`${GROUPS}/default`, body), 409, 'STATE_CONFLICT');
    }
    expectRefusal(await client.delete(`${GROUPS}/default`), 409, 'STATE_CONFLICT');
    expect((await client.get(`${GROUPS}/default`)).body).toEqual(before);
  });
});

describe('the list', () => {
  test('is by key, byte by byte, with default in its place, page by page', async () => {
    await newGroups(client, 'e', 'd-1', 'd', '9', 'default-2', 'd1', '-z');
    const sorted = ['-z', '9', 'd', 'd-1', 'd1', 'default', 'default-2', 'e'];
    expect(await keysOf()).toEqual(sorted);
    for (const limit of [1, 3, 8]) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await client.get(`${GROUPS}?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`);
        seen.push(...body.data.map(({ key }: { key: string }) => key));
        expect([body.data.length <= limit, body.hasMore]).toEqual([true, body.nextCursor !== null]);
        cursor = body.nextCursor;
      }
      expect(seen).toEqual(sorted);
    }
  });

  test('is of one status, where default is active', async () => {
    await newGroups(client, 'a', 'f', 'x');
    for (const key of ['a', 'x']) await client.delete(`${GROUPS}/${key}`);
    expect(await keysOf('status=active')).toEqual(['default', 'f']);
    expect(await keysOf('status=archived')).toEqual(['a', 'x']);
    const { body } = await client.get(`${GROUPS}?status=archived&limit=1`);
    expect(await keysOf(`status=archived&limit=1&cursor=${body.nextCursor}`)).toEqual(['x']);
    expectRefusal(await client.get(`${GROUPS}?cursor=${body.nextCursor}`), 400, 'VALIDATION_ERROR', ['cursor']);
    expectRefusal(await client.get(`${GROUPS}?status=gone`), 400, 'VALIDATION_ERROR', ['status']);
  });
});

describe('archiving', () => {
  test('is refused while members are in it, and says how many', async () => {
    await newGroups(client, 'vip', 'gold');
    const members = [await client.newMember({ group: 'vip' }), await client.newMember(), await client.newMember()];
    await move(client, 'vip', members);
    const refused = await client.delete(`${GROUPS}/vip`);
    expectRefusal(refused, 409, 'STATE_CONFLICT');
    expect(refused.body.details).toEqual({ members: 3, planIds: [] });
    expect((await client.get(`${GROUPS}/vip`)).body.status).toBe('active');
    await move(client, 'gold', members.slice(0, 1));
    expect((await client.delete(`${GROUPS}/vip`)).body.details).toEqual({ members: 2, planIds: [] });
    await move(client, 'default', members);
    const archived = await client.delete(`${GROUPS}/vip`);
    expect([archived.status, archived.body]).toMatchObject([200, { key: 'vip', status: 'archived' }]);
  });

  test('is of the past: who was in it before is not in the way, who is dated back into it neither', async () => {
    await newGroups(client, 'vip', 'gold');
    const [one, two] = [await client.newMember({ group: 'vip' }), await client.newMember()];
    await moved(client, 'gold', one);
    await moved(client, 'gold', two, '2026-05-01T00:00:00Z');
    await moved(client, 'vip', two, '2026-04-01T00:00:00Z');
    expect((await client.delete(`${GROUPS}/vip`)).status).toBe(200);
    expect((await client.get(`/api/v1/members/${one.id}/groups`)).body.data[0]).toMatchObject({ group: 'vip', validFrom: null });
  });

  test('keeps members out until it is brought back', async () => {
    await newGroups(client, 'vip');
    await client.delete(`${GROUPS}/vip`);
    const member = await client.newMember();
    expectRefusal(await move(client, 'vip', [member]), 400, 'VALIDATION_ERROR');
    expectRefusal(await move(client, 'vip', [member], { effectiveAt: '2026-01-01T00:00:00Z' }), 400, 'VALIDATION_ERROR');
    expect((await client.patch(`${GROUPS}/vip`, { name: 'Still gone' })).body).toMatchObject({ status: 'archived' });
    expect((await client.patch(`${GROUPS}/vip`, { status: 'active' })).body).toMatchObject({
      status: 'active',
      name: 'Still gone',
    });
    await moved(client, 'vip', member);
    expect(await groupOf(client, member)).toBe('vip');
  });

  test('of a group that is archived, and bringing back one that is not, leave it as it is', async () => {
    await newGroups(client, 'vip');
    expect((await client.patch(`${GROUPS}/vip`, { status: 'active' })).body.status).toBe('active');
    for (let times = 0; times < 2; times++) expect((await client.delete(`${GROUPS}/vip`)).body.status).toBe('archived');
  });
});

test('what is nowhere is a 404, and what can be no key a 400', async () => {
  for (const send of [
    () => client.get(`${GROUPS}/nowhere`),
    () => client.patch(`${GROUPS}/nowhere`, { name: 'Name' }),
    () => client.delete(`${GROUPS}/nowhere`),
    () => client.get(`${GROUPS}/nowhere/members`),
    async () => move(client, 'nowhere', [await client.newMember()]),
  ]) {
    expectRefusal(await send(), 404, 'NOT_FOUND');
  }
  for (const key of ['VIP', 'x'.repeat(41), 'a%0A']) {
    expectRefusal(await client.get(`${GROUPS}/${key}`), 400, 'VALIDATION_ERROR', ['key']);
    expectRefusal(await client.delete(`${GROUPS}/${key}`), 400, 'VALIDATION_ERROR', ['key']);
  }
});

describe('walls', () => {
  test('a key is free in another environment and tenant, and nothing of theirs is seen or touched', async () => {
    await newGroups(client, 'vip');
    const member = await client.newMember({ group: 'vip' });
    for (const by of [sandbox, apiClient(app, (await app.newTenant()).liveKey)]) {
      const absent = await by.get(`${GROUPS}/nowhere`);
      for (const answer of [
        await by.get(`${GROUPS}/vip`),
        await by.patch(`${GROUPS}/vip`, { name: 'Theirs' }),
        await by.delete(`${GROUPS}/vip`),
        await by.get(`${GROUPS}/vip/members`),
        await move(by, 'vip', [member]),
      ]) {
        expect([answer.status, answer.text]).toEqual([404, absent.text]);
      }
      expect(await keysOf('', by)).toEqual(['default']);
      await newGroups(by, 'vip');
      expect((await by.delete(`${GROUPS}/vip`)).status).toBe(200);
    }
    expect((await client.get(`${GROUPS}/vip`)).body).toMatchObject({ name: 'The group vip', status: 'active' });
  });

  test.each([
    ['groups:read', [200, 200, 403, 403, 403, 403, 200]],
    ['groups:write', [403, 403, 201, 200, 200, 200, 403]],
    ['users:write', [403, 403, 403, 403, 403, 403, 403]],
  ])('a key with %s alone', async (scope, statuses) => {
    await newGroups(client, 'vip', 'old');
    const member = await client.newMember();
    const { apiKey } = await app.tenants.createKey({ tenantId: tenant.tenantId, environment: 'LIVE', scopes: [scope] });
    const by = apiClient(app, apiKey);
    const answers = [
      await by.get(GROUPS),
      await by.get(`${GROUPS}/vip/members`),
      await by.post(GROUPS, { key: 'new', name: 'New' }),
      await by.patch(`${GROUPS}/vip`, { name: 'Renamed' }),
      await by.delete(`${GROUPS}/old`),
      await move(by, 'vip', [member]),
      await by.get(`/api/v1/members/${member.id}/groups`),
    ];
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    for (const answer of answers) if (answer.status === 403) expectRefusal(answer, 403, 'FORBIDDEN');
  });

  test('a member’s bearer token is refused, also for its own groups', async () => {
    await newGroups(client, 'vip');
    const { id } = await client.newMember();
    const { accessToken } = await plantSession(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, id);
    const headers = { authorization: `Bearer ${accessToken}` };
    for (const answer of [
      await client.get(GROUPS, headers),
      await client.get(`${GROUPS}/vip`, headers),
      await client.get(`${GROUPS}/vip/members`, headers),
      await client.get(`/api/v1/members/${id}/groups`, headers),
      await client.post(GROUPS, { key: 'mine', name: 'Mine' }, headers),
      await client.patch(`${GROUPS}/vip`, { name: 'Mine' }, headers),
      await client.delete(`${GROUPS}/vip`, headers),
      await client.post(`${GROUPS}/vip/members`, { userIds: [id] }, headers),
    ]) {
      expectRefusal(answer, 403, 'FORBIDDEN');
    }
    expect(await groupOf(client, { id })).toBe('default');
  });
});

test('the audit log has who made, changed and archived it; what was refused left nothing', async () => {
  await newGroups(client, 'vip');
  await client.patch(`${GROUPS}/vip`, { name: 'Partners' });
  const member = await client.newMember({ group: 'vip' });
  await client.delete(`${GROUPS}/vip`);
  await moved(client, 'default', member);
  await client.delete(`${GROUPS}/vip`);
  await client.patch(`${GROUPS}/vip`, { name: 'Again', status: 'active' });
  await client.post(GROUPS, { key: 'vip', name: 'Twice' });
  await client.delete(`${GROUPS}/default`);
  expect(await auditedOf(app, tenant.tenantId, 'vip')).toEqual([
    ['member_group.created'],
    ['member_group.updated', ['name']],
    ['member_group.archived'],
    ['member_group.updated', ['name', 'status']],
  ]);
  expect(await auditedOf(app, tenant.tenantId, 'default')).toEqual([]);
});
