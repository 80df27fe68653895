/** The whole way in, through the tenant's own provider: configure it, exchange its token, act as the member, leave. */
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

const audience = 'shop-app';

async function newProvider(settings: object = {}): Promise<{ id: string; providerId: string }> {
  const body = { providerId: `idp-${randomUUID()}`, issuerUrl: app.issuer.issuerUrl, allowedAudiences: [audience], ...settings };
  const answer = await client.post('/api/v1/admin/auth/providers', body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

const tokenOf = (claims: Record<string, unknown>, subject: string = randomUUID()): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: app.issuer.kid })
    .setIssuer(app.issuer.issuerUrl)
    .setAudience(audience)
    .setSubject(subject)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(app.issuer.privateKey);

const exchange = (provider: string, token: string, tenantId = tenant.tenantId) =>
  app.http.post('/api/v1/auth/exchange').set('x-tenant-id', tenantId).send({ provider, token });

const asMember = (accessToken: string) => ({ 'x-tenant-api-key': tenant.liveKey, authorization: `Bearer ${accessToken}` });

test('a person comes in, is that member and nobody else, and is out within a second', async () => {
  const { providerId } = await newProvider();
  const email = `${randomUUID()}@person.example`;
  const answer = await exchange(
    providerId,
    await tokenOf({ email, name: 'Ada Example', given_name: 'Ada', family_name: 'Example' }),
  );
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers['x-environment']).toBe('LIVE');
  const { accessToken, refreshToken, expiresIn } = answer.body;
  expect(expiresIn).toBe(900);

  const me = await app.http.get('/api/v1/members/me').set(asMember(accessToken));
  expect(me.status, me.text).toBe(200);
  expect(me.body).toMatchObject({ email, name: 'Ada Example', membershipTier: 'ORDINARY', isActive: true, environment: 'LIVE' });

  const own = await app.http.get(`/api/v1/members/${me.body.id}/genealogy`).set(asMember(accessToken));
  expect(own.status).toBe(200);
  const stranger = await client.newMember();
  for (const id of [stranger.id, randomUUID()]) {
    const refused = await app.http.get(`/api/v1/members/${id}/profile`).set(asMember(accessToken));
    expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
  }

  const refreshed = await client.post('/api/v1/auth/refresh', { refreshToken });
  expect(refreshed.status).toBe(200);
  expect((await client.post('/api/v1/auth/revoke', { token: refreshed.body.refreshToken })).status).toBe(200);
  await expect
    .poll(async () => (await app.http.get('/api/v1/members/me').set(asMember(accessToken))).status, { timeout: 15_000 })
    .toBe(401);
  expect((await client.post('/api/v1/auth/refresh', { refreshToken: refreshed.body.refreshToken })).status).toBe(401);
});

test('the same person again is the same member; with another tenant, or a provider that is gone, nobody', async () => {
  const { id, providerId } = await newProvider();
  const subject = randomUUID();
  const token = () => tokenOf({ email: `${subject}@person.example` }, subject);
  const ids = new Set<string>();
  for (let time = 0; time < 2; time++) {
    const { body } = await exchange(providerId, await token());
    ids.add((await app.http.get('/api/v1/members/me').set(asMember(body.accessToken))).body.id);
  }
  expect(ids.size).toBe(1);
  const other = await app.newTenant();
  const elsewhere = await exchange(providerId, await token(), other.tenantId);
  const { body } = await exchange(providerId, await token());
  expect((await app.http.delete(`/api/v1/admin/auth/providers/${id}`).set('x-tenant-api-key', tenant.liveKey)).status).toBe(200);
  const gone = await exchange(providerId, await token());
  for (const refused of [elsewhere, gone]) expect([refused.status, refused.body.code]).toEqual([401, 'INVALID_TOKEN']);
  await expect
    .poll(async () => (await app.http.get('/api/v1/members/me').set(asMember(body.accessToken))).status, { timeout: 15_000 })
    .toBe(401);
});

test("an email that is somebody else's is never taken over, unless the tenant trusts the provider's word", async () => {
  const victim = await client.newMember();
  const claims = { email: victim.email, email_verified: true };
  const distrusted = await exchange((await newProvider()).providerId, await tokenOf(claims));
  expect([distrusted.status, distrusted.body.code]).toEqual([409, 'ACCOUNT_LINK_REQUIRED']);
  const { providerId } = await newProvider({ trustEmail: true });
  const unverified = { email: victim.email, email_verified: false };
  const refused = await exchange(providerId, await tokenOf(unverified));
  expect([refused.status, refused.body.code]).toEqual([403, 'USER_NOT_PROVISIONED']);
  const lenient = await newProvider({ trustEmail: true, acceptUnverifiedEmail: true });
  const accepted = await exchange(lenient.providerId, await tokenOf(unverified));
  expect([accepted.status, accepted.body.code]).toEqual([409, 'ACCOUNT_LINK_REQUIRED']);
  const linked = await exchange(providerId, await tokenOf(claims));
  expect(linked.status).toBe(200);
  expect((await app.http.get('/api/v1/members/me').set(asMember(linked.body.accessToken))).body.id).toBe(victim.id);
});
