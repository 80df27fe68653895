/** What every process of the service does: configuration, database, composition, an end on a signal. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { bootErrorLines, DatabaseFault } from './boot-errors.ts';
import { buildInfo } from './build-info.ts';
import { type Closer, closeInTurn } from './close-in-turn.ts';
import { type Composition, compose } from './compose.ts';
import { type Config, ConfigError } from './config.ts';
import { refuseUnwritableData } from './data-dir.ts';
import { findBootFaults, readNewestMigration } from './db/boot-check.ts';
import { isCrowded } from './db/constraints.ts';
import type { Frames } from './db/frame.ts';
import { type LocalDatabase, openLocalDatabase } from './db/local-database.ts';
import { type DemoIdentity, openDemoIdentity } from './demo-identity/demo-identity.ts';
import { AppError } from './errors.ts';
import { exitProcess } from './exit-process.ts';
import { createLogger } from './http/request-log.ts';
import { serveMetrics, watchBooks } from './process-metrics.ts';
import { loadServiceConfig, migrateService, schema } from './service.ts';

/** How what was running at the end of a process ended. */
type Drained = 'finished' | 'cut off';

export interface Opened {
  config: Config;
  logger: Logger;
  local: LocalDatabase | undefined;
  urls: { appUrl: string; workerUrl: string };
  /** Of `--demo-idp`. */
  demoIdentity: DemoIdentity | undefined;
  composition: Composition;
  /** For the process's last line. */
  drained: { requests?: Drained; jobs?: Drained };
  /**
   * Calls `close` when the process ends, before what was opened earlier is closed. When it resolves to false, or not in
   * time, the log says that `name` did not end, and the exit code is 1.
   */
  onEnd(close: Closer['close'], name?: string): void;
  /** Aborted when the process is told to end. */
  ending: AbortSignal;
}

/** Beyond what the settings give to running requests and jobs; a second of it is for what comes behind the late. */
const END_WITHIN_MS = 5_000;
const LAST_MS = 250;

type Role = 'api' | 'worker';
type Signal = 'SIGTERM' | 'SIGINT';

/** Told to end before it has started. */
class EndedWhileStarting extends Error {}

/**
 * Opens what processes share, runs `start`, and closes in reverse order on SIGTERM or SIGINT. What does not end in time
 * is named in the log and left: the process ends all the same, with exit code 1.
 * Source: docs/specification/reliability.md#f-12.
 */
export async function runProcess(role: Role, start: (opened: Opened) => Promise<void>): Promise<void> {
  const closers: Closer[] = [];
  const ending = new AbortController();
  const drained: Opened['drained'] = {};
  let starting: Promise<void> = Promise.resolve();
  let stoppingSince: number | undefined;
  let config: Config | undefined;
  let logger: Logger | undefined;

  async function stop(signal?: Signal): Promise<void> {
    if (stoppingSince !== undefined) return;
    stoppingSince = performance.now();
    if (signal) logger?.info({ role }, `stopping: ${signal}`);
    ending.abort(new EndedWhileStarting('told to end while starting'));
    const { SHUTDOWN_DELAY_MS = 0, SHUTDOWN_TIMEOUT_MS = 0 } = config ?? {};
    const limit = stoppingSince + SHUTDOWN_DELAY_MS + SHUTDOWN_TIMEOUT_MS + END_WITHIN_MS - 1_000;
    const rest = () => ({ withinMs: limit - performance.now(), lastMs: LAST_MS });
    // Half-opened things cannot be closed.
    const start = await closeInTurn([{ name: 'the start', close: () => starting.catch(() => undefined) }], rest());
    const { unended, failed } = await closeInTurn(closers.toReversed(), rest());
    for (const { name, error } of failed) logger?.error({ err: error }, `could not be closed: ${name}`);
    const left = [...start.unended, ...unended];
    if (left.length > 0) logger?.error({ unended: left }, `ended by force: ${left.join(', ')} did not end in time`);
    if (left.length + failed.length > 0) process.exitCode = 1;
    if (signal) logger?.info({ role, ...drained, ms: Math.round(performance.now() - stoppingSince) }, 'stopped');
    logger?.flush();
    await exitProcess();
  }

  /** A second signal does not wait; one within a second is the same Ctrl-C again, from the terminal and from npm. */
  function heedSignal(signal: Signal): void {
    if (stoppingSince !== undefined && performance.now() - stoppingSince > 1_000) {
      process.exitCode = 1;
      void exitProcess();
    }
    void stop(signal);
  }

  try {
    config = loadServiceConfig();
    logger = createLogger(config.LOG_LEVEL);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => heedSignal(signal));
    const onEnd: Opened['onEnd'] = (close, name = 'a part') => void closers.push({ name, close });
    starting = open(config, logger, readFlags(role), { drained, onEnd, ending: ending.signal }).then(async (opened) => {
      await start(opened);
      await tellStart(role, opened);
    });
    await starting;
  } catch (error) {
    if (error instanceof EndedWhileStarting) return;
    for (const line of bootErrorLines(error, config?.DATABASE_URL)) process.stderr.write(`cannot start: ${line}\n`);
    process.exitCode = 1;
    await stop();
  }
}

/** The line by which a log tells which build ran from when on, on which schema. */
async function tellStart(role: Role, { config, logger, composition }: Opened): Promise<void> {
  const frames = role === 'api' ? composition.frames : composition.background.frames;
  logger.info({ role, ...buildInfo(config), schema: await readNewestMigration(frames) }, 'started');
}

interface Flags {
  /** `--demo-idp`, which the service alone has. */
  demoIdp: boolean;
}

/** What stands behind the command. Throws on what the role does not know. */
function readFlags(role: Role): Flags {
  const given = process.argv.slice(2);
  const known = role === 'api' ? ['--demo-idp'] : [];
  const unknown = given.filter((one) => !known.includes(one));
  if (unknown.length > 0) {
    const others = known.length > 0 ? `it knows ${known.join(', ')}` : 'it has none';
    throw new ConfigError(unknown.map((one) => `${one}: the ${role} has no such flag; ${others}`));
  }
  return { demoIdp: given.includes('--demo-idp') };
}

type Life = Pick<Opened, 'drained' | 'onEnd' | 'ending'>;

async function open(settings: Config, logger: Logger, { demoIdp }: Flags, life: Life): Promise<Opened> {
  const { onEnd } = life;
  refuseUnwritableData(settings);
  const demoIdentity = demoIdp ? await openDemoIdentity(settings) : undefined;
  if (demoIdentity) onEnd(demoIdentity.close, 'the demo identity provider');
  const config = demoIdentity?.config ?? settings;
  if (config.embedded) process.stdout.write('Starting the embedded PostgreSQL; the first start takes some seconds …\n');
  const local = config.embedded ? await openLocalDatabase(config.DATA_DIR, migrateService) : undefined;
  if (local) onEnd(() => local.release(), 'the embedded PostgreSQL');
  const urls = databaseUrls(config, local);
  const composition = await compose(config, urls, logger);
  onEnd(composition.close, 'the composition');
  await serveMetrics(composition, onEnd);
  return { config, logger, local, urls, demoIdentity, composition, ...life };
}

function databaseUrls(config: Config, local: LocalDatabase | undefined): Opened['urls'] {
  const appUrl = local?.appUrl ?? config.DATABASE_URL;
  if (appUrl === undefined) throw new Error('there is no database to connect to');
  return { appUrl, workerUrl: local?.workerUrl ?? config.DATABASE_WORKER_URL ?? appUrl };
}

/**
 * Throws unless the role behind `frames`, which connects by `url`, may work on this schema. While the server has no
 * connection to spare it waits for one: who ends and is started again would ask no less.
 * Source: docs/specification/reliability.md#f-10.
 */
export async function refuseBootFaults(
  frames: Frames,
  url: string,
  { logger, ending }: Pick<Opened, 'logger' | 'ending'>,
): Promise<void> {
  let faults: string[] | undefined;
  for (let pauseMs = 500; faults === undefined; pauseMs = Math.min(2 * pauseMs, 5_000)) {
    try {
      faults = await findBootFaults(frames, schema, url);
    } catch (error) {
      ending.throwIfAborted();
      const cause = error instanceof AppError ? error.cause : error;
      if (!isCrowded(cause)) throw new DatabaseFault(url, error);
      if (pauseMs === 500) logger.warn({ err: cause }, CROWDED);
      await sleep(pauseMs * (0.5 + Math.random()), undefined, { signal: ending }).catch(() => ending.throwIfAborted());
    }
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

const CROWDED =
  'the database has no connection to spare (53300): waiting for one; raise max_connections, or lower DATABASE_POOL_SIZE and WORKER_POOL_SIZE';

/** Starts the background jobs of this process, to be drained at its end. */
export async function startJobs(opened: Opened): Promise<void> {
  const { config, logger, urls, composition, drained, onEnd } = opened;
  await refuseBootFaults(composition.background.frames, urls.workerUrl, opened);
  await composition.queue.open();
  await composition.background.start();
  onEnd(async () => {
    const finished = await composition.background.stop(config.SHUTDOWN_TIMEOUT_MS);
    drained.jobs = finished ? 'finished' : 'cut off';
    return finished;
  }, 'background jobs');
  watchBooks(opened);
  logger.info({ sweepIntervalMs: config.SWEEP_INTERVAL_MS }, 'background jobs are running');
}
