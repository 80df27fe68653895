/** A worker process with the job of imports. */

import pg from 'pg';
import { createFrames } from '../../../src/db/frame.ts';
import { setFaultPoints } from '../../../src/fault-points.ts';
import { createGroupsService } from '../../../src/features/groups/groups-service.ts';
import { createImportKinds, type KindDeps } from '../../../src/features/imports/import-kinds.ts';
import { createImportJob } from '../../../src/features/imports/run-import.ts';
import { createClickIds } from '../../../src/features/referrals/open/click-ids.ts';
import { createUsersService } from '../../../src/features/users/users-service.ts';
import { house } from '../../../src/features.ts';
import { faultPointsOf } from '../../../src/house/house.ts';
import { createCursors } from '../../../src/http/pagination.ts';
import { createLogger } from '../../../src/http/request-log.ts';
import { createJobQueue } from '../../../src/jobs/queue.ts';
import { createTestWorker } from '../../support/jobs/test-jobs.ts';

const { WORKER_URL = '', FAULT_POINTS } = process.env;

setFaultPoints(FAULT_POINTS, faultPointsOf(house));
const frames = createFrames(new pg.Pool({ connectionString: WORKER_URL, max: 2 }));
const queue = createJobQueue(frames, createLogger('silent'));
await queue.open();
const none = async (): Promise<never> => {
  throw new Error('only members are imported here');
};
const others: Omit<KindDeps, 'users'> = {
  leads: { captureWithin: none },
  batches: { recordWithin: none },
  rates: { agreeRow: none },
};
const users = createUsersService({
  frames,
  cursors: createCursors(Buffer.alloc(32)),
  clickIds: createClickIds(Buffer.alloc(32)),
  groups: createGroupsService({ frames, cursors: createCursors(Buffer.alloc(32)) }),
});
const worker = createTestWorker({ workerUrl: WORKER_URL }, [
  createImportJob({ queue, kinds: createImportKinds({ users, ...others }) }),
]);
process.once('SIGTERM', () => void worker.stop(10_000).then(() => process.exit(0)));
await worker.start();
process.stdout.write('started\n');
