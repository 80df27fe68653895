/** Keys of before get the root of whoever made them: docs/specification/two-hands.md#roots. */
import type { Knex } from 'knex';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as roots from '../../../migrations/20261201020000_key_roots.ts';
import * as validated from '../../../migrations/20261201020100_validate_key_roots.ts';
import * as hands from '../../../migrations/20261201020200_run_hands.ts';
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

/** A key as a release before left it. */
interface Before {
  name: string;
  /** The name of the key that made it, or another actor; null: of before that was kept. */
  createdBy?: string | null;
  /** By the name of the key that did it, as the audit log says. */
  logged?: ['api_key.created' | 'api_key.rolled', by: string];
  replaces?: string;
  environment?: 'LIVE' | 'SANDBOX';
}

const KEYS: Before[] = [
  { name: 'first', createdBy: 'operator' },
  { name: 'second', createdBy: null },
  // By the column, over three makers.
  { name: 'child', createdBy: 'first' },
  { name: 'grandchild', createdBy: 'child' },
  { name: 'great-grandchild', createdBy: 'grandchild' },
  // By the audit log.
  { name: 'logged', logged: ['api_key.created', 'second'] },
  { name: 'logged-child', logged: ['api_key.created', 'logged'] },
  { name: 'rolled-itself', logged: ['api_key.rolled', 'logged'], replaces: 'logged' },
  // The other's key, rolled: the hands are those of who rolled it.
  { name: 'rolled-by-first', logged: ['api_key.rolled', 'first'], replaces: 'logged-child' },
  { name: 'mixed', createdBy: 'rolled-by-first' },
  // Nothing tells of it.
  { name: 'unlogged', createdBy: null },
  { name: 'unlogged-roll', createdBy: null, replaces: 'grandchild' },
  { name: 'of-a-person', createdBy: 'staff:somebody' },
  { name: 'of-a-persons-key', createdBy: 'of-a-person' },
  { name: 'of-nobody', createdBy: 'api_key:01890000-0000-7000-8000-000000000000' },
  { name: 'sandbox', createdBy: 'operator', environment: 'SANDBOX' },
  { name: 'sandbox-child', createdBy: 'sandbox', environment: 'SANDBOX' },
  // Nothing crosses the wall.
  { name: 'across', createdBy: 'sandbox' },
  { name: 'across-logged', logged: ['api_key.created', 'sandbox'] },
];

const ROOTS: Record<string, string> = {
  first: 'first',
  second: 'second',
  child: 'first',
  grandchild: 'first',
  'great-grandchild': 'first',
  logged: 'second',
  'logged-child': 'second',
  'rolled-itself': 'second',
  'rolled-by-first': 'first',
  mixed: 'first',
  unlogged: 'unlogged',
  'unlogged-roll': 'first',
  'of-a-person': 'staff:somebody',
  'of-a-persons-key': 'staff:somebody',
  'of-nobody': 'of-nobody',
  sandbox: 'sandbox',
  'sandbox-child': 'sandbox',
  across: 'across',
  'across-logged': 'across-logged',
};

test('by the column, else by the audit log, else by the key that was replaced, over any number of keys; else its own', async () => {
  const { tenantId } = await app.newTenant();
  const other = await app.newTenant();
  await hands.down(knex);
  await validated.down(knex);
  await roots.down(knex);
  const ids = new Map<string, string>();
  for (const { name, createdBy = null, logged, replaces, environment = 'LIVE' } of KEYS) {
    const maker = createdBy === null ? null : ids.has(createdBy) ? `api_key:${ids.get(createdBy)}` : createdBy;
    const [row] = await app.database.asSuperuser<{ id: string }>(
      `insert into api_key (tenant_id, environment, hash, last_four, name, scopes, created_by, replaces_key_id)
       values ($1, $2, sha256($3::text::bytea), 'abcd', $3, '{*}', $4, $5) returning id`,
      [tenantId, environment, name, maker, replaces === undefined ? null : ids.get(replaces)],
    );
    const id = row?.id ?? '';
    ids.set(name, id);
    if (!logged) continue;
    const [action, by] = logged;
    const rolled = action === 'api_key.rolled';
    await app.database.asSuperuser(
      `insert into audit_log (tenant_id, environment, action, actor_kind, actor_id, object_kind, object_id, details)
       values ($1, $2, $3, 'api_key', $4, 'api_key', $5, $6)`,
      [tenantId, environment, action, ids.get(by), rolled ? ids.get(replaces ?? '') : id, rolled ? { newKeyId: id } : {}],
    );
  }
  // Another's entry that names a key of ours by its id is no word on it.
  await app.database.asSuperuser(
    `insert into audit_log (tenant_id, environment, action, actor_kind, actor_id, object_kind, object_id)
     values ($1, 'LIVE', 'api_key.created', 'api_key', $2, 'api_key', $3)`,
    [other.tenantId, ids.get('first'), ids.get('unlogged')],
  );
  const draft = (name: string, status: string) =>
    app.database.asSuperuser(
      `insert into payout_run (tenant_id, environment, currency, cutoff_at, status, created_by, created_at, updated_at)
       values ($1, 'LIVE', 'USD', now(), $3, $2, now(), now())`,
      [tenantId, `api_key:${ids.get(name)}`, status],
    );
  await draft('mixed', 'draft');
  await draft('grandchild', 'completed');
  await roots.up(knex);
  await validated.up(knex);
  await hands.up(knex);

  const rows = await app.database.asSuperuser<{ name: string; root: string }>(
    'select name, root from api_key where tenant_id = $1 and name is not null',
    [tenantId],
  );
  const names = new Map([...ids].map(([name, id]) => [`api_key:${id}`, name]));
  expect(Object.fromEntries(rows.map(({ name, root }) => [name, names.get(root) ?? root]))).toEqual(ROOTS);
  const left = await app.database.asSuperuser<{ root: string }>(
    "select root from api_key where tenant_id = $1 and root <> 'api_key:' || id",
    [other.tenantId],
  );
  expect(left).toEqual([]);
  expect(
    await app.database.asSuperuser('select status, dual_control, drafter_root from payout_run where tenant_id = $1 order by id', [
      tenantId,
    ]),
  ).toEqual([
    { status: 'draft', dual_control: 'none', drafter_root: `api_key:${ids.get('first')}` },
    { status: 'completed', dual_control: null, drafter_root: null },
  ]);

  // A draft gets the rule that its own environment has now.
  await hands.down(knex);
  await app.database.asSuperuser(
    `insert into payment_settings (tenant_id, environment, provider, require_kyc, dual_control, dual_control_by, account_cooldown_hours, capabilities, approved_recipient_countries)
     values ($1, 'LIVE', 'manual', true, true, 'persons', 24, '{transfers}', '{}'), ($2, 'LIVE', 'manual', true, true, 'keys', 24, '{transfers}', '{}')`,
    [tenantId, other.tenantId],
  );
  await hands.up(knex);
  expect(
    await app.database.asSuperuser('select dual_control from payout_run where tenant_id = $1 order by id', [tenantId]),
  ).toEqual([{ dual_control: 'persons' }, { dual_control: null }]);
});
