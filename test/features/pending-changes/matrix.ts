/** The access matrix of changes that wait. */
import { createCipher } from '../../../src/encryption.ts';
import { sealRequest } from '../../../src/features/pending-changes/open-request.ts';
import { apiClient } from '../../support/app/api-client.ts';
import type { TestApp } from '../../support/app/test-app.ts';
import {
  cursorOf,
  cursorReference,
  type MatrixRow,
  type PlantOnSide,
  type Reference,
  uuidReference,
} from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';
import { CHANGES, SETTINGS } from './changes-shop.ts';

/**
 * A change by a key of another root than the side's, in SANDBOX as well. Any number may be confirmed in any order: it
 * asks for what there is.
 */
export async function plantChange(
  app: TestApp,
  { tenantId, environment, key, canaries }: Pick<Side, 'tenantId' | 'environment' | 'key' | 'canaries'>,
): Promise<string> {
  const scope = { tenantId, environment };
  const { keyId } = await app.tenants.createKey({ ...scope, scopes: ['admin:settings'] });
  const { leadExpiryDays } = (await apiClient(app, key).get(SETTINGS)).body.referrals;
  const [drawn] = await app.database.asSuperuser<{ id: string }>('select uuidv7() as id');
  const id = drawn?.id ?? '';
  const request = { params: {}, query: {}, body: { referrals: { leadExpiryDays } } };
  const cipher = createCipher(app.config.secrets.dataKeys);
  const sealed = sealRequest(cipher, scope, id, { ...request, before: {} });
  await app.database.asSuperuser(
    `insert into pending_change (tenant_id, environment, id, operation_id, scopes, rule, fields, request_sealed, named, created_by,
                                 created_root, expires_at)
     values ($1, $2, $3, 'updateSettings', '{admin:settings}', 'keys', '[]', $4, '{}', $5, $5, now() + interval '72 hours')`,
    [tenantId, environment, id, sealed, `api_key:${keyId}`],
  );
  canaries.push(id);
  return id;
}

const planted = new WeakMap<Side, string>();
const changeOf = (side: Side) => planted.get(side) ?? '';

export const plantOnSide: PlantOnSide = async (app, side) => {
  await plantChange(app, side);
  planted.set(side, await plantChange(app, side));
};

const anew = async ({ app }: World, side: Side) => plantChange(app, side);
const pendingChangeId: Reference = {
  at: 'path.pendingChangeId',
  object: (_world, side) => changeOf(side),
  ...uuidReference,
  own: { status: 200 },
  foreign: { status: 404, code: 'NOT_FOUND' },
};
const named = (side: Side) => ({ path: { pendingChangeId: changeOf(side) } });
const decides: MatrixRow = {
  request: (side) => ({ ...named(side), body: {} }),
  fresh: async (side, world) => ({ path: { pendingChangeId: await anew(world, side) }, body: {} }),
  status: 200,
  repeatedStatus: 409,
  neverByChance: true,
  references: [{ ...pendingChangeId, object: anew }],
};

export const pendingChangeRows: Record<string, MatrixRow> = {
  listPendingChanges: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      { at: 'query.cursor', object: (world, side) => cursorOf(world, side, `${CHANGES}?limit=1`), ...cursorReference },
    ],
  },
  getPendingChange: { request: named, status: 200, neverByChance: true, references: [pendingChangeId] },
  confirmPendingChange: decides,
  rejectPendingChange: decides,
};
