/** The access matrix of the tree. */
import { randomBytes } from 'node:crypto';
import {
  cursorOf,
  cursorReference,
  type Expected,
  emptyList,
  invalid,
  type MatrixRow,
  type Reference,
  tooLong,
  uuidReference,
} from '../../support/matrix/matrix-row.ts';
import type { Side } from '../../support/matrix/matrix-world.ts';

const unknown: Expected = { status: 404, code: 'USER_NOT_FOUND' };
const listed: Expected = { status: 200, check: (body) => !emptyList(body) };

const member = (at: string, own: Expected, of: (side: Side) => string): Reference => ({
  at,
  object: (_world, side) => of(side),
  ...uuidReference,
  own,
  foreign: unknown,
});

const cursor = (of: (side: Side) => string): Reference => ({
  at: 'query.cursor',
  object: (_world, side) => of(side),
  absent: () => randomBytes(52).toString('base64url'),
  malformed: tooLong(1000),
  own: listed,
  foreign: invalid,
  member: invalid,
});

const root = (side: Side) => side.root.id;
const grandchild = (side: Side) => side.grandchild.id;

export const genealogyRows: Record<string, MatrixRow> = {
  getGenealogy: {
    request: (side) => ({ path: { userId: root(side) }, query: { depth: '10' } }),
    status: 200,
    references: [
      member('path.userId', { status: 200, check: (body, side) => JSON.stringify(body).includes(side.grandchild.id) }, root),
    ],
  },
  listDownline: {
    request: (side) => ({ path: { userId: root(side) }, query: { limit: '1' } }),
    status: 200,
    references: [member('path.userId', listed, root), cursor((side) => side.downlineCursor)],
  },
  listChildren: {
    request: (side) => ({ path: { userId: root(side) }, query: { limit: '1' } }),
    status: 200,
    references: [
      member('path.userId', listed, root),
      {
        at: 'query.cursor',
        object: (world, side) => cursorOf(world, side, `/api/v1/members/${root(side)}/children?limit=1`),
        ...cursorReference,
        member: invalid,
      },
    ],
  },
  listRoots: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      { at: 'query.cursor', object: (world, side) => cursorOf(world, side, '/api/v1/members/roots?limit=1'), ...cursorReference },
    ],
  },
  listUpline: {
    request: (side) => ({ path: { userId: grandchild(side) }, query: { limit: '1' } }),
    status: 200,
    references: [member('path.userId', listed, grandchild), cursor((side) => side.uplineCursor)],
  },
  getRelationship: {
    request: (side) => ({ path: { userId: root(side), targetUserId: grandchild(side) } }),
    status: 200,
    references: [
      member('path.userId', { status: 200, check: (body) => body['relationship'] === 'downline' }, root),
      member('path.targetUserId', { status: 200, check: (body) => body['relationship'] === 'downline' }, grandchild),
    ],
  },
};
