/** The access matrix of the audit log. */
import { randomBytes, randomUUID } from 'node:crypto';
import { call } from '../../support/app/http-call.ts';
import { type Expected, emptyList, invalid, type MatrixRow, type Reference, tooLong } from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';

const PATH = '/api/v1/admin/audit-logs';

/** What two entries of the side's own, and no others, are found by. */
interface Planted {
  actorId: string;
  objectKind: string;
  objectId: string;
  operationId: string;
}

async function plant({ app }: World, { tenantId, environment, canaries }: Side): Promise<Planted> {
  const planted = { actorId: randomUUID(), objectKind: randomUUID(), objectId: randomUUID(), operationId: randomUUID() };
  for (let i = 0; i < 2; i++) {
    await app.database.asSuperuser(
      `insert into audit_log (tenant_id, environment, action, actor_kind, actor_id, object_kind, object_id, operation_id, details)
       values ($1, $2, 'matrix.planted', 'api_key', $3, $4, $5, $6, jsonb_build_object('note', $7::text))`,
      [tenantId, environment, planted.actorId, planted.objectKind, planted.objectId, planted.operationId, canaries[0]],
    );
  }
  return planted;
}

const two: Expected = { status: 200, check: (body) => (body['data'] as unknown[]).length === 2 };

const named = (at: string, of: keyof Planted): Reference => ({
  at,
  within: () => ({ query: {} }),
  object: async (world, side) => (await plant(world, side))[of],
  absent: () => randomUUID(),
  malformed: tooLong(100),
  own: two,
  foreign: { status: 200, check: emptyList },
});

export const auditRows: Record<string, MatrixRow> = {
  listAuditLogs: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      named('query.actorId', 'actorId'),
      named('query.targetKind', 'objectKind'),
      named('query.targetId', 'objectId'),
      named('query.objectId', 'objectId'),
      named('query.operationId', 'operationId'),
      {
        at: 'query.cursor',
        async object(world, side) {
          await plant(world, side);
          const headers = { 'x-tenant-api-key': side.key };
          const answer = await call(world.app.baseUrl, { method: 'GET', target: `${PATH}?limit=1`, headers });
          return (answer.json as { nextCursor: string }).nextCursor;
        },
        absent: () => randomBytes(52).toString('base64url'),
        malformed: tooLong(1000),
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: invalid,
      },
    ],
  },
};
