/** Migrations go up, down and up again to the same schema, and leave no foreign key without its index. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { listMigrations, openOwnerKnex } from '../../src/db/migrate.ts';
import { migrateService } from '../../src/service.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';

/** Each part of a schema as lines of text, in a fixed order. */
const DUMPS: Record<string, string> = {
  columns: `select format('%s.%s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
      pg_get_expr(d.adbin, d.adrelid)) as line
    from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped`,
  constraints: `select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as line
    from pg_constraint where connamespace = 'public'::regnamespace`,
  indexes: `select indexdef as line from pg_indexes where schemaname = 'public'`,
  policies: `select p::text as line from pg_policies p where schemaname = 'public'`,
  triggers: `select pg_get_triggerdef(t.oid) as line from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace and not t.tgisinternal`,
  functions: `select format('%s %s %s', pg_get_functiondef(oid), pg_get_userbyid(proowner), proacl) as line
    from pg_proc where pronamespace = 'public'::regnamespace`,
  relations: `select format('%s %s %s %s %s %s %s', relname, relkind, relrowsecurity, relforcerowsecurity, pg_get_userbyid(relowner), reloptions,
      (select string_agg(x::text, ',' order by x::text) from unnest(relacl) x)) as line
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')`,
  columnRights: `select format('%s.%s %s', attrelid::regclass, attname, attacl) as line from pg_attribute
    where attacl is not null and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
  types: `select typname as line from pg_type where typnamespace = 'public'::regnamespace and typrelid = 0 and typelem = 0`,
  schema: `select format('%s %s', pg_get_userbyid(nspowner), (select string_agg(x::text, ',' order by x::text) from unnest(nspacl) x)) as line
    from pg_namespace where nspname = 'public'`,
};

type Query = (sql: string) => Promise<{ line: string }[]>;
type Dump = Record<string, string[]>;

async function dump(query: Query): Promise<Dump> {
  const parts: Dump = {};
  for (const [part, sql] of Object.entries(DUMPS)) {
    const rows = await query(sql);
    parts[part] = rows
      .map(({ line }) => line)
      .filter((line) => !/knex_migrations/.test(line))
      .toSorted();
  }
  return parts;
}

let template: TestDatabase;
let name: string;
let ownerUrl: string;
let client: pg.Client;

beforeAll(async () => {
  template = await createTestDatabase();
  name = `t_${randomBytes(6).toString('hex')}`;
  await template.asSuperuser(`create database ${name} owner svc_owner`);
  ownerUrl = Object.assign(new URL(template.ownerUrl), { pathname: `/${name}` }).href;
  client = new pg.Client({
    connectionString: Object.assign(new URL(inject('cluster').superuserUrl), { pathname: `/${name}` }).href,
  });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await template.asSuperuser(`drop database ${name} with (force)`);
  await template.drop();
});

const query: Query = async (sql) => (await client.query<{ line: string }>(sql)).rows;

async function migrateDown(): Promise<void> {
  const knex = openOwnerKnex(ownerUrl);
  try {
    await knex.migrate.rollback(undefined, true);
  } finally {
    await knex.destroy();
  }
}

test('up, down and up again ends in the same schema, and down leaves nothing', async () => {
  const empty = await dump(query);
  expect(await migrateService(ownerUrl)).toEqual(listMigrations());
  const first = await dump(query);
  for (const part of ['columns', 'constraints', 'indexes', 'policies', 'triggers', 'functions', 'relations', 'columnRights']) {
    expect(first[part]?.length, part).toBeGreaterThan(0);
  }
  await migrateDown();
  expect(await dump(query)).toEqual(empty);
  expect(await migrateService(ownerUrl)).toEqual(listMigrations());
  expect(await dump(query)).toEqual(first);
  expect(await migrateService(ownerUrl)).toEqual([]);
});

test('each step down takes back what its step up made', async () => {
  const knex = openOwnerKnex(ownerUrl);
  try {
    await knex.migrate.rollback(undefined, true);
    const states: Dump[] = [await dump(query)];
    for (const _migration of listMigrations()) {
      await knex.migrate.up();
      states.push(await dump(query));
    }
    for (const [index, migration] of [...listMigrations().entries()].toReversed()) {
      await knex.migrate.down();
      expect(await dump(query), migration).toEqual(states[index]);
    }
  } finally {
    await knex.destroy();
  }
});

test('a step down keeps the holds that the step before does not know', async () => {
  await migrateService(ownerUrl);
  const knex = openOwnerKnex(ownerUrl);
  try {
    // A line alone, without the event and member that it is of.
    await client.query('set session_replication_role = replica');
    await client.query(`insert into commission_line
      (tenant_id, environment, event_id, beneficiary_id, kind, source, level, paid_level, rate_bps, multiplier_milli, base_minor, amount_minor,
       currency, status, hold_cause, clears_at, occurred_at, calculation_hash, created_at)
      values (uuidv7(), 'LIVE', uuidv7(), uuidv7(), 'commission', 'sales', 1, 1, 1000, 1000, 10000, 1000, 'USD', 'held', 'self_purchase',
              now(), now(), sha256('x'), now())`);
    const last = [...listMigrations()].toReversed().findIndex((migration) => migration.startsWith('20261126100000_referrals'));
    for (let step = 0; step <= last; step++) await knex.migrate.down();
    const { rows } = await client.query('select status, hold_cause from commission_line');
    expect(rows).toEqual([{ status: 'held', hold_cause: 'manual' }]);
  } finally {
    await client.query('delete from commission_line');
    await client.query('set session_replication_role = origin');
    await knex.destroy();
  }
});

test('a step down keeps who was blocked for what the step before has no word for', async () => {
  await migrateService(ownerUrl);
  const knex = openOwnerKnex(ownerUrl);
  try {
    // A row alone, without the run and member that it is of.
    await client.query('set session_replication_role = replica');
    await client.query(`insert into payout_block (tenant_id, environment, payout_run_id, member_id, reason, amount_minor)
      values (uuidv7(), 'LIVE', uuidv7(), uuidv7(), 'AMOUNT_NOT_PAYABLE', 750001)`);
    const last = [...listMigrations()].toReversed().findIndex((migration) => migration.startsWith('20261127120000_payout'));
    for (let step = 0; step <= last; step++) await knex.migrate.down();
    const { rows } = await client.query('select reason, amount_minor from payout_block');
    expect(rows).toEqual([{ reason: 'BELOW_MINIMUM', amount_minor: '750001' }]);
  } finally {
    await client.query('delete from payout_block');
    await client.query('set session_replication_role = origin');
    await knex.destroy();
  }
});

test('the step that introduces holds gives one to each member that is inactive, and to nobody else', async () => {
  const knex = openOwnerKnex(ownerUrl);
  const at = [...listMigrations()].toReversed().findIndex((migration) => migration.startsWith('20261129300000_payout_holds'));
  const tenantId = '01900000-0000-7000-8000-000000000001';
  try {
    await migrateService(ownerUrl);
    for (let step = 0; step <= at; step++) await knex.migrate.down();
    // Members alone, without the tenant that they are of.
    await client.query('set session_replication_role = replica');
    await client.query(
      `insert into member (tenant_id, environment, email, email_norm, membership_tier, is_active, can_recruit, is_test_user, pay_currency)
       select $1, environment, environment || active || '@x.example', environment || active || '@x.example', 'ORDINARY', active, true, false, 'USD'
       from unnest(array['LIVE', 'SANDBOX']) environment, unnest(array[true, false]) active`,
      [tenantId],
    );
    await knex.migrate.up();
    const { rows } = await client.query(
      `select m.environment, m.is_active, h.reason, h.until, h.created_by
       from payout_hold h join member m on m.id = h.member_id and m.environment = h.environment and m.tenant_id = h.tenant_id
       order by m.environment`,
    );
    const held = { is_active: false, reason: 'Inactive before holds were introduced', until: null, created_by: null };
    expect(rows).toEqual([
      { environment: 'LIVE', ...held },
      { environment: 'SANDBOX', ...held },
    ]);
    await client.query(
      `insert into payout_block (tenant_id, environment, payout_run_id, member_id, reason, amount_minor)
      select $1, 'LIVE', uuidv7(), uuidv7(), reason, 1 from unnest(array['TEST_USER', 'HELD', 'NO_MINIMUM', 'NO_ACCOUNT']) reason`,
      [tenantId],
    );
    await knex.migrate.down();
    expect((await client.query('select reason from payout_block order by reason')).rows).toEqual(
      ['BELOW_MINIMUM', 'INACTIVE', 'INACTIVE', 'NO_ACCOUNT'].map((reason) => ({ reason })),
    );
  } finally {
    await client.query('delete from payout_block');
    await client.query('delete from member');
    await client.query('set session_replication_role = origin');
    await knex.destroy();
  }
});

test('the totals of the ledger begin with what was sealed before they were kept', async () => {
  const knex = openOwnerKnex(ownerUrl);
  const at = [...listMigrations()].toReversed().findIndex((migration) => migration.startsWith('20261216010000_'));
  const [tenantId, sealed, waiting] = [1, 2, 3].map((n) => `01900000-0000-7000-8000-00000000000${n}`);
  try {
    await migrateService(ownerUrl);
    for (let step = 0; step <= at; step++) await knex.migrate.down();
    await client.query('set session_replication_role = replica');
    for (const [journal, amount] of [
      [sealed, 700],
      [waiting, 11],
    ]) {
      await client.query(
        `insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
         values ($1, 'LIVE', $2, 0, 'company:breakage', null, 'EUR', -$3::bigint), ($1, 'LIVE', $2, 1, 'member:cleared', uuidv7(), 'EUR', $3)`,
        [tenantId, journal, amount],
      );
    }
    await client.query(
      `insert into ledger_block_entry (tenant_id, environment, block_seq, position, journal_id, hash)
       values ($1, 'LIVE', 1, 1, $2, sha256('x'))`,
      [tenantId, sealed],
    );
    await client.query('set session_replication_role = origin');
    await migrateService(ownerUrl);
    const { rows } = await client.query(
      'select tenant_id, account, currency, amount_minor::int from ledger_total order by account',
    );
    expect(rows).toEqual([
      { tenant_id: tenantId, account: 'company:breakage', currency: 'EUR', amount_minor: -700 },
      { tenant_id: tenantId, account: 'member:cleared', currency: 'EUR', amount_minor: 700 },
    ]);
    const { rows: open } = await client.query(
      `select relname from pg_class where relrowsecurity and not relforcerowsecurity and relnamespace = 'public'::regnamespace`,
    );
    expect(open).toEqual([]);
  } finally {
    await client.query('set session_replication_role = replica');
    for (const table of ['ledger_total', 'ledger_block_entry', 'posting']) await client.query(`delete from ${table}`);
    await client.query('set session_replication_role = origin');
    await knex.destroy();
  }
});

test('the step that keeps actors makes them of the bare ids of keys, and the step down gives the ids back', async () => {
  const knex = openOwnerKnex(ownerUrl);
  const at = [...listMigrations()].toReversed().findIndex((migration) => migration.startsWith('20261130050000_money_actors'));
  const [tenantId, keyId, runId] = [1, 2, 3].map((n) => `01900000-0000-7000-8000-00000000000${n}`);
  const tables = ['event', 'event_detail', 'commission_action', 'exchange_rate', 'payout_run', 'payout', 'payout_attempt'];
  const wideOpen = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;
  try {
    await migrateService(ownerUrl);
    for (let step = 0; step <= at; step++) await knex.migrate.down();
    await client.query('set session_replication_role = replica');
    await wideOpen(
      `with manual as (
         insert into event (tenant_id, environment, external_event_id, kind, type, occurred_at, amount_minor, currency, tax_minor,
                            shipping_minor, discount_minor, base_minor, attributed_member_id, status, content_digests)
         select $1, 'LIVE', name, 'commission', 'bonus', now(), 1, 'USD', 0, 0, 0, 0, uuidv7(), 'accepted', '{}'
         from unnest(array['named', 'before']) name returning id, external_event_id)
       insert into event_detail (tenant_id, environment, event_id, actor, created_by)
       select $1, 'LIVE', id, 'Kim', case external_event_id when 'named' then jsonb_build_object('kind', 'api_key', 'id', $2::text, 'name', 'Shop') end
       from manual`,
      [tenantId, keyId],
    );
    await wideOpen(
      `insert into commission_action (tenant_id, environment, line_id, action, from_status, to_status, key_id)
       values ($1, 'LIVE', uuidv7(), 'hold', 'pending', 'held', $2)`,
      [tenantId, keyId],
    );
    await wideOpen(
      `insert into exchange_rate (tenant_id, environment, source_currency, target_currency, numerator, denominator, effective_at, source, recorded_by)
       values ($1, 'LIVE', 'USD', 'JPY', 1, 1, now(), 'Bank', $2)`,
      [tenantId, keyId],
    );
    await wideOpen(
      `insert into payout_run (tenant_id, environment, id, currency, cutoff_at, status, created_by, executed_by, created_at, updated_at)
       values ($1, 'LIVE', $3, 'USD', now(), 'executing', $1::uuid::text, $2::uuid::text, now(), now())`,
      [tenantId, keyId, runId],
    );
    await wideOpen(
      `with paid as (
         insert into payout (tenant_id, environment, payout_run_id, member_id, payout_account_id, provider_type, currency, amount_minor,
                             line_count, status, attempt, created_at, updated_at)
         values ($1, 'LIVE', $2, uuidv7(), uuidv7(), 'manual', 'USD', 1, 1, 'processing', 2, now(), now()) returning id)
       insert into payout_attempt (tenant_id, environment, payout_id, attempt, started_at)
       select $1, 'LIVE', id, n, now() from paid, unnest(array[1, 2]) n`,
      [tenantId, runId],
    );
    await client.query('set session_replication_role = origin');
    await knex.migrate.up();
    const [key, drafter] = [`api_key:${keyId}`, `api_key:${tenantId}`];
    expect(await wideOpen('select external_event_id as id, created_by from event order by 1')).toEqual([
      { id: 'before', created_by: null },
      { id: 'named', created_by: key },
    ]);
    expect(await wideOpen('select created_by from commission_action')).toEqual([{ created_by: key }]);
    expect(await wideOpen('select created_by from exchange_rate')).toEqual([{ created_by: key }]);
    expect(await wideOpen('select created_by, approved_by, executed_by from payout_run')).toEqual([
      { created_by: drafter, approved_by: null, executed_by: key },
    ]);
    expect(await wideOpen('select created_by, requested_by from payout')).toEqual([{ created_by: drafter, requested_by: key }]);
    expect(await wideOpen('select attempt, created_by from payout_attempt order by 1')).toEqual([
      { attempt: 1, created_by: key },
      { attempt: 2, created_by: null },
    ]);
    await knex.migrate.down();
    expect(await wideOpen("select created_by ->> 'id' as id from event_detail where created_by is not null")).toEqual([
      { id: keyId },
    ]);
    expect(await wideOpen('select key_id as id from commission_action')).toEqual([{ id: keyId }]);
    expect(await wideOpen('select recorded_by as id from exchange_rate')).toEqual([{ id: keyId }]);
    expect(await wideOpen('select created_by, executed_by from payout_run')).toEqual([
      { created_by: tenantId, executed_by: keyId },
    ]);
  } finally {
    await client.query('set session_replication_role = replica');
    for (const table of tables) await client.query(`delete from ${table}`);
    await client.query('set session_replication_role = origin');
    await knex.destroy();
  }
});

test('the step down to the release that installed no functions gives them the text of its migrations', async () => {
  const functions = `select md5(string_agg(pg_get_functiondef(oid) || proacl::text, '' order by proname)) as line
    from pg_proc where proname in ('due_scopes', 'erase_sandbox')`;
  const last = [...listMigrations()].toReversed().findIndex((migration) => migration.startsWith('20261127160000_due'));
  const knex = openOwnerKnex(ownerUrl);
  try {
    await knex.migrate.rollback(undefined, true);
    while ((await listRun(knex)) < listMigrations().length - last - 1) await knex.migrate.up();
    const before = await query(functions);
    await migrateService(ownerUrl);
    expect(await query(functions)).not.toEqual(before);
    for (let step = 0; step <= last; step++) await knex.migrate.down();
    expect(await query(functions)).toEqual(before);
  } finally {
    await knex.destroy();
  }
});

async function listRun(knex: ReturnType<typeof openOwnerKnex>): Promise<number> {
  const [completed] = (await knex.migrate.list()) as [unknown[]];
  return completed.length;
}

test('the template that tests clone is the migrated schema', async () => {
  await migrateService(ownerUrl);
  expect(await dump((sql) => template.asSuperuser(sql))).toEqual(await dump(query));
});

test('every foreign key has an index on its referencing columns', async () => {
  expect(await listBareKeys()).toEqual([]);
  await template.asSuperuser(`create table probe (tenant_id uuid, environment text, id uuid, lead_id uuid, primary key (tenant_id, environment, id),
    constraint probe_lead_fkey foreign key (tenant_id, environment, lead_id) references lead)`);
  try {
    expect(await listBareKeys()).toEqual([{ key: 'probe.probe_lead_fkey' }]);
    await template.asSuperuser('create index on probe (lead_id, tenant_id, environment)');
    expect(await listBareKeys()).toEqual([]);
  } finally {
    await template.asSuperuser('drop table probe');
  }
});

/** An index serves when it begins with the key's columns, in any order; a partial one only when it leaves out nulls alone. */
const listBareKeys = (): Promise<{ key: string }[]> =>
  template.asSuperuser<{ key: string }>(
    `select format('%s.%s', c.conrelid::regclass, c.conname) as key from pg_constraint c
     where c.contype = 'f' and c.connamespace = 'public'::regnamespace and not exists (
       select from pg_index i
       where i.indrelid = c.conrelid and i.indisvalid
         and (select array_agg(k order by k) from unnest((i.indkey::int2[])[0:cardinality(c.conkey) - 1]) k)
           = (select array_agg(k order by k) from unnest(c.conkey) k)
         and (i.indpred is null or exists (
           select from pg_attribute a where a.attrelid = c.conrelid and a.attnum = any (c.conkey)
             and pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname))))`,
  );

test('no enum type, no serial and no column of a type that row security keeps off its indexes', async () => {
  const odd = await template.asSuperuser<{ column: string; type: string }>(
    `select format('%s.%s', c.relname, a.attname) as column, format_type(a.atttypid, a.atttypmod) as type
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
       and c.relname not like 'knex_%'
       and (t.typtype = 'e' or format_type(a.atttypid, null) in ('citext', 'ltree', 'numeric', 'money', 'real', 'double precision',
         'timestamp without time zone', 'character varying', 'character') or a.attidentity <> ''
         or pg_get_expr((select d.adbin from pg_attrdef d where d.adrelid = c.oid and d.adnum = a.attnum), c.oid) like 'nextval%')`,
  );
  expect(odd).toEqual([]);
});
