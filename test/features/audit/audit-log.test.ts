/** The audit log: written with the change, read newest first, never changed. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Actor, bySystem, type Provenance } from '../../../src/actor.ts';
import type { Scope } from '../../../src/db/scope.ts';
import { type AuditEntry, recordAudit } from '../../../src/features/audit/audit-service.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { newTenantWithEmptyLog } from '../../support/app/empty-log.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

const PATH = '/api/v1/admin/audit-logs';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let live: Scope;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await newTenantWithEmptyLog(app);
  client = apiClient(app, tenant.liveKey);
  live = { tenantId: tenant.tenantId, environment: 'LIVE' };
});
afterAll(() => app.close());

const by = (actor: Actor): Provenance => ({ actor, operationId: 'changeThing', requestId: randomUUID(), ip: '192.0.2.7' });

const entry = (fields: Partial<AuditEntry> = {}): AuditEntry => ({
  action: 'thing.changed',
  by: by({ kind: 'api_key', id: randomUUID() }),
  objectKind: 'thing',
  objectId: randomUUID(),
  ...fields,
});

const write = (fields: Partial<AuditEntry> = {}, scope = live) =>
  app.composition.frames.write(scope, (db) => recordAudit(db, scope, entry(fields)));

async function list(query = '', reader = client) {
  const answer = await reader.get(`${PATH}?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as { data: Record<string, unknown>[]; hasMore: boolean; nextCursor: string | null };
}
const actions = async (query: string, reader = client) => (await list(query, reader)).data.map((row) => row['action']);

describe('an entry', () => {
  test('says who did what to what, when', async () => {
    const told = entry({ details: { fields: ['surname'] } });
    await app.composition.frames.write(live, (db) => recordAudit(db, live, told));
    const { data } = await list();
    const { by: whence, ...what } = told;
    const { operationId, requestId, ip } = whence;
    const actor = { ...whence.actor, name: null };
    const stored = { ...what, actor, operationId, requestId, ip, target: { kind: what.objectKind, id: what.objectId } };
    expect(data[0]).toEqual({ ...stored, id: expect.any(String), createdAt: expect.any(String) });
    expect(data.slice(1).map((row) => row['action'])).toEqual([]);
    expect(Math.abs(Date.parse(String(data[0]?.['createdAt'])) - Date.now())).toBeLessThan(60_000);
  });

  test('may be of nobody and nothing in particular', async () => {
    await write({ by: bySystem('some-sweep'), objectKind: null, objectId: null });
    expect((await list()).data[0]).toMatchObject({
      actor: { kind: 'system', id: null, name: null },
      target: null,
      ip: null,
      objectKind: null,
      objectId: null,
      details: {},
    });
  });

  test('is gone with the change that fails', async () => {
    const failing = app.composition.frames.write(live, async (db) => {
      await recordAudit(db, live, entry());
      throw new Error('the change failed');
    });
    await expect(failing).rejects.toThrow('the change failed');
    expect(await actions('')).toEqual([]);
  });

  test('is neither changed nor deleted, not even by the owner of the table', async () => {
    await write();
    await expect(app.database.asSuperuser("update audit_log set action = 'other.thing'")).rejects.toThrow(/append-only|change/i);
    await expect(app.database.asSuperuser('delete from audit_log')).rejects.toThrow();
  });
});

describe('the list', () => {
  test('is newest first and paged without gap or repeat', async () => {
    for (const n of ['a', 'b', 'c', 'd', 'e']) await write({ action: `thing.${n}` });
    const seen: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(`limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
      expect(page.hasMore).toBe(page.nextCursor !== null);
      seen.push(...page.data.map((row) => row['action']));
      cursor = page.nextCursor;
      await write({ action: 'thing.later' });
    } while (cursor !== null);
    expect(seen).toEqual(['thing.e', 'thing.d', 'thing.c', 'thing.b', 'thing.a']);
  });

  test('keeps to every filter given', async () => {
    const actor = { kind: 'member', id: randomUUID() } as const;
    const objectId = randomUUID();
    await write({ action: 'thing.one', by: by(actor), objectId });
    await write({ action: 'thing.two', by: by(actor) });
    await write({ action: 'thing.three', objectKind: 'other', objectId });
    expect(await actions('action=thing.two')).toEqual(['thing.two']);
    expect(await actions(`actorId=${actor.id}`)).toEqual(['thing.two', 'thing.one']);
    expect(await actions('objectKind=other')).toEqual(['thing.three']);
    expect(await actions(`objectId=${objectId}`)).toEqual(['thing.three', 'thing.one']);
    expect(await actions(`objectId=${objectId}&actorId=${actor.id}`)).toEqual(['thing.one']);
    expect(await actions('actorKind=member')).toEqual(['thing.two', 'thing.one']);
    expect(await actions(`actorKind=api_key&actorId=${actor.id}`)).toEqual([]);
    expect(await actions('targetKind=other')).toEqual(['thing.three']);
    expect(await actions(`targetId=${objectId}`)).toEqual(['thing.three', 'thing.one']);
    expect(await actions(`targetKind=thing&targetId=${objectId}`)).toEqual(['thing.one']);
    expect(await actions(`targetKind=thing&objectKind=other`)).toEqual([]);
    await write({ action: 'thing.four', by: { ...by(actor), operationId: 'otherThing' } });
    expect(await actions('operationId=otherThing')).toEqual(['thing.four']);
    expect(await actions(`operationId=changeThing&targetKind=other`)).toEqual(['thing.three']);
    expect((await client.get(`${PATH}?actorKind=nobody`)).status).toBe(400);
  });

  test('names the key and the member that acted as they are called now', async () => {
    const { id: keyId } = (await client.post('/api/v1/admin/api-keys', { name: 'till', scopes: ['members:read'] })).body;
    const member = await client.newMember({ name: 'Ada' });
    await write({ action: 'thing.one', by: by({ kind: 'api_key', id: keyId }) });
    await write({ action: 'thing.two', by: by({ kind: 'member', id: member.id }) });
    await write({ action: 'thing.three', by: by({ kind: 'vendor', id: 'kycvendor' }) });
    const names = async () => (await list('limit=3')).data.map((row) => (row['actor'] as { name: string | null }).name);
    expect(await names()).toEqual(['kycvendor', 'Ada', 'till']);
    await client.patch(`/api/v1/members/${member.id}/profile`, { givenName: 'Eve', surname: 'Eve' });
    await client.post(`/api/v1/members/${member.id}/erasure`, {});
    await expect(names()).resolves.not.toContain('Ada');
  });

  test('is of a time from its beginning up to before its end', async () => {
    await write();
    const at = String((await list()).data[0]?.['createdAt']);
    const after = new Date(Date.parse(at) + 1).toISOString();
    const of = async (from: string, to: string) => (await list(`from=${from}&to=${to}`)).data.length;
    expect([await of(at, after), await of(after, '2099-01-01T00:00:00Z'), await of('2000-01-01T00:00:00Z', at)]).toEqual([
      1, 0, 0,
    ]);
    expect((await client.get(`${PATH}?from=yesterday`)).status).toBe(400);
  });

  test('shows nothing of another tenant or environment', async () => {
    await write();
    await write({ action: 'thing.tried' }, { tenantId: tenant.tenantId, environment: 'SANDBOX' });
    const other = await newTenantWithEmptyLog(app);
    expect(await actions('', apiClient(app, other.liveKey))).toEqual([]);
    expect(await actions('', apiClient(app, tenant.sandboxKey))).toEqual(['thing.tried']);
    expect(await actions('')).toEqual(['thing.changed']);
  });

  test('needs its own scope', async () => {
    const { apiKey } = await app.tenants.createKey({ ...live, scopes: ['admin:rates', 'members:read'] });
    expect((await apiClient(app, apiKey).get(PATH)).body.code).toBe('FORBIDDEN');
  });
});
