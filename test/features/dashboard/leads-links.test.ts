/** Leads, links and the receipts of attributions, through HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import { arrive, follow, hrefOf, wordsOf } from '../../support/pages/follow.ts';
import { type PageApp, startPageApp } from '../../support/pages/page-app.ts';

let pages: PageApp;
let tenant: TestTenant;
let client: ApiClient;
let ida: MemberBody;
let ben: MemberBody;
const fresh = { hasFreshFactor: true, factorAt: new Date() };

beforeAll(async () => {
  pages = await startPageApp();
  tenant = await pages.app.newTenant({ currency: 'USD', timeZone: 'Europe/Berlin' });
  client = apiClient(pages.app, tenant.sandboxKey);
  await client.patch('/api/v1/admin/settings', { referrals: { allowedDestinationHosts: ['shop.example'] } });
  ida = await client.newMember({ name: 'Ida Moser', email: 'ida@test.example' });
  ben = await client.newMember({ name: 'Ben Branch' });
});
afterAll(() => pages.app.close());

const home = () => pages.home(tenant, 'SANDBOX');

async function capture(fields: object): Promise<string> {
  const answer = await client.post('/api/v1/leads/capture', fields);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body.id;
}

test('leads are listed newest first, found by who referred them, and tell who was credited and who lost', async () => {
  await capture({ email: 'old@test.example', name: 'Old Lead', referral_code: ben.referral_code });
  const id = await capture({ email: 'lea@test.example', name: 'Lea <b>', source: 'fair', referral_code: ida.referral_code });
  await capture({ email: 'lea@test.example', referral_code: ben.referral_code, phone: '+49 30 1' });
  const browser = pages.signedIn(tenant, 'read-only');
  const all = wordsOf(await browser.open(`${home()}/leads`));
  expect(all.indexOf('Lea <b>')).toBeLessThan(all.indexOf('Old Lead'));
  const own = await browser.open(`${home()}/leads?referrer_user_id=ida%40test.example`);
  expect(wordsOf(own)).toContain('Lea <b>');
  expect(wordsOf(own)).not.toContain('Old Lead');
  expect(wordsOf(await browser.open(`${home()}/leads?conversion_status=expired`))).toContain('None matches these filters');

  const lead = await browser.open(`${home()}/leads/${id}`);
  expect(lead.status, lead.text.slice(0, 2_000)).toBe(200);
  const words = wordsOf(lead);
  expect(words).toMatch(/won referral code Ida Moser/);
  expect(words).toContain('Ben Branch');
  expect(words).toContain('lost');
  expect(words).not.toContain('Change…');
  const receipt = await follow(browser, lead, 'receipt');
  expect(wordsOf(receipt)).toContain('Decided again now The same');
  expect(await follow(browser, receipt, 'a lead')).toMatchObject({ status: 200 });
});

test('a lead is changed, qualified, and made a member', async () => {
  const id = await capture({ email: 'new@test.example', referral_code: ida.referral_code });
  const browser = pages.signedIn(tenant, 'admin', fresh);
  const path = `${home()}/leads/${id}`;
  const changed = await arrive(browser, await browser.send(await browser.open(path), 'change', { name: 'Nell New', phone: '' }));
  expect(wordsOf(changed)).toContain('Nell New');
  const qualified = await arrive(browser, await browser.send(changed, 'qualify'));
  expect(wordsOf(qualified)).toContain('qualified');
  const member = await arrive(browser, await browser.send(qualified, 'convert', { membership_tier: 'SENIOR' }));
  expect(member.status).toBe(200);
  expect(wordsOf(member)).toContain('Nell New');
  expect(wordsOf(member)).toContain('Ida Moser');
  const after = await browser.open(path);
  expect(wordsOf(after)).toContain('converted');
  expect(after.text).not.toContain('value="convert"');
  // The forms of before come too late.
  expect((await browser.send(qualified, 'disqualify')).status).toBe(409);
});

test('a link is made for a member, changed, disabled and deleted', async () => {
  const browser = pages.signedIn(tenant, 'admin', fresh);
  const list = await browser.open(`${home()}/links`);
  expect(wordsOf(list)).toContain('Links that credit a member appear here');
  const form = await follow(browser, list, 'New link');
  const typed = {
    user_id: 'Ida Moser',
    destination_url: 'https://shop.example/spring',
    name: 'Spring <flyer>',
    slug: 'ida-in-spring',
  };
  const wrong = await browser.send(form, 'create', { ...typed, destination_url: 'https://evil.example/' });
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('aria-invalid="true"');
  expect(wordsOf(await browser.send(form, 'create', { ...typed, user_id: 'Nobody' }))).toContain('single member');
  const made = await arrive(browser, await browser.send(form, 'create', typed));
  expect(made.status).toBe(200);
  expect(wordsOf(made)).toContain('Spring <flyer>');
  expect(wordsOf(made)).toContain('Clicks 0');
  const slug = 'ida-in-spring';
  expect((await fetch(`${pages.app.baseUrl}/r/${slug}`, { redirect: 'manual' })).status).toBe(302);

  const changed = await arrive(
    browser,
    await browser.send(made, 'change', { destination_url: 'https://shop.example/summer', name: 'Summer', expires_at: '' }),
  );
  expect(wordsOf(changed)).toContain('https://shop.example/summer');
  const off = await arrive(browser, await browser.send(changed, 'disable'));
  expect(wordsOf(off)).toContain('disabled');
  expect((await fetch(`${pages.app.baseUrl}/r/${slug}`, { redirect: 'manual' })).status).toBe(404);
  const on = await arrive(browser, await browser.send(off, 'enable'));
  const own = await browser.open(`${home()}/links?user_id=ida%40test.example&status=active`);
  expect(hrefOf(own, 'Summer')).toContain('/links/');
  const gone = await arrive(browser, await browser.send(on, 'delete'));
  expect(wordsOf(gone)).toContain('The link is deleted');
});

test('the end of a link that was not touched keeps its hour', async () => {
  const expires_at = new Date(Date.now() + 86_400_000 * 9).toISOString();
  const body = { user_id: ida.id, destination_url: 'https://shop.example/', expires_at };
  const link = await client.post('/api/v1/referrals/links', body);
  expect(link.status, link.text).toBe(201);
  const browser = pages.signedIn(tenant, 'admin', fresh);
  const page = await browser.open(`${home()}/links/${link.body.id}`);
  expect((await browser.send(page, 'change', { name: 'Named' })).status).toBe(303);
  const after = await client.get(`/api/v1/referrals/links/${link.body.id}`);
  expect(after.body).toMatchObject({ name: 'Named', expires_at });
});

test('a role that reads sees no form and is refused by address and by POST; one without the scope sees nothing', async () => {
  const link = await client.post('/api/v1/referrals/links', { user_id: ida.id, destination_url: 'https://shop.example/' });
  const lead = await capture({ email: 'shy@test.example' });
  const admin = pages.signedIn(tenant, 'admin', fresh);
  const reader = pages.signedIn(tenant, 'read-only');
  const paths = [
    [`/links/${link.body.id}`, 'disable'],
    [`/leads/${lead}`, 'qualify'],
  ] as const;
  for (const [path, action] of paths) {
    const form = await admin.open(home() + path);
    const seen = await reader.open(home() + path);
    expect(seen.status).toBe(200);
    expect(seen.text).not.toContain(`value="${action}"`);
    expect((await reader.send(form, action)).status).toBe(403);
    expect((await admin.open(pages.home(tenant) + path)).status).toBe(404);
  }
  expect((await reader.open(`${home()}/links/new`)).status).toBe(403);
  const reviewer = pages.signedIn(tenant, 'reviewer');
  for (const path of ['/leads', '/links', `/leads/${lead}`]) expect((await reviewer.open(home() + path)).status).toBe(403);
});
