/** What every process of the service does: configuration, database, composition, an end on a signal. */
import type { Logger } from 'pino';
import { bootErrorLines, DatabaseFault } from './boot-errors.ts';
import { type Composition, compose } from './compose.ts';
import type { Config } from './config.ts';
import { findBootFaults } from './db/boot-check.ts';
import type { Frames } from './db/frame.ts';
import { type LocalDatabase, openLocalDatabase } from './db/local-database.ts';
import { house } from './features.ts';
import { auditsOf } from './house/house.ts';
import { createLogger } from './http/request-log.ts';
import { startExamining } from './metrics/examine-regularly.ts';
import { startGathering } from './metrics/gather.ts';
import { startMetricsServer } from './metrics/metrics-server.ts';
import { loadServiceConfig, migrateService, schema } from './service.ts';

export interface Opened {
  config: Config;
  logger: Logger;
  local: LocalDatabase | undefined;
  urls: { appUrl: string; workerUrl: string };
  composition: Composition;
  /** Calls `close` when the process ends, before what was opened earlier is closed. */
  onEnd(close: () => Promise<unknown>): void;
}

/** Opens what processes share, runs `start`, and closes in reverse order on SIGTERM or SIGINT. */
export async function runProcess(start: (opened: Opened) => Promise<void>): Promise<void> {
  const closers: (() => Promise<unknown>)[] = [];
  let starting: Promise<void> = Promise.resolve();
  let stoppingSince: number | undefined;

  /** A second signal does not wait; one within a second is the same Ctrl-C again, from the terminal and from npm. */
  async function stop(): Promise<void> {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > 1_000) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    await starting.catch(() => undefined); // half-opened things cannot be closed
    for (const close of closers.toReversed()) await close();
    process.exit();
  }

  let config: Config | undefined;
  try {
    config = loadServiceConfig();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
    starting = open(config, (close) => closers.push(close)).then(start);
    await starting;
  } catch (error) {
    for (const line of bootErrorLines(error, config?.DATABASE_URL)) process.stderr.write(`cannot start: ${line}\n`);
    process.exitCode = 1;
    await stop();
  }
}

async function open(config: Config, onEnd: Opened['onEnd']): Promise<Opened> {
  const logger = createLogger(config.LOG_LEVEL);
  onEnd(async () => logger.flush());
  if (config.embedded) process.stdout.write('Starting the embedded PostgreSQL; the first start takes some seconds …\n');
  const local = config.embedded ? await openLocalDatabase(config.DATA_DIR, migrateService) : undefined;
  if (local) onEnd(() => local.release());
  const urls = databaseUrls(config, local);
  const composition = await compose(config, urls, logger);
  onEnd(() => composition.close());
  await serveMetrics(composition, onEnd);
  return { config, logger, local, urls, composition, onEnd };
}

/** Before anything else and until the end: to be read while the process starts and drains. */
async function serveMetrics({ metrics, config, logger }: Composition, onEnd: Opened['onEnd']): Promise<void> {
  if (!metrics || config.METRICS_PORT === undefined) return;
  const server = await startMetricsServer({ port: config.METRICS_PORT, host: config.METRICS_HOST, metrics, logger });
  onEnd(() => server.close());
}

function databaseUrls(config: Config, local: LocalDatabase | undefined): Opened['urls'] {
  const appUrl = local?.appUrl ?? config.DATABASE_URL;
  if (appUrl === undefined) throw new Error('there is no database to connect to');
  return { appUrl, workerUrl: local?.workerUrl ?? config.DATABASE_WORKER_URL ?? appUrl };
}

/** Throws unless the role behind `frames`, which connects by `url`, may work on this schema. */
export async function refuseBootFaults(frames: Frames, url: string): Promise<void> {
  const faults = await findBootFaults(frames, schema).catch((error: unknown) => {
    throw new DatabaseFault(url, error);
  });
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

/** Starts the background jobs of this process, to be drained at its end. */
export async function startJobs(opened: Opened): Promise<void> {
  const { config, logger, urls, composition, onEnd } = opened;
  await refuseBootFaults(composition.background.frames, urls.workerUrl);
  await composition.queue.open();
  await composition.background.start();
  onEnd(async () => {
    if (!(await composition.background.stop(config.SHUTDOWN_TIMEOUT_MS))) process.exitCode = 1;
  });
  watchBooks(opened);
  logger.info({ sweepIntervalMs: config.SWEEP_INTERVAL_MS }, 'background jobs are running');
}

/** What only a process of background jobs tells: the queues, and the invariants where it may examine them. */
function watchBooks({ config, logger, local, composition: { metrics, background }, onEnd }: Opened): void {
  if (metrics) {
    const gathering = startGathering(metrics, {
      frames: background.frames,
      dataDir: config.OBJECT_STORAGE === 'disk' ? config.DATA_DIR : undefined,
      logger,
    });
    onEnd(() => gathering.stop());
  }
  const { DOCTOR_INTERVAL_MINUTES, DATABASE_ADMIN_URL: adminUrl = local?.adminUrl } = config;
  if (DOCTOR_INTERVAL_MINUTES === undefined || adminUrl === undefined) return;
  const everyMs = DOCTOR_INTERVAL_MINUTES * 60_000;
  const examining = startExamining({ adminUrl, audits: auditsOf(house), everyMs, logger, instruments: metrics?.instruments });
  onEnd(async () => void examining.stop()); // an examination may take long and writes nothing: it is not waited for
}
