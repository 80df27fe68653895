/**
 * Bearer tokens: whose they are, what is no such token, and how soon a session's end is felt.
 * Source: docs/specification/identity.md#bearer, docs/specification/reliability.md#a-15.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { forgeAccessToken, type PlantedSession, plantSession, signingKeysOf } from '../../support/identity/sessions.ts';

let app: TestApp;
/** A second instance on the same database, with the same secrets. */
let other: TestApp;
let tenant: TestTenant;
let live: Scope;
let client: ApiClient;
let member: MemberBody;
let session: PlantedSession;

const BOUND_MS = 1_000;

beforeAll(async () => {
  const secrets = {
    API_KEY_PEPPER: Buffer.alloc(32, 1).toString('base64'),
    DATA_KEYS: `k1:${Buffer.alloc(32, 2).toString('base64')}`,
  };
  app = await startTestApp(secrets);
  other = await startTestApp(secrets, app.database);
  tenant = await app.newTenant();
  live = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
});
afterAll(async () => {
  await other.close();
  await app.close();
});
beforeEach(async () => {
  member = await client.newMember();
  session = await plantSession(app, live, member.id);
});
afterEach(() => {
  vi.useRealTimers();
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const call = (token: string, { at = app, key = tenant.liveKey }: { at?: TestApp; key?: string } = {}) =>
  apiClient(at, key).get(`/api/v1/members/${member.id}/balances`, bearer(token));
const validate = async (token: string, by = client) => (await by.post('/api/v1/auth/validate', { token })).body as unknown;
const revoke = (token: string, by = client) => by.post('/api/v1/auth/revoke', { token });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a bearer token', () => {
  test('beside the key makes the call the member’s own', async () => {
    expect((await call(session.accessToken)).status).toBe(200);
    const others = await client.get(`/api/v1/members/${(await client.newMember()).id}/balances`, bearer(session.accessToken));
    expect([others.status, others.body.code]).toEqual([403, 'FORBIDDEN']);
  });

  test('is nothing without a key', async () => {
    const answer = await app.http.get(`/api/v1/members/${member.id}/balances`).set(bearer(session.accessToken));
    expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHORIZED']);
  });

  test('is of no use with a key of the other environment or another tenant', async () => {
    const stranger = await app.newTenant();
    for (const key of [tenant.sandboxKey, stranger.liveKey]) {
      expect((await call(session.accessToken, { key })).body.code).toBe('INVALID_TOKEN');
      expect(await validate(session.accessToken, apiClient(app, key))).toEqual({ active: false });
    }
  });

  test('may not be sent without its scheme', async () => {
    for (const authorization of [
      session.accessToken,
      `Basic ${session.accessToken}`,
      'Bearer',
      `Bearer ${session.accessToken} x`,
    ]) {
      const answer = await client.get(`/api/v1/members/${member.id}/balances`, { authorization });
      expect(answer.body.code, authorization).toBe('INVALID_TOKEN');
    }
  });

  test.each<[string, Parameters<typeof forgeAccessToken>[3]]>([
    ['expired a second ago', { claims: { exp: Math.floor(Date.now() / 1000) - 1 } }],
    ['for another audience', { claims: { aud: 'urn:other' } }],
    ['of another issuer', { claims: { iss: 'urn:other' } }],
    ['without an end', { without: ['exp'] }],
    ['without a session', { without: ['sid'] }],
    ['without a member', { without: ['sub'] }],
    ['of another type', { header: { typ: 'JWT' } }],
    ['of no type', { header: { typ: undefined as unknown as string } }],
    ['unsigned', { header: { alg: 'none' } }],
    ['signed with another key under our kid', { ownKey: true }],
    ['with a kid that is a path', { header: { kid: '../../x' } }],
    ['with a kid that is SQL', { header: { kid: "' or 1=1--" } }],
    ['with a key of its own in its header', { header: { kid: 'x', jwk: { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' } } }],
    ['of another member of the tenant', { claims: { sub: randomUUID() } }],
    ['of a session that is not', { claims: { sid: randomUUID() } }],
    ['of a session that is no uuid', { claims: { sid: 'x' } }],
    ['of a tenant that is an array', { claims: { tid: [] } }],
  ])('%s is refused, and invalid', async (_what, forgery) => {
    const token = await forgeAccessToken(app, live, { memberId: member.id, sessionId: session.sessionId }, forgery);
    const answer = await call(token);
    expect([answer.status, answer.body]).toEqual([401, { error: 'The token is not valid', code: 'INVALID_TOKEN' }]);
    expect(await validate(token)).toEqual({ active: false });
  });

  test('is not a refresh token, nor another text', async () => {
    for (const token of [session.refreshToken, 'a.b.c', 'x', `${session.accessToken}x`, 'e'.repeat(5_000)]) {
      expect((await call(token)).body.code, token.slice(0, 20)).toBe('INVALID_TOKEN');
    }
  });

  test('of a key that the database has lost is refused, and the key looked for once a second at most', async () => {
    const unknown = await forgeAccessToken(
      app,
      live,
      { memberId: member.id, sessionId: session.sessionId },
      { header: { kid: 'gone' } },
    );
    const frames = vi.spyOn(app.composition.frames, 'unscoped');
    await Promise.all(Array.from({ length: 50 }, () => call(unknown)));
    const lookups = frames.mock.calls.filter(([statement]) => statement.name === 'auth_published_keys');
    frames.mockRestore();
    expect(lookups.length).toBeLessThanOrEqual(2);
  });
});

describe('the end of a session is felt on every instance within a second', () => {
  const ends: [string, () => Promise<unknown>][] = [
    ['revoked by its access token', () => revoke(session.accessToken)],
    ['revoked by its refresh token', () => revoke(session.refreshToken)],
    ['revoked with all others of the member', () => client.post('/api/v1/auth/revoke-all', { userId: member.id })],
    ['of a member who becomes inactive', () => client.patch(`/api/v1/users/${member.id}`, { is_active: false })],
    [
      'of a member who is erased',
      () => app.database.asSuperuser('update member set erased_at = now() where id = $1', [member.id]),
    ],
    [
      'whose refresh token was stolen and used twice',
      async () => {
        await client.post('/api/v1/auth/refresh', { refreshToken: session.refreshToken });
        await app.database.asSuperuser(
          "update refresh_token set used_at = now() - interval '1 hour' where family_id = $1 and used_at is not null",
          [session.sessionId],
        );
        await client.post('/api/v1/auth/refresh', { refreshToken: session.refreshToken });
      },
    ],
    [
      'at its absolute end',
      () => app.database.asSuperuser('update token_family set absolute_expires_at = now() where id = $1', [session.sessionId]),
    ],
  ];
  test.each(ends)('%s', async (_how, end) => {
    expect((await call(session.accessToken)).status).toBe(200);
    expect((await call(session.accessToken, { at: other })).status).toBe(200);
    await end();
    expect(await validate(session.accessToken)).toEqual({ active: false });
    expect(await validate(session.refreshToken)).toEqual({ active: false });
    await pause(BOUND_MS);
    for (const at of [app, other]) expect((await call(session.accessToken, { at })).body.code).toBe('INVALID_TOKEN');
    expect((await client.post('/api/v1/auth/refresh', { refreshToken: session.refreshToken })).status).toBe(401);
  });

  test('and not before: a session of its own goes on', async () => {
    const second = await plantSession(app, live, member.id);
    await revoke(session.accessToken);
    await pause(BOUND_MS);
    expect((await call(second.accessToken)).status).toBe(200);
  });
});

describe('revocation', () => {
  test('answers alike for what is good, dead, unknown, foreign or no token at all', async () => {
    const stranger = await app.newTenant();
    const strangers = apiClient(app, stranger.liveKey);
    const foreign = await plantSession(
      app,
      { tenantId: stranger.tenantId, environment: 'LIVE' },
      (await strangers.newMember()).id,
    );
    const texts = [session.refreshToken, session.refreshToken, foreign.accessToken, foreign.refreshToken, 'x', 'a.b.c'];
    for (const text of texts) {
      const answer = await revoke(text);
      expect([answer.status, answer.body]).toEqual([200, {}]);
    }
    expect(await validate(foreign.accessToken, strangers)).toMatchObject({ active: true });
    expect(await validate(foreign.refreshToken, strangers)).toMatchObject({ active: true });
  });

  test('takes an access token that has expired by itself', async () => {
    const owner = { memberId: member.id, sessionId: session.sessionId };
    await revoke(await forgeAccessToken(app, live, owner, { claims: { exp: 1 } }));
    expect(await validate(session.refreshToken)).toEqual({ active: false });
  });

  test('is recorded once, with who asked and no token', async () => {
    await revoke(session.refreshToken);
    await revoke(session.refreshToken);
    const entries = await app.database.asSuperuser<Record<string, unknown>>(
      "select actor_kind, details from audit_log where action = 'session.revoked' and object_id = $1",
      [member.id],
    );
    expect(entries).toEqual([{ actor_kind: 'api_key', details: { sessionId: session.sessionId } }]);
  });

  test('of all counts the sessions that were, and knows no foreign member', async () => {
    await plantSession(app, live, member.id);
    const all = (userId: string, by = client) => by.post('/api/v1/auth/revoke-all', { userId });
    expect((await all(member.id)).body).toEqual({ revokedSessions: 2 });
    expect((await all(member.id)).body).toEqual({ revokedSessions: 0 });
    const stranger = await app.newTenant();
    for (const key of [tenant.sandboxKey, stranger.liveKey]) {
      const answer = await all(member.id, apiClient(app, key));
      expect([answer.status, answer.body.code]).toEqual([404, 'USER_NOT_FOUND']);
    }
  });
});

test('a good token is told in full, and no more', async () => {
  const now = Math.floor(Date.now() / 1000);
  const common = { active: true, sub: member.id, tenantId: tenant.tenantId, environment: 'LIVE', sid: session.sessionId };
  const access = (await validate(session.accessToken)) as { exp: number; iat: number };
  expect(access).toEqual({ ...common, exp: expect.any(Number), iat: expect.any(Number), tokenType: 'access_token' });
  expect(access.exp - access.iat).toBe(900);
  expect(Math.abs(access.iat - now)).toBeLessThan(60);
  const refresh = (await validate(session.refreshToken)) as { exp: number; iat: number };
  expect(refresh).toEqual({ ...common, exp: expect.any(Number), iat: expect.any(Number), tokenType: 'refresh_token' });
  expect(refresh.exp - refresh.iat).toBe(30 * 86_400);
});

describe('with a clock that is wrong (A-16)', () => {
  test.each([-10, -4, 4, 10])('by %d minutes, a token of an instance whose clock is right is good', async (minutes) => {
    await signingKeysOf(app).signer();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
    expect((await call(session.accessToken)).status).toBe(200);
  });

  test('by 16 minutes, it is refused clearly', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 });
    const answer = await call(session.accessToken);
    expect([answer.status, answer.body.code]).toEqual([401, 'INVALID_TOKEN']);
  });
});
