/** The access matrix of saved views. */
import { randomUUID } from 'node:crypto';
import { type MatrixRow, uuidReference } from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';

const view = () => ({ name: randomUUID(), page: '/members', query: { tier: 'SENIOR' }, shared: true });

/** A shared view of somebody else's, whom nobody knows: of its own the key may have a hundred. */
async function plantShared({ app }: World, { tenantId, environment }: Side): Promise<string> {
  const { name, page, query, shared } = view();
  const [row] = await app.database.asSuperuser<{ id: string }>(
    `insert into saved_view (tenant_id, environment, owner, name, page, query, shared, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $3) returning id`,
    [tenantId, environment, `api_key:${randomUUID()}`, name, page, query, shared],
  );
  if (!row) throw new Error('no view was planted');
  return row.id;
}

export const savedViewRows: Record<string, MatrixRow> = {
  listSavedViews: { request: () => ({ query: { page: '/members' } }), status: 200, references: [] },
  saveView: { request: () => ({ body: view() }), status: 201, references: [] },
  deleteSavedView: {
    request: () => ({ path: { viewId: randomUUID() } }),
    fresh: async (side, world) => ({ path: { viewId: await plantShared(world, side) } }),
    status: 200,
    repeatedStatus: 404,
    neverByChance: true,
    references: [
      {
        at: 'path.viewId',
        object: plantShared,
        ...uuidReference,
        own: { status: 200 },
        foreign: { status: 404, code: 'NOT_FOUND' },
      },
    ],
  },
};
