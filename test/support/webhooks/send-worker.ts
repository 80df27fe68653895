/** Workers of tests that only send. */
import { createCipher } from '../../../src/encryption.ts';
import { createScopeOfType } from '../../../src/features/webhooks/open/event-rights.ts';
import { createSendLoop } from '../../../src/features/webhooks/sending/send-loop.ts';
import { house, webhooks } from '../../../src/features.ts';
import { eventsOf } from '../../../src/house/house.ts';
import { createLogger } from '../../../src/http/request-log.ts';
import { createScopeOf } from '../../../src/http/rights.ts';
import type { BackgroundLoop } from '../../../src/jobs/background-loop.ts';
import { createOutgoingClient, type OutgoingSeams } from '../../../src/outgoing/outgoing-client.ts';
import type { TestApp } from '../app/test-app.ts';
import { createTestWorker, type TestWorker } from '../jobs/test-jobs.ts';
import type { FakeReceiver } from './fake-receiver.ts';

/** The sending loop, which may reach the receivers. */
export function createTestSendLoop(app: TestApp, receivers: readonly FakeReceiver[], seams: OutgoingSeams = {}): BackgroundLoop {
  const ca = receivers.map(({ cert }) => cert).join('\n');
  return createSendLoop({
    cipher: createCipher(app.config.secrets.dataKeys),
    outgoing: createOutgoingClient(
      receivers.map(({ host }) => host),
      { ca, ...seams },
    ),
    scopeOfType: createScopeOfType({ events: eventsOf(house), scopeOf: createScopeOf(app.composition.app.operations) }),
    logger: createLogger('info', { write: (line) => void app.logLines.push(line) }),
  });
}

/** A worker with the sending loop alone. Not started. */
export function createSendWorker(app: TestApp, receivers: readonly FakeReceiver[], seams: OutgoingSeams = {}): TestWorker {
  const loop = createTestSendLoop(app, receivers, seams);
  return createTestWorker(app.database, [], { loops: [loop], outbox: app.composition.offer(webhooks).outbox });
}

/** Runs the worker while `work` goes on. */
export async function whileSending<T>(worker: TestWorker, work: () => Promise<T>): Promise<T> {
  await worker.start();
  try {
    return await work();
  } finally {
    await worker.stop(20_000);
    await worker.close();
  }
}
