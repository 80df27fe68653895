/** The group and the date of joining of members that are made and changed, one by one and by CSV (docs/specification/groups.md#joined). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { importCsv, sendCsv } from '../imports/csv-imports.ts';
import { auditedOf, GROUPS, groupsOf, newGroups } from './group-calls.ts';

const USERS = '/api/v1/users';
const LONG_AGO = '2019-03-31T22:30:00.000Z';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  await newGroups(client, 'vip', 'gold', 'gone');
  await client.delete(`${GROUPS}/gone`);
});
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

const freshEmail = () => `${randomUUID()}@shop.example`;
const post = (fields: object, by = client) => by.post(USERS, { email: freshEmail(), ...fields });
const put = (externalId: string, body: object, by = client) => by.put(`${USERS}/by-external-id/${externalId}`, body);
const soon = () => new Date(Date.now() + 5_000).toISOString();
const keyWith = async (...scopes: string[]) =>
  (await app.tenants.createKey({ tenantId: tenant.tenantId, environment: 'LIVE', scopes })).apiKey;
const emailsOf = async (query: string, by = client) => {
  const answer = await by.get(`${USERS}?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.map(({ email }: { email: string }) => email) as string[];
};

describe('a new member', () => {
  test('is in default, approved, and joined when it was made', async () => {
    for (const fields of [{}, { group: null, joined_at: null }, { group: 'default' }]) {
      const { status, body } = await post(fields);
      expect([status, body.group, body.standing, body.joined_at]).toEqual([201, 'default', 'approved', body.created_at]);
      expect((await client.get(`${USERS}/${body.id}`)).body).toEqual(body);
    }
  });

  test('comes into the group that is named, since always, and joined when it is said', async () => {
    for (const made of [
      await post({ group: 'vip', joined_at: '2019-04-01T00:30:00+02:00' }),
      await put('crm-1', { email: freshEmail(), group: 'vip', joined_at: LONG_AGO }),
    ]) {
      expect(made.body).toMatchObject({ group: 'vip', joined_at: LONG_AGO, standing: 'approved' });
      expect(made.status).toBe(201);
      expect((await client.get(`${USERS}/${made.body.id}`)).body).toEqual(made.body);
      expect(await groupsOf(client, made.body)).toEqual([['vip', null, null]]);
    }
  });

  test.each<[string, object, string[]]>([
    ['a group that is nowhere', { group: 'nowhere' }, ['group']],
    ['an archived group', { group: 'gone' }, ['group']],
    ['a group of 41 characters', { group: 'x'.repeat(41) }, ['group']],
    ['a group in capitals', { group: 'VIP' }, ['group']],
    ['a blank group', { group: '' }, ['group']],
    ['a date of joining in years to come', { joined_at: '2099-01-01T00:00:00Z' }, ['joined_at']],
    ['a date of joining without a zone', { joined_at: '2019-01-01T00:00:00' }, ['joined_at']],
    ['a standing', { standing: 'approved' }, ['standing']],
  ])('is not made with %s', async (_label, fields, named) => {
    expectRefusal(await post(fields), 400, 'VALIDATION_ERROR', named);
    expectRefusal(await put('crm-1', { email: freshEmail(), ...fields }), 400, 'VALIDATION_ERROR', named);
    expect(await emailsOf('')).toEqual([]);
  });

  test('did not join a moment ahead of now, by the clock of its environment', async () => {
    expectRefusal(await post({ joined_at: soon() }), 400, 'VALIDATION_ERROR', ['joined_at']);
    expect((await post({ joined_at: new Date().toISOString() })).status).toBe(201);
    const sandbox = apiClient(app, tenant.sandboxKey);
    const frozenAt = '2031-05-01T12:00:00.000Z';
    expect((await sandbox.post('/api/v1/sandbox/clock', { frozenAt })).status).toBe(200);
    expect((await post({ joined_at: frozenAt }, sandbox)).body.joined_at).toBe(frozenAt);
    expectRefusal(await post({ joined_at: '2031-05-01T12:00:00.001Z' }, sandbox), 400, 'VALIDATION_ERROR', ['joined_at']);
  });

  test('comes into no group of another environment or tenant', async () => {
    const others = [apiClient(app, tenant.sandboxKey), apiClient(app, (await app.newTenant()).liveKey)];
    for (const by of others) {
      expectRefusal(await post({ group: 'vip' }, by), 400, 'VALIDATION_ERROR', ['group']);
      const { body: member } = await post({}, by);
      expectRefusal(await by.patch(`${USERS}/${member.id}`, { group: 'vip' }), 400, 'VALIDATION_ERROR', ['group']);
    }
  });
});

describe('a member that is there', () => {
  test('is moved by PUT where another group is named, and by nothing else', async () => {
    const { body: made } = await put('crm-1', { email: freshEmail(), group: 'vip', joined_at: LONG_AGO });
    for (const body of [{}, { group: null }, { group: 'vip' }, { joined_at: '2020-01-01T00:00:00Z' }, { joined_at: soon() }]) {
      const answer = await put('crm-1', body);
      expect([answer.status, answer.body]).toEqual([200, made]);
    }
    expect((await put('crm-1', { group: 'gold', joined_at: null })).body).toMatchObject({ group: 'gold', joined_at: LONG_AGO });
    expect(await groupsOf(client, made)).toEqual([
      ['vip', null, null],
      ['gold', expect.any(String), null],
    ]);
    expect(await auditedOf(app, tenant.tenantId, made.id)).toEqual([['member.updated', ['group']]]);
    for (const group of ['gone', 'nowhere']) {
      expectRefusal(await put('crm-1', { group, name: 'Ada' }), 400, 'VALIDATION_ERROR', ['group']);
    }
    expect((await client.get(`${USERS}/${made.id}`)).body).toMatchObject({ group: 'gold', name: null });
  });

  test('is moved by PATCH, never without a group, into none that is closed; its date of joining stays', async () => {
    const { body: made } = await post({ joined_at: LONG_AGO });
    const patch = (body: object) => client.patch(`${USERS}/${made.id}`, body);
    expect((await patch({ group: 'vip' })).body).toMatchObject({ group: 'vip', joined_at: LONG_AGO });
    expectRefusal(await patch({ group: null }), 400, 'VALIDATION_ERROR', ['group']);
    expectRefusal(await patch({ joined_at: LONG_AGO, name: 'Ada' }), 400, 'VALIDATION_ERROR', ['joined_at']);
    expectRefusal(await patch({ standing: 'banned', name: 'Ada' }), 400, 'VALIDATION_ERROR', ['standing']);
    for (const group of ['gone', 'nowhere']) {
      expectRefusal(await patch({ group, is_active: false }), 400, 'VALIDATION_ERROR', ['group']);
      expectRefusal(await patch({ group, effective_at: '2026-01-01T00:00:00Z' }), 400, 'VALIDATION_ERROR', ['group']);
    }
    expect((await client.get(`${USERS}/${made.id}`)).body).toMatchObject({ group: 'vip', is_active: true });
  });
});

test('a key without groups:write names no group, not even the one that a member is in', async () => {
  const weak = apiClient(app, await keyWith('users:write', 'users:read', 'groups:read'));
  const narrow = apiClient(app, await keyWith('groups:write'));
  const both = apiClient(app, await keyWith('users:write', 'groups:write'));
  const { body: made } = await put('crm-1', { email: freshEmail(), group: 'vip' });
  const naming = (by: ApiClient, group: string | undefined) => [
    post({ group }, by),
    put('crm-1', { group }, by),
    put(randomUUID(), { email: freshEmail(), group }, by),
    by.patch(`${USERS}/${made.id}`, { group, name: 'Ada' }),
  ];
  const before = await emailsOf('limit=100');
  for (const group of ['vip', 'default', 'gold', 'nowhere']) {
    for (const answer of await Promise.all([...naming(weak, group), ...naming(narrow, group)])) {
      expectRefusal(answer, 403, 'FORBIDDEN');
    }
  }
  expect(await emailsOf('limit=100')).toEqual(before);
  expect((await weak.get(`${USERS}/${made.id}`)).body).toEqual(made);
  expect((await Promise.all(naming(weak, undefined))).map(({ status }) => status)).toEqual([201, 200, 201, 200]);
  expect((await put('crm-1', { group: null }, weak)).status).toBe(200);
  expect((await Promise.all(naming(both, 'vip'))).map(({ status }) => status)).toEqual([201, 200, 201, 200]);
});

test('members are listed by group and by standing', async () => {
  const people = [await client.newMember(), await client.newMember({ group: 'vip' }), await client.newMember({ group: 'vip' })];
  await client.newMember({ group: 'gold' });
  await app.database.asSuperuser("update member set standing = 'banned' where id = $1", [people[2]?.id]);
  const emails = people.map(({ email }) => email);
  expect(await emailsOf('group=vip')).toEqual(emails.slice(1));
  expect(await emailsOf('group=default')).toEqual(emails.slice(0, 1));
  expect(await emailsOf('standing=banned')).toEqual(emails.slice(2));
  expect(await emailsOf('group=vip&standing=approved')).toEqual(emails.slice(1, 2));
  expect([await emailsOf('standing=pending'), await emailsOf('group=nowhere')]).toEqual([[], []]);
  expect(await emailsOf('group=vip', apiClient(app, tenant.sandboxKey))).toEqual([]);
  const page = await client.get(`${USERS}?group=vip&limit=1`);
  expect(await emailsOf(`group=vip&limit=1&cursor=${page.body.next_cursor}`)).toEqual(emails.slice(2));
  const other = await client.get(`${USERS}?group=gold&cursor=${page.body.next_cursor}`);
  expectRefusal(other, 400, 'VALIDATION_ERROR', ['cursor']);
  expectRefusal(await client.get(`${USERS}?group=VIP`), 400, 'VALIDATION_ERROR', ['group']);
  expectRefusal(await client.get(`${USERS}?standing=gone`), 400, 'VALIDATION_ERROR', ['standing']);
  await app.database.asSuperuser("update member set standing = 'approved' where id = $1", [people[2]?.id]);
});

describe('by CSV', () => {
  const FAULTY = [
    'email,group,joined_at',
    'one@old.example,vip,2019-04-01T00:30:00+02:00',
    'two@old.example,,',
    'three@old.example,default,2020-02-29T00:00:00Z',
    'nowhere@old.example,nowhere,',
    'gone@old.example,gone,2019-01-01T00:00:00Z',
    'capital@old.example,VIP,',
    'ahead@old.example,gold,2099-01-01T00:00:00Z',
    'both@old.example,gone,2099-01-01T00:00:00Z',
    'zone@old.example,gold,2019-01-01',
    `long@old.example,${'x'.repeat(41)},`,
  ].join('\n');
  const EXPECTED = [
    [5, 'group'],
    [6, 'group'],
    [7, 'group'],
    [8, 'joined_at'],
    [9, 'group', 'joined_at'],
    [10, 'joined_at'],
    [11, 'group'],
  ];

  test('each row has its faults, in both modes, and the others are applied', async () => {
    for (const mode of ['validate', 'apply']) {
      const run = await importCsv(app, tenant.liveKey, FAULTY, { mode });
      expect(run.errors.map(({ rowNumber, faults }) => [rowNumber, ...faults.map(({ field }) => field)])).toEqual(EXPECTED);
      expect(run).toMatchObject({ status: 'completed', appliedCount: 3, failedCount: 7 });
    }
    const { body } = await client.get(`${USERS}?limit=100`);
    const rows = body.data as { email: string; group: string; joined_at: string; created_at: string }[];
    expect(rows.map((row) => [row.email, row.group, row.joined_at === row.created_at ? null : row.joined_at])).toEqual([
      ['one@old.example', 'vip', LONG_AGO],
      ['two@old.example', 'default', null],
      ['three@old.example', 'default', '2020-02-29T00:00:00.000Z'],
    ]);
    expect(await groupsOf(client, body.data[0])).toEqual([['vip', null, null]]);
  });

  test('brings more than a thousand into a group, which are counted to a thousand when it is archived', async () => {
    const rows = Array.from({ length: 1_001 }, (_none, n) => `m-${n}@many.example,vip`);
    expect((await importCsv(app, tenant.liveKey, ['email,group', ...rows].join('\n'))).appliedCount).toBe(1_001);
    expect((await client.delete(`${GROUPS}/vip`)).body.details).toEqual({ members: 1_000, planIds: [] });
  });

  test('rows name no group of another environment', async () => {
    const run = await importCsv(app, tenant.sandboxKey, 'email,group\nann@old.example,vip\n');
    expect(run.errors).toMatchObject([{ rowNumber: 2, faults: [{ field: 'group' }] }]);
  });

  test('the column group needs groups:write, in both modes, also where it is empty; joined_at does not', async () => {
    const weak = await keyWith('imports:write', 'imports:read', 'users:write');
    const able = await keyWith('imports:write', 'imports:read', 'users:write', 'groups:write');
    for (const mode of ['validate', 'apply']) {
      for (const cell of ['vip', 'default', '']) {
        const sent = await sendCsv(app, weak, `email,group\nann@old.example,${cell}\n`, { mode });
        expect([sent.status, sent.body['code']]).toEqual([403, 'FORBIDDEN']);
        expect(sent.body['error']).toContain('groups:write');
      }
    }
    expect((await client.get('/api/v1/imports')).body.data).toEqual([]);
    const dated = await importCsv(app, weak, `email,joined_at\nann@old.example,${LONG_AGO}\n`);
    expect(dated).toMatchObject({ appliedCount: 1, errors: [] });
    const grouped = await importCsv(app, able, 'email,group\nbob@old.example,vip\n');
    expect(grouped).toMatchObject({ appliedCount: 1, errors: [] });
    expect(await emailsOf('group=vip')).toEqual(['bob@old.example']);
  });

  test('a group that is archived while the file waits is a fault of its row', async () => {
    const sent = await sendCsv(app, tenant.liveKey, 'email,group\nann@old.example,vip\nbob@old.example,gold\n');
    expect(sent.status).toBe(201);
    expect((await client.delete(`${GROUPS}/vip`)).status).toBe(200);
    await importCsv(app, tenant.liveKey, 'email\nkim@old.example\n');
    expect((await client.get(`/api/v1/imports/${String(sent.body['id'])}/errors`)).body.data).toMatchObject([
      { rowNumber: 2, faults: [{ field: 'group' }] },
    ]);
    expect(await emailsOf('group=gold')).toEqual(['bob@old.example']);
  });
});
