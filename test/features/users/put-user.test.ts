/** PUT /users/by-external-id/{external_id}: docs/specification/hierarchy.md#own-ids. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';

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
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

const put = (externalId: string, body: object, by = client, headers = {}) =>
  by.put(`/api/v1/users/by-external-id/${encodeURIComponent(externalId)}`, body, headers);
const freshEmail = () => `${randomUUID()}@shop.example`;
const membersOf = async (by = client) => (await by.get('/api/v1/users?limit=100')).body.data;

test('creates, and then changes what is sent', async () => {
  const sponsor = await client.newMember();
  const email = freshEmail();
  const created = await put('crm/1 ä', { email, name: 'Ada', parent_id: sponsor.id, pay_currency: 'EUR' });
  expect(created.status, created.text).toBe(201);
  expect(created.headers['location']).toBe(`/api/v1/users/${created.body.id}`);
  expect(created.body).toMatchObject({ email, name: 'Ada', external_id: 'crm/1 ä', parent_id: sponsor.id, pay_currency: 'EUR' });

  const changed = await put('crm/1 ä', { membership_tier: 'SENIOR', is_active: false, can_recruit: false, is_test_user: true });
  expect([changed.status, changed.headers['location']]).toEqual([200, undefined]);
  const now = { membership_tier: 'SENIOR', is_active: false, can_recruit: false, is_test_user: true };
  expect(changed.body).toEqual({ ...created.body, ...now, updated_at: expect.any(String) });
  const other = freshEmail();
  expect((await put('crm/1 ä', { email: other, external_id: 'crm/1 ä' })).body).toMatchObject({
    ...now,
    email: other,
    name: 'Ada',
  });
  expect(await membersOf()).toHaveLength(2);
});

test('sent again it changes nothing, not even the time of the last change', async () => {
  const body = {
    email: freshEmail(),
    name: null,
    membership_tier: 'MANAGER',
    can_recruit: false,
    pay_currency: null,
    is_active: null,
  };
  const first = await put('crm-1', body);
  const again = await put('crm-1', body);
  expect([again.status, again.body]).toEqual([200, first.body]);
  const { data } = (await client.get(`/api/v1/admin/audit-logs?objectId=${first.body.id}`)).body;
  expect(data).toEqual([]);
});

test('null clears the name and leaves the rest', async () => {
  const member = await client.newMember({ external_id: 'crm-1', name: 'Ada', membership_tier: 'SENIOR', is_active: false });
  const answer = await put('crm-1', {
    name: null,
    membership_tier: null,
    is_active: null,
    can_recruit: null,
    pay_currency: null,
  });
  expect(answer.body).toEqual({ ...member, name: null, updated_at: expect.any(String) });
});

test('the sponsor is of the creation alone', async () => {
  const [one, two] = [await client.newMember(), await client.newMember({ can_recruit: false })];
  const created = await put('crm-1', { email: freshEmail(), referral_code: one.referral_code });
  expect(created.body.parent_id).toBe(one.id);
  for (const sponsor of [
    { parent_id: two.id },
    { parent_id: randomUUID() },
    { parent_id: null },
    { referral_code: two.referral_code },
  ]) {
    const answer = await put('crm-1', sponsor);
    expect([answer.status, answer.body]).toEqual([200, created.body]);
  }
  expectRefusal(await put('crm-2', { email: freshEmail(), parent_id: two.id }), 403, 'RECRUITING_DISABLED');
  expectRefusal(await put('crm-2', { email: freshEmail(), parent_id: randomUUID() }), 400, 'VALIDATION_ERROR', ['parent_id']);
  expect(await membersOf()).toHaveLength(3);
});

describe('refused', () => {
  test('is a creation without an email, another external id, and a field that there is not', async () => {
    expectRefusal(await put('crm-1', { name: 'Ada' }), 400, 'VALIDATION_ERROR', ['email']);
    expectRefusal(await put('crm-1', { email: freshEmail(), external_id: 'crm-2' }), 400, 'VALIDATION_ERROR', ['external_id']);
    expectRefusal(await put('crm-1', { email: freshEmail(), tier: 'SENIOR' }), 400, 'VALIDATION_ERROR', ['tier']);
    expectRefusal(await put('x'.repeat(256), { email: freshEmail() }), 400, 'VALIDATION_ERROR', ['external_id']);
    expectRefusal(await put(' ', { email: freshEmail() }), 400, 'VALIDATION_ERROR', ['external_id']);
    expect(await membersOf()).toEqual([]);
  });

  test('is the email of another member, whose id is named', async () => {
    const holder = await client.newMember();
    await client.newMember({ external_id: 'crm-1' });
    for (const externalId of ['crm-1', 'crm-2']) {
      const answer = await put(externalId, { email: holder.email.toUpperCase(), name: 'No' });
      expectRefusal(answer, 409, 'EMAIL_EXISTS');
      expect(answer.body.details).toEqual({ existing_id: holder.id });
    }
    expect(await membersOf()).toHaveLength(2);
  });
});

test('the same id elsewhere is another member', async () => {
  const email = freshEmail();
  const others = [apiClient(app, tenant.sandboxKey), apiClient(app, (await app.newTenant()).liveKey)];
  const answers = [
    await put('crm-1', { email }),
    ...(await Promise.all(others.map((by) => put('crm-1', { email, name: 'B' }, by)))),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(3);
  expect((await put('crm-1', {})).body.name).toBeNull();
});

test('after an erasure the id is free for a new member', async () => {
  const { body: first } = await put('crm-1', { email: freshEmail() });
  await client.post(`/api/v1/members/${first.id}/erasure`, {});
  const again = await put('crm-1', { email: freshEmail() });
  expect(again.status).toBe(201);
  expect(again.body.id).not.toBe(first.id);
});

test('with an Idempotency-Key a repeat gets the first answer, whatever came between', async () => {
  const key = { 'idempotency-key': randomUUID() };
  const body = { email: freshEmail(), name: 'Ada' };
  const first = await put('crm-1', body, client, key);
  await put('crm-1', { name: 'Bea' });
  const again = await put('crm-1', body, client, key);
  expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([201, first.body, 'true']);
  expectRefusal(await put('crm-2', body, client, key), 422, 'IDEMPOTENCY_KEY_REUSED');
  expect((await put('crm-1', {})).body.name).toBe('Bea');
});

describe('at one moment', () => {
  test('one creates, the others find it', async () => {
    for (let i = 0; i < 5; i++) {
      const body = { email: freshEmail(), name: 'Ada', can_recruit: false };
      const answers = await Promise.all(Array.from({ length: 6 }, () => put(`crm-${i}`, body)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 200, 201]);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    }
    expect(await membersOf()).toHaveLength(5);
  });

  test('with other content the member is as one of them said, wholly', async () => {
    const bodies = Array.from({ length: 6 }, (_, i) => ({
      email: freshEmail(),
      name: `Ada ${i}`,
      membership_tier: ['ORDINARY', 'SENIOR', 'MANAGER'][i % 3],
      is_active: i % 2 === 0,
      can_recruit: i % 3 === 0,
      is_test_user: i > 2,
      pay_currency: ['USD', 'EUR'][i % 2],
    }));
    for (let round = 0; round < 4; round++) {
      const answers = await Promise.all(bodies.map((body) => put('crm-1', body)));
      const expected = round === 0 ? [200, 200, 200, 200, 200, 201] : Array.from({ length: 6 }, () => 200);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual(expected);
      for (const [i, { body }] of answers.entries()) expect(body).toMatchObject(bodies[i] ?? {});
      const { body } = await put('crm-1', {});
      expect(bodies).toContainEqual(expect.objectContaining({ name: body.name, email: body.email }));
      expect(body).toMatchObject(bodies.find(({ name }) => name === body.name) ?? {});
    }
  });

  test('beside POST /users with the same id: one member, as the PUT says', async () => {
    for (let i = 0; i < 8; i++) {
      const sent = { email: freshEmail(), name: 'Put' };
      const [created, set] = await Promise.all([
        client.post('/api/v1/users', { email: i % 2 === 0 ? sent.email : freshEmail(), external_id: `crm-${i}`, name: 'Post' }),
        put(`crm-${i}`, sent),
      ]);
      expect([`${created.status} ${set.status}`], set.text).toContain(created.status === 201 ? '201 200' : '409 201');
      expect((await put(`crm-${i}`, {})).body).toMatchObject({ ...sent, id: set.body.id });
      if (created.status === 409) expect(created.body.details).toEqual({ existing_id: set.body.id });
    }
  });

  test('beside a change that takes the id away, and one that gives it to another', async () => {
    for (let i = 0; i < 6; i++) {
      const [one, two] = [await client.newMember({ external_id: `crm-${i}` }), await client.newMember()];
      const [moved, set] = await Promise.all([
        client.patch(`/api/v1/users/${one.id}`, { external_id: null }),
        put(`crm-${i}`, { email: freshEmail(), name: 'Put' }),
        client.patch(`/api/v1/users/${two.id}`, { external_id: `crm-${i}` }),
      ]);
      expect(moved.status).toBe(200);
      expect([200, 201]).toContain(set.status);
      expect(set.body).toMatchObject({ name: 'Put', external_id: `crm-${i}` });
      const { data } = (await client.get(`/api/v1/users?external_id=crm-${i}`)).body;
      expect(data.length).toBeLessThanOrEqual(1);
    }
  });
});
