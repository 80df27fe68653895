/**
 * What a drill works with. Everything that it starts and writes is below one temporary directory, which a watchdog clears
 * however the drill ends.
 */

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DrillCluster, openCluster } from './cluster.ts';
import { type CommandRun, type DrillProcess, type Env, runCommand, SOURCE, startProcess } from './processes.ts';

export interface Drill {
  name: string;
  title: string;
  run(kit: DrillKit): Promise<void>;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a drill reads what it knows to be there
  body: any;
}

export interface DrillKit {
  /** Fewer rows, shorter waits. */
  quick: boolean;
  directory: string;
  /** What all processes of the drill have in their environment, secrets included. */
  env: Env;
  /** Tells what the drill does now. */
  step(text: string): void;
  /** For the line of figures. */
  figure(name: string, value: string | number): void;
  /** A promise that is broken is told, and the drill has failed; it goes on. */
  check(kept: boolean, promise: string): void;
  /** A database server of its own in `directory/name`, with its roles; the same name is the same server. */
  cluster(name: string, settings?: Record<string, string>): Promise<DrillCluster>;
  /** The environment that an operator's shell has for this database. */
  envOf(cluster: DrillCluster, more?: Env): Env;
  /** Runs a command of the service, which must succeed unless `fails` is set, and keeps it for the runbooks' test. */
  cli(
    cluster: DrillCluster,
    words: readonly string[],
    options?: { env?: Env; fails?: boolean; source?: string },
  ): Promise<CommandRun>;
  /** A command by --json, read. */
  cliJson<T>(cluster: DrillCluster, words: readonly string[], options?: { env?: Env; fails?: boolean }): Promise<T>;
  /** Notes that the drill has done what this line of a runbook says by other means. */
  ran(line: string): void;
  api(cluster: DrillCluster, options?: { env?: Env; source?: string }): Promise<DrillProcess>;
  worker(cluster: DrillCluster, options?: { env?: Env; source?: string }): Promise<DrillProcess>;
  /** A keyed call. */
  call(api: { baseUrl: string }, key: string, method: string, pathAndQuery: string, body?: unknown): Promise<Answer>;
  /** Waits until it is so. Throws with `what` when it never is. */
  until(what: string, isSo: () => Promise<boolean>, timeoutMs?: number): Promise<void>;
  /** Throws unless no invariant is broken. */
  doctor(cluster: DrillCluster): Promise<void>;
  /** Called at the end, in reverse order, whatever came of the drill. */
  onEnd(close: () => unknown): void;
}

export interface DrillOutcome {
  ok: boolean;
  figures: Record<string, string | number>;
  broken: string[];
  /** Every command that was run, with ids and paths left open, in order and once. */
  commands: string[];
}

/** Runs one drill. It leaves nothing behind. */
export async function runDrill(drill: Drill, { quick, say }: { quick: boolean; say(line: string): void }): Promise<DrillOutcome> {
  const directory = await mkdtemp(path.join(tmpdir(), 'svc-drill-'));
  await chmod(directory, 0o711);
  const endWatch = watchOver(directory);
  const outcome: DrillOutcome = { ok: true, figures: {}, broken: [], commands: [] };
  const closers: (() => unknown)[] = [];
  const started = performance.now();
  try {
    await drill.run(createKit({ quick, directory, say, outcome, closers }));
  } catch (error) {
    outcome.broken.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  outcome.figures['seconds'] = Math.round((performance.now() - started) / 1000);
  outcome.ok = outcome.broken.length === 0;
  for (const close of closers.toReversed()) await Promise.resolve(close()).catch?.(() => undefined);
  await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  endWatch();
  return outcome;
}

function createKit(given: {
  quick: boolean;
  directory: string;
  say(line: string): void;
  outcome: DrillOutcome;
  closers: (() => unknown)[];
}): DrillKit {
  const { quick, directory, say, outcome, closers } = given;
  const children = path.join(directory, 'children');
  const clusters = new Map<string, DrillCluster>();
  const env: Env = {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'test',
    NODE_COMPILE_CACHE: path.join(directory, 'compiled'),
    TMPDIR: directory,
    HOST: '127.0.0.1',
    PORT: '0',
    JOBS: 'off',
    DATA_DIR: path.join(directory, 'data'),
    DATABASE_ACQUIRE_TIMEOUT_MS: '10000',
    API_KEY_PEPPER: randomBytes(32).toString('base64'),
    DATA_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    RATE_LIMIT_LIVE: '1000000',
    RATE_LIMIT_SANDBOX: '1000000',
  };

  const kit: DrillKit = {
    quick,
    directory,
    env,
    step: (text) => say(`  ${text}`),
    figure(name, value) {
      outcome.figures[name] = value;
    },
    check(kept, promise) {
      if (kept) return;
      outcome.broken.push(promise);
      say(`  BROKEN: ${promise}`);
    },
    async cluster(name, settings = {}) {
      const known = clusters.get(name);
      if (known) return known;
      const cluster = await openCluster(path.join(directory, name), settings);
      clusters.set(name, cluster);
      closers.push(() => cluster.stop());
      return cluster;
    },
    envOf: ({ urls }, more = {}) => ({
      ...env,
      DATABASE_OWNER_URL: urls.ownerUrl,
      DATABASE_URL: urls.appUrl,
      DATABASE_WORKER_URL: urls.workerUrl,
      DATABASE_ADMIN_URL: urls.adminUrl,
      ...more,
    }),
    async cli(cluster, words, { env: more = {}, fails = false, source = SOURCE } = {}) {
      kit.ran(`cli ${words.map(quoted).join(' ')}`);
      const done = await runCommand(words, { env: kit.envOf(cluster, more), children, source });
      if ((done.code !== 0) !== fails) {
        throw new Error(`cli ${words.join(' ')} ended with ${done.code}:\n${done.stdout}${done.stderr}`);
      }
      return done;
    },
    async cliJson(cluster, words, options) {
      return JSON.parse((await kit.cli(cluster, [...words, '--json'], options)).stdout);
    },
    ran(line) {
      const open = openForm(line, directory);
      if (!outcome.commands.includes(open)) outcome.commands.push(open);
    },
    async api(cluster, { env: more = {}, source = SOURCE } = {}) {
      await mkdir(env['DATA_DIR'] ?? '', { recursive: true });
      const api = await startProcess({ kind: 'main', env: kit.envOf(cluster, more), children, source });
      closers.push(() => api.stop('SIGKILL'));
      return api;
    },
    async worker(cluster, { env: more = {}, source = SOURCE } = {}) {
      const worker = await startProcess({ kind: 'worker', env: kit.envOf(cluster, more), children, source });
      closers.push(() => worker.stop('SIGKILL'));
      return worker;
    },
    async call({ baseUrl }, key, method, pathAndQuery, body) {
      const answer = await fetch(`${baseUrl}${pathAndQuery}`, {
        method,
        headers: { 'x-tenant-api-key': key, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
    },
    async until(what, isSo, timeoutMs = 60_000) {
      const deadline = performance.now() + timeoutMs;
      while (!(await isSo())) {
        if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`);
        await sleep(100);
      }
    },
    async doctor(cluster) {
      await kit.cli(cluster, ['doctor']);
    },
    onEnd: (close) => void closers.push(close),
  };
  return kit;
}

const quoted = (word: string): string => (/^[\w./:=,@%+-]+$/.test(word) ? word : `'${word}'`);

/** As a runbook has it: `<>` for what is another each time. The runbooks' test reads their `<names>` in the same way. */
export function openForm(line: string, directory = '/nowhere'): string {
  return line
    .replaceAll(/\s+--json\b/g, '')
    .replaceAll(new RegExp(`${directory}[^\\s']*`, 'g'), '<>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<>')
    .replaceAll(/'[^']*'/g, '<>')
    .replaceAll(/<[^>]*>/g, '<>')
    .trim();
}

/** A signal can end this process without a word, and servers outlive whoever started them. */
function watchOver(directory: string): () => void {
  const watchdog = spawn(process.execPath, [path.join(SOURCE, 'test/setup/watchdog.ts'), directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // Ctrl-C is sent to every process of the group
  });
  watchdog.unref();
  (watchdog.stdin as unknown as { unref(): void }).unref();
  return () => void watchdog.stdin.end();
}
