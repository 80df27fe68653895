/** Connection pools. */
import pg from 'pg';
import type { Logger } from 'pino';
import { createProbe, type Probe } from './backend-probe.ts';
import { watchForLostStatements } from './lost-statements.ts';
import { type MuteWatch, type MuteWatchFigures, wasFoundMute, watchForMutes } from './mute-watch.ts';
import { createOutageLog, type OutageLog } from './outage-log.ts';
import { watchForOutdatedPlans } from './outdated-plans.ts';

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
  /** How long a statement of the role may take, as its `statement_timeout` says; default a minute. */
  statementMs?: number;
  /** In tests: quicker figures, another probe. */
  watch?: Partial<MuteWatchFigures> & { probe?: Probe };
}

/** What is known of a pool's connections beside what pg tells. */
export interface PoolState {
  outage: OutageLog;
  mutes: MuteWatch;
}

const states = new WeakMap<pg.Pool, PoolState>();

/** The state of a pool that `openPool` has made. */
export function stateOfPool(pool: pg.Pool): PoolState | undefined {
  return states.get(pool);
}

/** A pool of pipelining connections. One that breaks or goes mute is replaced; an outage is logged once. */
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
  const outage = createOutageLog(options.logger, options.applicationName);
  const { probe = createProbe(options), ...figures } = options.watch ?? {};
  const mutes = watchForMutes({ pool, statementMs: options.statementMs ?? 60_000, probe, outage, figures });
  states.set(pool, { outage, mutes });
  pool.on('error', () => undefined); // an idle one: told of below
  pool.on('connect', (client) => {
    outage.answered();
    // A connection in use reports its end through its query too; without a listener the event ends the process.
    client.on('error', (error) => {
      if (!wasFoundMute(client)) outage.failed(error);
    });
  });
  watchForLostStatements(pool, options.logger);
  watchForOutdatedPlans(pool);
  return pool;
}
