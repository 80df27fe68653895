/** The overview, through HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import { type PageApp, startPageApp } from '../../support/pages/page-app.ts';
import { plantEndpoint } from '../../support/webhooks/plant-webhooks.ts';

let pages: PageApp;
let tenant: TestTenant;
let client: ApiClient;
beforeAll(async () => {
  pages = await startPageApp();
  tenant = await pages.app.newTenant({ currency: 'EUR', timeZone: 'Europe/Berlin' });
  client = apiClient(pages.app, tenant.liveKey);
});
afterAll(() => pages.app.close());

const textOf = async (role: Parameters<PageApp['signedIn']>[1], query = '', more = {}, of = tenant): Promise<string> => {
  const opened = await pages.signedIn(of, role, more).open(pages.home(of) + query);
  expect(opened.status, opened.text).toBe(200);
  return opened.text;
};

test('it shows the last sales of the environment in its address, the latest first, and says what was asked', async () => {
  const sandbox = apiClient(pages.app, tenant.sandboxKey);
  for (const external_event_id of ['order-0', 'order-1', 'order-2', 'order-3', 'order-4', 'order-<b>5</b>']) {
    const sale = await sandbox.post('/api/v1/events/purchase', sandbox.purchaseBody({ external_event_id, currency: 'EUR' }));
    expect(sale.status, sale.text).toBe(201);
  }
  const browser = pages.signedIn(tenant, 'owner');

  const shown = await browser.open(pages.home(tenant, 'SANDBOX'));
  expect(shown.status, shown.text).toBe(200);
  expect([...shown.text.matchAll(/order-(?:\d|&lt;b&gt;5)/g)].map(([name]) => name)).toEqual([
    'order-&lt;b&gt;5',
    'order-4',
    'order-3',
    'order-2',
    'order-1',
  ]);
  expect(shown.text).toContain('€100.00');
  expect(shown.text).toContain('Test data. The sandbox clock is at');
  expect(shown.text).toContain('/api/v1/admin/overview');

  const live = await browser.open(pages.home(tenant));
  expect(live.status).toBe(200);
  expect(live.text).not.toContain('order-&lt;');
  expect(live.text).not.toContain('sandbox-bar');
});

describe('of the money', () => {
  test('each sum is that of the lines, by the months and the currency that are asked for', async () => {
    const ada = await client.newMember({ membership_tier: 'DIRECTOR' });
    const sale = client.purchaseBody({ currency: 'EUR', attribution: { user_id: ada.id } });
    const sold = await client.post('/api/v1/events/purchase', sale);
    const { commissions } = sold.body as { commissions: { amount_minor: number }[] };
    const sum = commissions.reduce((all, { amount_minor }) => all + amount_minor, 0);
    expect(sum).toBeGreaterThan(0);
    const drawn = `€${(sum / 100).toFixed(2)}`;
    expect(await textOf('owner')).toContain(drawn);
    expect(await textOf('owner', '?months=3&currency=eur')).toContain(drawn);
    const dollars = await textOf('owner', '?currency=USD');
    expect(dollars).toContain('US$0.00');
    expect(dollars).toContain('There are none in USD in these months.');
  });

  test.each(['?months=7', '?months=x', '?currency=nothing', '?currency=%3Cb%3E', '?months=3&months=36'])(
    'what nobody offers is as nothing: %s',
    async (query) => {
      expect(await textOf('owner', query)).toContain('What needs you');
    },
  );

  test('is for who may list it, as are the members', async () => {
    const reviewer = await textOf('reviewer');
    expect(reviewer).not.toContain('id="commissions"');
    expect(reviewer).toContain('Members who joined');
    const developer = await textOf('developer');
    expect(developer).not.toContain('id="commissions"');
    expect(developer).not.toContain('Members who joined');
  });
});

describe('what waits', () => {
  test('is named, and counted beside the navigation, for who may look at it', async () => {
    const own = await pages.app.newTenant();
    const ask = apiClient(pages.app, own.liveKey);
    await ask.patch('/api/v1/admin/settings', { payments: { dualControl: true } });
    const weaker = await ask.patch('/api/v1/admin/settings', { payments: { dualControl: false } });
    expect(weaker.status, weaker.text).toBe(202);
    const owner = await textOf('owner', '', {}, own);
    expect(owner).toMatch(/<span class="count">1<\/span><a href="[^"]*\/pending-changes">change waits for a second person<\/a>/);
    expect(owner).toMatch(/\/pending-changes"[^>]*>.*?<span class="count">1<span class="unseen"> waiting<\/span>/);
    const reader = await textOf('read-only', '', {}, own);
    expect(reader).not.toContain('change waits for a second person');
    expect(reader).not.toContain('class="unseen"> waiting');
  });

  test('is the endpoint that fails, for who may read webhooks', async () => {
    const own = await pages.app.newTenant();
    const scope = { tenantId: own.tenantId, environment: 'LIVE' } as const;
    const { id } = await plantEndpoint(pages.app, scope, { url: 'https://fails.example/' });
    await pages.app.database.asSuperuser('update webhook_endpoint set failing_since = now() where id = $1', [id]);
    const developer = await textOf('developer', '', {}, own);
    expect(developer).toMatch(/<span class="count">1<\/span><a href="[^"]*\/live\/webhooks">webhook endpoint fails,/);
    expect(developer).toMatch(/\/webhooks"[^>]*>.*?<span class="count">1<span class="unseen"> waiting<\/span>/);
    const finance = await textOf('finance', '', {}, own);
    expect(finance).not.toContain('webhook endpoint');
    expect(finance).not.toContain('class="unseen"> waiting');
  });

  test('is the missing second factor too, of a role that needs one in LIVE', async () => {
    expect(await textOf('owner', '', { hasFactor: false })).toContain('second factor is missing');
    expect(await textOf('owner')).not.toContain('second factor is missing');
    expect(await textOf('read-only', '', { hasFactor: false })).not.toContain('second factor is missing');
  });
});

test('a tenant that has nothing yet is told what to begin with, until it has', async () => {
  const fresh = await pages.app.newTenant({ currency: 'EUR' });
  const open = async (role: 'owner' | 'read-only') => (await pages.signedIn(fresh, role).open(pages.home(fresh))).text;
  const first = await open('owner');
  expect(first).toContain('First steps');
  expect(first).toContain('Sales appear here as they are recorded');
  expect(first).toContain('Commissions appear here by the month of their sale');
  expect(await open('read-only')).not.toContain('First steps');
  const own = apiClient(pages.app, fresh.liveKey);
  const ada = await own.newMember({ membership_tier: 'DIRECTOR' });
  await own.post('/api/v1/events/purchase', own.purchaseBody({ currency: 'EUR', attribution: { user_id: ada.id } }));
  expect(await open('owner')).not.toContain('First steps');
});
