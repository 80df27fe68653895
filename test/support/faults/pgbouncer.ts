/** PgBouncer as Debian has it, in front of a test's database. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { noteChild } from '../app/child-process.ts';
import { freePort } from '../app/free-port.ts';

export interface PgBouncer {
  /** The same address through the pooler. */
  through(url: string): string;
  close(): Promise<void>;
}

/** The addresses have the logins that the pooler knows, all on one server. */
export async function startPgBouncer(
  mode: 'session' | 'transaction' | 'statement',
  urls: readonly string[],
  poolSize = 5,
): Promise<PgBouncer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pgbouncer-'));
  const port = await freePort();
  const server = new URL(urls[0] ?? '');
  const logins = urls.map((url) => new URL(url));
  const users = logins.map(({ username, password }) => `"${username}" "${decodeURIComponent(password)}"\n`);
  await writeFile(path.join(folder, 'users'), users.join(''));
  await writeFile(
    path.join(folder, 'ini'),
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users
pool_mode = ${mode}
default_pool_size = ${poolSize}
`,
  );
  await chmod(folder, 0o755);
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}; // it refuses to run as root
  const child = spawn('pgbouncer', [path.join(folder, 'ini')], { stdio: ['ignore', 'ignore', 'pipe'], ...nobody });
  noteChild(child);
  await ready(child);
  return {
    through: (url) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGQUIT');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

async function ready(child: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('process up')) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`PgBouncer ended: ${said}`)));
  });
}
