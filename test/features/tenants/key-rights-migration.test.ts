/** Keys of before go on doing what they did: docs/specification/identity.md#split-scopes. */
import type { Knex } from 'knex';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { down, up } from '../../../migrations/20261130080000_key_rights.ts';
import { openOwnerKnex } from '../../../src/db/migrate.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';

let app: TestApp;
let knex: Knex;

beforeAll(async () => {
  app = await startTestApp({}, 'own');
  knex = openOwnerKnex(app.database.ownerUrl);
});
afterAll(async () => {
  await knex.destroy();
  await app.close();
});

/** What keys hold, by their names. */
async function held(): Promise<Record<string, string[]>> {
  const rows = await app.database.asSuperuser<{ name: string; scopes: string[] }>(
    'select name, scopes from api_key where name is not null order by id',
  );
  return Object.fromEntries(rows.map(({ name, scopes }) => [name, scopes]));
}

test('a key gains what was split from a wide scope that it holds, and never ID numbers', async () => {
  const { tenantId } = await app.newTenant();
  const other = await app.newTenant();
  const make = (name: string, scopes: string[], environment: 'LIVE' | 'SANDBOX' = 'LIVE', of = tenantId) =>
    app.tenants.createKey({ tenantId: of, environment, name, scopes });
  await make('all', ['*']);
  await make('payer', ['payouts:read', 'payouts:write']);
  await make('reader', ['members:read', 'payouts:read', 'events:read']);
  await make('shop', ['events:write', 'members:write', 'members:read', 'payouts:write'], 'SANDBOX', other.tenantId);
  const bound = await app.tenants.createKey({ tenantId, environment: 'LIVE', name: 'bound', allowedIps: ['127.0.0.1'] });
  await down(knex);
  // The release before takes no notice of addresses: better no key than one from anywhere.
  expect(
    await app.database.asSuperuser('select 1 from api_key where id = $1 and disabled_at is not null', [bound.keyId]),
  ).toHaveLength(1);
  await up(knex);
  const expected = {
    all: ['*'],
    payer: ['payouts:read', 'payouts:write', 'payouts:approve', 'payouts:execute'],
    reader: ['members:read', 'payouts:read', 'events:read', 'members:export'],
    shop: [
      'events:write',
      'members:write',
      'members:read',
      'payouts:write',
      'payouts:approve',
      'payouts:execute',
      'commissions:grant',
      'members:erase',
      'members:export',
    ],
    bound: ['*'],
  };
  expect(await held()).toEqual(expected);
  await down(knex);
  await up(knex);
  expect(await held()).toEqual(expected);
});
