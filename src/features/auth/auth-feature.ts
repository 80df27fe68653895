/** Signing members in: tenants' identity providers, our tokens and their sessions. */
import { z } from 'zod';
import { defineFeature } from '../../house/feature.ts';
import type { PendingChangesOffers } from '../pending-changes/pending-changes-feature.ts';
import type { UsersService } from '../users/users-service.ts';
import { createAccessTokens } from './access-tokens.ts';
import { authCommands } from './auth-commands.ts';
import { authPersonal } from './auth-personal.ts';
import { authRoutes } from './auth-routes.ts';
import { authSealed } from './auth-sealed.ts';
import { createExchangeService, type ExternalProviders } from './exchange-service.ts';
import { forgetExchangedTokens } from './forget-exchanged-tokens.ts';
import { identitiesRoutes } from './identities-routes.ts';
import { createIdentitiesService, SUBJECT_TAKEN } from './identities-service.ts';
import { jwksRoutes } from './jwks-routes.ts';
import { authErrors } from './open/auth-errors.ts';
import type { AuthProvider } from './providers-queries.ts';
import { authProvidersRoutes } from './providers-routes.ts';
import { createProvidersService, type ProvidersService } from './providers-service.ts';
import { createRefreshTokens } from './refresh-tokens.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createSigningKeys, type SigningKeys } from './signing-keys.ts';
import { createTokenDigests } from './token-digests.ts';
import { createTokensService } from './tokens-service.ts';

export interface AuthOffers {
  sessions: Sessions;
  signingKeys: SigningKeys;
  providers: ProvidersService;
}

export const authFeature = defineFeature({
  name: 'auth',
  errors: authErrors,
  constraints: {
    auth_provider_provider_id_key: {
      error: 'STATE_CONFLICT',
      message: 'The tenant has an auth provider with this providerId, in this environment or the other',
    },
    member_identity_subject_key: { error: 'STATE_CONFLICT', message: SUBJECT_TAKEN },
    member_identity_member_key: {
      error: 'STATE_CONFLICT',
      message: 'The member has another identity at this provider; unlink that one first',
    },
  },
  commands: authCommands,
  sealed: authSealed,
  personal: authPersonal,
  scopes: {
    'admin:auth': 'Set up identity providers, and link members to identities',
    'auth:tokens': "Exchange, refresh, check and revoke members' tokens",
  },
  groups: { Auth: "Members' tokens by the tenant's own identity provider, and the providers themselves" },
  env: {
    AUTH_ISSUER: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9+.-]*:[!-~]{1,250}$/, 'must be a URI, such as https://api.example.com')
      .default('urn:member-commission-referral-service')
      .describe('iss and aud of access tokens, a URI; one for all instances, changed only when all tokens may go'),
    RATE_LIMIT_EXCHANGES: z.coerce
      .number()
      .int()
      .positive()
      .default(600)
      .describe('Exchanges of good tokens per window, tenant and environment, from whatever address'),
    RATE_LIMIT_EXCHANGE_FAILURES: z.coerce
      .number()
      .int()
      .positive()
      .default(20)
      .describe('Exchanges of bad tokens per window and client address'),
  },
  growsWith: 'members',
  tables: [
    'refresh_token',
    'exchanged_token',
    'session_cutoff',
    'token_family',
    'member_identity',
    'auth_provider',
    'signing_key',
  ],
  kept: ['auth_provider', 'signing_key'],
  due: { 'forget-exchanged-tokens': [{ table: 'exchanged_token', at: 'expires_at', clock: 'database' }] },
  open(
    { frames, cursors, cipher, pepper, outgoing, rateLimits, env, standIns },
    { users, pendingChanges: { holdBack } }: { users: UsersService; pendingChanges: PendingChangesOffers },
  ) {
    const providers = createProvidersService({ frames, cursors, outgoing, holdBack });
    const signingKeys = createSigningKeys({ frames, cipher });
    const accessTokens = createAccessTokens({ keys: signingKeys, issuer: env.AUTH_ISSUER });
    const sessions = createSessions({ frames, accessTokens });
    const tokens = createTokensService({ frames, accessTokens, refreshTokens: createRefreshTokens(pepper), sessions });
    const countExchange = rateLimits.byTenant({ name: 'exchange', limit: env.RATE_LIMIT_EXCHANGES, what: 'token exchanges' });
    const countRefusal = rateLimits.byAddress({
      name: 'token',
      limit: env.RATE_LIMIT_EXCHANGE_FAILURES,
      alert: 'too many bad tokens from one address',
    });
    const standIn = standIns['externalProviders'] as ExternalProviders | undefined;
    const deps = { frames, users, tokens, countExchange, digestOf: createTokenDigests(pepper) };
    const exchange = standIn
      ? createExchangeService({ ...deps, providers: standIn })
      : createExchangeService<AuthProvider>({ ...deps, providers });
    return {
      offers: { sessions, signingKeys, providers } satisfies AuthOffers,
      sweeps: [forgetExchangedTokens],
      routes: [
        ...jwksRoutes(signingKeys),
        ...authProvidersRoutes(providers),
        ...identitiesRoutes(createIdentitiesService({ frames, cursors })),
        ...authRoutes({ exchange, tokens, countRefusal }),
      ],
    };
  },
});
