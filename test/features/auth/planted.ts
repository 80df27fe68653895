/** Tokens, and the key that signs them. */
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { createCipher } from '../../../src/encryption.ts';
import type { ApiClient } from '../../support/app/api-client.ts';
import type { TestApp } from '../../support/app/test-app.ts';
import type { PlantSecrets } from '../../support/database/planted-secrets.ts';
import { plantSession } from '../../support/identity/sessions.ts';

export const plantSecrets: PlantSecrets = async ({ app, tenant, client, member }) => {
  const session = await plantSession(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, member.id);
  const pair = (await client.post('/api/v1/auth/refresh', { refreshToken: session.refreshToken })).body;
  const [signing] = await app.database.asSuperuser<{ kid: string; private_sealed: Buffer }>(
    'select kid, private_sealed from signing_key',
  );
  if (!signing) throw new Error('there is no signing key');
  const cipher = createCipher(app.config.secrets.dataKeys);
  const jti = randomUUID();
  const external = await exchangeOne(app, client, tenant.tenantId, jti);
  return {
    secrets: {
      "a provider's token": external,
      'its id': jti,
      'what was signed of it': external.slice(0, external.lastIndexOf('.')),
      'a refresh token': session.refreshToken.replace('svcr_', ''),
      'its successor': pair.refreshToken.replace('svcr_', ''),
      'an access token': pair.accessToken,
      'the private half of the signing key': cipher.decrypt(signing.private_sealed, ['signing_key', signing.kid]),
    },
    tables: ['signing_key', 'refresh_token', 'exchanged_token'],
  };
};

/** A token of a provider that has begun a session. */
async function exchangeOne(app: TestApp, client: ApiClient, tenantId: string, jti: string): Promise<string> {
  const { issuer } = app;
  const provider = { providerId: 'planted', issuerUrl: issuer.issuerUrl, allowedAudiences: ['app'] };
  await client.post('/api/v1/admin/auth/providers', provider);
  const token = await new SignJWT({ email: `${randomUUID()}@planted.example` })
    .setProtectedHeader({ alg: 'ES256', kid: issuer.kid })
    .setIssuer(issuer.issuerUrl)
    .setAudience('app')
    .setSubject(randomUUID())
    .setJti(jti)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(issuer.privateKey);
  const answer = await app.http
    .post('/api/v1/auth/exchange')
    .set('x-tenant-id', tenantId)
    .send({ provider: provider.providerId, token });
  if (answer.status !== 200) throw new Error(`no session: ${answer.status} ${answer.text}`);
  return token;
}
