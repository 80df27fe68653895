/** The public contract of the Auth group's tokens: docs/specification/identity.md#members-tokens. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { environment, text, uuid } from '../../http/schemas.ts';
import { authErrors } from './open/auth-errors.ts';

const tokenPair = z
  .object({
    accessToken: z.string().meta({ description: 'JWT; sent as `Authorization: Bearer` beside the key' }),
    refreshToken: z
      .string()
      .meta({ description: 'Good for one refresh, for 30 days, and for 90 days after the exchange at most' }),
    expiresIn: z.int().meta({ description: 'Seconds the access token is good for' }),
    tokenType: z.literal('Bearer').optional().meta({ description: 'The scheme of `Authorization`' }),
  })
  .meta({ id: 'TokenPair' });

export type TokenPair = z.input<typeof tokenPair>;

export const exchangeToken = defineOperation({
  method: 'post',
  path: '/api/v1/auth/exchange',
  operationId: 'exchangeToken',
  group: 'Auth',
  summary: "Exchange an external provider's token for a token pair of ours",
  description:
    'The first exchange of a person creates a member, where the provider allows it, from the claims `email`, `name`, `given_name`, `family_name` and `sub` (its `external_id`, unless another member has that one). A member who has this email already is attached only where the provider has `trustEmail` and both addresses are verified; otherwise the answer is ACCOUNT_LINK_REQUIRED. Only a member that is created has a sponsor from `referralCode`, `clickId`, or else the open lead with its email. What leads to nobody is passed over and keeps nobody out; the receipt says so (GET /api/v1/referrals/attributions?placed_user_id=). An email is verified when `email_verified` is true, or is absent and the provider has `trustEmail`. One that is not finds no lead, and nobody is ever joined by it. With `email_verified` false nobody is created at all, unless the provider has `acceptUnverifiedEmail`: USER_NOT_PROVISIONED with `details.reason` `EMAIL_UNVERIFIED`. Later exchanges update the names, not the email. A token begins one session: exchanged again, for an answer that was lost, it gets another pair of that session, five in all, and none once the session was ended.',
  scope: 'none',
  headers: z.object({ 'X-Tenant-ID': z.string().meta({ description: 'The tenant, by its id' }) }),
  body: z
    .strictObject({
      provider: z.string().meta({ description: 'The provider id, as configured' }),
      token: z.string().meta({ description: 'JWT of the provider' }),
      referralCode: text(64).nullish().meta({ description: 'Of the sponsor, should the person become a member now' }),
      clickId: text(255).nullish().meta({ description: 'The same by the click that brought the person; the code wins' }),
    })
    .meta({ example: { provider: 'acme-idp', token: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiJhZGEifQ.c2ln' } }),
  success: [{ status: 200, meaning: 'A new session of the member' }],
  response: tokenPair,
  errors: [authErrors.USER_NOT_PROVISIONED, authErrors.ACCOUNT_LINK_REQUIRED, 'PROVIDER_CONFIGURATION', 'PROVIDER_UNAVAILABLE'],
});

export const refreshTokens = defineOperation({
  method: 'post',
  path: '/api/v1/auth/refresh',
  operationId: 'refreshTokens',
  group: 'Auth',
  summary: 'Exchange a refresh token for a new token pair',
  description:
    'Each refresh token is good once. A repeat with the same key within 10 seconds gets the same successor, until that has been used itself; any other repeat revokes the whole session.',
  scope: 'auth:tokens',
  repeats: 'own',
  body: z
    .strictObject({ refreshToken: text(512).meta({ description: 'Of the last answer of exchange or refresh' }) })
    .meta({ example: { refreshToken: 'svcr_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' } }),
  success: [{ status: 200, meaning: 'The new pair' }],
  response: tokenPair,
  errors: [],
});

export const validateToken = defineOperation({
  method: 'post',
  path: '/api/v1/auth/validate',
  operationId: 'validateToken',
  group: 'Auth',
  summary: 'Whether an access or refresh token is good now',
  description: 'Of any token that is not, whatever is wrong with it, nothing is said but `active: false`.',
  scope: 'auth:tokens',
  writesNothing: 'It looks into a token',
  body: z.strictObject({ token: text(8192).meta({ description: 'An access or refresh token' }) }),
  success: [{ status: 200, meaning: 'What the token says, or `active: false` alone' }],
  response: z
    .object({
      active: z.boolean().meta({ description: 'Whether it is good now' }),
      sub: uuid.optional().meta({ description: 'The member' }),
      tenantId: uuid.optional().meta({ description: 'The tenant of the member' }),
      environment: environment.optional().meta({ description: 'Where the member lives' }),
      exp: z.int().optional().meta({ description: 'When it ends, in seconds since 1970' }),
      iat: z.int().optional().meta({ description: 'When it was issued, in seconds since 1970' }),
      sid: uuid.optional().meta({ description: 'The session: what came of one exchange' }),
      tokenType: z
        .enum(['access_token', 'refresh_token'])
        .optional()
        .meta({ description: 'An `access_token` or a `refresh_token`' }),
    })
    .meta({ id: 'TokenState' }),
  errors: [],
});

export type TokenState = z.input<typeof validateToken.response>;

export const revokeToken = defineOperation({
  method: 'post',
  path: '/api/v1/auth/revoke',
  operationId: 'revokeToken',
  group: 'Auth',
  summary: 'End the session of an access or refresh token',
  description:
    'Every token of the session is refused from then on, by every instance within a second. The answer is the same for a token that is unknown, not yours, or revoked already (RFC 7009).',
  scope: 'auth:tokens',
  body: z.strictObject({ token: text(8192).meta({ description: 'An access or refresh token' }) }),
  success: [{ status: 200, meaning: 'The token is good for nothing, now or already' }],
  response: z.object({}),
  errors: [],
});

export const revokeAllTokens = defineOperation({
  method: 'post',
  path: '/api/v1/auth/revoke-all',
  operationId: 'revokeAllTokens',
  group: 'Auth',
  summary: 'End all sessions of a member',
  description:
    'A token of a provider that was issued (`iat`) in the second of the call or before begins no session of the member any more.',
  scope: 'auth:tokens',
  body: z.strictObject({ userId: uuid.meta({ description: 'The member' }) }),
  success: [{ status: 200, meaning: 'The member has no session any more' }],
  response: z.object({ revokedSessions: z.int().meta({ description: 'How many were ended by this call' }) }),
  errors: ['USER_NOT_FOUND'],
});
