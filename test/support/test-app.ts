/** The whole service over real HTTP on a database of its own; the only way tests start it. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import supertest from 'supertest';
import { type Composition, compose } from '../../src/compose.ts';
import { type Config, loadConfig } from '../../src/config.ts';
import type { Scope } from '../../src/db/frame.ts';
import { dueScopes } from '../../src/db/resolvers.ts';
import type { ExternalProviders } from '../../src/features/auth/exchange-service.ts';
import { createLogger } from '../../src/http/request-log.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { runBatch } from '../../src/jobs/schedule.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { type TestIssuer, testIssuer } from './test-issuer.ts';

export interface TestTenant {
  tenantId: string;
  liveKey: string;
  sandboxKey: string;
}

export interface TestApp {
  baseUrl: string;
  database: TestDatabase;
  composition: Composition;
  config: Config;
  /** Every log line so far, as text. */
  logLines: string[];
  /** An identity provider that the service may reach. */
  issuer: TestIssuer;
  http: ReturnType<typeof supertest>;
  newTenant(options?: { currency?: string; timeZone?: string }): Promise<TestTenant>;
  /**
   * Runs a sweep as the worker would, until a batch is not full: in one scope, due or not, or in every
   * scope where it is due. Returns the rows it handled.
   */
  runSweep(name: string, scope?: Scope): Promise<number>;
  close(): Promise<void>;
}

/**
 * `env` overrides settings; rate limits are out of the way unless a test sets them, and background
 * jobs run only with JOBS=inline. `providers` stand in for the external ones.
 */
export async function startTestApp(
  env: Record<string, string> = {},
  database?: TestDatabase,
  providers?: ExternalProviders,
): Promise<TestApp> {
  const ownDatabase = database ?? (await createTestDatabase());
  const issuer = await testIssuer();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'svc-data-'));
  const config = loadConfig({
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    DATABASE_URL: ownDatabase.appUrl,
    API_KEY_PEPPER: randomBytes(32).toString('base64'),
    DATA_KEYS: `test:${randomBytes(32).toString('base64')}`,
    RATE_LIMIT_LIVE: '1000000',
    RATE_LIMIT_SANDBOX: '1000000',
    RATE_LIMIT_BAD_KEYS: '1000000',
    RATE_LIMIT_REDIRECTS: '1000000',
    DATABASE_ACQUIRE_TIMEOUT_MS: '15000',
    JOBS: 'off',
    OUTGOING_ALLOWED_HOSTS: issuer.server.host,
    ...env,
  });
  const logLines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logLines.push(...chunk.toString().split('\n').filter(Boolean));
      done();
    },
  });
  const composition = await compose(config, ownDatabase, createLogger(config.LOG_LEVEL, sink), providers);
  await composition.queue.open();
  if (config.JOBS === 'inline') await composition.background.start();
  const server = createHttpServer(composition.app.express, config.DEFAULT_ENVIRONMENT);
  const baseUrl = await listen(server);
  composition.ownAddress.listensOn(Number(new URL(baseUrl).port));
  return {
    baseUrl,
    database: ownDatabase,
    composition,
    config,
    logLines,
    issuer,
    http: supertest(baseUrl),
    newTenant: (options) => newTenant(composition, options),
    runSweep: (name, scope) => runSweep(composition, name, scope),
    async close() {
      await composition.background.stop(10_000);
      server.closeAllConnections();
      server.close();
      await composition.close();
      await rm(dataDir, { recursive: true, force: true });
      if (!database) await ownDatabase.drop();
    },
  };
}

async function runSweep({ background, services }: Composition, name: string, scope?: Scope): Promise<number> {
  const sweep = background.sweeps.find((one) => one.name === name);
  if (!sweep) throw new Error(`there is no sweep ${name}`);
  const due = scope ? [] : (await background.frames.unscoped(dueScopes())).filter((row) => row.sweep === name);
  const scopes = scope ? [scope] : due.map((row): Scope => ({ tenantId: row.tenant_id, environment: row.environment }));
  let total = 0;
  for (const one of scopes) {
    for (let rows = sweep.batchSize; rows >= sweep.batchSize; total += rows) {
      rows = await runBatch(background.frames, services.logger, sweep, one);
    }
  }
  return total;
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function newTenant(
  { tenants }: Composition,
  { currency = 'USD', timeZone = 'UTC' }: { currency?: string; timeZone?: string } = {},
): Promise<TestTenant> {
  const tenantId = await tenants.createTenant({ name: 'Test', defaultCurrency: currency, reportingTimeZone: timeZone });
  const live = await tenants.createKey({ tenantId, environment: 'LIVE' });
  const sandbox = await tenants.createKey({ tenantId, environment: 'SANDBOX' });
  return { tenantId, liveKey: live.apiKey, sandboxKey: sandbox.apiKey };
}
