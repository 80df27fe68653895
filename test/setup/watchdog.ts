/**
 * Clears up behind a test run that was killed: `node watchdog.ts DIRECTORY`, started by the run and holding the other end
 * of its pipe. The pipe closes however the run ends. Whatever then is left of it below its directory is stopped and
 * removed: every PostgreSQL, every process of which a file in `children` is named, and every server in `pids` files.
 */
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server that was just being started shows itself within this time. */
const WATCH_MS = 5_000;
const DEPTH = 5;

const [, , directory = ''] = process.argv;
if (!path.isAbsolute(directory)) throw new Error('no directory to watch over');

process.stdin.resume();
process.stdin.on('error', () => undefined);
process.stdin.once('close', () => void clearUp());

async function clearUp(): Promise<void> {
  const deadline = Date.now() + WATCH_MS;
  while ((await exists()) && Date.now() < deadline) {
    for (const [pid, signal] of await leftOver(directory)) end(pid, signal);
    await sleep(100);
  }
  await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

async function exists(): Promise<boolean> {
  return (await readdir(directory).catch(() => undefined)) !== undefined;
}

type Ending = [pid: number, signal: NodeJS.Signals];

/** The processes that the files below a directory name. */
async function leftOver(folder: string, depth = DEPTH): Promise<Ending[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: Ending[] = [];
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && depth > 0) found.push(...(await leftOver(file, depth - 1)));
    // An immediate shutdown, which takes the server's children along: nothing is wanted of its data.
    if (entry.name === 'postmaster.pid') found.push([(await numbersIn(file))[0] ?? 0, 'SIGQUIT']);
    if (entry.name === 'pids') for (const pid of await numbersIn(file)) found.push([pid, 'SIGTERM']);
    if (path.basename(folder) === 'children') found.push([Number(entry.name), 'SIGKILL']);
  }
  return found;
}

async function numbersIn(file: string): Promise<number[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').map(Number);
}

function end(pid: number, signal: NodeJS.Signals): void {
  if (!(pid > 1)) return;
  try {
    process.kill(pid, signal);
  } catch {
    // it has gone
  }
}
