/**
 * Who did it: every operation that writes, and every read of protected data, is called as each kind of actor that may,
 * and what the call leaves must name that actor. Source: docs/specification/conventions.md#actors.
 */
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../../src/actor.ts';
import { actorRef } from '../../src/actor.ts';
import type { Operation } from '../../src/http/operation.ts';
import { type CallAnswer, call } from '../support/app/http-call.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { digestRows } from '../support/database/walls.ts';
import { plantSession } from '../support/identity/sessions.ts';
import { testIssuer } from '../support/identity/test-issuer.ts';
import { type FakeKycVendor, startFakeKycVendor } from '../support/kyc/fake-kyc-vendor.ts';
import { openKycSide } from '../support/kyc/kyc-deliveries.ts';
import type { MatrixRequest } from '../support/matrix/matrix-row.ts';
import { matrixRows, sideOf, worldOf } from '../support/matrix/matrix-rows.ts';
import { plantWorld, type Side, type World } from '../support/matrix/matrix-world.ts';
import { callAsOwner, ownerOf } from '../support/matrix/person-call.ts';
import { eventText, signatureOf } from '../support/payments/payment-delivery.ts';
import { openShop, paidEvent, SECRETS } from '../support/payments/payment-shop.ts';

const SHOP = 'https://shop.example/';

let app: TestApp;
let world: World;
let vendor: FakeKycVendor;
/** Tables whose rows keep who made them. */
let naming: string[];

const sql = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  app.database.asSuperuser<Row>(text, values);

beforeAll(async () => {
  vendor = await startFakeKycVendor();
  app = await startTestApp({ OUTGOING_ALLOWED_HOSTS: `${vendor.host},${(await testIssuer()).server.host}` });
  world = await plantWorld(app);
  const columns = await sql<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'created_by' and not a.attisdropped
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  naming = columns.map(({ name }) => name);
});
afterAll(async () => {
  await app.close();
  vendor.close();
});

function operationOf(operationId: string): Operation {
  const found = app.composition.app.operations.find((operation) => operation.operationId === operationId);
  if (!found) throw new Error(`no operation ${operationId}`);
  return found;
}

const writes = ({ method, writesNothing }: Operation): boolean => method !== 'get' && writesNothing === undefined;

/** What a call left of its actor: `audit`, or the tables with a row that names it. */
async function tracesOf(actor: Actor, operationId: string, requestId: string): Promise<string[]> {
  const entries = await sql(
    `select from audit_log where actor_kind = $1 and actor_id is not distinct from $2 and operation_id = $3 and request_id = $4`,
    [actor.kind, actor.id, operationId, requestId],
  );
  return entries.length > 0 ? ['audit'] : [];
}

/** How many rows of each table name the actor. */
async function rowsOf(actor: Actor): Promise<Map<string, number>> {
  const counts = naming.map(
    (table) => `select '${table}' as name, count(*)::int as count from ${table} where created_by::text = $1`,
  );
  const rows = await sql<{ name: string; count: number }>(counts.join(' union all '), [actorRef(actor)]);
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** Calls, and returns by what the actor is named afterwards. */
async function leavesOf(actor: Actor, operationId: string, send: (requestId: string) => Promise<number>): Promise<string[]> {
  const requestId = `actor-${randomUUID()}`;
  const before = await rowsOf(actor);
  expect(await send(requestId), operationId).toBeLessThan(300);
  const after = await rowsOf(actor);
  const tables = [...after].filter(([table, count]) => count > (before.get(table) ?? 0)).map(([table]) => table);
  return [...(await tracesOf(actor, operationId, requestId)), ...tables];
}

function sendTo({ method, path }: Operation, request: MatrixRequest, headers: Record<string, string>): Promise<CallAnswer> {
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(request.path?.[name] ?? ''));
  const query = new URLSearchParams(request.query ?? {}).toString();
  return call(app.baseUrl, {
    method: method.toUpperCase(),
    target: query === '' ? filled : `${filled}?${query}`,
    headers,
    body: request.body,
    csv: request.csv,
  });
}

/** Each is another than the one before. */
const zones = ['Europe/Berlin', 'Europe/Paris', 'Europe/Madrid', 'Europe/Rome'].values();

/** Requests that change something each time, where those of the matrix may find it done. */
const changing: Record<string, (side: Side, memberId: string) => Promise<MatrixRequest>> = {
  updateUser: async ({ child }) => ({ path: { user_id: child.id }, body: { name: randomUUID() } }),
  addGroupMembers: async ({ child }) => ({
    path: { key: 'default' },
    body: { userIds: [child.id], effectiveAt: '2026-01-01T00:00:00Z' },
  }),
  moveMember: async (side) => ({
    path: { userId: await made('createUser', side, { email: `${randomUUID()}@fresh.example` }) },
    body: { sponsorId: side.root.id },
  }),
  updateSettings: async () => ({ body: { reportingTimeZone: zones.next().value ?? 'UTC' } }),
  updateLead: async ({ lead }) => ({ path: { lead_id: lead.id }, body: { name: randomUUID() } }),
  startKyc: async (side) => ({
    path: { userId: await made('createUser', side, { email: `${randomUUID()}@fresh.example` }) },
    body: {},
  }),
  updateProfile: async (_side, memberId) => ({ path: { userId: memberId }, body: { givenName: randomUUID() } }),
  async revokeToken(side, memberId) {
    return { body: { token: (await plantSession(app, side, memberId)).refreshToken } };
  },
  async revokeAllTokens(side, memberId) {
    await plantSession(app, side, memberId);
    return { body: { userId: memberId } };
  },
  createReferralCode: async (_side, memberId) => ({ body: { user_id: memberId } }),
  async updateReferralCode(side, memberId) {
    const code = await made('createReferralCode', side, { user_id: memberId });
    return { path: { code_id: code }, body: { is_default: true } };
  },
  createReferralLink: async (_side, memberId) => ({ body: { user_id: memberId, destination_url: SHOP } }),
  async updateReferralLink(side, memberId) {
    const link = await made('createReferralLink', side, { user_id: memberId, destination_url: SHOP });
    return { path: { link_id: link }, body: { name: randomUUID() } };
  },
  async deleteReferralLink(side, memberId) {
    return { path: { link_id: await made('createReferralLink', side, { user_id: memberId, destination_url: SHOP }) } };
  },
  updateApiKey: async ({ keyIds }) => ({ path: { keyId: keyIds.toRoll }, body: { name: randomUUID() } }),
  revokeApiKey: async (side) => ({ path: { keyId: (await app.tenants.createKey(side)).keyId } }),
  async liftPayoutHold(side, memberId) {
    const hold = { path: { userId: memberId }, body: { reason: 'To be lifted' } };
    const answer = await sendTo(operationOf('setPayoutHold'), hold, { 'x-tenant-api-key': side.key });
    expect(answer.status, answer.text).toBe(200);
    return { path: { userId: memberId } };
  },
  updateWebhookEndpoint: async (side) => ({
    ...matrixRows['updateWebhookEndpoint']?.request(side),
    body: { description: randomUUID() },
  }),
  updatePayoutAccount: async ({ payee }) => ({
    path: { userId: payee.id, accountId: payee.accountId },
    body: { displayName: randomUUID() },
  }),
};

/** What the operation makes, by the key of the side; its id. */
async function made(operationId: string, side: Side, body: Record<string, unknown>): Promise<string> {
  const answer = await sendTo(operationOf(operationId), { body }, { 'x-tenant-api-key': side.key });
  expect(answer.status, answer.text).toBe(201);
  return (answer.json as { id: string }).id;
}

/** A request of the matrix's that succeeds, on a side that nothing is spoilt on. */
async function requestOf(operationId: string): Promise<{ side: Side; request: MatrixRequest }> {
  const row = matrixRows[operationId];
  if (!row) throw new Error(`no row for ${operationId}`);
  const ground = await worldOf(row, world);
  const side = sideOf(row, ground);
  const changed = await changing[operationId]?.(side, side.root.id);
  return { side, request: changed ?? (await row.fresh?.(side, ground)) ?? row.request(side) };
}

/** By a key that has done nothing before. */
async function asKey(operation: Operation): Promise<string[]> {
  const { side, request } = await requestOf(operation.operationId);
  const { keyId, apiKey } = await app.tenants.createKey(side);
  return leavesOf({ kind: 'api_key', id: keyId }, operation.operationId, async (requestId) => {
    const answer = await sendTo(operation, request, { 'x-tenant-api-key': apiKey, 'x-request-id': requestId });
    if (answer.status >= 300) throw new Error(`${operation.operationId}: ${answer.status} ${answer.text}`);
    return answer.status;
  });
}

/** By an owner of the tenant, the way that pages call. */
async function asPerson(operation: Operation): Promise<string[]> {
  const { side, request } = await requestOf(operation.operationId);
  const { staffId } = await ownerOf(app, side);
  return leavesOf({ kind: 'staff', id: staffId }, operation.operationId, async (requestId) => {
    const answer = await callAsOwner(app, side, operation, request, { requestId });
    if (answer.status >= 300) throw new Error(`${operation.operationId}: ${answer.status} ${answer.text}`);
    return answer.status;
  });
}

/** Of a key alone, whatever the role: a person has no member's tokens to exchange. */
const OF_KEYS_ALONE = ['refreshTokens'];

async function refusesPerson(operation: Operation): Promise<void> {
  const { side, request } = await requestOf(operation.operationId);
  const refused = await callAsOwner(app, side, operation, request);
  expect([refused.status, (refused.json as { code: string }).code]).toEqual([403, 'FORBIDDEN']);
}

/** Refused in the matrix, where each would have to be made ready anew: they are tried in test/features/staff/factors. */
const TRIED_ELSEWHERE = ['confirmAuthenticator', 'removeAuthenticator'];

/** By the member that the path names, else by the one at the top. */
async function asMember(operation: Operation): Promise<string[]> {
  const { side, request } = await requestOf(operation.operationId);
  const memberId = request.path?.['userId'] ?? side.root.id;
  const { accessToken } = await plantSession(app, side, memberId);
  return leavesOf({ kind: 'member', id: memberId }, operation.operationId, async (requestId) => {
    const headers = { 'x-tenant-api-key': side.key, authorization: `Bearer ${accessToken}`, 'x-request-id': requestId };
    const answer = await sendTo(operation, request, headers);
    if (answer.status >= 300) throw new Error(`${operation.operationId}: ${answer.status} ${answer.text}`);
    return answer.status;
  });
}

/** The calls without a key of the API: whose they are follows from what they say. */
const open: Record<string, () => Promise<string[]>> = {
  async exchangeToken() {
    const side = world.sides[0] as Side;
    const { issuer } = app;
    const body = { providerId: `idp-${randomUUID()}`, issuerUrl: issuer.issuerUrl, allowedAudiences: ['app'] };
    const provider = operationOf('createAuthProvider');
    expect((await sendTo(provider, { body }, { 'x-tenant-api-key': side.key })).status).toBe(201);
    const subject = randomUUID();
    const exchange = async (requestId: string) => {
      const token = await new SignJWT({ email: `${subject}@person.example`, email_verified: true, jti: randomUUID() })
        .setProtectedHeader({ alg: 'ES256', kid: issuer.kid })
        .setIssuer(issuer.issuerUrl)
        .setAudience('app')
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(issuer.privateKey);
      const answer = await sendTo(
        operationOf('exchangeToken'),
        { body: { provider: body.providerId, token } },
        { 'x-tenant-id': side.tenantId, 'x-request-id': requestId },
      );
      expect(answer.status, answer.text).toBe(200);
      return answer.status;
    };
    const requestId = `actor-${randomUUID()}`;
    await exchange(requestId);
    const [member] = await sql<{ id: string }>('select id from member where email = $1', [`${subject}@person.example`]);
    const actor: Actor = { kind: 'member', id: member?.id ?? '' };
    expect(await tracesOf(actor, 'exchangeToken', requestId), 'the first').toEqual(['audit']);
    return leavesOf(actor, 'exchangeToken', exchange);
  },

  async receiveKycEvent() {
    const kyc = await openKycSide(app, vendor);
    const record = await kyc.newRecord();
    const { body, headers } = kyc.event(record, 'applicantPending');
    const target = `${app.baseUrl}/api/v1/webhooks/kyc/kycvendor?tenant_id=${kyc.tenant.tenantId}`;
    return leavesOf({ kind: 'vendor', id: 'kycvendor' }, 'receiveKycEvent', async (requestId) => {
      const sent = { method: 'POST', headers: { ...headers, 'x-request-id': requestId }, body: new Uint8Array(body) };
      return (await fetch(target, sent)).status;
    });
  },

  async receivePaymentEvent() {
    const shop = await openShop(app);
    const text = eventText({ livemode: true, ...paidEvent(shop, await shop.pay()) });
    const signature = signatureOf(text, SECRETS[1] ?? '');
    return leavesOf({ kind: 'vendor', id: 'payvendor' }, 'receivePaymentEvent', async (requestId) => {
      const headers = { 'content-type': 'application/json', 'payvendor-signature': signature, 'x-request-id': requestId };
      return (await fetch(`${app.baseUrl}/api/v1/webhooks/payvendor`, { method: 'POST', headers, body: text })).status;
    });
  },
};

describe.each(Object.keys(matrixRows))('%s', (operationId) => {
  test('names whoever did it', async () => {
    const operation = operationOf(operationId);
    if (operation.writesNothing !== undefined) {
      expect(operation.method, 'a read says nothing of what it writes').not.toBe('get');
      const { side, request } = await requestOf(operationId);
      const before = await digestRows(app.database);
      if (operation.people) return;
      expect((await sendTo(operation, request, { 'x-tenant-api-key': side.key })).status).toBeLessThan(300);
      expect(await digestRows(app.database), 'it has written').toBe(before);
      return;
    }
    if (TRIED_ELSEWHERE.includes(operationId)) return;
    if (!writes(operation) && !operation.protectedRead) return;
    const left: Record<string, string[]> = {};
    if (operation.scope === 'none') left['open'] = (await open[operationId]?.()) ?? [];
    else {
      if (!operation.people) left['key'] = await asKey(operation);
      if (OF_KEYS_ALONE.includes(operationId)) await refusesPerson(operation);
      // A file is handed out by the API alone.
      else if (operation.produces === undefined) left['staff'] = await asPerson(operation);
    }
    if (operation.member && operation.scope !== 'none') left['member'] = await asMember(operation);
    const silent = Object.keys(left).filter((kind) => {
      const traces = left[kind] ?? [];
      return traces.length === 0 || (operation.protectedRead && !traces.includes('audit'));
    });
    // What is named by now is to be taken out of the list.
    expect(silent, `${operationId} leaves no name of: ${silent.join(', ')}`).toEqual([]);
  });
});
