/** A valid request of a side's own, by its row of the access matrix. */
import type { Operation } from '../../../src/http/operation.ts';
import { type CallAnswer, call } from '../app/http-call.ts';
import type { MatrixRequest, MatrixRow } from './matrix-row.ts';
import { matrixRows, sideOf } from './matrix-rows.ts';
import { targetOf } from './matrix-run.ts';
import type { World } from './matrix-world.ts';

/** Rows of operations that are called with a key. */
export const keyedRows = Object.entries(matrixRows).filter(([, row]) => row.open !== true && row.people !== true);

export function operationOf({ app }: World, operationId: string): Operation {
  const found = app.composition.app.operations.find((operation) => operation.operationId === operationId);
  if (!found) throw new Error(`no operation ${operationId}`);
  return found;
}

/** One that can succeed; it may make the object it acts on. */
export async function ownRequest(row: MatrixRow, world: World): Promise<MatrixRequest> {
  const side = sideOf(row, world);
  await row.restore?.(world, side);
  return (await row.fresh?.(side, world)) ?? row.request(side);
}

export function sendOwn(
  { app }: World,
  operation: Operation,
  request: MatrixRequest,
  headers: Record<string, string>,
): Promise<CallAnswer> {
  const method = operation.method.toUpperCase();
  return call(app.baseUrl, { method, target: targetOf(operation, request), headers, body: request.body, csv: request.csv });
}
