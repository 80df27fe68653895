/** The access matrix of the Auth group's tokens. */
import { randomBytes } from 'node:crypto';
import { hashRefreshToken } from '../../../src/features/auth/refresh-tokens.ts';
import { plantSession } from '../../support/identity/sessions.ts';
import { type MatrixRow, type Reference, tooLong, uuidReference } from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';

const absentToken = () => `svcr_${randomBytes(32).toString('base64url')}`;

/** A refresh token that nobody has used, of a member on whom nothing else hangs. */
const freshToken = async (world: World, side: Side): Promise<string> =>
  (await plantSession(world.app, side, side.grandchild.id)).refreshToken;

/** The side's spare token as nobody has used it. */
async function unuse({ app }: World, { tenantId, environment, spareRefreshToken }: Side): Promise<void> {
  const hash = hashRefreshToken(spareRefreshToken);
  await app.database.asSuperuser(
    `with spare as (
       update refresh_token set used_at = null, used_by_key_id = null
       where tenant_id = $1 and environment = $2 and token_hash = $3 returning family_id),
     alive as (
       update token_family f set revoked_at = null, revoke_reason = null from spare
       where f.tenant_id = $1 and f.environment = $2 and f.id = spare.family_id)
     delete from refresh_token r using spare
     where r.tenant_id = $1 and r.environment = $2 and r.family_id = spare.family_id and r.token_hash <> $3`,
    [tenantId, environment, hash],
  );
}

const tokenReference = (expected: Pick<Reference, 'own' | 'foreign'>): Reference => ({
  at: 'body.token',
  object: freshToken,
  absent: absentToken,
  malformed: tooLong(8192),
  ...expected,
});

export const authRows: Record<string, MatrixRow> = {
  exchangeToken: {
    request: () => ({ body: { provider: 'idp', token: 'a.b.c' } }),
    status: 401,
    open: true,
    references: [],
    inert: {
      'body.token': "an external provider's; what it names is found by the provider (exchange.test.ts)",
      'body.referralCode': 'of use to a person that becomes a member (exchange.test.ts)',
      'body.clickId': 'likewise',
    },
  },
  refreshTokens: {
    request: (side) => ({ body: { refreshToken: side.spareRefreshToken } }),
    fresh: async (side, world) => ({ body: { refreshToken: await freshToken(world, side) } }),
    status: 200,
    restore: unuse,
    references: [
      {
        at: 'body.refreshToken',
        object: freshToken,
        absent: absentToken,
        malformed: tooLong(512),
        own: { status: 200 },
        foreign: { status: 401, code: 'INVALID_TOKEN' },
      },
    ],
  },
  validateToken: {
    request: (side) => ({ body: { token: side.spareRefreshToken } }),
    status: 200,
    restore: unuse,
    references: [
      tokenReference({
        own: { status: 200, check: (body, side) => body['active'] === true && body['tenantId'] === side.tenantId },
        foreign: { status: 200, check: (body) => JSON.stringify(body) === '{"active":false}' },
      }),
    ],
  },
  revokeToken: {
    request: () => ({ body: { token: absentToken() } }),
    status: 200,
    references: [tokenReference({ own: { status: 200 }, foreign: { status: 200 } })],
  },
  revokeAllTokens: {
    request: (side) => ({ body: { userId: side.grandchild.id } }),
    status: 200,
    references: [
      {
        at: 'body.userId',
        object: (_world, side) => side.grandchild.id,
        ...uuidReference,
        own: { status: 200 },
        foreign: { status: 404, code: 'USER_NOT_FOUND' },
      },
    ],
  },
};
