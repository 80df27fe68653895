/**
 * The way in through HTTP, with the people of the service itself: passwords, second steps, links, cookies and the way out.
 * Source: docs/specification/people.md#sign-in, #links, #cookie.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeRecoveryCodes } from '../../../src/features/staff/factors/factors-operations.ts';
import { codeOf, stepAt } from '../../../src/features/staff/factors/totp.ts';
import type { Role } from '../../../src/features/staff/open/roles.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { invokeAs, PASSWORD, type PlantedPerson, plantPerson, plantSignedIn, staffOf } from '../../support/app/test-people.ts';
import { type Browser, createBrowser, formsOf, type Opened } from '../../support/pages/browser.ts';
import { addAuthenticator, addDevice } from '../../support/staff/own-factors.ts';

const SIGN_IN = '/dashboard/sign-in';
const GOOD = 'four quiet horses at noon';

let app: TestApp;
let tenant: TestTenant;
let slug: string;
let home: string;
beforeAll(async () => {
  // Failures are counted by address: each browser has one of its own.
  app = await startTestApp({ RATE_LIMIT_STAFF: '1000000' });
  tenant = await app.newTenant();
  slug = await slugOf(tenant);
  home = `/dashboard/${slug}/live`;
});
afterAll(() => app.close());

let addresses = 0;
function newBrowser(at = app): Browser {
  addresses += 1;
  return createBrowser(at.baseUrl, {}, `127.51.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`);
}

async function slugOf({ tenantId }: TestTenant): Promise<string> {
  const [row] = await app.database.asSuperuser<{ slug: string }>('select slug from tenant where id = $1', [tenantId]);
  return row?.slug ?? '';
}

/** Sends the first form of a page, with what is typed. */
async function send(browser: Browser, page: Opened, typed: Record<string, string>, headers?: Record<string, string>) {
  const [form] = formsOf(page.text);
  if (!form) throw new Error(`no form on the page: ${page.text.slice(0, 500)}`);
  for (const [name, value] of Object.entries(typed)) form.fields.set(name, value);
  return browser.post(form.address, form.fields, headers);
}

async function signIn(
  browser: Browser,
  typed: { email: string; password?: string; tenant?: string },
  query = '',
): Promise<Opened> {
  return send(browser, await browser.open(SIGN_IN + query), { tenant: slug, password: PASSWORD, ...typed });
}

const person = (role: Role = 'read-only', of = tenant): Promise<PlantedPerson> =>
  plantPerson(app, of.tenantId, { role, factor: false });

const opens = async (browser: Browser, path = home): Promise<number> => (await browser.open(path)).status;

/** Without what differs from one request to the next. */
const bare = (text: string): string => text.replaceAll(/value="[\w-]{43}"|<code>[0-9a-f-]{36}<\/code>/g, '');

describe('with a password', () => {
  test('somebody is let in, and comes to the overview', async () => {
    const browser = newBrowser();
    const sent = await signIn(browser, await person());
    expect([sent.status, sent.location], sent.text).toEqual([303, home]);
    expect(await opens(browser)).toBe(200);
  });

  test('the tenant is remembered by the browser, and filled in the next time', async () => {
    const filledIn = async (browser: Browser) => formsOf((await browser.open(SIGN_IN)).text)[0]?.fields.get('tenant');
    // Where there is one tenant only nobody has to say which.
    expect(await filledIn(newBrowser())).toBe(slug);
    await app.newTenant();
    const browser = newBrowser();
    expect(await filledIn(browser)).toBe('');
    await signIn(browser, await person());
    browser.keep('mcr=; Max-Age=0');
    expect(await filledIn(browser)).toBe(slug);
    expect(await filledIn(newBrowser())).toBe('');
  });

  test('who is signed in already goes on at once', async () => {
    const browser = newBrowser();
    await signIn(browser, await person());
    expect((await browser.open(SIGN_IN)).location).toBe(home);
    expect((await browser.open('/dashboard')).location).toBe(home);
    expect((await newBrowser().open('/dashboard')).location).toBe(SIGN_IN);
  });

  test('the way back is an address of the own tenant', async () => {
    const { email } = await person();
    const next = (path: string): string => `?next=${encodeURIComponent(path)}`;
    expect((await signIn(newBrowser(), { email }, next(`${home}/members?q=a%26b`))).location).toBe(`${home}/members?q=a%26b`);
    const other = await slugOf(await app.newTenant());
    expect((await signIn(newBrowser(), { email }, next(`/dashboard/${other}/live`))).location).toBe(home);
  });

  test('whatever is wrong is answered alike, and the password is not drawn', async () => {
    const { email } = await person();
    const elsewhere = await slugOf(await app.newTenant());
    const disabled = await person();
    await app.database.asSuperuser(`update staff set state = 'disabled' where id = $1`, [disabled.staffId]);
    const wrong = 'not the one that it is';
    const answers: Opened[] = [];
    for (const typed of [
      { email, password: wrong },
      { email: 'nobody@example.com', password: wrong },
      { email, password: PASSWORD, tenant: elsewhere },
      { email, password: PASSWORD, tenant: 'no-such-tenant' },
      { email: disabled.email, password: PASSWORD },
      { email: '', password: '' },
    ])
      answers.push(await signIn(newBrowser(), typed));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    const told = answers.map(({ text }) => /<div class="notice notice-bad"[^>]*>(.*?)<\/div>/.exec(text)?.[1]);
    expect(new Set(told)).toEqual(new Set(['<p>The tenant, the email address or the password is not right.</p>']));
    for (const { text, headers } of answers) {
      expect(text).not.toContain(wrong);
      expect(text).not.toContain(PASSWORD);
      expect(headers.getSetCookie().filter((line) => line.startsWith('mcr='))).toEqual([]);
    }
    expect(answers[0]?.text).toContain(`value="${email}"`);
  });

  test('too many failures wait, and say how long', async () => {
    const { email } = await person();
    const browser = newBrowser();
    for (let count = 0; count < 5; count += 1) expect((await signIn(browser, { email, password: 'wrong' })).status).toBe(401);
    const waits = await signIn(newBrowser(), { email });
    expect(waits.status).toBe(429);
    expect(waits.text).toMatch(/Wait \d+ seconds?, then try again/);
  });

  test('twenty failures a minute are looked at from one address', async () => {
    const browser = newBrowser();
    const page = await browser.open(SIGN_IN);
    const statuses: number[] = [];
    for (let count = 0; count < 22; count += 1)
      statuses.push((await send(browser, page, { tenant: slug, email: `u${count}@example.com`, password: 'wrong' })).status);
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 401), 429, 429]);
    // Another address is another's.
    expect((await signIn(newBrowser(), await person())).status).toBe(303);
  });

  test('sixty posts a minute are taken from one address, right or wrong', async () => {
    const browser = newBrowser();
    const page = await browser.open(SIGN_IN);
    const { email } = await person();
    // Of a form that is refused before anything is guessed at, so that the count is all that is tried.
    const [byPasskey] = formsOf(page.text).filter(({ address }) => address.endsWith('/passkey'));
    if (!byPasskey) throw new Error('no form for passkeys');
    const post = () => browser.post(byPasskey.address, byPasskey.fields);
    expect((await send(browser, page, { tenant: slug, email, password: PASSWORD })).status).toBe(303);
    for (let count = 1; count < 60; count += 1) expect((await post()).status).toBe(400);
    const refused = [await post(), await send(browser, page, { tenant: slug, email, password: PASSWORD })];
    for (const { status, headers } of refused) {
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    // Another address is another's.
    expect((await signIn(newBrowser(), { email })).status).toBe(303);
  });

  test('nobody is let into another tenant', async () => {
    const other = await app.newTenant();
    const browser = newBrowser();
    await signIn(browser, await person());
    expect(await opens(browser, `/dashboard/${await slugOf(other)}/live`)).toBe(404);
  });
});

describe('a session', () => {
  test('has a value that nobody put there before: none is adopted, and each sign-in has another', async () => {
    const { email } = await person();
    const planted = 'P'.repeat(43);
    const values = new Set([planted]);
    for (let count = 0; count < 2; count += 1) {
      const browser = newBrowser();
      browser.keep(`mcr=${planted}`);
      expect((await signIn(browser, { email })).status).toBe(303);
      values.add(browser.cookie('mcr') ?? '');
      expect(await opens(browser)).toBe(200);
    }
    expect(values.size).toBe(3);
    const thief = newBrowser();
    thief.keep(`mcr=${planted}`);
    expect((await thief.open(home)).location).toContain(SIGN_IN);
  });

  test('ends where one signs out, on the server too, and others go on', async () => {
    const { email } = await person();
    const [here, there] = [newBrowser(), newBrowser()];
    await signIn(here, { email });
    await signIn(there, { email });
    const value = here.cookie('mcr');
    const page = await here.open(home);
    const form = formsOf(page.text).find(({ address }) => address === '/dashboard/sign-out');
    const out = await here.post('/dashboard/sign-out', form?.fields ?? '');
    expect([out.status, out.location]).toEqual([303, SIGN_IN]);
    expect(out.headers.getSetCookie()).toContain('mcr=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
    expect(here.cookie('mcr')).toBeUndefined();
    const copy = newBrowser();
    copy.keep(`mcr=${value}`);
    expect(await opens(copy)).toBe(303);
    expect(await opens(there)).toBe(200);
  });

  test.each([
    ['without a form of ours', { _token: undefined }, {}],
    ['by the form of another session', { _token: 'x'.repeat(43) }, {}],
    ['from another site', {}, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ])('is not ended %s', async (_how, change, headers) => {
    const browser = newBrowser();
    await signIn(browser, await person());
    const form = formsOf((await browser.open(home)).text).find(({ address }) => address === '/dashboard/sign-out');
    const fields = form?.fields ?? new URLSearchParams();
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined) fields.delete(name);
      else fields.set(name, value);
    }
    const sent = await browser.post('/dashboard/sign-out', fields, { 'sec-fetch-site': 'same-origin', ...headers });
    expect(sent.status).toBe(403);
    expect(await opens(browser)).toBe(200);
  });
});

describe('the form of signing in', () => {
  test('is of one browser: another one, and one without cookies, sends it in vain', async () => {
    const { email } = await person();
    const page = await newBrowser().open(SIGN_IN);
    const typed = { tenant: slug, email, password: PASSWORD };
    const other = newBrowser();
    expect((await send(other, page, typed)).status).toBe(403);
    await other.open(SIGN_IN);
    const sent = await send(other, page, typed);
    expect(sent.status).toBe(403);
    expect(other.cookie('mcr')).toBeUndefined();
  });

  test.each<[string, Record<string, string>]>([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of an origin that is not ours', { origin: 'https://evil.example' }],
    ['without a word of where it comes from', {}],
  ])('is refused %s', async (_where, headers) => {
    const { email } = await person();
    const browser = newBrowser();
    const sent = await send(browser, await browser.open(SIGN_IN), { tenant: slug, email, password: PASSWORD }, headers);
    expect(sent.status).toBe(403);
    expect(browser.cookie('mcr')).toBeUndefined();
  });
});

describe('a second step', () => {
  const now = (secret: Buffer): string => codeOf(secret, stepAt(new Date()));

  async function withApp() {
    const signedIn = await plantSignedIn(app, tenant.tenantId, { role: 'owner', factor: false, fresh: false });
    return { ...signedIn, secret: await addAuthenticator(app, signedIn) };
  }

  test('is asked for behind the password; before it there is no session', async () => {
    const { email, secret } = await withApp();
    const browser = newBrowser();
    const first = await signIn(browser, { email }, `?next=${encodeURIComponent(`${home}/keys`)}`);
    expect([first.status, first.location]).toEqual([303, `${SIGN_IN}/factor?next=${encodeURIComponent(`${home}/keys`)}`]);
    expect(browser.cookie('mcr')).toBeUndefined();
    expect(await opens(browser)).toBe(303);
    const step = await browser.open(first.location ?? '');
    expect(step.text).toContain('Your second factor');
    const wrong = await send(browser, step, { _answer: '000000' });
    expect(wrong.status).toBe(401);
    expect(wrong.text).toContain('That was not right');
    const done = await send(browser, wrong, { _answer: now(secret) });
    expect([done.status, done.location]).toEqual([303, `${home}/keys`]);
    expect(await opens(browser)).toBe(200);
    expect(browser.cookie('mcr-step')).toBeUndefined();
  });

  test('takes a recovery code, once', async () => {
    const signedIn = await plantSignedIn(app, tenant.tenantId, { role: 'owner', factor: false, fresh: false });
    await addAuthenticator(app, signedIn);
    await app.database.asSuperuser('update staff_session set factor_at = now() where id = $1', [signedIn.sessionId]);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const made = await invokeAs(app, signedIn, makeRecoveryCodes);
    const [code = ''] = made.body?.codes ?? [];
    const enter = async (): Promise<number> => {
      const browser = newBrowser();
      const { location = '' } = await signIn(browser, signedIn);
      return (await send(browser, await browser.open(location), { _answer: code })).status;
    };
    expect(await enter()).toBe(303);
    expect(await enter()).toBe(401);
  });

  test('cannot be begun without the password, nor once it has run out', async () => {
    const { email, secret } = await withApp();
    expect((await newBrowser().open(`${SIGN_IN}/factor`)).location).toBe(SIGN_IN);
    const made = newBrowser();
    made.keep(`mcr-step=${'A'.repeat(43)}~totp`);
    expect((await send(made, await made.open(`${SIGN_IN}/factor`), { _answer: now(secret) })).status).toBe(401);
    const late = newBrowser();
    const { location = '' } = await signIn(late, { email });
    const step = await late.open(location);
    await app.database.asSuperuser('update staff_challenge set expires_at = now() where tenant_id = $1', [tenant.tenantId]);
    expect((await send(late, step, { _answer: now(secret) })).status).toBe(401);
    expect(late.cookie('mcr')).toBeUndefined();
  });

  test('and a passkey alone does without the password', async () => {
    const signedIn = await plantSignedIn(app, tenant.tenantId, { role: 'owner', factor: false, fresh: false });
    const { device } = await addDevice(app, signedIn);
    const browser = newBrowser();
    const page = await browser.open(SIGN_IN);
    const options = await browser.post('/dashboard/passkey-options', new URLSearchParams({ for: 'sign-in', tenant: slug }));
    expect(options.status, options.text).toBe(200);
    const answer = JSON.stringify(device.use((JSON.parse(options.text) as { publicKey: never }).publicKey));
    const form = formsOf(page.text).find(({ fields }) => fields.get('_method') === 'passkey');
    form?.fields.set('_answer', answer);
    const sent = await browser.post(form?.address ?? '', form?.fields ?? '');
    expect([sent.status, sent.location], sent.text).toEqual([303, home]);
    expect(await opens(browser)).toBe(200);
    const again = newBrowser();
    const theirs = formsOf((await again.open(SIGN_IN)).text).find(({ fields }) => fields.get('_method') === 'passkey');
    theirs?.fields.set('_answer', answer);
    expect((await again.post(theirs?.address ?? '', theirs?.fields ?? '')).status).toBe(403);
  });

  test('asks a passkey for nothing where there is no tenant, no half sign-in, and no session', async () => {
    const ask = (fields: Record<string, string>) => newBrowser().post('/dashboard/passkey-options', new URLSearchParams(fields));
    for (const fields of [
      { for: 'sign-in', tenant: 'no-such-tenant' },
      { for: 'factor' },
      { for: 'step-up' },
      { for: 'anything' },
    ])
      expect((await ask(fields)).status, JSON.stringify(fields)).toBe(404);
    const foreign = await newBrowser().post('/dashboard/passkey-options', 'for=sign-in', { 'sec-fetch-site': 'cross-site' });
    expect(foreign.status).toBe(403);
  });
});

describe('the welcome link that a start prints', () => {
  async function started() {
    const own = await app.newTenant();
    const { operator } = staffOf(app);
    const start = async (): Promise<string> => (await operator.welcomeUnlessOwned(own.tenantId)) ?? '';
    const opened = async (url: string): Promise<number> => (await newBrowser().open(new URL(url).pathname)).status;
    const joinBy = async (url: string): Promise<void> => {
      const token = url.split('/').at(-1) ?? '';
      const visitor = { ip: '203.0.113.9', agent: 'a test', requestId: 'of-a-test' };
      const input = { name: 'Ona', email: `ona-${own.tenantId}@example.com`, password: GOOD };
      expect((await staffOf(app).links.accept(token, input, visitor)).kind).toBe('signed_in');
    };
    const byHand = () => operator.invite(own.tenantId, { role: 'owner' });
    return { start, opened, joinBy, byHand };
  }

  test('ends with the next start, which ends none that the operator has made', async () => {
    const { start, opened, byHand } = await started();
    const [first, made, second] = [await start(), await byHand(), await start()];
    expect(await opened(first)).toBe(404);
    expect(await opened(second)).toBe(200);
    expect(await opened(made.url)).toBe(200);
  });

  test('is good once; and ends when an owner joins by another link', async () => {
    const one = await started();
    const used = await one.start();
    await one.joinBy(used);
    expect(await one.opened(used)).toBe(404);
    expect(await one.start()).toBe('');
    const other = await started();
    const left = await other.start();
    await other.joinBy((await other.byHand()).url);
    expect(await other.opened(left)).toBe(404);
  });
});

describe('a welcome link', () => {
  const typed = (name = 'Olga Owner', email = `olga-${crypto.randomUUID()}@example.com`) => ({ name, email, password: GOOD });

  async function newLink(): Promise<{ tenant: TestTenant; path: string; slug: string }> {
    const own = await app.newTenant();
    const { token } = await staffOf(app).operator.invite(own.tenantId, { role: 'owner' });
    return { tenant: own, path: `/dashboard/welcome/${token}`, slug: await slugOf(own) };
  }

  const ownersOf = async ({ tenantId }: TestTenant): Promise<number> =>
    (
      await app.database.asSuperuser<{ n: number }>(
        `select count(*)::int as n from staff where tenant_id = $1 and role = 'owner' and state = 'active'`,
        [tenantId],
      )
    )[0]?.n ?? 0;

  test('uses nothing up when it is looked at', async () => {
    const { path, tenant: own, slug: its } = await newLink();
    for (let times = 0; times < 3; times += 1) {
      const looked = await newBrowser().open(path);
      expect(looked.status).toBe(200);
      expect(looked.text).toContain('You become owner');
      expect(looked.headers.getSetCookie().filter((line) => line.startsWith('mcr='))).toEqual([]);
    }
    expect(await ownersOf(own)).toBe(0);
    const browser = newBrowser();
    const sent = await send(browser, await browser.open(path), typed());
    expect(sent.status, sent.text).toBe(303);
    expect(sent.location).toMatch(new RegExp(`^/dashboard/${its}/live(?:/account)?$`));
    expect(await opens(browser, `/dashboard/${its}/live`)).toBe(200);
    expect(await ownersOf(own)).toBe(1);
  });

  test('works once, and then looks like one that there never was', async () => {
    const { path, tenant: own } = await newLink();
    const [first, second] = [newBrowser(), newBrowser()];
    const [page, late] = [await first.open(path), await second.open(path)];
    expect((await send(first, page, typed())).status).toBe(303);
    const used = await send(second, late, typed());
    expect(used.status).toBe(404);
    expect(second.cookie('mcr')).toBeUndefined();
    const looked = await newBrowser().open(path);
    const never = await newBrowser().open(`/dashboard/welcome/${'A'.repeat(43)}`);
    expect([looked.status, never.status]).toEqual([404, 404]);
    expect(bare(looked.text)).toBe(bare(never.text));
    expect(await ownersOf(own)).toBe(1);
  });

  test('used twice at once lets one in', async () => {
    const { path, tenant: own } = await newLink();
    const browsers = Array.from({ length: 4 }, () => newBrowser());
    const pages = await Promise.all(browsers.map((browser) => browser.open(path)));
    const sent = await Promise.all(browsers.map((browser, nr) => send(browser, pages[nr] as Opened, typed(`Nr ${nr}`))));
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 404, 404, 404]);
    expect(await ownersOf(own)).toBe(1);
  });

  test.each([
    ['too old', `expires_at = now()`],
    ['taken back', `revoked_at = now()`],
  ])('that is %s opens nothing, though its form was drawn before', async (_what, change) => {
    const { path, tenant: own } = await newLink();
    const browser = newBrowser();
    const page = await browser.open(path);
    await app.database.asSuperuser(`update staff_invite set ${change} where tenant_id = $1`, [own.tenantId]);
    expect((await newBrowser().open(path)).status).toBe(404);
    expect((await send(browser, page, typed())).status).toBe(404);
    expect(await ownersOf(own)).toBe(0);
  });

  test('of a tenant that is disabled opens nothing', async () => {
    const { path, tenant: own } = await newLink();
    await app.tenants.setDisabled(own.tenantId, true);
    expect((await newBrowser().open(path)).status).toBe(404);
  });

  test('lets into its own tenant and no other', async () => {
    const { path, slug: its } = await newLink();
    const browser = newBrowser();
    await send(browser, await browser.open(path), typed());
    expect(await opens(browser, `/dashboard/${its}/live`)).toBe(200);
    expect(await opens(browser)).toBe(404);
  });

  test('says what is wrong beside its field, draws no password, and is still good', async () => {
    const { path, tenant: own } = await newLink();
    const browser = newBrowser();
    const short = await send(browser, await browser.open(path), { ...typed('Olga'), password: 'tooshort123' });
    expect(short.status).toBe(400);
    expect(short.text).toMatch(/id="welcome-password-fault">[^<]+</);
    expect(short.text).toContain('value="Olga"');
    expect(short.text).not.toContain('tooshort123');
    const bad = await send(browser, short, { name: ' ', email: 'nobody', password: GOOD });
    expect(bad.status).toBe(400);
    expect(bad.text).toMatch(/id="welcome-(?:name|email)-fault"/);
    expect((await send(browser, bad, typed())).status).toBe(303);
    expect(await ownersOf(own)).toBe(1);
  });

  test('is not used by a form of another site, of another browser, or for another link', async () => {
    const { path, tenant: own } = await newLink();
    const browser = newBrowser();
    const page = await browser.open(path);
    expect((await send(browser, page, typed(), { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await send(newBrowser(), page, typed())).status).toBe(403);
    const another = await newLink();
    const [form] = formsOf(page.text);
    for (const [name, value] of Object.entries(typed())) form?.fields.set(name, value);
    expect((await browser.post(another.path, form?.fields ?? '')).status).toBe(403);
    expect(await ownersOf(own)).toBe(0);
    expect(await ownersOf(another.tenant)).toBe(0);
  });

  test('a session that was there before is none of the newcomer’s', async () => {
    const browser = newBrowser();
    await signIn(browser, await person());
    const before = browser.cookie('mcr');
    const { path, slug: its } = await newLink();
    await send(browser, await browser.open(path), typed());
    expect(browser.cookie('mcr')).not.toBe(before);
    expect(await opens(browser, `/dashboard/${its}/live`)).toBe(200);
  });
});

describe('a link for somebody', () => {
  test('who is invited asks for a name and a password, and gives the role', async () => {
    const email = `ida-${crypto.randomUUID()}@example.com`;
    const { token } = await staffOf(app).operator.invite(tenant.tenantId, { role: 'reviewer', email });
    const browser = newBrowser();
    const page = await browser.open(`/dashboard/welcome/${token}`);
    expect(page.text).toContain('You become reviewer');
    expect(page.text).toContain(email);
    expect(page.text).not.toContain('name="email"');
    const sent = await send(browser, page, { name: 'Ida', email: 'other@example.com', password: GOOD });
    expect(sent.status, sent.text).toBe(303);
    expect((await browser.open(`${home}/keys`)).status).toBe(403);
    expect((await signIn(newBrowser(), { email, password: GOOD })).status).toBe(303);
    expect((await signIn(newBrowser(), { email: 'other@example.com', password: GOOD })).status).toBe(401);
  });

  test('who has lost the password ends the other sessions, and the old password', async () => {
    const { email } = await person();
    const before = newBrowser();
    await signIn(before, { email });
    const { token } = await staffOf(app).operator.resetPassword(tenant.tenantId, email);
    const browser = newBrowser();
    const page = await browser.open(`/dashboard/welcome/${token}`);
    expect(page.text).toContain('Choose a new password');
    expect(await opens(before)).toBe(200);
    const sent = await send(browser, page, { password: GOOD });
    expect([sent.status, sent.location], sent.text).toEqual([303, home]);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await opens(before)).toBe(303);
    expect((await signIn(newBrowser(), { email })).status).toBe(401);
    expect((await signIn(newBrowser(), { email, password: GOOD })).status).toBe(303);
  });
});

describe('cookies', () => {
  const partsOf = (answer: Opened, name: string): string[] => {
    const line = answer.headers.getSetCookie().find((one) => one.startsWith(`${name}=`)) ?? '';
    return line
      .split(';')
      .slice(1)
      .map((part) => part.trim())
      .filter((part) => !part.startsWith('Max-Age'))
      .toSorted();
  };
  const PLAIN = ['HttpOnly', 'Path=/', 'SameSite=Lax'];

  test('on this machine have no Secure, for a browser would not keep them', async () => {
    const browser = newBrowser();
    const page = await browser.open(SIGN_IN);
    expect(partsOf(page, 'mcr-visitor')).toEqual(PLAIN);
    const sent = await send(browser, page, { tenant: slug, email: (await person()).email, password: PASSWORD });
    expect(partsOf(sent, 'mcr')).toEqual(PLAIN);
    expect(partsOf(sent, 'mcr-tenant')).toEqual(PLAIN);
    expect(sent.headers.getSetCookie().filter((line) => line.includes('Domain'))).toEqual([]);
  });

  test('over https are of this host alone, and a session of plain http is none', async () => {
    const secure = await startTestApp({ PUBLIC_BASE_URL: 'https://pages.example' }, app.database);
    try {
      const browser = newBrowser(secure);
      const page = await browser.open(SIGN_IN);
      expect(partsOf(page, '__Host-mcr-visitor')).toEqual([...PLAIN, 'Secure']);
      const { email } = await person();
      const sent = await send(browser, page, { tenant: slug, email, password: PASSWORD });
      expect(sent.status, sent.text).toBe(303);
      expect(partsOf(sent, '__Host-mcr')).toEqual([...PLAIN, 'Secure']);
      expect(sent.headers.getSetCookie().filter((line) => !line.startsWith('__Host-'))).toEqual([]);
      expect(await opens(browser)).toBe(200);
      // The same value under the name that anybody on the network could have set.
      const other = newBrowser(secure);
      other.keep(`mcr=${browser.cookie('__Host-mcr')}`);
      expect(await opens(other)).toBe(303);
    } finally {
      await secure.close();
    }
  });
});
