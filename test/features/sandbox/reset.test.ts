/**
 * POST /sandbox/reset: everything of one SANDBOX is gone, and nothing of anybody else's
 * (docs/specification/sandbox.md#reset).
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sealAuditLog } from '../../../src/features/audit/seal-audit-log.ts';
import { house } from '../../../src/features.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { emptyLog } from '../../support/app/empty-log.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { digestRows, listTenantTables } from '../../support/database/walls.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { newUpline } from '../../support/money/model-upline.ts';

const RESET = '/api/v1/sandbox/reset';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.sandboxKey);
});
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

/** Something of everything there is, through the API. Returns how many members it made. */
async function fill(key: string): Promise<number> {
  const by = apiClient(app, key);
  const chain = await newUpline(by, 'D D D');
  const [low, mid, top] = chain;
  await by.post('/api/v1/leads/capture', { email: `${randomUUID()}@lead.example`, referral_code: low?.referral_code });
  await by.patch(`/api/v1/users/${mid?.id}`, { membership_tier: 'MANAGER', is_active: false });
  expect((await by.post('/api/v1/referrals/clicks', { referral_code: low?.referral_code })).status).toBe(201);
  expect((await by.post(`/api/v1/members/${low?.id}/sponsor`, { sponsorId: top?.id })).status).toBe(200);
  for (const fields of [{ attribution: { user_id: low?.id } }, { buyer_user_id: low?.id, metadata: { note: 'x' } }]) {
    expect((await by.post('/api/v1/events/purchase', by.purchaseBody(fields))).status).toBe(201);
  }
  return chain.length;
}

/** Rows of the tenant's SANDBOX, by table; empty tables are left out. */
async function rowsLeft(): Promise<Record<string, number>> {
  const left: Record<string, number> = {};
  for (const table of await listTenantTables(app.database)) {
    const [row] = await app.database.asSuperuser<{ n: number }>(
      `select count(*)::int as n from ${table} where tenant_id = $1 and environment = 'SANDBOX'`,
      [tenant.tenantId],
    );
    if (row && row.n > 0) left[table] = row.n;
  }
  return left;
}

test('leaves a new environment: keys, the default plan, and nothing else', async () => {
  await fill(tenant.sandboxKey);
  await client.post('/api/v1/sandbox/clock', { frozenAt: '2100-01-01T00:00:00Z' });
  const entry = { audit_log: 1, audit_origin: 1, audit_unsealed: 1 };
  const fresh = { api_key: 1, commission_plan: 1, commission_plan_version: 1, ...entry };
  expect(Object.keys(await rowsLeft()).length).toBeGreaterThan(12);
  const answer = await client.post(RESET, {});
  expect([answer.status, answer.body]).toEqual([200, { eventsErased: 2, membersErased: 3, now: expect.any(String) }]);
  expect(Math.abs(Date.parse(answer.body.now) - Date.now())).toBeLessThan(60_000);
  expect(await rowsLeft()).toEqual(fresh);
  const [latest] = (await client.get('/api/v1/admin/audit-logs')).body.data;
  expect(latest).toMatchObject({
    action: 'sandbox.reset',
    actor: { kind: 'api_key' },
    operationId: 'resetSandbox',
    details: { eventsErased: 2, membersErased: 3 },
  });
  expect((await client.get('/api/v1/users')).body.data).toEqual([]);
  const { body: clock } = await client.get('/api/v1/sandbox/clock');
  expect([clock.frozen, Math.abs(Date.parse(clock.now) - Date.now()) < 60_000]).toEqual([false, true]);
});

/** What the features keep, in the words of docs/commissions.md. */
const KEPT: Record<string, string> = {
  api_key: 'the API keys',
  tenant: 'of the SANDBOX', // the tenant itself is of both environments
  idempotency_key: 'used Idempotency-Keys',
  referral_settings: 'the settings of commissions, members, referrals, verification and payouts',
  kyc_settings: 'the settings of commissions, members, referrals, verification and payouts',
  payment_settings: 'the settings of commissions, members, referrals, verification and payouts',
  payout_schedule: 'the settings of commissions, members, referrals, verification and payouts',
  auth_provider: 'the identity providers',
  signing_key: 'of the SANDBOX', // of the deployment
  link_tag: 'the tag in the slugs of links',
  link_slug: 'slugs of one’s own',
  mail_settings: 'the settings of commissions, members, referrals, verification and payouts',
  commission_settings: 'the settings of commissions, members, referrals, verification and payouts',
  member_settings: 'the settings of commissions, members, referrals, verification and payouts',
  // Of both environments.
  staff: 'the people of the tenant',
  staff_session: 'the people of the tenant',
  staff_invite: 'the people of the tenant',
  staff_failure: 'the people of the tenant',
  staff_challenge: 'the people of the tenant',
  staff_passkey: 'the people of the tenant',
  staff_totp: 'the people of the tenant',
  staff_recovery_code: 'the people of the tenant',
  staff_provider: 'the people of the tenant',
  pending_change: 'of the SANDBOX', // nothing waits there
  pending_change_field: 'of the SANDBOX',
  payout_freeze: 'of the SANDBOX', // of the deployment
  schema_need: 'of the SANDBOX', // of the schema
  object_removal: 'notes of files that are still to be removed',
  export_object: 'notes of files that are still to be removed',
  event_snapshot: 'notes of files that are still to be removed',
  webhook_endpoint: 'the endpoints of webhooks',
  webhook_hearing: 'the endpoints of webhooks',
  webhook_settings: 'the settings of commissions, members, referrals, verification and payouts',
  outgoing_head: 'the number of the last event',
};

test('what stays is what the guide says, and what the features say', async () => {
  expect(house.features.flatMap(({ kept = [] }) => kept).toSorted()).toEqual(Object.keys(KEPT).toSorted());
  const guide = readFileSync('docs/commissions.md', 'utf8');
  const said = guide.slice(guide.indexOf('`POST /sandbox/reset`'));
  expect(Object.values(KEPT).filter((words) => !said.includes(words))).toEqual([]);
  await fill(tenant.sandboxKey);
  const settings = await client.patch('/api/v1/admin/settings', {
    referrals: { allowedDestinationHosts: ['shop.example'] },
    kyc: { provider: 'manual' },
  });
  expect(settings.status, settings.text).toBe(200);
  const [member] = (await client.get('/api/v1/users')).body.data;
  const link = await client.post('/api/v1/referrals/links', { user_id: member.id, destination_url: 'https://shop.example/' });
  expect(link.status, link.text).toBe(201);
  const before = await rowsLeft();
  expect((await client.post(RESET, {})).status).toBe(200);
  const left = await rowsLeft();
  const { commission_plan: plans, commission_plan_version: versions, ...rest } = left;
  const { audit_log: entries, audit_origin: origins, audit_unsealed: unsealed, ...kept } = rest;
  expect([plans, versions, entries, origins, unsealed]).toEqual([1, 1, 1, 1, 1]);
  expect(kept).toEqual(Object.fromEntries(Object.entries(before).filter(([table]) => table in KEPT)));
  expect(Object.keys(kept)).toEqual(expect.arrayContaining(['api_key', 'link_tag', 'referral_settings']));
  expect((await client.get('/api/v1/admin/settings')).body.referrals).toEqual(settings.body.referrals);
});

test('the audit log begins anew with the entry of the reset, and verifies', async () => {
  const scope = { tenantId: tenant.tenantId, environment: 'SANDBOX' as const };
  const live = apiClient(app, tenant.liveKey);
  await emptyLog(app, tenant.tenantId);
  await live.post('/api/v1/admin/api-keys', { name: 'stays', scopes: ['members:read'] });
  const entriesOf = async (by: ApiClient) => (await by.get('/api/v1/admin/audit-logs')).body.data;
  const ofLive = await entriesOf(live);
  expect(ofLive).toHaveLength(1);
  await client.post('/api/v1/admin/api-keys', { name: 'gone', scopes: ['members:read'] });
  expect(await app.composition.frames.write(scope, (db) => sealAuditLog(db, scope))).toBe(1);
  await client.post('/api/v1/admin/api-keys', { name: 'gone too', scopes: ['members:read'] });
  expect((await client.post(RESET, {})).status).toBe(200);
  const data = await entriesOf(client);
  expect(data).toEqual([
    expect.objectContaining({
      action: 'sandbox.reset',
      actor: expect.objectContaining({ kind: 'api_key', id: expect.any(String) }),
      operationId: 'resetSandbox',
      target: { kind: 'sandbox', id: tenant.tenantId },
      details: { eventsErased: 0, membersErased: 0 },
    }),
  ]);
  expect(await app.composition.frames.write(scope, (db) => sealAuditLog(db, scope))).toBe(1);
  const { body } = await client.get('/api/v1/admin/ledger/verify');
  expect(body.auditLog).toMatchObject({ ok: true, blocks: 1, entries: 1, unsealed: 0, dropped: null, head: { seq: 1 } });
  expect(await entriesOf(live)).toEqual(ofLive);
});

test('the same again works as the first time: emails, ids and codes are free, the plan pays', async () => {
  const by = client;
  const once = async () => {
    const top = await by.newMember({ email: 'top@shop.example', external_id: 'top', membership_tier: 'DIRECTOR' });
    const low = await by.newMember({ email: 'low@shop.example', parent_id: top.id });
    const body = { ...by.purchaseBody({ external_event_id: 'order-1' }), attribution: { user_id: low.id } };
    const answer = await by.post('/api/v1/events/purchase', body);
    return [answer.status, answer.body.commissions.map((line: { amount_minor: number }) => line.amount_minor)];
  };
  const first = await once();
  expect(first).toEqual([201, [1_000, 500]]);
  await client.post(RESET, {});
  expect(await once()).toEqual(first);
});

test('an empty environment has nothing to erase', async () => {
  expect((await client.post(RESET, {})).body).toMatchObject({ eventsErased: 0, membersErased: 0 });
  expect((await client.post(RESET, {})).body).toMatchObject({ eventsErased: 0, membersErased: 0 });
});

test('nobody else’s rows change: not LIVE’s, not another tenant’s', async () => {
  const other = await app.newTenant();
  for (const key of [tenant.sandboxKey, tenant.liveKey, other.sandboxKey, other.liveKey]) await fill(key);
  await apiClient(app, other.sandboxKey).post('/api/v1/sandbox/clock', { advanceSeconds: 60 });
  const before = await digestRows(app.database, { tenantId: tenant.tenantId, environment: 'SANDBOX' });
  expect((await client.post(RESET, {})).body).toMatchObject({ eventsErased: 2, membersErased: 3 });
  expect(await digestRows(app.database, { tenantId: tenant.tenantId, environment: 'SANDBOX' })).toBe(before);
});

describe('the body', () => {
  test('may be missing or empty', async () => {
    const bare = await app.http.post(RESET).set('x-tenant-api-key', tenant.sandboxKey);
    expect([bare.status, (await client.post(RESET, {})).status]).toEqual([200, 200]);
  });

  test.each<[string, object, string]>([
    ['a field', { tenantId: randomUUID() }, 'tenantId'],
    ['a list', [], 'body'],
  ])('may not hold %s', async (_label, body, named) => {
    const members = await fill(tenant.sandboxKey);
    expectRefusal(await client.post(RESET, body), 400, 'VALIDATION_ERROR', [named]);
    expect((await client.get('/api/v1/users')).body.data).toHaveLength(members);
  });
});

test('LIVE is never erased', async () => {
  await fill(tenant.liveKey);
  const before = await digestRows(app.database);
  const live = apiClient(app, tenant.liveKey);
  expectRefusal(await live.post(RESET, {}), 403, 'ENVIRONMENT_MISMATCH');
  expectRefusal(await live.post(RESET, {}, { 'idempotency-key': 'k' }), 403, 'ENVIRONMENT_MISMATCH');
  expect(await digestRows(app.database)).toBe(before);
});

describe('with an Idempotency-Key', () => {
  test('a repeat erases nothing more and has the first answer', async () => {
    await fill(tenant.sandboxKey);
    const headers = { 'idempotency-key': 'reset-1' };
    const first = await client.post(RESET, {}, headers);
    const members = await fill(tenant.sandboxKey);
    const again = await client.post(RESET, {}, headers);
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true']);
    expect((await client.get('/api/v1/users')).body.data).toHaveLength(members);
  });

  test('keys of what is gone stay: a late repeat is answered and makes nothing anew', async () => {
    const create = () => client.post('/api/v1/users', { email: 'a@shop.example' }, { 'idempotency-key': 'a' });
    const first = await create();
    await client.post(RESET, {});
    const again = await create();
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, first.text, 'true']);
    expect((await client.get('/api/v1/users')).body.data).toEqual([]);
  });
});

test('a key without the scope erases nothing', async () => {
  const { apiKey } = await app.tenants.createKey({
    tenantId: tenant.tenantId,
    environment: 'SANDBOX',
    scopes: ['users:read', 'users:write', 'events:write', 'members:write'],
  });
  await fill(tenant.sandboxKey);
  const by = apiClient(app, apiKey);
  expectRefusal(await by.post(RESET, {}), 403, 'FORBIDDEN');
  expect((await by.get('/api/v1/users')).body.data).toHaveLength(3);
});
