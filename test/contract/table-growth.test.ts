/** Every table of the tenants' rows is known to grow, to be a queue, or to stay small: autovacuum is set by that. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';

/** So many rows a tenant that the defaults of PostgreSQL do: settings, keys, plans, blocks of many entries, rare events. */
const SMALL = [
  'api_key',
  'approval_tie',
  'audit_block',
  'audit_head',
  'auth_provider',
  'commission_plan',
  'commission_plan_version',
  'commission_settings',
  'commission_total',
  'erased_code',
  'event_snapshot',
  'exchange_rate',
  'export_object',
  'export_run',
  'import_run',
  'kyc_settings',
  'ledger_block',
  'ledger_check',
  'ledger_total',
  'link_tag',
  'mail_refusal',
  'mail_settings',
  'member_group',
  'member_settings',
  'outgoing_head',
  'payment_settings',
  'payout_block',
  'payout_hold',
  'payout_reconciliation',
  'payout_run',
  'payout_schedule',
  'payout_schedule_run',
  'pending_change',
  'pending_change_field',
  'referral_settings',
  'rollup_state',
  'sandbox_clock',
  'saved_view',
  'session_cutoff',
  'staff',
  'staff_challenge',
  'staff_failure',
  'staff_invite',
  'staff_passkey',
  'staff_provider',
  'staff_recovery_code',
  'staff_session',
  'staff_totp',
  'webhook_endpoint',
  'webhook_hearing',
  'webhook_hour',
  'webhook_settings',
];

const LARGE = [
  'autovacuum_analyze_scale_factor=0.01',
  'autovacuum_vacuum_insert_scale_factor=0.01',
  'autovacuum_vacuum_scale_factor=0.01',
];
const QUEUE = ['autovacuum_vacuum_scale_factor=0', 'autovacuum_vacuum_threshold=1000'];

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a new table is set to grow, to be a queue, or is named as small', async () => {
  const rows = await database.asSuperuser<{ name: string; options: string[] | null }>(
    `select c.relname as name, c.reloptions as options from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind = 'r'
       and exists (select from pg_attribute k where k.attrelid = c.oid and k.attname = 'environment' and not k.attisdropped)
     order by c.relname`,
  );
  const kinds = Object.groupBy(rows, ({ options }) => {
    const own = JSON.stringify(options?.toSorted() ?? []);
    return own === JSON.stringify(LARGE) ? 'large' : own === JSON.stringify(QUEUE) ? 'queue' : own === '[]' ? 'default' : 'other';
  });
  expect(kinds.default?.map(({ name }) => name)).toEqual(SMALL);
  expect(kinds.other).toBeUndefined();
  expect(kinds.large?.length).toBeGreaterThan(30);
  expect(kinds.queue?.map(({ name }) => name)).toContain('ledger_unsealed');
});

test('the queue of the jobs is a queue', async () => {
  const rows = await database.asSuperuser<{ options: string[] }>(
    "select reloptions as options from pg_class where oid = 'pgboss.job_common'::regclass",
  );
  expect(rows[0]?.options.toSorted()).toEqual(QUEUE);
});
