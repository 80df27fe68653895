/** What every process of the service does: configuration, database, composition, an end on a signal. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { bootErrorLines, DatabaseFault } from './boot-errors.ts';
import { type Closer, closeInTurn } from './close-in-turn.ts';
import { type Composition, compose } from './compose.ts';
import type { Config } from './config.ts';
import { findBootFaults } from './db/boot-check.ts';
import { isCrowded } from './db/constraints.ts';
import type { Frames } from './db/frame.ts';
import { type LocalDatabase, openLocalDatabase } from './db/local-database.ts';
import { AppError } from './errors.ts';
import { createLogger } from './http/request-log.ts';
import { loadServiceConfig, migrateService, schema } from './service.ts';

export interface Opened {
  config: Config;
  logger: Logger;
  local: LocalDatabase | undefined;
  urls: { appUrl: string; workerUrl: string };
  composition: Composition;
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

/** Told to end before it has started. */
class EndedWhileStarting extends Error {}

/**
 * Opens what processes share, runs `start`, and closes in reverse order on SIGTERM or SIGINT. What does not end in time
 * is named in the log and left: the process ends all the same, with exit code 1.
 * Source: docs/specification/reliability.md#f-12.
 */
export async function runProcess(start: (opened: Opened) => Promise<void>): Promise<void> {
  const closers: Closer[] = [];
  const ending = new AbortController();
  let starting: Promise<void> = Promise.resolve();
  let stoppingSince: number | undefined;
  let config: Config | undefined;
  let logger: Logger | undefined;

  async function stop(): Promise<void> {
    if (stoppingSince !== undefined) return;
    stoppingSince = performance.now();
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
    logger?.flush();
    process.exit();
  }

  /** A second signal does not wait; one within a second is the same Ctrl-C again, from the terminal and from npm. */
  function heedSignal(): void {
    if (stoppingSince !== undefined && performance.now() - stoppingSince > 1_000) process.exit(1);
    void stop();
  }

  try {
    config = loadServiceConfig();
    logger = createLogger(config.LOG_LEVEL);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, heedSignal);
    const onEnd: Opened['onEnd'] = (close, name = 'a part') => void closers.push({ name, close });
    starting = open(config, logger, onEnd, ending.signal).then(start);
    await starting;
  } catch (error) {
    if (error instanceof EndedWhileStarting) return;
    for (const line of bootErrorLines(error, config?.DATABASE_URL)) process.stderr.write(`cannot start: ${line}\n`);
    process.exitCode = 1;
    await stop();
  }
}

async function open(config: Config, logger: Logger, onEnd: Opened['onEnd'], ending: AbortSignal): Promise<Opened> {
  if (config.embedded) process.stdout.write('Starting the embedded PostgreSQL; the first start takes some seconds …\n');
  const local = config.embedded ? await openLocalDatabase(config.DATA_DIR, migrateService) : undefined;
  if (local) onEnd(() => local.release(), 'the embedded PostgreSQL');
  const urls = databaseUrls(config, local);
  const composition = await compose(config, urls, logger);
  onEnd(composition.close, 'the composition');
  return { config, logger, local, urls, composition, onEnd, ending };
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
      faults = await findBootFaults(frames, schema);
    } catch (error) {
      ending.throwIfAborted();
      if (!(error instanceof AppError && isCrowded(error.cause))) throw new DatabaseFault(url, error);
      if (pauseMs === 500) logger.warn({ err: error.cause }, CROWDED);
      await sleep(pauseMs * (0.5 + Math.random()), undefined, { signal: ending }).catch(() => ending.throwIfAborted());
    }
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

const CROWDED =
  'the database has no connection to spare (53300): waiting for one; raise max_connections, or lower DATABASE_POOL_SIZE and WORKER_POOL_SIZE';

/** Starts the background jobs of this process, to be drained at its end. */
export async function startJobs(opened: Opened): Promise<void> {
  const { config, logger, urls, composition, onEnd } = opened;
  await refuseBootFaults(composition.background.frames, urls.workerUrl, opened);
  await composition.queue.open();
  await composition.background.start();
  onEnd(() => composition.background.stop(config.SHUTDOWN_TIMEOUT_MS), 'background jobs');
  logger.info({ sweepIntervalMs: config.SWEEP_INTERVAL_MS }, 'background jobs are running');
}
