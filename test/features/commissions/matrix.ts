/** The access matrix of the Commissions group. */
import { randomBytes, randomUUID } from 'node:crypto';
import { call } from '../../support/app/http-call.ts';
import {
  type Expected,
  emptyList,
  invalid,
  type MatrixRow,
  ofOwner,
  purchaseOf,
  type Reference,
  tooLong,
  uuidReference,
} from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';

const unknownLine = { status: 404, code: 'NOT_FOUND' };

/** A pending commission that nobody has acted on. */
async function freshLine(world: World, side: Side): Promise<string> {
  const body = purchaseOf(side, randomUUID());
  const headers = { 'x-tenant-api-key': side.key };
  const answer = await call(world.app.baseUrl, { method: 'POST', target: '/api/v1/events/purchase', headers, body });
  const { commissions } = answer.json as { commissions: { id: string }[] };
  return commissions[0]?.id ?? '';
}

async function heldLine(world: World, side: Side): Promise<string> {
  const id = await freshLine(world, side);
  const headers = { 'x-tenant-api-key': side.key };
  await call(world.app.baseUrl, { method: 'POST', target: `/api/v1/commissions/${id}/hold`, headers, body: {} });
  return id;
}

const lineId = (object: Reference['object'] = (_world, side) => side.purchase.commissionId): Reference => ({
  at: 'path.commissionId',
  object,
  ...uuidReference,
  own: { status: 200 },
  foreign: unknownLine,
  member: ofOwner((side) => side.root.id, { status: 200 }, unknownLine),
});
const rootOnly = (side: Side, memberId: string) => (memberId === side.root.id ? 200 : 404);

const action = (lineOf: (world: World, side: Side) => Promise<string>): MatrixRow => ({
  request: (side) => ({ path: { commissionId: side.purchase.commissionId }, body: {} }),
  fresh: async (side, world) => ({ path: { commissionId: await lineOf(world, side) }, body: {} }),
  status: 200,
  repeatedStatus: 409,
  readBack: (body) => `/api/v1/commissions/${String(body['id'])}`,
  references: [lineId(lineOf)],
});

const listFilter = (at: string, object: (side: Side) => string, others: Expected): Reference => ({
  at,
  object: (_world, side) => object(side),
  ...uuidReference,
  own: { status: 200, check: (body) => !emptyList(body) },
  foreign: { status: 200, check: emptyList },
  member: ofOwner((side) => side.root.id, { status: 200, check: (body) => !emptyList(body) }, others),
});

export const commissionRows: Record<string, MatrixRow> = {
  listCommissions: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      listFilter('query.userId', (side) => side.root.id, { status: 403, code: 'FORBIDDEN' }),
      listFilter('query.eventId', (side) => side.purchase.eventId, { status: 200, check: emptyList }),
      {
        at: 'query.cursor',
        object: (_world, side) => side.commissionCursor,
        absent: () => randomBytes(52).toString('base64url'),
        malformed: tooLong(1000),
        own: { status: 200 },
        foreign: invalid,
        member: invalid,
      },
    ],
  },
  getCommission: {
    request: (side) => ({ path: { commissionId: side.purchase.commissionId } }),
    status: 200,
    memberStatus: rootOnly,
    references: [lineId()],
  },
  explainCommission: {
    request: (side) => ({ path: { commissionId: side.purchase.commissionId } }),
    status: 200,
    memberStatus: rootOnly,
    references: [lineId()],
  },
  holdCommission: action(freshLine),
  releaseCommission: action(heldLine),
  voidCommission: action(freshLine),
};
