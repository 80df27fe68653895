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

describe('the key of another family', () => {
  const otherKey = async () => (await app.tenants.createKey({ tenantId: tenant.tenantId, environment: 'LIVE' })).apiKey;

  test('is refused as a changed request is, to the byte: nothing tells whose the first was', async () => {
    await create({ email: 'a@shop.example' }, 'k');
    const changed = await create({ email: 'b@shop.example' }, 'k');
    const header = { 'idempotency-key': 'k' };
    const others = await apiClient(app, await otherKey()).post('/api/v1/users', { email: 'a@shop.example' }, header);
    expectRefusal(others, 422, 'IDEMPOTENCY_KEY_REUSED');
    expect(others.text).toBe(changed.text);
  });

  test('at once: one of two runs, and the other is refused', async () => {
    const clients = [client, apiClient(app, await otherKey())];
    const answers = await Promise.all(
      clients.map((one, index) => one.post('/api/v1/users', { email: `${index}@shop.example` }, { 'idempotency-key': 'k' })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422]);
    expect((await client.get('/api/v1/users')).body.data).toHaveLength(1);
  });

  test('that was rolled from the first gets its answer, also while the first is being rolled', async () => {
    const first = await create({ email: 'a@shop.example' }, 'k');
    const { id } = (await client.get('/api/v1/admin/api-keys')).body.data[0];
    const [rolled, replay] = await Promise.all([
      client.post(`/api/v1/admin/api-keys/${id}/roll`, {}),
      create({ email: 'a@shop.example' }, 'k'),
    ]);
    const successor = apiClient(app, rolled.body.apiKey);
    const later = await successor.post('/api/v1/users', { email: 'a@shop.example' }, { 'idempotency-key': 'k' });
    for (const answer of [replay, later]) {
      expect([answer.status, answer.text, answer.headers['idempotent-replayed']]).toEqual([201, first.text, 'true']);
    }
  });

  test('a right that a service looks for by itself is looked for in a repeat too', async () => {
    const body = { scopes: ['users:read', 'admin:keys'] };
    const path = '/api/v1/admin/api-keys';
    const header = { 'idempotency-key': 'k' };
    expect((await client.post(path, body, header)).status).toBe(201);
    const { apiKey, keyId } = await app.tenants.createKey({
      tenantId: tenant.tenantId,
      environment: 'LIVE',
      scopes: ['admin:keys'],
    });
    await app.database.asSuperuser(
      "update api_key set family_id = (select min(id::text)::uuid from api_key where tenant_id = $2 and environment = 'LIVE') where id = $1",
      [keyId, tenant.tenantId],
    );
    const answer = await apiClient(app, apiKey).post(path, body, header);
    expectRefusal(answer, 403, 'FORBIDDEN');
    expect(answer.body.error).toContain('users:read');
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });
});

describe('erasing a member', () => {
  const kept = async () =>
    (
      await app.database.asSuperuser<{ key: string }>('select key from idempotency_key where tenant_id = $1 order by key', [
        tenant.tenantId,
      ])
    ).map(({ key }) => key);

  test('deletes the stored answers that name it by id or by email, and no other', async () => {
    const member = (await create({ email: 'Erased@shop.example' }, 'made')).body;
    await create({ email: 'other@shop.example' }, 'another');
    const send = (path: string, body: object, key: string) => client.post(path, body, { 'idempotency-key': key });
    await send('/api/v1/leads/capture', { email: 'erased@shop.example' }, 'by email');
    await send('/api/v1/leads/capture', { email: 'not-erased@shop.example' }, 'near');
    await send('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: member.id } }), 'in the body');
    await client.patch(`/api/v1/users/${member.id}`, { membership_tier: 'SENIOR' }, { 'idempotency-key': 'in the path' });
    expect(await kept()).toHaveLength(6);
    const erased = await client.post(
      `/api/v1/members/${member.id}/erasure`,
      { acknowledgeOwed: true },
      { 'idempotency-key': 'the erasure' },
    );
    expect(erased.status).toBe(200);
    expect(await kept()).toEqual(['another', 'near', 'the erasure']);
    const again = await client.post(
      `/api/v1/members/${member.id}/erasure`,
      { acknowledgeOwed: true },
      { 'idempotency-key': 'the erasure' },
    );
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([erased.text, 'true']);
  });

  test('leaves those of the other environment and of another tenant', async () => {
    const member = (await create({ email: 'a@shop.example' }, 'k')).body;
    const other = await app.newTenant();
    for (const key of [tenant.sandboxKey, other.liveKey]) {
      await apiClient(app, key).post('/api/v1/users', { email: 'a@shop.example' }, { 'idempotency-key': 'k' });
    }
    await client.post(`/api/v1/members/${member.id}/erasure`, {});
    const rows = await app.database.asSuperuser(
      "select from idempotency_key where key = 'k' and tenant_id = any ($1) and answer is not null",
      [[tenant.tenantId, other.tenantId]],
    );
    expect(rows).toHaveLength(2);
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
