/**
 * The service as in production, on one machine: two API processes and a worker, a durable PostgreSQL behind a proxy, Redis.
 * Whoever closes it, and however the process ends, nothing of it is left.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compose } from '../../../src/compose.ts';
import { newLogins, prepareDatabase } from '../../../src/db/local-database.ts';
import { tenants } from '../../../src/features.ts';
import { createLogger } from '../../../src/http/request-log.ts';
import { loadServiceConfig, migrateService } from '../../../src/service.ts';
import { startTcpProxy, type TcpProxy } from '../faults/tcp-proxy.ts';
import { type Caller, openCaller } from './caller.ts';
import { startTrialCluster, type TrialCluster } from './cluster.ts';
import { findFreePort } from './ports.ts';
import { startTrialRedis, type TrialRedis } from './redis.ts';
import { describeService, type ServiceProcess } from './service.ts';
import type { Tenant } from './shop.ts';

const DATABASE = 'svc';
const TENANTS = 3;

export interface Trial {
  directory: string;
  cluster: TrialCluster;
  /** Between the service and its database. */
  proxy: TcpProxy;
  redis: TrialRedis;
  apis: ServiceProcess[];
  worker: ServiceProcess;
  /** All three. */
  services: ServiceProcess[];
  caller: Caller;
  tenants: Tenant[];
  /** `127.0.0.1:port`, where tenants may have a vendor; nobody listens there yet. */
  vendorHost: string;
  adminUrl(): string;
  /** As a role of the service, past the proxy. */
  roleUrl(role: 'app' | 'admin'): string;
  /** Makes an empty database on the same server, with the same roles. */
  newDatabase(name: string): Promise<{ ownerUrl: string; appUrl: string }>;
  /** Tells the watchdog of a process that the trial starts. */
  note(child: ChildProcess): void;
  close(): Promise<void>;
}

export interface TrialOptions {
  env?: Record<string, string>;
  nodeArguments?: readonly string[];
  /** `host:port` that tenants may name, beside the vendor's. */
  allowedHosts?: readonly string[];
}

export async function openTrial({ env = {}, nodeArguments = [], allowedHosts = [] }: TrialOptions = {}): Promise<Trial> {
  const directory = await mkdtemp(path.join(tmpdir(), 'svc-trial-'));
  await chmod(directory, 0o711);
  const endWatch = watchOver(directory);
  const note = noteIn(directory);
  const closers: (() => Promise<unknown>)[] = [];
  async function close(): Promise<void> {
    for (const closer of closers.toReversed()) await closer().catch(() => undefined);
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    endWatch();
  }

  try {
    const cluster = await startTrialCluster(path.join(directory, 'postgres'), DATABASE);
    closers.push(() => cluster.stop());
    const logins = newLogins();
    const newDatabase = (name: string) =>
      prepareDatabase({ url: cluster.url, startedHere: true, stop: cluster.stop }, name, logins);
    const urls = await newDatabase(DATABASE);
    await migrateService(urls.ownerUrl);
    const redis = await startTrialRedis(directory, note);
    closers.push(() => redis.stop());
    const proxy = await startTcpProxy(cluster.port());
    closers.push(() => proxy.close());
    const proxied = (url: string): string => Object.assign(new URL(url), { port: String(proxy.port) }).href;

    const secrets = {
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      API_KEY_PEPPER: randomBytes(32).toString('base64'),
      DATA_KEYS: `trial:${randomBytes(32).toString('base64')}`,
    };
    const shops = await makeTenants({ ...secrets, DATABASE_URL: urls.appUrl, DATABASE_WORKER_URL: urls.workerUrl });
    const vendorHost = `127.0.0.1:${await findFreePort()}`;
    const dataDir = path.join(directory, 'data');
    await mkdir(dataDir);
    const serviceEnv: Record<string, string> = {
      ...secrets,
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? path.join(directory, 'compiled'),
      DATABASE_URL: proxied(urls.appUrl),
      DATABASE_WORKER_URL: proxied(urls.workerUrl),
      REDIS_URL: redis.url,
      DATA_DIR: dataDir,
      PUBLIC_BASE_URL: 'http://127.0.0.1:1',
      JOBS: 'off',
      OUTGOING_ALLOWED_HOSTS: [vendorHost, ...allowedHosts].join(','),
      SHUTDOWN_DELAY_MS: '3000',
      RATE_LIMIT_LIVE: '1000000',
      RATE_LIMIT_SANDBOX: '1000000',
      ...env,
    };
    const describe = async (name: string, program: 'main.ts' | 'worker.ts'): Promise<ServiceProcess> => {
      const port = program === 'main.ts' ? await findFreePort() : undefined;
      const service = describeService({ name, program, directory, env: serviceEnv, port, nodeArguments, note });
      closers.push(() => service.kill());
      return service;
    };
    const [one, two, worker] = [
      await describe('api-1', 'main.ts'),
      await describe('api-2', 'main.ts'),
      await describe('worker', 'worker.ts'),
    ];
    await Promise.all([one, two, worker].map((service) => service.start()));
    const caller = openCaller([one, two].map(({ baseUrl = '' }) => baseUrl));
    closers.push(() => caller.close());

    return {
      directory,
      cluster,
      proxy,
      redis,
      apis: [one, two],
      worker,
      services: [one, two, worker],
      caller,
      tenants: shops,
      vendorHost,
      adminUrl: () => cluster.url(DATABASE, logins.admin),
      roleUrl: (role) => cluster.url(DATABASE, logins[role]),
      newDatabase,
      note,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function makeTenants(env: Record<string, string>): Promise<Tenant[]> {
  const config = loadServiceConfig(env);
  const composition = await compose(
    config,
    { appUrl: env['DATABASE_URL'] ?? '', workerUrl: env['DATABASE_WORKER_URL'] ?? '' },
    createLogger('warn'),
  );
  try {
    const service = composition.offer(tenants).tenants;
    const made: Tenant[] = [];
    for (let i = 1; i <= TENANTS; i++) {
      const tenantId = await service.createTenant({ name: `Shop ${i}`, defaultCurrency: 'USD', reportingTimeZone: 'UTC' });
      const keyOf = async (environment: 'LIVE' | 'SANDBOX'): Promise<string> =>
        (await service.createKey({ tenantId, environment })).apiKey;
      made.push({ tenantId, liveKey: await keyOf('LIVE'), sandboxKey: await keyOf('SANDBOX') });
    }
    return made;
  } finally {
    await composition.close();
  }
}

/** As the watchdog reads it: an empty file by the number of each process. */
function noteIn(directory: string): (child: ChildProcess) => void {
  const folder = path.join(directory, 'children');
  mkdirSync(folder, { recursive: true });
  return (child) => {
    if (child.pid === undefined) return;
    const file = path.join(folder, String(child.pid));
    writeFileSync(file, '');
    child.once('exit', () => rmSync(file, { force: true }));
  };
}

function watchOver(directory: string): () => void {
  const watchdog = spawn(process.execPath, [path.join(import.meta.dirname, '../../setup/watchdog.ts'), directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watchdog.unref();
  return () => void watchdog.stdin.end();
}
