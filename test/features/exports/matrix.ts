/** The access matrix of exports. */
import { randomBytes } from 'node:crypto';
import { call } from '../../support/app/http-call.ts';
import type { TestApp } from '../../support/app/test-app.ts';
import {
  invalid,
  type MatrixRow,
  type PlantOnSide,
  type Reference,
  tooLong,
  uuidReference,
} from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';

/** An export that nothing works on; a completed one has an object by name only. */
export async function plantExport(
  app: TestApp,
  side: Pick<Side, 'tenantId' | 'environment' | 'canaries'>,
  status = 'completed',
): Promise<string> {
  const [row] = await app.database.asSuperuser<{ id: string }>(
    `insert into export_run (tenant_id, environment, kind, format, filters, status, storage_key, byte_count, created_by, created_at,
                             finished_at, expires_at, stands_at)
     select $1::uuid, $2::text, 'members', 'csv', jsonb_build_object('email', $4::text), s.status, c.key, 1, 'operator', now(), now(),
            now() + interval '7 days', case when s.status in ('queued', 'running') then now() + interval '1 day' end
     from (values ($3::text)) s(status), lateral (select lower($2::text) || '/' || $1::uuid || '/exports/' || uuidv7() || '/1.csv') c(key)
     returning id`,
    [side.tenantId, side.environment, status, side.canaries[0] ?? 'canary'],
  );
  if (!row) throw new Error('no export was planted');
  side.canaries.push(row.id);
  return row.id;
}

/** The export of a side that is complete; there is no file. */
const exported = new WeakMap<Side, string>();
const exportOf = (side: Side) => exported.get(side) ?? '';

export const plantOnSide: PlantOnSide = async (app, side) => {
  exported.set(side, await plantExport(app, side));
};

/** A second beside the side's own, for the list to have another page. */
const seconds = new WeakMap<Side, Promise<string>>();
async function known(world: World, side: Side): Promise<string> {
  const second = seconds.get(side) ?? plantExport(world.app, side);
  seconds.set(side, second);
  await second;
  return exportOf(side);
}

/** Five at a time are all that a side may have. */
async function endAll({ app }: World, { tenantId, environment }: Side): Promise<void> {
  await app.database.asSuperuser(
    `update export_run set status = 'cancelled', stands_at = null where tenant_id = $1 and environment = $2 and stands_at is not null`,
    [tenantId, environment],
  );
}

const unknown = { status: 404, code: 'NOT_FOUND' };
const exportId: Reference = { at: 'path.exportId', object: known, ...uuidReference, own: { status: 200 }, foreign: unknown };
const named = (side: Side) => ({ path: { exportId: exportOf(side) } });
const wanted = { body: { kind: 'members', format: 'csv', filters: { isActive: true } } };

export const exportRows: Record<string, MatrixRow> = {
  createExport: {
    request: () => wanted,
    async fresh(side, world) {
      await endAll(world, side);
      return wanted;
    },
    restore: endAll,
    status: 201,
    neverByChance: true,
    readBack: (body) => `/api/v1/exports/${String(body['id'])}`,
    references: [],
    inert: Object.fromEntries(
      [
        'sponsorId',
        'externalId',
        'eventId',
        'user_id',
        'external_event_id',
        'customer_external_id',
        'purchase_event_id',
        'runId',
        'userId',
        'actorId',
        'targetId',
        'objectId',
        'operationId',
      ].map((filter) => [
        `body.filters.${filter}`,
        'a filter of a list, whose own row tries it; nothing is looked up before the job reads that list',
      ]),
    ),
  },
  listExports: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    showsRequestsOf: ['createExport'],
    references: [
      {
        at: 'query.cursor',
        async object(world, side) {
          await known(world, side);
          const headers = { 'x-tenant-api-key': side.key };
          const answer = await call(world.app.baseUrl, { method: 'GET', target: '/api/v1/exports?limit=1', headers });
          return String((answer.json as Record<string, unknown>)['nextCursor']);
        },
        absent: () => randomBytes(52).toString('base64url'),
        malformed: tooLong(1000),
        own: { status: 200 },
        foreign: invalid,
      },
    ],
  },
  getExport: { request: named, status: 200, neverByChance: true, showsRequestsOf: ['createExport'], references: [exportId] },
  cancelExport: {
    request: (side) => ({ ...named(side), body: {} }),
    fresh: async (side, world) => ({ path: { exportId: await plantExport(world.app, side, 'queued') }, body: {} }),
    status: 200,
    repeatedStatus: 409,
    neverByChance: true,
    showsRequestsOf: ['createExport'],
    references: [{ ...exportId, object: (world, side) => plantExport(world.app, side, 'queued') }],
  },
  createExportDownloadUrl: {
    request: (side) => ({ ...named(side), body: {} }),
    status: 200,
    neverByChance: true,
    references: [exportId],
  },
};
