/** The daily check of a ledger, and what the tenant is told of it: docs/specification/commissions.md#sealing. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { runJobs } from '../../support/jobs/run-jobs.ts';
import { tamper } from '../../support/money/ledger-books.ts';
import { purchaseOf } from '../../support/money/money-calls.ts';
import { toldEvents } from '../../support/webhooks/told-events.ts';

let app: TestApp;
let scope: Scope;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('of a ledger that does not verify tells once, by its last attempt, and the next check tells again', async () => {
  const { tenantId, sandboxKey } = await app.newTenant();
  scope = { tenantId, environment: 'SANDBOX' };
  const client = apiClient(app, sandboxKey);
  const { id } = await client.newMember();
  await purchaseOf(client, { attribution: { user_id: id } });
  await app.runSweep('seal-ledger', scope);
  await tamper(app, `update posting set amount_minor = amount_minor + 1 where tenant_id = '${tenantId}' and seq = 0`);
  const told = async () => (await toldEvents(app, scope)).filter(({ type }) => type === 'ledger.fault_found');
  /** How the job stands once all of it that is due was done; what waits for a repetition is due then. */
  const attempt = async (): Promise<string[]> => {
    await runJobs(app, 'check-ledger');
    const jobs = await app.database.asSuperuser<{ state: string }>(
      `update pgboss.job set start_after = now() where name = 'check-ledger' and data->>'tenantId' = $1 returning state`,
      [tenantId],
    );
    return jobs.map(({ state }) => state).toSorted();
  };
  expect(await attempt()).toEqual(['retry']);
  expect(await told()).toEqual([]);
  expect(await attempt()).toEqual(['failed']);
  expect(await told()).toMatchObject([{ objectId: tenantId, actor: 'system', data: { faults: expect.anything() } }]);
  await app.composition.background.frames.write(scope, async (db) => {
    await app.composition.queue.enqueue(db, scope, 'check-ledger', {});
  });
  await attempt();
  expect(await told()).toHaveLength(1);
  await attempt();
  expect(await told()).toHaveLength(2);
});
