/** The SANDBOX as a page: its clock, what vendors say, and its end. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import type { Browser } from '../../support/pages/browser.ts';
import { type PageApp, startPageApp } from '../../support/pages/page-app.ts';

let pages: PageApp;
let tenant: TestTenant;
let browser: Browser;
let path: string;
beforeAll(async () => {
  pages = await startPageApp();
});
afterAll(() => pages.app.close());
beforeEach(async () => {
  tenant = await pages.app.newTenant({ timeZone: 'Europe/Berlin' });
  browser = pages.signedIn(tenant, 'admin');
  path = `${pages.home(tenant, 'SANDBOX')}/sandbox`;
});

const client = () => apiClient(pages.app, tenant.sandboxKey);
async function clock(): Promise<{ now: string; frozen: boolean }> {
  return (await client().get('/api/v1/sandbox/clock')).body as { now: string; frozen: boolean };
}
async function member(email: string): Promise<string> {
  const { body, status, text } = await client().post('/api/v1/users', { email });
  if (status !== 201) throw new Error(text);
  return (body as { id: string }).id;
}

test('it is of the SANDBOX alone', async () => {
  expect((await browser.open(`${pages.home(tenant)}/sandbox`)).status).toBe(404);
  expect((await browser.open(pages.home(tenant))).text).not.toContain('/sandbox/sandbox"');
  const opened = await browser.open(path);
  expect(opened.status, opened.text.slice(0, 2_000)).toBe(200);
});

test('the clock goes forward by days, and stops at an instant of the tenant', async () => {
  const before = Date.parse((await clock()).now);
  const moved = await browser.send(await browser.open(path), 'advance', { advanceSeconds: '31', unit: 'days' });
  expect(moved.status, moved.text.slice(0, 2_000)).toBe(303);
  expect(Date.parse((await clock()).now) - before).toBeGreaterThanOrEqual(31 * 86_400_000);
  const stopped = await browser.send(await browser.open(path), 'freeze', { frozenAt: '2031-07-01T12:00' });
  expect(stopped.status, stopped.text.slice(0, 2_000)).toBe(303);
  expect(await clock()).toMatchObject({ now: '2031-07-01T10:00:00.000Z', frozen: true });
  expect((await browser.open(path)).text).toContain('stands still');
});

test.each([
  ['advance', { advanceSeconds: '0' }, 'advance-advanceSeconds-fault'],
  ['advance', { advanceSeconds: 'a week' }, 'advance-advanceSeconds-fault'],
  ['advance', { unit: 'years' }, 'advance-advanceSeconds-fault'],
  ['freeze', { frozenAt: 'soon' }, 'freeze-frozenAt-fault'],
])('%s %j is told beside its field', async (action, typed, fault) => {
  const sent = await browser.send(await browser.open(path), action, typed as Record<string, string>);
  expect(sent.status).toBe(400);
  expect(sent.text).toContain(`id="${fault}"`);
});

test('a vendor decides on a member whose verification was started with it', async () => {
  await client().patch('/api/v1/admin/settings', { kyc: { provider: 'kycvendor' } });
  const id = await member('mia@shop.example');
  await client().post(`/api/v1/members/${id}/kyc/start`, {});
  const page = await browser.open(path);
  expect(page.text).toContain(`value="${id}"`);
  const sent = await browser.send(page, 'kyc', { userId: id, outcome: 'rejected', reason: 'Blurred' });
  expect(sent.status, sent.text.slice(0, 2_000)).toBe(303);
  expect((await browser.open(path)).text).toContain('It is rejected now');
  expect((await client().get(`/api/v1/members/${id}/kyc`)).body).toMatchObject({ status: 'rejected' });
  const of = await browser.send(await browser.open(path), 'kyc', { userId: id, outcome: 'approved', reason: 'Nice' });
  expect(of.status).toBe(400);
  expect(of.text).toContain('id="kyc-reason-fault"');
});

test('it is erased by whoever types its name, and not by another word', async () => {
  await member('ida@shop.example');
  const slug = path.split('/')[2] ?? '';
  const wrong = await browser.send(await browser.open(path), 'reset', { confirm: 'yes' });
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('id="reset-confirm-fault"');
  expect((await client().get('/api/v1/members?limit=1')).body).toMatchObject({ data: [{}] });
  const erased = await browser.send(await browser.open(path), 'reset', { confirm: slug });
  expect(erased.status, erased.text.slice(0, 2_000)).toBe(303);
  expect((await browser.open(path)).text).toContain('1 members and 0 events are gone');
  expect((await client().get('/api/v1/members?limit=1')).body).toMatchObject({ data: [] });
});

test.each(['finance', 'reviewer', 'read-only'] as const)('a %s neither sees nor opens it', async (role) => {
  const other = pages.signedIn(tenant, role);
  expect((await other.open(pages.home(tenant, 'SANDBOX'))).text).not.toContain(`href="${path}"`);
  expect((await other.open(path)).status).toBe(403);
});

test('a developer moves the clock, and decides no verification', async () => {
  const developer = pages.signedIn(tenant, 'developer');
  const opened = await developer.open(path);
  expect(opened.status).toBe(200);
  expect(opened.text).toContain('name="advanceSeconds"');
  expect(opened.text).not.toContain('id="kyc-outcome"');
});
