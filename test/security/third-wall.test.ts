/** Keys: composite everywhere, and alone enough to refuse a reference into another tenant or environment. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../src/db/scope.ts';
import { plantLink } from '../features/referrals/plant-link.ts';
import { plantLog } from '../features/webhooks/plant-log.ts';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { plantPerson, signIn } from '../support/app/test-people.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { dropRowSecurity, listTenantTables } from '../support/database/walls.ts';
import { beginWidget } from '../support/widget/widget-session.ts';

interface ForeignKey {
  name: string;
  table: string;
  target: string;
  /** In the key's order. */
  columns: string[];
  targetColumns: string[];
}

/** The only keys that do not begin with tenant and environment, each with its reason. */
const UNIQUE_EXCEPTIONS = new Set([
  'api_key_hash_key', // a key is looked up before its tenant is known
  'link_slug_pkey', // likewise: a slug of one's own is unique among all tenants
  'link_tag_pkey', // who follows a link has no key: the tag tells whose it is
  'staff_session_token_key', // a session, a link and a question are looked up before their tenant is known
  'staff_invite_token_key',
  'staff_challenge_token_key',
  'widget_token_hash_key', // a token of the widget, and its frame, are looked up before their tenant is known
  'widget_session_id_key',
  'auth_provider_provider_id_key', // the exchange names tenant and provider, and learns the environment from them
]);
const ACROSS = new Set([
  'api_key_tenant_id_fkey', // to `tenant`, which is above both environments
]);

/**
 * People are of a tenant and not of an environment: a check keeps their rows in LIVE. So a reference from one environment
 * to another is refused by that check, and nothing stands in SANDBOX to refer to.
 * Source: docs/specification/people.md#people.
 */
const LIVE_ALONE = new Set([
  'staff',
  'staff_challenge',
  'staff_failure',
  'staff_invite',
  'staff_passkey',
  'staff_provider',
  'staff_recovery_code',
  'staff_session',
  'staff_totp',
]);
const liveCheckOf = (table: string): string => `${table}_environment_check`;

/** Refers by a number that each side counts for itself: another side's number names an own row. */
const COUNTED = new Set(['ledger_block_entry_block_fkey', 'audit_block_entry_block_fkey']);

const LISTED_KEYS = `
  select c.conname as name, c.conrelid::regclass::text as table, c.confrelid::regclass::text as target,
         (select array_agg(a.attname::text order by k.n) from unnest(c.conkey) with ordinality k(num, n)
          join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.num) as columns,
         (select array_agg(a.attname::text order by k.n) from unnest(c.confkey) with ordinality k(num, n)
          join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.num) as "targetColumns"
  from pg_constraint c where c.contype = 'f' and c.connamespace = 'public'::regnamespace order by 1`;

const LIVE_CHECKS = `
  select c.conrelid::regclass::text as table, c.conname as name from pg_constraint c
  where c.contype = 'c' and c.connamespace = 'public'::regnamespace
    and pg_get_constraintdef(c.oid) = 'CHECK ((environment = ''LIVE''::text))' order by 1`;

const UNIQUE_INDEXES = `
  select i.relname as name, t.relname as table,
         (select array_agg(coalesce(a.attname::text, '(expression)') order by k.n)
          from unnest(x.indkey::int2[]) with ordinality k(num, n)
          left join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.num
          where k.n <= x.indnkeyatts) as columns
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
  where x.indisunique and t.relnamespace = 'public'::regnamespace order by 1`;

let app: TestApp;
let database: TestDatabase;
let keys: ForeignKey[];

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp({}, database);
  const tenant = await app.newTenant();
  const other = await app.newTenant();
  for (const { tenantId, liveKey, sandboxKey } of [tenant, other]) {
    await plantEveryReference(liveKey, { tenantId, environment: 'LIVE' });
    await plantEveryReference(sandboxKey, { tenantId, environment: 'SANDBOX' });
    await plantPeople(tenantId);
    for (const environment of ['LIVE', 'SANDBOX'] as const) {
      await app.runSweep('seal-ledger', { tenantId, environment });
      await app.runSweep('seal-audit-log', { tenantId, environment });
    }
  }
  await dropRowSecurity(database);
  // What would refuse a copied row before its foreign keys are asked.
  await database.asSuperuser('alter table ledger_block_entry drop constraint ledger_block_entry_journal_key');
  await database.asSuperuser('alter table audit_block_entry drop constraint audit_block_entry_entry_key');
  await database.asSuperuser('alter table outgoing_sequence drop constraint outgoing_sequence_event_key');
  await database.asSuperuser('alter table webhook_delivery drop constraint webhook_delivery_once');
  await database.asSuperuser('drop trigger journal_open on posting');
  await database.asSuperuser('alter table kyc_record drop constraint kyc_record_member_key');
  await database.asSuperuser('alter table provider_account drop constraint provider_account_member_key');
  await database.asSuperuser('drop index payout_account_fingerprint_key');
  await database.asSuperuser('drop index payout_run_member_key');
  await database.asSuperuser('alter table kyc_event drop constraint kyc_event_body_key');
  await database.asSuperuser('drop index payout_line_live_key');
  await database.asSuperuser('drop index referral_code_default_key');
  await database.asSuperuser('drop index attribution_receipt_event_key');
  await database.asSuperuser('drop index attribution_receipt_lead_key');
  await database.asSuperuser('drop index attribution_receipt_placed_key');
  await database.asSuperuser('alter table referral_link drop constraint referral_link_slug_check');
  await database.asSuperuser('alter table payout_schedule_run drop constraint payout_schedule_run_currency_check');
  keys = await database.asSuperuser<ForeignKey & Record<string, unknown>>(LISTED_KEYS);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

/** Rows that use every foreign key, through the API; those of identity by hand. */
async function plantEveryReference(key: string, scope: Scope): Promise<void> {
  const client = apiClient(app, key);
  const { endpointId } = await plantLog(app, scope);
  await database.asSuperuser(
    `insert into webhook_hour (tenant_id, environment, endpoint_id, starts_at, delivered, failed) values ($1, $2, $3, date_trunc('hour', now()), 1, 1)`,
    [scope.tenantId, scope.environment, endpointId],
  );
  const root = await client.newMember({ membership_tier: 'DIRECTOR' });
  const child = await client.newMember({ parent_id: root.id });
  const email = `${child.id}@lead.example`;
  await client.post('/api/v1/leads/capture', { email, referral_code: root.referral_code });
  await client.newMember({ email });
  await client.patch(`/api/v1/users/${child.id}`, {
    membership_tier: 'SENIOR',
    is_active: false,
    email: `${child.id}@other.example`,
  });
  const other = await client.newMember();
  expect((await client.post(`/api/v1/members/${child.id}/sponsor`, { sponsorId: other.id })).status).toBe(200);
  await beginWidget(client, root.id);
  const purchase = client.purchaseBody({ buyer_user_id: child.id, metadata: { note: 'x' } });
  expect((await client.post('/api/v1/events/purchase', purchase)).status).toBe(201);
  const attributed = client.purchaseBody({ attribution: { user_id: root.id } });
  const { body: sale } = await client.post('/api/v1/events/purchase', attributed);
  const refund = {
    external_event_id: `refund-${root.id}`,
    purchase_external_event_id: sale.external_event_id,
    amount_minor: 100,
  };
  expect((await client.post('/api/v1/events/refund', refund)).status).toBe(201);
  expect((await client.post(`/api/v1/commissions/${sale.commissions[0].id}/void`, {})).status).toBe(200);
  await plantIdentity(client, scope, root.id);
  await plantVerification(scope, root.id);
  await plantClicks(scope, root.id);
  await plantPayout(scope, root.id, sale.commissions[0].id);
  await database.asSuperuser(
    `with run as (
       insert into import_run (tenant_id, environment, kind, mode, status, created_by, created_at, updated_at)
       values ($1, $2, 'members', 'apply', 'queued', 'operator', now(), now()) returning id)
     insert into import_row (tenant_id, environment, import_id, row_number, state, fields)
     select $1, $2, run.id, 2, 'waiting', '{}' from run`,
    [scope.tenantId, scope.environment],
  );
  await database.asSuperuser(
    `with waiting as (
       insert into pending_change (tenant_id, environment, operation_id, scopes, rule, fields, request_sealed, created_by, created_root,
                                   expires_at)
       values ($1, $2, 'updateSettings', '{admin:settings}', 'keys', '[]', '', 'api_key:a', 'api_key:a', now() + interval '1 day')
       returning id)
     insert into pending_change_field (tenant_id, environment, field, pending_change_id)
     select $1, $2, 'payments.dualControl', waiting.id from waiting`,
    [scope.tenantId, scope.environment],
  );
  await plantRates(scope, root.id);
  await database.asSuperuser('insert into mail_refusal (tenant_id, environment, member_id) values ($1, $2, $3)', [
    scope.tenantId,
    scope.environment,
    root.id,
  ]);
}

/** As far as its keys go: a group and a standing of before, a rate that was agreed, and a line that tops up a sale. */
async function plantRates({ tenantId, environment }: Scope, memberId: string): Promise<void> {
  for (const [table, column, value] of [
    ['member_group_history', 'group_key', 'default'],
    ['member_standing_history', 'standing', 'approved'],
  ]) {
    await database.asSuperuser(
      `insert into ${table} (tenant_id, environment, member_id, ${column}, valid_from, recorded_at, created_by)
       values ($1, $2, $3, $4, now(), now(), 'operator')`,
      [tenantId, environment, memberId, value],
    );
  }
  await database.asSuperuser(
    `insert into rate_override (tenant_id, environment, member_id, target, target_id, level, items_key, valid_from, created_by)
     values ($1, $2, $3, 'code', $3, 1, '', now(), 'operator')`,
    [tenantId, environment, memberId],
  );
  await database.asSuperuser(
    `update commission_line set about_event_id = event_id
     where id = (select id from commission_line where tenant_id = $1 and environment = $2 order by id limit 1)`,
    [tenantId, environment],
  );
}

/** A person who has been invited, is asked for a second factor, and has all that a person may have. */
async function plantPeople(tenantId: string): Promise<void> {
  const person = await plantPerson(app, tenantId);
  await signIn(app, person);
  const of = [tenantId, person.staffId];
  await database.asSuperuser(
    `insert into staff_invite (tenant_id, kind, token_hash, staff_id, role, created_by, expires_at)
     values ($1, 'invite', sha256($2::uuid::text::bytea), $2, 'owner', 'operator', now())`,
    of,
  );
  await database.asSuperuser(
    `insert into staff_challenge (tenant_id, token_hash, kind, staff_id, expires_at)
     values ($1, sha256($2::uuid::text::bytea), 'sign_in', $2, now())`,
    of,
  );
  await database.asSuperuser(`insert into staff_totp (tenant_id, staff_id, secret_sealed) values ($1, $2, '')`, of);
  await database.asSuperuser(`insert into staff_recovery_code (tenant_id, staff_id, digest) values ($1, $2, sha256(''))`, of);
}

/** As far as its keys go: an account at the provider and one of the member, and a run that pays one commission. */
async function plantPayout({ tenantId, environment }: Scope, memberId: string, lineId: string): Promise<void> {
  await database.asSuperuser(
    `with provider as (
       insert into provider_account (tenant_id, environment, member_id, country, status, profile_version, created_at, updated_at)
       values ($1, $2, $3, 'US', 'active', '1', now(), now()) returning id),
     account as (
       insert into payout_account (tenant_id, environment, member_id, provider_type, method_type, display_name, country, currency,
                                   is_primary, status, provider_account_ref, fingerprint, activated_at, created_at, updated_at)
       select $1, $2, $3, 'payvendor', 'us_bank_transfer', 'A', 'US', 'USD', false, 'active', provider.id, sha256(''), now(), now(), now()
       from provider returning id),
     run as (
       insert into payout_run (tenant_id, environment, currency, cutoff_at, status, created_by, created_at, updated_at)
       values ($1, $2, 'USD', now(), 'draft', 'operator', now(), now()) returning id),
     block as (
       insert into payout_block (tenant_id, environment, payout_run_id, member_id, reason, amount_minor)
       select $1, $2, run.id, $3, 'NO_ACCOUNT', 1 from run),
     hold as (
       insert into payout_hold (tenant_id, environment, member_id, reason, created_at) values ($1, $2, $3, 'A', now())),
     paid as (
       insert into payout (tenant_id, environment, payout_run_id, member_id, payout_account_id, provider_type, currency, amount_minor,
                           line_count, status, created_at, updated_at)
       select $1, $2, run.id, $3, account.id, 'payvendor', 'USD', 1, 1, 'queued', now(), now() from run cross join account returning id),
     scheduled as (
       insert into payout_schedule_run (tenant_id, environment, currency, local_date, outcome, run_id, recorded_at)
       select $1, $2, 'USD', '2026-01-01', 'DRAFTED', run.id, now() from run),
     attempt as (
       insert into payout_attempt (tenant_id, environment, payout_id, attempt, started_at)
       select $1, $2, paid.id, 1, now() from paid)
     insert into payout_line (tenant_id, environment, payout_id, line_id, amount_minor)
     select $1, $2, paid.id, $4, 1 from paid`,
    [tenantId, environment, memberId, lineId],
  );
}

/** A link, and a click by it and one by the member's code. */
async function plantClicks(scope: Scope, memberId: string): Promise<void> {
  const link = await plantLink(app, scope, { memberId });
  const { tenantId, environment } = scope;
  await database.asSuperuser(
    `insert into referral_click (tenant_id, environment, link_id, code_id, member_id, kind, clicked_at)
     select $1::uuid, $2, $4::uuid, null, $3::uuid, 'redirect', now()
     union all
     select $1::uuid, $2, null, c.id, c.member_id, 'server', now() from referral_code c
     where c.tenant_id = $1 and c.environment = $2 and c.member_id = $3`,
    [tenantId, environment, memberId, link.id],
  );
}

/** As far as its keys go: a record, a remark on it, an upload, a document and an event of the vendor's. */
async function plantVerification({ tenantId, environment }: Scope, memberId: string): Promise<void> {
  const [record] = await database.asSuperuser<{ id: string }>(
    `insert into kyc_record (tenant_id, environment, member_id, provider, status_since, created_at, updated_at)
     values ($1, $2, $3, 'manual', now(), now(), now()) returning id`,
    [tenantId, environment, memberId],
  );
  const of = [tenantId, environment, record?.id];
  await database.asSuperuser(
    `insert into kyc_remark (tenant_id, environment, kyc_record_id, reason) values ($1, $2, $3, 'A')`,
    of,
  );
  await database.asSuperuser(
    `insert into kyc_upload (tenant_id, environment, kyc_record_id, document_type, file_name, mime_type, pending_key, expires_at)
     values ($1, $2, $3, 'selfie', 'a.png', 'image/png', $3::uuid::text, now())`,
    of,
  );
  await database.asSuperuser(
    `insert into kyc_document (tenant_id, environment, kyc_record_id, document_type, file_name, mime_type, file_size, storage_key,
                               content_sha256, malware_scan, created_at)
     values ($1, $2, $3, 'selfie', 'a.png', 'image/png', 1, $3::uuid::text, sha256(''), 'clean', now())`,
    of,
  );
  await database.asSuperuser(
    `insert into kyc_event (tenant_id, environment, kyc_record_id, provider, body_digest, type, outcome, body)
     values ($1, $2, $3, 'kycvendor', sha256(''), 'applicantPending', 'applied', '{}')`,
    of,
  );
}

async function plantIdentity(client: ApiClient, { tenantId, environment }: Scope, memberId: string): Promise<void> {
  const provider = { providerId: environment, issuerUrl: app.issuer.issuerUrl, allowedAudiences: ['app'] };
  const { body } = await client.post('/api/v1/admin/auth/providers', provider);
  const of = [tenantId, environment, memberId];
  await database.asSuperuser('insert into member_profile (tenant_id, environment, member_id) values ($1, $2, $3)', of);
  await database.asSuperuser(
    'insert into session_cutoff (tenant_id, environment, member_id, ended_at) values ($1, $2, $3, now())',
    of,
  );
  await database.asSuperuser(
    `insert into member_identity (tenant_id, environment, member_id, auth_provider_id, subject) values ($1, $2, $3, $4, 's')`,
    [...of, body.id],
  );
  await database.asSuperuser(
    `with family as (
       insert into token_family (tenant_id, environment, member_id, auth_provider_id, absolute_expires_at)
       values ($1, $2, $3, $4, now()) returning *)
     insert into refresh_token (tenant_id, environment, family_id, token_hash, expires_at)
     select tenant_id, environment, id, sha256(id::text::bytea), now() from family`,
    [...of, body.id],
  );
}

test('every foreign key between tenant tables carries tenant and environment on both sides', async () => {
  const tables = await listTenantTables(database);
  const scope = ['environment', 'tenant_id'];
  const faults = keys.filter(
    (key) =>
      !ACROSS.has(key.name) &&
      !(
        tables.includes(key.table) &&
        tables.includes(key.target) &&
        scope.every(
          (column) => key.columns.indexOf(column) !== -1 && key.columns.indexOf(column) === key.targetColumns.indexOf(column),
        )
      ),
  );
  expect(faults).toEqual([]);
  expect(keys.length).toBeGreaterThan(15);
});

test('every primary key and unique index of a tenant table begins with tenant and environment', async () => {
  const tables = await listTenantTables(database);
  const indexes = await database.asSuperuser<{ name: string; table: string; columns: string[] }>(UNIQUE_INDEXES);
  const own = indexes.filter((index) => tables.includes(index.table));
  const faults = own.filter(
    (index) => !UNIQUE_EXCEPTIONS.has(index.name) && !(index.columns[0] === 'tenant_id' && index.columns[1] === 'environment'),
  );
  expect(faults).toEqual([]);
  expect(new Set(own.map((index) => index.table))).toEqual(new Set(tables));
});

describe('an insert that refers to another side is refused by the key', () => {
  test('of every foreign key, across tenants and across environments', async () => {
    const outcomes: Record<string, string> = {};
    for (const key of keys.filter(({ name }) => !ACROSS.has(name) && !COUNTED.has(name))) {
      outcomes[`${key.name}, another tenant`] = await insertAcross(key, 'tenant');
      if (LIVE_ALONE.has(key.table)) continue;
      outcomes[`${key.name}, another environment`] = await insertAcross(key, 'environment');
    }
    const expected = Object.keys(outcomes).map((name) => [name, `23503 ${name.split(',')[0]}`]);
    expect(outcomes).toEqual(Object.fromEntries(expected));
  });

  test('of people across environments by the check, and by the key where the check is away', async () => {
    const outcomes: Record<string, string[]> = {};
    const ofPeople = keys.filter(({ name, table }) => LIVE_ALONE.has(table) && !ACROSS.has(name));
    for (const key of ofPeople) {
      outcomes[key.name] = [await insertInSandbox(key, { checked: true }), await insertInSandbox(key, { checked: false })];
    }
    const expected = ofPeople.map(({ name, table }) => [name, [`23514 ${liveCheckOf(table)}`, `23503 ${name}`]]);
    expect(outcomes).toEqual(Object.fromEntries(expected));
    // Whoever is referred to is of LIVE alone too.
    expect(ofPeople.filter(({ target }) => !LIVE_ALONE.has(target))).toEqual([]);
    expect(ofPeople.length).toBeGreaterThan(5);
  });

  test('the tables of people, and no others, are kept to LIVE', async () => {
    const checks = await database.asSuperuser<{ table: string; name: string }>(LIVE_CHECKS);
    expect(checks).toEqual([...LIVE_ALONE].toSorted().map((table) => ({ table, name: liveCheckOf(table) })));
  });

  test('while the same copy with its own reference is stored', async () => {
    const outcomes: Record<string, string> = {};
    for (const key of keys.filter(({ name }) => !ACROSS.has(name))) outcomes[key.name] = await insertAcross(key, 'nothing');
    expect(Object.entries(outcomes).filter(([, outcome]) => outcome !== 'stored')).toEqual([]);
  });
});

/**
 * Copies a row that uses the key, under fresh values of its unique keys, with the reference pointing
 * at a row of another side; always rolled back. Returns the refusal as SQLSTATE and constraint.
 */
async function insertAcross(key: ForeignKey, crossing: 'tenant' | 'environment' | 'nothing'): Promise<string> {
  const refColumn = key.columns.find((column) => column !== 'tenant_id' && column !== 'environment') ?? '';
  const targetColumn = key.targetColumns[key.columns.indexOf(refColumn)] ?? '';
  const sameSide = 'o.tenant_id = r.tenant_id and o.environment = r.environment';
  const otherSide = {
    tenant: 'o.tenant_id <> r.tenant_id and o.environment = r.environment',
    environment: 'o.tenant_id = r.tenant_id and o.environment <> r.environment',
    nothing: `${sameSide} and not exists (select from ${key.table} u where u.${refColumn} = o.${targetColumn}
      and u.tenant_id = o.tenant_id and u.environment = o.environment)`,
  }[crossing];
  const fresh = await freshValues(key.table, refColumn);
  // A target that nothing refers to yet may not exist for a one-to-one key: then a copy of one serves.
  const copyTarget = crossing === 'nothing' ? await copyOfTarget(key, targetColumn) : undefined;
  const other = copyTarget ? `'${copyTarget.id}'` : `(select o.${targetColumn} from ${key.target} o where ${otherSide} limit 1)`;
  return outcomeOf(`
    ${copyTarget?.sql ?? ''}
    insert into ${key.table} select (jsonb_populate_record(null::${key.table}, to_jsonb(r) || ${fresh} || jsonb_build_object('${refColumn}', ${other}))).*
    from ${key.table} r where r.${refColumn} is not null ${copyTarget ? `and ${copyTarget.side}` : ''} limit 1;`);
}

/** Copies a row of people into SANDBOX, with the reference that it has in LIVE. `checked`: with what keeps it out of there. */
async function insertInSandbox(key: ForeignKey, { checked }: { checked: boolean }): Promise<string> {
  const fresh = await freshValues(key.table, '');
  return outcomeOf(`
    ${checked ? '' : `alter table ${key.table} drop constraint ${liveCheckOf(key.table)};`}
    insert into ${key.table} select (jsonb_populate_record(null::${key.table}, to_jsonb(r) || ${fresh} || '{"environment": "SANDBOX"}')).*
    from ${key.table} r where ${key.columns.map((column) => `r.${column} is not null`).join(' and ')} limit 1;`);
}

/** What becomes of one insert, always rolled back: the refusal as SQLSTATE and constraint. */
async function outcomeOf(insert: string): Promise<string> {
  const sql = `do $$ begin
    ${insert}
    if not found then raise exception 'nothing to copy' using errcode = 'no_data_found'; end if;
    raise exception 'stored' using errcode = 'P0099';
  end $$`;
  try {
    await database.asSuperuser(sql);
  } catch (error) {
    const { code, constraint, message } = error as { code?: string; constraint?: string; message: string };
    if (code === 'P0099') return 'stored';
    return `${code} ${constraint ?? message}`;
  }
  return 'nothing happened';
}

/** SQL of an object with new values for the unique keys of a row: an id where a key has one, else its text or number. */
async function freshValues(table: string, refColumn: string): Promise<string> {
  const columns = await database.asSuperuser<{ index: string; name: string; type: string }>(
    `select x.indexrelid::regclass::text as index, a.attname as name, a.atttypid::regtype::text as type from pg_index x
     join pg_attribute a on a.attrelid = x.indrelid and a.attnum = any (x.indkey::int2[])
     where x.indisunique and x.indrelid = $1::regclass and a.attname not in ('tenant_id', 'environment')`,
    [table],
  );
  const referencing = new Set([refColumn, ...keys.filter((key) => key.table === table).flatMap((key) => key.columns)]);
  const changeable = columns.filter(({ name }) => !referencing.has(name));
  const hasId = new Set(changeable.filter(({ type }) => type === 'uuid').map(({ index }) => index));
  const parts = changeable
    .filter(({ type, index }) => type === 'uuid' || !hasId.has(index))
    .map(({ name, type }) => {
      if (type === 'uuid') return `'${name}', uuidv7()`;
      if (name === 'email') return `'${name}', md5(random()::text) || '@x.example'`;
      if (type === 'text')
        return `'${name}', case when r.${name} is null then null else 'X' || upper(substr(md5(random()::text), 1, 12)) end`;
      if (type === 'bytea') return `'${name}', '\\x' || md5(random()::text) || md5(random()::text)`;
      if (type.startsWith('timestamp')) return `'${name}', '2000-01-01T00:00:00Z'`;
      if (type === 'date') return `'${name}', '2000-01-01'`;
      return `'${name}', 30000`;
    });
  return `jsonb_build_object(${parts.join(', ')})`;
}

/** An unreferred copy of a target row on the side of the row to be copied. */
async function copyOfTarget(key: ForeignKey, targetColumn: string): Promise<{ id: string; sql: string; side: string }> {
  const [row] = await database.asSuperuser<{ id: string; tenant_id: string; environment: string }>(
    `select case pg_typeof(o.${targetColumn})::text when 'uuid' then uuidv7()::text else '30001' end as id, o.tenant_id, o.environment
     from ${key.target} o limit 1`,
  );
  if (!row) throw new Error(`${key.target} is empty`);
  const scope = `tenant_id = '${row.tenant_id}' and environment = '${row.environment}'`;
  const fresh = `${await freshValues(key.target, '')} || jsonb_build_object('${targetColumn}', '${row.id}')`;
  return {
    id: row.id,
    side: `r.${scope.replace(' and ', ' and r.')}`,
    sql: `insert into ${key.target} select (jsonb_populate_record(null::${key.target}, to_jsonb(r) || ${fresh})).*
      from ${key.target} r where r.${scope.replace(' and ', ' and r.')} limit 1;`,
  };
}
