/** What the rounds run on: an embedded PostgreSQL of the run's own, the data set, the real service. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import packageJson from '../package.json' with { type: 'json' };
import { type Composition, compose } from '../src/compose.ts';
import { startEmbeddedCluster } from '../src/db/embedded.ts';
import { type DatabaseUrls, newLogins, prepareDatabase } from '../src/db/local-database.ts';
import type { Environment } from '../src/db/scope.ts';
import { tenants } from '../src/features.ts';
import { createLogger } from '../src/http/request-log.ts';
import { loadServiceConfig, migrateService } from '../src/service.ts';

/** Of Node, as `npm start` has them. */
const FLAGS: readonly string[] = packageJson.scripts.start.match(/--\S+/g) ?? [];

/** Connections to the database, of the service and of every floor. */
export const POOL_SIZE = 10;

const DATABASE = 'svc_bench';
/** As the migrations leave it; every further database is a copy. */
const MIGRATED = 'svc_bench_migrated';

export interface Tenant {
  tenantId: string;
  environment: Environment;
  apiKey: string;
}

export interface Stage {
  /** Of the run; removed at the end. */
  directory: string;
  serverVersion: string;
  urls: DatabaseUrls;
  superuserUrl: string;
  /** Under which the keys of tenants are stored, in base64. */
  pepper: string;
  /** Runs SQL as the superuser. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Another connection, as the superuser unless `url` says otherwise; it ends with the stage. */
  connect(url?: string): Promise<pg.Client>;
  /** A tenant in US dollars with the default plan and one key, LIVE unless `environment` says otherwise. */
  newTenant(environment?: Tenant['environment']): Promise<Tenant>;
  /** Starts the service; returns its address. */
  startService(options?: ServiceOptions): Promise<string>;
  /** Ends a service that was started, and its jobs, so that what is measured next runs alone. */
  stopService(url: string): Promise<void>;
  /** Of a service that was started: its resident memory in megabytes. Linux only. */
  memoryOf(url: string): Promise<number>;
  /** What `run` returns, and the resident memory of the service meanwhile, looked at so often. */
  watchMemory<T>(url: string, everyMs: number, run: () => Promise<T>): Promise<{ result: T; samples: MemorySample[] }>;
  /** The service's parts in this process, for what a worker does. */
  openWorker(): Promise<Composition>;
  /** Starts another program of the bench, gives it its settings and waits until it says it is ready. */
  startFloor(file: string, settings: object): Promise<ChildProcess>;
  /** The same on a database of its own of this server, empty but migrated. It ends with this stage. */
  openDatabase(name: string): Promise<Stage>;
  /** Stops every child, the server, and removes the directory. */
  close(): Promise<void>;
}

export interface MemorySample {
  /** Milliseconds. */
  at: number;
  mb: number;
}

export interface ServiceOptions {
  /** Another checkout's src/main.ts, to compare two versions. */
  main?: string;
  nodeArguments?: string[];
  /** Adds to the settings of the bench. */
  env?: Record<string, string>;
}

/** The server runs with its default settings: fsync on, every commit durable. */
export async function openStage(): Promise<Stage> {
  const directory = await mkdtemp(path.join(tmpdir(), 'svc-bench-'));
  const cluster = await startEmbeddedCluster({ directory });
  const urls = await prepareDatabase(cluster, DATABASE, newLogins());
  await migrateService(urls.ownerUrl);
  const clients: pg.Client[] = [];
  const connectTo = async (url: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url });
    clients.push(client);
    await client.connect();
    return client;
  };
  const administrator = await connectTo(cluster.url('postgres'));
  await administrator.query(`create database ${MIGRATED} template ${DATABASE}`);
  const serverVersion = String((await administrator.query('show server_version')).rows[0].server_version);
  const children: ChildProcess[] = [];
  const services = new Map<string, ChildProcess>();
  const compositions: Composition[] = [];
  const pepper = randomBytes(32).toString('base64');
  const settings = {
    NODE_ENV: 'bench',
    HOST: '127.0.0.1',
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    API_KEY_PEPPER: pepper,
    DATA_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    RATE_LIMIT_LIVE: '1000000000',
    RATE_LIMIT_REDIRECTS: '1000000000',
    RATE_LIMIT_EXCHANGES: '1000000000',
    RATE_LIMIT_STAFF: '1000000000',
    RATE_LIMIT_WIDGET: '1000000000',
    LOG_LEVEL: 'info',
    // As in docker-compose.yml, where a worker of its own runs the jobs.
    JOBS: 'off',
  };

  function start(program: string[], env: Record<string, string>, stdio: ('ignore' | 'inherit' | 'ipc' | number)[]): ChildProcess {
    // What Node makes of the sources is kept, as `npm start` and the image keep it.
    const kept = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: path.join(directory, 'compiled') };
    const child = spawn(process.execPath, program, { env: { ...kept, ...env }, stdio });
    children.push(child);
    return child;
  }

  async function memoryOf(url: string): Promise<number> {
    const status = await readFile(`/proc/${services.get(url)?.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
  }

  return stageOn(DATABASE, urls);

  async function stageOn(database: string, urls: DatabaseUrls): Promise<Stage> {
    const serviceEnv = { ...settings, DATABASE_URL: urls.appUrl };
    const superuserUrl = cluster.url(database);
    const superuser = await connectTo(superuserUrl);
    return {
      directory,
      serverVersion,
      urls,
      superuserUrl,
      pepper,
      sql: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
        (await superuser.query<Row>(text, values)).rows,

      connect: (url = superuserUrl) => connectTo(url),

      async newTenant(environment = 'LIVE') {
        const composition = await compose(loadServiceConfig(serviceEnv), urls, createLogger('warn'));
        try {
          const tenantId = await composition.offer(tenants).tenants.createTenant({
            name: 'Bench',
            defaultCurrency: 'USD',
            reportingTimeZone: 'UTC',
          });
          const { apiKey } = await composition.offer(tenants).tenants.createKey({ tenantId, environment });
          return { tenantId, environment, apiKey };
        } finally {
          await composition.close();
        }
      },

      async startService({ main = path.join(import.meta.dirname, '../src/main.ts'), nodeArguments = [], env = {} } = {}) {
        const port = await findFreePort();
        const log = openSync(path.join(directory, `service-${port}.log`), 'w');
        const child = start([...FLAGS, ...nodeArguments, main], { ...serviceEnv, ...env, PORT: String(port) }, [
          'ignore',
          log,
          'inherit',
        ]);
        const url = `http://127.0.0.1:${port}`;
        await waitUntilAnswering(`${url}/readyz`, child);
        services.set(url, child);
        return url;
      },

      async stopService(url) {
        const child = services.get(url);
        if (child?.exitCode !== null) return;
        const gone = once(child, 'exit');
        child.kill('SIGTERM');
        await gone;
      },

      memoryOf,

      async watchMemory(url, everyMs, run) {
        const samples: MemorySample[] = [];
        const look = async (): Promise<void> => {
          const mb = await memoryOf(url);
          samples.push({ at: performance.now(), mb });
        };
        await look();
        // One that ends meanwhile fails what is run, which says more.
        const watch = setInterval(() => void look().catch(() => undefined), everyMs);
        try {
          const result = await run();
          await look();
          return { result, samples };
        } finally {
          clearInterval(watch);
        }
      },

      async openWorker() {
        const composition = await compose(loadServiceConfig(serviceEnv), urls, createLogger('warn'));
        compositions.push(composition);
        return composition;
      },

      async startFloor(file, settings) {
        const child = start([path.join(import.meta.dirname, file)], { NODE_ENV: 'production' }, [
          'ignore',
          'inherit',
          'inherit',
          'ipc',
        ]);
        child.send(settings);
        const [answer] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown];
        if (answer !== 'ready') throw new Error(`${file} did not start`);
        return child;
      },

      async openDatabase(name) {
        const owner = decodeURIComponent(new URL(urls.ownerUrl).username);
        await administrator.query(`create database ${name} owner ${owner} template ${MIGRATED}`);
        return stageOn(name, mapUrls(urls, name));
      },

      async close() {
        await Promise.all(children.map(stopChild));
        await Promise.all(compositions.map((composition) => composition.close()));
        await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
        await cluster.stop();
        await rm(directory, { recursive: true, force: true });
      },
    };
  }
}

function mapUrls(urls: DatabaseUrls, database: string): DatabaseUrls {
  const at = (url: string): string => Object.assign(new URL(url), { pathname: `/${database}` }).href;
  return { ownerUrl: at(urls.ownerUrl), appUrl: at(urls.appUrl), workerUrl: at(urls.workerUrl), adminUrl: at(urls.adminUrl) };
}

/** A port nobody listens on now. */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await once(probe.close(), 'close');
  if (address === null || typeof address === 'string') throw new Error('the port probe has no TCP address');
  return address.port;
}

/** Waits for any HTTP answer at all. */
export async function waitUntilAnswering(url: string, child: ChildProcess): Promise<void> {
  for (const until = Date.now() + 120_000; Date.now() < until; await sleep(10)) {
    if (child.exitCode !== null) throw new Error(`the server for ${url} ended with code ${child.exitCode}`);
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return;
  }
  throw new Error(`${url} does not answer`);
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await Promise.race([ended, sleep(10_000, undefined, { ref: false }).then(() => child.kill('SIGKILL'))]);
}
