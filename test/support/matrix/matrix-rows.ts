/**
 * The expectations of the access matrix, one row an operation: a valid request of one's own, and every place where a
 * request can name something of somebody else's. The rows are those that `test/features/<name>/matrix*.ts` export under
 * names that end with `Rows`.
 */
import { gatherFromFeatures } from '../gather.ts';
import type { MatrixRow } from './matrix-row.ts';
import { plantWorld, type Side, type World } from './matrix-world.ts';

/** The world that a row is tried in. */
export function worldOf(row: MatrixRow, shared: World): Promise<World> {
  return row.ownWorld === true ? plantWorld(shared.app) : Promise.resolve(shared);
}

/** The side that a row is tried on where one is enough: the first that the operation does not refuse. */
export function sideOf(row: MatrixRow, world: World): Side {
  const found = world.sides.find(({ environment }) => (environment === 'LIVE' ? row.sandboxOnly : row.liveOnly) !== true);
  if (!found) throw new Error('the world has no sides');
  return found;
}

async function gatherRows(): Promise<Record<string, MatrixRow>> {
  const rows = new Map<string, MatrixRow>();
  for (const { file, name, value } of await gatherFromFeatures('matrix*.ts')) {
    if (!name.endsWith('Rows')) continue;
    for (const [operationId, row] of Object.entries(value as Record<string, MatrixRow>)) {
      if (rows.has(operationId)) throw new Error(`${file} has a second row for ${operationId}`);
      rows.set(operationId, row);
    }
  }
  return Object.fromEntries([...rows].toSorted(([, a], [, b]) => Number(a.last === true) - Number(b.last === true)));
}

export const matrixRows = await gatherRows();
