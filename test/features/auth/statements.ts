/** The statements of the operations of identity providers and tokens. */
import { SignJWT } from 'jose';
import { newSession } from '../../support/statements/made-before.ts';
import { alone, type Counted, claim, countStatements, key, read, write } from '../../support/statements/statement-row.ts';

const providersPath = '/api/v1/admin/auth/providers';
const newProvider = ({ app }: Counted) => ({
  providerId: crypto.randomUUID(),
  issuerUrl: app.issuer.issuerUrl,
  allowedAudiences: ['app'],
});

const tokenOf = ({ app }: Counted, subject: string): Promise<string> =>
  new SignJWT({ email: `${subject}@counted.example`, email_verified: true })
    .setProtectedHeader({ alg: 'ES256', kid: app.issuer.kid })
    .setIssuer(app.issuer.issuerUrl)
    .setAudience('app')
    .setSubject(subject)
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(app.issuer.privateKey);

const exchange = ({ app, tenantId, linkTo }: Counted & { linkTo: { providerId: string } }, token: string) =>
  app.http.post('/api/v1/auth/exchange').set('x-tenant-id', tenantId).send({ provider: linkTo.providerId, token });

export const authStatements = countStatements(
  async (world) => ({
    authProviderId: (await world.client.post(providersPath, newProvider(world))).body.id as string,
    linkTo: {
      providerId: (await world.client.post(providersPath, newProvider(world))).body.providerId as string,
      subject: 'counted',
    },
    spareAuthProviderId: (await world.client.post(providersPath, newProvider(world))).body.id as string,
  }),
  [
    [
      'createAuthProvider',
      (world) => world.client.post(providersPath, newProvider(world)),
      201,
      write('auth_insert_provider', 'two_hands_rule', 'pending_changes_lock_of_fields', 'audit_insert'),
    ],
    [
      'createAuthProvider with an Idempotency-Key: looked for before the provider is asked, outside any transaction',
      (world) => world.client.post(providersPath, newProvider(world), key()),
      201,
      [
        ...read('idempotency_find'),
        ...write(
          ...claim,
          'auth_insert_provider',
          'two_hands_rule',
          'pending_changes_lock_of_fields',
          'audit_insert',
          'idempotency_store',
        ),
      ],
    ],
    ['listAuthProviders of 1', ({ client }) => client.get(`${providersPath}?limit=1`), 200, alone('auth_list_providers')],
    ['listAuthProviders of 100', ({ client }) => client.get(`${providersPath}?limit=100`), 200, alone('auth_list_providers')],
    [
      'getAuthProvider',
      ({ client, authProviderId }) => client.get(`${providersPath}/${authProviderId}`),
      200,
      alone('auth_find_provider'),
    ],
    [
      'testAuthProvider',
      ({ client, authProviderId }) => client.post(`${providersPath}/${authProviderId}/test`, {}),
      200,
      alone('auth_find_provider'),
    ],
    [
      'updateAuthProvider',
      ({ client, authProviderId }) => client.patch(`${providersPath}/${authProviderId}`, { trustEmail: true }),
      200,
      [
        ...alone('auth_find_provider'),
        ...write(
          'auth_lock_provider',
          'two_hands_rule',
          'pending_changes_lock_of_fields',
          'auth_update_provider',
          'audit_insert',
        ),
      ],
    ],
    [
      'updateAuthProvider, of another issuer',
      ({ app, client, authProviderId }) =>
        client.patch(`${providersPath}/${authProviderId}`, { issuerUrl: `${app.issuer.issuerUrl}/other` }),
      200,
      [
        ...alone('auth_find_provider'),
        ...write(
          'auth_lock_provider',
          'auth_provider_has_identities',
          'two_hands_rule',
          'pending_changes_lock_of_fields',
          'auth_update_provider',
          'audit_insert',
        ),
      ],
    ],
    [
      'deleteAuthProvider',
      async ({ app, liveKey, spareAuthProviderId }) =>
        app.http.delete(`${providersPath}/${spareAuthProviderId}`).set('x-tenant-api-key', liveKey),
      200,
      write(
        'auth_lock_provider',
        'pending_changes_lock_of_fields',
        'auth_delete_provider_identities',
        'auth_revoke_provider_families',
        'auth_delete_provider',
        'audit_insert',
      ),
    ],
    [
      'linkIdentity',
      ({ client, chain, linkTo }) => client.post(`/api/v1/members/${chain[3]?.id}/identities`, linkTo),
      201,
      write(
        'auth_hold_provider_called',
        'auth_lock_member',
        'auth_read_identity',
        'auth_insert_identity',
        'auth_read_identity',
        'audit_insert',
      ),
    ],
    [
      'listIdentities of 100',
      ({ client, chain }) => client.get(`/api/v1/members/${chain[3]?.id}/identities?limit=100`),
      200,
      read('auth_member_exists', 'auth_list_identities'),
    ],
    [
      'unlinkIdentity',
      async ({ app, client, chain, liveKey, linkTo, forget }) => {
        const path = `/api/v1/members/${chain[3]?.id}/identities`;
        const { body } = await client.post(path, linkTo);
        forget();
        return app.http.delete(`${path}/${body.id}`).set('x-tenant-api-key', liveKey);
      },
      200,
      write('auth_find_identity_of', 'auth_lock_provider', 'auth_delete_identity', 'auth_revoke_member_families', 'audit_insert'),
    ],
    ['exchangeToken of nobody', ({ client }) => client.post('/api/v1/auth/exchange', { provider: 'x', token: 'x' }), 401, []],
    [
      'exchangeToken of a person who is known',
      async (world) => {
        const subject = crypto.randomUUID();
        await exchange(world, await tokenOf(world, subject));
        const token = await tokenOf(world, subject);
        world.forget();
        return exchange(world, token);
      },
      200,
      [
        'locate_auth_provider',
        ...alone('auth_find_provider'),
        ...write(
          'auth_hold_provider',
          'auth_claim_token',
          'auth_find_identity',
          'users_rename',
          'auth_share_member',
          'auth_session_cutoff',
          'auth_insert_family',
        ),
      ],
    ],
    [
      'exchangeToken, the same token again',
      async (world) => {
        const token = await tokenOf(world, crypto.randomUUID());
        await exchange(world, token);
        world.forget();
        return exchange(world, token);
      },
      200,
      [
        'locate_auth_provider',
        ...alone('auth_find_provider'),
        ...write(
          'auth_hold_provider',
          'auth_claim_token',
          'auth_session',
          'auth_find_identity',
          'users_rename',
          'auth_share_member',
          'auth_session_cutoff',
          'auth_add_refresh_token',
        ),
      ],
    ],
    [
      'refreshTokens',
      async (world) => world.client.post('/api/v1/auth/refresh', { refreshToken: (await newSession(world)).refreshToken }),
      200,
      write('auth_lock_refresh_token', 'auth_rotate_refresh_token'),
    ],
    [
      'refreshTokens, repeated at once',
      async (world) => {
        const { refreshToken } = await newSession(world);
        await world.client.post('/api/v1/auth/refresh', { refreshToken });
        world.forget();
        return world.client.post('/api/v1/auth/refresh', { refreshToken });
      },
      200,
      write('auth_lock_refresh_token', 'auth_refresh_token_used'),
    ],
    [
      'validateToken, access',
      async (world) => world.client.post('/api/v1/auth/validate', { token: (await newSession(world)).accessToken }),
      200,
      write('auth_session'),
    ],
    [
      'validateToken, refresh',
      async (world) => world.client.post('/api/v1/auth/validate', { token: (await newSession(world)).refreshToken }),
      200,
      write('auth_find_refresh_token'),
    ],
    [
      'revokeToken',
      async (world) => world.client.post('/api/v1/auth/revoke', { token: (await newSession(world)).refreshToken }),
      200,
      write('auth_find_refresh_token', 'auth_revoke_family', 'audit_insert'),
    ],
    [
      'revokeAllTokens of one with several',
      async (world) => {
        await newSession(world);
        return world.client.post('/api/v1/auth/revoke-all', { userId: world.chain[4]?.id });
      },
      200,
      write('auth_lock_member', 'auth_cut_off_sessions', 'auth_revoke_by_member', 'audit_insert'),
    ],
  ],
);
