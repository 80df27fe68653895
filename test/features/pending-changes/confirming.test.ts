/** Who may confirm and reject a change, and when: docs/specification/two-hands.md#confirming. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { CHANGES, type ChangesShop, openChangesShop, SETTINGS } from './changes-shop.ts';

const KEYS = '/api/v1/admin/api-keys';

let app: TestApp;
let shop: ChangesShop;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  shop = await openChangesShop(app);
});
afterAll(() => app.close());

const statusOf = async (id: string) => (await shop.first.get(`${CHANGES}/${id}`)).body.status as string;
const reject = (id: string, client = shop.second, body: object = {}) => client.post(`${CHANGES}/${id}/reject`, body);
const sql = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  app.database.asSuperuser<Row>(text, values);
const passTime = (id: string) => sql("update pending_change set expires_at = now() - interval '1 second' where id = $1", [id]);
const expectUnchanged = async () => expect(await shop.payments()).toMatchObject({ requireKyc: true, dualControl: true });

describe('the second pair of hands', () => {
  test('is not the key that asked, nor one that it made, nor its successor', async () => {
    const id = await shop.propose();
    const made = await shop.first.post(KEYS, { scopes: ['admin:settings'] });
    expect(made.status, made.text).toBe(201);
    const rolled = await shop.first.post(`${KEYS}/${made.body.id}/roll`, {});
    expect(rolled.status, rolled.text).toBe(201);
    const hands = [shop.first, apiClient(app, made.body.apiKey), apiClient(app, rolled.body.apiKey)];
    for (const client of hands) {
      const answer = await shop.confirm(id, client);
      expect([answer.status, answer.body.code]).toEqual([403, 'SECOND_PERSON_REQUIRED']);
    }
    await expectUnchanged();
    expect(await statusOf(id)).toBe('open');
  });

  test('has the same right', async () => {
    const id = await shop.propose();
    const { client: weak } = await shop.newRoot(['payouts:approve', 'admin:keys']);
    for (const answer of [await shop.confirm(id, weak), await reject(id, weak), await weak.get(`${CHANGES}/${id}`)]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
    }
    expect((await weak.get(CHANGES)).body.data).toEqual([]);
    const { client: just } = await shop.newRoot(['admin:settings']);
    expect((await just.get(CHANGES)).body.data.map((one: { id: string }) => one.id)).toEqual([id]);
    expect((await shop.confirm(id, just)).status).toBe(200);
  });

  test('is a person where the rule asks for one, then or now', async () => {
    const other = await openChangesShop(app, { dualControl: true, dualControlBy: 'persons' });
    const byPersons = await other.propose();
    const refused = await other.confirm(byPersons);
    expect([refused.status, refused.body.code]).toEqual([403, 'SECOND_PERSON_REQUIRED']);
    const byKeys = await shop.propose();
    expect((await shop.first.patch(SETTINGS, { payments: { dualControlBy: 'persons' } })).status).toBe(200);
    const now = await shop.confirm(byKeys);
    expect([now.status, now.body.code]).toEqual([403, 'SECOND_PERSON_REQUIRED']);
    const back = await shop.first.patch(SETTINGS, { payments: { dualControlBy: 'keys' } });
    expect(back.status, 'persons to keys weakens').toBe(202);
  });

  test('is asked for by the rule of then, also once dual control is off', async () => {
    const lower = await shop.propose({ accountCooldownHours: 1 });
    const off = await shop.propose({ dualControl: false });
    expect((await shop.confirm(off)).status).toBe(200);
    const alone = await shop.confirm(lower, shop.first);
    expect([alone.status, alone.body.code]).toEqual([403, 'SECOND_PERSON_REQUIRED']);
    expect((await shop.confirm(lower)).status).toBe(200);
  });

  test('does not stand for a member, whose bearer token is refused', async () => {
    const id = await shop.propose();
    const answer = await shop.confirm(id, shop.second, { authorization: 'Bearer nothing' });
    expect(answer.status).toBe(401);
  });
});

describe('the first pair of hands', () => {
  test.each([
    ['revoked', (id: string) => sql('update api_key set revoked_at = now() where id = $1', [id])],
    ['disabled', (id: string) => sql('update api_key set disabled_at = now() where id = $1', [id])],
    ['expired', (id: string) => sql('update api_key set expires_at = now() where id = $1', [id])],
    ['without the right', (id: string) => sql("update api_key set scopes = '{users:read}' where id = $1", [id])],
  ])('must still be able to ask: a key that is %s has asked in vain', async (_what, end) => {
    const { client, keyId } = await shop.newRoot();
    const id = await shop.propose({ requireKyc: false }, client);
    await end(keyId);
    const answer = await shop.confirm(id);
    expect([answer.status, answer.body.code], answer.text).toEqual([409, 'STATE_CONFLICT']);
    await expectUnchanged();
    expect((await reject(id)).status).toBe(200);
  });

  test('may withdraw what it asked for, also without the right by now', async () => {
    const { client, keyId } = await shop.newRoot();
    const id = await shop.propose({ requireKyc: false }, client);
    await sql("update api_key set scopes = '{users:read}' where id = $1", [keyId]);
    expect((await reject(id, client)).body).toMatchObject({ status: 'rejected', reason: null });
  });
});

test('a key that lost the right to confirm meanwhile is refused, whatever the key cache says', async () => {
  const { client, keyId } = await shop.newRoot();
  const id = await shop.propose();
  expect((await client.get(CHANGES)).status).toBe(200);
  await sql("update api_key set scopes = '{users:read}' where id = $1", [keyId]);
  expect((await shop.confirm(id, client)).status).toBe(403);
  await expectUnchanged();
});

test('a rejection has a reason, which is not in the log', async () => {
  const id = await shop.propose();
  const answer = await reject(id, shop.second, { reason: 'Nobody asked finance' });
  expect(answer.body).toMatchObject({ status: 'rejected', reason: 'Nobody asked finance' });
  expect((await shop.first.get(`${CHANGES}/${id}`)).body).toEqual(answer.body);
  expect(JSON.stringify(await shop.log())).not.toContain('finance');
  expect((await shop.confirm(id)).status).toBe(409);
  expect((await reject(id)).status).toBe(409);
  expect((await shop.first.patch(SETTINGS, { payments: { requireKyc: false } })).status, 'asked anew').toBe(202);
});

test('a change whose time is over is over before the sweep, and the sweep says so once', async () => {
  const id = await shop.propose();
  await passTime(id);
  expect((await shop.confirm(id)).body).toMatchObject({ code: 'STATE_CONFLICT' });
  expect((await reject(id)).status).toBe(409);
  expect(await statusOf(id)).toBe('expired');
  expect((await shop.first.get(`${CHANGES}?status=open`)).body.data).toEqual([]);
  const scope = { tenantId: shop.tenant.tenantId, environment: 'LIVE' as const };
  expect(await app.runSweep('expire-pending-changes')).toBeGreaterThan(0);
  expect(await app.runSweep('expire-pending-changes', scope)).toBe(0);
  expect((await shop.log('pending_change.expired')).map(({ actor }) => actor)).toEqual(['system']);
  expect((await shop.first.get(`${CHANGES}?status=expired`)).body.data).toMatchObject([{ id, decidedBy: { kind: 'system' } }]);
  await expectUnchanged();
});

test('one whose time is over does not stand in the way of the next', async () => {
  const id = await shop.propose();
  await passTime(id);
  const next = await shop.propose();
  expect(await statusOf(id)).toBe('expired');
  expect((await shop.confirm(next)).status).toBe(200);
});

test('what was asked of another value has no effect', async () => {
  const id = await shop.propose({ accountCooldownHours: 12 });
  await sql("update payment_settings set account_cooldown_hours = 13 where tenant_id = $1 and environment = 'LIVE'", [
    shop.tenant.tenantId,
  ]);
  expect((await shop.confirm(id)).body).toMatchObject({ code: 'STATE_CONFLICT' });
  await sql("update payment_settings set account_cooldown_hours = 12 where tenant_id = $1 and environment = 'LIVE'", [
    shop.tenant.tenantId,
  ]);
  expect((await shop.confirm(id)).body, 'it would change nothing').toMatchObject({ code: 'STATE_CONFLICT' });
  expect(await statusOf(id)).toBe('open');
});

test('a refusal of the operation now is told as a conflict, with its code', async () => {
  const whole = { secretKey: 'sk_live_1', webhookSecrets: ['whsec_1'], platformCountry: 'US' };
  expect((await shop.first.patch(SETTINGS, { payments: { payvendor: whole } })).status).toBe(200);
  const id = await shop.propose({ provider: 'payvendor' });
  await sql('update payment_settings set platform_country = null where tenant_id = $1', [shop.tenant.tenantId]);
  const answer = await shop.confirm(id);
  expect([answer.status, answer.body.code, answer.body.details]).toEqual([409, 'STATE_CONFLICT', { reason: 'VALIDATION_ERROR' }]);
});

describe('an Idempotency-Key', () => {
  test('gives no answer to a successor of the key that lacks the right', async () => {
    const id = await shop.propose();
    const headers = { 'idempotency-key': randomUUID() };
    const confirmer = await shop.newRoot();
    expect((await shop.confirm(id, confirmer.client, headers)).status).toBe(200);
    const rolled = await confirmer.client.post(`${KEYS}/${confirmer.keyId}/roll`, {});
    await sql("update api_key set scopes = '{users:read}' where id = $1", [rolled.body.id]);
    const again = await shop.confirm(id, apiClient(app, rolled.body.apiKey), headers);
    expect([again.status, again.body.code]).toEqual([403, 'FORBIDDEN']);
  });

  test('makes a confirmation safe to repeat', async () => {
    const id = await shop.propose();
    const headers = { 'idempotency-key': randomUUID() };
    const first = await shop.confirm(id, shop.second, headers);
    const again = await shop.confirm(id, shop.second, headers);
    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([200, 200, 'true']);
    expect(again.body).toEqual(first.body);
    expect(await shop.log('pending_change.confirmed')).toHaveLength(1);
  });

  test('of a confirmation that was refused is free again', async () => {
    const id = await shop.propose();
    const headers = { 'idempotency-key': randomUUID() };
    expect((await shop.confirm(id, shop.first, headers)).status).toBe(403);
    expect((await shop.confirm(id, shop.second, headers)).status).toBe(200);
  });
});

test('a change and a reason that name a member lose it with its erasure; one that waits is cancelled', async () => {
  const member = await shop.first.newMember();
  const reason = `Asked by ${member.email}`;
  const rejected = await shop.propose();
  await reject(rejected, shop.second, { reason });
  const waits = await shop.propose({ requireKyc: false });
  await sql('update pending_change set named = (select named from pending_change where id = $2) where id = $1', [
    waits,
    rejected,
  ]);
  const erased = await shop.first.post(`/api/v1/members/${member.id}/erasure`, { reason: 'Asked to' });
  expect(erased.status, erased.text).toBe(200);
  expect((await shop.first.get(`${CHANGES}/${rejected}`)).body).toMatchObject({ status: 'rejected', reason: null, fields: [] });
  expect((await shop.first.get(`${CHANGES}/${waits}`)).body).toMatchObject({ status: 'cancelled', fields: [] });
  expect(JSON.stringify(await sql('select c::text as row from pending_change c'))).not.toContain(member.email);
  expect((await shop.first.patch(SETTINGS, { payments: { requireKyc: false } })).status, 'asked anew').toBe(202);
});

test('of another tenant and environment there is nothing to see or decide', async () => {
  const id = await shop.propose();
  const other = await openChangesShop(app);
  const sandbox = apiClient(app, shop.tenant.sandboxKey);
  for (const client of [other.first, sandbox]) {
    const answers = [await client.get(`${CHANGES}/${id}`), await shop.confirm(id, client), await reject(id, client)];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await client.get(CHANGES)).body.data).toEqual([]);
  }
  await expectUnchanged();
});

test('the list is newest first, in pages, and by status', async () => {
  const ids: string[] = [];
  for (const hours of [20, 19, 18]) {
    const id = await shop.propose({ accountCooldownHours: hours });
    ids.unshift(id);
    if (hours > 18) await reject(id);
  }
  const page = await shop.first.get(`${CHANGES}?limit=2`);
  const rest = await shop.first.get(`${CHANGES}?limit=2&cursor=${page.body.nextCursor}`);
  expect([...page.body.data, ...rest.body.data].map((one: { id: string }) => one.id)).toEqual(ids);
  expect(rest.body.hasMore).toBe(false);
  const open = await shop.second.get(`${CHANGES}?status=open`);
  expect(open.body.data.map((one: { id: string }) => one.id)).toEqual(ids.slice(0, 1));
});
