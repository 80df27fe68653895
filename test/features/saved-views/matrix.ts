/** The access matrix of saved views. */
import { randomUUID } from 'node:crypto';
import { call } from '../../support/app/http-call.ts';
import { type MatrixRow, uuidReference } from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';

const VIEWS = '/api/v1/admin/saved-views';
const view = () => ({ name: randomUUID(), page: '/members', query: { tier: 'SENIOR' }, shared: true });

async function saved(world: World, side: Side): Promise<string> {
  const headers = { 'x-tenant-api-key': side.key };
  const { json } = await call(world.app.baseUrl, { method: 'POST', target: VIEWS, headers, body: view() });
  return (json as { id: string }).id;
}

export const savedViewRows: Record<string, MatrixRow> = {
  listSavedViews: { request: () => ({ query: { page: '/members' } }), status: 200, references: [] },
  saveView: { request: () => ({ body: view() }), status: 201, references: [] },
  deleteSavedView: {
    request: () => ({ path: { viewId: randomUUID() } }),
    fresh: async (side, world) => ({ path: { viewId: await saved(world, side) } }),
    status: 200,
    repeatedStatus: 404,
    neverByChance: true,
    references: [
      {
        at: 'path.viewId',
        object: saved,
        ...uuidReference,
        own: { status: 200 },
        foreign: { status: 404, code: 'NOT_FOUND' },
      },
    ],
  },
};
