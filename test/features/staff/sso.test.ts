/** Signing in by a tenant's own provider, from the page to the session. Source: docs/specification/people.md#sso. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Role } from '../../../src/features/staff/open/roles.ts';
import { inviteStaff, revokeStaffInvite } from '../../../src/features/staff/staff-operations.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { invokeAs, PASSWORD, plantPerson, plantSignedIn, type SignedIn, staffOf } from '../../support/app/test-people.ts';
import { type Browser, createBrowser, formsOf, type Opened } from '../../support/pages/browser.ts';
import { addAuthenticator, addDevice } from '../../support/staff/own-factors.ts';
import { setStaffProvider } from '../../support/staff/staff-provider.ts';
import { type Claims, startProvider, type TestProvider } from '../../support/staff/test-provider.ts';

const VISITOR = { ip: '203.0.113.7', agent: 'Browser/1', requestId: 'of-a-test' };
let app: TestApp;
let provider: TestProvider;
let tenant: TestTenant;
let slug: string;
let owner: SignedIn;

beforeAll(async () => {
  // Of its own: failures are counted by address, and other files fail on purpose too.
  app = await startTestApp({ RATE_LIMIT_STAFF: '1000000' });
  provider = startProvider(app.issuer);
});
beforeEach(async () => {
  provider.spoil = undefined;
  provider.fails = undefined;
  provider.ways = undefined;
  provider.lax = false;
  ({ tenant, slug, owner } = await tenantWithProvider());
});
afterAll(() => app.close());

async function tenantWithProvider(more: object = {}): Promise<{ tenant: TestTenant; slug: string; owner: SignedIn }> {
  const made = await app.newTenant();
  const first = await plantSignedIn(app, made.tenantId);
  const { issuerUrl, clientId, clientSecret } = provider;
  await setStaffProvider(app, first, { isOn: true, issuerUrl, clientId, clientSecret, ...more });
  return { tenant: made, slug: await slugOf(made.tenantId), owner: first };
}

async function slugOf(tenantId: string): Promise<string> {
  const [row] = await app.database.asSuperuser<{ slug: string }>('select slug from tenant where id = $1', [tenantId]);
  return row?.slug ?? '';
}

const FROM_ELSEWHERE = { 'sec-fetch-site': 'cross-site' };
const inPath = (back: URL): string => back.pathname + back.search;

async function leave(browser: Browser, of = slug): Promise<string> {
  const left = await browser.open(`/dashboard/sign-in/sso/${of}`);
  expect(left.status).toBe(303);
  return left.location ?? '';
}

async function signIn(claims: Claims, browser = createBrowser(app.baseUrl)): Promise<Opened> {
  const back = await provider.visit(await leave(browser), claims);
  return browser.open(inPath(back), FROM_ELSEWHERE);
}

const verified = (email: string, sub = `sub-of-${email}`): Claims => ({ sub, email, email_verified: true, name: 'Ida Identity' });

async function stateOf(staffId: string): Promise<{ state: string; subject: string | null; name: string | null }> {
  const [row] = await app.database.asSuperuser<{ state: string; subject: string | null; name: string | null }>(
    'select state, provider_subject as subject, name from staff where id = $1',
    [staffId],
  );
  if (!row) throw new Error('no such person');
  return row;
}

const sessionsOf = async (staffId: string): Promise<number> => {
  const [row] = await app.database.asSuperuser<{ count: number }>(
    'select count(*)::int as count from staff_session where staff_id = $1',
    [staffId],
  );
  return row?.count ?? 0;
};

const auditOf = (action: string, tenantId = tenant.tenantId) =>
  app.database.asSuperuser<{ actor: string; ip: string | null; asked: boolean; details: object }>(
    `select concat_ws(':', actor_kind, actor_id) as actor, o.ip, l.request_id is not null as asked, details
     from audit_log l left join audit_origin o on o.tenant_id = l.tenant_id and o.entry_id = l.id
     where l.tenant_id = $1 and action = $2 order by l.id`,
    [tenantId, action],
  );

const plain = (role: Role = 'reviewer', tenantId = tenant.tenantId) => plantPerson(app, tenantId, { factor: false, role });

describe('whoever is known', () => {
  test('goes by a link to the provider, and comes back signed in', async () => {
    const { email, staffId } = await plain();
    const browser = createBrowser(app.baseUrl);
    const page = await browser.open(`/dashboard/sign-in/sso?tenant=${slug}`);
    expect(page.text).toContain(`href="/dashboard/sign-in/sso/${slug}"`);
    expect(page.text).toContain(new URL(provider.issuerUrl).host);
    const address = new URL(await leave(browser));
    expect(address.href.startsWith(`${provider.issuerUrl}/authorize?`)).toBe(true);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      prompt: 'login',
      response_type: 'code',
      client_id: provider.clientId,
      redirect_uri: `${new URL(app.baseUrl).origin}/dashboard/sign-in/sso-callback/${tenant.tenantId}`,
      code_challenge_method: 'S256',
      scope: 'openid email profile',
    });
    const back = await provider.visit(address.href, verified(email.toUpperCase()));
    const arrived = await browser.open(inPath(back), FROM_ELSEWHERE);
    expect([arrived.status, arrived.location]).toEqual([303, `/dashboard/${slug}/live`]);
    expect((await staffOf(app).sessions.resolve(browser.cookie('mcr') ?? ''))?.staffId).toBe(staffId);
    expect((await browser.open(`/dashboard/${slug}/live`)).status).toBe(200);
    expect(await stateOf(staffId)).toMatchObject({ subject: `sub-of-${email.toUpperCase()}` });
  });

  test('is known by the subject from then on, whatever address the provider has for it', async () => {
    const { email, staffId } = await plain();
    await signIn(verified(email, 'the-subject'));
    const again = await signIn({ sub: 'the-subject', email: 'other@example.com', email_verified: false });
    expect(again.status).toBe(303);
    expect(await sessionsOf(staffId)).toBe(2);
  });

  test('gives the second factor that it has here', async () => {
    const person = await plantSignedIn(app, tenant.tenantId, { factor: false, role: 'reviewer' });
    await addAuthenticator(app, person);
    const browser = createBrowser(app.baseUrl);
    const arrived = await signIn(verified(person.email), browser);
    expect([arrived.status, arrived.location]).toEqual([303, '/dashboard/sign-in/factor']);
    expect(browser.cookie('mcr')).toBeUndefined();
    expect((await browser.open('/dashboard/sign-in/factor')).status).toBe(200);
  });

  test('is led to the page that it wanted, and never off this site', async () => {
    const { email } = await plain();
    for (const [next, to] of [
      [`/dashboard/${slug}/live/members`, `/dashboard/${slug}/live/members`],
      ['//evil.example/x', `/dashboard/${slug}/live`],
      ['/dashboard/another-tenant/live', `/dashboard/${slug}/live`],
    ]) {
      const browser = createBrowser(app.baseUrl);
      const left = await browser.open(`/dashboard/sign-in/sso/${slug}?next=${encodeURIComponent(next ?? '')}`);
      const back = await provider.visit(left.location ?? '', verified(email));
      expect((await browser.open(inPath(back), FROM_ELSEWHERE)).location).toBe(to);
    }
  });

  test.each([
    [['client_secret_post'], 'form'],
    [['client_secret_basic', 'client_secret_post'], 'header'],
  ])('where the provider takes the secret by %j', async (ways, where) => {
    provider.ways = ways;
    // Where it is asked is kept for ten minutes: another issuer is asked anew.
    const other = startProvider(app.issuer);
    other.ways = ways;
    const { issuerUrl, clientId, clientSecret } = other;
    await setStaffProvider(app, owner, { issuerUrl, clientId, clientSecret });
    const { email } = await plain();
    const browser = createBrowser(app.baseUrl);
    const back = await other.visit(await leave(browser), verified(email));
    expect((await browser.open(inPath(back), FROM_ELSEWHERE)).status).toBe(303);
    const [{ form, authorization } = { form: new URLSearchParams(), authorization: '' }] = other.asked;
    expect(form.get('client_secret')).toBe(where === 'form' ? other.clientSecret : null);
    expect(authorization === undefined).toBe(where === 'form');
  });
});

describe('a request from elsewhere', () => {
  test.each([['cross-site'], ['same-site'], ['']])('of %j is asked first, and begins nothing', async (site) => {
    const browser = createBrowser(app.baseUrl);
    const page = await browser.open(`/dashboard/sign-in/sso/${slug}?next=/dashboard/${slug}/live/members`, {
      'sec-fetch-site': site,
    });
    expect([page.status, page.location]).toEqual([200, undefined]);
    expect(page.text).toContain(`href="/dashboard/sign-in/sso/${slug}?next=`);
    expect(browser.cookie('mcr-sso')).toBeUndefined();
  });

  test('of a browser that does not say where it comes from begins by the link of our page alone', async () => {
    const path = `/dashboard/sign-in/sso/${slug}`;
    const ask = (at: string, cookie = '') => fetch(new URL(at, app.baseUrl), { redirect: 'manual', headers: { cookie } });
    const page = await ask(`${path}?next=/dashboard/${slug}/live/members`);
    expect(page.status).toBe(200);
    const [, link = ''] = new RegExp(`href="(${path}\\?[^"]*)"`).exec(await page.text()) ?? [];
    const [cookie = ''] = (page.headers.getSetCookie().find((line) => line.startsWith('mcr-visitor=')) ?? '').split(';');
    const at = link.replaceAll('&amp;', '&');
    expect((await ask(at, cookie)).headers.get('location')).toMatch(provider.issuerUrl);
    expect((await ask(at)).status).toBe(200);
    expect((await ask(at, `mcr-visitor=${'A'.repeat(43)}`)).status).toBe(200);
    expect((await ask(path, cookie)).status).toBe(200);
  });

  test('of the address line begins, and a tenant without a provider is told apart', async () => {
    const typed = await createBrowser(app.baseUrl).open(`/dashboard/sign-in/sso/${slug}`, { 'sec-fetch-site': 'none' });
    expect(typed.status).toBe(303);
    expect((await createBrowser(app.baseUrl).open('/dashboard/sign-in/sso/nobody-here', FROM_ELSEWHERE)).status).toBe(404);
  });
});

test('a session that the browser had before ends, and the audit log says so', async () => {
  const [first, second] = [await plain(), await plain()];
  const browser = createBrowser(app.baseUrl);
  await signIn(verified(first.email), browser);
  const former = browser.cookie('mcr') ?? '';
  expect((await staffOf(app).sessions.resolve(former))?.staffId).toBe(first.staffId);
  expect((await signIn(verified(second.email), browser)).status).toBe(303);
  expect(await staffOf(app).sessions.resolve(former)).toBeUndefined();
  expect((await staffOf(app).sessions.resolve(browser.cookie('mcr') ?? ''))?.staffId).toBe(second.staffId);
  expect(await auditOf('staff_session.ended')).toEqual([
    {
      actor: `staff:${first.staffId}`,
      ip: expect.stringContaining('127.0.0.1'),
      asked: true,
      details: { staffId: first.staffId, reason: 'signed_out' },
    },
  ]);
});

test('the audit log has who linked a person from where, and an answer that did not hold', async () => {
  const { email, staffId } = await plain();
  await signIn(verified(email));
  expect(await auditOf('staff.provider_linked')).toEqual([
    { actor: `staff:${staffId}`, ip: expect.stringContaining('127.0.0.1'), asked: true, details: {} },
  ]);
  provider.fails = 500;
  expect((await signIn(verified(email))).status).toBe(403);
  expect(await auditOf('staff.sign_in_failed')).toEqual([
    { actor: 'system', ip: expect.stringContaining('127.0.0.1'), asked: true, details: { by: 'provider', proven: false } },
  ]);
});

describe('whoever was invited', () => {
  const invite = async (email: string) => {
    const made = await invokeAs(app, owner, inviteStaff, { body: { email, role: 'reviewer' } });
    return { id: made.body?.id ?? '', staffId: made.body?.staffId ?? '', link: made.body?.link ?? '' };
  };

  test('joins by the provider, without a password, and counts as the inviter', async () => {
    const { staffId, link } = await invite('ida@example.com');
    expect((await signIn(verified('Ida@example.com'))).location).toBe(`/dashboard/${slug}/live`);
    expect(await stateOf(staffId)).toMatchObject({ state: 'active', name: 'Ida Identity' });
    const ties = await app.database.asSuperuser<{ counts_as: string }>('select counts_as from approval_tie where subject = $1', [
      `staff:${staffId}`,
    ]);
    expect(ties).toEqual([{ counts_as: `staff:${owner.staffId}` }]);
    expect(await staffOf(app).links.look(link.split('/').at(-1) ?? '')).toBeUndefined();
  });

  test('does not once the invitation is too old or taken back', async () => {
    const old = await invite('old@example.com');
    await app.database.asSuperuser("update staff_invite set expires_at = now() - interval '1 second' where id = $1", [old.id]);
    expect((await signIn(verified('old@example.com'))).status).toBe(403);
    expect(await stateOf(old.staffId)).toMatchObject({ state: 'invited' });
    const back = await invite('back@example.com');
    await invokeAs(app, owner, revokeStaffInvite, { params: { inviteId: back.id } });
    expect((await signIn(verified('back@example.com'))).status).toBe(403);
  });

  test('does not with an address that the provider has not verified', async () => {
    const { staffId } = await invite('unproven@example.com');
    for (const email_verified of [false, undefined, 'no', 1, null]) {
      const answer = await signIn({ sub: 'x', email: 'unproven@example.com', email_verified });
      expect(answer.status).toBe(403);
    }
    expect(await stateOf(staffId)).toMatchObject({ state: 'invited', subject: null });
  });
});

describe('refused', () => {
  const refused = async (answer: Promise<Opened>, staffId: string): Promise<void> => {
    const { status, headers } = await answer;
    expect(status).toBe(403);
    expect(headers.getSetCookie().filter((line) => /^(__Host-)?mcr=/.test(line))).toEqual([]);
    expect(await sessionsOf(staffId)).toBe(0);
  };

  test.each([
    ['another nonce', () => ({ nonce: 'another' })],
    ['no nonce', () => ({ nonce: undefined })],
    ['another issuer', () => ({ iss: 'https://other.example.com' })],
    ['another audience', () => ({ aud: 'somebody-else' })],
    ['a second audience that is not ours', (c: Record<string, unknown>) => ({ aud: [c['aud'], 'somebody-else'] })],
    ['a past end', () => ({ exp: Math.floor(Date.now() / 1000) - 100 })],
    ['an age of an hour', () => ({ iat: Math.floor(Date.now() / 1000) - 3_600 })],
    ['no subject', () => ({ sub: undefined })],
  ])('a token with %s', async (_name, change) => {
    const { email, staffId } = await plain();
    provider.spoil = (claims) => ({ ...claims, ...change(claims) });
    await refused(signIn(verified(email)), staffId);
    // The same person with a good one.
    expect((await signIn(verified(email))).status).toBe(303);
  });

  test('an answer to another browser', async () => {
    const { email, staffId } = await plain();
    const back = await provider.visit(await leave(createBrowser(app.baseUrl)), verified(email));
    await refused(createBrowser(app.baseUrl).open(inPath(back), FROM_ELSEWHERE), staffId);
    // One with a question of its own brings a strange answer: nobody is made to work under another's name.
    const mine = createBrowser(app.baseUrl);
    await leave(mine);
    await refused(mine.open(inPath(back), FROM_ELSEWHERE), staffId);
  });

  test('an answer that was given before, also twice at once, whatever the provider takes', async () => {
    provider.lax = true;
    const { email, staffId } = await plain();
    const browser = createBrowser(app.baseUrl);
    const left = await leave(browser);
    const cookie = browser.cookie('mcr-sso') ?? '';
    const back = await provider.visit(left, verified(email));
    const send = (): Promise<Opened> => {
      const same = createBrowser(app.baseUrl);
      same.keep(`mcr-sso=${cookie}`);
      return same.open(inPath(back), FROM_ELSEWHERE);
    };
    const both = await Promise.all([send(), send()]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 403]);
    expect((await send()).status).toBe(403);
    expect(await sessionsOf(staffId)).toBe(1);
  });

  test('an answer after ten minutes, with a code of another sign-in, without one, or by another issuer', async () => {
    const { email, staffId } = await plain();
    const late = createBrowser(app.baseUrl);
    const back = await provider.visit(await leave(late), verified(email));
    await app.database.asSuperuser("update staff_challenge set expires_at = now() - interval '1 second'");
    await refused(late.open(inPath(back), FROM_ELSEWHERE), staffId);

    const mixed = createBrowser(app.baseUrl);
    const own = await provider.visit(await leave(mixed), verified(email));
    const strange = await provider.visit(await leave(createBrowser(app.baseUrl)), verified(email));
    own.searchParams.set('code', strange.searchParams.get('code') ?? '');
    await refused(mixed.open(inPath(own), FROM_ELSEWHERE), staffId);

    for (const change of [
      (url: URL) => url.searchParams.delete('code'),
      (url: URL) => url.searchParams.append('code', 'second'),
      (url: URL) => url.searchParams.delete('state'),
      (url: URL) => url.searchParams.set('iss', 'https://other.example.com'),
      (url: URL) => url.searchParams.set('state', 'A'.repeat(43)),
    ]) {
      const browser = createBrowser(app.baseUrl);
      const answer = await provider.visit(await leave(browser), verified(email));
      change(answer);
      await refused(browser.open(inPath(answer), FROM_ELSEWHERE), staffId);
    }
    const named = createBrowser(app.baseUrl);
    const right = await provider.visit(await leave(named), verified(email));
    right.searchParams.set('iss', provider.issuerUrl);
    expect((await named.open(inPath(right), FROM_ELSEWHERE)).status).toBe(303);
  });

  test("an answer of one tenant's provider to the question of another tenant, of which its provider learns nothing", async () => {
    const victim = await plain();
    const theirs = startProvider(app.issuer);
    const other = await app.newTenant();
    const { issuerUrl, clientId, clientSecret } = theirs;
    await setStaffProvider(app, await plantSignedIn(app, other.tenantId), { isOn: true, issuerUrl, clientId, clientSecret });
    // Whoever answers there has begun a sign-in here, and sends their own visitor on with it.
    const begun = new URL(await leave(createBrowser(app.baseUrl)));
    const browser = createBrowser(app.baseUrl);
    const asked = new URL(await leave(browser, await slugOf(other.tenantId)));
    expect(asked.searchParams.get('redirect_uri')).not.toBe(begun.searchParams.get('redirect_uri'));
    begun.searchParams.set('state', asked.searchParams.get('state') ?? '');
    const back = await provider.visit(begun.href, verified(victim.email));
    await refused(browser.open(inPath(back), FROM_ELSEWHERE), victim.staffId);
    expect(theirs.asked).toEqual([]);
  });

  test('an answer at no redirect URI of ours', async () => {
    const { email, staffId } = await plain();
    for (const path of ['/dashboard/sign-in/sso-callback', `/dashboard/sign-in/sso-callback/${tenant.tenantId}/`]) {
      const browser = createBrowser(app.baseUrl);
      const back = await provider.visit(await leave(browser), verified(email));
      expect((await browser.open(path + back.search, FROM_ELSEWHERE)).location).toMatch(/^\/dashboard\/sign-in\?next=/);
    }
    expect(await sessionsOf(staffId)).toBe(0);
  });

  test('an answer without an issuer of a provider that promises it', async () => {
    const strict = startProvider(app.issuer);
    strict.promisesIssuer = true;
    const { issuerUrl, clientId, clientSecret } = strict;
    await setStaffProvider(app, owner, { issuerUrl, clientId, clientSecret });
    const { email, staffId } = await plain();
    const browser = createBrowser(app.baseUrl);
    const back = await strict.visit(await leave(browser), verified(email));
    await refused(browser.open(inPath(back), FROM_ELSEWHERE), staffId);
    expect(strict.asked).toEqual([]);
    const again = await strict.visit(await leave(browser), verified(email));
    again.searchParams.set('iss', strict.issuerUrl);
    expect((await browser.open(inPath(again), FROM_ELSEWHERE)).status).toBe(303);
  });

  test('whom nobody has invited, who is disabled or removed, and who is of another tenant', async () => {
    expect((await signIn(verified('stranger@example.com'))).text).toContain('Nobody has invited you here');
    const off = await plain();
    await app.database.asSuperuser("update staff set state = 'disabled' where id = $1", [off.staffId]);
    await refused(signIn(verified(off.email)), off.staffId);
    expect(await stateOf(off.staffId)).toMatchObject({ subject: null });
    const known = await plain();
    await signIn(verified(known.email, 'known'));
    await app.database.asSuperuser("update staff set state = 'disabled' where id = $1", [known.staffId]);
    expect((await signIn(verified(known.email, 'known'))).status).toBe(403);
    const elsewhere = await plain('reviewer', (await app.newTenant()).tenantId);
    await refused(signIn(verified(elsewhere.email)), elsewhere.staffId);
  });

  test('a second subject with the address of somebody whom the provider has signed in before', async () => {
    const { email, staffId } = await plain();
    await signIn(verified(email, 'the-first'));
    expect((await signIn(verified(email, 'the-second'))).status).toBe(403);
    expect(await sessionsOf(staffId)).toBe(1);
  });

  test('an answer from before the settings were changed', async () => {
    const { email, staffId } = await plain();
    const browser = createBrowser(app.baseUrl);
    const back = await provider.visit(await leave(browser), verified(email));
    await setStaffProvider(app, owner, { isOn: false });
    await refused(browser.open(inPath(back), FROM_ELSEWHERE), staffId);
    expect((await browser.open(`/dashboard/sign-in/sso/${slug}`)).status).toBe(404);
  });

  test('while the provider fails, and taken up again afterwards', async () => {
    const { email, staffId } = await plain();
    provider.fails = 500;
    await refused(signIn(verified(email)), staffId);
    expect((await signIn(verified(email))).status).toBe(303);
  });

  test('the log and the audit log name no address, code or secret', async () => {
    await signIn(verified('canary-person@example.com', 'canary-subject'));
    const rows = await app.database.asSuperuser<{ text: string }>('select audit_log::text as text from audit_log');
    const all = `${rows.map(({ text }) => text).join()}${app.logLines.join()}`;
    expect(all).not.toMatch(/canary-person|canary-subject/i);
    expect(all).not.toContain(provider.clientSecret);
  });
});

describe('with ssoOnly', () => {
  beforeEach(() => setStaffProvider(app, owner, { ssoOnly: true }));

  const byPassword = (email: string, password = PASSWORD) =>
    staffOf(app).signIn.signIn({ tenantSlug: slug, email, password }, VISITOR);

  test('no password signs in, known or not, and the page leads to the provider', async () => {
    const { email } = await plain();
    expect(await byPassword(email)).toEqual({ kind: 'sso_only' });
    expect(await byPassword('nobody@example.com', 'x')).toEqual({ kind: 'sso_only' });
    const browser = createBrowser(app.baseUrl);
    const page = await browser.open('/dashboard/sign-in');
    const form = formsOf(page.text).find(({ fields }) => fields.has('password'));
    for (const [name, value] of Object.entries({ tenant: slug, email, password: PASSWORD })) form?.fields.set(name, value);
    const sent = await browser.post(form?.address ?? '', form?.fields ?? '');
    expect([sent.status, sent.location]).toEqual([303, `/dashboard/sign-in/sso?tenant=${slug}`]);
    expect((await signIn(verified(email))).status).toBe(303);
  });

  test('switched on, the sessions of all others end, and only then', async () => {
    await setStaffProvider(app, owner, { ssoOnly: false });
    const people = await Promise.all([plain(), plain('admin')]);
    const begun = await Promise.all(people.map(({ email }) => byPassword(email)));
    const cookies = begun.flatMap((result) => (result.kind === 'signed_in' ? [result.cookie] : []));
    expect(cookies).toHaveLength(2);
    const before = (await auditOf('staff_session.ended')).length;
    const other = await tenantWithProvider();
    await setStaffProvider(app, owner, { ssoOnly: true });
    // As it is, once more.
    await setStaffProvider(app, owner, { ssoOnly: true });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    for (const cookie of cookies) expect(await staffOf(app).sessions.resolve(cookie)).toBeUndefined();
    for (const kept of [owner, other.owner]) expect(await staffOf(app).sessions.resolve(kept.cookie)).toBeDefined();
    const ended = (await auditOf('staff_session.ended')).slice(before);
    expect(ended.map(({ details }) => details)).toEqual(
      expect.arrayContaining(people.map(({ staffId }) => ({ staffId, reason: 'ended' }))),
    );
    expect(ended.map(({ actor }) => actor)).toEqual(people.map(() => `staff:${owner.staffId}`));
  });

  test('no passkey signs in alone', async () => {
    const person = await plantSignedIn(app, tenant.tenantId, { factor: false, role: 'reviewer' });
    const { device } = await addDevice(app, person);
    const asked = await staffOf(app).factors.askToSignIn(slug);
    const answer = JSON.stringify(device.use(asked?.publicKey as never));
    expect(await staffOf(app).factors.signInByPasskey(answer, VISITOR)).toEqual({ kind: 'refused' });
    await setStaffProvider(app, owner, { ssoOnly: false });
    const again = await staffOf(app).factors.askToSignIn(slug);
    const second = JSON.stringify(device.use(again?.publicKey as never));
    expect(await staffOf(app).factors.signInByPasskey(second, VISITOR)).toMatchObject({ kind: 'signed_in' });
  });

  test("an owner's link leads to the provider, and the operator's is the way back", async () => {
    const made = await invokeAs(app, owner, inviteStaff, { body: { email: 'new@example.com', role: 'reviewer' } });
    const token = made.body?.link?.split('/').at(-1) ?? '';
    expect(await staffOf(app).links.look(token)).toMatchObject({ bySso: true });
    const accepting = staffOf(app).links.accept(token, { name: 'New', password: 'four words for a door' }, VISITOR);
    await expect(accepting).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    const page = await createBrowser(app.baseUrl).open(`/dashboard/welcome/${token}`);
    expect(page.text).toContain(`/dashboard/sign-in/sso?tenant=${slug}`);
    expect(page.text).not.toContain('type="password"');

    const welcome = await staffOf(app).operator.invite(tenant.tenantId, { role: 'owner' });
    const joined = await staffOf(app).links.accept(
      welcome.token,
      { name: 'Back', email: 'back@example.com', password: 'four words for a door' },
      VISITOR,
    );
    expect(joined).toMatchObject({ kind: 'signed_in', session: { role: 'owner' } });
  });
});

describe('the settings', () => {
  test('are changed by an owner of LIVE alone, behind a second factor of now, and never by a key', async () => {
    const body = { staffProvider: { isOn: false } };
    const key = await apiClient(app, tenant.liveKey).patch('/api/v1/admin/settings', body);
    expect([key.status, key.body.error?.code ?? key.body.code]).toEqual([403, 'FORBIDDEN']);
    const admin = await plantSignedIn(app, tenant.tenantId, { role: 'admin' });
    await expect(setStaffProvider(app, admin, { isOn: false })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const stale = await plantSignedIn(app, tenant.tenantId, { fresh: false });
    await expect(setStaffProvider(app, stale, { isOn: false })).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' });
    await expect(setStaffProvider(app, owner, { isOn: false }, 'SANDBOX')).rejects.toMatchObject({
      code: 'ENVIRONMENT_MISMATCH',
    });
  });

  test('show no secret, and it lies sealed', async () => {
    const { body, text } = await apiClient(app, tenant.liveKey).get('/api/v1/admin/settings');
    expect(body.staffProvider).toEqual({
      isOn: true,
      issuerUrl: provider.issuerUrl,
      clientId: provider.clientId,
      clientSecret: { set: true },
      ssoOnly: false,
    });
    expect(text).not.toContain(provider.clientSecret);
    const sandbox = await apiClient(app, tenant.sandboxKey).get('/api/v1/admin/settings');
    expect(sandbox.body.staffProvider).toMatchObject({ isOn: false, issuerUrl: null });
    const rows = await app.database.asSuperuser<{ text: string }>(
      `select p::text || encode(p.client_secret_sealed, 'escape') as text from staff_provider p`,
    );
    expect(rows.map(({ text: row }) => row).join()).not.toContain(provider.clientSecret);
  });

  test.each([
    ['on without a secret', { clientSecret: null }],
    ['on without an issuer', { issuerUrl: null }],
    ['an issuer within our own network', { issuerUrl: 'https://10.0.0.1' }],
    ['an issuer over plain http', { issuerUrl: 'http://login.example.com' }],
    ['only by a provider that is off', { isOn: false, ssoOnly: true }],
  ])('refuse %s', async (_name, change) => {
    await expect(setStaffProvider(app, owner, change)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  test('off, passwords are on again', async () => {
    await setStaffProvider(app, owner, { ssoOnly: true });
    await setStaffProvider(app, owner, { isOn: false });
    const { email } = await plain();
    const result = await staffOf(app).signIn.signIn({ tenantSlug: slug, email, password: PASSWORD }, VISITOR);
    expect(result.kind).toBe('signed_in');
  });
});
