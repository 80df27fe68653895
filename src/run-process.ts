/** What every process of the service does: configuration, database, composition, an end on a signal. */
import type { Logger } from 'pino';
import { bootErrorLines, DatabaseFault } from './boot-errors.ts';
import { buildInfo } from './build-info.ts';
import { type Composition, compose } from './compose.ts';
import type { Config } from './config.ts';
import { refuseUnwritableData } from './data-dir.ts';
import { findBootFaults, readNewestMigration } from './db/boot-check.ts';
import type { Frames } from './db/frame.ts';
import { type LocalDatabase, openLocalDatabase } from './db/local-database.ts';
import { createLogger } from './http/request-log.ts';
import { loadServiceConfig, migrateService, schema } from './service.ts';

/** How what was running at the end of a process ended. */
type Drained = 'finished' | 'cut off';

export interface Opened {
  config: Config;
  logger: Logger;
  local: LocalDatabase | undefined;
  urls: { appUrl: string; workerUrl: string };
  composition: Composition;
  /** For the process's last line. */
  drained: { requests?: Drained; jobs?: Drained };
  /** Calls `close` when the process ends, before what was opened earlier is closed. */
  onEnd(close: () => Promise<unknown>): void;
}

/** Opens what processes share, runs `start`, and closes in reverse order on SIGTERM or SIGINT. */
export async function runProcess(role: 'api' | 'worker', start: (opened: Opened) => Promise<void>): Promise<void> {
  const closers: (() => Promise<unknown>)[] = [];
  let starting: Promise<void> = Promise.resolve();
  let stoppingSince: number | undefined;
  let logger: Logger | undefined;
  const drained: Opened['drained'] = {};

  /** A second signal does not wait; one within a second is the same Ctrl-C again, from the terminal and from npm. */
  async function stop(signal?: 'SIGTERM' | 'SIGINT'): Promise<void> {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > 1_000) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    if (signal) logger?.info({ role }, `stopping: ${signal}`);
    await starting.catch(() => undefined); // half-opened things cannot be closed
    for (const close of closers.toReversed()) await close();
    if (signal) logger?.info({ role, ...drained, ms: Math.round(performance.now() - stoppingSince) }, 'stopped');
    process.exit(); // what the log still holds is written with it
  }

  let config: Config | undefined;
  try {
    config = loadServiceConfig();
    logger = createLogger(config.LOG_LEVEL);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
    starting = open(config, logger, drained, (close) => closers.push(close)).then(async (opened) => {
      await start(opened);
      await tellStart(role, opened);
    });
    await starting;
  } catch (error) {
    for (const line of bootErrorLines(error, config?.DATABASE_URL)) process.stderr.write(`cannot start: ${line}\n`);
    process.exitCode = 1;
    await stop();
  }
}

/** The line by which a log tells which build ran from when on, on which schema. */
async function tellStart(role: 'api' | 'worker', { config, logger, composition }: Opened): Promise<void> {
  const frames = role === 'api' ? composition.frames : composition.background.frames;
  logger.info({ role, ...buildInfo(config), schema: await readNewestMigration(frames) }, 'started');
}

async function open(config: Config, logger: Logger, drained: Opened['drained'], onEnd: Opened['onEnd']): Promise<Opened> {
  refuseUnwritableData(config);
  if (config.embedded) process.stdout.write('Starting the embedded PostgreSQL; the first start takes some seconds …\n');
  const local = config.embedded ? await openLocalDatabase(config.DATA_DIR, migrateService) : undefined;
  if (local) onEnd(() => local.release());
  const urls = databaseUrls(config, local);
  const composition = await compose(config, urls, logger);
  onEnd(() => composition.close());
  return { config, logger, local, urls, composition, drained, onEnd };
}

function databaseUrls(config: Config, local: LocalDatabase | undefined): Opened['urls'] {
  const appUrl = local?.appUrl ?? config.DATABASE_URL;
  if (appUrl === undefined) throw new Error('there is no database to connect to');
  return { appUrl, workerUrl: local?.workerUrl ?? config.DATABASE_WORKER_URL ?? appUrl };
}

/** Throws unless the role behind `frames`, which connects by `url`, may work on this schema. */
export async function refuseBootFaults(frames: Frames, url: string): Promise<void> {
  const faults = await findBootFaults(frames, schema, url).catch((error: unknown) => {
    throw new DatabaseFault(url, error);
  });
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

/** Starts the background jobs of this process, to be drained at its end. */
export async function startJobs({ config, logger, urls, composition, drained, onEnd }: Opened): Promise<void> {
  await refuseBootFaults(composition.background.frames, urls.workerUrl);
  await composition.queue.open();
  await composition.background.start();
  onEnd(async () => {
    drained.jobs = (await composition.background.stop(config.SHUTDOWN_TIMEOUT_MS)) ? 'finished' : 'cut off';
    if (drained.jobs === 'cut off') process.exitCode = 1;
  });
  logger.info({ sweepIntervalMs: config.SWEEP_INTERVAL_MS }, 'background jobs are running');
}
