/** Jobs that exist in tests only, a table for their effects, and workers that run them: here or in a process of their own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { openPool } from '../../../src/db/connect.ts';
import { raw, statement } from '../../../src/db/query.ts';
import type { Db, Scope } from '../../../src/db/scope.ts';
import type { Outbox } from '../../../src/db/telling.ts';
import { createLogger } from '../../../src/http/request-log.ts';
import { type Background, createBackground } from '../../../src/jobs/background.ts';
import type { BackgroundLoop } from '../../../src/jobs/background-loop.ts';
import type { JobDeclaration } from '../../../src/jobs/declarations.ts';
import { installJobs } from '../../../src/jobs/install.ts';
import type { JobHandler } from '../../../src/jobs/job.ts';
import type { Sweep } from '../../../src/jobs/schedule.ts';
import { CHILD_ENV, noteChild } from '../app/child-process.ts';
import type { TestDatabase } from '../database/test-database.ts';

export const TEST_JOBS: readonly JobDeclaration[] = [
  { name: 'note', kind: 'transactional' },
  { name: 'note-once', kind: 'transactional', retryLimit: 1 },
  { name: 'note-leased', kind: 'leased' },
];

/** Makes the queues of TEST_JOBS, and a tenant table `effect` that a row is added to for each thing done. */
export async function installTestJobs(database: TestDatabase): Promise<void> {
  await installJobs(database.ownerUrl, TEST_JOBS);
  await database.asSuperuser(`
    create table effect (tenant_id uuid not null, environment text not null, job_id uuid not null, what text not null,
                         at timestamptz not null default clock_timestamp());
    call raise_tenant_wall('effect');
    grant select, insert on effect to svc_app, svc_worker;`);
}

export const addEffect = statement<unknown, { jobId: string; what: string }>('test_add_effect', ({ jobId, what }) =>
  raw(`insert into effect (tenant_id, environment, job_id, what) values (:tenantId, :environment, :jobId, :what)`, {
    jobId,
    what,
  }),
);

/** Adds an effect in a scope of the caller's choice: row security has the last word. */
export const noteIn = (db: Db, { tenantId, environment }: Scope, jobId: string, what: string): Promise<unknown> =>
  db.rows(addEffect({ tenantId, environment }, { jobId, what }));

export interface Effect {
  tenant_id: string;
  environment: string;
  job_id: string;
  what: string;
  at: Date;
}

export const listEffects = (database: TestDatabase): Promise<Effect[]> =>
  database.asSuperuser<Effect>('select * from effect order by at');

export interface StoredJob {
  id: string;
  name: string;
  state: string;
  retry_count: number;
  retry_delay: number;
  retry_backoff: boolean;
  data: Record<string, string>;
  output: Record<string, unknown> | null;
  source_name: string | null;
  source_id: string | null;
  start_after: Date;
  keep_until: Date;
}

export const listJobs = (database: TestDatabase): Promise<StoredJob[]> =>
  database.asSuperuser<StoredJob>('select * from pgboss.job order by created_on, id');

/**
 * Lets the jobs that are there wait so long for their first repeat that no worker takes them again while a test
 * looks at them; `skipBackOff` ends the waiting.
 */
export const waitLongForRepeats = (database: TestDatabase): Promise<unknown> =>
  database.asSuperuser('update pgboss.job set retry_delay = 60');

/** Makes waiting repeats due now. */
export const skipBackOff = (database: TestDatabase): Promise<unknown> =>
  database.asSuperuser("update pgboss.job set start_after = now() where state = 'retry'");

export interface TestWorker extends Background {
  logLines: Record<string, unknown>[];
}

/** A worker in this process, not yet started. */
export function createTestWorker(
  database: Pick<TestDatabase, 'workerUrl'>,
  handlers: readonly JobHandler[],
  {
    sweeps = [] as readonly Sweep[],
    loops = [] as readonly BackgroundLoop[],
    outbox = undefined as Outbox | undefined,
    poolSize = 4,
  } = {},
): TestWorker {
  const logLines: Record<string, unknown>[] = [];
  const logger = createLogger('info', { write: (line) => void logLines.push(JSON.parse(line) as Record<string, unknown>) });
  const pool = openPool({
    url: database.workerUrl,
    size: poolSize,
    acquireTimeoutMs: 5_000,
    applicationName: 'svc-worker',
    logger,
  });
  return {
    ...createBackground({ pool, logger, sweeps, handlers, loops, ...(outbox && { outbox }), sweepIntervalMs: 50 }),
    logLines,
  };
}

/** Runs a worker until `done` resolves to true. */
export async function workUntil(worker: TestWorker, done: () => Promise<boolean>): Promise<void> {
  await worker.start();
  try {
    await eventually(done);
  } finally {
    await worker.stop(10_000);
    await worker.close();
  }
}

export async function eventually(done: () => Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await done())) {
    if (performance.now() > deadline) throw new Error('it did not happen in time');
    await sleep(20);
  }
}

export interface WorkerProcess {
  child: ChildProcess;
  /** Resolves with the signal that ended the process, or its exit code. */
  ended: Promise<NodeJS.Signals | number | null>;
}

/** test/support/jobs/job-process.ts as a process, or another one of there, once its loops run. It does not outlive the test. */
export async function startWorkerProcess(
  database: TestDatabase,
  env: Record<string, string> = {},
  file = 'job-process.ts',
): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, file)], {
    env: { ...CHILD_ENV, WORKER_URL: database.workerUrl, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  noteChild(child);
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit').then(([code, signal]) => (signal ?? code) as NodeJS.Signals | number | null);
  if (!child.stdout) throw new Error('the child has no stdout');
  const lines = createInterface({ input: child.stdout });
  await Promise.race([once(lines, 'line'), ended]);
  return { child, ended };
}
