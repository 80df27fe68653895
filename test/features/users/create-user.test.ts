/** POST /users: docs/specification/hierarchy.md#create-member. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant({ currency: 'EUR' });
  client = apiClient(app, tenant.liveKey);
});
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

const create = (body: object) => client.post('/api/v1/users', body);
const fresh = (name = 'user') => `${name}-${randomUUID()}@shop.example`;
const statusOf = async (id: string) => (await client.get(`/api/v1/users/status?user_id=${id}`)).body;

describe('what is created', () => {
  test('a root member with the described defaults', async () => {
    const email = `Root.${randomUUID()}@Example.com`;
    const answer = await create({ email });
    expect(answer.status).toBe(201);
    expect(answer.headers['x-environment']).toBe('LIVE');
    expect(answer.headers['location']).toBe(`/api/v1/users/${answer.body.id}`);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      tenant_id: tenant.tenantId,
      email,
      membership_tier: 'ORDINARY',
      parent_id: null,
      is_active: true,
      can_recruit: true,
      is_test_user: false,
      group: 'default',
      standing: 'approved',
      joined_at: answer.body.created_at,
      name: null,
      external_id: null,
      pay_currency: 'EUR',
      referral_code: expect.stringMatching(/^[A-Z0-9-]{3,32}$/),
      created_by: { kind: 'api_key', id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: null },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      updated_at: answer.body.created_at,
    });
    const followed = await client.get(answer.headers['location'] ?? '');
    expect(followed.body).toEqual(answer.body);
  });

  test('everything that can be said is kept', async () => {
    const sponsor = await client.newMember();
    const said = {
      email: fresh(),
      membership_tier: 'DIRECTOR',
      parent_id: sponsor.id,
      is_active: false,
      can_recruit: false,
      is_test_user: true,
      name: 'Ann Łęcka',
      external_id: randomUUID(),
      pay_currency: 'JPY',
    };
    expect((await create(said)).body).toMatchObject(said);
  });

  test('nulls are the same as nothing', async () => {
    const nothing = { membership_tier: null, parent_id: null, referral_code: null, is_active: null, can_recruit: null };
    const answer = await create({
      email: fresh(),
      ...nothing,
      is_test_user: null,
      name: null,
      external_id: null,
      pay_currency: null,
    });
    expect(answer.body).toMatchObject({
      membership_tier: 'ORDINARY',
      parent_id: null,
      is_active: true,
      can_recruit: true,
      pay_currency: 'EUR',
    });
  });

  test('each has a code of its own that resolves', async () => {
    const one = await client.newMember();
    const two = await client.newMember();
    expect(one.referral_code).not.toBe(two.referral_code);
    expect((await create({ email: fresh(), referral_code: two.referral_code })).body.parent_id).toBe(two.id);
  });
});

describe('the sponsor', () => {
  test('is parent_id, which wins over referral_code', async () => {
    const [named, owner] = [await client.newMember(), await client.newMember()];
    const answer = await create({ email: fresh(), parent_id: named.id, referral_code: owner.referral_code });
    expect(answer.body.parent_id).toBe(named.id);
  });

  test('is the owner of the code, in any case', async () => {
    const owner = await client.newMember();
    for (const code of [owner.referral_code, owner.referral_code.toLowerCase()]) {
      expect((await create({ email: fresh(), referral_code: code })).body.parent_id).toBe(owner.id);
    }
  });

  test('an unknown one is a 400 that names the field, also one of another tenant or environment', async () => {
    const sandboxed = await apiClient(app, tenant.sandboxKey).newMember();
    const stranger = await apiClient(app, (await app.newTenant()).liveKey).newMember();
    for (const id of [randomUUID(), sandboxed.id, stranger.id]) {
      expectRefusal(await create({ email: fresh(), parent_id: id }), 400, 'VALIDATION_ERROR', ['parent_id']);
    }
    for (const code of ['NO-SUCH-CODE', sandboxed.referral_code, stranger.referral_code]) {
      expectRefusal(await create({ email: fresh(), referral_code: code }), 400, 'VALIDATION_ERROR', ['referral_code']);
    }
  });

  test('may be inactive as long as it can recruit', async () => {
    const sponsor = await client.newMember({ is_active: false });
    expect((await create({ email: fresh(), parent_id: sponsor.id })).body.parent_id).toBe(sponsor.id);
    expect((await create({ email: fresh(), referral_code: sponsor.referral_code })).status).toBe(201);
  });

  test('with can_recruit false is 403 RECRUITING_DISABLED, by id and by code, and stores nothing', async () => {
    const sponsor = await client.newMember({ can_recruit: false });
    const email = fresh();
    expectRefusal(await create({ email, parent_id: sponsor.id }), 403, 'RECRUITING_DISABLED');
    expectRefusal(await create({ email, referral_code: sponsor.referral_code }), 403, 'RECRUITING_DISABLED');
    expect((await create({ email })).status).toBe(201);
  });
});

describe('the email', () => {
  const taken = (answer: Parameters<typeof expectRefusal>[0]) => expectRefusal(answer, 409, 'EMAIL_EXISTS');

  test('is unique in any case and either normal form', async () => {
    const composed = `José.${randomUUID()}@Café.example`.normalize('NFC');
    expect((await create({ email: composed })).status).toBe(201);
    const decomposed = composed.normalize('NFD');
    for (const email of [composed, decomposed, composed.toUpperCase(), decomposed.toLowerCase()]) taken(await create({ email }));
  });

  test('is free in the other environment and in another tenant', async () => {
    const email = fresh();
    const others = [apiClient(app, tenant.sandboxKey), apiClient(app, (await app.newTenant()).liveKey)];
    for (const each of [client, ...others]) expect((await each.post('/api/v1/users', { email })).status).toBe(201);
    taken(await create({ email }));
  });

  test('keeps its +tag, dots and Unicode local part: these are different addresses', async () => {
    const id = randomUUID();
    for (const local of [`a.b.${id}`, `ab.${id}`, `ab.${id}+tag`, `用户.${id}`, `пример.${id}`]) {
      const answer = await create({ email: `${local}@shop.example` });
      expect([answer.status, answer.body.email]).toEqual([201, `${local}@shop.example`]);
    }
  });

  test('may have 254 characters and not 255', async () => {
    const domain = `${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.example`;
    const of = (length: number) => `${'x'.repeat(length - domain.length - 1)}@${domain}`;
    expect(of(254)).toHaveLength(254);
    expect((await create({ email: of(254) })).status).toBe(201);
    expectRefusal(await create({ email: of(255) }), 400, 'VALIDATION_ERROR', ['email']);
  });

  test('that grows past 254 when lower-cased is no server error', async () => {
    // İ lower-cases to two characters; the compared form of these 254 characters has 318.
    const domain = `${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.example`;
    const email = `${'İ'.repeat(254 - domain.length - 1)}@${domain}`;
    expect(email).toHaveLength(254);
    const answer = await create({ email });
    expect([201, 400]).toContain(answer.status);
    const lead = await client.post('/api/v1/leads/capture', { email });
    expect([201, 400]).toContain(lead.status);
  });

  test('of a captured lead converts the lead, whatever its case', async () => {
    const email = fresh('lead');
    const lead = (await client.post('/api/v1/leads/capture', { email })).body;
    expect(lead.conversion_status).toBe('captured');
    const member = (await create({ email: email.toUpperCase() })).body;
    const again = await client.post('/api/v1/leads/capture', { email });
    const changed = { updated_at: member.created_at, updated_by: member.created_by };
    const converted = { conversion_status: 'converted', converted_user_id: member.id, ...changed };
    expect([again.status, again.body]).toEqual([200, { ...lead, ...converted }]);
  });

  test('of a lead of the other environment converts nothing', async () => {
    const email = fresh('lead');
    const sandbox = apiClient(app, tenant.sandboxKey);
    await sandbox.post('/api/v1/leads/capture', { email });
    await create({ email });
    expect((await sandbox.post('/api/v1/leads/capture', { email })).body.conversion_status).toBe('captured');
  });
});

test('external_id is unique in the tenant and environment', async () => {
  const externalId = randomUUID();
  expect((await create({ email: fresh(), external_id: externalId })).status).toBe(201);
  expectRefusal(await create({ email: fresh(), external_id: externalId }), 409, 'EXTERNAL_ID_EXISTS');
  const sandbox = apiClient(app, tenant.sandboxKey);
  expect((await sandbox.post('/api/v1/users', { email: fresh(), external_id: externalId })).status).toBe(201);
});

describe('refused with the field', () => {
  test.each<[body: object, named: string[]]>([
    [{}, ['email']],
    [{ email: 'nobody' }, ['email']],
    [{ email: 'a@b' }, ['email']],
    [{ email: 'a b@shop.example' }, ['email']],
    [{ email: null }, ['email']],
    [{ email: 'ok@shop.example', membership_tier: 'BARON' }, ['membership_tier']],
    [{ email: 'ok@shop.example', membership_tier: 'ordinary' }, ['membership_tier']],
    [{ email: 'ok@shop.example', parent_id: 'me' }, ['parent_id']],
    [{ email: 'ok@shop.example', is_active: 'yes' }, ['is_active']],
    [{ email: 'ok@shop.example', name: 'x'.repeat(256) }, ['name']],
    [{ email: 'ok@shop.example', pay_currency: 'XXX' }, ['pay_currency']],
    [{ email: 'ok@shop.example', role: 'admin', tenant_id: 'x' }, ['role', 'tenant_id']],
    [{ email: 'nobody', membership_tier: 'BARON' }, ['email', 'membership_tier']],
  ])('%j', async (body, named) => {
    expectRefusal(await create(body), 400, 'VALIDATION_ERROR', named);
  });

  test('a refused request leaves nobody behind', async () => {
    expect((await client.get('/api/v1/users?email=ok@shop.example')).body.data).toEqual([]);
    expect(await statusOf(randomUUID())).toMatchObject({ code: 'USER_NOT_FOUND' });
  });
});
