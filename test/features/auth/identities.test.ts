/** Members whom the tenant links to persons at its providers: docs/specification/identity.md#linked-by-the-tenant. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import type { ExternalIdentity } from '../../../src/features/auth/open/external-token.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.ts';
import { personOf, plantProvider, standInProviders, tokenOf } from '../../support/identity/stand-in-providers.ts';

let database: TestDatabase;
let app: TestApp;
let tenant: TestTenant;
let live: Scope;
let client: ApiClient;
let provider: string;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp({}, database, standInProviders(database));
});
afterAll(async () => {
  await app.close();
  await database.drop();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  live = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
  provider = await plantProvider(app, live);
});

const pathOf = (memberId: string, identityId?: string) =>
  `/api/v1/members/${memberId}/identities${identityId === undefined ? '' : `/${identityId}`}`;
const link = (memberId: string, body: object, by = client) => by.post(pathOf(memberId), { providerId: provider, ...body });
const unlink = (memberId: string, identityId: string, key = tenant.liveKey) =>
  app.http.delete(pathOf(memberId, identityId)).set('x-tenant-api-key', key);
const listOf = async (memberId: string) => (await client.get(pathOf(memberId))).body.data;
const exchange = (identity: ExternalIdentity, as = provider) =>
  app.http
    .post('/api/v1/auth/exchange')
    .set('x-tenant-id', tenant.tenantId)
    .send({ provider: as, token: tokenOf(identity) });
const memberOf = async (token: string) => (await client.post('/api/v1/auth/validate', { token })).body;

test('what ACCOUNT_LINK_REQUIRED asks for: the same exchange signs the member in afterwards', async () => {
  const member = await client.newMember();
  const person = personOf({ email: member.email });
  expect((await exchange(person)).body.code).toBe('ACCOUNT_LINK_REQUIRED');
  const answer = await link(member.id, { subject: person.subject });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    id: expect.any(String),
    providerId: provider,
    subject: person.subject,
    createdAt: expect.any(String),
  });
  const signedIn = await exchange(person);
  expect((await memberOf(signedIn.body.accessToken)).sub).toBe(member.id);
  expect(await listOf(member.id)).toEqual([answer.body]);
  const { data } = (await client.get('/api/v1/admin/audit-logs?action=member_identity.linked')).body;
  expect(data).toMatchObject([{ actor: { kind: 'api_key' }, details: { identityId: answer.body.id } }]);
  expect(JSON.stringify(data)).not.toContain(person.subject);
});

describe('linking', () => {
  test('the same again is a 200 that changes nothing; subjects are compared byte by byte', async () => {
    const member = await client.newMember();
    const first = await link(member.id, { subject: 'Ann' });
    const again = await link(member.id, { subject: 'Ann' });
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await client.newMember();
    expect((await link(other.id, { subject: 'ann' })).status).toBe(201);
  });

  test("another member's subject, and a second identity at one provider, are 409", async () => {
    const [member, other] = [await client.newMember(), await client.newMember()];
    await link(member.id, { subject: 'one' });
    expectRefusal(await link(other.id, { subject: 'one' }), 409, 'STATE_CONFLICT');
    expectRefusal(await link(member.id, { subject: 'two' }), 409, 'STATE_CONFLICT');
    expect(await listOf(other.id)).toEqual([]);
    const second = await plantProvider(app, live);
    expect((await link(member.id, { providerId: second, subject: 'two' })).status).toBe(201);
    expect((await listOf(member.id)).map(({ subject }: { subject: string }) => subject)).toEqual(['one', 'two']);
  });

  test('an erased member is 409, an unknown one 404, and an inactive one is linked but not let in', async () => {
    const [erased, inactive] = [await client.newMember(), await client.newMember({ is_active: false })];
    await client.post(`/api/v1/members/${erased.id}/erasure`, {});
    expectRefusal(await link(erased.id, { subject: 'x' }), 409, 'STATE_CONFLICT');
    expectRefusal(await link(randomUUID(), { subject: 'x' }), 404, 'USER_NOT_FOUND');
    const person = personOf();
    expect((await link(inactive.id, { subject: person.subject })).status).toBe(201);
    expect((await exchange(person)).body.code).toBe('INVALID_TOKEN');
  });

  test('a provider of another tenant, of the other environment, or of nobody is a 400', async () => {
    const member = await client.newMember();
    const other = await app.newTenant();
    const foreign = [
      await plantProvider(app, { tenantId: other.tenantId, environment: 'LIVE' }),
      await plantProvider(app, { ...live, environment: 'SANDBOX' }),
      'nobody',
    ];
    for (const providerId of foreign) {
      expectRefusal(await link(member.id, { providerId, subject: 'x' }), 400, 'VALIDATION_ERROR', ['providerId']);
    }
  });

  test.each(['', ' ', 'x'.repeat(256), 'a\u0001b'])('the subject %j is a 400', async (subject) => {
    expectRefusal(await link((await client.newMember()).id, { subject }), 400, 'VALIDATION_ERROR', ['subject']);
  });

  test('one subject to two members at once links one, and one member to many subjects at once has one', async () => {
    const [member, other] = [await client.newMember(), await client.newMember()];
    const subject = randomUUID();
    const answers = await Promise.all([link(member.id, { subject }), link(other.id, { subject })]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    const third = await client.newMember();
    const many = await Promise.all(Array.from({ length: 6 }, (_, i) => link(third.id, { subject: `s-${third.id}-${i}` })));
    expect(many.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(many.filter(({ status }) => status === 409)).toHaveLength(5);
  });

  test('beside the first exchange of the person leaves one member with the identity', async () => {
    for (let round = 0; round < 6; round++) {
      const person = personOf();
      const member = await client.newMember();
      const [linked, exchanged] = await Promise.all([link(member.id, { subject: person.subject }), exchange(person)]);
      expect([201, 409]).toContain(linked.status);
      expect(exchanged.status).toBe(200);
      const { sub } = await memberOf((await exchange(person)).body.accessToken);
      expect(sub === member.id).toBe(linked.status === 201);
    }
  });

  test('beside an erasure leaves no identity behind', async () => {
    for (let round = 0; round < 6; round++) {
      const member = await client.newMember();
      const [linked] = await Promise.all([
        link(member.id, { subject: randomUUID() }),
        client.post(`/api/v1/members/${member.id}/erasure`, {}),
      ]);
      expect([201, 409]).toContain(linked.status);
      expect(await listOf(member.id)).toEqual([]);
    }
  });
});

describe('unlinking', () => {
  test('ends the sessions through that provider, no others, and the subject is nobody then', async () => {
    const member = await client.newMember();
    const second = await plantProvider(app, live);
    const person = personOf({ email: member.email });
    const { body } = await link(member.id, { subject: person.subject });
    await link(member.id, { providerId: second, subject: person.subject });
    const [gone, kept] = [await exchange(person), await exchange(person, second)];
    const answer = await unlink(member.id, body.id);
    expect([answer.status, answer.body]).toEqual([200, { id: body.id, deleted: true }]);
    expect((await memberOf(gone.body.refreshToken)).active).toBe(false);
    expect((await memberOf(gone.body.accessToken)).active).toBe(false);
    expect((await memberOf(kept.body.refreshToken)).active).toBe(true);
    expect((await exchange(person)).body.code).toBe('ACCOUNT_LINK_REQUIRED');
    expectRefusal(await unlink(member.id, body.id), 404, 'NOT_FOUND');
    const { data } = (await client.get('/api/v1/admin/audit-logs?action=member_identity.unlinked')).body;
    expect(data).toMatchObject([{ actor: { kind: 'api_key' }, details: { identityId: body.id } }]);
  });

  test("another member's, tenant's or environment's identity is a 404 and stays", async () => {
    const [member, other] = [await client.newMember(), await client.newMember()];
    const { body } = await link(member.id, { subject: 'kept' });
    const stranger = await app.newTenant();
    expectRefusal(await unlink(other.id, body.id), 404, 'NOT_FOUND');
    expectRefusal(await unlink(member.id, body.id, stranger.liveKey), 404, 'NOT_FOUND');
    expectRefusal(await unlink(member.id, body.id, tenant.sandboxKey), 404, 'NOT_FOUND');
    expect(await listOf(member.id)).toHaveLength(1);
  });

  test('of the identity that made the member with an unverified address opens it to nobody: linking is the way of its owner', async () => {
    const owner = await plantProvider(app, live, { trustEmail: true });
    const lenient = await plantProvider(app, live, { acceptUnverifiedEmail: true });
    const taker = personOf({ emailVerified: false });
    const { sub } = await memberOf((await exchange(taker, lenient)).body.accessToken);
    const rightful = personOf({ email: taker.email });
    expect((await exchange(rightful, owner)).body.code).toBe('ACCOUNT_LINK_REQUIRED');
    const [identity] = await listOf(sub);
    expect((await unlink(sub, identity.id)).status).toBe(200);
    expect((await exchange(rightful, owner)).body.code).toBe('ACCOUNT_LINK_REQUIRED');
    expect((await link(sub, { providerId: owner, subject: rightful.subject })).status).toBe(201);
    expect((await memberOf((await exchange(rightful, owner)).body.accessToken)).sub).toBe(sub);
  });
});

test('the list is of the member, in pages; the export has them and erasure takes them away', async () => {
  const member = await client.newMember();
  for (let i = 0; i < 3; i++) await link(member.id, { providerId: await plantProvider(app, live), subject: `p-${i}` });
  const first = (await client.get(`${pathOf(member.id)}?limit=2`)).body;
  const rest = (await client.get(`${pathOf(member.id)}?limit=2&cursor=${first.nextCursor}`)).body;
  const subjects = [...first.data, ...rest.data].map(({ subject }) => subject);
  expect([subjects, first.hasMore, rest.hasMore]).toEqual([['p-0', 'p-1', 'p-2'], true, false]);
  expectRefusal(await client.get(pathOf(randomUUID())), 404, 'USER_NOT_FOUND');
  const { body } = await client.get(`/api/v1/members/${member.id}/data-export`);
  expect(body.identities.map(({ subject }: { subject: string }) => subject)).toEqual(subjects);
  await client.post(`/api/v1/members/${member.id}/erasure`, {});
  expect(await listOf(member.id)).toEqual([]);
});
