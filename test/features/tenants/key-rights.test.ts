/** No key makes, changes, rolls or stops one that can do more than itself: docs/specification/identity.md#keys-of-a-tenant. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { house } from '../../../src/features.ts';
import { scopesOf } from '../../../src/house/house.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

const PATH = '/api/v1/admin/api-keys';
const ALL = scopesOf(house);

let app: TestApp;
let tenant: TestTenant;
let live: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  live = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

interface Made {
  id: string;
  apiKey: string;
  scopes: string[];
}

async function create(fields: object, client = live): Promise<Made> {
  const answer = await client.post(PATH, fields);
  expect(answer.status, answer.text).toBe(201);
  return answer.body as Made;
}

const clientWith = async (...scopes: string[]): Promise<ApiClient> => apiClient(app, (await create({ scopes })).apiKey);

const snapshot = () =>
  app.database.asSuperuser(
    'select id, name, scopes, allowed_ips, disabled_at, revoked_at, expires_at from api_key where tenant_id = $1 order by id',
    [tenant.tenantId],
  );

const entriesOf = (id: string) =>
  app.database.asSuperuser<{ action: string; details: unknown }>(
    "select action, details from audit_log where tenant_id = $1 and object_id = $2 and action <> 'api_key.created' order by id",
    [tenant.tenantId, id],
  );

describe('presets', () => {
  test('backend is the default: nothing that looks after the tenant or cannot be taken back', async () => {
    const { scopes } = await create({});
    expect((await create({ preset: 'backend' })).scopes).toEqual(scopes);
    const left = ALL.filter((scope) => !scopes.includes(scope));
    expect(left.filter((scope) => !scope.startsWith('admin:')).toSorted()).toEqual([
      'commissions:grant',
      'identity:read',
      'members:erase',
      'members:export',
      'payouts:approve',
      'payouts:execute',
      'rates:write',
    ]);
    expect(left).toEqual(expect.arrayContaining(['admin:keys', 'admin:settings', 'admin:audit', 'admin:kyc', 'admin:rates']));
    expect(scopes).toEqual(expect.arrayContaining(['users:write', 'events:write', 'payouts:write', 'auth:tokens']));
  });

  test('reporting reads, and nothing of an ID number; full is all', async () => {
    const { scopes } = await create({ preset: 'reporting' });
    expect(scopes).toEqual(
      ALL.filter((scope) => (scope.endsWith(':read') && scope !== 'identity:read') || scope === 'exports:write'),
    );
    expect((await create({ preset: 'full' })).scopes).toEqual(['*']);
  });

  test('by default it is cut to what the caller has; with nothing left no key is made', async () => {
    const narrow = await clientWith('admin:keys', 'payouts:execute', 'users:read');
    expect((await create({}, narrow)).scopes).toEqual(['users:read']);
    const empty = await clientWith('admin:keys', 'payouts:execute');
    const before = await snapshot();
    expectRefusal(await empty.post(PATH, {}), 403, 'FORBIDDEN');
    expect(await snapshot()).toEqual(before);
  });

  test('one that is named is not cut: what is missing is said', async () => {
    const narrow = await clientWith('admin:keys', ...ALL.filter((scope) => scope.endsWith(':read') && scope !== 'ledger:read'));
    const reporting = await narrow.post(PATH, { preset: 'reporting' });
    expectRefusal(reporting, 403, 'FORBIDDEN');
    expect(reporting.body.error).toContain('lacks the scopes ledger:read, exports:write,');
    expectRefusal(await narrow.post(PATH, { preset: 'full' }), 403, 'FORBIDDEN');
    expectRefusal(await narrow.post(PATH, { preset: 'backend' }), 403, 'FORBIDDEN');
  });
});

describe('a key that can do more', () => {
  const ACTS: [string, (client: ApiClient, id: string) => Promise<{ status: number }>][] = [
    ['revoked', (client, id) => client.delete(`${PATH}/${id}`)],
    ['rolled', (client, id) => client.post(`${PATH}/${id}/roll`, { overlapSeconds: 0 })],
    ['renamed', (client, id) => client.patch(`${PATH}/${id}`, { name: 'Mine' })],
    ['disabled', (client, id) => client.patch(`${PATH}/${id}`, { disabled: true })],
    ['narrowed', (client, id) => client.patch(`${PATH}/${id}`, { scopes: ['users:read'] })],
    ['bound', (client, id) => client.patch(`${PATH}/${id}`, { allowedIps: ['192.0.2.1'] })],
  ];

  test.each(ACTS)('is not %s, and by one with its rights it is', async (_act, act) => {
    const weak = await clientWith('admin:keys', 'users:read');
    const able = await clientWith('admin:keys', 'users:read', 'users:write');
    const targets = { more: await create({ scopes: ['users:read', 'users:write'] }), all: await create({ preset: 'full' }) };
    const listed = await clientWith(...ALL);
    const before = await snapshot();
    const answer = await act(weak, targets.more.id);
    expectRefusal(answer as never, 403, 'FORBIDDEN');
    expect((answer as { body?: { error?: string } }).body?.error).toContain('lacks the scope users:write,');
    expectRefusal((await act(weak, targets.all.id)) as never, 403, 'FORBIDDEN');
    // Every scope there is by its name is not `*`, which has those of tomorrow.
    expectRefusal((await act(listed, targets.all.id)) as never, 403, 'FORBIDDEN');
    expect(await snapshot()).toEqual(before);
    expect(await entriesOf(targets.more.id)).toEqual([]);
    expect((await act(able, targets.more.id)).status).toBeLessThan(300);
    expect((await act(live, targets.all.id)).status).toBeLessThan(300);
    expect(await entriesOf(targets.more.id)).toHaveLength(1);
  });

  test('of the other environment or another tenant is not found, whatever it can do', async () => {
    const weak = await clientWith('admin:keys');
    const other = await app.newTenant();
    const foreign = [
      await create({ preset: 'full' }, apiClient(app, tenant.sandboxKey)),
      await create({ preset: 'full' }, apiClient(app, other.liveKey)),
    ];
    for (const [, act] of ACTS) {
      for (const { id } of foreign) expectRefusal((await act(weak, id)) as never, 404, 'NOT_FOUND');
    }
  });
});

describe('changing', () => {
  const change = (id: string, body: object, client = live) => client.patch(`${PATH}/${id}`, body);

  test('sets what is sent, keeps the rest, and is recorded by the names of the fields', async () => {
    const { id } = await create({ name: 'Shop', scopes: ['users:read', 'users:write'], rateLimit: 9 });
    const first = await change(id, {
      name: null,
      scopes: ['users:write', 'events:read'],
      allowedIps: ['10.1.2.3/8', '10.0.0.0/8'],
    });
    expect(first.status, first.text).toBe(200);
    expect(first.body).toMatchObject({
      name: null,
      scopes: ['users:write', 'events:read'],
      allowedIps: ['10.0.0.0/8'],
      rateLimit: 9,
      status: 'active',
    });
    expect((await change(id, { allowedIps: null })).body).toMatchObject({
      allowedIps: null,
      scopes: ['users:write', 'events:read'],
    });
    expect((await entriesOf(id)).map(({ details }) => details)).toEqual([
      {
        fields: ['name', 'scopes', 'allowedIps'],
        scopes: { before: ['users:read', 'users:write'], after: ['users:write', 'events:read'] },
      },
      { fields: ['allowedIps'] },
    ]);
  });

  test('to what it is changes and records nothing', async () => {
    const { id } = await create({ name: 'Shop', scopes: ['users:read', 'users:write'] });
    const before = await snapshot();
    const answer = await change(id, { name: 'Shop', scopes: ['users:write', 'users:read'], disabled: false, allowedIps: null });
    expect([answer.status, answer.body.scopes]).toEqual([200, ['users:read', 'users:write']]);
    expect([await snapshot(), await entriesOf(id)]).toEqual([before, []]);
  });

  test('grants nothing beyond the caller: the missing scopes are named', async () => {
    const { id } = await create({ scopes: ['users:read'] });
    const weak = await clientWith('admin:keys', 'users:read', 'events:read');
    const before = await snapshot();
    const beyond = await change(id, { scopes: ['users:read', 'users:write', 'events:read'] }, weak);
    expectRefusal(beyond, 403, 'FORBIDDEN');
    expect(beyond.body.error).toContain('lacks the scope users:write,');
    expectRefusal(await change(id, { scopes: ['*'] }, weak), 403, 'FORBIDDEN');
    expect(await snapshot()).toEqual(before);
    expect((await change(id, { scopes: ['users:read', 'events:read'] }, weak)).status).toBe(200);
  });

  test('a disabled key works again once it is enabled, unless the operator has disabled it', async () => {
    const { id, apiKey } = await create({ scopes: ['users:read'] });
    expect((await change(id, { disabled: true })).body).toMatchObject({ status: 'disabled', disabledAt: expect.any(String) });
    expectRefusal(await live.post(`${PATH}/${id}/roll`, {}), 409, 'STATE_CONFLICT');
    expect((await change(id, { disabled: false })).body).toMatchObject({ status: 'active', disabledAt: null });
    expect((await apiClient(app, apiKey).get('/api/v1/users')).status).toBe(200);
    await change(id, { disabled: true });
    await app.tenants.stopKey(id, 'disable');
    expectRefusal(await change(id, { disabled: false }), 409, 'STATE_CONFLICT');
    // Who disabled a key of before is not written down, and was an operator.
    const old = await create({ scopes: ['users:read'] });
    await app.database.asSuperuser('update api_key set disabled_at = now() where id = $1', [old.id]);
    expectRefusal(await change(old.id, { disabled: false }), 409, 'STATE_CONFLICT');
    expect((await change(old.id, { name: 'Still disabled' })).body.status).toBe('disabled');
  });

  test('no key disables itself or shuts out its own address, and a revoked one is left as it is', async () => {
    const { id, apiKey } = await create({ preset: 'full' });
    const own = apiClient(app, apiKey);
    expectRefusal(await change(id, { disabled: true }, own), 409, 'STATE_CONFLICT');
    expectRefusal(await change(id, { allowedIps: ['192.0.2.1'] }, own), 409, 'STATE_CONFLICT');
    expect((await change(id, { allowedIps: ['192.0.2.1', '127.0.0.0/8'] }, own)).status).toBe(200);
    await live.delete(`${PATH}/${id}`);
    expectRefusal(await change(id, { name: 'Late' }), 409, 'STATE_CONFLICT');
  });

  test('refuses what is no change, naming the field', async () => {
    const { id } = await create({});
    const cases: [object, string][] = [
      [{}, 'body'],
      [{ scopes: [] }, 'scopes'],
      [{ scopes: null }, 'scopes'],
      [{ scopes: ['admin:staff'] }, 'scopes[0]'],
      [{ allowedIps: ['10.0.0.0/8', 'x'] }, 'allowedIps[1]'],
      [{ disabled: null }, 'disabled'],
      [{ name: 'Shop', rateLimit: 5 }, 'rateLimit'],
      [{ name: 'Shop', expiresAt: null }, 'expiresAt'],
    ];
    for (const [body, field] of cases) expectRefusal(await change(id, body), 400, 'VALIDATION_ERROR', [field]);
  });

  test('holds at once for what a key does with other keys', async () => {
    const { id, apiKey } = await create({ scopes: ['admin:keys', 'users:read', 'users:write'] });
    const own = apiClient(app, apiKey);
    expect((await own.get(PATH)).status).toBe(200); // now it is remembered with all three
    expect((await change(id, { scopes: ['admin:keys', 'users:read'] })).status).toBe(200);
    expectRefusal(await own.post(PATH, { scopes: ['users:write'] }), 403, 'FORBIDDEN');
    expect((await change(id, { disabled: true })).status).toBe(200);
    expectRefusal(await own.post(PATH, { scopes: ['users:read'] }), 401, 'INVALID_API_KEY');
  });
});

test('`*` does not stand for the rights over people, and no key is given them', async () => {
  expectRefusal(await live.post(PATH, { scopes: ['admin:staff'] }), 400, 'VALIDATION_ERROR', ['scopes[0]']);
  const { holdsRight } = await import('../../../src/http/rights.ts');
  expect([holdsRight({ rights: ['*'] }, 'admin:keys'), holdsRight({ rights: ['*'] }, 'admin:staff')]).toEqual([true, false]);
});
