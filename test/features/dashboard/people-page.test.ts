/** People, keys and waiting changes as pages, with people as they are. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { formsOf } from '../../support/pages/browser.ts';
import { type RealPerson, realPerson } from '../../support/pages/real-person.ts';

const HOSTILE = '<img src=x onerror=alert(1)> "\u202Eeve';

let app: TestApp;
let tenant: TestTenant;
let owner: RealPerson;
let home: string;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  tenant = await app.newTenant();
  owner = await realPerson(app, tenant, { role: 'owner', name: HOSTILE });
  home = owner.home();
});

describe('people', () => {
  test('are listed with names that are texts, and lead to each', async () => {
    const { text, status } = await owner.browser.open(`${home}/people`);
    expect(status, text.slice(0, 2_000)).toBe(200);
    expect(text).not.toContain('<img');
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(text).toContain(`href="${home}/people/${owner.person.staffId}"`);
  });

  test('somebody is invited by a link that is shown once, and the invitation is taken back', async () => {
    const form = await owner.browser.open(`${home}/people`);
    const typed = { email: 'dana@shop.example', role: 'reviewer' };
    const made = await owner.browser.send(form, 'invite', typed);
    expect(made.status, made.text.slice(0, 2_000)).toBe(200);
    const link = /<code>(http[^<]+\/welcome\/[^<]+)<\/code>/.exec(made.text)?.[1] ?? '';
    expect(link).not.toBe('');
    const again = await owner.browser.send(form, 'invite', typed);
    expect(again.text).not.toContain(link);
    const list = await owner.browser.open(`${home}/people`);
    expect(list.text).not.toContain(link);
    expect(list.text).toContain('Open invitations');
    expect((await owner.browser.send(list, 'revoke')).status).toBe(303);
    expect((await owner.browser.open(`${home}/people`)).text).not.toContain('Open invitations');
  });

  test('one is given another role, is disabled and removed', async () => {
    const mate = await realPerson(app, tenant, { role: 'admin', name: 'Mia' });
    const path = `${home}/people/${mate.person.staffId}`;
    const changed = await owner.browser.send(await owner.browser.open(path), 'change', { name: 'Mia', role: 'read-only' });
    expect(changed.status, changed.text.slice(0, 2_000)).toBe(303);
    await expect.poll(async () => (await mate.browser.open(`${home}/settings`)).status, { timeout: 15_000 }).toBe(303);
    expect((await owner.browser.send(await owner.browser.open(path), 'switch')).status).toBe(303);
    expect((await owner.browser.open(path)).text).toContain('disabled');
    expect((await owner.browser.send(await owner.browser.open(path), 'remove')).location).toBe(`${home}/people`);
    expect((await owner.browser.open(path)).text).not.toContain(mate.person.email);
  });

  test('the last owner stays: the form says why', async () => {
    const path = `${home}/people/${owner.person.staffId}`;
    const sent = await owner.browser.send(await owner.browser.open(path), 'change', { name: 'Ida', role: 'admin' });
    expect(sent.status).toBe(409);
    expect(sent.text).toContain('no active owner');
  });

  test('are of their tenant, and of owners', async () => {
    const stranger = await realPerson(app, await app.newTenant(), { role: 'owner' });
    expect((await owner.browser.open(`${home}/people/${stranger.person.staffId}`)).status).toBe(404);
    expect((await stranger.browser.open(`${home}/people`)).status).toBe(404);
    for (const role of ['admin', 'finance', 'reviewer', 'developer', 'read-only'] as const) {
      const other = await realPerson(app, tenant, { role });
      expect((await other.browser.open(`${home}/people`)).status, role).toBe(403);
      expect((await other.browser.open(`${home}/people/${owner.person.staffId}`)).status, role).toBe(403);
    }
  });

  test('the SANDBOX leads to LIVE, where they are', async () => {
    const path = `/people/${owner.person.staffId}`;
    expect((await owner.browser.open(`${owner.home('SANDBOX')}/people`)).location).toBe(`${home}/people`);
    expect((await owner.browser.open(`${owner.home('SANDBOX')}${path}`)).location).toBe(home + path);
  });
});

describe('a key', () => {
  async function makeKey(): Promise<string> {
    const form = await owner.browser.open(`${home}/keys/new`);
    const made = await owner.browser.send(form, 'create', { name: HOSTILE, preset: 'chosen', scopes: ['events:read'] });
    expect(made.status, made.text.slice(0, 2_000)).toBe(200);
    return /href="([^"]+\/keys\/[0-9a-f-]{36})">I have stored it/.exec(made.text)?.[1] ?? '';
  }

  test('is changed, rolled and revoked; its name is a text', async () => {
    const path = await makeKey();
    const opened = await owner.browser.open(path);
    expect(opened.status, opened.text.slice(0, 2_000)).toBe(200);
    expect(opened.text).not.toContain('<img');
    const typed = { name: 'Shop', preset: 'chosen', scopes: ['events:read', 'leads:read'], allowedIps: '203.0.113.0/24' };
    expect((await owner.browser.send(opened, 'change', typed)).status).toBe(303);
    expect((await owner.browser.open(path)).text).toContain('203.0.113.0/24');
    const bad = await owner.browser.send(await owner.browser.open(path), 'change', { ...typed, allowedIps: 'nowhere' });
    expect(bad.status).toBe(400);
    expect(bad.text).toContain('id="change-allowedIps-fault"');
    const rolled = await owner.browser.send(await owner.browser.open(path), 'roll', { overlapSeconds: '0' });
    expect(rolled.status, rolled.text.slice(0, 2_000)).toBe(200);
    expect(rolled.text).toContain('The old key goes on working until');
    const next = /href="([^"]+\/keys\/[0-9a-f-]{36})">I have stored it/.exec(rolled.text)?.[1] ?? '';
    expect((await owner.browser.send(await owner.browser.open(next), 'revoke')).status).toBe(303);
    const revoked = await owner.browser.open(next);
    expect(revoked.text).toContain('revoked');
    expect(formsOf(revoked.text).some(({ fields }) => fields.get('_do') === 'change')).toBe(false);
  });

  test('is of its tenant and environment, and of roles that have the scope', async () => {
    const path = await makeKey();
    const id = path.split('/').at(-1) ?? '';
    const stranger = await realPerson(app, await app.newTenant(), { role: 'owner' });
    expect((await stranger.browser.open(`${stranger.home()}/keys/${id}`)).status).toBe(404);
    expect((await owner.browser.open(`${owner.home('SANDBOX')}/keys/${id}`)).status).toBe(404);
    for (const role of ['finance', 'reviewer', 'read-only'] as const)
      expect((await (await realPerson(app, tenant, { role })).browser.open(path)).status, role).toBe(403);
  });
});

describe('a change that waits', () => {
  test('is shown with what changes, is confirmed by another person, and not by who asked', async () => {
    const client = apiClient(app, tenant.liveKey);
    await client.patch('/api/v1/admin/settings', { payments: { dualControl: true, accountCooldownHours: 48 } });
    const form = await owner.browser.open(`${home}/settings`);
    const key = 'payouts';
    const asked = await owner.browser.send(form, 'save', { 'payments.accountCooldownHours': '2' }, { key });
    expect(asked.status, asked.text.slice(0, 2_000)).toBe(303);
    const own = await owner.browser.open(`${home}/pending-changes`);
    expect(own.text).toContain('payments.accountCooldownHours');
    expect(own.text).toContain('Change of settings</h2>');
    expect(own.text).toContain('Hours before a new account is paid to</span>');
    expect(own.text).toContain('You asked for it');
    expect(own.text).not.toContain('<img');
    const second = await realPerson(app, tenant, { role: 'admin' });
    const seen = await second.browser.open(`${home}/pending-changes`);
    expect(seen.text).toContain('&lt;img src=x');
    const confirmed = await second.browser.send(seen, 'confirm');
    expect([confirmed.status, confirmed.location], confirmed.text.slice(0, 2_000)).toEqual([303, `${home}/pending-changes`]);
    const { body } = await client.get('/api/v1/admin/settings');
    expect(body).toMatchObject({ payments: { accountCooldownHours: 2 } });
    const stranger = await realPerson(app, await app.newTenant(), { role: 'owner' });
    const theirs = await stranger.browser.open(`${stranger.home()}/pending-changes?status=all`);
    expect(theirs.text).not.toContain('payments.accountCooldownHours');
  });

  test('is rejected with a reason', async () => {
    await apiClient(app, tenant.liveKey).patch('/api/v1/admin/settings', { payments: { dualControl: true } });
    const form = await owner.browser.open(`${home}/settings`);
    await owner.browser.send(form, 'save', { 'payments.requireKyc': [] }, { key: 'payouts' });
    const second = await realPerson(app, tenant, { role: 'admin' });
    const seen = await second.browser.open(`${home}/pending-changes`);
    expect((await second.browser.send(seen, 'reject', { reason: HOSTILE })).status).toBe(303);
    const all = await owner.browser.open(`${home}/pending-changes?status=all`);
    expect(all.text).toContain('rejected');
    expect(all.text).not.toContain('<img');
  });
});

test('what people did stands in the audit log, and its targets lead where the reader may go', async () => {
  const form = await owner.browser.open(`${home}/keys/new`);
  await owner.browser.send(form, 'create', { name: 'Shop', preset: 'chosen', scopes: ['events:read'] });
  const log = await owner.browser.open(`${home}/audit?action=api_key.created`);
  expect(log.text).toMatch(/href="[^"]+\/live\/keys\/[0-9a-f-]{36}"/);
  expect(log.text).not.toContain('<img');
  const reviewer = await realPerson(app, tenant, { role: 'reviewer' });
  const seen = await reviewer.browser.open(`${home}/audit?action=api_key.created`);
  expect(seen.status).toBe(200);
  expect(seen.text).toContain('Nothing matches these filters');
  expect(seen.text).not.toMatch(/href="[^"]+\/live\/keys\//);
  for (const role of ['finance', 'read-only'] as const)
    expect((await (await realPerson(app, tenant, { role })).browser.open(`${home}/audit`)).status, role).toBe(403);
});
