/** A worker process with the jobs of tests: FAULT_POINTS kills it, HANDLER_KILLS_AT kills it in the middle of the handler. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFaultPoints } from '../../src/fault-points.ts';
import type { JobHandler } from '../../src/jobs/job.ts';
import { addEffect, createTestWorker } from './test-jobs.ts';

const { WORKER_URL = '', FAULT_POINTS, KILL_IN_HANDLER, HOLD_IN_HANDLER_MS = '0', LONG_STATEMENT } = process.env;

async function misbehave(): Promise<void> {
  if (KILL_IN_HANDLER) process.kill(process.pid, 'SIGKILL');
  await sleep(Number(HOLD_IN_HANDLER_MS));
}

const handlers: JobHandler[] = [
  {
    name: 'note',
    kind: 'transactional',
    async run(db, { id, scope }) {
      await db.rows(addEffect(scope.tenantId, scope.environment, id, 'first'));
      if (LONG_STATEMENT) {
        setTimeout(() => process.kill(process.pid, 'SIGKILL'), 200);
        await db.rows({ text: 'select pg_sleep(30)', values: [] });
      }
      await misbehave();
      await db.rows(addEffect(scope.tenantId, scope.environment, id, 'second'));
    },
  },
  {
    name: 'note-leased',
    kind: 'leased',
    async run(frames, { id, scope, attempt }) {
      await frames.write(scope, (db) => db.rows(addEffect(scope.tenantId, scope.environment, id, `first of ${attempt}`)));
      await misbehave();
      await frames.write(scope, (db) => db.rows(addEffect(scope.tenantId, scope.environment, id, `second of ${attempt}`)));
    },
  },
];

setFaultPoints(FAULT_POINTS);
const worker = createTestWorker({ workerUrl: WORKER_URL } as Parameters<typeof createTestWorker>[0], handlers);
process.once('SIGTERM', async () => {
  const drained = await worker.stop(10_000);
  await worker.close();
  process.exit(drained ? 0 : 1);
});
await worker.start();
process.stdout.write('started\n');
