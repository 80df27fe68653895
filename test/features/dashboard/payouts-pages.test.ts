/** Payouts one by one, accounts, holds, tax documents and the schedule, through HTTP. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import { arrive, follow, hrefOf, wordsOf } from '../../support/pages/follow.ts';
import { type PageApp, startPageApp } from '../../support/pages/page-app.ts';
import { newAccount, newIban, newPayee, plantOtherName, sepaAccount } from '../../support/payments/payout-accounts.ts';
import { type DraftBody, draft, earn, execute, payable, payoutOf, startPayouts } from '../../support/payments/payout-world.ts';

let pages: PageApp;
let tenant: TestTenant;
let client: ApiClient;
let scope: Scope;
const fresh = { hasFreshFactor: true, factorAt: new Date() };

beforeAll(async () => {
  pages = await startPageApp();
});
afterAll(() => pages.app.close());
beforeEach(async () => {
  tenant = await pages.app.newTenant({ currency: 'USD', timeZone: 'Europe/Berlin' });
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(pages.app, tenant.liveKey);
});

const home = () => pages.home(tenant);
const finance = () => pages.signedIn(tenant, 'finance', fresh);
const named = (words: string) => client.newMember({ name: words });

/** A run under way, paid by hand. */
async function underWay(...amounts: number[]): Promise<DraftBody> {
  for (const amount of amounts) await payable(pages.app, scope, client, amount);
  const run = await execute(client);
  await startPayouts(pages.app, scope);
  return run;
}

describe('payouts one by one', () => {
  test('filters by state, run and member, newest first by pages of fifty, and says why there is none', async () => {
    const run = await underWay(6_000, 7_000);
    const [one] = run.payouts;
    const browser = pages.signedIn(tenant, 'read-only');
    const all = await browser.open(`${home()}/payouts/all`);
    expect(all.status, all.text.slice(0, 2_000)).toBe(200);
    expect(wordsOf(all)).toContain('US$70.00');
    expect(wordsOf(await browser.open(`${home()}/payouts/all?userId=${one?.userId}`))).not.toContain('US$70.00');
    expect(wordsOf(await browser.open(`${home()}/payouts/all?runId=${run.id}&status=paid`))).toContain(
      'None matches these filters',
    );
    expect(wordsOf(await browser.open(`${home()}/payouts/all?userId=nobody%40x.example`))).toContain('No single member has this');
    expect((await browser.open(`${home()}/payouts/all?status=odd`)).status).toBe(400);
    const largest = wordsOf(await browser.open(`${home()}/payouts/all?sort=-amount&currency=usd`));
    expect(largest.indexOf('US$70.00')).toBeLessThan(largest.indexOf('US$60.00'));
  });

  test('one: its commissions, its attempts, and each deed with the amount', async () => {
    const run = await underWay(6_000);
    const [payout] = run.payouts;
    const path = `${home()}/payouts/${payout?.id}`;
    const browser = finance();
    const seen = await browser.open(path);
    const words = wordsOf(seen);
    for (const said of [
      'US$60.00 was paid',
      'US$60.00 did not arrive',
      'The commissions that it pays',
      'Attempts',
      'You, by hand',
    ])
      expect(words).toContain(said);
    expect(words).not.toContain('Retry US$60.00');
    const back = await arrive(browser, await browser.send(seen, 'return', { reason: 'No <script>x</script>' }));
    expect(wordsOf(back)).toContain('The payout has failed');
    expect(back.text).not.toContain('<script>x');
    const again = await arrive(browser, await browser.send(back, 'retry'));
    expect(wordsOf(again)).toContain('The payout is tried again');
    const cancelled = await arrive(browser, await browser.send(again, 'cancel'));
    expect(wordsOf(cancelled)).toContain('cancelled');
    expect((await browser.send(seen, 'settle', { reference: 'R' })).status).toBe(409);
    expect((await payoutOf(client, payout?.id ?? '')).status).toBe('cancelled');
  });

  test('a reader sees no deed and is refused one; another tenant finds nothing; some roles see nothing', async () => {
    const run = await underWay(6_000);
    const path = `/payouts/${run.payouts[0]?.id}`;
    const reader = pages.signedIn(tenant, 'read-only');
    const seen = await reader.open(home() + path);
    expect(seen.status).toBe(200);
    for (const action of ['settle', 'return', 'retry', 'cancel']) expect(seen.text).not.toContain(`value="${action}"`);
    const form = await finance().open(home() + path);
    expect((await reader.send(form, 'settle', { reference: 'R' })).status).toBe(403);
    const other = await pages.app.newTenant();
    expect((await pages.signedIn(other, 'owner').open(pages.home(other) + path)).status).toBe(404);
    for (const page of ['/payouts/all', path, '/payouts/accounts', '/payouts/holds', '/payouts/tax'])
      for (const role of ['developer', 'reviewer'] as const)
        expect((await pages.signedIn(tenant, role).open(home() + page)).status, `${role} ${page}`).toBe(403);
  });
});

describe('accounts', () => {
  test('flags what is to be looked at, and a name is accepted by who approves payouts', async () => {
    const iban = newIban();
    const [one, two] = [await newPayee(client), await newPayee(client)];
    const account = await newAccount(client, one.id, sepaAccount(iban));
    await newAccount(client, two.id, sepaAccount(iban));
    await plantOtherName(pages.app, account.id);
    const browser = finance();
    const all = await browser.open(`${home()}/payouts/accounts`);
    expect(all.status, all.text.slice(0, 2_000)).toBe(200);
    for (const said of ['held under another name', 'another member has it too', 'cool-down'])
      expect(wordsOf(all)).toContain(said);
    expect(all.text).not.toContain(iban);
    const mismatched = await browser.open(`${home()}/payouts/accounts?nameMatch=mismatch&shared=true`);
    expect((mismatched.text.match(/<th scope="row">/g) ?? []).length).toBe(1);
    const admin = await pages.signedIn(tenant, 'admin', fresh).open(`${home()}/payouts/accounts`);
    expect(admin.text).not.toContain('value="acceptName"');
    const accepted = await arrive(browser, await browser.send(mismatched, 'acceptName', {}, { key: account.id }));
    expect(wordsOf(accepted)).toContain('The name is accepted');
    const { body } = await client.get(`/api/v1/members/${one.id}/payout-accounts/${account.id}`);
    expect(body.nameMatch).toBe('accepted');
    expect(all.text).not.toContain('member on hold');
    await client.put(`/api/v1/members/${two.id}/payout-hold`, { reason: 'Asked by the bank' });
    const held = await browser.open(`${home()}/payouts/accounts?onHold=true`);
    expect((held.text.match(/<th scope="row">/g) ?? []).length).toBe(1);
    expect(hrefOf(held, 'member on hold')).toBe(`${home()}/payouts/holds`);
    const { email } = (await client.get(`/api/v1/users/${two.id}`)).body;
    const ofOne = await browser.open(`${home()}/payouts/accounts?userId=${encodeURIComponent(email)}`);
    expect((ofOne.text.match(/<th scope="row">/g) ?? []).length).toBe(1);
    expect(wordsOf(await browser.open(`${home()}/payouts/accounts?userId=nobody%40x.example`))).toContain(
      'No single member has this',
    );
    expect(wordsOf(await browser.open(`${home()}/payouts/accounts?status=rejected`))).toContain('None matches these filters');
  });
});

describe('holds', () => {
  test('a member is held by its name, is in the list, and is let go by who approves payouts', async () => {
    const member = await named('Hilda <Held>');
    const browser = finance();
    const empty = await browser.open(`${home()}/payouts/holds`);
    expect(wordsOf(empty)).toContain('No hold is in force');
    expect((await browser.send(empty, 'hold', { member: 'nobody', reason: 'Odd' })).status).toBe(400);
    const held = await arrive(
      browser,
      await browser.send(empty, 'hold', { member: 'Hilda <Held>', reason: 'Bank <b>asks</b>', until: '2999-01-01' }),
    );
    const words = wordsOf(held);
    for (const said of ['Hilda <Held>', 'Bank <b>asks</b>', '1 Jan 2999']) expect(words).toContain(said);
    const admin = pages.signedIn(tenant, 'admin', fresh);
    expect((await admin.open(`${home()}/payouts/holds`)).text).not.toContain('value="lift"');
    const lifted = await arrive(browser, await browser.send(held, 'lift', {}, { key: member.id }));
    expect(wordsOf(lifted)).toContain('The hold is lifted');
    expect((await client.get(`/api/v1/members/${member.id}/payout-hold`)).body.payoutHold).toBeNull();
  });
});

describe('tax documents', () => {
  test('the years of a member, each as PDF and CSV, also for who only reads', async () => {
    const run = await underWay(6_000);
    const [payout] = run.payouts;
    await client.post(`/api/v1/payouts/${payout?.id}/settle`, { reference: 'R' });
    const reader = pages.signedIn(tenant, 'read-only');
    const none = await reader.open(`${home()}/payouts/tax`);
    expect(wordsOf(none)).toContain('Choose a member above');
    const years = await reader.open(`${home()}/payouts/tax?member=${payout?.userId}`);
    const year = String(new Date().getUTCFullYear());
    expect(wordsOf(years)).toContain('US$60.00');
    const csv = await reader.send(years, 'csv');
    expect(csv.headers.get('content-disposition')).toContain('.csv"');
    expect(csv.text).toContain(payout?.id);
    const pdf = await reader.send(years, 'pdf');
    expect(pdf.headers.get('content-type')).toMatch(/^application\/pdf/);
    expect(pdf.text.startsWith('%PDF-')).toBe(true);
    const wrong = await reader.send(years, 'pdf', { year: '1999' });
    expect(wrong.status).toBe(404);
    expect(wordsOf(await reader.open(`${home()}/payouts/tax?member=0198c5a2-3d4e-7f60-8a1b-2c3d4e5f6071`))).toContain(
      'No single member has this',
    );
    const member = await reader.open(`${home()}/members/${payout?.userId}`);
    expect(hrefOf(member, 'Tax documents')).toContain(`/payouts/tax?member=${payout?.userId}`);
    expect(year).toMatch(/^\d{4}$/);
  });
});

describe('the schedule', () => {
  test('is set and ended by who may change the settings, a currency at a time', async () => {
    const admin = pages.signedIn(tenant, 'admin', fresh);
    const before = await admin.open(`${home()}/payouts`);
    expect(wordsOf(before)).toContain('There is no schedule');
    const weekly = { currency: 'eur', cadence: 'weekly', weekday: '5', localTime: '07:30' };
    expect((await admin.send(before, 'schedule', { ...weekly, localTime: '25:00' })).status).toBe(400);
    expect((await admin.send(before, 'schedule', { cadence: 'twice_a_month', day: '1', secondDay: '1' })).status).toBe(400);
    const one = await arrive(admin, await admin.send(before, 'schedule', weekly));
    expect(wordsOf(one)).toContain('EUR Every week on Friday at 07:30 in Europe/Berlin: what has cleared by then. Next');
    const two = await arrive(
      admin,
      await admin.send(one, 'schedule', { currency: 'USD', cadence: 'twice_a_month', day: '15', secondDay: 'last' }),
    );
    expect(wordsOf(two)).toContain('USD Twice a month on day 15 and the last day at 06:00');
    const ended = await arrive(admin, await admin.send(two, 'unschedule', {}, { key: 'EUR' }));
    expect(wordsOf(ended)).not.toContain('EUR Every week');
    const { body } = await client.get('/api/v1/admin/settings');
    expect(body.payments.schedule).toEqual([
      { currency: 'USD', cadence: 'twice_a_month', days: [15, 'last'], localTime: '06:00', cutoff: 'now' },
    ]);
    for (const role of ['finance', 'read-only'] as const) {
      const seen = await pages.signedIn(tenant, role, fresh).open(`${home()}/payouts`);
      expect(wordsOf(seen)).toContain('USD Twice a month');
      expect(seen.text).not.toContain('value="schedule"');
      expect((await pages.signedIn(tenant, role, fresh).send(two, 'schedule', weekly)).status).toBe(403);
    }
  });
});

describe('the schedule of two people at once', () => {
  const schedule = async () => (await client.get('/api/v1/admin/settings')).body.payments.schedule;
  const monthly = (currency: string, day: string) => ({ currency, cadence: 'monthly', day });

  test('what one has stopped is not brought back by the other, who is told and changes it again', async () => {
    const [one, two] = [pages.signedIn(tenant, 'admin', fresh), pages.signedIn(tenant, 'admin', fresh)];
    const address = `${home()}/payouts`;
    await one.send(await one.open(address), 'schedule', monthly('EUR', '1'));
    await one.send(await one.open(address), 'schedule', monthly('USD', '1'));
    const [drawn, stale] = [await one.open(address), await two.open(address)];
    await arrive(one, await one.send(drawn, 'unschedule', {}, { key: 'EUR' }));

    const late = await two.send(stale, 'schedule', monthly('USD', '28'));
    expect(late.status).toBe(409);
    expect(wordsOf(late)).toContain('The schedule was changed meanwhile. Look at it as it is now, and change it again.');
    expect(wordsOf(late)).not.toContain('EUR Every month');
    expect(await schedule()).toMatchObject([{ currency: 'USD', days: [1] }]);
    await arrive(two, await two.send(late, 'schedule', monthly('USD', '28')));
    expect(await schedule()).toMatchObject([{ currency: 'USD', days: [28] }]);

    const stopped = await one.send(drawn, 'unschedule', {}, { key: 'USD' });
    expect(stopped.status).toBe(409);
    expect(wordsOf(stopped)).toContain('The schedule was changed meanwhile');
    expect(await schedule()).toMatchObject([{ currency: 'USD', days: [28] }]);
  });

  test('the next draft stands there by the calendar of the tenant, and is none of a day that is done', async () => {
    const admin = pages.signedIn(tenant, 'admin', fresh);
    const sandbox = apiClient(pages.app, tenant.sandboxKey);
    const clockTo = async (frozenAt: string) =>
      expect((await sandbox.post('/api/v1/sandbox/clock', { frozenAt })).status).toBe(200);
    const address = `${pages.home(tenant, 'SANDBOX')}/payouts`;
    await clockTo('2030-07-01T00:00:00Z');
    await arrive(admin, await admin.send(await admin.open(address), 'schedule', { ...monthly('USD', '15'), localTime: '01:00' }));
    expect(wordsOf(await admin.open(address))).toContain('Next 15 Jul 2030, 01:00');
    await clockTo('2030-07-14T23:00:00Z');
    const done = wordsOf(await admin.open(address));
    expect(done).toContain(
      'USD Every month on day 15 at 01:00 in Europe/Berlin: what has cleared by then. Next 15 Aug 2030, 01:00',
    );
    expect(done).toContain('none was made, for nothing was due');
    await admin.send(await admin.open(address), 'schedule', { ...monthly('USD', '15'), localTime: '18:00' });
    expect(wordsOf(await admin.open(address))).toContain(
      'USD Every month on day 15 at 18:00 in Europe/Berlin: what has cleared by then. Next 15 Aug 2030, 18:00',
    );
    expect(wordsOf(await admin.open(address))).toContain('Scheduled drafts');
  });
});

test('runs are listed with who did what, drafts on top, and counted beside the navigation', async () => {
  await underWay(6_000);
  await earn(pages.app, scope, client, await payable(pages.app, scope, client, 0), 9_000);
  const run = await draft(client);
  const browser = finance();
  const list = await browser.open(`${home()}/payouts`);
  const words = wordsOf(list);
  expect(words.indexOf('Waiting for approval')).toBeLessThan(words.indexOf('executing'));
  expect(words).toContain('US$90.00');
  const overview = await browser.open(home());
  const look = await follow(browser, overview, /payout run is to be approved/);
  expect(look.text).toContain(run.id);
  expect(wordsOf(await browser.open(`${home()}/payouts?status=completed`))).toContain('None matches these filters');
  expect((await browser.open(`${home()}/payouts/runs/${run.id}`)).status).toBe(200);
});
