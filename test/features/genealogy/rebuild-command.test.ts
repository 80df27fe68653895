/** `cli tree rebuild`, `cli rollups rebuild` and `cli sales-sums rebuild`: what operators run when counts or sums are in doubt. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginSales } from '../../../src/features/events/sales-sums/begin-sales.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { examineBooks } from '../../support/app/examine-books.ts';
import { runCli } from '../../support/app/run-cli.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

const cli = (...words: string[]) => runCli(app, ...words);

const breaches = async () =>
  (await examineBooks(app.database.adminUrl)).filter((audit) => audit.breaches.length > 0).map(({ id }) => id);

test('counts and rollups are right again after a rebuild, with rows pending or folded', async () => {
  const top = await client.newMember();
  const middle = await client.newMember({ parent_id: top.id });
  await client.newMember({ parent_id: middle.id });
  await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: middle.id } }));
  await app.runSweep('fold-downline');
  await app.runSweep('fold-commissions');
  await client.newMember({ parent_id: middle.id });
  await app.database.asSuperuser('update downline_count set total = total + 7, direct = 0');
  await app.database.asSuperuser('update commission_rollup set amount_minor = amount_minor + 1');
  expect(await breaches()).toContain('I-9');

  const tree = await cli('tree', 'rebuild', '--tenant', tenant.tenantId, '--json');
  expect(tree.code, tree.stderr).toBe(0);
  expect(JSON.parse(tree.stdout)).toEqual({
    rebuilt: [
      { tenantId: tenant.tenantId, environment: 'LIVE', rows: 4, ms: expect.any(Number) },
      { tenantId: tenant.tenantId, environment: 'SANDBOX', rows: 0, ms: expect.any(Number) },
    ],
  });
  const rollups = await cli('rollups', 'rebuild', '--environment', 'live');
  expect(rollups.code, rollups.stderr).toBe(0);
  expect(rollups.stdout).toMatch(new RegExp(`^${tenant.tenantId} LIVE: \\d+ lines in \\d+ ms\\n$`));
  expect(await breaches()).toEqual([]);
});

test('sums of sales are right again after a rebuild, of the scopes that sum them up', async () => {
  const scope = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
  const seller = await client.newMember();
  await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: seller.id } }));
  await app.composition.frames.write(scope, (db) => beginSales(db, scope));
  const ready = async () => {
    await app.runSweep('fold-sales', scope);
    return app.database.asSuperuser("select from rollup_state where rollup = 'sales' and ready");
  };
  await expect.poll(ready, { timeout: 60_000 }).toHaveLength(1);
  expect(await breaches()).toEqual([]);
  await app.database.asSuperuser('update sales_day set sales = sales + 1');
  expect(await breaches()).toEqual(['R-2']);
  const rebuilt = await cli('sales-sums', 'rebuild', '--tenant', tenant.tenantId, '--json');
  expect(rebuilt.code, rebuilt.stderr).toBe(0);
  expect(JSON.parse(rebuilt.stdout)).toEqual({
    rebuilt: [
      { ...scope, rows: expect.any(Number), ms: expect.any(Number) },
      { tenantId: tenant.tenantId, environment: 'SANDBOX', rows: 0, ms: expect.any(Number) },
    ],
  });
  expect(await breaches()).toEqual([]);
});

test.each([
  ['tree', 'rebuild'],
  ['rollups', 'rebuild'],
  ['sales-sums', 'rebuild'],
  ['keys', 'reencrypt'],
])('an unknown tenant is an error of %s %s', async (...words) => {
  for (const unknown of [randomUUID(), 'nobody']) {
    const answer = await cli(...words, '--tenant', unknown);
    expect(answer.code).toBe(1);
    expect(answer.stderr).toContain(`there is no tenant ${unknown}`);
  }
});
