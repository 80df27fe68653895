/** A worker process with the sweeps and the job of payouts, and a vendor at VENDOR_URL. */

import pg from 'pg';
import { createFrames } from '../../../src/db/frame.ts';
import { setFaultPoints } from '../../../src/fault-points.ts';
import { createAdvancePayouts } from '../../../src/features/payouts/payouts/advance-payouts.ts';
import { house } from '../../../src/features.ts';
import { faultPointsOf } from '../../../src/house/house.ts';
import { createLogger } from '../../../src/http/request-log.ts';
import { createJobQueue } from '../../../src/jobs/queue.ts';
import { createTestWorker } from '../jobs/test-jobs.ts';
import { freeze, settle } from './books-of-payouts.ts';
import { remotePayoutVendor } from './payout-vendor-remote.ts';
import { payoutSweeps } from './payout-world.ts';

const { WORKER_URL = '', VENDOR_URL = '', FAULT_POINTS } = process.env;

setFaultPoints(FAULT_POINTS, faultPointsOf(house));
const frames = createFrames(new pg.Pool({ connectionString: WORKER_URL, max: 2 }));
const logger = createLogger('silent');
const queue = createJobQueue(frames, logger);
await queue.open();
const vendor = remotePayoutVendor(VENDOR_URL);
const worker = createTestWorker(
  { workerUrl: WORKER_URL },
  [createAdvancePayouts({ vendorOf: async () => vendor, logger, settlePayout: settle, freeze })],
  {
    sweeps: payoutSweeps(queue.enqueue),
  },
);
process.once('SIGTERM', () => void worker.stop(10_000).then(() => process.exit(0)));
await worker.start();
process.stdout.write('started\n');
