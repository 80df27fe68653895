/**
 * Against a real OpenID provider over TLS: its discovery document, its keys, its tokens, its rotation
 * (docs/specification/reliability.md#a-11).
 */

import { generateKeyPairSync } from 'node:crypto';
import { Provider } from 'oidc-provider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTokenVerifier } from '../../../src/features/auth/verify-external-token.ts';
import { auth } from '../../../src/features.ts';
import { createOutgoingClient } from '../../../src/outgoing/outgoing-client.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { startTlsServer, type TlsServer } from '../../support/identity/tls-server.ts';

const AUDIENCE = 'shop-api';

let app: TestApp;
let server: TlsServer;

beforeAll(async () => {
  server = await startTlsServer(() => undefined, { trusted: true });
  useKeys('k1');
  app = await startTestApp({ OUTGOING_ALLOWED_HOSTS: server.host });
});
afterAll(async () => {
  await app.close();
  server.close();
});

/** The provider starts again with these keys, the first of which signs. */
function useKeys(...kids: string[]): void {
  serve(kids, 'JWT');
}

function serve(kids: string[], typ: string): void {
  const keys = kids.map((kid) => ({
    ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
    kid,
    use: 'sig',
    alg: 'RS256',
  }));
  const provider = new Provider(server.url, {
    jwks: { keys },
    clients: [
      { client_id: 'web', client_secret: 'secret', grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
    ],
    scopes: ['openid', 'api'],
    cookies: { keys: ['cookie'] },
    ttl: { ClientCredentials: 300 },
    formats: {
      customizers: {
        jwt: (_context: unknown, _token: unknown, parts: { header: object }) =>
          Object.assign(parts, { header: { ...parts.header, typ } }),
      },
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'urn:shop',
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'api',
          audience: AUDIENCE,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
  provider.proxy = true;
  server.handle = provider.callback();
}

async function fetchToken(): Promise<string> {
  const answer = await fetch(`${server.url}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('web:secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'api', resource: 'urn:shop' }),
  });
  const body = (await answer.json()) as { access_token?: string };
  if (body.access_token === undefined) throw new Error(`no token: ${answer.status} ${JSON.stringify(body)}`);
  return body.access_token;
}

test('it can be added, and its tokens are taken, through a change of its keys', async () => {
  const tenant = await app.newTenant();
  const client = apiClient(app, tenant.liveKey);
  const added = await client.post('/api/v1/admin/auth/providers', {
    providerId: 'real',
    issuerUrl: server.url,
    allowedAudiences: [AUDIENCE],
  });
  expect([added.status, added.body]).toEqual([201, expect.objectContaining({ jwksUri: `${server.url}/jwks` })]);
  const tested = await client.post(`/api/v1/admin/auth/providers/${added.body.id}/test`, {});
  expect(tested.body.keys).toEqual([{ kid: 'k1', keyType: 'RSA', algorithm: 'RS256' }]);

  const provider = await app.composition
    .offer(auth)
    .providers.findProvider({ tenantId: tenant.tenantId, environment: 'LIVE' }, added.body.id);
  if (!provider) throw new Error('the provider is gone');
  const { verifyExternalToken } = app.composition.offer(auth).providers;
  expect(await verifyExternalToken(provider, await fetchToken())).toMatchObject({ subject: 'web' });
  let ahead = 0;
  const verify = createTokenVerifier(createOutgoingClient([server.host], { ca: server.cert }), () => Date.now() + ahead);
  const first = await fetchToken();
  expect(await verify(provider, first)).toMatchObject({ subject: 'web', email: null });

  useKeys('k2');
  const second = await fetchToken();
  ahead = 31_000;
  expect(await verify(provider, second)).toMatchObject({ subject: 'web' });
  await expect(verify(provider, first)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  await expect(verify({ ...provider, allowedAudiences: ['other'] }, second)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });

  // As it types them unless it is told otherwise: they are for an API, and not about who signs in.
  serve(['k3'], 'at+jwt');
  const third = await fetchToken();
  ahead = 62_000;
  await expect(verify(provider, third)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  serve(['k3'], 'JWT');
});
