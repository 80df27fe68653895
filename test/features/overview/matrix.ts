/** The access matrix of the overview and the search. */
import { randomUUID } from 'node:crypto';
import { emptyList, type MatrixRow, tooLong } from '../../support/matrix/matrix-row.ts';

export const overviewRows: Record<string, MatrixRow> = {
  getOverview: { request: () => ({ query: { from: '2026-01', to: '2026-03' } }), status: 200, references: [] },
  searchAll: {
    request: () => ({ query: { q: 'nobody at all' } }),
    status: 200,
    references: [
      {
        at: 'query.q',
        object: (_world, side) => side.root.id,
        absent: () => randomUUID(),
        malformed: tooLong(255),
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: { status: 200, check: emptyList },
      },
    ],
  },
};
