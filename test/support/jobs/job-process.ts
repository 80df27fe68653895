/** A worker process with the jobs of tests, which it can be told to hold in the middle. */

import { setTimeout as sleep } from 'node:timers/promises';
import { setFaultPoints } from '../../../src/fault-points.ts';
import { house } from '../../../src/features.ts';
import { faultPointsOf } from '../../../src/house/house.ts';
import { expireIdempotencyKeys } from '../../../src/http/expire-idempotency-keys.ts';
import type { JobHandler } from '../../../src/jobs/job.ts';
import { addEffect, createTestWorker } from './test-jobs.ts';

const { WORKER_URL = '', FAULT_POINTS, HOLD_IN_HANDLER_MS = '0', LONG_STATEMENT_S, POOL_SIZE = '4' } = process.env;

const handlers: JobHandler[] = [
  {
    name: 'note',
    kind: 'transactional',
    async run(db, { id, scope }) {
      await db.rows(addEffect(scope, { jobId: id, what: 'first' }));
      if (LONG_STATEMENT_S) await db.rows({ text: 'select pg_sleep($1)', values: [LONG_STATEMENT_S] });
      await sleep(Number(HOLD_IN_HANDLER_MS));
      await db.rows(addEffect(scope, { jobId: id, what: 'second' }));
    },
  },
  {
    name: 'note-leased',
    kind: 'leased',
    async run(frames, { id, scope, attempt }) {
      await frames.write(scope, (db) => db.rows(addEffect(scope, { jobId: id, what: `first of ${attempt}` })));
      await sleep(Number(HOLD_IN_HANDLER_MS));
      await frames.write(scope, (db) => db.rows(addEffect(scope, { jobId: id, what: `second of ${attempt}` })));
    },
  },
];

setFaultPoints(FAULT_POINTS, faultPointsOf(house));
const worker = createTestWorker({ workerUrl: WORKER_URL }, handlers, {
  sweeps: [expireIdempotencyKeys],
  poolSize: Number(POOL_SIZE),
});
async function end(): Promise<void> {
  const drained = await worker.stop(10_000);
  await worker.close();
  process.exit(drained ? 0 : 1);
}
process.once('SIGTERM', () => void end());
await worker.start();
process.stdout.write('started\n');
