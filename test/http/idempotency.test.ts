/** Idempotency-Key, one request at a time: docs/specification/conventions.md#idempotency. The races are in ../concurrency. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { expectRefusal } from '../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

const create = (body: object, key: string) => client.post('/api/v1/users', body, { 'idempotency-key': key });

describe('a 2xx is stored', () => {
  test('and replayed byte for byte with its status and a flag', async () => {
    const first = await create({ email: 'a@shop.example' }, 'k');
    const replay = await create({ email: 'a@shop.example' }, 'k');
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect([replay.status, replay.text, replay.headers['idempotent-replayed']]).toEqual([201, first.text, 'true']);
    expect(replay.headers['x-environment']).toBe('LIVE');
    expect(replay.headers['content-type']).toBe(first.headers['content-type']);
  });

  test('as it was, even when the member has changed since', async () => {
    const first = await create({ email: 'a@shop.example' }, 'k');
    await client.patch(`/api/v1/users/${first.body.id}`, { membership_tier: 'DIRECTOR' });
    expect((await create({ email: 'a@shop.example' }, 'k')).text).toBe(first.text);
  });

  test('with 200 as with 201: a capture of a known lead', async () => {
    const capture = (key: string) =>
      client.post('/api/v1/leads/capture', { email: 'l@shop.example' }, { 'idempotency-key': key });
    expect((await capture('first')).status).toBe(201);
    expect((await capture('second')).status).toBe(200);
    const replay = await capture('second');
    expect([replay.status, replay.headers['idempotent-replayed']]).toEqual([200, 'true']);
  });

  test('encrypted: the stored bytes show nothing of the answer', async () => {
    await create({ email: 'canary@shop.example', name: 'Canary Jane' }, 'k');
    const [row] = await app.database.asSuperuser<{ answer: Buffer }>('select answer from idempotency_key where tenant_id = $1', [
      tenant.tenantId,
    ]);
    expect(row?.answer.toString('latin1')).not.toMatch(/canary|jane|email/i);
  });

  test('and forgotten when its time is over', async () => {
    await create({ email: 'a@shop.example' }, 'k');
    expectRefusal(await create({ email: 'b@shop.example' }, 'k'), 422, 'IDEMPOTENCY_KEY_REUSED');
    const kept = await app.database.asSuperuser<{ hours: number }>(
      `update idempotency_key set expires_at = now() - interval '1 second' where tenant_id = $1
       returning extract(epoch from old.expires_at - created_at)::int / 3600 as hours`,
      [tenant.tenantId],
    );
    expect(kept).toEqual([{ hours: 24 }]);
    const later = await create({ email: 'b@shop.example' }, 'k');
    expect([later.status, later.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect((await create({ email: 'b@shop.example' }, 'k')).headers['idempotent-replayed']).toBe('true');
  });
});

describe('a 4xx is not stored', () => {
  test('the same request succeeds once its reason is gone', async () => {
    const sponsor = await client.newMember({ can_recruit: false });
    const body = { email: 'a@shop.example', parent_id: sponsor.id };
    expectRefusal(await create(body, 'k'), 403, 'RECRUITING_DISABLED');
    expectRefusal(await create(body, 'k'), 403, 'RECRUITING_DISABLED');
    await client.patch(`/api/v1/users/${sponsor.id}`, { can_recruit: true });
    const answer = await create(body, 'k');
    expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect((await create(body, 'k')).headers['idempotent-replayed']).toBe('true');
  });

  test.each([
    ['400', { email: 'nobody' }],
    ['400 of the rules', { email: 'x@shop.example', parent_id: '00000000-0000-4000-8000-000000000000' }],
    ['409', { email: 'taken@shop.example' }],
  ])('another request may use the key after a %s', async (status, refused) => {
    await client.newMember({ email: 'taken@shop.example' });
    expect((await create(refused, 'k')).status).toBe(Number.parseInt(status, 10));
    expect((await create({ email: 'free@shop.example' }, 'k')).status).toBe(201);
  });
});

describe('what makes another request', () => {
  test('another body is 422; other order of its fields is not another body', async () => {
    await create({ email: 'a@shop.example', name: 'Ann' }, 'k');
    expectRefusal(await create({ email: 'a@shop.example', name: 'Anna' }, 'k'), 422, 'IDEMPOTENCY_KEY_REUSED');
    expectRefusal(await create({ email: 'a@shop.example' }, 'k'), 422, 'IDEMPOTENCY_KEY_REUSED');
    expect((await create({ name: 'Ann', email: 'a@shop.example' }, 'k')).status).toBe(201);
  });

  test('another path of the same operation is 422', async () => {
    const [one, two] = [await client.newMember(), await client.newMember()];
    const patch = (id: string) => client.patch(`/api/v1/users/${id}`, { membership_tier: 'SENIOR' }, { 'idempotency-key': 'k' });
    expect((await patch(one.id)).status).toBe(200);
    expectRefusal(await patch(two.id), 422, 'IDEMPOTENCY_KEY_REUSED');
    expect((await patch(one.id)).headers['idempotent-replayed']).toBe('true');
    expect((await client.get(`/api/v1/users/status?user_id=${two.id}`)).body.membership_tier).toBe('ORDINARY');
  });

  test('another operation has keys of its own', async () => {
    expect((await create({ email: 'a@shop.example' }, 'k')).status).toBe(201);
    const lead = await client.post('/api/v1/leads/capture', { email: 'lead@shop.example' }, { 'idempotency-key': 'k' });
    expect([lead.status, lead.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  test('a refused reuse changes nothing', async () => {
    const member = await client.newMember();
    const patch = (tier: string) =>
      client.patch(`/api/v1/users/${member.id}`, { membership_tier: tier }, { 'idempotency-key': 'k' });
    await patch('SENIOR');
    expect((await patch('DIRECTOR')).status).toBe(422);
    expect((await client.get(`/api/v1/users/status?user_id=${member.id}`)).body.membership_tier).toBe('SENIOR');
  });
});

describe('the header', () => {
  test('of up to 255 printable characters is taken', async () => {
    const key = `a b~${'x'.repeat(251)}`;
    expect((await create({ email: 'a@shop.example' }, key)).status).toBe(201);
    expect((await create({ email: 'a@shop.example' }, key)).headers['idempotent-replayed']).toBe('true');
  });
  test.each([
    ['empty', ''],
    ['too long', 'x'.repeat(256)],
    ['with a tab', 'a\tb'],
    ['not ASCII', 'caf\u00e9'],
  ])('%s is a 400', async (_label, key) => {
    expectRefusal(await create({ email: 'a@shop.example' }, key), 400, 'VALIDATION_ERROR', ['Idempotency-Key']);
  });
  test('on a GET means nothing', async () => {
    const answer = await app.http.get('/api/v1/users').set('x-tenant-api-key', tenant.liveKey).set('idempotency-key', 'k');
    expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([200, undefined]);
  });
});
