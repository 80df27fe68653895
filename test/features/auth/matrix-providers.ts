/** The access matrix of the external identity providers. */
import { randomBytes, randomUUID } from 'node:crypto';
import { call } from '../../support/app/http-call.ts';
import { emptyList, invalid, type MatrixRow, type Reference, tooLong, uuidReference } from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';

const provider: Reference = {
  at: 'path.authProviderId',
  object: (_world, side) => side.authProvider.id,
  ...uuidReference,
  own: { status: 200 },
  foreign: { status: 404, code: 'NOT_FOUND' },
};

/** Behind the first of the side's providers, of which there are many. */
async function providerCursor(world: World, side: Side): Promise<string> {
  const target = '/api/v1/admin/auth/providers?limit=1';
  const answer = await call(world.app.baseUrl, { method: 'GET', target, headers: { 'x-tenant-api-key': side.key } });
  return String((answer.json as Record<string, unknown>)['nextCursor']);
}

export const providerRows: Record<string, MatrixRow> = {
  createAuthProvider: {
    request: (side) => ({
      body: { providerId: randomUUID(), issuerUrl: side.authProvider.issuerUrl, allowedAudiences: ['app'] },
    }),
    status: 201,
    readBack: (body) => `/api/v1/admin/auth/providers/${String(body['id'])}`,
    references: [],
    inert: { 'body.providerId': 'a new name; whether it is taken shows in one tenant only' },
  },
  listAuthProviders: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      {
        at: 'query.cursor',
        object: providerCursor,
        absent: () => randomBytes(52).toString('base64url'),
        malformed: tooLong(1000),
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: invalid,
      },
    ],
  },
  getAuthProvider: {
    request: (side) => ({ path: { authProviderId: side.authProvider.id } }),
    status: 200,
    references: [provider],
  },
  updateAuthProvider: {
    request: (side) => ({ path: { authProviderId: side.authProvider.id }, body: { autoCreateUsers: false } }),
    status: 200,
    references: [provider],
  },
  testAuthProvider: {
    request: (side) => ({ path: { authProviderId: side.authProvider.id }, body: {} }),
    status: 200,
    references: [provider],
  },
  deleteAuthProvider: {
    request: (side) => ({ path: { authProviderId: side.spareAuthProviderIds.pop() ?? '' } }),
    status: 200,
    references: [{ ...provider, object: (_world, side) => side.spareAuthProviderIds.pop() ?? '' }],
  },
};
