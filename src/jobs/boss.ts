/** pg-boss as this service uses it: its tables and statements, on our connections, without its timers. */
import { type Db as BossDatabase, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Frames } from '../db/frame.ts';
import type { Db } from '../db/scope.ts';

/** How often finished jobs past their keeping are deleted, by whichever worker comes first. */
export const MAINTENANCE_SECONDS = 600;

/** Its schema belongs to the owner (install.ts): here it may neither make nor change one. */
export function createBoss(frames: Frames, logger: Logger): PgBoss {
  const boss = new PgBoss({
    db: databaseOn({ rows: frames.unscoped }),
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
    monitorIntervalSeconds: MAINTENANCE_SECONDS,
    maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
  });
  // Often no Error: its fields in a plain object, with the queue that it is about.
  boss.on('error', (error: Error & { queue?: string }) =>
    logger.warn({ err: error, queue: error.queue }, 'jobs: pg-boss reports an error; the work goes on'),
  );
  boss.on('warning', ({ message, data }) => logger.warn({ data }, `jobs: ${message}`));
  return boss;
}

/** Lets pg-boss send its statements through the caller's transaction. */
export function databaseOn(db: Pick<Db, 'rows'>): BossDatabase {
  return { executeSql: async (text, values = []) => ({ rows: await db.rows<unknown>({ text, values }) }) };
}
