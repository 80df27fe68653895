/** The public contract of external auth providers: docs/specification/identity.md#providers. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { camelListOf, pageQuery } from '../../http/pagination.ts';
import { environment, text, timestamp, uuid } from '../../http/schemas.ts';
import { MAX_ADDRESS_LENGTH } from '../../outgoing/address-form.ts';
import { pendingChangesErrors } from '../pending-changes/open/pending-changes-errors.ts';
import { whenHeldBack } from '../pending-changes/open/when-held-back.ts';

/** Only the shape; what it may point at is the service's to check. */
const address = z
  .string()
  .max(MAX_ADDRESS_LENGTH, `must have at most ${MAX_ADDRESS_LENGTH} characters`)
  .regex(/^https:\/\/[!-~]+$/, 'must be an https:// address')
  .meta({ override: { type: 'string', format: 'uri', maxLength: MAX_ADDRESS_LENGTH } });

const allowedAudiences = z
  .array(text(255))
  .min(1, 'must have at least one')
  .max(20, 'must have at most 20')
  .meta({ description: 'Every `aud` of a token must be one of them, and at least one is needed' });

const authProvider = z
  .object({
    id: uuid.meta({ description: 'Of the provider here' }),
    providerId: z.string().meta({ description: 'What the exchange calls it' }),
    issuerUrl: z.string().meta({ description: 'The `iss` of its tokens' }),
    jwksUri: z.string().meta({ description: 'Where its keys are fetched' }),
    allowedAudiences: z.array(z.string()).meta({ description: 'The `aud` values that tokens may have' }),
    autoCreateUsers: z.boolean().meta({ description: 'Whether a person who comes for the first time becomes a member' }),
    trustEmail: z.boolean().meta({ description: 'Whether its addresses count as verified where the token does not say' }),
    acceptUnverifiedEmail: z.boolean().meta({ description: 'Whether persons with an unverified address become members' }),
    environment: environment.meta({ description: 'Where its members live' }),
    createdAt: timestamp.meta({ description: 'When it was added' }),
    updatedAt: timestamp.meta({ description: 'When it was last changed' }),
  })
  .meta({ id: 'AuthProvider' });

export type AuthProviderAnswer = z.input<typeof authProvider>;

const providerParams = z.strictObject({ authProviderId: uuid.meta({ description: 'The `id` of the provider' }) });

const autoCreateUsers = z.boolean().meta({ description: 'Whether a person who comes for the first time becomes a member' });
const trustEmail = z.boolean().meta({
  description:
    'Whether the addresses of the provider count as verified where its token does not say, and may link a person to the member who has one',
});
const acceptUnverifiedEmail = z.boolean().meta({
  description:
    'Whether a person whose token says `email_verified: false` becomes a member all the same. Its address stays unverified, and it is joined to nobody by it',
});

const PROVIDER_ERRORS = ['PROVIDER_CONFIGURATION', 'PROVIDER_UNAVAILABLE'] as const;

export const createAuthProvider = defineOperation({
  method: 'post',
  path: '/api/v1/admin/auth/providers',
  operationId: 'createAuthProvider',
  group: 'Auth',
  summary: 'Add an external identity provider',
  description:
    'Its discovery document, at `issuerUrl` + `/.well-known/openid-configuration`, must name exactly `issuerUrl` as its issuer, and its key set must hold public keys only. `details.reason` says why a provider cannot be used. The provider is of the environment of the key; `providerId` is unique in the tenant across both.\n\nIt is a new way in: in LIVE with `payments.dualControl` on the request waits and answers 202, until another pair of hands confirms it.',
  scope: 'admin:auth',
  stepUp: 'always',
  hands: 'weakens',
  body: z
    .strictObject({
      providerId: z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, dots, hyphens or underscores')
        .meta({ description: 'What the exchange calls it' }),
      issuerUrl: address.meta({ description: 'The `iss` of its tokens; its discovery document is found there' }),
      jwksUri: address.nullish().meta({ description: 'Default what the discovery document says' }),
      allowedAudiences,
      autoCreateUsers: autoCreateUsers.default(true),
      trustEmail: trustEmail.default(false),
      acceptUnverifiedEmail: acceptUnverifiedEmail.default(false),
    })
    .meta({ example: { providerId: 'main', issuerUrl: 'https://login.shop.example', allowedAudiences: ['shop-app'] } }),
  success: [{ status: 201, meaning: 'Added' }, whenHeldBack],
  response: authProvider,
  errors: ['STATE_CONFLICT', ...PROVIDER_ERRORS, pendingChangesErrors.CHANGE_PENDING],
});

export const listAuthProviders = defineOperation({
  method: 'get',
  path: '/api/v1/admin/auth/providers',
  operationId: 'listAuthProviders',
  group: 'Auth',
  summary: 'List external identity providers in the order they were added',
  scope: 'admin:auth',
  query: z.strictObject(pageQuery),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(authProvider),
  errors: [],
});

export const getAuthProvider = defineOperation({
  method: 'get',
  path: '/api/v1/admin/auth/providers/{authProviderId}',
  operationId: 'getAuthProvider',
  group: 'Auth',
  summary: 'Get an external identity provider',
  scope: 'admin:auth',
  params: providerParams,
  success: [{ status: 200, meaning: 'The provider' }],
  response: authProvider,
  errors: ['NOT_FOUND'],
});

export const updateAuthProvider = defineOperation({
  method: 'patch',
  path: '/api/v1/admin/auth/providers/{authProviderId}',
  operationId: 'updateAuthProvider',
  group: 'Auth',
  summary: 'Change an external identity provider',
  description:
    'A new address is checked as on adding. Once members have come through the provider its issuer stays: subjects of another issuer are other people.\n\nIn LIVE with `payments.dualControl` on, another `issuerUrl` or `jwksUri`, an audience more, and `autoCreateUsers`, `trustEmail` or `acceptUnverifiedEmail` turned on make the request wait whole: it answers 202, and another pair of hands confirms it.',
  scope: 'admin:auth',
  stepUp: 'always',
  hands: 'by value',
  params: providerParams,
  body: z
    .strictObject({
      issuerUrl: address.optional().meta({ description: 'The `iss` of its tokens; fixed once members have come' }),
      jwksUri: address.nullish().meta({ description: '`null`: what the discovery document says' }),
      allowedAudiences: allowedAudiences.optional(),
      autoCreateUsers: autoCreateUsers.optional(),
      trustEmail: trustEmail.optional(),
      acceptUnverifiedEmail: acceptUnverifiedEmail.optional(),
    })
    .refine((body) => Object.keys(body).length > 0, {
      message: 'must set at least one field',
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ example: { autoCreateUsers: false } }),
  success: [{ status: 200, meaning: 'The provider as it is now' }, whenHeldBack],
  response: authProvider,
  errors: ['NOT_FOUND', 'STATE_CONFLICT', ...PROVIDER_ERRORS, pendingChangesErrors.CHANGE_PENDING],
});

export const deleteAuthProvider = defineOperation({
  method: 'delete',
  path: '/api/v1/admin/auth/providers/{authProviderId}',
  operationId: 'deleteAuthProvider',
  group: 'Auth',
  summary: 'Delete an external identity provider',
  description: 'Members stay; the links between them and the provider go, and every token that came of it is revoked.',
  scope: 'admin:auth',
  stepUp: 'always',
  hands: 'tightens',
  params: providerParams,
  success: [{ status: 200, meaning: 'Gone' }],
  response: z.object({
    id: uuid.meta({ description: 'Of the provider' }),
    deleted: z.literal(true).meta({ description: 'It is gone' }),
  }),
  errors: ['NOT_FOUND'],
});

export const testAuthProvider = defineOperation({
  method: 'post',
  path: '/api/v1/admin/auth/providers/{authProviderId}/test',
  operationId: 'testAuthProvider',
  group: 'Auth',
  summary: 'Check that an external identity provider can be used',
  description: 'Asks for its discovery document and its key set, as adding it did. Changes nothing.',
  scope: 'admin:auth',
  writesNothing: 'It asks the provider for its keys and keeps nothing of the answer',
  params: providerParams,
  body: z.strictObject({}).optional(),
  success: [{ status: 200, meaning: 'It can be used' }],
  response: z.object({
    id: uuid.meta({ description: 'Of the provider' }),
    usable: z.literal(true).meta({ description: 'It can be used' }),
    keys: z
      .array(
        z.object({
          kid: z.string().nullable().meta({ description: 'Of the key; null: it has none' }),
          keyType: z.string().meta({ description: 'The `kty`, as `RSA`' }),
          algorithm: z.string().nullable().meta({ description: 'The `alg`; null: not said' }),
        }),
      )
      .meta({ description: 'The keys of its key set' }),
  }),
  errors: ['NOT_FOUND', ...PROVIDER_ERRORS],
});
