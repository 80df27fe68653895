/** The access matrix of the Ledger group. */
import { randomBytes, randomUUID } from 'node:crypto';
import { call } from '../../support/app/http-call.ts';
import {
  emptyList,
  invalid,
  type MatrixRow,
  post,
  purchaseOf,
  type Reference,
  tooLong,
  uuidReference,
} from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';

/** A cursor of the ledger of the side's root member, who gets a second entry for it. */
async function ledgerCursor(world: World, side: Side): Promise<string> {
  await post(world, side, '/api/v1/events/purchase', purchaseOf(side, randomUUID()));
  const target = `/api/v1/members/${side.root.id}/ledger?limit=1`;
  const answer = await call(world.app.baseUrl, { method: 'GET', target, headers: { 'x-tenant-api-key': side.key } });
  return String((answer.json as Record<string, unknown>)['nextCursor']);
}

const member: Reference = {
  at: 'path.userId',
  object: (_world, side) => side.root.id,
  ...uuidReference,
  own: { status: 200 },
  foreign: { status: 404, code: 'USER_NOT_FOUND' },
};

export const ledgerRows: Record<string, MatrixRow> = {
  verifyLedger: { request: () => ({}), status: 200, references: [] },
  getTrialBalance: { request: () => ({}), status: 200, references: [] },
  getMemberBalances: { request: (side) => ({ path: { userId: side.root.id } }), status: 200, references: [member] },
  listMemberLedger: {
    request: (side) => ({ path: { userId: side.root.id }, query: { limit: '1' } }),
    status: 200,
    references: [
      { ...member, own: { status: 200, check: (body) => !emptyList(body) } },
      {
        at: 'query.cursor',
        object: ledgerCursor,
        absent: () => randomBytes(52).toString('base64url'),
        malformed: tooLong(1000),
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: invalid,
        member: invalid,
      },
    ],
  },
};
