/** The sweeps that end what is over: files after 7 days, and exports that came to a standstill. */
import type { Scope, WriteDb } from '../../db/scope.ts';
import type { Sweep } from '../../jobs/schedule.ts';
import { dropObjects } from './export-objects-queries.ts';
import { endExport, expireDueExports, lockStandingExports } from './exports-queries.ts';

const BATCH_SIZE = 100;

export const expireExports: Sweep = {
  name: 'expire-exports',
  batchSize: BATCH_SIZE,
  async run(db: WriteDb, scope: Scope, limit: number) {
    const expired = await expireDueExports(db, scope, limit);
    await dropObjects(db, scope, expired);
    return expired.length;
  },
};

export const endStandingExports: Sweep = {
  name: 'end-standing-exports',
  batchSize: BATCH_SIZE,
  async run(db: WriteDb, scope: Scope, limit: number) {
    const standing = await lockStandingExports(db, scope, limit);
    for (const id of standing) await endExport(db, scope, id, 'failed', 'The export came to a standstill');
    await dropObjects(db, scope, standing);
    return standing.length;
  },
};
