/** Against the real server: each test has a fresh directory, whose parent (mkdtemp) only its owner may enter. */
import { execFile, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type EmbeddedCluster, startEmbeddedCluster } from '../../src/db/embedded.ts';

const settings = { fsync: 'off', shared_buffers: '16MB' };
const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const moduleFile = path.join(import.meta.dirname, '../../src/db/embedded.ts');

/** A stopped cluster, copied where a test is not about creating one: initdb takes over a second. */
let prepared: string;
let home: string;
let directory: string;
let clusters: EmbeddedCluster[];

beforeAll(async () => {
  prepared = await mkdtemp(path.join(os.tmpdir(), 'embedded-test-prepared-'));
  const cluster = await startEmbeddedCluster({ directory: prepared, settings });
  await cluster.stop();
});

afterAll(() => rm(prepared, { recursive: true, force: true }));

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(os.tmpdir(), 'embedded test ')));
  directory = path.join(home, 'data', 'postgres');
  clusters = [];
});

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(clusters.map((cluster) => cluster.stop()));
  await rm(home, { recursive: true, force: true });
});

async function start(more: Record<string, string> = {}): Promise<EmbeddedCluster> {
  const cluster = await startEmbeddedCluster({ directory, settings: { ...settings, ...more } });
  clusters.push(cluster);
  return cluster;
}

async function copyPrepared(): Promise<void> {
  await mkdir(path.dirname(directory), { recursive: true });
  await run('cp', ['-a', prepared, directory]);
}

async function query(url: string, sql: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = await client.query<Record<string, unknown>>(sql);
    return result.rows[0] ?? {};
  } finally {
    await client.end();
  }
}

async function readPid(): Promise<number> {
  return Number((await readFile(path.join(directory, 'pgdata/postmaster.pid'), 'utf8')).split('\n')[0]);
}

/** The command line of a Node process that starts the directory's server and ends without stopping it. */
function startArguments(): string[] {
  const script = `
    const { startEmbeddedCluster } = await import(process.argv[1]);
    const cluster = await startEmbeddedCluster(JSON.parse(process.argv[2]));
    console.log(JSON.stringify({ startedHere: cluster.startedHere, url: cluster.url('postgres') }));`;
  return ['--input-type=module', '-e', script, moduleFile, JSON.stringify({ directory, settings })];
}

async function startElsewhere(): Promise<{ startedHere: boolean; url: string }> {
  const { stdout } = await run(process.execPath, startArguments());
  return JSON.parse(stdout) as { startedHere: boolean; url: string };
}

it('creates a cluster, stops it, and keeps its data for the next start', async () => {
  const first = await start({ application_name: `it's "$HOME"` });
  expect(first.startedHere).toBe(true);
  const row = await query(
    first.url('postgres'),
    `select current_setting('server_version_num')::int / 10000 as major, current_setting('timezone') as zone,
       current_setting('server_encoding') as encoding, current_setting('unix_socket_directories') as sockets,
       current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync,
       (select reset_val from pg_settings where name = 'application_name') as name,
       (select datlocale from pg_database where datname = 'template1') as locale, lower('ÄÉ') as lowered`,
  );
  expect(row).toEqual({
    major: 18,
    zone: 'UTC',
    encoding: 'UTF8',
    sockets: '',
    addresses: '127.0.0.1',
    fsync: 'off',
    name: `it's "$HOME"`,
    locale: 'C.UTF-8',
    lowered: 'äé',
  });
  expect((await stat(path.join(directory, 'superuser-password'))).mode & 0o777).toBe(0o600);

  await query(first.url('postgres'), 'create database "odd näme"');
  await query(first.url('postgres'), `create role app login password 'p@ss/w:rd'`);
  const appUrl = first.url('odd näme', { user: 'app', password: 'p@ss/w:rd' });
  expect(await query(appUrl, 'select current_user as who, current_database() as base')).toEqual({ who: 'app', base: 'odd näme' });
  await expect(query(first.url('postgres', { user: 'app', password: 'wrong' }), 'select 1')).rejects.toMatchObject({
    code: '28P01',
  });

  await Promise.all([first.stop(), first.stop()]);
  await expect(query(first.url('postgres'), 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  const second = await start();
  expect(second.startedHere).toBe(true);
  expect(await query(second.url('odd näme'), 'select 1 as one')).toEqual({ one: 1 });
  await first.stop();
  expect(await query(second.url('postgres'), 'select 1 as one'), 'stopped by the handle of an earlier server').toEqual({
    one: 1,
  });
});

it('adopts a running server, also of a process that has ended', async () => {
  await copyPrepared();
  const elsewhere = await startElsewhere();
  const adopted = await start();
  expect(elsewhere.startedHere).toBe(true);
  expect(adopted.startedHere).toBe(false);
  expect(adopted.url('postgres')).toBe(elsewhere.url);
  expect(await query(adopted.url('postgres'), 'select 1 as one')).toEqual({ one: 1 });
  await adopted.stop();
  await expect(query(elsewhere.url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

it('gives one server to concurrent starts, of a new and of an existing cluster', async () => {
  for (const round of ['new cluster', 'existing cluster']) {
    const started = await Promise.all([startElsewhere(), startElsewhere()]);
    const adopted = await start();
    expect(
      started.filter((one) => one.startedHere),
      round,
    ).toHaveLength(1);
    expect(new Set([...started.map((one) => one.url), adopted.url('postgres')]).size, round).toBe(1);
    await adopted.stop();
  }
  expect((await readdir(directory)).toSorted()).toEqual(['pgdata', 'server.log', 'superuser-password']);
});

it.runIf(isRoot && process.platform === 'linux')(
  'runs unprivileged for root, with a capability only where a directory is closed',
  async () => {
    await copyPrepared();
    const readCapabilities = async () => {
      const status = await readFile(`/proc/${await readPid()}/status`, 'utf8');
      expect(/^Uid:\t(\d+)/m.exec(status)?.[1]).toBe(String((await stat(path.join(directory, 'pgdata'))).uid));
      expect(status).not.toMatch(/^Uid:.*\b0\b/m);
      return /^CapEff:\t(\w+)/m.exec(status)?.[1];
    };
    expect((await stat(home)).mode & 0o777).toBe(0o700);
    const closed = await start();
    expect(await query(closed.url('postgres'), 'select 1 as one')).toEqual({ one: 1 });
    expect(['0000000000000004', '0000000000000002'], 'dac_read_search, or dac_override').toContain(await readCapabilities());
    await closed.stop();
    await chmod(home, 0o755);
    await start();
    // a checkout whose programs themselves are in a closed directory needs the capability all the same
    expect(['0000000000000000', '0000000000000004', '0000000000000002']).toContain(await readCapabilities());
  },
  30_000,
);

it('starts after the server was killed, also when its pid is now another process', async () => {
  await copyPrepared();
  const killed = await start();
  await query(killed.url('postgres'), 'create table kept as select 1 as one');
  const pidFile = path.join(directory, 'pgdata/postmaster.pid');
  const left = await readFile(pidFile, 'utf8');
  process.kill(await readPid(), 'SIGKILL');
  const restarted = await start();
  expect(restarted.startedHere).toBe(true);
  expect(await query(restarted.url('postgres'), 'select one from kept')).toEqual({ one: 1 });
  await restarted.stop();

  // PostgreSQL takes any live process of its own user's for the server
  const { uid, gid } = await stat(path.join(directory, 'pgdata'));
  const stranger = spawn('sleep', ['60'], { uid, gid, cwd: '/', stdio: 'ignore' });
  try {
    await writeFile(pidFile, left.replace(/^\d+/, String(stranger.pid)));
    expect((await start()).startedHere).toBe(true);
  } finally {
    stranger.kill();
  }
});

it('starts over what a killed initdb left, and removes it', async () => {
  const draft = path.join(directory, 'pgdata.draft-AbCdEf');
  await mkdir(path.join(draft, 'base'), { recursive: true });
  await writeFile(path.join(draft, 'PG_VERSION'), '18\n');
  const child = spawn(process.execPath, startArguments(), { detached: true, stdio: 'ignore' });
  const countDrafts = async () => (await readdir(directory)).filter((name) => name.startsWith('pgdata.draft-')).length;
  await vi.waitUntil(async () => (await countDrafts()) === 2, { timeout: 60_000, interval: 5 });
  await sleep(150);
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  expect(await readdir(directory)).not.toContain('pgdata');
  expect((await start()).startedHere).toBe(true);
  expect((await readdir(directory)).toSorted()).toEqual(['pgdata', 'server.log', 'superuser-password']);
});

it('says what failed: a setting, a lost password, a missing package', async () => {
  await copyPrepared();
  await expect(start({ shared_buffers: 'plenty' })).rejects.toThrow(
    /could not start server[\s\S]*server\.log:[\s\S]*invalid value for parameter "shared_buffers"/,
  );
  await rm(path.join(directory, 'superuser-password'));
  await expect(start()).rejects.toThrow(/superuser-password cannot be read/);
  vi.spyOn(process, 'arch', 'get').mockReturnValue('mips');
  await expect(start()).rejects.toThrow(/-mips is not installed\): set DATABASE_URL/);
});
