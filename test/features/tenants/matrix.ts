/** The access matrix of API keys and settings. */
import { randomBytes } from 'node:crypto';
import { call } from '../../support/app/http-call.ts';
import { invalid, type MatrixRow, type Reference, tooLong, uuidReference } from '../../support/matrix/matrix-row.ts';
import type { Side } from '../../support/matrix/matrix-world.ts';

const keyReference = (object: (side: Side) => string): Reference => ({
  at: 'path.keyId',
  object: (_world, side) => object(side),
  ...uuidReference,
  own: { status: 200 },
  foreign: { status: 404, code: 'NOT_FOUND' },
});

export const keyRows: Record<string, MatrixRow> = {
  createApiKey: {
    request: () => ({ body: { name: 'Matrix', scopes: ['users:read'] } }),
    status: 201,
    references: [],
  },
  listApiKeys: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      {
        at: 'query.cursor',
        async object(world, side) {
          const headers = { 'x-tenant-api-key': side.key };
          const answer = await call(world.app.baseUrl, { method: 'GET', target: '/api/v1/admin/api-keys?limit=1', headers });
          return String((answer.json as { nextCursor: string | null }).nextCursor);
        },
        absent: () => randomBytes(52).toString('base64url'),
        malformed: tooLong(1000),
        own: { status: 200 },
        foreign: invalid,
      },
    ],
  },
  updateApiKey: {
    request: (side) => ({ path: { keyId: side.keyIds.toRoll }, body: { name: 'Matrix' } }),
    status: 200,
    references: [keyReference((side) => side.keyIds.toRoll)],
    async restore({ app }, { keyIds }) {
      await app.database.asSuperuser(
        'update api_key set expires_at = null, revoked_at = null, disabled_at = null, disabled_by = null where id = $1',
        [keyIds.toRoll],
      );
    },
  },
  revokeApiKey: {
    request: (side) => ({ path: { keyId: side.keyIds.toRevoke } }),
    status: 200,
    references: [keyReference((side) => side.keyIds.toRevoke)],
  },
  rollApiKey: {
    request: (side) => ({ path: { keyId: side.keyIds.toRoll }, body: { overlapSeconds: 3600 } }),
    status: 201,
    references: [{ ...keyReference((side) => side.keyIds.toRoll), own: { status: 201 } }],
    async restore({ app }, { keyIds }) {
      await app.database.asSuperuser('update api_key set expires_at = null, revoked_at = null where id = $1', [keyIds.toRoll]);
    },
  },
  getSettings: { request: () => ({}), status: 200, references: [] },
  updateSettings: {
    request: () => ({ body: { reportingTimeZone: 'UTC', defaultCurrency: 'USD' } }),
    status: 200,
    references: [],
    inert: {
      'body.kyc.kycvendor.clientId': "the vendor's name of its client, compared with what its events say",
      'body.staffProvider.clientId': 'what the identity provider calls the tenant',
    },
    liveOnly: true,
    ownWorld: true,
  },
};
