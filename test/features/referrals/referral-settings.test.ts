/** The referrals part of the settings: of one environment, with defaults where nothing was set. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';

const PATH = '/api/v1/admin/settings';
const DEFAULTS = {
  attributionModel: 'last_click',
  attributionWindowDays: 60,
  allowedDestinationHosts: [],
  leadExpiryDays: 180,
};

let app: TestApp;
let live: ApiClient;
let sandbox: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  const tenant = await app.newTenant();
  live = apiClient(app, tenant.liveKey);
  sandbox = apiClient(app, tenant.sandboxKey);
});
afterAll(() => app.close());

const referralsOf = async (client = live) => (await client.get(PATH)).body.referrals;
const change = (referrals: object, client = live) => client.patch(PATH, { referrals });

test('are the defaults until they are set, and each environment has its own', async () => {
  expect(await referralsOf()).toEqual(DEFAULTS);
  const wanted = {
    attributionModel: 'first_click',
    attributionWindowDays: 1,
    allowedDestinationHosts: ['shop.example', '*.shop.example'],
    leadExpiryDays: null,
  };
  const answer = await change(wanted);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.referrals).toEqual(wanted);
  expect(await referralsOf()).toEqual(wanted);
  expect(await referralsOf(sandbox)).toEqual(DEFAULTS);
});

test('keep what a change does not name', async () => {
  await change({ leadExpiryDays: null, allowedDestinationHosts: ['shop.example'] });
  await change({ attributionWindowDays: 365 });
  expect(await referralsOf()).toEqual({
    ...DEFAULTS,
    attributionWindowDays: 365,
    allowedDestinationHosts: ['shop.example'],
    leadExpiryDays: null,
  });
});

test('are changed by a key of the SANDBOX there', async () => {
  expect((await change({ attributionWindowDays: 7 }, sandbox)).status).toBe(200);
  expect((await referralsOf(sandbox)).attributionWindowDays).toBe(7);
  expect((await referralsOf()).attributionWindowDays).toBe(60);
});

test('hosts are stored in lower case, as the addresses of links have them', async () => {
  expect((await change({ allowedDestinationHosts: ['Shop.Example'] })).body.referrals.allowedDestinationHosts).toEqual([
    'shop.example',
  ]);
});

describe('a host that no link could safely lead to is refused', () => {
  const hosts = [
    '*',
    '*.',
    '*.example',
    '.example',
    'shop..example',
    'shop.example.',
    'shop.example/path',
    'shop.example:8443',
    'https://shop.example',
    'user@shop.example',
    '*.*.example',
    'sh*p.example',
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '[::1]',
    'shop.example evil.example',
    'bücher.example',
    '-shop.example',
    '',
  ];
  test.each(hosts)('%j', async (host) => {
    expectRefusal(await change({ allowedDestinationHosts: [host] }), 400, 'VALIDATION_ERROR', [
      'referrals.allowedDestinationHosts[0]',
    ]);
  });
});

test.each([
  ['attributionModel', 'linear'],
  ['attributionWindowDays', 0],
  ['attributionWindowDays', 366],
  ['attributionWindowDays', 1.5],
  ['leadExpiryDays', 0],
  ['leadExpiryDays', 1826],
  ['allowedDestinationHosts', ['shop.example', 'SHOP.example']],
  ['allowedDestinationHosts', Array.from({ length: 51 }, (_, index) => `shop-${index}.example`)],
])('%s cannot be %j', async (field, value) => {
  expectRefusal(await change({ [field]: value }), 400, 'VALIDATION_ERROR', [`referrals.${field}`]);
  expect(await referralsOf()).toEqual(DEFAULTS);
});

test('a change is in the audit log by the names of its fields, and none when nothing is other than before', async () => {
  await change({ attributionWindowDays: 30, attributionModel: 'last_click' });
  await change({ attributionWindowDays: 30 });
  const { body } = await live.get('/api/v1/admin/audit-logs?action=settings.updated');
  expect(body.data.map(({ details }: { details: unknown }) => details)).toEqual([
    { fields: ['referrals.attributionWindowDays'] },
  ]);
});
