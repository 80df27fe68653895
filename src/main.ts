/** The service's process: configuration, database, composition, listening, draining on a signal. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Demo, ensureDemo } from '../seeds/demo.ts';
import { bootErrorLines } from './boot-errors.ts';
import { compose } from './compose.ts';
import { type Config, loadConfig } from './config.ts';
import { findBootFaults } from './db/boot-check.ts';
import { type LocalDatabase, openLocalDatabase } from './db/local-database.ts';
import { createLogger } from './http/request-log.ts';
import { closeHttpServer, createHttpServer } from './http/server.ts';

const closers: (() => Promise<unknown>)[] = [];

async function start(config: Config): Promise<void> {
  const logger = createLogger(config.LOG_LEVEL);
  closers.push(async () => logger.flush());
  if (config.embedded) process.stdout.write('Starting the embedded PostgreSQL; the first start takes some seconds …\n');
  const local = config.embedded ? await openLocalDatabase(config.DATA_DIR) : undefined;
  if (local) closers.push(() => local.release());
  const composition = await compose(config, databaseUrlOf(config, local), logger);
  closers.push(() => composition.close());
  const faults = await findBootFaults(composition.frames);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const demo = local ? await ensureDemo(composition, config.DATA_DIR) : undefined;

  const server = createHttpServer(composition.app.express, config.DEFAULT_ENVIRONMENT);
  server.listen(config.PORT, config.host);
  await once(server, 'listening');
  closers.push(async () => {
    composition.health.drain();
    await sleep(config.SHUTDOWN_DELAY_MS);
    if (!(await closeHttpServer(server, config.SHUTDOWN_TIMEOUT_MS))) process.exitCode = 1;
  });
  const { port } = server.address() as AddressInfo;
  logger.info({ port, host: config.host, embedded: config.embedded }, 'listening');
  if (demo) process.stdout.write(firstScreen(port, demo));
}

function databaseUrlOf(config: Config, local: LocalDatabase | undefined): string {
  const url = local?.appUrl ?? config.DATABASE_URL;
  if (url === undefined) throw new Error('there is no database to connect to');
  return url;
}

function firstScreen(port: number, demo: Demo): string {
  const base = `http://localhost:${port}`;
  return `
  Member Commission and Referral Service

  Address    ${base}/api/v1
  API docs   ${base}/docs

  Demo tenant ${demo.tenantId}
  SANDBOX key ${demo.sandboxKey}
  LIVE key    ${demo.liveKey}

  Try it:
  curl -s -H 'x-tenant-api-key: ${demo.sandboxKey}' ${base}/api/v1/users

  Stop with Ctrl-C; the data stays.

`;
}

/**
 * Closes in reverse order of opening. A second signal does not wait; one within a second is the
 * same Ctrl-C again, from the terminal and from npm.
 */
let stoppingSince: number | undefined;
let starting: Promise<void> = Promise.resolve();
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

async function run(): Promise<void> {
  let databaseUrl: string | undefined;
  try {
    const config = loadConfig();
    databaseUrl = config.DATABASE_URL;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
    starting = start(config);
    await starting;
  } catch (error) {
    for (const line of bootErrorLines(error, databaseUrl)) process.stderr.write(`cannot start: ${line}\n`);
    process.exitCode = 1;
    await stop();
  }
}

await run();
