/**
 * Ways round the wait of what weakens: one root loosens a safeguard of dual control in LIVE, hides that it does, or tries
 * to be the one who confirms it. What counts is what the settings are afterwards.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { plantSession } from '../support/identity/sessions.ts';
import { testIssuer } from '../support/identity/test-issuer.ts';
import { createPayoutVendorDouble } from '../support/payments/payout-vendor-double.ts';
import { act } from '../support/payments/payout-world.ts';
import {
  changeSettings,
  goneOf,
  type HandsWorld,
  keyMadeBy,
  letMoneyGo,
  newRoot,
  openHands,
  openHandsWorld,
  pass,
} from '../support/two-hands/hands-world.ts';

const CHANGES = '/api/v1/admin/pending-changes';
const KEYS = '/api/v1/admin/api-keys';
const SETTINGS = '/api/v1/admin/settings';

let app: TestApp;
let host: string;
let world: Pick<HandsWorld, 'app' | 'scope' | 'first' | 'firstsOwn' | 'second'>;
let first: ApiClient;
let second: ApiClient;

beforeAll(async () => {
  host = (await testIssuer()).server.host;
  app = await startTestApp({ OUTGOING_ALLOWED_HOSTS: host });
});
afterAll(() => app.close());
beforeEach(async () => {
  world = await openHands(app);
  first = world.first.client;
  second = world.second.client;
});

const sql = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  app.database.asSuperuser<Row>(text, values);

/** As they are stored: the answer does not show secrets. */
async function stored(): Promise<Record<string, unknown>> {
  const [row] = await sql('select * from payment_settings where tenant_id = $1', [world.scope.tenantId]);
  const { updated_at: _at, ...settings } = row ?? {};
  return settings;
}

/** Asks for a change that must wait; nothing may have changed by it. */
async function waits(payments: object, client = first): Promise<string> {
  const before = await stored();
  const { status, body } = await changeSettings(client, payments);
  expect([status, body.pendingChange?.status]).toEqual([202, 'open']);
  expect(await stored()).toEqual(before);
  return body.pendingChange.id as string;
}

const confirm = (id: string, client = second) => client.post(`${CHANGES}/${id}/confirm`, {});
const reject = (id: string, client = second) => client.post(`${CHANGES}/${id}/reject`, {});
const statusOf = async (id: string) => (await second.get(`${CHANGES}/${id}`)).body.status as string;

/** A weakening that changes nothing, whoever asks for it, and a second one of the sort cannot come in. */
describe.each<[string, () => object]>([
  ['dual control off', () => ({ dualControl: false })],
  ['a shorter cool-down', () => ({ accountCooldownHours: 23 })],
  ['no cool-down', () => ({ accountCooldownHours: 0 })],
  ['no verification', () => ({ requireKyc: false })],
  ['another provider', () => ({ provider: 'manual' })],
  ['an address for the vendor', () => ({ payvendor: { baseUrl: `https://${host}` } })],
  ['another secret', () => ({ payvendor: { secretKey: 'sk_live_other' } })],
  ['the secret away, and the provider that needs it', () => ({ provider: 'manual', payvendor: { secretKey: null } })],
  ['other webhook secrets', () => ({ payvendor: { webhookSecrets: ['whsec_ours', 'whsec_other'] } })],
])('%s', (_name, payments) => {
  test('waits, for no key of the root that asked', async () => {
    const id = await waits(payments());
    const before = await stored();
    const granted = await keyMadeBy(app, first, { scopes: ['admin:settings'] });
    const stolen = await pass(first.post(`${KEYS}/${world.second.keyId}/roll`, {}));
    for (const client of [first, world.firstsOwn.client, granted.client, apiClient(app, stolen.body.apiKey)]) {
      const { status, body } = await confirm(id, client);
      expect([status, body.code]).toEqual([403, 'SECOND_PERSON_REQUIRED']);
    }
    const again = await changeSettings(world.firstsOwn.client, payments());
    expect([again.status, again.body.code, again.body.details?.pendingChangeId]).toEqual([409, 'CHANGE_PENDING', id]);
    expect(await stored()).toEqual(before);
    await pass(confirm(id));
    expect(await stored()).not.toEqual(before);
    expect((await confirm(id)).status).toBe(409);
  });
});

describe('no way into the settings is another:', () => {
  test('from persons to keys, and no key confirms it', async () => {
    await pass(changeSettings(first, { dualControlBy: 'persons' }));
    const id = await waits({ dualControlBy: 'keys' });
    for (const client of [first, second]) expect((await confirm(id, client)).body.code).toBe('SECOND_PERSON_REQUIRED');
    expect(await statusOf(id)).toBe('open');
  });

  test('persons bind what was waiting under keys', async () => {
    const id = await waits({ dualControl: false });
    await pass(changeSettings(first, { dualControlBy: 'persons' }));
    expect((await confirm(id)).status).toBeGreaterThanOrEqual(400);
    expect(await stored()).toMatchObject({ dual_control: true, dual_control_by: 'persons' });
  });

  test('both steps at a time, each waits for itself', async () => {
    await pass(changeSettings(first, { dualControlBy: 'persons' }));
    await waits({ dualControlBy: 'keys' });
    await waits({ dualControl: false });
    const both = await changeSettings(first, { dualControl: false, dualControlBy: 'keys' });
    expect(both.status).toBe(409);
  });

  test.each([
    ['a tightening', { accountCooldownHours: 720, dualControl: false }],
    ['what it is already', { requireKyc: true, provider: 'payvendor', dualControl: false }],
    ['a stricter rule', { dualControlBy: 'persons', dualControl: false }],
  ])('hidden beside %s: all of it waits', async (_name, payments) => {
    await waits(payments);
  });

  test('hidden in another part of the settings', async () => {
    const before = await stored();
    const { status } = await first.patch(SETTINGS, {
      members: { downlineVisibility: 'counts' },
      payments: { dualControl: false },
    });
    expect([status, (await first.get(SETTINGS)).body.members.downlineVisibility]).toEqual([202, 'masked']);
    expect(await stored()).toEqual(before);
  });

  test('null is no default: a field that cannot be cleared is refused', async () => {
    const before = await stored();
    for (const field of ['dualControl', 'dualControlBy', 'requireKyc', 'accountCooldownHours', 'provider']) {
      expect((await changeSettings(first, { [field]: null })).status).toBe(400);
    }
    expect((await first.patch(SETTINGS, { payments: null })).status).toBe(400);
    expect(await stored()).toEqual(before);
  });

  test("the vendor's address back to its own is another address, too", async () => {
    await pass(confirm(await waits({ payvendor: { baseUrl: `https://${host}` } })));
    await waits({ payvendor: { baseUrl: null } });
  });

  test('a name that is there twice in the body, and one that is none', async () => {
    const before = await stored();
    const send = (text: string) =>
      app.http.patch(SETTINGS).set('x-tenant-api-key', world.first.key).set('content-type', 'application/json').send(text);
    const answers = [
      await send('{"payments":{"dualControl":true,"dualControl":false}}'),
      await send('{"payments":{"dualControl":true},"payments":{"dualControl":false}}'),
      await send('{"payments":{"__proto__":{"dualControl":false}}}'),
      await send('{"payments":{"dual_control":false}}'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(await stored()).toEqual(before);
  });

  test('small steps: each waits, however small', async () => {
    await pass(changeSettings(first, { accountCooldownHours: 48 }));
    await waits({ accountCooldownHours: 47 });
    expect((await changeSettings(first, { accountCooldownHours: 46 })).body.code).toBe('CHANGE_PENDING');
  });

  test('dual control is on at once, and cannot be taken back in the same breath', async () => {
    world = await openHands(app, { dualControl: false });
    await pass(changeSettings(world.first.client, { dualControl: true }));
    await waits({ dualControl: false }, world.first.client);
  });

  test('many at once: what one root sends in parallel leaves one that waits, and nothing that has changed', async () => {
    const before = await stored();
    const sent = await Promise.all(
      Array.from({ length: 12 }, (_, index) => changeSettings(index % 2 ? first : world.firstsOwn.client, { requireKyc: false })),
    );
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, ...Array.from({ length: 11 }, () => 409)]);
    expect(await stored()).toEqual(before);
  });
});

describe('nobody else confirms:', () => {
  test('a key without the right, another tenant, the other environment, a member', async () => {
    const id = await waits({ dualControl: false });
    const other = await openHands(app);
    const sandbox = await newRoot(app, { ...world.scope, environment: 'SANDBOX' });
    const weak = await newRoot(app, world.scope, ['payouts:approve', 'admin:keys']);
    const statuses = await Promise.all([other.second.client, sandbox.client, weak.client].map((client) => confirm(id, client)));
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 403]);
    const member = await second.newMember();
    const { accessToken } = await plantSession(app, world.scope, member.id);
    const asMember = await second.post(`${CHANGES}/${id}/confirm`, {}, { authorization: `Bearer ${accessToken}` });
    expect(asMember.status).toBe(403);
    expect(await statusOf(id)).toBe('open');
  });

  test('a weak key of another root is a second pair of hands once it has the right', async () => {
    const weak = await newRoot(app, world.scope, ['payouts:read']);
    const id = await waits({ dualControl: false });
    await pass(second.patch(`${KEYS}/${weak.keyId}`, { scopes: ['admin:settings'] }));
    await pass(confirm(id, weak.client));
  });

  test('the stored answer of a confirmation confirms nothing else', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const id = await waits({ requireKyc: false });
    const path = `${CHANGES}/${id}/confirm`;
    await pass(second.post(path, {}, headers));
    await pass(changeSettings(second, { requireKyc: true }));
    const next = await waits({ requireKyc: false });
    const stolen = await pass(first.post(`${KEYS}/${world.second.keyId}/roll`, {}));
    const thief = apiClient(app, stolen.body.apiKey as string);
    expect((await thief.post(path, {}, headers)).headers['idempotent-replayed']).toBe('true');
    expect((await thief.post(`${CHANGES}/${next}/confirm`, {}, headers)).status).toBe(422);
    expect([await statusOf(next), (await stored())['require_kyc']]).toEqual(['open', true]);
  });

  test('the stored answer of the request itself is the wait, also once it is confirmed and taken back', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const { body } = await changeSettings(first, { requireKyc: false }, headers);
    await pass(confirm(body.pendingChange.id));
    await pass(changeSettings(second, { requireKyc: true }));
    const repeat = await changeSettings(first, { requireKyc: false }, headers);
    expect([repeat.status, repeat.headers['idempotent-replayed'], repeat.body.pendingChange.id]).toEqual([
      202,
      'true',
      body.pendingChange.id,
    ]);
    expect((await stored())['require_kyc']).toBe(true);
    expect((await changeSettings(first, { requireKyc: true }, headers)).status).toBe(422);
  });
});

describe('what is confirmed is what was asked for, and still may be:', () => {
  test('the key that asked was revoked', async () => {
    const asking = await keyMadeBy(app, first);
    const id = await waits({ dualControl: false }, asking.client);
    await pass(first.delete(`${KEYS}/${asking.keyId}`));
    expect((await confirm(id)).status).toBe(409);
    expect((await stored())['dual_control']).toBe(true);
  });

  test('the key that asked was narrowed, disabled, or has expired', async () => {
    for (const what of ["scopes = '{payouts:read}'", 'disabled_at = now()', "expires_at = now() - interval '1 second'"]) {
      const asking = await keyMadeBy(app, first);
      const id = await waits({ dualControl: false }, asking.client);
      await sql(`update api_key set ${what} where id = $1`, [asking.keyId]);
      expect((await confirm(id)).status).toBe(409);
      await pass(reject(id));
    }
    expect((await stored())['dual_control']).toBe(true);
  });

  test('the value was changed meanwhile', async () => {
    const id = await waits({ accountCooldownHours: 12 });
    await pass(changeSettings(first, { accountCooldownHours: 100 }));
    expect((await confirm(id)).status).toBe(409);
    expect(await stored()).toMatchObject({ account_cooldown_hours: 100 });
  });

  test('a field that came along was changed meanwhile', async () => {
    const id = await waits({ accountCooldownHours: 100, dualControl: false });
    await pass(changeSettings(first, { accountCooldownHours: 200 }));
    expect((await confirm(id)).status).toBe(409);
    expect(await stored()).toMatchObject({ account_cooldown_hours: 200, dual_control: true });
  });

  test('72 hours have passed, whether the sweep has seen it or not; then it may be asked for anew', async () => {
    const id = await waits({ dualControl: false });
    await sql("update pending_change set expires_at = now() - interval '1 second' where id = $1", [id]);
    expect((await confirm(id)).status).toBe(409);
    await waits({ dualControl: false });
    expect((await stored())['dual_control']).toBe(true);
  });

  test('it is offered for 72 hours', async () => {
    const id = await waits({ dualControl: false });
    const { createdAt, expiresAt } = (await second.get(`${CHANGES}/${id}`)).body;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(72 * 3_600_000);
  });

  test('it was rejected, or withdrawn by whoever asked', async () => {
    for (const client of [first, second]) {
      const id = await waits({ dualControl: false });
      await pass(reject(id, client));
      expect((await confirm(id)).status).toBe(409);
    }
    expect((await stored())['dual_control']).toBe(true);
  });

  test('a tightening of the same safeguard ends it', async () => {
    const id = await waits({ accountCooldownHours: 0 });
    await pass(changeSettings(first, { accountCooldownHours: 25 }));
    expect(await statusOf(id)).toBe('cancelled');
    expect((await confirm(id)).status).toBe(409);
  });
});

describe('money that is on its way is not caught by it:', () => {
  test.each<[string, object]>([
    ['secret', { payvendor: { secretKey: 'sk_live_attacker' } }],
    ['provider', { provider: 'manual' }],
  ])("the vendor's %s asked for between approval and execution: what goes, goes as it was approved", async (_name, payments) => {
    const vendor = createPayoutVendorDouble();
    const whole = await openHandsWorld(app, vendor);
    world = whole;
    await waits(payments, whole.first.client);
    await pass(act(whole.first.client, whole.approved.runId, 'execute'));
    await letMoneyGo(whole, vendor);
    expect(await goneOf(whole)).toEqual([{ ...whole.approved, status: 'processing' }]);
    const [row] = await sql('select provider_type from payout where id = $1', [whole.approved.payoutId]);
    expect(row).toEqual({ provider_type: 'payvendor' });
  });

  test('a cool-down of a new account is not over for a shorter one that waits', async () => {
    const vendor = createPayoutVendorDouble();
    const whole = await openHandsWorld(app, vendor);
    world = whole;
    const { client } = whole.first;
    await sql("update payout_account set activated_at = now() - interval '1 hour' where tenant_id = $1 and member_id = $2", [
      whole.scope.tenantId,
      whole.ada.id,
    ]);
    await waits({ accountCooldownHours: 0 }, client);
    const { body } = await client.post('/api/v1/payout-runs', { currency: 'CAD' });
    expect(body.blocked).toMatchObject([{ userId: whole.ada.id, reason: 'ACCOUNT_COOLDOWN' }]);
    expect(body.payouts).toEqual([]);
  });
});
