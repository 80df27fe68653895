/** Changes of keys at once come out as one after the other: docs/specification/identity.md#keys-of-a-tenant. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

const PATH = '/api/v1/admin/api-keys';
const TIMES = 12;

let app: TestApp;
let tenant: TestTenant;
let live: ApiClient;
let outside: pg.Client;

beforeAll(async () => {
  app = await startTestApp();
  const connectionString = Object.assign(new URL(inject('cluster').superuserUrl), { pathname: `/${app.database.name}` }).href;
  outside = new pg.Client({ connectionString });
  await outside.connect();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  live = apiClient(app, tenant.liveKey);
});
afterAll(async () => {
  await outside.end();
  await app.close();
});

interface Made {
  id: string;
  apiKey: string;
}

async function create(fields: object): Promise<Made> {
  const answer = await live.post(PATH, fields);
  expect(answer.status, answer.text).toBe(201);
  return answer.body as Made;
}

const roll = (id: string, client = live) => client.post(`${PATH}/${id}/roll`, { overlapSeconds: 0 });
const successorsOf = (id: string) =>
  app.database.asSuperuser<{ id: string }>('select id from api_key where replaces_key_id = $1', [id]);
const actsOn = async (id: string) =>
  (await app.database.asSuperuser<{ action: string }>('select action from audit_log where object_id = $1 order by id', [id])).map(
    ({ action }) => action.replace('api_key.', ''),
  );

/** Runs what is given while a change of somebody else's to the key is not yet committed, and commits once all wait for it. */
async function beside<Result>(
  change: string,
  values: unknown[],
  calls: (() => Promise<Result>)[],
  { meanwhile }: { meanwhile?: () => Promise<void> } = {},
): Promise<Result[]> {
  await outside.query('begin');
  try {
    await outside.query(change, values);
    const answers: Promise<Result>[] = [];
    for (const [index, start] of calls.entries()) {
      answers.push(start());
      await untilWaiting(index + 1);
    }
    await meanwhile?.();
    await outside.query('commit');
    return await Promise.all(answers);
  } catch (error) {
    await outside.query('rollback');
    throw error;
  }
}

async function untilWaiting(count: number): Promise<void> {
  for (;;) {
    const waiting = await app.database.asSuperuser(
      "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
    if (waiting.length >= count) return;
  }
}

test('of two rolls without an overlap the one that began first and came second finds the key expired', async () => {
  const early = await create({ preset: 'full' });
  const { id } = await create({ scopes: ['users:read'] });
  const [late] = await beside(
    'select from api_key where id = $1 for update',
    [early.id],
    [() => roll(id, apiClient(app, early.apiKey))],
    {
      meanwhile: async () => expect((await roll(id)).status).toBe(201),
    },
  );
  expectRefusal(late as never, 409, 'STATE_CONFLICT');
  expect(await successorsOf(id)).toHaveLength(1);
  expect(await actsOn(id)).toEqual(['created', 'rolled']);
});

test('rolls without an overlap at once, time and again: one makes the successor', async () => {
  for (let time = 0; time < TIMES; time++) {
    const { id } = await create({ scopes: ['users:read'] });
    const answers = await Promise.all([roll(id), roll(id), roll(id)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    expect(await successorsOf(id)).toHaveLength(1);
  }
});

test('a roll that comes behind a revocation makes no successor', async () => {
  const { id } = await create({ scopes: ['users:read'] });
  const [answer] = await beside('update api_key set revoked_at = now() where id = $1', [id], [() => roll(id)]);
  expectRefusal(answer as never, 409, 'STATE_CONFLICT');
  expect(await successorsOf(id)).toEqual([]);
});

test('a roll beside a revocation, time and again: either the successor came first, or there is none', async () => {
  for (let time = 0; time < TIMES; time++) {
    const { id } = await create({ scopes: ['users:read'] });
    const calls = [() => roll(id), () => live.delete(`${PATH}/${id}`)];
    const begun = (time % 2 === 0 ? calls : calls.toReversed()).map((start) => start());
    const answers = await Promise.all(begun);
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    const acts = await actsOn(id);
    if (statuses.includes(201))
      expect([statuses, acts]).toEqual([
        [200, 201],
        ['created', 'rolled', 'revoked'],
      ]);
    else
      expect([statuses, acts]).toEqual([
        [200, 409],
        ['created', 'revoked'],
      ]);
    expect(await successorsOf(id)).toHaveLength(statuses.includes(201) ? 1 : 0);
    expect(await app.database.asSuperuser('select 1 from api_key where id = $1 and revoked_at is null', [id])).toEqual([]);
  }
});

test('a key that is revoked while it makes, rolls or changes another leaves nothing behind', async () => {
  const target = await create({ scopes: ['users:read'] });
  const acts: ((client: ApiClient, ownId: string) => ReturnType<ApiClient['get']>)[] = [
    (client) => client.post(PATH, { scopes: ['users:read'] }),
    (client) => roll(target.id, client),
    (client, ownId) => roll(ownId, client),
    (client) => client.patch(`${PATH}/${target.id}`, { name: 'Taken' }),
    (client) => client.delete(`${PATH}/${target.id}`),
  ];
  for (const act of acts) {
    const { id, apiKey } = await create({ scopes: ['admin:keys', 'users:read'] });
    const client = apiClient(app, apiKey);
    expect((await client.get(PATH)).status).toBe(200);
    const keys = () =>
      app.database.asSuperuser(
        'select id, name, revoked_at, expires_at from api_key where tenant_id = $1 and id <> $2 order by id',
        [tenant.tenantId, id],
      );
    const before = await keys();
    const change = 'update api_key set revoked_at = now() where id = $1';
    const [answer] = await beside(change, [id], [() => act(client, id)]);
    expectRefusal(answer as never, 401, 'INVALID_API_KEY');
    expect(await keys()).toEqual(before);
  }
});

test('a key that is narrowed while it makes another gives what it still has', async () => {
  const { id, apiKey } = await create({ scopes: ['admin:keys', 'users:read', 'users:write'] });
  const client = apiClient(app, apiKey);
  expect((await client.get(PATH)).status).toBe(200);
  const change = "update api_key set scopes = '{admin:keys,users:read}' where id = $1";
  const [answer] = await beside(change, [id], [() => client.post(PATH, { scopes: ['users:read', 'users:write'] })]);
  expectRefusal(answer as never, 403, 'FORBIDDEN');
});

test('two keys that revoke each other: one is left', async () => {
  for (let time = 0; time < TIMES; time++) {
    const [one, two] = await Promise.all([create({ preset: 'full' }), create({ preset: 'full' })]);
    const answers = await Promise.all([
      apiClient(app, one.apiKey).delete(`${PATH}/${two.id}`),
      apiClient(app, two.apiKey).delete(`${PATH}/${one.id}`),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    const left = await app.database.asSuperuser('select 1 from api_key where id = any($1) and revoked_at is null', [
      [one.id, two.id],
    ]);
    expect(left).toHaveLength(1);
  }
});
