/** Members of groups: moves, all or none, dated as changes of tier are (docs/specification/groups.md#moving). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { openEar } from '../../support/webhooks/told-events.ts';
import { importCsv } from '../imports/csv-imports.ts';
import { auditedOf, GROUPS, groupOf, groupsOf, move, moved, newGroups } from './group-calls.ts';

let app: TestApp;
let tenant: TestTenant;
let scope: Scope;
let client: ApiClient;
let ear: ReturnType<typeof openEar>;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
  await client.patch('/api/v1/admin/settings', { webhooks: { eventLog: true } });
  ear = openEar(app, scope);
  await newGroups(client, 'vip', 'gold');
});
afterAll(async () => {
  await expectCleanBooks(app); // H-1: each member is the latest of its history
  await app.close();
});

const heard = async () => (await ear.heard()).map(({ type, objectId }) => `${type} ${objectId}`);
const listed = async (key: string, query = '', by = client) => {
  const answer = await by.get(`${GROUPS}/${key}/members?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as { data: { userId: string; since: string | null }[]; hasMore: boolean; nextCursor: string | null };
};
const idsIn = async (key: string, query = '') => (await listed(key, query)).data.map(({ userId }) => userId);
const soon = () => new Date(Date.now() + 5_000).toISOString();

describe('a move', () => {
  test('puts members into the group from now on, and their history begins with the group of before', async () => {
    const members = [await client.newMember({ group: 'gold' }), await client.newMember({ external_id: 'crm-2' })];
    const before = new Date(Date.now() - 1_000).toISOString();
    const answer = await move(client, 'vip', members, { reason: 'Sold a lot' });
    expect([answer.status, answer.body]).toEqual([200, { group: 'vip', moved: 2 }]);
    const { body } = await client.get(`/api/v1/members/${members[0]?.id}/groups`);
    expect(body).toEqual({
      data: [
        { group: 'gold', validFrom: null, recordedAt: expect.any(String), reason: null, createdBy: null },
        {
          group: 'vip',
          validFrom: expect.any(String),
          recordedAt: expect.any(String),
          reason: 'Sold a lot',
          createdBy: { kind: 'api_key', id: expect.any(String), name: null },
        },
      ],
    });
    const since = body.data[1].validFrom;
    expect([since > before, since < soon()]).toEqual([true, true]);
    expect((await listed('vip')).data).toEqual([
      { userId: members[0]?.id, externalId: null, since },
      { userId: members[1]?.id, externalId: 'crm-2', since: expect.any(String) },
    ]);
    expect(await idsIn('gold')).toEqual([]);
    const { body: history } = await client.get(`/api/v1/members/${members[1]?.id}/history`);
    expect(history.group.map(({ group }: { group: string }) => group)).toEqual(['default', 'vip']);
  });

  test('of who is there already is none: no history, no event, no audit entry, and the member is as it was', async () => {
    const [there, fresh] = [await client.newMember({ group: 'vip' }), await client.newMember()];
    const { body: before } = await client.get(`/api/v1/users/${there.id}`);
    const always = await groupsOf(client, there);
    await ear.heard();
    expect((await move(client, 'vip', [there])).body).toEqual({ group: 'vip', moved: 0 });
    expect((await move(client, 'vip', [there, fresh], { effectiveAt: null })).body).toEqual({ group: 'vip', moved: 1 });
    expect((await move(client, 'vip', [fresh, there])).body).toEqual({ group: 'vip', moved: 0 });
    expect(await heard()).toEqual([`group.changed ${fresh.id}`]);
    expect((await client.get(`/api/v1/users/${there.id}`)).body).toEqual(before);
    expect(await groupsOf(client, there)).toEqual(always);
    expect(await auditedOf(app, tenant.tenantId, there.id)).toEqual([]);
    expect(await auditedOf(app, tenant.tenantId, fresh.id)).toEqual([['member.updated', ['group']]]);
  });

  test('with a date is recorded of who is there too', async () => {
    const there = await client.newMember({ group: 'vip' });
    expect((await move(client, 'vip', [there], { effectiveAt: '2026-05-01T00:00:00Z' })).body.moved).toBe(1);
    expect(await groupsOf(client, there)).toEqual([
      ['vip', null, null],
      ['vip', '2026-05-01T00:00:00.000Z', null],
    ]);
  });

  test('of an id twice, and in capitals, is one', async () => {
    const member = await client.newMember();
    const twice = [member, { id: member.id.toUpperCase() }, member];
    expect((await move(client, 'vip', twice)).body).toEqual({ group: 'vip', moved: 1 });
    expect(await groupsOf(client, member)).toHaveLength(2);
  });

  test('moves all or none: an id that is nobody here is named by its place', async () => {
    const members = [await client.newMember(), await client.newMember()];
    const strangers = [
      { id: randomUUID() },
      await apiClient(app, tenant.sandboxKey).newMember(),
      await apiClient(app, (await app.newTenant()).liveKey).newMember(),
    ];
    await ear.heard();
    for (const stranger of strangers) {
      expectRefusal(await move(client, 'vip', [...members, stranger]), 400, 'VALIDATION_ERROR', ['userIds.2']);
      expectRefusal(await move(client, 'vip', [stranger, ...members]), 400, 'VALIDATION_ERROR', ['userIds.0']);
      const twice = [members[0], members[0], stranger];
      expectRefusal(await move(client, 'vip', twice), 400, 'VALIDATION_ERROR', ['userIds.2']);
    }
    expect(await idsIn('vip')).toEqual([]);
    expect(await heard()).toEqual([]);
  });

  test('has 1 to 500 ids; each of 500 is told and noted once', async () => {
    const rows = Array.from({ length: 501 }, (_none, index) => `m-${index}@many.example`);
    const run = await importCsv(app, tenant.liveKey, ['email', ...rows].join('\n'));
    expect(run.appliedCount).toBe(501);
    const all = await app.database.asSuperuser<{ id: string }>('select id from member where tenant_id = $1 order by id', [
      tenant.tenantId,
    ]);
    expectRefusal(await move(client, 'vip', all), 400, 'VALIDATION_ERROR', ['userIds']);
    expectRefusal(await move(client, 'vip', []), 400, 'VALIDATION_ERROR', ['userIds']);
    await ear.heard();
    expect((await move(client, 'vip', all.slice(1))).body).toEqual({ group: 'vip', moved: 500 });
    expect((await heard()).toSorted()).toEqual(all.slice(1).map(({ id }) => `group.changed ${id}`));
    const noted = await app.database.asSuperuser<{ id: string }>(
      `select object_id as id from audit_log where tenant_id = $1 and action = 'member.updated' and details -> 'fields' = '["group"]'
       order by object_id`,
      [tenant.tenantId],
    );
    expect(noted).toEqual(all.slice(1));
    expect((await client.delete(`${GROUPS}/vip`)).body.details.members).toBe(500);
  });

  test.each<[string, object, string[]]>([
    ['ahead of now', { effectiveAt: '2099-01-01T00:00:00Z' }, ['effectiveAt']],
    ['without a zone', { effectiveAt: '2026-05-01T00:00:00' }, ['effectiveAt']],
    ['on a day alone', { effectiveAt: '2026-05-01' }, ['effectiveAt']],
    ['with a reason of 501 characters', { reason: 'x'.repeat(501) }, ['reason']],
    ['with a blank reason', { reason: ' ' }, ['reason']],
    ['with a name of other operations', { effective_at: '2026-05-01T00:00:00Z' }, ['effective_at']],
  ])('%s is a 400, and moves nobody', async (_label, fields, named) => {
    const member = await client.newMember();
    expectRefusal(await move(client, 'vip', [member], fields), 400, 'VALIDATION_ERROR', named);
    expect(await groupsOf(client, member)).toEqual([['default', null, null]]);
  });

  test('a moment ahead of now, by the database’s clock, is refused too, and a moment ago is not', async () => {
    const member = await client.newMember();
    expectRefusal(await move(client, 'vip', [member], { effectiveAt: soon() }), 400, 'VALIDATION_ERROR', ['effectiveAt']);
    await moved(client, 'vip', member, new Date().toISOString());
  });

  test('out of all groups is a move into default', async () => {
    const member = await client.newMember({ group: 'vip' });
    expect((await move(client, 'default', [member])).body).toEqual({ group: 'default', moved: 1 });
    expect([await groupOf(client, member), await idsIn('default')]).toEqual(['default', [member.id]]);
  });
});

describe('dated', () => {
  const AT = { march: '2026-03-01T00:00:00.000Z', april: '2026-04-01T00:00:00.000Z', may: '2026-05-01T00:00:00.000Z' };

  test('a move before a later one leaves the group of now; of one instant the last one recorded holds', async () => {
    const member = await client.newMember();
    await moved(client, 'vip', member, AT.april);
    await moved(client, 'gold', member, AT.march);
    expect(await groupOf(client, member)).toBe('vip');
    await moved(client, 'gold', member, AT.april);
    expect(await groupOf(client, member)).toBe('gold');
    await moved(client, 'default', member, AT.may);
    expect(await groupsOf(client, member)).toEqual([
      ['default', null, null],
      ['gold', AT.march, null],
      ['vip', AT.april, null],
      ['gold', AT.april, null],
      ['default', AT.may, null],
    ]);
    expect(await idsIn('default')).toEqual([member.id]);
  });

  test('by the zone that the date has', async () => {
    const member = await client.newMember();
    await moved(client, 'vip', member, '2026-05-01T00:00:00+14:00');
    await moved(client, 'gold', member, '2026-04-30T00:00:00-09:30');
    expect(await groupsOf(client, member)).toEqual([
      ['default', null, null],
      ['gold', '2026-04-30T09:30:00.000Z', null],
      ['vip', '2026-04-30T10:00:00.000Z', null],
    ]);
  });

  test('by PATCH /users/{user_id} as by the group, and no date without a change', async () => {
    const member = await client.newMember();
    const patch = (body: object) => client.patch(`/api/v1/users/${member.id}`, body);
    expect((await patch({ group: 'vip', effective_at: AT.april, reason: 'letter' })).body.group).toBe('vip');
    expect((await patch({ group: 'gold', effective_at: AT.march })).body.group).toBe('vip');
    expect((await patch({ group: 'vip' })).body.group).toBe('vip');
    expect(await groupsOf(client, member)).toEqual([
      ['default', null, null],
      ['gold', AT.march, null],
      ['vip', AT.april, 'letter'],
    ]);
    expectRefusal(await patch({ group: 'gold', effective_at: soon() }), 400, 'VALIDATION_ERROR', ['effective_at']);
    expectRefusal(await patch({ group: 'gold', is_active: false, effective_at: soon() }), 400, 'VALIDATION_ERROR');
    expect((await client.get(`/api/v1/users/${member.id}`)).body).toMatchObject({ group: 'vip', is_active: true });
  });

  test('by the clock of the SANDBOX, and of no other member or environment', async () => {
    const sandbox = apiClient(app, tenant.sandboxKey);
    await newGroups(sandbox, 'vip');
    const member = await sandbox.newMember();
    const frozenAt = new Date(Date.now() + 60_000).toISOString();
    expect((await sandbox.post('/api/v1/sandbox/clock', { frozenAt })).status).toBe(200);
    await moved(sandbox, 'vip', member);
    const ahead = new Date(Date.parse(frozenAt) + 1).toISOString();
    expectRefusal(await move(sandbox, 'vip', [member], { effectiveAt: ahead }), 400, 'VALIDATION_ERROR', ['effectiveAt']);
    await moved(sandbox, 'default', member, frozenAt);
    expect(await groupsOf(sandbox, member)).toEqual([
      ['default', null, null],
      ['vip', frozenAt, null],
      ['default', frozenAt, null],
    ]);
    expectRefusal(await client.get(`/api/v1/members/${member.id}/groups`), 404, 'USER_NOT_FOUND');
  });
});

describe('who is in a group', () => {
  test('comes oldest member first, page by page, and since when', async () => {
    const members: MemberBody[] = [];
    for (let n = 0; n < 5; n++) members.push(await client.newMember({ group: n === 1 ? 'vip' : 'default' }));
    await move(client, 'vip', members.toReversed(), { effectiveAt: '2026-05-01T00:00:00Z' });
    const first = await listed('vip', 'limit=2');
    expect(first.hasMore).toBe(true);
    const rest = await listed('vip', `limit=3&cursor=${first.nextCursor}`);
    expect([rest.hasMore, rest.nextCursor]).toEqual([false, null]);
    expect([...first.data, ...rest.data].map(({ userId }) => userId)).toEqual(members.map(({ id }) => id));
    const foreign = `${GROUPS}/gold/members?cursor=${first.nextCursor}`;
    expectRefusal(await client.get(foreign), 400, 'VALIDATION_ERROR', ['cursor']);
    expect((await client.get('/api/v1/users?group=vip&limit=100')).body.data.map(({ id }: MemberBody) => id)).toEqual(
      members.map(({ id }) => id),
    );
  });

  test('is in it since it came, whatever was recorded again meanwhile', async () => {
    const [born, came] = [await client.newMember({ group: 'vip' }), await client.newMember()];
    await moved(client, 'vip', came, '2026-04-01T00:00:00Z');
    expect((await listed('vip')).data.map(({ since }) => since)).toEqual([null, '2026-04-01T00:00:00.000Z']);
    await move(client, 'vip', [born, came], { effectiveAt: '2026-05-01T00:00:00Z' });
    expect((await listed('vip')).data.map(({ since }) => since)).toEqual([null, '2026-04-01T00:00:00.000Z']);
  });

  test('of a member that is nobody here there are no groups', async () => {
    const member = await client.newMember();
    const absent = await client.get(`/api/v1/members/${randomUUID()}/groups`);
    expectRefusal(absent, 404, 'USER_NOT_FOUND');
    for (const key of [tenant.sandboxKey, (await app.newTenant()).liveKey]) {
      const answer = await apiClient(app, key).get(`/api/v1/members/${member.id}/groups`);
      expect([answer.status, answer.text]).toEqual([404, absent.text]);
    }
    expectRefusal(await client.get('/api/v1/members/me/groups'), 400, 'VALIDATION_ERROR', ['userId']);
  });
});

describe('tenants hear', () => {
  test('group.changed alone of a move, by whichever way it came, with the member as it is then', async () => {
    const member = await client.newMember();
    await ear.heard();
    await moved(client, 'vip', member);
    const [told, ...others] = await ear.heard();
    expect([told?.type, told?.objectId, told?.data['group'], others]).toEqual(['group.changed', member.id, 'vip', []]);
    await client.patch(`/api/v1/users/${member.id}`, { group: 'gold' });
    await moved(client, 'default', member, '2026-01-01T00:00:00Z');
    expect(await heard()).toEqual([`group.changed ${member.id}`, `group.changed ${member.id}`]);
  });

  test('of another change beside it what is told of that one, and of a new member its creation alone', async () => {
    await ear.heard();
    const member = await client.newMember({ group: 'vip' });
    expect(await heard()).toEqual([`member.created ${member.id}`]);
    await client.patch(`/api/v1/users/${member.id}`, { group: 'gold', membership_tier: 'SENIOR' });
    expect((await heard()).toSorted()).toEqual([`group.changed ${member.id}`, `member.updated ${member.id}`]);
    await client.patch(`/api/v1/users/${member.id}`, { group: 'vip', is_active: false });
    expect((await heard()).toSorted()).toEqual([`group.changed ${member.id}`, `member.deactivated ${member.id}`]);
    expect(await auditedOf(app, tenant.tenantId, member.id)).toEqual([
      ['member.updated', ['membership_tier', 'group']],
      ['member.updated', ['is_active', 'group']],
    ]);
  });
});

test('erasure takes the reasons of moves, and leaves the groups', async () => {
  const member = await client.newMember();
  await move(client, 'vip', [member], { effectiveAt: '2026-05-01T00:00:00Z', reason: 'Ada sold a lot' });
  expect((await client.post(`/api/v1/members/${member.id}/erasure`, {})).status).toBe(200);
  expect(await groupsOf(client, member)).toEqual([
    ['default', null, null],
    ['vip', '2026-05-01T00:00:00.000Z', null],
  ]);
});
