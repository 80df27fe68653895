/** Filters of pages under a name: whose they are, who sees them, and what an erasure takes with it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  deleteSavedView,
  listSavedViews,
  type SavedViewAnswer,
  saveView,
} from '../../../src/features/saved-views/saved-views-operations.ts';
import { MOST_VIEWS } from '../../../src/features/saved-views/saved-views-service.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { invokeAs, plantSignedIn } from '../../support/app/test-people.ts';
import { plantSession } from '../../support/identity/sessions.ts';

const VIEWS = '/api/v1/admin/saved-views';

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

const held = { name: 'Held', page: '/commissions', query: { status: 'held', sort: '-amount' } };

async function save(as: ApiClient, fields: object = {}): Promise<SavedViewAnswer> {
  const answer = await as.post(VIEWS, { ...held, ...fields });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as SavedViewAnswer;
}

async function namesOf(as: ApiClient, query = ''): Promise<string[]> {
  const answer = await as.get(`${VIEWS}${query}`);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body.data as SavedViewAnswer[]).map(({ name }) => name);
}

async function keyWith(scopes: string[], environment: 'LIVE' | 'SANDBOX' = 'LIVE'): Promise<ApiClient> {
  const { apiKey } = await app.tenants.createKey({ tenantId: tenant.tenantId, environment, scopes });
  return apiClient(app, apiKey);
}

describe('a view', () => {
  test('is kept as it was saved, with who saved it, and replaced under its name', async () => {
    const first = await save(client);
    expect(first).toMatchObject({ ...held, shared: false, own: true, createdBy: { kind: 'api_key' } });
    const second = await save(client, { query: { status: 'cleared' }, shared: true });
    expect(second).toMatchObject({ id: first.id, createdAt: first.createdAt, shared: true, query: { status: 'cleared' } });
    expect((await client.get(VIEWS)).body.data).toEqual([second]);
    await save(client, { page: '/members' });
    await save(client, { name: 'held' });
    expect(await namesOf(client)).toEqual(['Held', 'held', 'Held']);
    expect(await namesOf(client, '?page=/members')).toEqual(['Held']);
    expect(await namesOf(client, '?page=/sales')).toEqual([]);
  });

  test('keeps texts of any script as they are', async () => {
    const query = { name: `Ада "Lovelace" <script> \\ %_ '; drop table member; --` };
    expect((await save(client, { name: '待審 <b>', query })).query).toEqual(query);
    expect((await client.get(VIEWS)).body.data).toMatchObject([{ name: '待審 <b>', query }]);
  });

  test.each<[string, object, string]>([
    ['no path', { page: 'members' }, 'page'],
    ['another host', { page: '//evil.example' }, 'page'],
    ['a path that climbs', { page: '/members/../keys?x=1' }, 'page'],
    ['a query within the path', { page: '/members?q=1' }, 'page'],
    ['an empty name', { name: ' ' }, 'name'],
    ['a value that is no text', { query: { a: 1 } }, 'query.a'],
    ['a place in a list', { query: { cursor: 'x' } }, 'query'],
    ['too much', { query: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`a${i}`, 'x'])) }, 'query'],
  ])('of %s is refused', async (_what, fields, field) => {
    expectRefusal(await client.post(VIEWS, { ...held, ...fields }), 400, 'VALIDATION_ERROR', [field]);
  });

  test(`is refused beyond ${MOST_VIEWS} of one's own, and one of them can still be changed`, async () => {
    await app.database.asSuperuser(
      `insert into saved_view (tenant_id, environment, owner, name, page, query, shared, created_by)
       select v.tenant_id, v.environment, v.owner, 'n' || n, v.page, v.query, false, v.created_by
       from saved_view v cross join generate_series(1, $2) n where v.id = $1`,
      [(await save(client)).id, MOST_VIEWS - 1],
    );
    expectRefusal(await client.post(VIEWS, { ...held, name: 'more' }), 422, 'LIMIT_REACHED');
    await save(client, { query: { status: 'paid' } });
    const other = await keyWith(['members:read']);
    await save(other);
  });

  test('saved twice at once is there once', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await save(client)).id));
    expect(new Set(ids).size).toBe(1);
    expect(await namesOf(client)).toEqual(['Held']);
  });
});

describe('whose it is', () => {
  test("another owner's is not seen, unless it is shared", async () => {
    const other = await keyWith(['members:read']);
    const mine = await save(client);
    expect(await namesOf(other)).toEqual([]);
    expectRefusal(await other.delete(`${VIEWS}/${mine.id}`), 404, 'NOT_FOUND');
    await save(client, { shared: true });
    expect((await other.get(VIEWS)).body.data).toMatchObject([{ id: mine.id, own: false, shared: true }]);
    expectRefusal(await other.delete(`${VIEWS}/${mine.id}`), 404, 'NOT_FOUND');
    await save(other);
    expect(await namesOf(other)).toEqual(['Held', 'Held']);
  });

  test('a shared one goes by whoever may change the settings, one of its own by its owner', async () => {
    const other = await keyWith(['admin:settings']);
    const shared = await save(client, { shared: true });
    const own = await save(client, { name: 'mine' });
    expectRefusal(await other.delete(`${VIEWS}/${own.id}`), 404, 'NOT_FOUND');
    for (const [as, { id }] of [
      [other, shared],
      [client, own],
    ] as const) {
      expect((await as.delete(`${VIEWS}/${id}`)).body).toEqual({ id, deleted: true });
      expectRefusal(await as.delete(`${VIEWS}/${id}`), 404, 'NOT_FOUND');
    }
    const actions = await app.database.asSuperuser<{ action: string; object_id: string; details: object }>(
      `select action, object_id, details from audit_log where tenant_id = $1 and object_kind = 'saved_view' order by id`,
      [tenant.tenantId],
    );
    expect(actions.map(({ action, object_id }) => [action, object_id])).toEqual([
      ['saved_view.saved', shared.id],
      ['saved_view.saved', own.id],
      ['saved_view.deleted', shared.id],
      ['saved_view.deleted', own.id],
    ]);
    expect(JSON.stringify(actions)).not.toContain('held');
  });

  test('each tenant and each environment has its own', async () => {
    const { id } = await save(client, { shared: true });
    const others = [apiClient(app, tenant.sandboxKey), apiClient(app, (await app.newTenant()).liveKey)];
    for (const other of others) {
      expect(await namesOf(other)).toEqual([]);
      expectRefusal(await other.delete(`${VIEWS}/${id}`), 404, 'NOT_FOUND');
    }
  });

  test('a key that was rolled goes on with those of the key before', async () => {
    await save(client);
    const rolled = await client.get('/api/v1/admin/api-keys');
    const [own] = rolled.body.data;
    const answer = await client.post(`/api/v1/admin/api-keys/${own.id}/roll`, {});
    expect(answer.status, answer.text).toBe(201);
    expect(await namesOf(apiClient(app, answer.body.apiKey))).toEqual(['Held']);
  });

  test('people of any role have their own, and see what is shared', async () => {
    const reader = await plantSignedIn(app, tenant.tenantId, { role: 'read-only' });
    const owner = await plantSignedIn(app, tenant.tenantId);
    const mine = await invokeAs(app, reader, saveView, { body: held });
    expect(mine.body).toMatchObject({ own: true, createdBy: { kind: 'staff' } });
    expect((await invokeAs(app, owner, listSavedViews, {})).body?.data).toEqual([]);
    await invokeAs(app, reader, saveView, { body: { ...held, shared: true } });
    expect((await invokeAs(app, owner, listSavedViews, {})).body?.data).toMatchObject([{ id: mine.body?.id, own: false }]);
    await invokeAs(app, owner, deleteSavedView, { params: { viewId: mine.body?.id ?? '' } });
    expect((await invokeAs(app, reader, listSavedViews, {})).body?.data).toEqual([]);
  });

  test('a member has none', async () => {
    const member = await client.newMember();
    const { accessToken } = await plantSession(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, member.id);
    const headers = { authorization: `Bearer ${accessToken}` };
    expectRefusal(await client.get(VIEWS, headers), 403, 'FORBIDDEN');
    expectRefusal(await client.post(VIEWS, held, headers), 403, 'FORBIDDEN');
  });
});

test('what names a member goes with it, and nothing else does', async () => {
  const email = `Ada.${randomUUID()}@shop.example`;
  const ada = await client.newMember({ name: 'Ada Lovelace', email, external_id: 'crm-7' });
  const naming: object[] = [
    { name: 'About ada LOVELACE' },
    { name: 'by email', query: { q: email.toUpperCase() } },
    { name: 'by a part', query: { name: 'Lovel' } },
    { name: 'by id', page: `/members/${ada.id}` },
    { name: 'by id in a filter', query: { userId: ada.id } },
    { name: 'by its id elsewhere', query: { externalId: 'CRM-7' } },
  ];
  const others: object[] = [
    { name: 'another id', query: { externalId: 'crm-77' } },
    { name: 'held' },
    { name: 'of two letters', query: { q: 'ad' } },
  ];
  for (const fields of [...naming, ...others]) await save(client, fields);
  const elsewhere = apiClient(app, (await app.newTenant()).liveKey);
  await save(elsewhere, { name: 'Ada Lovelace' });
  const answer = await client.post(`/api/v1/members/${ada.id}/erasure`, { reason: 'Asked for', acknowledgeOwed: true });
  expect(answer.status, answer.text).toBe(200);
  expect((await namesOf(client)).toSorted()).toEqual(['another id', 'held', 'of two letters']);
  expect(await namesOf(elsewhere)).toEqual(['Ada Lovelace']);
});
