/** The own account through HTTP, with people and sessions as they are. Source: docs/specification/people.md, docs/specification/people-factors.md. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, stepAt } from '../../../src/features/staff/factors/totp.ts';
import { setCookie } from '../../../src/features/staff/open/session-cookie.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { PASSWORD, signIn } from '../../support/app/test-people.ts';
import { createBrowser, formsOf, type Opened } from '../../support/pages/browser.ts';
import { hrefOf } from '../../support/pages/follow.ts';
import { realPerson } from '../../support/pages/real-person.ts';
import { SoftwareAuthenticator } from '../../support/staff/authenticator.ts';
import { fromBase32, originOf } from '../../support/staff/own-factors.ts';

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
});
afterAll(() => app.close());

const unescaped = (text: string): string => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
const questionOf = ({ text }: Opened) => JSON.parse(unescaped(/data-question="([^"]+)"/.exec(text)?.[1] ?? '{}'));

async function addPasskey(browser: ReturnType<typeof createBrowser>, path: string): Promise<SoftwareAuthenticator> {
  const asked = await browser.send(await browser.open(path), 'askForPasskey');
  expect(asked.status, asked.text.slice(0, 2_000)).toBe(200);
  const device = new SoftwareAuthenticator(originOf(app));
  const response = JSON.stringify(device.create(questionOf(asked)));
  const added = await browser.send(asked, 'addPasskey', { name: 'Laptop <b>', response });
  expect([added.status, added.location], added.text.slice(0, 2_000)).toEqual([303, path]);
  return device;
}

test.each(['owner', 'admin', 'finance', 'reviewer', 'developer', 'read-only'] as const)('a %s opens it', async (role) => {
  const { browser, home, person } = await realPerson(app, tenant, { role, name: 'Ida “<b>”' });
  const opened = await browser.open(`${home()}/account`);
  expect(opened.status, opened.text.slice(0, 2_000)).toBe(200);
  expect(opened.text).toContain(person.email);
  expect(opened.text).not.toContain('<b>');
  expect((await browser.open(`${home('SANDBOX')}/account`)).location).toBe(`${home()}/account`);
});

test('whoever has no second factor is told to set one up, and can', async () => {
  const { browser, home } = await realPerson(app, tenant, { role: 'owner', factor: false, fresh: false });
  const path = `${home()}/account`;
  expect((await browser.open(path)).text).toContain('You have none yet');
  await addPasskey(browser, path);
  const after = await browser.open(path);
  expect(after.text).toContain('Laptop &lt;b&gt;');
  expect(after.text).toContain('You have no recovery codes');
});

describe('an authenticator app', () => {
  test('is set up by its first code; a wrong code asks again, with the key and without the picture', async () => {
    const { browser, home } = await realPerson(app, tenant, { role: 'admin', factor: false, fresh: false });
    const path = `${home()}/account`;
    const begun = await browser.send(await browser.open(path), 'beginAuthenticator');
    expect(begun.status).toBe(200);
    expect(begun.text).toMatch(/<div class="qr" role="img"[^>]*><svg /);
    expect(begun.headers.get('cache-control')).toContain('no-store');
    const secret =
      formsOf(begun.text)
        .find(({ fields }) => fields.has('secret'))
        ?.fields.get('secret') ?? '';
    const right = codeOf(fromBase32(secret), stepAt(new Date()));
    const wrong = right === '000000' ? '111111' : '000000';
    const again = await browser.send(begun, 'confirmAuthenticator', { code: wrong });
    expect(again.text).toContain('role="alert"');
    expect(again.text).toContain(secret.slice(0, 4));
    expect(again.text).not.toContain('class="qr"');
    const done = await browser.send(again, 'confirmAuthenticator', { code: right });
    expect([done.status, done.location], done.text.slice(0, 2_000)).toEqual([303, path]);
    const after = await browser.open(path);
    expect(after.text).toContain('The app is set up');
    expect(after.text).not.toContain(secret);
  });

  test('what is sent as the key is drawn as a text', async () => {
    const { browser, home } = await realPerson(app, tenant, { role: 'admin', factor: false, fresh: false });
    const begun = await browser.send(await browser.open(`${home()}/account`), 'beginAuthenticator');
    const again = await browser.send(begun, 'confirmAuthenticator', { code: '1', secret: '<img src=x>' });
    expect(again.text).not.toContain('<img');
  });
});

test('recovery codes take a fresh factor, are shown once, and then not again', async () => {
  const { browser, home } = await realPerson(app, tenant, { role: 'owner' });
  const path = `${home()}/account`;
  const form = await browser.open(path);
  const made = await browser.send(form, 'recoveryCodes');
  expect(made.status, made.text.slice(0, 2_000)).toBe(200);
  const codes = /<div class="codes">.*?<code>([^<]+)<\/code>/s.exec(made.text)?.[1]?.split('\n') ?? [];
  expect(new Set(codes).size).toBe(10);
  const repeated = await browser.send(form, 'recoveryCodes');
  expect(repeated.text).not.toContain(codes[0] ?? '?');
  expect((await browser.open(path)).text).toContain('10 left');
});

test('a change of factors without a fresh one asks for it first, and goes on then', async () => {
  const { browser, home, person } = await realPerson(app, tenant, { role: 'admin', factor: false, fresh: false });
  const path = `${home()}/account`;
  await addPasskey(browser, path);
  const stale = await signIn(app, person, { fresh: false });
  const other = createBrowser(app.baseUrl);
  other.keep(setCookie(stale.cookie, false));
  const asked = await other.send(await other.open(path), 'recoveryCodes');
  expect(asked.status).toBe(403);
  expect(asked.text).toContain('Confirm that it is you');
  expect(asked.text).not.toContain('class="codes"');
});

describe('the name and the password', () => {
  test('the name is changed, and a hostile one is drawn as a text', async () => {
    const { browser, home } = await realPerson(app, tenant, { role: 'read-only', factor: false, fresh: false });
    const path = `${home()}/account`;
    const name = '<script>alert(1)</script> \u202Eevil';
    expect((await browser.send(await browser.open(path), 'rename', { name })).status).toBe(303);
    const after = await browser.open(path);
    expect(after.text).not.toContain('<script>alert');
    expect(after.text).toContain('&lt;script&gt;alert(1)');
  });

  test('a wrong password is told in the form; the right one ends the other sessions', async () => {
    const { browser, home, person } = await realPerson(app, tenant, { role: 'admin' });
    const other = await signIn(app, person);
    const path = `${home()}/account`;
    const form = await browser.open(path);
    const next = 'a lantern on another shore 9';
    const wrong = await browser.send(form, 'password', { password: 'not it at all 1', newPassword: next });
    expect(wrong.status).toBeGreaterThanOrEqual(400);
    expect(wrong.text).toContain('The password is not the right one');
    expect(wrong.text).not.toContain(next);
    const short = await browser.send(await browser.open(path), 'password', { password: PASSWORD, newPassword: 'short' });
    expect(short.text).toMatch(/id="password-newPassword-fault"/);
    const done = await browser.send(await browser.open(path), 'password', { password: PASSWORD, newPassword: next });
    expect([done.status, done.location], done.text.slice(0, 2_000)).toEqual([303, path]);
    expect((await browser.open(path)).status).toBe(200);
    const elsewhere = createBrowser(app.baseUrl);
    elsewhere.keep(setCookie(other.cookie, false));
    expect((await elsewhere.open(path)).location).toContain('/dashboard/sign-in');
  });
});

describe('sessions', () => {
  test('one is ended, the others, and all: then this one signs in again', async () => {
    const { browser, home, person } = await realPerson(app, tenant, { role: 'admin' });
    const path = `${home()}/account`;
    const [one, two] = [await signIn(app, person), await signIn(app, person)];
    const opened = await browser.open(path);
    expect(formsOf(opened.text).filter(({ fields }) => fields.get('_do') === 'endSession')).toHaveLength(2);
    await browser.send(opened, 'endSession', {}, { key: one.sessionId });
    const left = await app.database.asSuperuser<{ id: string }>(
      'select id from staff_session where staff_id = $1 and ended_at is null order by id',
      [person.staffId],
    );
    expect(left.map(({ id }) => id)).toEqual([person.sessionId, two.sessionId].toSorted());
    await browser.send(await browser.open(path), 'endOthers');
    expect((await browser.open(path)).status).toBe(200);
    const all = await browser.send(await browser.open(path), 'endAll');
    expect(all.location).toBe('/dashboard/sign-in');
  });

  test('"this was not me" leads to a link to another password; long after signing in it asks to sign in again', async () => {
    const { browser, home, person } = await realPerson(app, tenant, { role: 'admin', factor: false, fresh: false });
    const path = `${home()}/account`;
    const begun = (minutes: number) =>
      app.database.asSuperuser('update staff_session set created_at = now() - make_interval(mins => $2) where id = $1', [
        person.sessionId,
        minutes,
      ]);
    await begun(11);
    for (const action of ['notMe', 'askForPasskey', 'beginAuthenticator']) {
      const refused = await browser.send(await browser.open(path), action);
      expect([refused.status, refused.location], action).toEqual([401, undefined]);
      expect(refused.text).toContain('takes a sign-in of the last 10 minutes');
    }
    await begun(1);
    const done = await browser.send(await browser.open(path), 'notMe');
    expect(done.location, done.text.slice(0, 2_000)).toMatch(/^\/dashboard\/not-me-done\?link=[\w-]{43}$/);
    const link = hrefOf(await browser.open(done.location ?? ''), 'Choose another password');
    expect((await browser.open(link)).text).toContain('name="password"');
  });

  test("another person's session cannot be ended by its id", async () => {
    const stranger = await realPerson(app, await app.newTenant(), { role: 'admin' });
    const mate = await realPerson(app, tenant, { role: 'admin' });
    const own = await realPerson(app, tenant, { role: 'admin' });
    await signIn(app, own.person);
    for (const { person, browser, home } of [stranger, mate]) {
      const page = await own.browser.open(`${own.home()}/account`);
      const sent = await own.browser.send(page, 'endSession', { sessionId: person.sessionId });
      expect(sent.status, sent.text.slice(0, 1_000)).toBe(404);
      const [row] = await app.database.asSuperuser<{ open: boolean }>(
        'select ended_at is null as open from staff_session where id = $1',
        [person.sessionId],
      );
      expect(row).toEqual({ open: true });
      expect((await browser.open(`${home()}/account`)).status).toBe(200);
    }
  });
});
