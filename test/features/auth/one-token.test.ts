/**
 * A token of a provider begins one session and no other, and none that was issued before the member's sessions were all
 * ended (docs/specification/identity.md#one-token, docs/specification/identity.md#revoke-all).
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import type { ExternalToken } from '../../../src/features/auth/open/external-token.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
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

const exchange = (token: string, { as = provider, of = tenant.tenantId } = {}) =>
  app.http.post('/api/v1/auth/exchange').set('x-tenant-id', of).send({ provider: as, token });
const stateOf = async (token: string, by = client) =>
  (await by.post('/api/v1/auth/validate', { token })).body as { active: boolean; sub?: string; sid?: string };
const sessionOf = async (answer: { body: { accessToken: string } }, by = client) =>
  (await stateOf(answer.body.accessToken, by)).sid;
const countOf = async (table: 'token_family' | 'member' | 'exchanged_token') =>
  (
    await database.asSuperuser<{ count: number }>(`select count(*)::int as count from ${table} where tenant_id = $1`, [
      tenant.tenantId,
    ])
  )[0]?.count;
const refused = (answer: { status: number; body: unknown }) =>
  expect([answer.status, answer.body]).toEqual([401, { error: 'The token is not valid', code: 'INVALID_TOKEN' }]);

describe('a token that is exchanged again', () => {
  test('gets another pair of the same session, five in all, each of which goes on by itself', async () => {
    const token = tokenOf(personOf());
    const answers = [];
    for (let time = 1; time <= 5; time++) answers.push(await exchange(token));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const sessions = await Promise.all(answers.map((answer) => sessionOf(answer)));
    expect(new Set(sessions).size).toBe(1);
    expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(5);
    for (const { body } of answers) {
      expect((await client.post('/api/v1/auth/refresh', { refreshToken: body.refreshToken })).status).toBe(200);
    }
    refused(await exchange(token));
    refused(await exchange(token));
    expect(await countOf('token_family')).toBe(1);
    expect((await stateOf(answers[0]?.body.accessToken)).active).toBe(true);
  });

  test('many times at once makes one session and five pairs', async () => {
    const token = tokenOf(personOf());
    await Promise.all(Array.from({ length: 20 }, () => client.get('/api/v1/users?limit=1')));
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(15);
    expect([await countOf('token_family'), await countOf('member')]).toEqual([1, 1]);
  });

  test('is another when its id is, and counts for itself', async () => {
    const person = personOf();
    const sessions = new Set<string | undefined>();
    for (let time = 0; time < 7; time++) sessions.add(await sessionOf(await exchange(tokenOf(person))));
    expect(sessions.size).toBe(7);
  });

  test('is told apart by provider, tenant and person: an id is no secret', async () => {
    const [one, two] = [personOf(), personOf()];
    const other = await app.newTenant();
    const otherScope: Scope = { tenantId: other.tenantId, environment: 'LIVE' };
    const [second, theirs] = [await plantProvider(app, live, { trustEmail: true }), await plantProvider(app, otherScope)];
    const mark = 'id 1';
    const sessions = [
      await sessionOf(await exchange(tokenOf(one, { mark }))),
      await sessionOf(await exchange(tokenOf(two, { mark }))),
      await sessionOf(await exchange(tokenOf(one, { mark }), { as: second })),
      await sessionOf(await exchange(tokenOf(one, { mark }), { as: theirs, of: other.tenantId }), apiClient(app, other.liveKey)),
    ];
    expect(sessions).not.toContain(undefined);
    expect(new Set(sessions).size).toBe(4);
  });

  test('that was refused has used nothing up', async () => {
    const person = personOf({ emailVerified: false });
    const token = tokenOf(person);
    for (let time = 0; time < 3; time++) expect((await exchange(token)).status).toBe(403);
    expect(await countOf('exchanged_token')).toBe(0);
  });

  test.each<[string, (pair: { accessToken: string; refreshToken: string }, memberId: string) => Promise<unknown>]>([
    ['revoked', ({ refreshToken }) => client.post('/api/v1/auth/revoke', { token: refreshToken })],
    ['revoked by its access token', ({ accessToken }) => client.post('/api/v1/auth/revoke', { token: accessToken })],
    [
      'ended by a repeated refresh',
      async ({ refreshToken }) => {
        const next = (await client.post('/api/v1/auth/refresh', { refreshToken })).body;
        await client.post('/api/v1/auth/refresh', { refreshToken: next.refreshToken });
        await client.post('/api/v1/auth/refresh', { refreshToken });
      },
    ],
    ['revoked with all others', (_pair, userId) => client.post('/api/v1/auth/revoke-all', { userId })],
    [
      'ended by unlinking the identity',
      async (_pair, memberId) => {
        const path = `/api/v1/members/${memberId}/identities`;
        const [identity] = (await client.get(path)).body.data;
        await app.http.delete(`${path}/${identity.id}`).set('x-tenant-api-key', tenant.liveKey);
      },
    ],
    ['ended by erasing the member', (_pair, memberId) => client.post(`/api/v1/members/${memberId}/erasure`, {})],
    [
      'over',
      () =>
        database.asSuperuser("update token_family set absolute_expires_at = now() - interval '1 second' where tenant_id = $1", [
          tenant.tenantId,
        ]),
    ],
  ])('of a session that was %s is refused, and makes nobody', async (_how, end) => {
    const token = tokenOf(personOf());
    const { body } = await exchange(token);
    const { sub = '' } = await stateOf(body.accessToken);
    await end(body, sub);
    expect((await stateOf(body.accessToken)).active).toBe(false);
    refused(await exchange(token));
    expect([await countOf('token_family'), await countOf('member')]).toEqual([1, 1]);
  });

  test('is refused while its member is inactive, and good again with it', async () => {
    const token = tokenOf(personOf());
    const { sub } = await stateOf((await exchange(token)).body.accessToken);
    await client.patch(`/api/v1/users/${sub}`, { is_active: false });
    refused(await exchange(token));
    await client.patch(`/api/v1/users/${sub}`, { is_active: true });
    expect((await exchange(token)).status).toBe(200);
  });

  test('is kept as a keyed digest, until nobody would take it any more', async () => {
    const second = Math.floor(Date.now() / 1000);
    const [over, good] = [tokenOf(personOf(), { mark: 'over', expiresAt: second - 400 }), tokenOf(personOf(), { mark: 'good' })];
    await exchange(over);
    await exchange(good);
    const rows = await database.asSuperuser<{ text: string; size: number }>(
      'select t::text as text, length(token_digest) as size from exchanged_token t where tenant_id = $1',
      [tenant.tenantId],
    );
    expect(rows.map(({ size }) => size)).toEqual([32, 32]);
    expect(rows.map(({ text }) => text).join()).not.toMatch(/over|good/);
    expect(await app.runSweep('forget-exchanged-tokens', live)).toBe(1);
    expect(await countOf('exchanged_token')).toBe(1);
    expect(await sessionOf(await exchange(good))).toBeDefined();
    expect(await countOf('token_family')).toBe(2);
  });

  test('is known in the environment that it was exchanged in, and goes with the reset of a SANDBOX', async () => {
    const sandbox = { tenantId: tenant.tenantId, environment: 'SANDBOX' } as const;
    const there = await plantProvider(app, sandbox);
    const token = tokenOf(personOf());
    await exchange(token);
    await exchange(token, { as: there });
    expect(await countOf('exchanged_token')).toBe(2);
    const reset = await apiClient(app, tenant.sandboxKey).post('/api/v1/sandbox/reset', {});
    expect(reset.status, reset.text).toBe(200);
    expect(await countOf('exchanged_token')).toBe(1);
  });
});

describe('once all sessions of a member were ended', () => {
  const endedAt = async () =>
    Math.floor(
      (
        await database.asSuperuser<{ at: Date }>('select ended_at as at from session_cutoff where tenant_id = $1', [
          tenant.tenantId,
        ])
      )[0]?.at.getTime() ?? 0,
    );

  test('a token of that second, or of one before, begins none; one of the next second does', async () => {
    const person = personOf();
    const { sub } = await stateOf((await exchange(tokenOf(person))).body.accessToken);
    const all = await client.post('/api/v1/auth/revoke-all', { userId: sub });
    expect(all.body).toEqual({ revokedSessions: 1 });
    const second = Math.floor((await endedAt()) / 1000);
    const issued = (issuedAt: number): Partial<ExternalToken> => ({ issuedAt, expiresAt: second + 600 });
    for (const at of [second - 300, second - 1, second, second + 0.999]) refused(await exchange(tokenOf(person, issued(at))));
    expect((await exchange(tokenOf(person, issued(second + 1)))).status).toBe(200);
    expect((await exchange(tokenOf(person, issued(second + 2)))).status).toBe(200);
    expect((await client.post('/api/v1/auth/revoke-all', { userId: sub })).body).toEqual({ revokedSessions: 2 });
  });

  test('also when there were none, of every provider, and of an identity that is linked afterwards', async () => {
    const member = await client.newMember();
    expect((await client.post('/api/v1/auth/revoke-all', { userId: member.id })).body).toEqual({ revokedSessions: 0 });
    const second = Math.floor((await endedAt()) / 1000);
    const trusted = await plantProvider(app, live, { trustEmail: true });
    const joining = (issuedAt: number) => tokenOf(personOf({ subject: 'S', email: member.email }), { issuedAt });
    refused(await exchange(joining(second), { as: trusted }));
    await client.post(`/api/v1/members/${member.id}/identities`, { providerId: provider, subject: 'S' });
    refused(await exchange(joining(second)));
    expect((await exchange(joining(second + 1))).status).toBe(200);
    expect((await exchange(joining(second + 1), { as: trusted })).status).toBe(200);
  });

  test('no token of another member, tenant or environment is refused for it', async () => {
    const [person, other] = [personOf(), personOf()];
    const { sub } = await stateOf((await exchange(tokenOf(person))).body.accessToken);
    const sandbox = await plantProvider(app, { ...live, environment: 'SANDBOX' });
    await exchange(tokenOf(person), { as: sandbox });
    await client.post('/api/v1/auth/revoke-all', { userId: sub });
    const old = { issuedAt: Math.floor(Date.now() / 1000) - 100 };
    expect((await exchange(tokenOf(other, old))).status).toBe(200);
    expect((await exchange(tokenOf(person, old), { as: sandbox })).status).toBe(200);
    refused(await exchange(tokenOf(person, old)));
  });

  test('no session is left of exchanges that were under way', async () => {
    const person = personOf();
    const { sub } = await stateOf((await exchange(tokenOf(person))).body.accessToken);
    await Promise.all(Array.from({ length: 20 }, () => client.get('/api/v1/users?limit=1')));
    const old = { issuedAt: Math.floor(Date.now() / 1000) - 100 };
    const exchanges = Array.from({ length: 15 }, () => exchange(tokenOf(person, old)));
    const all = await client.post('/api/v1/auth/revoke-all', { userId: sub });
    expect(all.status).toBe(200);
    for (const answer of await Promise.all(exchanges)) {
      if (answer.status === 200) expect((await stateOf(answer.body.accessToken)).active).toBe(false);
      else refused(answer);
    }
  });

  test('it is recorded, also when there were no sessions', async () => {
    const member = await client.newMember();
    await client.post('/api/v1/auth/revoke-all', { userId: member.id });
    const entries = await database.asSuperuser(
      "select actor_kind, details from audit_log where action = 'session.all_revoked' and object_id = $1",
      [member.id],
    );
    expect(entries).toEqual([{ actor_kind: 'api_key', details: { sessions: 0 } }]);
  });
});

test('what is known of a member is in its export: the tokens that still count, and when its sessions were ended', async () => {
  const person = personOf();
  const token = tokenOf(person);
  await exchange(token);
  const answer = await exchange(token);
  const { sub, sid } = await stateOf(answer.body.accessToken);
  const path = `/api/v1/members/${sub}/data-export`;
  const before = (await client.get(path)).body;
  expect(before.exchangedTokens).toEqual([{ sessionId: sid, exchanges: 2, expiresAt: expect.stringMatching(/Z$/) }]);
  expect(before.sessionsEndedAt).toBeNull();
  await client.post('/api/v1/auth/revoke-all', { userId: sub });
  expect((await client.get(path)).body.sessionsEndedAt).toMatch(/Z$/);
});

test('a session can be begun in each of many tenants by one person', async () => {
  const mark = randomUUID();
  const person = personOf();
  for (let time = 0; time < 3; time++) {
    const other = await app.newTenant();
    const idp = await plantProvider(app, { tenantId: other.tenantId, environment: 'LIVE' });
    expect((await exchange(tokenOf(person, { mark }), { as: idp, of: other.tenantId })).status).toBe(200);
  }
});
