/**
 * Refresh tokens: good once, repeatable for a moment, fatal when stolen.
 * Source: docs/specification/identity.md#refresh, docs/specification/reliability.md#a-12.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashRefreshToken } from '../../../src/features/auth/refresh-tokens.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { type PlantedSession, plantSession } from '../../support/identity/sessions.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let member: MemberBody;
let session: PlantedSession;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());
beforeEach(async () => {
  member = await client.newMember();
  session = await plantSession(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, member.id);
});

const refresh = (refreshToken: string, by = client, headers: Record<string, string> = {}) =>
  by.post('/api/v1/auth/refresh', { refreshToken }, headers);
const otherKey = async () => {
  const { apiKey } = await app.tenants.createKey({ tenantId: tenant.tenantId, environment: 'LIVE' });
  return apiClient(app, apiKey);
};
const family = async () => {
  const [row] = await app.database.asSuperuser<{ revoke_reason: string | null; tokens: number; unused: number }>(
    `select f.revoke_reason, count(*)::int as tokens, count(*) filter (where r.used_at is null)::int as unused
     from token_family f join refresh_token r on r.family_id = f.id where f.id = $1 group by f.id, f.revoke_reason`,
    [session.sessionId],
  );
  return row;
};
const usedAgo = (token: string, interval: string) =>
  app.database.asSuperuser('update refresh_token set used_at = now() - $2::interval where token_hash = $1', [
    hashRefreshToken(token),
    interval,
  ]);
const reuses = async () =>
  (
    await app.database.asSuperuser<{ details: object }>(
      "select details from audit_log where action = 'session.reuse_detected' and object_id = $1",
      [member.id],
    )
  ).map(({ details }) => details);

test('a refresh answers with a new pair of the same session', async () => {
  const answer = await refresh(session.refreshToken);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    accessToken: expect.stringMatching(/^eyJ/),
    refreshToken: expect.stringMatching(/^svcr_[\w-]{43}$/),
    expiresIn: 900,
    tokenType: 'Bearer',
  });
  expect(answer.body.refreshToken).not.toBe(session.refreshToken);
  const state = (await client.post('/api/v1/auth/validate', { token: answer.body.accessToken })).body;
  expect(state).toMatchObject({ active: true, sub: member.id, sid: session.sessionId, environment: 'LIVE' });
  expect(await family()).toEqual({ revoke_reason: null, tokens: 2, unused: 1 });
});

test('a chain of refreshes goes on, and only the last token is unused', async () => {
  let { refreshToken } = session;
  for (let i = 0; i < 5; i++) refreshToken = (await refresh(refreshToken)).body.refreshToken;
  expect(await family()).toEqual({ revoke_reason: null, tokens: 6, unused: 1 });
});

describe('a repeat', () => {
  test('of a hundred at once gets one successor, and nothing is revoked (A-13)', async () => {
    // With all connections open, or the first would be through before the others have one.
    await Promise.all(Array.from({ length: 50 }, () => client.get('/api/v1/users?limit=1')));
    const answers = await Promise.all(Array.from({ length: 100 }, () => refresh(session.refreshToken)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(1);
    expect(await family()).toEqual({ revoke_reason: null, tokens: 2, unused: 1 });
  });

  test('with the same key within ten seconds gets the same successor (A-12)', async () => {
    const first = await refresh(session.refreshToken);
    await usedAgo(session.refreshToken, '9 seconds');
    const second = await refresh(session.refreshToken);
    expect(second.status).toBe(200);
    expect(second.body.refreshToken).toBe(first.body.refreshToken);
    expect((await refresh(second.body.refreshToken)).status).toBe(200);
  });

  test.each([
    ['later than that', async () => usedAgo(session.refreshToken, '11 seconds')],
    ['once the successor was used', async (successor: string) => refresh(successor)],
  ])('%s ends the session, and says so in the audit log', async (_when, happen) => {
    const first = await refresh(session.refreshToken);
    await happen(first.body.refreshToken);
    const again = await refresh(session.refreshToken);
    expect([again.status, again.body.code]).toEqual([401, 'INVALID_TOKEN']);
    expect((await family())?.revoke_reason).toBe('reuse');
    expect(await reuses()).toEqual([{ sessionId: session.sessionId }]);
    expect((await refresh(first.body.refreshToken)).status).toBe(401);
    expect((await client.post('/api/v1/auth/validate', { token: first.body.accessToken })).body).toEqual({ active: false });
  });

  test('with another key ends the session', async () => {
    await refresh(session.refreshToken);
    expect((await refresh(session.refreshToken, await otherKey())).status).toBe(401);
    expect((await family())?.revoke_reason).toBe('reuse');
  });

  test('of a reuse is recorded once', async () => {
    await refresh(session.refreshToken);
    await usedAgo(session.refreshToken, '1 hour');
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(session.refreshToken)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(await reuses()).toHaveLength(1);
  });

  test('an Idempotency-Key is ignored: no answer is stored, and a repeat is what it is without one', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const first = await refresh(session.refreshToken, client, headers);
    const repeat = await refresh(session.refreshToken, client, headers);
    expect([repeat.status, repeat.headers['idempotent-replayed']]).toEqual([200, undefined]);
    expect(repeat.body.refreshToken).toBe(first.body.refreshToken);
    expect(await app.database.asSuperuser('select from idempotency_key where tenant_id = $1', [tenant.tenantId])).toEqual([]);
    expect((await family())?.revoke_reason).toBeNull();
    await usedAgo(session.refreshToken, '1 minute');
    expect((await refresh(session.refreshToken, client, headers)).status).toBe(401);
    expect((await family())?.revoke_reason).toBe('reuse');
  });
});

describe('nothing is used up (A-14)', () => {
  test.each<[string, () => Promise<ApiClient>]>([
    ["another tenant's key", async () => apiClient(app, (await app.newTenant()).liveKey)],
    ["the other environment's key", async () => apiClient(app, tenant.sandboxKey)],
  ])('by %s', async (_whose, stranger) => {
    expect((await refresh(session.refreshToken, await stranger())).body.code).toBe('INVALID_TOKEN');
    expect(await family()).toEqual({ revoke_reason: null, tokens: 1, unused: 1 });
    expect((await refresh(session.refreshToken)).status).toBe(200);
  });

  test('by a key without the scope', async () => {
    const { apiKey } = await app.tenants.createKey({
      tenantId: tenant.tenantId,
      environment: 'LIVE',
      scopes: ['users:read'],
    });
    expect((await refresh(session.refreshToken, apiClient(app, apiKey))).status).toBe(403);
    expect((await refresh(session.refreshToken)).status).toBe(200);
  });

  test('while the member is inactive', async () => {
    await client.patch(`/api/v1/users/${member.id}`, { is_active: false });
    expect((await refresh(session.refreshToken)).body.code).toBe('INVALID_TOKEN');
    await client.patch(`/api/v1/users/${member.id}`, { is_active: true });
    expect((await refresh(session.refreshToken)).status).toBe(200);
  });

  test.each([
    ['its own', 'update refresh_token set expires_at = now() where family_id = $1'],
    ["the session's", 'update token_family set absolute_expires_at = now() where id = $1'],
  ])('after %s end', async (_which, sql) => {
    await app.database.asSuperuser(sql, [session.sessionId]);
    expect((await refresh(session.refreshToken)).body.code).toBe('INVALID_TOKEN');
    expect((await family())?.unused).toBe(1);
  });
});

test('a successor ends with its session at the latest', async () => {
  await app.database.asSuperuser("update token_family set absolute_expires_at = now() + interval '1 day' where id = $1", [
    session.sessionId,
  ]);
  await refresh(session.refreshToken);
  const [row] = await app.database.asSuperuser<{ capped: boolean }>(
    `select bool_and(r.expires_at <= f.absolute_expires_at) as capped from refresh_token r
     join token_family f on f.id = r.family_id where f.id = $1 and r.used_at is null`,
    [session.sessionId],
  );
  expect(row?.capped).toBe(true);
});

test.each(['', 'svcr_', `svcr_${'a'.repeat(42)}`, `svcr_${'a'.repeat(44)}`, 'x'.repeat(512), 'ключ'])(
  'what is no refresh token is refused: %s',
  async (token) => {
    const answer = await refresh(token);
    expect([answer.status, answer.body.code]).toEqual(token === '' ? [400, 'VALIDATION_ERROR'] : [401, 'INVALID_TOKEN']);
  },
);

test('no token is stored as it is', async () => {
  const { body } = await refresh(session.refreshToken);
  const rows = await app.database.asSuperuser<{ row: string }>('select t::text as row from refresh_token t');
  const text = rows.map(({ row }) => row).join('\n');
  for (const token of [session.refreshToken, body.refreshToken as string]) {
    expect(text).not.toContain(token);
    expect(text).not.toContain(Buffer.from(token.slice(5), 'base64url').toString('hex'));
  }
});
