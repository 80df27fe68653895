/** The access matrix of the list of members and of their summaries. */
import { randomUUID } from 'node:crypto';
import {
  cursorOf,
  cursorReference,
  emptyList,
  freshEmail,
  type MatrixRow,
  post,
  type Reference,
  tooLong,
  uuidReference,
} from '../../support/matrix/matrix-row.ts';

const member: Reference = {
  at: 'path.userId',
  object: (_world, side) => side.root.id,
  ...uuidReference,
  own: { status: 200 },
  foreign: { status: 404, code: 'USER_NOT_FOUND' },
};

export const memberRows: Record<string, MatrixRow> = {
  listMembers: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      {
        at: 'query.sponsorId',
        object: (_world, side) => side.root.id,
        ...uuidReference,
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: { status: 200, check: emptyList },
      },
      {
        at: 'query.email',
        object: (_world, side) => side.child.email,
        absent: freshEmail,
        malformed: tooLong(254),
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: { status: 200, check: emptyList },
      },
      {
        at: 'query.externalId',
        async object(world, side) {
          const externalId = randomUUID();
          await post(world, side, '/api/v1/users', { email: freshEmail(), external_id: externalId });
          return externalId;
        },
        absent: () => randomUUID(),
        malformed: tooLong(255),
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: { status: 200, check: emptyList },
      },
      {
        at: 'query.ids',
        object: (_world, side) => side.child.id,
        ...uuidReference,
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: { status: 200, check: emptyList },
      },
      {
        at: 'query.cursor',
        object: (world, side) => cursorOf(world, side, '/api/v1/members?limit=1'),
        ...cursorReference,
      },
    ],
  },
  getCommissionBreakdown: { request: (side) => ({ path: { userId: side.root.id } }), status: 200, references: [member] },
  getTaxSummary: { request: (side) => ({ path: { userId: side.root.id, year: '2026' } }), status: 200, references: [member] },
  getReferralStats: {
    request: (side) => ({ path: { userId: side.root.id } }),
    status: 200,
    references: [
      {
        ...member,
        // The one recruit is the side's own, with what came through it.
        own: { status: 200, check: (body, side) => JSON.stringify(body['topPerformers']).includes(side.child.id) },
      },
    ],
  },
  getTeamStats: { request: (side) => ({ path: { userId: side.root.id } }), status: 200, references: [member] },
};
