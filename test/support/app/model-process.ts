/** The real process, `node src/main.ts`, on a test database: for several API processes and for crashes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { CHILD_ENV, noteChild } from './child-process.ts';
import type { TestApp } from './test-app.ts';

export interface ServiceProcess {
  child: ChildProcess;
  /** Every log line so far. */
  logLines: string[];
  /** Resolves when the process has ended, with its code and the signal that ended it. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Resolves with the first log line of this message; rejects when the process ends before. */
  logs(message: string): Promise<Record<string, unknown>>;
}

export interface ApiProcess extends ServiceProcess {
  baseUrl: string;
  /** Resolves when the process has ended, with the signal that ended it. */
  ended: Promise<NodeJS.Signals | null>;
  stop(): Promise<void>;
}

/** Starts the API with the keys and database of `app`; `env` adds to its settings. */
export async function startApiProcess(app: TestApp, env: Record<string, string> = {}): Promise<ApiProcess> {
  const service = startServiceProcess(app, 'main.ts', { JOBS: 'off', ...env });
  const ended = service.exited.then(({ signal }) => signal);
  const { port } = await service.logs('listening');
  return {
    ...service,
    baseUrl: `http://127.0.0.1:${String(port)}`,
    ended,
    async stop() {
      service.child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Starts the API or the worker; what it logs is read to its end, so that the pipe never fills. */
export function startServiceProcess(app: TestApp, file: 'main.ts' | 'worker.ts', env: Record<string, string>): ServiceProcess {
  const { apiKeyPepper, dataKeys } = app.config.secrets;
  const child = spawn(process.execPath, [`src/${file}`], {
    cwd: path.resolve(import.meta.dirname, '../../..'),
    env: {
      ...CHILD_ENV,
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: app.database.appUrl,
      DATABASE_ACQUIRE_TIMEOUT_MS: '15000',
      DATA_DIR: app.config.DATA_DIR,
      API_KEY_PEPPER: apiKeyPepper.toString('base64'),
      DATA_KEYS: dataKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
      RATE_LIMIT_LIVE: '1000000',
      RATE_LIMIT_SANDBOX: '1000000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  noteChild(child);
  const logLines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    logLines.push(line);
    child.emit('logged', line);
  });
  const exited: ServiceProcess['exited'] = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  return {
    child,
    logLines,
    exited,
    logs: (message) =>
      new Promise((resolve, reject) => {
        const look = (line: string): void => {
          if (line.includes(`"msg":"${message}`)) resolve(JSON.parse(line) as Record<string, unknown>);
        };
        logLines.forEach(look);
        child.on('logged', look);
        child.once('exit', (code) => reject(new Error(`the process ended with ${code} before it logged "${message}"`)));
      }),
  };
}
