/** The access matrix of imports. */
import { randomBytes } from 'node:crypto';
import { call } from '../../support/app/http-call.ts';
import type { TestApp } from '../../support/app/test-app.ts';
import {
  freshEmail,
  invalid,
  type MatrixRow,
  type PlantOnSide,
  type Reference,
  tooLong,
  uuidReference,
} from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';

/** An import with two rows that failed; nothing works on it. */
export async function plantImport(
  app: TestApp,
  side: Pick<Side, 'tenantId' | 'environment' | 'canaries'>,
  status = 'completed',
): Promise<string> {
  const [row] = await app.database.asSuperuser<{ id: string }>(
    `with run as (
       insert into import_run (tenant_id, environment, kind, mode, status, file_name, row_count, failed_count, created_by, created_at, updated_at)
       values ($1, $2, 'members', 'apply', $3, $4, 2, 2, 'operator', now(), now()) returning id),
     failed as (
       insert into import_row (tenant_id, environment, import_id, row_number, state, faults)
       select $1, $2, run.id, n, 'failed', '[{"field":"email","message":"is required"}]' from run, generate_series(2, 3) n)
     select id from run`,
    [side.tenantId, side.environment, status, `${side.canaries[0] ?? 'file'}.csv`],
  );
  if (!row) throw new Error('no import was planted');
  side.canaries.push(row.id);
  return row.id;
}

/** The import of a side that is over. */
const imports = new WeakMap<Side, string>();
const importOf = (side: Side) => imports.get(side) ?? '';

export const plantOnSide: PlantOnSide = async (app, side) => {
  imports.set(side, await plantImport(app, side));
};

/** A second beside the side's own, for the list to have another page. */
const seconds = new WeakMap<Side, Promise<string>>();
async function known(world: World, side: Side): Promise<string> {
  const second = seconds.get(side) ?? plantImport(world.app, side);
  seconds.set(side, second);
  await second;
  return importOf(side);
}

const unknown = { status: 404, code: 'NOT_FOUND' };
const importId: Reference = { at: 'path.importId', object: known, ...uuidReference, own: { status: 200 }, foreign: unknown };

const cursor = (target: (id: string) => string): Reference => ({
  at: 'query.cursor',
  async object(world, side) {
    const headers = { 'x-tenant-api-key': side.key };
    const answer = await call(world.app.baseUrl, { method: 'GET', target: target(await known(world, side)), headers });
    return String((answer.json as Record<string, unknown>)['nextCursor']);
  },
  absent: () => randomBytes(52).toString('base64url'),
  malformed: tooLong(1000),
  own: { status: 200 },
  foreign: invalid,
});

const named = (side: Side) => ({ path: { importId: importOf(side) } });

export const importRows: Record<string, MatrixRow> = {
  createImport: {
    request: () => ({ query: { kind: 'members', mode: 'validate' }, csv: `email\n${freshEmail()}\n` }),
    status: 201,
    neverByChance: true,
    readBack: (body) => `/api/v1/imports/${String(body['id'])}`,
    references: [],
    inert: { 'query.fileName': 'a name to recognise the file by' },
  },
  listImports: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [cursor(() => '/api/v1/imports?limit=1')],
  },
  getImport: { request: named, status: 200, neverByChance: true, references: [importId] },
  listImportErrors: {
    request: (side) => ({ ...named(side), query: { limit: '1' } }),
    status: 200,
    neverByChance: true,
    references: [importId, cursor((id) => `/api/v1/imports/${id}/errors?limit=1`)],
  },
  exportImportErrors: { request: named, status: 200, neverByChance: true, references: [importId] },
  cancelImport: {
    request: (side) => ({ ...named(side), body: {} }),
    fresh: async (side, world) => ({ path: { importId: await plantImport(world.app, side, 'queued') }, body: {} }),
    status: 200,
    repeatedStatus: 409,
    neverByChance: true,
    references: [{ ...importId, object: (world, side) => plantImport(world.app, side, 'queued') }],
  },
};
