/** The provider of `--demo-idp`: one client, who is Eve and fetches a token for herself. */
import type { RequestListener } from 'node:http';
import { Provider } from 'oidc-provider';
import { AUDIENCE, EVE } from './eve.ts';

export function providerOf(issuer: string, jwk: object): RequestListener {
  const provider = new Provider(issuer, {
    jwks: { keys: [jwk] },
    clients: [
      { client_id: 'eve', client_secret: 'demo', grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
    ],
    scopes: ['openid', 'api'],
    cookies: { keys: [crypto.randomUUID()] },
    ttl: { ClientCredentials: 300 },
    formats: {
      customizers: {
        jwt: (_context: unknown, _token: unknown, parts: { header: object; payload: object }) =>
          Object.assign(parts, { header: { ...parts.header, typ: 'JWT' }, payload: { ...parts.payload, ...EVE } }),
      },
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'urn:demo-shop',
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
  return provider.callback();
}
