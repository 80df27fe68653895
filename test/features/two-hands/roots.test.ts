/** In whose hands a key is: docs/specification/two-hands.md#roots. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Environment } from '../../../src/db/scope.ts';
import { insertApiKey } from '../../../src/features/tenants/api-keys-queries.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { runCli } from '../../support/app/run-cli.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

const PATH = '/api/v1/admin/api-keys';

let app: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  tenant = await app.newTenant();
});

interface Key {
  keyId: string;
  client: ApiClient;
}

/** A root: a key as the operator's command makes it. */
async function root(name: string, environment: Environment = 'LIVE'): Promise<Key> {
  const { keyId, apiKey } = await app.tenants.createKey({ tenantId: tenant.tenantId, environment, name });
  return { keyId, client: apiClient(app, apiKey) };
}

async function made(answer: Promise<{ status: number; text: string; body: { id: string; apiKey: string } }>): Promise<Key> {
  const { status, text, body } = await answer;
  expect(status, text).toBe(201);
  return { keyId: body.id, client: apiClient(app, body.apiKey) };
}

const create = ({ client }: Key, fields: object = {}) => made(client.post(PATH, { preset: 'full', ...fields }));
const roll = (by: Key, { keyId }: Key) => made(by.client.post(`${PATH}/${keyId}/roll`, { overlapSeconds: 3600 }));

async function rootOf({ keyId }: Key): Promise<string | undefined> {
  const [row] = await app.database.asSuperuser<{ root: string }>('select root from api_key where id = $1', [keyId]);
  return row?.root;
}

const own = ({ keyId }: Key) => `api_key:${keyId}`;

test('a key of the operator is a root; what it makes, and what that makes, and what rolls itself, is of that root', async () => {
  const [one, other] = [await root('One'), await root('Other')];
  expect([await rootOf(one), await rootOf(other)]).toEqual([own(one), own(other)]);
  const child = await create(one, { name: 'child' });
  const grandchild = await create(child);
  const rolled = await roll(grandchild, grandchild);
  for (const key of [child, grandchild, rolled]) expect(await rootOf(key)).toBe(own(one));
});

test('the resource names the root in every answer, and so does the command', async () => {
  const one = await root('Head office');
  const answer = await one.client.post(PATH, { preset: 'backend' });
  const shown = { kind: 'api_key', id: one.keyId, name: 'Head office' };
  expect(answer.body.root).toEqual(shown);
  expect((await one.client.patch(`${PATH}/${answer.body.id}`, { name: 'Shop' })).body.root).toEqual(shown);
  const listed = await one.client.get(PATH);
  const roots = Object.fromEntries(listed.body.data.map((key: { id: string; root: object }) => [key.id, key.root]));
  expect(roots).toMatchObject({ [one.keyId]: shown, [answer.body.id]: shown });
  const { stdout } = await runCli(app, 'key', 'list', '--tenant', tenant.tenantId, '--json');
  const rows = JSON.parse(stdout) as { keyId: string; root: string }[];
  expect(rows.find(({ keyId }) => keyId === answer.body.id)?.root).toBe(own(one));
});

test('the keys of a person are of that person, whatever environment they are of, and so are those that they make', async () => {
  const { pepper: _, ...scope } = { pepper: null, tenantId: tenant.tenantId, environment: 'LIVE' as const };
  const staff = `staff:${randomUUID()}`;
  const insert = (createdBy: string) =>
    app.composition.frames.write(scope, (db) =>
      insertApiKey(db, scope, {
        hash: createHash('sha256').update(randomUUID()).digest(),
        lastFour: 'abcd',
        name: null,
        scopes: ['*'],
        rateLimit: null,
        expiresAt: null,
        replacesKeyId: null,
        familyId: null,
        allowedIps: null,
        createdBy,
      }),
    );
  const first = await insert(staff);
  expect(first?.root).toEqual({ kind: 'staff', id: staff.slice(6), name: null });
  const second = await insert(`api_key:${first?.id}`);
  expect(second?.root).toEqual(first?.root);
  // Of a maker that there is not, nobody else can be: all that it is said to have made are one pair of hands.
  const unknown = `api_key:${randomUUID()}`;
  expect(await rootOf({ keyId: (await insert(unknown))?.id ?? '' } as Key)).toBe(unknown);
});

test('a key of the other environment or of another tenant is nobody’s maker', async () => {
  const sandbox = await root('Sandbox', 'SANDBOX');
  const child = await create(sandbox);
  expect(await rootOf(child)).toBe(own(sandbox));
  const [row] = await app.database.asSuperuser<{ root: string }>(
    `insert into api_key (tenant_id, environment, hash, last_four, scopes, created_by)
     select tenant_id, 'LIVE', sha256('x' || id::text::bytea), 'abcd', '{*}', 'api_key:' || id from api_key where id = $1 returning root`,
    [sandbox.keyId],
  );
  expect(row?.root).toBe(own(sandbox));
});

describe('ways to put a key into other hands', () => {
  let one: Key;
  let other: Key;

  beforeEach(async () => {
    [one, other] = [await root('One'), await root('Other')];
  });

  test('who rolls the key of another root has a key of its own root: the answer showed it the secret', async () => {
    const rolled = await roll(one, other);
    expect(await rootOf(rolled)).toBe(own(one));
    // The family, by which answers are repeated, stays; so does the old key, in the hands it was in.
    expect(await rootOf(other)).toBe(own(other));
    expect(await rootOf(await roll(rolled, rolled))).toBe(own(one));
    expect(await rootOf(await create(other))).toBe(own(other));
  });

  test('whatever is changed of a key, its root is not: nobody has seen its secret', async () => {
    const narrow = await create(other, { preset: 'reporting' });
    for (const change of [
      { scopes: ['payouts:approve'] },
      { allowedIps: ['127.0.0.1', '::1'] },
      { name: 'One' },
      { disabled: true },
      { disabled: false },
    ]) {
      const answer = await one.client.patch(`${PATH}/${narrow.keyId}`, change);
      expect(answer.status, answer.text).toBe(200);
      expect(await rootOf(narrow)).toBe(own(other));
    }
  });

  test('no request names a root', async () => {
    for (const field of ['root', 'createdBy', 'familyId']) {
      expect((await one.client.post(PATH, { [field]: own(other) })).status).toBe(400);
      expect((await one.client.patch(`${PATH}/${other.keyId}`, { [field]: own(one) })).status).toBe(400);
    }
    await expect(
      app.composition.frames.write({ tenantId: tenant.tenantId, environment: 'LIVE' }, (db) =>
        db.rows({ name: 'test_root', text: 'update api_key set root = root', values: [] } as never),
      ),
    ).rejects.toThrow();
  });

  test('a root that is revoked, disabled or expired stays the root of its keys', async () => {
    const child = await create(one);
    const keeper = await create(other);
    expect((await keeper.client.delete(`${PATH}/${one.keyId}`)).status).toBe(200);
    expect(await rootOf(await create(child))).toBe(own(one));
  });

  test('a key that is named like another root is not of it', async () => {
    const child = await create(one, { name: 'Other' });
    expect(await rootOf(child)).toBe(own(one));
  });
});
