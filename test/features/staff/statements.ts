/** The statements of the operations of people. */
import { randomUUID } from 'node:crypto';
import * as factors from '../../../src/features/staff/factors/factors-operations.ts';
import * as staff from '../../../src/features/staff/staff-operations.ts';
import type { Operation } from '../../../src/http/operation.ts';
import type { MatrixRequest } from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';
import { callAsOwner, ownerOf } from '../../support/matrix/person-call.ts';
import { type Counted, countStatements, type StatementRow } from '../../support/statements/statement-row.ts';
import { plantOnSide, staffRows } from './matrix.ts';
import { ownAccountRows } from './matrix-own.ts';
import { STATEMENTS } from './statement-names.ts';

type Ground = Counted & { side: Side };

const OPERATIONS = ([...Object.values(staff), ...Object.values(factors)] as unknown[]).filter(
  (one): one is Operation => typeof one === 'object' && one !== null && 'operationId' in one,
);

async function plantGround({ app, tenantId, liveKey }: Counted): Promise<{ side: Side }> {
  const side = { name: 'counted', tenantId, environment: 'LIVE', key: liveKey, canaries: [] as string[] } as unknown as Side;
  await ownerOf(app, side);
  await plantOnSide(app, side);
  return { side };
}

async function ask({ app, side, forget }: Ground, operation: Operation): Promise<{ status: number }> {
  const row = staffRows[operation.operationId] ?? ownAccountRows[operation.operationId];
  if (!row) throw new Error(`no row for ${operation.operationId}`);
  const world = { app, sides: [side] } as unknown as World;
  const request: MatrixRequest = (await row.fresh?.(side, world)) ?? row.request(side);
  forget();
  return callAsOwner(app, side, operation, request, { idempotencyKey: randomUUID() });
}

const statusOf = (operationId: string): number => (staffRows[operationId] ?? ownAccountRows[operationId])?.status ?? 0;

export const staffStatements: StatementRow[] = countStatements(
  plantGround,
  OPERATIONS.map((operation) => [
    operation.operationId,
    (world: Ground) => ask(world, operation),
    statusOf(operation.operationId),
    STATEMENTS[operation.operationId] ?? [],
  ]),
);
