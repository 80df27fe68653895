/** The service under the demo, found or started, and the operator's command line beside it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Service {
  baseUrl: string;
  /** Started here, to be stopped at the end. */
  own: boolean;
  /** Waits until a service started here may be given requests. */
  ready(): Promise<void>;
  /** Stops a service started here; once, however often it is called. */
  stop(): Promise<void>;
}

const SOURCES = path.join(import.meta.dirname, '../src');
const PROBE_MS = 3_000;
/** The first start on a machine creates the database. */
const START_MS = 120_000;
const STOP_MS = 45_000;

/** What answers at an address: the service, the service not ready, something else, or nothing. */
export async function probe(baseUrl: string): Promise<'ready' | 'not ready' | 'something else' | 'nothing'> {
  let response: Response;
  try {
    response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(PROBE_MS) });
  } catch {
    return 'nothing';
  }
  const body = (await response.json().catch(() => undefined)) as { status?: string; code?: string } | undefined;
  if (response.status === 200 && body?.status === 'ready') return 'ready';
  return body?.code === 'SERVICE_UNAVAILABLE' ? 'not ready' : 'something else';
}

/** Starts the service as a child on a free port. */
export async function startService(): Promise<Service> {
  const port = await findFreePort();
  const baseUrl = `http://localhost:${port}`;
  const child = spawn(process.execPath, [path.join(SOURCES, 'main.ts')], {
    env: { ...process.env, PORT: String(port), EXAMPLE_PORT: '0', LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C reaches the demo alone, which then stops the service once and cleanly.
    detached: true,
  });
  const said = keepLastLines(child);
  let stopping: Promise<void> | undefined;
  return {
    baseUrl,
    own: true,
    async ready() {
      const deadline = Date.now() + START_MS;
      while ((await probe(baseUrl)) !== 'ready') {
        if (hasEnded(child)) throw new Error(`the service did not start:\n${said()}`);
        if (Date.now() > deadline) throw new Error(`the service was not ready after ${START_MS / 1000} seconds:\n${said()}`);
        await sleep(100);
      }
    },
    stop: () => (stopping ??= stopChild(child)),
  };
}

/** Runs an operator's command with --json, in this environment, and returns the value it prints. */
export async function runCli<Value>(...args: string[]): Promise<Value> {
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [path.join(SOURCES, 'cli.ts'), ...args, '--json'], (_error, stdout, stderr) =>
      resolve({ stdout, stderr }),
    );
  });
  try {
    return JSON.parse(stdout) as Value;
  } catch {
    throw new Error(`the command «${args.join(' ')}» failed: ${(stderr || stdout).trim()}`);
  }
}

function keepLastLines(child: ChildProcess): () => string {
  let text = '';
  const keep = (chunk: Buffer): void => {
    text = `${text}${chunk.toString()}`.slice(-4_000);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return () => text.trim();
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const inTime = await Promise.race([ended.then(() => true), sleep(STOP_MS, false, { ref: false })]);
  if (!inTime) child.kill('SIGKILL');
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0), 'listening');
  const address = server.address();
  await once(server.close(), 'close');
  if (address === null || typeof address === 'string') throw new Error('the port probe has no TCP address');
  return address.port;
}
