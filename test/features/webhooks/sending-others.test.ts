/** What holds up some tenants' endpoints holds up no other tenant's (docs/specification/webhooks.md#turns). */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { eventually } from '../../support/jobs/test-jobs.ts';
import { type FakeReceiver, startFakeReceiver } from '../../support/webhooks/fake-receiver.ts';
import { forgetTold, listAttempts, plantEndpoint, plantEvents, silenceEndpoints } from '../../support/webhooks/plant-webhooks.ts';
import { createSendWorker, whileSending } from '../../support/webhooks/send-worker.ts';
import { sealAll } from '../../support/webhooks/told-events.ts';

let app: TestApp;
let scope: Scope;
let receiver: FakeReceiver;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  receiver = await startFakeReceiver();
  scope = await newScope();
});
afterEach(async () => {
  receiver.close();
  await silenceEndpoints(app);
});

async function newScope(): Promise<Scope> {
  const { tenantId } = await app.newTenant();
  await forgetTold(app, { tenantId });
  return { tenantId, environment: 'LIVE' };
}
const at = (path: string): string => receiver.url.replace('/hooks', path);

/** An answer that does not come until it is let go. */
function openHold(): { after: Promise<void>; letGo: () => void } {
  let letGo = (): void => undefined;
  const after = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { after, letGo };
}

test('endpoints that have failed before never take all places, however many there are', async () => {
  const PLACES = 64;
  const deadOnes = [await newScope(), await newScope()];
  for (const dead of deadOnes) {
    await Promise.all(Array.from({ length: PLACES / 2 }, () => plantEndpoint(app, dead, { url: at('/dead') })));
    await app.database.asSuperuser("update webhook_endpoint set failing_since = now() - interval '1 day' where tenant_id = $1", [
      dead.tenantId,
    ]);
    await plantEvents(app, dead, 1);
    await sealAll(app, dead);
  }
  for (let n = 0; n < 5; n++) await plantEndpoint(app, scope, { url: at('/well') });
  await plantEvents(app, scope, 1);
  await sealAll(app, scope);
  // As if the dead ones had waited for longer.
  await app.database.asSuperuser("update webhook_endpoint set next_at = next_at - interval '1 hour' where tenant_id = any ($1)", [
    deadOnes.map(({ tenantId }) => tenantId),
  ]);
  const { after, letGo } = openHold();
  receiver.reply = ({ path }) => ({ status: path === '/dead' ? 503 : 200, after });
  await whileSending(createSendWorker(app, [receiver]), async () => {
    try {
      await eventually(async () => receiver.idsOf('/well').length === 5);
      // Nobody is answered yet: each of the well ones has a place of its own beside those of the dead ones.
      expect(receiver.mostAtOnce()).toBeGreaterThan(5);
      expect(receiver.mostAtOnce()).toBeLessThanOrEqual(PLACES / 2 + 5);
    } finally {
      letGo();
    }
    await eventually(async () => (await listAttempts(app, scope)).length >= 5);
  });
});
