/** The service's own processes in a drill: API, worker and commands, each by its environment, as an operator runs them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

export type Env = Record<string, string>;

export interface DrillProcess {
  /** Of an API. */
  baseUrl: string;
  /** Lines of its log so far, and what it said on stderr. */
  log: string[];
  pid: number;
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | string>;
  stop(signal?: NodeJS.Signals): Promise<number | string>;
}

export interface CommandRun {
  code: number;
  stdout: string;
  stderr: string;
}

export const SOURCE = path.resolve(import.meta.dirname, '..');

/** Starts `src/main.ts` or `src/worker.ts` of `source` and waits until it says that it runs. */
export async function startProcess(options: {
  kind: 'main' | 'worker';
  env: Env;
  /** Where the drill notes its processes, for the watchdog. */
  children: string;
  source?: string;
}): Promise<DrillProcess> {
  const { kind, env, children, source = SOURCE } = options;
  const child = spawn(process.execPath, [`src/${kind}.ts`], { cwd: source, env, stdio: ['ignore', 'pipe', 'pipe'] });
  noteChild(child, children);
  const log: string[] = [];
  const ended = once(child, 'exit').then(([code, signal]) => (signal ?? code) as number | string);
  const said = kind === 'main' ? '"listening"' : '"background jobs are running"';
  const port = await new Promise<number>((resolve, reject) => {
    const read = (line: string): void => {
      log.push(line);
      if (line.includes(said)) resolve((JSON.parse(line) as { port?: number }).port ?? 0);
    };
    createInterface({ input: child.stdout }).on('line', read);
    createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
    child.once('exit', (code) => reject(new Error(`${kind} ended with ${code} before it ran: ${log.slice(-5).join('\n')}`)));
  });
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    log,
    pid: child.pid ?? 0,
    ended,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

/** Runs `node src/cli.ts …words` to its end. */
export async function runCommand(
  words: readonly string[],
  options: { env: Env; children: string; source?: string },
): Promise<CommandRun> {
  const { env, children, source = SOURCE } = options;
  const child = spawn(process.execPath, ['src/cli.ts', ...words], { cwd: source, env, stdio: ['ignore', 'pipe', 'pipe'] });
  noteChild(child, children);
  const done = { code: 0, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (done.stdout += chunk));
  child.stderr.on('data', (chunk) => (done.stderr += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { ...done, code: code ?? 1 };
}

/** A process that a drill starts does not outlive it: the watchdog ends what is noted here. */
export function noteChild(child: ChildProcess, children: string): void {
  const file = path.join(children, String(child.pid));
  mkdirSync(children, { recursive: true });
  writeFileSync(file, '');
  child.once('exit', () => rmSync(file, { force: true }));
}
