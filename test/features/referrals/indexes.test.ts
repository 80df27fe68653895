/** What is read of many links, codes, clicks and leads is read by an index made for it. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db, Scope } from '../../../src/db/scope.ts';
import type { Statement } from '../../../src/db/statement.ts';
import type { LeadSort } from '../../../src/features/leads/lead-sorts.ts';
import { type LeadFilters, listLeads } from '../../../src/features/leads/leads-queries.ts';
import { listCodesStatement } from '../../../src/features/referrals/codes-queries.ts';
import { countedLinkStatement, listLinksStatement, MOST_COUNTED } from '../../../src/features/referrals/links-queries.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { vacuumWhole } from '../../support/database/vacuum.ts';
import { plantLink } from './plant-link.ts';

let app: TestApp;
let scope: Scope;
let linkId: string;

beforeAll(async () => {
  app = await startTestApp();
  const tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  const { id: memberId } = await apiClient(app, tenant.liveKey).newMember();
  for (let i = 0; i < 20; i++) ({ id: linkId } = await plantLink(app, scope, { memberId }));
  const { asSuperuser } = app.database;
  await asSuperuser(
    `insert into referral_click (tenant_id, environment, link_id, member_id, kind, clicked_at)
     select $1, 'LIVE', l.id, $2, (array['redirect', 'server', 'prefetch'])[1 + n % 3], now() - n * interval '1 second'
     from generate_series(1, 1000) n cross join (select id from referral_link where tenant_id = $1) l`,
    [scope.tenantId, memberId],
  );
  await asSuperuser(
    `insert into referral_code (tenant_id, environment, code, member_id, is_default, status)
     select $1, 'LIVE', 'CODE-' || n, $2, false, case when n % 500 = 0 then 'retired' else 'active' end from generate_series(1, 5000) n`,
    [scope.tenantId, memberId],
  );
  await asSuperuser(
    `insert into referral_link (tenant_id, environment, slug, member_id, destination_url, status, created_at, updated_at)
     select $1, 'LIVE', 'slug' || lpad(n::text, 8, '0'), $2, 'https://shop.example/',
            case when n % 500 = 0 then 'disabled' else 'active' end, now(), now() from generate_series(1, 5000) n`,
    [scope.tenantId, memberId],
  );
  await asSuperuser(
    `insert into lead (tenant_id, environment, email, source, created_at, updated_at)
     select $1, 'LIVE', n || '@lead.example', 'source-' || n % 500, now() - n * interval '1 hour', now() from generate_series(1, 5000) n`,
    [scope.tenantId],
  );
  await vacuumWhole(app.database, ['referral_click', 'referral_code', 'referral_link', 'lead']);
});
afterAll(() => app.close());

async function planOf({ text, values }: Statement<unknown>): Promise<string> {
  const client = new pg.Client({ connectionString: app.database.appUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query("select set_config('app.tenant_id', $1, true), set_config('app.environment', $2, true)", [
      scope.tenantId,
      scope.environment,
    ]);
    // Which indexes can serve it, not what is cheapest before the vacuum has seen every page.
    await client.query('set local enable_seqscan = off; set local enable_bitmapscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, [...values]);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await client.end();
  }
}

/** The statement that the listing runs. */
async function leadsStatement(filters: Partial<LeadFilters>, sort?: LeadSort): Promise<Statement<unknown>> {
  const none = { email: undefined, status: undefined, referrerUserId: undefined, createdFrom: undefined, createdTo: undefined };
  const statements: Statement<unknown>[] = [];
  const db = { rows: (statement: Statement<unknown>) => Promise.resolve(statements.push(statement) && []) } as unknown as Db;
  await listLeads(db, scope, { ...none, source: undefined, ...filters }, undefined, 51, sort);
  const [statement] = statements;
  if (!statement) throw new Error('the listing ran no statement');
  return statement;
}

test('the clicks of a link are counted in their index alone, and not without end', async () => {
  const plan = await planOf(countedLinkStatement(scope, linkId, undefined));
  expect(plan.match(/Index Only Scan using referral_click_link_idx/g)).toHaveLength(1);
  expect(plan.match(/Index Only Scan Backward using referral_click_link_idx/g)).toHaveLength(2);
  expect(plan).not.toMatch(/Bitmap|Sort/);
  expect(countedLinkStatement(scope, linkId, undefined).text).toContain(`limit ${MOST_COUNTED}`);
});

test('retired codes', async () => {
  const filters = { memberId: undefined, status: 'retired' } as const;
  expect(await planOf(listCodesStatement(scope, filters, undefined, 51))).toContain('referral_code_retired_idx');
  expect(await planOf(listCodesStatement(scope, filters, randomUUID(), 51))).toContain('referral_code_retired_idx');
});

test('disabled links', async () => {
  const filters = { memberId: undefined, status: 'disabled' } as const;
  expect(await planOf(listLinksStatement(scope, filters, undefined, 51))).toContain('referral_link_disabled_idx');
});

test('the newest links and leads, also of one member or source, backwards in the index of the others', async () => {
  const all = { memberId: undefined, status: undefined };
  for (const after of [undefined, randomUUID()]) {
    const newest = await planOf(listLinksStatement(scope, all, after, 51, '-created_at'));
    expect(newest).toContain('Index Scan Backward using referral_link_pkey');
    expect(newest).not.toContain('Sort');
    const disabled = await planOf(listLinksStatement(scope, { ...all, status: 'disabled' }, after, 51, '-created_at'));
    expect(disabled).toContain('Index Scan Backward using referral_link_disabled_idx');
  }
  const leads = await planOf(await leadsStatement({}, '-created_at'));
  expect(leads).toContain('Index Scan Backward using lead_pkey');
  expect(leads).not.toContain('Sort');
  expect(await planOf(await leadsStatement({ source: 'source-7' }, '-created_at'))).toContain(
    'Index Scan Backward using lead_source_idx',
  );
});

test('leads of one source, in their order', async () => {
  const plan = await planOf(await leadsStatement({ source: 'source-7' }));
  expect(plan).toContain('lead_source_idx');
  expect(plan).not.toContain('Sort');
});

test('leads of a while', async () => {
  const [from, to] = [new Date(Date.now() - 86_400_000), new Date(Date.now() - 43_200_000)];
  const filters = { createdFrom: from.toISOString(), createdTo: to.toISOString() };
  expect(await planOf(await leadsStatement(filters))).toContain('lead_created_idx');
});
