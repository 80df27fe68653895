/** Sessions and tokens of the widget: who begins them, for whom, for how long, and what ends them. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { beginWidget, expectEndedSoon, frameWith, ORIGIN, TOKENS } from '../../support/widget/widget-session.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let sandbox: ApiClient;
let member: MemberBody;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  sandbox = apiClient(app, tenant.sandboxKey);
  member = await client.newMember();
});
afterAll(() => app.close());

const body = (fields: object = {}) => ({ userId: member.id, allowedOrigins: [ORIGIN], ...fields });
const secondsUntil = (instant: string): number => (Date.parse(instant) - Date.now()) / 1000;

async function keyWith(...scopes: string[]): Promise<ApiClient> {
  const { apiKey } = await app.tenants.createKey({ tenantId: tenant.tenantId, environment: 'LIVE', scopes });
  return apiClient(app, apiKey);
}

describe('a session', () => {
  test('begins with a token that opens it, and an address that holds the id alone', async () => {
    const answer = await client.post(TOKENS, body());
    expect(answer.status, answer.text).toBe(201);
    const { widgetToken, expiresAt, sessionId, embedUrl } = answer.body;
    expect(widgetToken).toMatch(/^mwt_[A-Za-z0-9_-]{43}$/);
    expect(embedUrl).toMatch(new RegExp(`^https?://[^/]+/widget/frame/${sessionId}$`));
    expect(secondsUntil(expiresAt)).toBeGreaterThan(890);
    expect(secondsUntil(expiresAt)).toBeLessThanOrEqual(901);
    const session = await frameWith(app, widgetToken).get('/session');
    expect(session.status, session.text).toBe(200);
    expect(session.headers['x-environment']).toBe('LIVE');
    expect(session.headers['cache-control']).toBe('no-store');
    expect(session.body).toMatchObject({
      sessionId,
      expiresAt,
      environment: 'LIVE',
      scopes: ['summary', 'links', 'earnings', 'team'],
      allowedOrigins: [ORIGIN],
      currency: 'USD',
    });
  });

  test('keeps no token but its digest', async () => {
    const { widgetToken, sessionId } = await beginWidget(client, member.id);
    const rows = await app.database.asSuperuser<{ row: string }>(
      'select to_jsonb(k)::text as row from widget_token k where session_id = $1 union all select to_jsonb(s)::text from widget_session s where id = $1',
      [sessionId],
    );
    expect(rows).toHaveLength(2);
    expect(rows.map(({ row }) => row).join()).not.toContain(widgetToken.slice(4));
  });

  test('ignores an Idempotency-Key: a repeat begins another one', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await client.post(TOKENS, body(), headers);
    const second = await client.post(TOKENS, body(), headers);
    expect(second.body.sessionId).not.toBe(first.body.sessionId);
    expect(second.body.widgetToken).not.toBe(first.body.widgetToken);
  });

  test.each<[string, object, string]>([
    ['no member', { userId: undefined }, 'userId'],
    ['a member that is no id', { userId: 'me' }, 'userId'],
    ['no origin', { allowedOrigins: [] }, 'allowedOrigins'],
    ['eleven origins', { allowedOrigins: Array.from({ length: 11 }, (_o, at) => `https://s${at}.example`) }, 'allowedOrigins'],
    ['plain http', { allowedOrigins: ['http://shop.example'] }, 'allowedOrigins[0]'],
    ['plain http of the own machine', { allowedOrigins: [ORIGIN, 'http://localhost:3000'] }, 'allowedOrigins[1]'],
    ['a path', { allowedOrigins: ['https://shop.example/account'] }, 'allowedOrigins[0]'],
    ['a slash', { allowedOrigins: ['https://shop.example/'] }, 'allowedOrigins[0]'],
    ['a wildcard', { allowedOrigins: ['https://*.example'] }, 'allowedOrigins[0]'],
    ['everything', { allowedOrigins: ['*'] }, 'allowedOrigins[0]'],
    ['more of a policy', { allowedOrigins: ["https://a.example;script-src'unsafe-inline'"] }, 'allowedOrigins[0]'],
    ['a second source', { allowedOrigins: ['https://a.example https://b.example'] }, 'allowedOrigins[0]'],
    ['a comma', { allowedOrigins: ['https://a.example,https://b.example'] }, 'allowedOrigins[0]'],
    ['a user', { allowedOrigins: ['https://me@shop.example'] }, 'allowedOrigins[0]'],
    ['a line', { allowedOrigins: ['https://shop.example\nhttps://b.example'] }, 'allowedOrigins[0]'],
    ['an address of IPv6', { allowedOrigins: ['https://[::1]'] }, 'allowedOrigins[0]'],
    ['a script', { allowedOrigins: ['javascript:alert(1)'] }, 'allowedOrigins[0]'],
    ['no page', { scopes: [] }, 'scopes'],
    ['a page twice', { scopes: ['team', 'team'] }, 'scopes'],
    ['a page that is none', { scopes: ['payouts'] }, 'scopes[0]'],
    ['too short a time', { ttlSeconds: 299 }, 'ttlSeconds'],
    ['too long a time', { ttlSeconds: 3601 }, 'ttlSeconds'],
    ['half a second', { ttlSeconds: 300.5 }, 'ttlSeconds'],
    ['a colour by name', { theme: { accent: 'red' } }, 'theme.accent'],
    ['a colour and more', { theme: { accent: '#fff;}body{display:none' } }, 'theme.accent'],
    ['too round a corner', { theme: { corner: 25 } }, 'theme.corner'],
    ['a font that closes a rule', { theme: { fontFamily: 'a;}' } }, 'theme.fontFamily'],
    ['a font from elsewhere', { theme: { fontFamily: 'url(https://evil.example)' } }, 'theme.fontFamily'],
    ['another mode', { theme: { mode: 'sepia' } }, 'theme.mode'],
    ['what is not known', { theme: { css: 'x' } }, 'theme.css'],
  ])('with %s is refused', async (_what, fields, field) => {
    expectRefusal(await client.post(TOKENS, body(fields)), 400, 'VALIDATION_ERROR', [field]);
  });

  test('keeps origins as browsers write them, each once', async () => {
    const { widgetToken } = await beginWidget(client, member.id, {
      allowedOrigins: ['https://SHOP.example:443', 'https://shop.example', 'https://bücher.example:8443'],
    });
    const { allowedOrigins } = (await frameWith(app, widgetToken).get('/session')).body;
    expect(allowedOrigins).toEqual(['https://shop.example', 'https://xn--bcher-kva.example:8443']);
  });

  test("of SANDBOX may stand on the developer's own machine", async () => {
    const { id } = await sandbox.newMember();
    const allowedOrigins = ['http://localhost:5173', 'http://127.0.0.1:*', 'http://localhost'];
    const { widgetToken } = await beginWidget(sandbox, id, { allowedOrigins });
    const session = await frameWith(app, widgetToken).get('/session');
    expect(session.body).toMatchObject({ environment: 'SANDBOX', allowedOrigins });
    expect(session.headers['x-environment']).toBe('SANDBOX');
    for (const origin of [
      'http://localhost:70000',
      'http://localhost.evil.example',
      'http://192.168.0.1:3000',
      'http://127.0.0.1:*/x',
    ]) {
      expectRefusal(await sandbox.post(TOKENS, { userId: id, allowedOrigins: [origin] }), 400, 'VALIDATION_ERROR', [
        'allowedOrigins[0]',
      ]);
    }
  });
});

describe('whose it is', () => {
  test('no member that is not there, of another tenant or environment, gets one', async () => {
    const other = apiClient(app, (await app.newTenant()).liveKey);
    for (const userId of [randomUUID(), (await other.newMember()).id, (await sandbox.newMember()).id]) {
      expectRefusal(await client.post(TOKENS, body({ userId })), 404, 'USER_NOT_FOUND');
    }
  });

  test('no inactive member gets one', async () => {
    await client.patch(`/api/v1/users/${member.id}`, { is_active: false });
    expectRefusal(await client.post(TOKENS, body()), 409, 'STATE_CONFLICT');
  });

  test('a key without the scope begins, renews and ends none', async () => {
    const weak = await keyWith('members:read', 'members:write', 'commissions:read');
    const { sessionId } = await beginWidget(client, member.id);
    expectRefusal(await weak.post(TOKENS, body()), 403, 'FORBIDDEN');
    expectRefusal(await weak.post(`${TOKENS}/refresh`, { sessionId }), 403, 'FORBIDDEN');
    expectRefusal(await weak.delete(`${TOKENS}/${sessionId}`), 403, 'FORBIDDEN');
    const strong = await keyWith('widget:write');
    expect((await strong.delete(`${TOKENS}/${sessionId}`)).status).toBe(200);
  });

  test("another tenant's and another environment's is not found", async () => {
    const { sessionId, widgetToken } = await beginWidget(client, member.id);
    for (const other of [apiClient(app, (await app.newTenant()).liveKey), sandbox]) {
      expectRefusal(await other.post(`${TOKENS}/refresh`, { sessionId }), 404, 'NOT_FOUND');
      expectRefusal(await other.delete(`${TOKENS}/${sessionId}`), 404, 'NOT_FOUND');
    }
    expect((await frameWith(app, widgetToken).get('/session')).status).toBe(200);
  });
});

describe('a refresh', () => {
  test('gives another token, and leaves those before', async () => {
    const first = await beginWidget(client, member.id, { ttlSeconds: 300 });
    const answer = await client.post(`${TOKENS}/refresh`, { sessionId: first.sessionId, userId: member.id, ttlSeconds: 3600 });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ sessionId: first.sessionId, embedUrl: first.embedUrl });
    expect(answer.body.widgetToken).not.toBe(first.widgetToken);
    expect(secondsUntil(answer.body.expiresAt)).toBeGreaterThan(3590);
    for (const token of [first.widgetToken, answer.body.widgetToken]) {
      expect((await frameWith(app, token).get('/session')).status).toBe(200);
    }
  });

  test("for another than the session's member is not found", async () => {
    const { sessionId } = await beginWidget(client, member.id);
    const { id: userId } = await client.newMember();
    expectRefusal(await client.post(`${TOKENS}/refresh`, { sessionId, userId }), 404, 'NOT_FOUND');
  });

  test('gives no token that outlives the session, and none of one that is over', async () => {
    const { sessionId } = await beginWidget(client, member.id);
    const endsIn = (time: string) =>
      app.database.asSuperuser(`update widget_session set ends_at = now() + interval '${time}' where id = $1`, [sessionId]);
    await endsIn('100 seconds');
    const { body: given } = await client.post(`${TOKENS}/refresh`, { sessionId, ttlSeconds: 3600 });
    expect(secondsUntil(given.expiresAt)).toBeLessThanOrEqual(100);
    await app.database.asSuperuser('update widget_session set created_at = created_at - interval $$1 day$$ where id = $1', [
      sessionId,
    ]);
    await endsIn('-1 second');
    expectRefusal(await client.post(`${TOKENS}/refresh`, { sessionId }), 409, 'STATE_CONFLICT');
    await expectEndedSoon(app, given.widgetToken);
  });
});

describe('a token', () => {
  test('that has expired opens nothing, while the session goes on', async () => {
    const { widgetToken, sessionId } = await beginWidget(client, member.id);
    expect((await frameWith(app, widgetToken).get('/session')).status).toBe(200);
    await app.database.asSuperuser('update widget_token set expires_at = now() where session_id = $1', [sessionId]);
    await expectEndedSoon(app, widgetToken);
    const { body: given } = await client.post(`${TOKENS}/refresh`, { sessionId });
    expect((await frameWith(app, given.widgetToken).get('/session')).status).toBe(200);
  });

  test.each([
    ['none', undefined, 'UNAUTHORIZED'],
    ['an empty one', '', 'INVALID_TOKEN'],
    ['one of no form', 'mwt_x', 'INVALID_TOKEN'],
    ['one that nobody gave', `mwt_${'A'.repeat(43)}`, 'INVALID_TOKEN'],
  ])('that is %s opens nothing', async (_what, token, code) => {
    for (const path of [
      '/session',
      '/summary',
      '/links',
      '/earnings',
      `/earnings/${randomUUID()}`,
      '/team',
      `/links/${randomUUID()}/qr`,
    ]) {
      expectRefusal(await frameWith(app, token).get(path), 401, code);
    }
    for (const path of ['/links', `/links/${randomUUID()}`]) {
      expectRefusal(await frameWith(app, token).post(path, {}), 401, code);
    }
  });

  test('that is bad counts against its address, and keeps nobody out who has a good one', async () => {
    const limited = await startTestApp({ RATE_LIMIT_WINDOW_SECONDS: '60' });
    try {
      const { liveKey } = await limited.newTenant();
      const own = apiClient(limited, liveKey);
      const { widgetToken } = await beginWidget(own, (await own.newMember()).id);
      const bad = frameWith(limited, `mwt_${'B'.repeat(43)}`);
      const statuses = new Set<number>();
      for (let times = 0; times < 130; times++) statuses.add((await bad.get('/session')).status);
      expect([...statuses]).toEqual([401, 429]);
      expect((await frameWith(limited, widgetToken).get('/session')).status).toBe(200);
    } finally {
      await limited.close();
    }
  });

  test('in an address, a cookie or beside a key opens nothing, and no key opens the widget', async () => {
    const { widgetToken, sessionId } = await beginWidget(client, member.id);
    for (const answer of [
      await app.http.get(`/widget/session?token=${widgetToken}`),
      await app.http.get('/widget/session').set('cookie', `mcr=${widgetToken}`),
      await app.http.get('/widget/session').set('x-tenant-api-key', tenant.liveKey),
    ]) {
      expectRefusal(answer, 401, 'UNAUTHORIZED');
    }
    for (const text of [sessionId, tenant.liveKey]) {
      expectRefusal(await frameWith(app, text).get('/session'), 401, 'INVALID_TOKEN');
    }
  });

  test("is no bearer token of the API's", async () => {
    const { widgetToken } = await beginWidget(client, member.id);
    const authorization = `Bearer ${widgetToken}`;
    expectRefusal(await client.get('/api/v1/commissions', { authorization }), 401, 'INVALID_TOKEN');
    expectRefusal(await app.http.get('/api/v1/commissions').set({ authorization }), 401, 'UNAUTHORIZED');
  });
});

describe('what ends a session', () => {
  test('its end, on every instance within a second, with an entry of the audit log, once', async () => {
    const { widgetToken, sessionId } = await beginWidget(client, member.id);
    const { body: second } = await client.post(`${TOKENS}/refresh`, { sessionId });
    expect((await frameWith(app, widgetToken).get('/summary')).status).toBe(200);
    for (let times = 0; times < 2; times++) {
      const answer = await client.delete(`${TOKENS}/${sessionId}`);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body).toEqual({ sessionId, ended: true });
    }
    await expectEndedSoon(app, widgetToken);
    await expectEndedSoon(app, second.widgetToken);
    expectRefusal(await client.post(`${TOKENS}/refresh`, { sessionId }), 409, 'STATE_CONFLICT');
    const { body: log } = await client.get('/api/v1/admin/audit-logs?action=widget_session.ended');
    expect(log.data).toHaveLength(1);
    expect(log.data[0]).toMatchObject({ objectId: sessionId, actor: { kind: 'api_key' } });
  });

  test("the member's deactivation", async () => {
    const { widgetToken, sessionId } = await beginWidget(client, member.id);
    expect((await frameWith(app, widgetToken).get('/session')).status).toBe(200);
    await client.patch(`/api/v1/users/${member.id}`, { is_active: false });
    await expectEndedSoon(app, widgetToken);
    expectRefusal(await client.post(`${TOKENS}/refresh`, { sessionId }), 409, 'STATE_CONFLICT');
    expect((await app.http.get(`/widget/frame/${sessionId}`)).status).toBe(404);
    await client.patch(`/api/v1/users/${member.id}`, { is_active: true });
    expectRefusal(await frameWith(app, widgetToken).get('/session'), 401, 'INVALID_TOKEN');
    expectRefusal(await client.post(`${TOKENS}/refresh`, { sessionId }), 409, 'STATE_CONFLICT');
    expect((await client.post(TOKENS, body())).status).toBe(201);
  });

  test('the end of all sessions of the member', async () => {
    const { widgetToken, sessionId } = await beginWidget(client, member.id);
    expect((await frameWith(app, widgetToken).get('/session')).status).toBe(200);
    const answer = await client.post('/api/v1/auth/revoke-all', { userId: member.id });
    expect(answer.status, answer.text).toBe(200);
    await expectEndedSoon(app, widgetToken);
    expectRefusal(await client.post(`${TOKENS}/refresh`, { sessionId }), 409, 'STATE_CONFLICT');
    const next = await beginWidget(client, member.id);
    expect((await frameWith(app, next.widgetToken).get('/session')).status).toBe(200);
  });

  test("the member's erasure, which leaves nothing of it", async () => {
    const { widgetToken, sessionId } = await beginWidget(client, member.id);
    expect((await frameWith(app, widgetToken).get('/session')).status).toBe(200);
    const answer = await client.post(`/api/v1/members/${member.id}/erasure`, { reason: 'asked for it' });
    expect(answer.status, answer.text).toBeLessThan(300);
    await expectEndedSoon(app, widgetToken);
    expectRefusal(await client.post(`${TOKENS}/refresh`, { sessionId }), 404, 'NOT_FOUND');
    const left = await app.database.asSuperuser('select from widget_session where member_id = $1', [member.id]);
    expect(left).toEqual([]);
  });

  test('the end of the tenant', async () => {
    const { widgetToken, sessionId } = await beginWidget(client, member.id);
    await app.database.asSuperuser('update tenant set disabled_at = now() where id = $1', [tenant.tenantId]);
    await expectEndedSoon(app, widgetToken);
    expect((await app.http.get(`/widget/frame/${sessionId}`)).status).toBe(404);
  });
});

describe('the frame', () => {
  test('is framed by the origins of its session and nobody else, and holds nothing of the member', async () => {
    const { sessionId } = await beginWidget(client, member.id, { allowedOrigins: [ORIGIN, 'https://two.example:8443'] });
    const answer = await app.http.get(`/widget/frame/${sessionId}`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${ORIGIN} https://two.example:8443`,
    );
    expect(answer.headers['x-frame-options']).toBeUndefined();
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.text).not.toContain(member.id);
    expect(answer.text).not.toContain(member.email);
  });

  test.each(['an id that nobody has', 'no id'])('of %s is framed by nobody', async (what) => {
    const answer = await app.http.get(`/widget/frame/${what === 'no id' ? 'x' : randomUUID()}`);
    expect(answer.status).toBe(404);
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(answer.headers['content-type']).toContain('text/html');
  });

  test('loads a module that any origin may load, of at most 3 kB', async () => {
    const answer = await app.http.get('/widget/embed.js').set('accept-encoding', 'identity').buffer();
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=300',
    });
    expect(answer.headers['content-type']).toContain('text/javascript');
    expect(Buffer.byteLength(answer.text ?? answer.body)).toBeLessThanOrEqual(3000);
  });
});
