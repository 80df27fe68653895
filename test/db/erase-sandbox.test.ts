/** erase_sandbox() as it is made of the features' parts, against the last text that a migration gave it. */
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { composeEraseSandbox } from '../../src/db/composed-functions.ts';
import { house } from '../../src/features.ts';
import { oldFunction } from '../support/database/migrated-functions.ts';
import { createRowPlanter } from '../support/database/planted-rows.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { listTenantTables } from '../support/database/walls.ts';

const functionParts = house.features;

/** Each has three rows in each scope, of the same three ids everywhere: so every foreign key names a row that is there. */
const ALL_SCOPES = `
  select t.id as tenant_id, e.environment, concat_ws(' ', t.id, e.environment, row_nr) as nr
  from tenant t cross join (values ('LIVE'), ('SANDBOX')) e(environment) cross join generate_series(1, 3) row_nr`;
/** One row a scope is all that they may have. */
const ONE_A_SCOPE = [
  'mail_settings',
  'ledger_check',
  'ledger_total',
  'staff_provider',
  'payout_reconciliation',
  'audit_head',
  'outgoing_head',
  'webhook_hearing',
  'webhook_settings',
  'sandbox_clock',
  'kyc_settings',
  'payment_settings',
  'referral_settings',
  'link_tag',
  'member_settings',
  'commission_settings',
];
/** Objects in the storage: an upload's is to be removed already, a document's is not. */
const VALUES: Record<string, Record<string, string>> = {
  kyc_document: { storage_key: "'document ' || scope.nr" },
  kyc_upload: { pending_key: "'upload ' || scope.nr" },
  object_removal: { storage_key: "'upload ' || scope.nr" },
};

let database: TestDatabase;
let tables: string[];
let tenantId: string;
let client: pg.Client;
let oldText: string;
const names = (text: string, table: string): boolean => new RegExp(`\\b${table}\\b`).test(text);

beforeAll(async () => {
  database = await createTestDatabase();
  tables = await listTenantTables(database);
  const planter = await createRowPlanter(database);
  oldText = await oldFunction('20261126100000_referrals', 'erase_sandbox', 'svc_eraser');
  await database.asSuperuser(oldText);
  const tenants = await database.asSuperuser<{ id: string }>(
    `insert into tenant (name, default_currency, reporting_time_zone) select 'T', 'USD', 'UTC' from generate_series(1, 3) returning id`,
  );
  tenantId = tenants[1]?.id ?? '';
  for (const table of tables) {
    const from = ONE_A_SCOPE.includes(table) ? `select * from (${ALL_SCOPES}) s where nr like '% 1'` : ALL_SCOPES;
    await planter.plant(table, from, VALUES[table]);
  }
  client = new pg.Client({
    connectionString: Object.assign(new URL(inject('cluster').superuserUrl), { pathname: `/${database.name}` }).href,
  });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** What is left of each scope, and what was answered; then everything is as before. Tables `without` rows are not known to it. */
async function tryErasing(
  call: string,
  without: readonly string[] = [],
): Promise<{ answer: unknown; left: Record<string, unknown[]> }> {
  await client.query('begin');
  try {
    await client.query(`select set_config('app.tenant_id', $1, true), set_config('app.environment', 'SANDBOX', true)`, [
      tenantId,
    ]);
    // Past the triggers: some of these tables let nobody remove a row.
    await client.query('set local session_replication_role = replica');
    for (const table of without) await client.query(`delete from ${table}`);
    await client.query('set local session_replication_role = origin');
    const { rows: answer } = await client.query(`select * from ${call}`);
    const left: Record<string, unknown[]> = {};
    for (const table of tables) {
      const { rows } = await client.query(
        `select r.row - 'remove_after' - case when a.removed = now() then 'remove_at' else '' end
             - array(select name from unnest(array['after_at', 'due_at']) name where (r.row ->> name)::timestamptz = now()) as row,
           coalesce((r.row ->> 'remove_after')::timestamptz, a.removed) = now() as is_due
         from ${table} t cross join lateral to_jsonb(t) r(row)
         cross join lateral (select (r.row ->> 'remove_at')::timestamptz) a(removed) order by t::text`,
      );
      left[table] = rows;
    }
    return { answer, left };
  } finally {
    await client.query('rollback');
  }
}

test('erases the same rows, and tells the same', async () => {
  const composed = await tryErasing('erase_sandbox()');
  const newer = tables.filter((table) => names(composeEraseSandbox(functionParts), table) && !names(oldText, table));
  const old = await tryErasing('old_erase_sandbox()', newer);
  expect(old.answer).toEqual([{ events: '3', members: '3' }]);
  const known = ({ left, ...rest }: typeof old) => ({
    ...rest,
    left: Object.fromEntries(Object.entries(left).filter(([table]) => !newer.includes(table))),
  });
  expect(known(composed)).toEqual(known(old));
  const kept = tables.filter((table) => (composed.left[table]?.length ?? 0) === (ONE_A_SCOPE.includes(table) ? 6 : 18));
  const declared = functionParts.flatMap(({ kept: own = [] }) => own);
  expect(kept).toEqual(tables.filter((table) => declared.includes(table) && table !== 'object_removal'));
  const removals = composed.left['object_removal'] ?? [];
  expect(removals).toHaveLength(18 + 3);
  expect(removals.filter((removal) => (removal as { is_due: boolean }).is_due)).toHaveLength(6);
});

test('goes by no order of features or tables', async () => {
  const reversed = functionParts.map(({ tables: own = [], ...rest }) => ({ ...rest, tables: own.toReversed() })).toReversed();
  const text = composeEraseSandbox(reversed).replace('function erase_sandbox', 'function reversed_erase_sandbox');
  await database.asSuperuser(`${text}; alter function reversed_erase_sandbox() owner to svc_eraser`);
  expect(await tryErasing('reversed_erase_sandbox()')).toEqual(await tryErasing('erase_sandbox()'));
});

test('erases nothing without a SANDBOX for its frame', async () => {
  for (const [tenant, environment] of [
    [tenantId, 'LIVE'],
    ['', 'SANDBOX'],
    ['', ''],
  ]) {
    await client.query('begin');
    await client.query(`select set_config('app.tenant_id', $1, true), set_config('app.environment', $2, true)`, [
      tenant,
      environment,
    ]);
    await expect(client.query('select * from erase_sandbox()')).rejects.toMatchObject({ code: '42501' });
    await client.query('rollback');
  }
});
