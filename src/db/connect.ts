/** Connection pools. */
import pg from 'pg';
import type { Logger } from 'pino';
import { watchForLostStatements } from './lost-statements.ts';

/** bigint columns are JavaScript BigInt everywhere; all other types keep pg's parsers. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === pg.types.builtins.INT8) return BigInt;
    return pg.types.getTypeParser(oid, format);
  },
};

export interface PoolOptions {
  url: string;
  size: number;
  acquireTimeoutMs: number;
  applicationName: string;
  logger: Logger;
}

/** A pool of pipelining connections. An idle connection that breaks is logged and replaced. */
export function openPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.size,
    connectionTimeoutMillis: options.acquireTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: options.applicationName,
    types,
    pipeline: true,
  });
  pool.on('error', (error) => options.logger.warn({ err: error }, 'idle database connection lost'));
  // A connection in use reports its end through its query too; without a listener the event ends the process.
  pool.on('connect', (client) => client.on('error', (error) => options.logger.warn({ err: error }, 'database connection lost')));
  watchForLostStatements(pool, options.logger);
  return pool;
}
