/** Who is let in to pages, and which forms are taken. Source: docs/specification/pages.md#forgery, #addresses, #roles. */
import { Script } from 'node:vm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { createExchangeRate } from '../../../src/features/exchange-rates/exchange-rates-operations.ts';
import { captureLead, listLeads } from '../../../src/features/leads/leads-operations.ts';
import { definePage } from '../../../src/pages/define-page.ts';
import { html } from '../../../src/pages/html.ts';
import { apiClient } from '../../support/app/api-client.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import { type Browser, formsOf, type Opened } from '../../support/pages/browser.ts';
import { type PageApp, RIGHT_CODE, RIGHT_PASSWORD, startPageApp } from '../../support/pages/page-app.ts';

const home = definePage({
  path: '',
  title: 'Home',
  nav: { group: null, icon: 'overview' },
  needs: [],
  get: async () => ({ body: 'home' }),
});

const leads = definePage({
  path: '/leads',
  title: 'Leads',
  nav: { group: 'People', icon: 'lead', key: 'l' },
  needs: [listLeads],
  async get(page) {
    const { data } = await page.invoke(listLeads, { query: { limit: '100' } });
    const form = page.form('capture', {
      fields: [
        { name: 'email', label: 'Email', type: 'email', required: true },
        { name: 'source', label: 'Source' },
      ],
      submit: 'Capture',
    });
    const guarded = page.form('guarded', { fields: [{ name: 'email', label: 'Email' }], submit: 'Guarded' });
    return { body: html`<ul>${data.map(({ email }) => html`<li>${email}</li>`)}</ul>${form}${guarded}` };
  },
  actions: {
    capture: {
      needs: [captureLead],
      async run(page, form) {
        await page.invoke(captureLead, { body: { email: form.text('email'), source: form.text('source') } });
        return { to: page.here(), said: 'Captured.' };
      },
    },
    guarded: {
      needs: [captureLead],
      async run(page, form) {
        if (!page.person.hasFreshFactor)
          throw new AppError({ code: 'STEP_UP_REQUIRED', status: 403, meaning: '' }, 'Give a factor');
        await page.invoke(captureLead, { body: { email: form.text('email') } });
        return { to: page.here(), said: 'Guarded.' };
      },
    },
  },
});

const hands = definePage({
  path: '/hands',
  title: 'Hands',
  needs: [],
  get: async (page) => ({ body: page.form('weaken', { submit: 'Weaken' }) }),
  actions: {
    weaken: {
      needs: [createExchangeRate],
      async run(page) {
        const rate = { sourceCurrency: 'USD', targetCurrency: 'EUR', numerator: 9, denominator: 10, source: 'test' };
        await page.invoke(createExchangeRate, { body: { ...rate, effectiveAt: '2020-01-01T00:00:00Z' } });
        return { to: page.here(), said: 'Weakened.' };
      },
    },
  },
});

const undeclared = definePage({
  path: '/undeclared',
  title: 'Undeclared',
  needs: [],
  get: async (page) => ({ body: JSON.stringify(await page.invoke(listLeads)) }),
});
const sandboxOnly = definePage({
  path: '/clock',
  title: 'Clock',
  environments: ['SANDBOX'],
  needs: [],
  get: async () => ({ body: 'clock' }),
});

let pages: PageApp;
let tenant: TestTenant;
let browser: Browser;
let path: string;
let page: Opened;
beforeAll(async () => {
  pages = await startPageApp({}, [home, leads, hands, undeclared, sandboxOnly]);
});
afterAll(() => pages.app.close());
beforeEach(async () => {
  tenant = await pages.app.newTenant();
  path = `${pages.home(tenant)}/leads`;
  browser = pages.signedIn(tenant, 'admin');
  page = await browser.open(path);
});

async function leadsOf(): Promise<string[]> {
  const { body } = await apiClient(pages.app, tenant.liveKey).get('/api/v1/leads');
  return (body as { data: { email: string }[] }).data.map(({ email }) => email);
}

describe('a form', () => {
  test('is done, leads on by 303, and the next page says so once', async () => {
    const sent = await browser.send(page, 'capture', { email: 'lea@test.example' });
    expect([sent.status, sent.location], sent.text).toEqual([303, path]);
    expect(await leadsOf()).toEqual(['lea@test.example']);
    expect((await browser.open(path)).text).toContain('Captured.');
    expect((await browser.open(path)).text).not.toContain('Captured.');
  });

  test('that is sent twice acts once', async () => {
    const before = await pages.app.database.asSuperuser(
      `select count(*)::int as n from audit_log where tenant_id = '${tenant.tenantId}'`,
    );
    for (let times = 0; times < 2; times += 1)
      expect((await browser.send(page, 'capture', { email: 'twice@test.example' })).status).toBe(303);
    const other = await browser.send(page, 'capture', { email: 'other@test.example' });
    expect(other.status).toBe(422);
    expect(other.text).toContain('The Idempotency-Key was used');
    expect(await leadsOf()).toEqual(['twice@test.example']);
    expect(before).toBeDefined();
  });

  test('that is refused is drawn again with what was typed, and what is wrong beside its field', async () => {
    const sent = await browser.send(page, 'capture', { email: 'no"<b>', source: 'fair' });
    expect(sent.status).toBe(400);
    expect(sent.text).toContain('value="no&quot;&lt;b&gt;"');
    expect(sent.text).toContain('value="fair"');
    expect(sent.text).toMatch(/<p class="fault" id="capture-email-fault">[^<]+<\/p>/);
    expect(sent.text).toContain('aria-describedby="capture-email-fault" aria-invalid="true"');
    expect((await browser.send(sent, 'capture', { email: 'better@test.example' })).status).toBe(303);
    expect(await leadsOf()).toEqual(['better@test.example']);
  });

  const fieldsOf = (action: string): URLSearchParams =>
    formsOf(page.text).find(({ fields }) => fields.get('_do') === action)?.fields ?? new URLSearchParams();
  const filled = (change: (fields: URLSearchParams) => void = () => undefined): URLSearchParams => {
    const fields = fieldsOf('capture');
    fields.set('email', 'forged@test.example');
    change(fields);
    return fields;
  };
  const ours = { 'sec-fetch-site': 'same-origin' };

  test.each([
    ['no token', (fields: URLSearchParams) => fields.delete('_token')],
    ['another token', (fields: URLSearchParams) => fields.set('_token', 'x'.repeat(43))],
    ['the token of another action', (fields: URLSearchParams) => fields.set('_token', fieldsOf('guarded').get('_token') ?? '')],
    ['another action', (fields: URLSearchParams) => fields.set('_do', 'guarded')],
    ['an action that there is not', (fields: URLSearchParams) => fields.set('_do', 'toString')],
  ])('with %s is refused', async (_what, change) => {
    const sent = await browser.post(path, filled(change), ours);
    expect(sent.status).toBe(403);
    expect(await leadsOf()).toEqual([]);
  });

  test.each([
    ['without a word where it comes from', {}],
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of the same site, but another origin', { 'sec-fetch-site': 'same-site' }],
    ['typed into the address line', { 'sec-fetch-site': 'none' }],
    ['of another origin', { origin: 'https://evil.example' }],
    ['of an origin that hides', { origin: 'null' }],
    ['of another port', { origin: 'http://127.0.0.1:1' }],
    ['of another site with our origin', { 'sec-fetch-site': 'cross-site', origin: 'OURS' }],
  ])('%s is refused', async (_what, headers) => {
    const sent = await browser.post(
      path,
      filled(),
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value === 'OURS' ? pages.app.baseUrl : value])),
    );
    expect(sent.status).toBe(403);
    expect(await leadsOf()).toEqual([]);
  });

  test('of a browser of before, by its origin, is taken', async () => {
    expect((await browser.post(path, filled(), { origin: pages.app.baseUrl })).status).toBe(303);
  });

  test('drawn for another session is refused, also of the same role', async () => {
    const other = pages.signedIn(tenant, 'admin');
    expect((await other.post(path, filled(), ours)).status).toBe(403);
  });

  test('drawn in one environment is refused in the other', async () => {
    expect((await browser.post(`${pages.home(tenant, 'SANDBOX')}/leads`, filled(), ours)).status).toBe(403);
  });

  test('of somebody who is not signed in leads to sign in', async () => {
    const sent = await pages.stranger().post(path, filled(), ours);
    expect([sent.status, sent.location]).toEqual([303, `/dashboard/sign-in?next=${encodeURIComponent(path)}`]);
  });

  test('by a role without the right is neither drawn nor taken', async () => {
    const reader = pages.signedIn(tenant, 'read-only');
    const shown = await reader.open(path);
    expect(shown.status).toBe(200);
    expect(formsOf(shown.text).filter(({ fields }) => fields.has('_do'))).toEqual([]);
    expect((await reader.post(path, filled(), ours)).status).toBe(403);
    expect(await leadsOf()).toEqual([]);
  });

  test('that is too large, or has what no text has, is refused', async () => {
    expect(
      (
        await browser.post(
          path,
          filled((fields) => fields.set('source', 'x'.repeat(300_000))),
          ours,
        )
      ).status,
    ).toBe(413);
    expect((await browser.post(path, `${filled().toString()}&source=%00`, ours)).status).toBe(400);
  });

  test('that needs a factor asks for it, keeps what was typed, and goes on', async () => {
    const asked = await browser.send(page, 'guarded', { email: 'guard@test.example' });
    expect(asked.status).toBe(403);
    expect(asked.text).toContain('Confirm that it is you');
    const wrong = await browser.send(asked, 'guarded', { _method: 'code', _answer: '000000' });
    expect(wrong.text).toContain('That was not right');
    expect(await leadsOf()).toEqual([]);
    const before = browser.cookie('mcr');
    const given = await browser.send(wrong, 'guarded', { _method: 'code', _answer: RIGHT_CODE });
    expect([given.status, given.location], given.text).toEqual([303, path]);
    expect(await leadsOf()).toEqual(['guard@test.example']);
    expect(browser.cookie('mcr')).not.toBe(before);
    expect((await browser.open(path)).text).toContain('Guarded.');
  });

  test('whose effect waits for a second person says so', async () => {
    await apiClient(pages.app, tenant.liveKey).patch('/api/v1/admin/settings', { payments: { dualControl: true } });
    const at = `${pages.home(tenant)}/hands`;
    const sent = await browser.send(await browser.open(at), 'weaken');
    expect([sent.status, sent.location], sent.text).toEqual([303, at]);
    expect((await browser.open(at)).text).toContain('This waits for a second person');
  });
});

describe('an address', () => {
  test('of a page without a session leads to sign in, and back', async () => {
    const stranger = pages.stranger();
    const opened = await stranger.open(`${path}?q=a%26b`);
    expect([opened.status, opened.location]).toEqual([303, `/dashboard/sign-in?next=${encodeURIComponent(`${path}?q=a%26b`)}`]);
    const form = await stranger.open(opened.location ?? '');
    expect(form.status).toBe(200);
    const fields = formsOf(form.text)[0]?.fields ?? new URLSearchParams();
    fields.set('tenant', 'any');
    fields.set('email', 'ada@test.example');
    fields.set('password', RIGHT_PASSWORD);
    pages.signedIn(tenant, 'admin', { email: 'ada@test.example' });
    const sent = await stranger.post(opened.location ?? '', fields);
    expect(sent.status, sent.text).toBe(303);
  });

  test.each([
    '//evil.example',
    'https://evil.example/dashboard',
    '/\\evil.example',
    '/dashboard/../api',
    'javascript:alert(1)',
    '/dashboardx',
    '/dashboard/\n/evil',
  ])('as %j is no next one', async (next) => {
    const stranger = pages.stranger();
    const form = await stranger.open(`/dashboard/sign-in?next=${encodeURIComponent(next)}`);
    const fields = formsOf(form.text)[0]?.fields ?? new URLSearchParams();
    pages.signedIn(tenant, 'admin', { email: 'next@test.example' });
    fields.set('email', 'next@test.example');
    fields.set('password', RIGHT_PASSWORD);
    const sent = await stranger.post(`/dashboard/sign-in?next=${encodeURIComponent(next)}`, fields);
    expect(sent.status).toBe(303);
    expect(sent.location).toMatch(/^\/dashboard\/t-[0-9a-f]+\/live$/);
  });

  test('of another tenant is 404, as one that there is not', async () => {
    const other = await pages.app.newTenant();
    const foreign = await browser.open(`${pages.home(other)}/leads`);
    const none = await browser.open('/dashboard/nobody/live/leads');
    expect([foreign.status, none.status]).toEqual([404, 404]);
    const without = (text: string): string => text.replace(/<code>[0-9a-f-]{36}<\/code>/g, '');
    expect(without(foreign.text)).toBe(without(none.text));
  });

  test('of a page that the role does not open is 403, and is not linked', async () => {
    const reviewer = pages.signedIn(tenant, 'reviewer');
    const opened = await reviewer.open(path);
    expect(opened.status).toBe(403);
    expect(opened.text).toContain('Your role, reviewer, does not open this');
    expect((await reviewer.open(pages.home(tenant))).text).not.toContain('/leads"');
    expect((await browser.open(pages.home(tenant))).text).toContain('/leads"');
  });

  test('of an environment that the page is not of is 404', async () => {
    expect((await browser.open(`${pages.home(tenant)}/clock`)).status).toBe(404);
    expect((await browser.open(`${pages.home(tenant, 'SANDBOX')}/clock`)).status).toBe(200);
    expect((await browser.open(`/dashboard/${pages.home(tenant).split('/')[2]}/elsewhere/leads`)).status).toBe(404);
  });

  test('of a page that calls what it does not declare is 500 and says nothing of it', async () => {
    const opened = await browser.open(`${pages.home(tenant)}/undeclared`);
    expect(opened.status).toBe(500);
    expect(opened.text).not.toContain('does not declare');
    expect(opened.text).toMatch(/Request <code>[0-9a-f-]{36}<\/code>/);
  });

  test('by another host than this machine, over plain http, shows no pages', async () => {
    const { request } = await import('node:http');
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const req = request(new URL(path, pages.app.baseUrl), { headers: { host: 'shop.example' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      req.on('error', reject);
      req.end();
    });
    expect(status).toBe(403);
  });
});

test('every page has the policy, and may not be kept or framed', async () => {
  for (const opened of [
    page,
    await browser.open('/dashboard/nothing'),
    await pages.stranger().open('/dashboard/sign-in'),
    await pages.stranger().open(path),
  ]) {
    expect(opened.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; worker-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(opened.headers.get('cache-control')).toBe('no-store');
    expect(opened.headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('signing out ends the session', async () => {
  const form = formsOf(page.text).find(({ address }) => address === '/dashboard/sign-out');
  const cookie = browser.cookie('mcr');
  expect((await browser.post('/dashboard/sign-out', new URLSearchParams({ _token: 'wrong' }))).status).toBe(403);
  expect((await browser.post('/dashboard/sign-out', form?.fields ?? '')).location).toBe('/dashboard/sign-in');
  expect(browser.cookie('mcr')).toBeUndefined();
  const again = pages.stranger();
  again.keep(`mcr=${cookie}`);
  expect((await again.open(path)).status).toBe(303);
});

test('what browsers load beside is kept for ever, compressed, and of this version alone', async () => {
  const sheet = /href="(\/dashboard\/assets\/[\w-]+\/pages\.css)"/.exec(page.text)?.[1] ?? '';
  const loaded = await browser.open(sheet, { 'accept-encoding': 'br' });
  expect(loaded.status).toBe(200);
  expect(loaded.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(loaded.headers.get('content-encoding')).toBe('br');
  expect(loaded.text).toContain('color-scheme: light dark');
  expect((await browser.open(sheet.replace(/assets\/[\w-]+/, 'assets/other'))).status).toBe(404);
  const core = await browser.open(sheet.replace('pages.css', 'core.js'));
  expect(core.headers.get('content-type')).toContain('javascript');
  expect(core.text).not.toMatch(/\bexport\b|: HTMLElement/);
  expect(() => new Script(core.text)).not.toThrow();
});
