/** The real process, `node src/main.ts`, on a test database: for several API processes and for crashes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { CHILD_ENV, noteChild } from './child-process.ts';
import type { TestApp } from './test-app.ts';

export interface ApiProcess {
  baseUrl: string;
  /** Resolves when the process has ended, with the signal that ended it. */
  ended: Promise<NodeJS.Signals | null>;
  stop(): Promise<void>;
}

/** Starts a process with the keys and database of `app`; `env` adds to its settings. */
export async function startApiProcess(app: TestApp, env: Record<string, string> = {}): Promise<ApiProcess> {
  const { apiKeyPepper, dataKeys } = app.config.secrets;
  const child: ChildProcess = spawn(process.execPath, ['src/main.ts'], {
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
      JOBS: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  noteChild(child);
  const ended = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null);
  const port = await portOf(child);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    ended,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The port, from the log line that says `listening`. The log is read to its end, so that the pipe never fills. */
function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    if (!child.stdout) throw new Error('the child has no stdout');
    child.once('exit', (code) => reject(new Error(`the API process ended with ${code} before it listened`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.includes('"listening"')) return;
      const { port } = JSON.parse(line) as { port: number };
      resolve(port);
    });
  });
}
