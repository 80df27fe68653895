/** A worker process that only sends: for tests that kill it. */

import { createCipher } from '../../../src/encryption.ts';
import { setFaultPoints } from '../../../src/fault-points.ts';
import { createSendLoop } from '../../../src/features/webhooks/sending/send-loop.ts';
import { house } from '../../../src/features.ts';
import { faultPointsOf } from '../../../src/house/house.ts';
import { createLogger } from '../../../src/http/request-log.ts';
import { createOutgoingClient } from '../../../src/outgoing/outgoing-client.ts';
import { createTestWorker } from '../jobs/test-jobs.ts';

const { WORKER_URL = '', FAULT_POINTS, DATA_KEY = '', RECEIVER_HOST = '', RECEIVER_CERT = '' } = process.env;

setFaultPoints(FAULT_POINTS, faultPointsOf(house));
const worker = createTestWorker({ workerUrl: WORKER_URL }, [], {
  loops: [
    createSendLoop({
      cipher: createCipher([{ id: 'test', key: Buffer.from(DATA_KEY, 'base64') }]),
      outgoing: createOutgoingClient([RECEIVER_HOST], { ca: RECEIVER_CERT }),
      logger: createLogger('error'),
      // Of endpoints that may be sent everything.
      scopeOfType: () => '*',
    }),
  ],
});
await worker.start();
process.stdout.write('started\n');
