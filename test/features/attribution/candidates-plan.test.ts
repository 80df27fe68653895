/** The candidates are found by probes of indexes, also by a plan that was made while the tables were empty. */
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db, Scope } from '../../../src/db/scope.ts';
import type { Statement } from '../../../src/db/statement.ts';
import { type CandidatesQuery, readCandidates } from '../../../src/features/attribution/candidates-queries.ts';
import { connectInScope } from '../../support/database/scoped-client.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.ts';

const MANY = 20_000;
const scope: Scope = { tenantId: '00000000-0000-7000-8000-000000000001', environment: 'LIVE' };
const idOf = (n: number) => `00000000-0000-7000-8000-${n.toString().padStart(12, '0')}`;

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  const id = (n: string) => `('00000000-0000-7000-8000-' || lpad(${n}::text, 12, '0'))::uuid`;
  const rows = (table: string, columns: string, values: string) =>
    `insert into ${table} (tenant_id, environment, id, ${columns})
       select '${scope.tenantId}', 'LIVE', ${id('n')}, ${values} from generate_series(1, ${MANY}) n;`;
  const tables = ['member', 'referral_code', 'lead', 'customer', 'referral_click'];
  await database.asSuperuser(tables.map((table) => `alter table ${table} set (autovacuum_enabled = false)`).join('; '));
  client = await connectInScope(database, scope);
  await client.query('set plan_cache_mode = force_generic_plan');
  const { text, values } = await statementOf({ ...nothing, subject: 'purchase' });
  await client.query(`prepare found as ${text}`);
  await client.query(`execute found(${given(values)})`);
  await database.asSuperuser(`
    set session_replication_role = replica;
    ${rows(
      'member',
      'email, email_norm, membership_tier, is_active, can_recruit, is_test_user, pay_currency',
      "n || '@m.example', n || '@m.example', 'ORDINARY', true, true, false, 'USD'",
    )}
    ${rows('referral_code', 'code, member_id, is_default', `'CODE-' || n, ${id('n')}, true`)}
    ${rows('lead', 'email, referrer_user_id', `n || '@l.example', ${id('n')}`)}
    ${rows('customer', 'external_id, email, email_norm', "'c' || n, n || '@l.example', n || '@l.example'")}
    ${rows(
      'referral_click',
      'link_id, member_id, kind, clicked_at, customer_external_id',
      `${id('n')}, ${id('n')}, 'redirect', now(), 'c' || n`,
    )}
    set session_replication_role = origin`);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

async function statementOf(query: CandidatesQuery): Promise<Statement<unknown>> {
  let sent: Statement<unknown> | undefined;
  const row = async (statement: Statement<unknown>) => {
    sent = statement;
    return undefined;
  };
  await expect(readCandidates({ row } as unknown as Db, scope, query)).rejects.toThrow('no row');
  if (!sent) throw new Error('nothing was sent');
  return sent;
}

const given = (values: readonly unknown[]) =>
  values.map((value) => (typeof value === 'string' ? `'${value}'` : 'null')).join(', ');

const nothing = {
  asOf: null,
  explicitUserId: null,
  referralCode: null,
  linkId: null,
  clickId: null,
  leadId: null,
  customerExternalId: null,
  emailNorm: null,
};

test.each<[string, CandidatesQuery]>([
  [
    'a purchase that names everything',
    {
      subject: 'purchase',
      asOf: new Date().toISOString(),
      explicitUserId: idOf(7),
      referralCode: 'CODE-8',
      linkId: idOf(9),
      clickId: idOf(10),
      leadId: idOf(11),
      customerExternalId: 'c12',
      emailNorm: '13@l.example',
    },
  ],
  ['a purchase of a known customer', { ...nothing, subject: 'purchase', customerExternalId: 'c12' }],
  ['a member’s email', { ...nothing, subject: 'purchase', customerExternalId: 'new', emailNorm: '14@m.example' }],
  ['a lead', { ...nothing, subject: 'lead', referralCode: 'CODE-8', emailNorm: '13@l.example' }],
])('%s', async (_label, query) => {
  const { values } = await statementOf(query);
  const explain = `explain (analyze, buffers, format json) execute found(${given(values)})`;
  await client.query(explain); // the first reads the catalog
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explain);
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  expect((plan?.['Shared Hit Blocks'] ?? Number.NaN) + (plan?.['Shared Read Blocks'] ?? 0)).toBeLessThan(100);
});
