/** The second wall as the database has it: the policies, and the ways round them that must not exist. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { house } from '../../src/features.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { listTenantTables } from '../support/database/walls.ts';

const functionParts = house.features;

let database: TestDatabase;
let tables: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  tables = await listTenantTables(database);
});
afterAll(() => database.drop());

/** As PostgreSQL prints it back. */
const WALL =
  "((tenant_id = ( SELECT (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid AS \"nullif\")) AND (environment = ( SELECT NULLIF(current_setting('app.environment'::text, true), ''::text) AS \"nullif\")))";

interface Policy {
  table: string;
  roles: string[];
  cmd: string;
  permissive: string;
  qual: string | null;
  with_check: string | null;
}

const readPolicies = (): Promise<Policy[]> =>
  database.asSuperuser<Policy & Record<string, unknown>>(
    `select tablename as table, roles::text[] as roles, cmd, permissive, qual, with_check from pg_policies where schemaname = 'public'`,
  );

test('row security is forced on every tenant table and on tenant', async () => {
  const open = await database.asSuperuser<{ name: string }>(
    `select relname as name from pg_class where relname = any ($1) and not (relrowsecurity and relforcerowsecurity)`,
    [[...tables, 'tenant']],
  );
  expect(open).toEqual([]);
});

test('the roles of the service have one policy on each tenant table, and it is the wall both ways', async () => {
  const policies = (await readPolicies()).filter(
    ({ roles, permissive }) => permissive === 'PERMISSIVE' && (roles.includes('svc_app') || roles.includes('svc_worker')),
  );
  for (const table of tables) {
    expect(
      policies.filter((policy) => policy.table === table),
      table,
    ).toEqual([{ table, roles: ['svc_app', 'svc_worker'], cmd: 'ALL', permissive: 'PERMISSIVE', qual: WALL, with_check: WALL }]);
  }
});

test('a wall around a member stands on money and referrals, before what the service answers requests with', async () => {
  const restrictive = (await readPolicies()).filter(({ permissive }) => permissive === 'RESTRICTIVE');
  const setting = "(( SELECT COALESCE(current_setting('app.member_id'::text, true), ''::text) AS \"coalesce\") !~~ '_%'::text)";
  for (const policy of restrictive) {
    expect(policy, policy.table).toMatchObject({ roles: ['svc_app'], cmd: 'SELECT' });
    expect(policy.qual, policy.table).toContain(setting);
  }
  expect(restrictive.map(({ table }) => table).toSorted()).toEqual([
    'attribution_receipt',
    'commission_line',
    'customer',
    'event',
    'event_detail',
    'payout',
    'posting',
    'rate_override',
    'referral_code',
    'referral_link',
  ]);
});

/** Read across tenants by the functions of cross-tenant-lookups.ts, beside the queues of what is due. */
const LOOKED_UP = [
  'api_key',
  'auth_provider',
  'kyc_settings',
  'link_slug',
  'link_tag',
  'outgoing_unsealed',
  'payment_settings',
  'provider_account',
  'rollup_state',
  'sandbox_clock',
  'staff',
  'staff_challenge',
  'staff_failure',
  'staff_invite',
  'staff_passkey',
  'staff_session',
  'staff_totp',
  'tenant',
  'webhook_endpoint',
];

/** What the retention of the audit log may delete. */
const AGEING = ['audit_block', 'audit_block_entry', 'audit_head', 'audit_log', 'audit_origin'];

test('no policy speaks to everybody, and the other roles only read', async () => {
  const policies = await readPolicies();
  expect(policies.filter(({ roles }) => roles.includes('public'))).toEqual([]);
  const others = policies.filter(({ roles }) => !roles.includes('svc_app') && !roles.includes('svc_worker'));
  // A lock on a person's role needs a policy for updates; it lets none through.
  const isLock = ({ table, cmd, with_check }: (typeof others)[number]): boolean =>
    table === 'staff' && cmd === 'UPDATE' && with_check === 'false';
  expect(others.filter(isLock).map(({ roles }) => roles.join())).toEqual(['svc_auth']);
  const writing = others.filter((policy) => policy.cmd !== 'SELECT' && !isLock(policy));
  expect(new Set(writing.map(({ roles }) => roles.join()))).toEqual(new Set(['svc_eraser']));
  const due = functionParts.flatMap((feature) => Object.values(feature.due ?? {}).flat());
  const queues = due.flatMap((part) => ('table' in part ? [part.table] : []));
  const inSandbox = /^\(\(environment = 'SANDBOX'::text\) AND /;
  const outside = writing.filter(({ qual }) => !inSandbox.test(qual ?? ''));
  // Old audit entries are dropped in LIVE too, of the frame's own scope, and inside one function alone.
  expect(outside.map(({ table }) => table).toSorted()).toEqual(AGEING);
  for (const { qual, table } of outside) {
    expect(qual, table).toMatch(/^\(\(tenant_id = .*app\.tenant_id.* AND \(environment = .*app\.environment.* AND /s);
    expect(qual, table).toMatch(/app\.audit_retention.* = 'on'::text\)\)$/s);
  }
  expect(
    others
      .filter((policy) => policy.roles.includes('svc_auth') && !isLock(policy))
      .map(({ table }) => table)
      .toSorted(),
  ).toEqual([...new Set([...LOOKED_UP, ...queues])].toSorted());
});

test('the service has no right that passes row security by', async () => {
  const rights = await database.asSuperuser<{ table: string; right: string }>(
    `select t.name as table, p.right from unnest($1::text[]) t(name), unnest(array['TRUNCATE', 'REFERENCES', 'TRIGGER']) p("right"),
       unnest(array['svc_app', 'svc_worker', 'svc_auth', 'svc_admin', 'svc_eraser']) r(name)
     where has_table_privilege(r.name, t.name, p.right)`,
    [[...tables, 'tenant']],
  );
  expect(rights).toEqual([]);
  const roles = await database.asSuperuser(
    `select rolname from pg_roles where rolname in ('svc_app', 'svc_worker', 'svc_auth', 'svc_admin', 'svc_eraser')
       and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb)`,
  );
  expect(roles).toEqual([]);
});

const FOR_WORKERS = ['due_scopes', 'webhooks_due', 'analyze_for_import', 'staff_name'];

test("what runs with other rights than the caller's belongs to a role nobody logs in as, has a fixed path, and is not for everybody", async () => {
  const definers = await database.asSuperuser<{
    name: string;
    owner: string;
    config: string[] | null;
    open: boolean;
    worker: boolean;
  }>(
    `select p.proname as name, pg_get_userbyid(p.proowner) as owner, p.proconfig as config,
            has_function_privilege('public', p.oid, 'EXECUTE') as open, has_function_privilege('svc_worker', p.oid, 'EXECUTE') as worker
     from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef order by 1`,
  );
  expect(definers.length).toBeGreaterThan(0);
  for (const definer of definers) {
    // Whatever else is set chooses between plans only.
    const settings = (definer.config ?? []).filter((setting) => !/^((enable_\w+|jit)=off|plan_cache_mode=\w+)$/.test(setting));
    const drops = definer.name === 'drop_audit_blocks';
    const owner = definer.name === 'erase_sandbox' || drops ? 'svc_eraser' : 'svc_auth';
    expect(settings, definer.name).toEqual(['search_path=public, pg_temp']);
    expect(definer).toMatchObject({
      owner,
      open: false,
      worker: FOR_WORKERS.includes(definer.name) || drops,
    });
  }
});

test('every view runs with the rights of its caller', async () => {
  const views = await database.asSuperuser(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
       and not coalesce('security_invoker=true' = any (reloptions), false)`,
  );
  expect(views).toEqual([]);
});
