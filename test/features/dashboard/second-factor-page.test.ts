/** The pages between a form and its effect: a second factor is to be set up, or to be given. Source: docs/specification/people.md#step-up. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, stepAt } from '../../../src/features/staff/factors/totp.ts';
import { setCookie } from '../../../src/features/staff/open/session-cookie.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { signIn } from '../../support/app/test-people.ts';
import { createBrowser, formsOf } from '../../support/pages/browser.ts';
import { hrefOf, wordsOf } from '../../support/pages/follow.ts';
import { realPerson } from '../../support/pages/real-person.ts';
import { addAuthenticator } from '../../support/staff/own-factors.ts';

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
});
afterAll(() => app.close());

const exportsOf = async (environment: 'LIVE' | 'SANDBOX'): Promise<number> => {
  const client = apiClient(app, environment === 'LIVE' ? tenant.liveKey : tenant.sandboxKey);
  return (await client.get('/api/v1/exports')).body.data.length as number;
};

test.each(['owner', 'finance'] as const)(
  'a write in LIVE by %s without a second factor is not done, and leads to where one is set up',
  async (role) => {
    const { browser, home } = await realPerson(app, tenant, { role, factor: false, fresh: false });
    const before = await exportsOf('LIVE');
    const asked = await browser.send(await browser.open(`${home()}/exports`), 'create');
    expect(asked.status, asked.text.slice(0, 2_000)).toBe(403);
    expect(wordsOf(asked)).toContain('Set up a second factor');
    expect(wordsOf(asked)).toContain('you have none yet');
    // Nothing to type a code into, and no form that could be sent once more.
    expect(formsOf(asked.text).filter(({ fields }) => fields.has('_answer') || fields.get('_do') === 'create')).toEqual([]);
    const account = hrefOf(asked, 'To your account');
    expect(account).toBe(`${home()}/account`);
    expect(wordsOf(await browser.open(account))).toContain('You have none yet');
    expect(await exportsOf('LIVE')).toBe(before);
  },
);

test.each([
  ['admin', 'LIVE'],
  ['owner', 'SANDBOX'],
] as const)('it is not asked of %s in %s', async (role, environment) => {
  const { browser, home } = await realPerson(app, tenant, { role, factor: false, fresh: false });
  const before = await exportsOf(environment);
  const sent = await browser.send(await browser.open(`${home(environment)}/exports`), 'create');
  expect(sent.status, wordsOf(sent)).toBe(303);
  expect(await exportsOf(environment)).toBe(before + 1);
});

test('a step-up: a wrong code asks again, the right one carries the form on as it was typed, once', async () => {
  const { home, person } = await realPerson(app, tenant, { role: 'owner', factor: false });
  const secret = await addAuthenticator(app, person);
  const stale = await signIn(app, person, { fresh: false });
  const browser = createBrowser(app.baseUrl);
  browser.keep(setCookie(stale.cookie, false));
  const keys = async () => (await apiClient(app, tenant.liveKey).get('/api/v1/admin/api-keys')).body.data as { name: string }[];
  const named = async () => (await keys()).filter(({ name }) => name === 'Shop “one” & <b>');

  const typed = { name: 'Shop “one” & <b>', preset: 'chosen', scopes: ['events:read', 'leads:read'] };
  const asked = await browser.send(await browser.open(`${home()}/keys/new`), 'create', typed);
  expect(asked.status, asked.text.slice(0, 2_000)).toBe(403);
  expect(wordsOf(asked)).toContain('What you typed is kept');
  // A recovery code is no step-up, and none is asked for.
  expect(wordsOf(asked)).not.toContain('recovery code');
  expect(asked.text).not.toContain('role="alert"');

  const right = codeOf(secret, stepAt(new Date()));
  const wrong = right === '000000' ? '111111' : '000000';
  const again = await browser.send(asked, 'create', { _answer: wrong });
  expect(again.status).toBe(403);
  expect(again.text).toMatch(/role="alert"><p>That was not right/);
  expect(again.text).not.toContain(wrong);
  expect(await named()).toEqual([]);

  const value = browser.cookie('mcr');
  const done = await browser.send(again, 'create', { _answer: right });
  expect(done.status, done.text.slice(0, 2_000)).toBe(200);
  expect(done.text).toContain('I have stored it');
  expect(await named()).toMatchObject([{ scopes: ['events:read', 'leads:read'] }]);
  // The session goes on under another value, and asks no more.
  expect(browser.cookie('mcr')).not.toBe(value);
  const next = await browser.send(await browser.open(`${home()}/keys/new`), 'create', { ...typed, name: 'Next' });
  expect(next.status).toBe(200);

  // Sent again, as by going back, it makes no second key; nor does the code hold for another session.
  await browser.send(again, 'create', { _answer: right });
  expect(await named()).toHaveLength(1);
  const other = createBrowser(app.baseUrl);
  other.keep(setCookie((await signIn(app, person, { fresh: false })).cookie, false));
  const refused = await other.send(await other.send(await other.open(`${home()}/keys/new`), 'create', typed), 'create', {
    _answer: right,
  });
  expect(refused.status).toBe(403);
  expect(await named()).toHaveLength(1);
});

test('a secret that was typed is not drawn: it is typed again with the factor, and then kept', async () => {
  const { home, person } = await realPerson(app, tenant, { role: 'owner', factor: false });
  const authenticator = await addAuthenticator(app, person);
  const browser = createBrowser(app.baseUrl);
  browser.keep(setCookie((await signIn(app, person, { fresh: false })).cookie, false));
  const [name, secret] = ['kyc.kycvendor.secretKey', 'a-secret-of-the-vendor'];
  const isSet = async (): Promise<boolean> =>
    (await apiClient(app, tenant.liveKey).get('/api/v1/admin/settings')).body.kyc.kycvendor.secretKey.set as boolean;

  const typed = { [name]: secret, 'kyc.kycvendor.levelName': 'basic-level' };
  const asked = await browser.send(await browser.open(`${home()}/settings`), 'save', typed, { key: 'kyc' });
  expect(asked.status, asked.text.slice(0, 2_000)).toBe(403);
  const right = codeOf(authenticator, stepAt(new Date()));
  const again = await browser.send(asked, 'save', { _answer: right === '000000' ? '111111' : '000000', [name]: secret });
  expect(again.status).toBe(403);
  for (const page of [asked, again]) {
    expect(page.text).not.toContain(secret);
    expect(wordsOf(page)).toContain('but for secrets');
    const inputs = [...page.text.matchAll(/<input[^>]*>/g)].map(([input]) => input);
    const [field, ...more] = inputs.filter((input) => input.includes(`name="${name}"`));
    expect(more).toEqual([]);
    expect(field).toMatch(/ type="password" value="" .*required/);
    // What is no secret, and a secret that nothing was typed for, go on by themselves.
    expect(inputs.filter((input) => input.includes('value="basic-level"'))).toHaveLength(1);
    expect(inputs.filter((input) => input.includes('type="password"'))).toHaveLength(1);
  }
  expect(await isSet()).toBe(false);
  const done = await browser.send(again, 'save', { _answer: right, [name]: secret });
  expect(done.status, done.text.slice(0, 2_000)).toBe(303);
  expect(await isSet()).toBe(true);
});
