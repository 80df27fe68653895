/** The access matrix of snapshots. */
import type { TestApp } from '../../support/app/test-app.ts';
import type { MatrixRow, Reference } from '../../support/matrix/matrix-row.ts';
import { uuidReference } from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';

/** A complete one; its file is there by name only. */
export async function plantSnapshot(
  { database }: Pick<TestApp, 'database'>,
  { tenantId, environment, canaries }: Pick<Side, 'tenantId' | 'environment' | 'canaries'>,
): Promise<string> {
  const [row] = await database.asSuperuser<{ id: string }>(
    `insert into event_snapshot (tenant_id, environment, kinds, status, sequence, byte_count, storage_key, created_by, finished_at)
     values ($1::uuid, $2::text, '{members}', 'completed', 1, 1, lower($2::text) || '/' || $1::uuid || '/event-snapshots/' || uuidv7() || '.ndjson', 'system', now())
     returning id`,
    [tenantId, environment],
  );
  if (!row) throw new Error('no snapshot was planted');
  canaries.push(row.id);
  return row.id;
}

const planted = new WeakMap<Side, string>();
const snapshotOf = (side: Side) => planted.get(side) ?? '';

export const plantOnSide = async (app: TestApp, side: Side): Promise<void> => {
  planted.set(side, await plantSnapshot(app, side));
};

/** One of a side is made at a time. */
async function endAll({ app }: World, { tenantId, environment }: Side): Promise<void> {
  await app.database.asSuperuser(
    `update event_snapshot set status = 'expired' where tenant_id = $1 and environment = $2 and status in ('queued', 'running')`,
    [tenantId, environment],
  );
}

const unknown = { status: 404, code: 'NOT_FOUND' };
const snapshotId: Reference = {
  at: 'path.snapshotId',
  object: async (_world, side) => snapshotOf(side),
  ...uuidReference,
  own: { status: 200 },
  foreign: unknown,
};
const named = (side: Side) => ({ path: { snapshotId: snapshotOf(side) } });
const wanted = { body: { kinds: ['members'] } };

export const snapshotRows: Record<string, MatrixRow> = {
  createEventSnapshot: {
    request: () => wanted,
    async fresh(side, world) {
      await endAll(world, side);
      return wanted;
    },
    restore: endAll,
    status: 202,
    neverByChance: true,
    readBack: (body) => `/api/v1/webhook-events/snapshots/${String(body['id'])}`,
    references: [],
  },
  getEventSnapshot: { request: named, status: 200, neverByChance: true, references: [snapshotId] },
  createEventSnapshotDownloadUrl: {
    request: (side) => ({ ...named(side), body: {} }),
    status: 200,
    neverByChance: true,
    references: [snapshotId],
  },
};
