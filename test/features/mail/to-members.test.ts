/** Mail to members, over a real mail server. Source: docs/specification/mail.md#members, #refusing. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { createRefusals } from '../../../src/features/mail/refusals.ts';
import { mail as mailHandle } from '../../../src/features.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { eventually } from '../../support/jobs/test-jobs.ts';
import { startMailServer, type TestMailServer } from '../../support/mail/mail-server.ts';
import { createBrowser } from '../../support/pages/browser.ts';
import { accountsPath, newAccount, newPayee, sepaAccount } from '../../support/payments/payout-accounts.ts';
import { earn, execute, payable, payoutOf } from '../../support/payments/payout-world.ts';

let server: TestMailServer;
let app: TestApp;
let tenant: TestTenant;
let scope: Scope;
let live: ApiClient;

beforeAll(async () => {
  server = await startMailServer();
  app = await startTestApp({
    JOBS: 'inline',
    SWEEP_INTERVAL_MS: '50',
    SMTP_URL: server.url,
    MAIL_FROM: 'Acme <no-reply@pay.example.com>',
  });
});
afterAll(async () => {
  await app.close();
  await server.close();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  live = apiClient(app, tenant.liveKey);
  server.received.length = 0;
});

/** The mails to an address, once there are so many. */
async function mailTo(
  email: string,
  count = 1,
): Promise<{ subject: string; text: string; headers: Map<string, unknown>; lines: string[] }[]> {
  for (let waited = 0; waited < 20_000; waited += 20) {
    const found = server.received.filter(({ to }) => to.includes(email));
    if (found.length >= count) {
      return found.map(({ mail }) => ({
        subject: mail.subject ?? '',
        text: mail.text ?? '',
        headers: mail.headers as Map<string, unknown>,
        lines: mail.headerLines.map(({ line }) => line),
      }));
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${count} mails to ${email} have not come`);
}

/** What came before a mail that is sent now has come with it. */
async function everything(): Promise<string[]> {
  const marker = await live.newMember();
  await live.patch(`/api/v1/users/${marker.id}`, { email: `after-${marker.email}` });
  await mailTo(`after-${marker.email}`);
  await mailTo(marker.email);
  return server.received.flatMap(({ to }) => to).filter((to) => !to.includes(marker.email));
}

describe('a new address of a member', () => {
  test('is told to the former one and to itself', async () => {
    const { id, email } = await live.newMember();
    expect((await live.patch(`/api/v1/users/${id}`, { email: `new-${email}` })).status).toBe(200);
    const [before] = await mailTo(email);
    expect(before?.subject).toMatch(/^Your email address at .* was changed$/);
    await mailTo(`new-${email}`);
    expect(server.received).toHaveLength(2);
  });

  test('by the tenant’s own id too', async () => {
    const { email } = await live.newMember({ external_id: `ext-${Date.now()}` });
    const [row] = await app.database.asSuperuser<{ external_id: string }>('select external_id from member where email = $1', [
      email,
    ]);
    expect((await live.put(`/api/v1/users/by-external-id/${row?.external_id}`, { email: `put-${email}` })).status).toBe(200);
    await mailTo(email);
    await mailTo(`put-${email}`);
  });

  test('is not when it is written otherwise, when nothing came of it, or in a SANDBOX', async () => {
    const { id, email } = await live.newMember();
    await live.patch(`/api/v1/users/${id}`, { email: email.toUpperCase() });
    await live.patch(`/api/v1/users/${id}`, { name: 'Another' });
    const other = await live.newMember();
    expect((await live.patch(`/api/v1/users/${id}`, { email: other.email })).status).toBe(409);
    const sandbox = apiClient(app, tenant.sandboxKey);
    const tried = await sandbox.newMember();
    await sandbox.patch(`/api/v1/users/${tried.id}`, { email: `new-${tried.email}` });
    expect(await everything()).toEqual([]);
  });
});

describe('another account that payouts may go to', () => {
  test('is told when it is added and when it is made the primary one, to the addresses of late too', async () => {
    const { id, email } = await newPayee(live);
    const first = await newAccount(live, id);
    const [mail] = await mailTo(email);
    expect(mail?.subject).toMatch(/payout account/);
    expect(mail?.text).toContain(`ends in ${first.displayName.slice(-4)}`);
    // A thief changes the address first.
    await live.patch(`/api/v1/users/${id}`, { email: `thief-${email}` });
    const toBoth = () => Promise.all([mailTo(email), mailTo(`thief-${email}`)]);
    await Promise.all([mailTo(email, 2), mailTo(`thief-${email}`)]);
    server.received.length = 0;
    const second = await newAccount(live, id, sepaAccount());
    await toBoth();
    server.received.length = 0;
    await live.patch(accountsPath(id, second.id), { isPrimary: true });
    for (const [told] of await toBoth()) expect(told?.text).toContain(second.displayName.slice(-4));
    server.received.length = 0;
    await live.patch(accountsPath(id, second.id), { isPrimary: true, displayName: 'Mine' });
    expect(await everything()).toEqual([]);
  });

  test('is not told to an address of two months ago', async () => {
    const { id, email } = await newPayee(live);
    await live.patch(`/api/v1/users/${id}`, { email: `new-${email}` });
    await Promise.all([mailTo(email), mailTo(`new-${email}`)]);
    await app.database.asSuperuser(
      "update member_former_email set replaced_at = now() - interval '60 days' where member_id = $1",
      [id],
    );
    server.received.length = 0;
    await newAccount(live, id);
    await mailTo(`new-${email}`);
    expect(await everything()).toEqual([`new-${email}`]);
  });
});

describe('a payout', () => {
  const setMail = (payouts: boolean) => live.patch('/api/v1/admin/settings', { mail: { payouts } });

  /** By hand, processing. */
  async function processing(): Promise<{ member: MemberBody; payoutId: string }> {
    const member = await payable(app, scope, live, 6_050);
    const run = await execute(live);
    const payoutId = run.payouts[0]?.id ?? '';
    await eventually(async () => (await payoutOf(live, payoutId)).status === 'processing');
    return { member, payoutId };
  }
  const act = (payoutId: string, deed: string, body: object) => live.post(`/api/v1/payouts/${payoutId}/${deed}`, body);

  test('is told when the settings say so, paid and failed', async () => {
    expect((await setMail(true)).body.mail).toEqual({ payouts: true });
    const paid = await processing();
    expect((await act(paid.payoutId, 'settle', { reference: 'BANK-1' })).status).toBe(200);
    const [mail] = await mailTo(paid.member.email);
    expect(mail?.subject).toContain('has paid you USD 60.50');
    const failed = await processing();
    expect((await act(failed.payoutId, 'return', { reason: 'no such account' })).status).toBe(200);
    expect((await mailTo(failed.member.email))[0]?.subject).toContain('could not pay you USD 60.50');
  });

  test('is not by default, and not once it is off again', async () => {
    expect((await live.get('/api/v1/admin/settings')).body.mail).toEqual({ payouts: false });
    const first = await processing();
    await act(first.payoutId, 'settle', { reference: 'BANK-1' });
    await setMail(true);
    await setMail(false);
    const second = await processing();
    await act(second.payoutId, 'settle', { reference: 'BANK-2' });
    expect(await everything()).toEqual([]);
  });

  test('is not to a member who refused, by the link, which opened alone refuses nothing', async () => {
    await setMail(true);
    const { member, payoutId } = await processing();
    await act(payoutId, 'settle', { reference: 'BANK-1' });
    const [mail] = await mailTo(member.email);
    const link = /https?:\/\/\S+\/unsubscribe\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
    expect(mail?.headers.get('list')).toMatchObject({ unsubscribe: { url: link } });
    expect(mail?.lines).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const browser = createBrowser(app.baseUrl);
    const { pathname } = new URL(link);
    const page = await browser.open(pathname, { 'sec-fetch-site': 'none' });
    expect([page.status, page.text.includes('No more mail about payouts?')]).toEqual([200, true]);
    expect((await browser.open(pathname)).text).toContain('No more mail about payouts?');
    // As a mail program does, from nowhere.
    const sent = await browser.post(pathname, 'List-Unsubscribe=One-Click', {});
    expect(sent.status).toBe(303);
    expect((await browser.open(pathname)).text).toContain('You get no mail about payouts');
    expect((await browser.post(pathname, '', {})).status).toBe(303);
    const token = pathname.split('/').at(-1) ?? '';
    expect([token.length > 20, app.logLines.some((line) => line.includes(token))]).toEqual([true, false]);
    server.received.length = 0;
    await earn(app, scope, live, member, 6_050);
    const run = await execute(live);
    const again = run.payouts[0]?.id ?? '';
    await eventually(async () => (await payoutOf(live, again)).status === 'processing');
    await act(again, 'settle', { reference: 'BANK-2' });
    // What is about security still comes.
    await live.patch(`/api/v1/users/${member.id}`, { email: `new-${member.email}` });
    await Promise.all([mailTo(member.email), mailTo(`new-${member.email}`)]);
    expect((await everything()).toSorted()).toEqual([member.email, `new-${member.email}`].toSorted());
  });
});

describe('a link to refuse mail', () => {
  test('that was made up or altered is none', async () => {
    const { id } = await live.newMember();
    const other = await live.newMember();
    const good = app.composition.offer(mailHandle).refusals;
    const linkFor = (memberId: string): string => createRefusalLink(memberId);
    const mine = linkFor(id);
    expect(await good.look(mine)).toMatchObject({ refused: false });
    const forged = mine.replace(id.replaceAll('-', ''), other.id.replaceAll('-', ''));
    for (const token of [forged, `S${mine.slice(1)}`, mine.slice(0, -1), mine.toUpperCase(), 'x', '']) {
      expect(await good.look(token), token).toBeUndefined();
      expect(await good.refuse(token), token).toBe(false);
    }
    expect((await createBrowser(app.baseUrl).post(`/unsubscribe/${forged}`, '', {})).status).toBe(404);
    const kept = await app.database.asSuperuser('select 1 from mail_refusal where member_id = any ($1)', [[id, other.id]]);
    expect(kept).toEqual([]);
  });

  test('goes with the member', async () => {
    const { id } = await live.newMember();
    await app.composition.offer(mailHandle).refusals.refuse(createRefusalLink(id));
    expect(await app.database.asSuperuser('select 1 from mail_refusal where member_id = $1', [id])).toHaveLength(1);
    expect((await live.post(`/api/v1/members/${id}/erasure`, {})).status).toBeLessThan(300);
    expect(await app.database.asSuperuser('select 1 from mail_refusal where member_id = $1', [id])).toEqual([]);
  });

  /** As a mail has it. */
  function createRefusalLink(memberId: string): string {
    const { pepper, frames, ownAddress } = { pepper: app.config.secrets.apiKeyPepper, ...app.composition };
    return createRefusals({ frames, pepper, ownAddress }).linkFor(scope, memberId).split('/').at(-1) ?? '';
  }
});
