/** Who may export what: the key's scopes, whose export it is, what may be asked for. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';
import { exportFile, exportsPath, KINDS, newExport } from './export-calls.ts';

let app: TestApp;
let tenant: TestTenant;

const READ_SCOPES: Record<(typeof KINDS)[number], string> = {
  members: 'members:read',
  commissions: 'commissions:read',
  events: 'events:read',
  ledger: 'ledger:read',
  payouts: 'payouts:read',
  trialBalance: 'ledger:read',
  auditLogs: 'admin:audit',
};

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
});
afterAll(() => app.close());

const keyWith = async (...scopes: string[]) =>
  (await app.tenants.createKey({ tenantId: tenant.tenantId, environment: 'LIVE', scopes })).apiKey;
const others = (scope: string) => [...new Set(Object.values(READ_SCOPES))].filter((one) => one !== scope);

describe.each(KINDS)('of %s', (kind) => {
  const scope = READ_SCOPES[kind];

  test('a key needs the scope of exports and that of the list', async () => {
    const allowed = await keyWith('exports:write', scope);
    const { run } = await exportFile(app, allowed, { kind });
    const withoutExports = apiClient(app, await keyWith(scope));
    const weaker = apiClient(app, await keyWith('exports:write', ...others(scope)));
    const body = { kind, format: 'csv' };
    expectRefusal(await withoutExports.post(exportsPath, body), 403, 'FORBIDDEN');
    const refused = await weaker.post(exportsPath, body);
    expectRefusal(refused, 403, 'FORBIDDEN');
    expect(refused.body.error).toContain(`the scope ${scope},`);
    for (const client of [withoutExports, weaker]) {
      expectRefusal(await client.get(`${exportsPath}/${run.id}`), 403, 'FORBIDDEN');
      expectRefusal(await client.post(`${exportsPath}/${run.id}/cancel`, {}), 403, 'FORBIDDEN');
      expectRefusal(await client.post(`${exportsPath}/${run.id}/download-url`, {}), 403, 'FORBIDDEN');
      expectRefusal(await client.get(`${exportsPath}?kind=${kind}`), 403, 'FORBIDDEN');
    }
    const listed = (await weaker.get(`${exportsPath}?limit=100`)).body.data as { kind: string }[];
    expect(listed.filter((one) => one.kind === kind)).toEqual([]);
    const mine = (await apiClient(app, allowed).get(`${exportsPath}?kind=${kind}`)).body.data as { id: string }[];
    expect(mine.map(({ id }) => id)).toContain(run.id);
  });

  test('another tenant and the other environment know nothing of it', async () => {
    const { run } = await exportFile(app, tenant.liveKey, { kind });
    const stranger = await app.newTenant();
    for (const key of [stranger.liveKey, stranger.sandboxKey, tenant.sandboxKey]) {
      const client = apiClient(app, key);
      expectRefusal(await client.get(`${exportsPath}/${run.id}`), 404, 'NOT_FOUND');
      expectRefusal(await client.post(`${exportsPath}/${run.id}/cancel`, {}), 404, 'NOT_FOUND');
      expectRefusal(await client.post(`${exportsPath}/${run.id}/download-url`, {}), 404, 'NOT_FOUND');
      expect((await client.get(exportsPath)).body.data).toEqual([]);
    }
  });
});

test('a member may do none of it', async () => {
  const client = apiClient(app, tenant.liveKey);
  const { id: memberId } = await client.newMember();
  const { accessToken } = await plantSession(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, memberId);
  const { run } = await exportFile(app, tenant.liveKey, { kind: 'commissions', filters: { userId: memberId } });
  const bearer = { authorization: `Bearer ${accessToken}` };
  const body = { kind: 'commissions', format: 'csv', filters: { userId: memberId } };
  expectRefusal(await client.post(exportsPath, body, bearer), 403, 'FORBIDDEN');
  expectRefusal(await client.get(exportsPath, bearer), 403, 'FORBIDDEN');
  expectRefusal(await client.get(`${exportsPath}/${run.id}`, bearer), 403, 'FORBIDDEN');
  expectRefusal(await client.post(`${exportsPath}/${run.id}/cancel`, {}, bearer), 403, 'FORBIDDEN');
  expectRefusal(await client.post(`${exportsPath}/${run.id}/download-url`, {}, bearer), 403, 'FORBIDDEN');
});

test.each<[string, object, string[]]>([
  ['no kind', { format: 'csv' }, ['kind']],
  ['an unknown kind', { kind: 'keys', format: 'csv' }, ['kind']],
  ['no format', { kind: 'members' }, ['format']],
  ['an unknown format', { kind: 'members', format: 'pdf' }, ['format']],
  ['a filter that is not known', { kind: 'members', format: 'csv', filters: { color: 'red' } }, ['filters.color']],
  ['a filter of another kind', { kind: 'payouts', format: 'csv', filters: { tier: 'SENIOR' } }, ['filters.tier']],
  ['paging', { kind: 'members', format: 'csv', filters: { limit: 5, cursor: 'x' } }, ['filters.limit', 'filters.cursor']],
  [
    'malformed filters',
    { kind: 'members', format: 'csv', filters: { isActive: 'true', sponsorId: 'me', joinedFrom: 'today', tier: 'KING' } },
    ['filters.tier', 'filters.isActive', 'filters.sponsorId', 'filters.joinedFrom'],
  ],
  ['a level that is a text', { kind: 'commissions', format: 'csv', filters: { level: '1' } }, ['filters.level']],
  ['a level that cannot be', { kind: 'commissions', format: 'csv', filters: { level: 257 } }, ['filters.level']],
  ['half a month', { kind: 'commissions', format: 'csv', filters: { period: '2026-13' } }, ['filters.period']],
  ['a time without a zone', { kind: 'ledger', format: 'csv', filters: { from: '2026-01-01T00:00:00' } }, ['filters.from']],
  [
    'no currency',
    { kind: 'trialBalance', format: 'csv', filters: { currency: 'qqq', asOf: 1 } },
    ['filters.asOf', 'filters.currency'],
  ],
  ['an unknown field', { kind: 'members', format: 'csv', columns: ['id'] }, ['columns']],
])('%s is 400 and named', async (_name, body, fields) => {
  expectRefusal(await apiClient(app, tenant.liveKey).post(exportsPath, body), 400, 'VALIDATION_ERROR', fields);
});

test('a cursor is good for its list only', async () => {
  const own = await app.newTenant();
  const client = apiClient(app, own.liveKey);
  for (const kind of ['members', 'events', 'members']) await newExport(app, own.liveKey, { kind });
  const first = await client.get(`${exportsPath}?limit=2`);
  expect(first.body).toMatchObject({ hasMore: true, data: [{ kind: 'members' }, { kind: 'events' }] });
  const { nextCursor } = first.body as { nextCursor: string };
  const second = await client.get(`${exportsPath}?limit=2&cursor=${nextCursor}`);
  expect(second.body).toMatchObject({ hasMore: false, data: [{ kind: 'members' }] });
  expectRefusal(await client.get(`${exportsPath}?kind=members&cursor=${nextCursor}`), 400, 'VALIDATION_ERROR', ['cursor']);
  expect((await client.get(`${exportsPath}?status=completed`)).body.data).toEqual([]);
  expect((await client.get(`${exportsPath}?kind=events`)).body.data).toHaveLength(1);
});
