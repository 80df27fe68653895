/**
 * The whole service over real HTTP; the only way tests start it. The files of a worker share one app and one database,
 * each with tenants of its own, unless they ask for more.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import supertest from 'supertest';
import { expect, inject } from 'vitest';
import { type Composition, compose } from '../../../src/compose.ts';
import type { Config } from '../../../src/config.ts';
import { dueScopes } from '../../../src/db/cross-tenant-lookups.ts';
import type { Scope } from '../../../src/db/scope.ts';
import { setFaultPoints } from '../../../src/fault-points.ts';
import type { ExternalProviders } from '../../../src/features/auth/exchange-service.ts';
import type { KeyUse } from '../../../src/features/tenants/key-use.ts';
import type { TenantsService } from '../../../src/features/tenants/tenants-service.ts';
import { tenants as tenantsHandle } from '../../../src/features.ts';
import { createLogger } from '../../../src/http/request-log.ts';
import { createHttpServer } from '../../../src/http/server.ts';
import { keptDaysOf, runBatch } from '../../../src/jobs/schedule.ts';
import { loadServiceConfig } from '../../../src/service.ts';
import { createEmptier, createTestDatabase, type TestDatabase } from '../database/test-database.ts';
import { type TestIssuer, testIssuer } from '../identity/test-issuer.ts';
import { RUN_ENV } from './child-process.ts';

export interface TestTenant {
  tenantId: string;
  liveKey: string;
  sandboxKey: string;
}

export interface TestApp {
  baseUrl: string;
  database: TestDatabase;
  composition: Composition;
  tenants: TenantsService;
  keyUse: KeyUse;
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
 * `env` overrides settings; rate limits, places of tenants and caps of a member are out of the way unless a test sets them, and background
 * jobs run only with JOBS=inline. `providers` stand in for the external ones. `database: 'own'` is for a file that
 * changes the schema, keys or rights, or replaces a part of the app.
 */
export async function startTestApp(
  env: Record<string, string> = {},
  database?: TestDatabase | 'own',
  providers?: ExternalProviders,
  /** What stands in for other parts of features, by their names. */
  standIns?: Readonly<Record<string, unknown>>,
): Promise<TestApp> {
  const plain = Object.keys(env).length === 0 && providers === undefined && standIns === undefined;
  if (inject('sharesApp') !== true || database === 'own' || NOT_TO_SHARE.some((name) => name in env)) {
    if (typeof database === 'object') return startApp(env, database, { providers, standIns });
    const ownDatabase = await createTestDatabase();
    return startApp(env, ownDatabase, { providers, standIns, afterClose: () => ownDatabase.drop() });
  }
  const ours = await shareOfWorker();
  if (database !== undefined && database !== ours.database) return startApp(env, database, { providers, standIns });
  if (database === undefined && plain && !ours.appIsTaken) return ours.takeApp();
  return startApp({ ...ours.secrets, ...env }, ours.database, { providers, standIns });
}

/** Settings under which an app would spoil the database for others: it seals with its own keys, or works beside them. */
const NOT_TO_SHARE = ['API_KEY_PEPPER', 'DATA_KEYS', 'JOBS'];

interface ShareOfWorker {
  database: TestDatabase;
  secrets: Record<string, string>;
  /** By the file that runs: a second app of one file is another. */
  appIsTaken: boolean;
  takeApp(): Promise<TestApp>;
  /** Takes away all that a file has stored. */
  empty(): Promise<void>;
}

let share: Promise<ShareOfWorker> | undefined;
let lastFile: string | undefined;

/** What the files of this worker share: each finds it empty. It ends with the process. */
async function shareOfWorker(): Promise<ShareOfWorker> {
  share ??= openShare();
  const ours = await share;
  const file = expect.getState().testPath;
  if (file !== lastFile) {
    lastFile = file;
    ours.appIsTaken = false;
    await ours.empty();
  }
  setFaultPoints(undefined, []);
  return ours;
}

async function openShare(): Promise<ShareOfWorker> {
  const database = await createTestDatabase();
  const secrets = newSecrets();
  const empty = await createEmptier(database);
  let app: Promise<TestApp> | undefined;
  const ours: ShareOfWorker = {
    database,
    secrets,
    appIsTaken: false,
    empty,
    async takeApp() {
      ours.appIsTaken = true;
      app ??= startApp(secrets, database).then(freezeParts);
      const taken = await app;
      taken.logLines.length = 0;
      return {
        ...taken,
        async close() {
          ours.appIsTaken = false;
        },
      };
    },
  };
  return ours;
}

/** Who would replace a part must ask for an app of its own. */
function freezeParts(app: TestApp): TestApp {
  Object.freeze(app.composition.members);
  Object.freeze(app.composition);
  return app;
}

function newSecrets(): Record<string, string> {
  return {
    API_KEY_PEPPER: randomBytes(32).toString('base64'),
    DATA_KEYS: `test:${randomBytes(32).toString('base64')}`,
  };
}

async function startApp(
  env: Record<string, string>,
  database: TestDatabase,
  {
    providers,
    standIns = {},
    afterClose,
  }: {
    providers?: ExternalProviders | undefined;
    standIns?: Readonly<Record<string, unknown>> | undefined;
    afterClose?: () => Promise<void>;
  } = {},
): Promise<TestApp> {
  const issuer = await testIssuer();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'svc-data-'));
  const config = loadServiceConfig({
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    DATABASE_URL: database.appUrl,
    ...newSecrets(),
    RATE_LIMIT_LIVE: '1000000',
    RATE_LIMIT_SANDBOX: '1000000',
    RATE_LIMIT_BAD_KEYS: '1000000',
    RATE_LIMIT_ADDRESS: '1000000',
    RATE_LIMIT_EXCHANGES: '1000000',
    RATE_LIMIT_EXCHANGE_FAILURES: '1000000',
    RATE_LIMIT_REDIRECTS: '1000000',
    RATE_LIMIT_STAFF: '1000000',
    TENANT_REQUESTS_AT_ONCE: '1000000',
    TENANT_REQUESTS_WAITING: '1000000',
    MEMBER_MAX_CODES: '1000000',
    MEMBER_MAX_LINKS: '1000000',
    MEMBER_MAX_PAYOUT_ACCOUNTS: '1000000',
    DATABASE_ACQUIRE_TIMEOUT_MS: '15000',
    JOBS: 'off',
    OUTGOING_ALLOWED_HOSTS: issuer.server.host,
    ...RUN_ENV,
    ...env,
  });
  const logLines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logLines.push(...chunk.toString().split('\n').filter(Boolean));
      done();
    },
  });
  const composition = await compose(config, database, createLogger(config.LOG_LEVEL, sink), {
    externalProviders: providers,
    ...standIns,
  });
  await composition.queue.open();
  if (config.JOBS === 'inline') await composition.background.start();
  const server = createHttpServer(composition.app.express, config.DEFAULT_ENVIRONMENT);
  const baseUrl = await listen(server);
  composition.ownAddress.listensOn(Number(new URL(baseUrl).port));
  return {
    baseUrl,
    database,
    composition,
    ...composition.offer(tenantsHandle),
    config,
    logLines,
    issuer,
    http: supertest(baseUrl),
    newTenant: (options) => newTenant(composition, options),
    runSweep: (name, scope) => runSweep(composition, name, scope),
    async close() {
      setFaultPoints(undefined, []);
      await composition.background.stop(10_000);
      server.closeAllConnections();
      server.close();
      await composition.close();
      await rm(dataDir, { recursive: true, force: true });
      await afterClose?.();
    },
  };
}

async function runSweep({ background, logger }: Composition, name: string, scope?: Scope): Promise<number> {
  const sweep = background.sweeps.find((one) => one.name === name);
  if (!sweep) throw new Error(`there is no sweep ${name}`);
  const due = scope
    ? []
    : (await background.frames.unscoped(dueScopes({ keptDays: keptDaysOf(background.sweeps) }))).filter(
        (row) => row.sweep === name,
      );
  const scopes = scope ? [scope] : due.map((row): Scope => ({ tenantId: row.tenant_id, environment: row.environment }));
  let total = 0;
  for (const one of scopes) {
    for (let rows = sweep.batchSize; rows >= sweep.batchSize; total += rows) {
      rows = await runBatch(background.frames, logger, sweep, one);
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
  { offer }: Composition,
  { currency = 'USD', timeZone = 'UTC' }: { currency?: string; timeZone?: string } = {},
): Promise<TestTenant> {
  const { tenants } = offer(tenantsHandle);
  const tenantId = await tenants.createTenant({ name: 'Test', defaultCurrency: currency, reportingTimeZone: timeZone });
  const live = await tenants.createKey({ tenantId, environment: 'LIVE' });
  const sandbox = await tenants.createKey({ tenantId, environment: 'SANDBOX' });
  return { tenantId, liveKey: live.apiKey, sandboxKey: sandbox.apiKey };
}
