/** What is sent, to whom and how often (docs/specification/webhooks.md#attempts), against real receivers. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { eventually } from '../../support/jobs/test-jobs.ts';
import { type FakeReceiver, startFakeReceiver, verifies } from '../../support/webhooks/fake-receiver.ts';
import {
  createSendWorker,
  listAttempts,
  listDeliveries,
  plantEndpoint,
  plantEvents,
  whileSending,
} from '../../support/webhooks/plant-webhooks.ts';

let app: TestApp;
let scope: Scope;
let receiver: FakeReceiver;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  receiver = await startFakeReceiver();
  scope = { tenantId: (await app.newTenant()).tenantId, environment: 'LIVE' };
});
afterEach(() => receiver.close());

const statuses = async (): Promise<string[]> => (await listDeliveries(app, scope)).map(({ status }) => status);

describe('an event', () => {
  test('arrives signed, with its number, once', async () => {
    const { secret } = await plantEndpoint(app, scope, { url: receiver.url, headers: { 'X-Shop': 'one' } });
    const ids = await plantEvents(app, scope, 3);
    await whileSending(createSendWorker(app, [receiver]), () =>
      eventually(async () => (await statuses()).every((one) => one === 'delivered') && (await statuses()).length === 3),
    );
    expect(receiver.idsOf().toSorted()).toEqual(ids);
    const [first] = receiver.received;
    expect(first && verifies(first, secret)).toBe(true);
    expect(first?.headers).toMatchObject({ 'content-type': 'application/json', 'x-shop': 'one' });
    expect(receiver.received.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence).toSorted()).toEqual([
      1, 2, 3,
    ]);
    expect(await listAttempts(app, scope)).toHaveLength(3);
  });
});
