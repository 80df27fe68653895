/** A PostgreSQL server of a drill: started, crashed, copied, promoted. Made of the embedded programs. */
import { execFile } from 'node:child_process';
import { appendFile, chmod, cp, mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { type EmbeddedCluster, startEmbeddedCluster } from '../src/db/embedded.ts';
import { type DatabaseUrls, newLogins, prepareDatabase } from '../src/db/local-database.ts';

export const DATABASE = 'svc';
const run = promisify(execFile);

type Logins = ReturnType<typeof newLogins>;

export interface DrillCluster {
  directory: string;
  pgdata: string;
  /** Of its roles; a copy has the same. */
  logins: Logins;
  /** Of the present start: a server that is started again has another port. */
  urls: DatabaseUrls;
  superuserUrl: string;
  port: number;
  /** One statement, as the superuser, in the service's database. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  start(settings?: Record<string, string>): Promise<void>;
  /** A fast shutdown. */
  stop(): Promise<void>;
  /** Ends the server and its children at once, as a crash of the machine does. */
  crash(signal?: 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  /** Adds lines to postgresql.auto.conf; they count from the next start. */
  configure(lines: string): Promise<void>;
}

/** Opens the server of `directory`; makes it, with its roles and its empty database, when there is none. */
export async function openCluster(
  directory: string,
  settings: Record<string, string> = {},
  logins: Logins = newLogins(),
): Promise<DrillCluster> {
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o711);
  const pgdata = path.join(directory, 'pgdata');
  let given = settings;
  let server: EmbeddedCluster | undefined;
  const cluster = {
    directory,
    pgdata,
    logins,
    urls: {} as DatabaseUrls,
    superuserUrl: '',
    port: 0,

    async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
      const client = new pg.Client({ connectionString: cluster.superuserUrl });
      await client.connect();
      try {
        return (await client.query<Row>(text, values)).rows;
      } finally {
        await client.end();
      }
    },

    async start(other = given) {
      given = other;
      server = await startEmbeddedCluster({ directory, settings: given });
      cluster.superuserUrl = server.url(DATABASE);
      cluster.port = Number(new URL(cluster.superuserUrl).port);
      cluster.urls = {
        ownerUrl: server.url(DATABASE, logins.owner),
        appUrl: server.url(DATABASE, logins.app),
        workerUrl: server.url(DATABASE, logins.worker),
        adminUrl: server.url(DATABASE, logins.admin),
      };
    },

    stop: async () => server?.stop(),

    async crash(signal: 'SIGQUIT' | 'SIGKILL' = 'SIGQUIT') {
      const pid = Number((await readFile(path.join(pgdata, 'postmaster.pid'), 'utf8')).split('\n')[0]);
      process.kill(pid, signal);
      while (isAlive(pid)) await sleep(20);
    },

    configure: (lines: string) => appendFile(path.join(pgdata, 'postgresql.auto.conf'), `\n${lines}\n`),
  };
  const isNew = (await stat(path.join(pgdata, 'global/pg_control')).catch(() => undefined)) === undefined;
  await cluster.start();
  if (isNew && server) await prepareDatabase(server, DATABASE, logins);
  return cluster;
}

/** Copies a data directory with owner and rights; `postmaster.pid` and its like stay behind. */
export async function copyDirectory(from: string, to: string): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true });
  await chmod(path.dirname(to), 0o711);
  await run('cp', ['-a', from, to]).catch((error: Error & { stderr?: string }) => {
    // Files of a running server come and go while they are copied; the WAL makes up for it.
    const lines = (error.stderr ?? '').trim().split('\n');
    if (!lines.every((line) => /No such file|vanished/.test(line))) throw error;
  });
}

/** The superuser's password goes along: a copied server has the same one. */
export async function copyPassword(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await cp(path.join(from, 'superuser-password'), path.join(to, 'superuser-password'));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
