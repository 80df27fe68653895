/** The settings as a page: each field of the document, secrets that are never shown, and what waits. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SETTING_FIELDS, SETTING_GROUPS } from '../../../src/features/dashboard/settings/setting-fields.ts';
import { leavesOf } from '../../../src/features/dashboard/settings/settings-calls.ts';
import { apiClient } from '../../support/app/api-client.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import type { Browser, Opened } from '../../support/pages/browser.ts';
import { type PageApp, startPageApp } from '../../support/pages/page-app.ts';

const PATH = '/api/v1/admin/settings';
const fresh = { hasFreshFactor: true, factorAt: new Date() };

let pages: PageApp;
let tenant: TestTenant;
let browser: Browser;
let path: string;
beforeAll(async () => {
  pages = await startPageApp();
});
afterAll(() => pages.app.close());
beforeEach(async () => {
  tenant = await pages.app.newTenant({ currency: 'EUR', timeZone: 'Europe/Berlin' });
  browser = pages.signedIn(tenant, 'owner', fresh);
  path = `${pages.home(tenant)}/settings`;
});

// biome-ignore lint/suspicious/noExplicitAny: of whatever parts there are.
type Settings = any;
async function settingsOf(key = tenant.liveKey): Promise<Settings> {
  return (await apiClient(pages.app, key).get(PATH)).body;
}

async function save(page: Opened, key: string, typed: Record<string, string | string[]>): Promise<Opened> {
  return browser.send(page, 'save', typed, { key });
}

/** Nobody sets when it was changed, and the schedule has a form on the page of payouts. */
const ELSEWHERE = new Set(['updatedAt', 'payments.schedule']);

test('each field of the document has words, and each of the words is of a field', async () => {
  const leaves = leavesOf(await settingsOf()).filter((name) => !ELSEWHERE.has(name));
  expect(SETTING_FIELDS.map(({ path: name }) => name).toSorted()).toEqual(leaves.toSorted());
});

test('a form that is sent as it was drawn changes nothing', async () => {
  const before = await settingsOf();
  const page = await browser.open(path);
  expect(page.status, page.text.slice(0, 3_000)).toBe(200);
  for (const { key } of SETTING_GROUPS.flat()) {
    const sent = await save(page, key, {});
    expect([sent.status, sent.location], `${key} ${sent.text.slice(0, 2_000)}`).toEqual([303, `${path}#${key}`]);
    expect((await browser.open(path)).text).toContain('was other than before');
  }
  expect(await settingsOf()).toEqual(before);
});

test('only what is other is changed: what somebody else has set meanwhile stays', async () => {
  const page = await browser.open(path);
  await apiClient(pages.app, tenant.liveKey).patch(PATH, { referrals: { attributionModel: 'first_click' } });
  const sent = await save(page, 'referrals', { 'referrals.attributionWindowDays': '7' });
  expect(sent.status, sent.text.slice(0, 2_000)).toBe(303);
  expect((await settingsOf()).referrals).toMatchObject({ attributionModel: 'first_click', attributionWindowDays: 7 });
});

test.each([
  [
    'general',
    { defaultCurrency: 'usd', reportingTimeZone: 'Asia/Tokyo' },
    { defaultCurrency: 'USD', reportingTimeZone: 'Asia/Tokyo' },
  ],
  ['referrals', { 'referrals.leadExpiryDays': '' }, { referrals: { leadExpiryDays: null } }],
  [
    'referrals',
    { 'referrals.allowedDestinationHosts': 'shop.example\r\n*.shop.example' },
    { referrals: { allowedDestinationHosts: ['shop.example', '*.shop.example'] } },
  ],
  [
    'commissions',
    { 'commissions.manualLimitMinor': 'EUR 5,000.50\r\njpy 7000' },
    { commissions: { manualLimitMinor: { EUR: 500_050, JPY: 7_000 } } },
  ],
  ['members', { 'members.downlineVisibility': 'counts' }, { members: { downlineVisibility: 'counts' } }],
  ['payvendor', { 'payments.payvendor.platformCountry': 'de' }, { payments: { payvendor: { platformCountry: 'DE' } } }],
  [
    'payvendor',
    { 'payments.payvendor.capabilities': ['transfers', 'card_payments'] },
    { payments: { payvendor: { capabilities: ['transfers', 'card_payments'] } } },
  ],
])('%s: %j', async (key, typed, found) => {
  const sent = await save(await browser.open(path), key, typed);
  expect(sent.status, sent.text.slice(0, 3_000)).toBe(303);
  expect(await settingsOf()).toMatchObject(found);
});

test.each([
  ['general', { defaultCurrency: 'EURO' }, 'general-defaultCurrency'],
  ['general', { reportingTimeZone: 'Mars/North' }, 'general-reportingTimeZone'],
  ['payouts', { 'payments.accountCooldownHours': '721' }, 'payouts-payments.accountCooldownHours'],
  ['payouts', { 'payments.accountCooldownHours': 'many' }, 'payouts-payments.accountCooldownHours'],
  ['commissions', { 'commissions.manualLimitMinor': 'EUR five' }, 'commissions-commissions.manualLimitMinor'],
  ['commissions', { 'commissions.manualLimitMinor': 'JPY 1.5' }, 'commissions-commissions.manualLimitMinor'],
  ['commissions', { 'commissions.manualLimitMinor': 'EUR 1\nEUR 2' }, 'commissions-commissions.manualLimitMinor'],
  ['referrals', { 'referrals.allowedDestinationHosts': 'https://shop.example' }, 'referrals-referrals.allowedDestinationHosts'],
])('what cannot be is told beside its field: %s %j', async (key, typed, id) => {
  const before = await settingsOf();
  const sent = await save(await browser.open(path), key, typed);
  expect(sent.status, sent.text.slice(0, 3_000)).toBe(400);
  expect(sent.text).toContain(`id="save-${id}-fault"`);
  expect(await settingsOf()).toEqual(before);
});

describe('secrets', () => {
  const name = 'kyc.kycvendor.secretKey';
  const secret = 'ein<Geheimnis>"1';

  test('are written and never shown; beside them stands when and by whom; and they are taken away', async () => {
    const sent = await save(await browser.open(path), 'kyc', { [name]: secret });
    expect(sent.status, sent.text.slice(0, 2_000)).toBe(303);
    expect((await settingsOf()).kyc.kycvendor.secretKey).toEqual({ set: true });
    const shown = await browser.open(path);
    expect(shown.text).not.toContain('ein<Geheimnis>');
    expect(shown.text).not.toContain('ein&lt;Geheimnis');
    expect(shown.text).toMatch(/Set on <time[^>]*>[^<]+<\/time> by /);
    const both = await save(shown, 'kyc', { [name]: 'another', [`clear.${name}`]: 'yes' });
    expect(both.status).toBe(400);
    expect(both.text).not.toContain('another"');
    expect((await save(await browser.open(path), 'kyc', { [`clear.${name}`]: 'yes' })).status).toBe(303);
    expect((await settingsOf()).kyc.kycvendor.secretKey).toEqual({ set: false });
  });

  test('take a factor of now', async () => {
    const stale = pages.signedIn(tenant, 'owner', { hasFreshFactor: false });
    const sent = await stale.send(await stale.open(path), 'save', { [name]: secret }, { key: 'kyc' });
    expect(sent.status).toBe(403);
    expect(sent.text).toContain('Confirm that it is you');
    expect((await settingsOf()).kyc.kycvendor.secretKey).toEqual({ set: false });
  });
});

test('with dual control on, what weakens waits and says so, and what tightens holds', async () => {
  const on = await save(await browser.open(path), 'payouts', {
    'payments.dualControl': 'yes',
    'payments.accountCooldownHours': '48',
  });
  expect(on.status, on.text.slice(0, 2_000)).toBe(303);
  const page = await browser.open(path);
  expect(page.text).toContain('Dual control is on');
  expect(page.text).toContain('Fewer hours wait for a second person');
  const less = await save(page, 'payouts', { 'payments.accountCooldownHours': '1' });
  expect(less.status).toBe(303);
  expect((await settingsOf()).payments.accountCooldownHours).toBe(48);
  const waits = await browser.open(path);
  expect(waits.text).toContain('This waits for a second person');
  expect(waits.text).toContain('Hours before a new account is paid to');
  expect(waits.text).toContain('A change waits for a second person');
});

test('how people sign in is for owners, in LIVE', async () => {
  const { origin } = new URL(pages.app.baseUrl);
  expect((await browser.open(path)).text).toContain(`${origin}/dashboard/sign-in/sso-callback/${tenant.tenantId}</code>`);
  const typed = { 'staffProvider.issuerUrl': 'https://login.shop.example', 'staffProvider.clientId': 'commissions' };
  const sent = await save(await browser.open(path), 'people', typed);
  expect(sent.status, sent.text.slice(0, 2_000)).toBe(303);
  expect((await settingsOf()).staffProvider).toMatchObject({ issuerUrl: 'https://login.shop.example', isOn: false });
  const early = await save(await browser.open(path), 'people', { 'staffProvider.isOn': 'yes' });
  expect(early.status).toBe(400);
  expect(early.text).toContain('id="save-people-staffProvider.clientSecret-fault"');
  const admin = await pages.signedIn(tenant, 'admin', fresh).open(path);
  expect(admin.text).toContain('An owner changes this');
  expect(admin.text).toContain('https://login.shop.example');
  expect(admin.text).not.toContain('id="save-people-staffProvider.clientId"');
  const sandbox = await browser.open(`${pages.home(tenant, 'SANDBOX')}/settings`);
  expect(sandbox.text).not.toContain('id="save-people-staffProvider.clientId"');
});

test('the SANDBOX has its own, and shows what LIVE shares without a form of it', async () => {
  const sandbox = `${pages.home(tenant, 'SANDBOX')}/settings`;
  const page = await browser.open(sandbox);
  expect(page.status).toBe(200);
  expect(page.text).toContain('in LIVE');
  expect(page.text).not.toContain('id="save-general-defaultCurrency"');
  expect((await save(page, 'members', { 'members.downlineVisibility': 'full' })).status).toBe(303);
  expect((await settingsOf(tenant.sandboxKey)).members.downlineVisibility).toBe('full');
  expect((await settingsOf()).members.downlineVisibility).toBe('masked');
});

test.each(['finance', 'reviewer', 'developer', 'read-only'] as const)('a %s neither opens nor changes them', async (role) => {
  const other = pages.signedIn(tenant, role, fresh);
  expect((await other.open(path)).status).toBe(403);
  expect((await other.open(pages.home(tenant))).text).not.toContain(`href="${path}"`);
});
