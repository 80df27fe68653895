/** The operating system's side of the embedded server: whose its processes are, and which one it is. */
import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The operating-system user that PostgreSQL's programs run as. */
export interface ServerUser {
  /** undefined: as this process's own user */
  identity: { uid: number; gid: number } | undefined;
  /** a command line put before the program's; empty when the program is run directly */
  launcher: readonly string[];
}

/** The server's parent process, ready for connections. */
export interface Postmaster {
  pid: number;
  port: number;
}

interface Command {
  program: string;
  args: readonly string[];
  timeoutMs: number;
}

interface RunResult {
  ok: boolean;
  /** what the program wrote, standard output first; or why it did not run */
  output: string;
}

interface ServerPlaces {
  /** holds the data directory; exists already */
  directory: string;
  /** the data directory; may not exist yet */
  pgdata: string;
  /** path of the `postgres` program */
  postgres: string;
}

const SELF: ServerUser = { identity: undefined, launcher: [] };
const TRIFLE_TIMEOUT_MS = 10_000;
const SETTLE_TIMEOUT_MS = 60_000;
const POLL_MS = 25;
/** A pid file is written within milliseconds of its creation, unless the machine went down between. */
const EMPTY_PID_FILE_MS = 2_000;

/** Fixed, because PGPORT, PGDATA and the like, or a foreign locale, would change what the programs do. */
const PROGRAM_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' };

/** The least right first. A container's root often lacks dac_read_search and has dac_override. */
const ENTERING_CAPABILITIES = ['dac_read_search', 'dac_override'];

/**
 * Chooses whom the server runs as. PostgreSQL refuses to run as root; as root we take the owner of
 * an existing data directory, else the first of the users `postgres` and `nobody` that exists. No
 * user is created. Throws when that user cannot run the server.
 */
export async function chooseServerUser(places: ServerPlaces): Promise<ServerUser> {
  const ownUid = process.getuid?.();
  const owner = await stat(places.pgdata).catch(() => undefined);
  if (ownUid !== 0) {
    if (ownUid !== undefined && owner !== undefined && owner.uid !== ownUid) {
      throw new Error(
        `${places.pgdata} belongs to uid ${owner.uid} and this process is uid ${ownUid}: ` +
          'start as that user or as root, or set DATABASE_URL',
      );
    }
    return SELF;
  }
  if (owner?.uid === 0) {
    throw new Error(
      `${places.pgdata} belongs to root and PostgreSQL refuses to run as root: chown -R it to another user, or set DATABASE_URL`,
    );
  }
  const identity = owner ?? (await findIdentity('postgres')) ?? (await findIdentity('nobody'));
  if (identity === undefined) {
    throw new Error(
      'PostgreSQL refuses to run as root and there is no user "postgres" or "nobody": ' +
        'start as another user, or set DATABASE_URL',
    );
  }
  return chooseLauncher({ uid: identity.uid, gid: identity.gid }, places);
}

/** Runs one program to its end as that user. Never rejects: a failure is in the result. */
export function runAs(user: ServerUser, command: Command): Promise<RunResult> {
  const [program = '', ...args] = [...user.launcher, command.program, ...command.args];
  const options = {
    // setpriv changes the user itself and must start as root
    ...(user.launcher.length === 0 ? user.identity : {}),
    cwd: '/',
    env: PROGRAM_ENVIRONMENT,
    timeout: command.timeoutMs,
  };
  return new Promise((resolve) => {
    const finish = (error: Error | null, stdout = '', stderr = '') => {
      const output = `${stdout}${stderr}`.trim();
      resolve({ ok: error === null, output: output === '' && error ? error.message : output });
    };
    try {
      execFile(program, args, options, finish);
    } catch (error) {
      // a refused change of user is thrown, not passed to the callback
      finish(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

/**
 * A checkout is often below a directory that only root may enter (`mktemp -d`, /root). There the
 * user gets one capability, to pass directories and read files whatever their mode; the data files
 * are its own either way. It is tried rather than worked out from modes, which ACLs and container
 * limits would belie.
 */
async function chooseLauncher(identity: { uid: number; gid: number }, places: ServerPlaces): Promise<ServerUser> {
  const failures: string[] = [];
  const launchers = [[], ...ENTERING_CAPABILITIES.map((capability) => setprivCommand(identity, capability))];
  for (const launcher of launchers) {
    const user = { identity, launcher };
    const script = ['-c', 'cd "$1" && cd / && exec "$2" --version', 'probe'];
    const args = [...script, places.directory, places.postgres];
    const probe = await runAs(user, { program: '/bin/sh', args, timeoutMs: TRIFLE_TIMEOUT_MS });
    if (probe.ok) return user;
    failures.push(probe.output.replaceAll('\n', ' '));
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and uid ${identity.uid} cannot use ${places.directory} or ${places.postgres}: ` +
      'move them out of directories only root may enter, install setpriv (util-linux), or set DATABASE_URL. ' +
      `Tried: ${failures.join('; ')}`,
  );
}

/**
 * no_setuid_fixup: without it the kernel leaves capabilities out of access(2) for any user but root,
 * and PostgreSQL's programs, which find each other with access(2), report "invalid binary".
 */
function setprivCommand({ uid, gid }: { uid: number; gid: number }, capability: string): string[] {
  const who = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const rights = [`--inh-caps=+${capability}`, `--ambient-caps=+${capability}`, '--securebits=+no_setuid_fixup'];
  return ['setpriv', ...who, ...rights, '--'];
}

async function findIdentity(name: string): Promise<{ uid: number; gid: number } | undefined> {
  const ask = (flag: string) => runAs(SELF, { program: 'id', args: [flag, name], timeoutMs: TRIFLE_TIMEOUT_MS });
  const [uid, gid] = await Promise.all([ask('-u'), ask('-g')]);
  return uid.ok && gid.ok ? { uid: Number(uid.output), gid: Number(gid.output) } : undefined;
}

/**
 * The running server of a data directory, from its postmaster.pid; waits while one is starting or
 * stopping. A killed machine leaves that file behind, and PostgreSQL refuses to start while its
 * number is by now another process's: such a file is removed here. (A second guard remains against
 * two servers in one directory, PostgreSQL's check of the shared memory segment.)
 */
export async function findPostmaster(pgdata: string): Promise<Postmaster | undefined> {
  const pidFile = path.join(pgdata, 'postmaster.pid');
  const deadline = Date.now() + SETTLE_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const written = await readPidFile(pidFile);
    if (written === undefined) return undefined;
    // lines: pid, directory, start time, port, socket directory, address, shared memory, status
    const [pid = 0, , , port = 0] = written.lines.map(Number);
    const commandLine = pid > 0 ? await readCommandLine(pid) : pgdata;
    if (commandLine === undefined) return undefined;
    if (!commandLine.includes(pgdata) || (pid === 0 && written.ageMs > EMPTY_PID_FILE_MS)) {
      await rm(pidFile, { force: true });
      return undefined;
    }
    if (written.lines[7]?.trim() === 'ready') return { pid, port };
    await sleep(POLL_MS);
  }
  throw new Error(`The PostgreSQL server of ${pgdata} has been starting or stopping for ${SETTLE_TIMEOUT_MS / 1000} s`);
}

/** Whether a caught error has this code of the operating system's, such as ENOENT. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

async function readPidFile(file: string): Promise<{ lines: string[]; ageMs: number } | undefined> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    return { lines: text.split('\n'), ageMs: Date.now() - mtimeMs };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** The server's names its data directory; a zombie's is empty; undefined when there is no such process. */
async function readCommandLine(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  const args = ['-ww', '-o', 'command=', '-p', String(pid)];
  const run = await runAs(SELF, { program: 'ps', args, timeoutMs: TRIFLE_TIMEOUT_MS });
  return run.ok ? run.output : undefined;
}
