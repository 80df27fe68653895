/** Mail to people, over a real mail server, and the link by which a sign-in is undone. Source: docs/specification/people.md#not-me. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeOwnPassword, inviteStaff, resetStaffPassword } from '../../../src/features/staff/staff-operations.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { invokeAs, PASSWORD, plantPerson, plantSignedIn, type SignedIn, signIn, staffOf } from '../../support/app/test-people.ts';
import { startMailServer, type TestMailServer } from '../../support/mail/mail-server.ts';
import { createBrowser, formsOf } from '../../support/pages/browser.ts';
import { addAuthenticator, addDevice } from '../../support/staff/own-factors.ts';
import { setStaffProvider } from '../../support/staff/staff-provider.ts';
import { startProvider } from '../../support/staff/test-provider.ts';

let server: TestMailServer;
let app: TestApp;
let tenant: TestTenant;
let slug: string;
let owner: SignedIn;

beforeAll(async () => {
  server = await startMailServer();
  app = await startTestApp({
    JOBS: 'inline',
    SWEEP_INTERVAL_MS: '50',
    SMTP_URL: server.url,
    MAIL_FROM: 'Acme <no-reply@pay.example.com>',
  });
  tenant = await app.newTenant();
  owner = await plantSignedIn(app, tenant.tenantId);
  const [row] = await app.database.asSuperuser<{ slug: string }>('select slug from tenant where id = $1', [tenant.tenantId]);
  slug = row?.slug ?? '';
});
afterAll(async () => {
  await app.close();
  await server.close();
});
beforeEach(() => {
  server.received.length = 0;
});

const visitor = (agent: string) => ({ ip: '203.0.113.7', agent, requestId: 'of-a-test' });
const byPassword = (email: string, agent: string, password = PASSWORD) =>
  staffOf(app).signIn.signIn({ tenantSlug: slug, email, password }, visitor(agent));

/** The mails to an address, once there are so many. On the way the domain is written small. */
async function mailTo(email: string, count = 1): Promise<{ subject: string; text: string }[]> {
  for (let waited = 0; waited < 20_000; waited += 20) {
    const found = server.received.filter(({ to }) => to.some((one) => one.toLowerCase() === email.toLowerCase()));
    if (found.length >= count) return found.map(({ mail }) => ({ subject: mail.subject ?? '', text: mail.text ?? '' }));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`no mail to ${email} has come`);
}

const linkIn = (text: string): string => new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? '').pathname;

/** Whoever has signed in before, from `Browser/1`. */
async function knownPerson(): Promise<{ email: string; staffId: string; tenantId: string }> {
  const person = await plantPerson(app, tenant.tenantId, { factor: false, role: 'reviewer' });
  expect(await byPassword(person.email, 'Browser/1')).toMatchObject({ kind: 'signed_in' });
  return person;
}

describe('an invitation', () => {
  test('is mailed, and its link is in the answer too', async () => {
    const made = await invokeAs(app, owner, inviteStaff, { body: { email: 'Dana@Example.com', role: 'reviewer' } });
    expect(made.body).toMatchObject({ mailed: true });
    const [{ subject, text } = { subject: '', text: '' }] = await mailTo('Dana@Example.com');
    expect(subject).toMatch(/^You are invited to /);
    expect(text).toContain(made.body?.link);
    expect(text).toContain('as reviewer');
  });

  test('of the operator is mailed where it names an address', async () => {
    const { url } = await staffOf(app).operator.invite(tenant.tenantId, { role: 'admin', email: 'erin@example.com' });
    expect((await mailTo('erin@example.com'))[0]?.text).toContain(url);
  });

  test('whose change is undone is not mailed', async () => {
    const { email } = await knownPerson();
    await expect(invokeAs(app, owner, inviteStaff, { body: { email, role: 'reviewer' } })).rejects.toMatchObject({
      code: 'STAFF_EXISTS',
    });
    await invokeAs(app, owner, inviteStaff, { body: { email: 'after@example.com', role: 'reviewer' } });
    await mailTo('after@example.com');
    expect(server.received.map(({ to }) => to)).toEqual([['after@example.com']]);
  });
});

test('a link to a new password is mailed', async () => {
  const { email, staffId } = await knownPerson();
  const made = await invokeAs(app, owner, resetStaffPassword, { params: { staffId } });
  expect(made.body).toMatchObject({ mailed: true });
  expect((await mailTo(email))[0]?.text).toContain(made.body?.link);
});

describe('a sign-in', () => {
  test('from a browser that was not seen before is mailed, the first of all and one from a known browser are not', async () => {
    const { email } = await knownPerson();
    await byPassword(email, 'Browser/1');
    await byPassword(email, 'Browser/2 <script>');
    await byPassword(email, 'Browser/2 <script>');
    await byPassword(email, 'Browser/3');
    const mails = await mailTo(email, 2);
    expect(mails).toHaveLength(2);
    expect(mails.every(({ text }) => text.includes('Address: 203.0.113.7'))).toBe(true);
    const browsers = mails.map(({ text }) => /Browser: (.+)/.exec(text)?.[1] ?? '');
    expect(browsers.toSorted()).toEqual(['Browser/2 <script>', 'Browser/3']);
  });

  test('that was refused is not', async () => {
    const { email } = await knownPerson();
    await byPassword(email, 'Browser/9', 'not the password');
    await byPassword(email, 'Browser/8');
    const mails = await mailTo(email);
    expect(mails.map(({ text }) => /Browser: (\S+)/.exec(text)?.[1])).toEqual(['Browser/8']);
  });
});

describe('"this was not me"', () => {
  /** A person, and the path of the link about the sign-in of somebody else, whose cookie is beside it. */
  async function attacked() {
    const person = await knownPerson();
    const theirs = await byPassword(person.email, 'Evil/1');
    if (theirs.kind !== 'signed_in') throw new Error(theirs.kind);
    const [mail] = await mailTo(person.email);
    return { ...person, path: linkIn(mail?.text ?? ''), cookie: theirs.cookie };
  }

  const sessionOf = (cookie: string) => staffOf(app).sessions.resolve(cookie);
  const aSecondLater = () => new Promise((resolve) => setTimeout(resolve, 1_000));

  test('opened changes nothing; sent it ends all sessions and the password, and leads to another', async () => {
    const { email, staffId, tenantId, path, cookie } = await attacked();
    const own = await signIn(app, { email, staffId, tenantId, role: 'reviewer' });
    const browser = createBrowser(app.baseUrl);
    for (let count = 0; count < 3; count += 1) {
      const page = await browser.open(path, { 'sec-fetch-site': 'none' });
      expect(page.status).toBe(200);
      expect(page.text).toContain('Evil/1');
    }
    expect(await sessionOf(cookie)).toBeDefined();
    const [form] = formsOf((await browser.open(path)).text);
    const sent = await browser.post(form?.address ?? '', form?.fields ?? '');
    expect(sent.status).toBe(303);
    const next = await browser.open(sent.location ?? '');
    expect(next.text).toContain('You are signed out everywhere');
    await aSecondLater();
    expect([await sessionOf(cookie), await sessionOf(own.cookie)]).toEqual([undefined, undefined]);
    expect(await byPassword(email, 'Evil/1')).toEqual({ kind: 'refused' });

    const welcome = /href="(\/dashboard\/welcome\/[^"]+)"/.exec(next.text)?.[1] ?? '';
    const choose = await browser.open(welcome);
    const [password] = formsOf(choose.text);
    password?.fields.set('password', 'a heron on a wet roof 3');
    expect((await browser.post(password?.address ?? '', password?.fields ?? '')).status).toBe(303);
    expect(await byPassword(email, 'Browser/1', 'a heron on a wet roof 3')).toMatchObject({ kind: 'signed_in' });
    const audit = await app.database.asSuperuser<{ actor: string; details: object }>(
      `select actor_kind || ':' || actor_id as actor, details from audit_log where action = 'staff.not_me' and object_id = $1`,
      [staffId],
    );
    expect(audit).toEqual([{ actor: `staff:${staffId}`, details: expect.objectContaining({ ended: 3 }) }]);
    // Whoever reads the log could use what stands in it.
    const tokens = [path, welcome].map((link) => link.split('/').at(-1) ?? '');
    expect(tokens.map((token) => [token.length, app.logLines.some((line) => line.includes(token))])).toEqual([
      [43, false],
      [43, false],
    ]);
  });

  test('takes away the second factors of since, and leaves those of before', async () => {
    const person = await plantSignedIn(app, tenant.tenantId, { factor: false, role: 'reviewer' });
    await app.database.asSuperuser('update staff set last_signed_in_at = now() where id = $1', [person.staffId]);
    const { passkeyId } = await addDevice(app, person);
    await app.database.asSuperuser("update staff_passkey set created_at = now() - interval '1 day' where id = $1", [passkeyId]);
    // Somebody who got past the factor too.
    await staffOf(app).signIn.finish(
      { tenantId: tenant.tenantId, staffId: person.staffId, withFactor: true, by: 'own' },
      visitor('Evil/2'),
    );
    await app.database.asSuperuser('update staff_session set factor_at = now() where staff_id = $1', [person.staffId]);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await addAuthenticator(app, person);
    await addDevice(app, person);
    const [mail] = await mailTo(person.email);
    const token =
      linkIn(mail?.text ?? '')
        .split('/')
        .at(-1) ?? '';
    expect(await staffOf(app).notMe.act(token, visitor('Browser/1'))).toMatchObject({ ended: 2 });
    const left = await app.database.asSuperuser<{ id: string }>('select id from staff_passkey where staff_id = $1', [
      person.staffId,
    ]);
    expect(left.map(({ id }) => id)).toEqual([passkeyId]);
    expect(await app.database.asSuperuser('select 1 from staff_totp where staff_id = $1', [person.staffId])).toEqual([]);
  });

  test('works once, also twice at once; not after three days; not of somebody who is disabled', async () => {
    const first = await attacked();
    const token = first.path.split('/').at(-1) ?? '';
    const both = await Promise.all([1, 2].map(() => staffOf(app).notMe.act(token, visitor('Browser/1'))));
    expect(both.filter((done) => done !== undefined)).toHaveLength(1);
    expect(await staffOf(app).notMe.look(token)).toBeUndefined();
    expect((await createBrowser(app.baseUrl).post(first.path, '')).status).toBe(404);

    const late = await attacked();
    await app.database.asSuperuser("update staff_challenge set expires_at = now() - interval '1 second' where staff_id = $1", [
      late.staffId,
    ]);
    expect((await createBrowser(app.baseUrl).open(late.path)).status).toBe(404);
    expect((await createBrowser(app.baseUrl).post(late.path, '')).status).toBe(404);
    expect(await sessionOf(late.cookie)).toBeDefined();

    const off = await attacked();
    await app.database.asSuperuser("update staff set state = 'disabled' where id = $1", [off.staffId]);
    expect((await createBrowser(app.baseUrl).open(off.path)).status).toBe(404);
    expect((await createBrowser(app.baseUrl).post(off.path, '')).status).toBe(404);
  });

  test('used once ends the other mails of the kind, and so does a link of an owner; a password changed in a session does not', async () => {
    const { email, staffId, path } = await attacked();
    const person = await signIn(app, { email, staffId, tenantId: tenant.tenantId, role: 'reviewer' });
    const change = { password: PASSWORD, newPassword: 'a heron on a wet roof 3' };
    expect((await invokeAs(app, person, changeOwnPassword, { body: change })).status).toBe(200);
    const looked = (of: string) => staffOf(app).notMe.look(of.split('/').at(-1) ?? '');
    // Whoever it is about may have been who changed it.
    expect(await looked(path)).toBeDefined();
    await byPassword(email, 'Evil/3', change.newPassword);
    const mails = await mailTo(email, 2);
    const linkAbout = (browser: string) => linkIn(mails.find(({ text }) => text.includes(browser))?.text ?? '');
    const [first, second] = [linkAbout('Evil/1'), linkAbout('Evil/3')];
    expect(await staffOf(app).notMe.act(second.split('/').at(-1) ?? '', visitor('Browser/1'))).toBeDefined();
    expect(await looked(first)).toBeUndefined();

    const other = await attacked();
    const made = await invokeAs(app, owner, resetStaffPassword, { params: { staffId: other.staffId } });
    const token = made.body?.link?.split('/').at(-1) ?? '';
    await staffOf(app).links.accept(token, { password: change.newPassword }, visitor('Browser/1'));
    expect(await looked(other.path)).toBeUndefined();
  });

  test('is not sent by another site', async () => {
    const { path, cookie } = await attacked();
    const sent = await createBrowser(app.baseUrl).post(path, '', { 'sec-fetch-site': 'cross-site' });
    expect(sent.status).toBe(403);
    expect(await sessionOf(cookie)).toBeDefined();
  });

  test('is no link of another kind, and no other link is it', async () => {
    const { path } = await attacked();
    const token = path.split('/').at(-1) ?? '';
    expect(await staffOf(app).links.look(token)).toBeUndefined();
    expect(
      await staffOf(app).sso.finish({ state: token, code: 'x', issuer: undefined, redirectUri: '' }, visitor('Browser/1')),
    ).toEqual({
      kind: 'failed',
    });
    const made = await invokeAs(app, owner, inviteStaff, { body: { email: 'kind@example.com', role: 'reviewer' } });
    expect(await staffOf(app).notMe.look(made.body?.link?.split('/').at(-1) ?? '')).toBeUndefined();
  });

  test('leads to no password where people sign in by a provider alone', async () => {
    const { path, staffId } = await attacked();
    const { issuerUrl, clientId, clientSecret } = startProvider(app.issuer);
    await setStaffProvider(app, owner, { isOn: true, ssoOnly: true, issuerUrl, clientId, clientSecret });
    const sent = await createBrowser(app.baseUrl).post(path, '');
    expect([sent.status, sent.location]).toEqual([303, '/dashboard/not-me-done']);
    expect((await createBrowser(app.baseUrl).open('/dashboard/not-me-done')).text).toContain('at your provider');
    await setStaffProvider(app, owner, { isOn: false });
    expect(await app.database.asSuperuser('select 1 from staff_invite where staff_id = $1', [staffId])).toEqual([]);
  });
});
