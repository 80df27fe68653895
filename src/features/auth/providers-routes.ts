import type { JWK } from 'jose';
import { camelList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import {
  type AuthProviderAnswer,
  createAuthProvider,
  deleteAuthProvider,
  getAuthProvider,
  listAuthProviders,
  testAuthProvider,
  updateAuthProvider,
} from './providers-operations.ts';
import type { AuthProvider } from './providers-queries.ts';
import type { ProvidersService } from './providers-service.ts';

export function authProvidersRoutes(providers: ProvidersService): Route[] {
  return [
    route(
      createAuthProvider,
      ({ body, ...context }) => providers.createProvider(context, body),
      (provider) => ({
        status: 201,
        body: providerBody(provider),
        headers: { Location: `/api/v1/admin/auth/providers/${provider.id}` },
      }),
    ),
    route(listAuthProviders, ({ query, ...context }) => providers.listProviders(context, query), camelList(providerBody)),
    route(
      getAuthProvider,
      ({ params, ...context }) => providers.readProvider(context, params.authProviderId),
      (provider) => ({ status: 200, body: providerBody(provider) }),
    ),
    route(
      updateAuthProvider,
      ({ params, body, ...context }) => providers.updateProvider(context, params.authProviderId, body),
      (provider) => ({ status: 200, body: providerBody(provider) }),
    ),
    route(
      deleteAuthProvider,
      ({ params, ...context }) => providers.deleteProvider(context, params.authProviderId),
      (id) => ({ status: 200, body: { id, deleted: true } }),
    ),
    route(
      testAuthProvider,
      ({ params, ...context }) => providers.testProvider(context, params.authProviderId),
      ({ id, keys }) => ({ status: 200, body: { id, usable: true, keys: keys.map(keyBody) } }),
    ),
  ];
}

function providerBody({ tenantId: _tenantId, ...provider }: AuthProvider): AuthProviderAnswer {
  return provider;
}

function keyBody({ kid, kty, alg }: JWK) {
  return { kid: kid ?? null, keyType: kty ?? '', algorithm: alg ?? null };
}
