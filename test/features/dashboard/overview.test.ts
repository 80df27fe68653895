/** The overview, through HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import { type PageApp, startPageApp } from '../../support/pages/page-app.ts';

let pages: PageApp;
let tenant: TestTenant;
beforeAll(async () => {
  pages = await startPageApp();
  tenant = await pages.app.newTenant({ currency: 'EUR', timeZone: 'Europe/Berlin' });
});
afterAll(() => pages.app.close());

test('it shows the last sales of the environment in its address, and says what was asked', async () => {
  const client = apiClient(pages.app, tenant.sandboxKey);
  const sale = await client.post(
    '/api/v1/events/purchase',
    client.purchaseBody({ external_event_id: 'order-<b>1</b>', currency: 'EUR' }),
  );
  expect(sale.status, sale.text).toBe(201);
  const browser = pages.signedIn(tenant, 'owner');

  const sandbox = await browser.open(pages.home(tenant, 'SANDBOX'));
  expect(sandbox.status, sandbox.text).toBe(200);
  expect(sandbox.text).toContain('order-&lt;b&gt;1&lt;/b&gt;');
  expect(sandbox.text).toContain('€100.00');
  expect(sandbox.text).toContain('Test data. The sandbox clock is at');
  expect(sandbox.text).toContain(
    `${pages.app.baseUrl}/api/v1/events?kind=purchase&amp;limit=5`.replace('127.0.0.1', 'localhost'),
  );

  const live = await browser.open(pages.home(tenant));
  expect(live.status).toBe(200);
  expect(live.text).not.toContain('order-&lt;');
  expect(live.text).not.toContain('sandbox-bar');
});
