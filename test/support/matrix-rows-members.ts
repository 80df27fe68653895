/** The access matrix of the Member summaries group. */
import { type MatrixRow, type Reference, uuidReference } from './matrix-row.ts';

const member: Reference = {
  at: 'path.userId',
  object: (_world, side) => side.root.id,
  ...uuidReference,
  own: { status: 200 },
  foreign: { status: 404, code: 'USER_NOT_FOUND' },
};

export const memberRows: Record<string, MatrixRow> = {
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
