/** The daily check of a ledger, and what the tenant is told of it: docs/specification/commissions.md#sealing. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { runJobs } from '../../support/jobs/run-jobs.ts';
import { eventually } from '../../support/jobs/test-jobs.ts';
import { tamper } from '../../support/money/ledger-books.ts';
import { purchaseOf } from '../../support/money/money-calls.ts';
import { toldEvents } from '../../support/webhooks/told-events.ts';

let app: TestApp;
let scope: Scope;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('of a ledger that does not verify tells once, however often it is tried, and the next check tells again', async () => {
  const { tenantId, sandboxKey } = await app.newTenant();
  scope = { tenantId, environment: 'SANDBOX' };
  const client = apiClient(app, sandboxKey);
  const { id } = await client.newMember();
  await purchaseOf(client, { attribution: { user_id: id } });
  await app.runSweep('seal-ledger', scope);
  await tamper(app, `update posting set amount_minor = amount_minor + 1 where tenant_id = '${tenantId}' and seq = 0`);
  const told = async () => (await toldEvents(app, scope)).filter(({ type }) => type === 'ledger.fault_found');
  /** A check to its end: what waits for a repetition is due at once. */
  const check = async (): Promise<void> => {
    await eventually(async () => {
      await runJobs(app, 'check-ledger');
      const waiting = await app.database.asSuperuser(
        `update pgboss.job set start_after = now()
         where name = 'check-ledger' and state <> 'failed' and data->>'tenantId' = $1 returning id`,
        [tenantId],
      );
      return waiting.length === 0;
    });
  };
  await check();
  expect(await told()).toMatchObject([{ objectId: tenantId, actor: 'system', data: { faults: expect.anything() } }]);
  await app.composition.background.frames.write(scope, async (db) => {
    await app.composition.queue.enqueue(db, scope, 'check-ledger', {});
  });
  await check();
  expect(await told()).toHaveLength(2);
});
