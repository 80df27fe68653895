/** One process of the service in a trial: src/main.ts or src/worker.ts, with a log file, on a port that stays its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const START_MS = 120_000;

export interface ServiceProcess {
  name: string;
  pid(): number;
  isRunning(): boolean;
  /** Undefined: a worker. */
  baseUrl: string | undefined;
  /** Starts it anew, with what `env` adds this once; resolves when it is ready. */
  start(env?: Record<string, string>): Promise<void>;
  /** Kills it with -9. */
  kill(): Promise<void>;
  /** SIGTERM. Resolves with the exit code, or the signal that ended it, and how long it took. */
  terminate(): Promise<{ code: number | NodeJS.Signals | null; ms: number }>;
  /** Resolves when it ends, however it does. */
  ended(): Promise<number | NodeJS.Signals | null>;
  log(): Promise<string>;
  /** Asks the probe that was loaded into it. */
  ask<Answer>(question: string): Promise<Answer>;
}

interface ServiceOptions {
  name: string;
  program: 'main.ts' | 'worker.ts';
  directory: string;
  env: Record<string, string>;
  port: number | undefined;
  nodeArguments: readonly string[];
  note: (child: ChildProcess) => void;
}

export function describeService({ name, program, directory, env, port, nodeArguments, note }: ServiceOptions): ServiceProcess {
  const logFile = path.join(directory, `${name}.log`);
  const aliveFile = path.join(directory, `${name}.alive`);
  const own: Record<string, string> = port === undefined ? { WORKER_ALIVE_FILE: aliveFile } : { PORT: String(port) };
  let child: ChildProcess | undefined;
  let ended: Promise<number | NodeJS.Signals | null> = Promise.resolve(null);
  const running = (): ChildProcess => {
    if (!child) throw new Error(`${name} was not started`);
    return child;
  };
  const log = (): Promise<string> => readFile(logFile, 'utf8').catch(() => '');

  /** A worker is ready once its loops have passed since. */
  async function isReady(since: number): Promise<boolean> {
    if (port === undefined) return (await stat(aliveFile).catch(() => ({ mtimeMs: 0 }))).mtimeMs > since;
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    await answer?.arrayBuffer();
    return answer?.status === 200;
  }

  return {
    name,
    pid: () => running().pid ?? 0,
    isRunning: () => child !== undefined && child.exitCode === null && child.signalCode === null,
    baseUrl: port === undefined ? undefined : `http://127.0.0.1:${port}`,
    async start(more = {}) {
      const begun = Date.now();
      const file = openSync(logFile, 'a');
      const started = spawn(process.execPath, [...nodeArguments, path.join(ROOT, 'src', program)], {
        cwd: ROOT,
        env: { ...env, ...own, ...more },
        stdio: ['ignore', file, file, 'ipc'],
      });
      closeSync(file);
      child = started;
      started.on('error', () => undefined); // told by its end
      note(started);
      ended = once(started, 'exit').then(([code, signal]) => (signal ?? code) as number | NodeJS.Signals | null);
      for (const until = begun + START_MS; !(await isReady(begun)); await sleep(50)) {
        if (started.exitCode !== null || started.signalCode !== null || Date.now() > until) {
          throw new Error(`${name} did not start: ${(await log()).slice(-2_000)}`);
        }
      }
    },
    async kill() {
      running().kill('SIGKILL');
      await ended;
    },
    async terminate() {
      const begun = performance.now();
      running().kill('SIGTERM');
      const code = await Promise.race([ended, sleep(60_000, 'SIGKILL' as const, { ref: false })]);
      const ms = performance.now() - begun;
      if (code === 'SIGKILL') running().kill('SIGKILL');
      return { code, ms };
    },
    ended: () => ended,
    log,
    ask: (question) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${name} does not answer its probe`)), 60_000);
        running().once('message', (answer) => {
          clearTimeout(timer);
          resolve(answer as never);
        });
        running().send(question);
      }),
  };
}
