/** The steps of a payout run, through HTTP: choose, look, approve, pay and watch. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { JUDGED } from '../../../src/features/dashboard/payouts/reconciled.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import { arrive, follow, hrefOf, wordsOf } from '../../support/pages/follow.ts';
import { type PageApp, startPageApp } from '../../support/pages/page-app.ts';
import { act, draft, earn, execute, payable, runOf, startPayouts } from '../../support/payments/payout-world.ts';
import { plantFailed } from '../../support/payments/plant-failed.ts';

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
const runPath = (runId: string, step = '') => `${home()}/payouts/runs/${runId}${step}`;
const payees = async (...amounts: number[]) => {
  for (const amount of amounts) await payable(pages.app, scope, client, amount);
};

async function twoHands(): Promise<void> {
  const answer = await client.patch('/api/v1/admin/settings', { payments: { dualControl: true, dualControlBy: 'persons' } });
  expect(answer.status, answer.text).toBe(200);
}

test('one person drafts, another approves and pays; each button names the amount', async () => {
  await twoHands();
  await payees(6_000, 7_010);
  await earn(pages.app, scope, client, await client.newMember({ name: 'Poor <b>Paul</b>' }), 300);
  const first = finance();
  const choose = await follow(first, await first.open(`${home()}/payouts`), 'New run…');
  expect(choose.text).not.toContain('value="draft"');
  const seen = await first.open(`${home()}/payouts/runs/new?currency=usd`);
  expect(wordsOf(seen)).toContain('Draft US$130.10 to 2 members');
  expect(wordsOf(seen)).toContain('Poor <b>Paul</b> Why');
  expect((await client.get('/api/v1/payout-runs')).body.data).toEqual([]);

  const look = await arrive(first, await first.send(seen, 'draft'));
  expect(look.status, look.text.slice(0, 2_000)).toBe(200);
  const words = wordsOf(look);
  for (const said of [
    'Equal to the last unit',
    'US$70.10',
    'Below the minimum : 1 member , US$3.00',
    'No run in USD has paid anybody before it.',
  ])
    expect(words).toContain(said);
  for (const query of [`status=queued&amp;runId=`, 'status=queued&amp;currency=USD'])
    expect(look.text).toContain(`class="amount" href="${home()}/payouts/all?${query}`);
  expect(look.text).toMatch(/class="amount" href="[^"]+#blocked"/);
  expect(words.indexOf('US$70.10')).toBeLessThan(words.indexOf('US$60.00'));

  const approve = await follow(first, look, 'Approve…');
  expect(wordsOf(approve)).toContain('You drafted this run, so somebody else approves it.');
  expect(approve.text).not.toContain('value="approve"');

  const second = finance();
  const seenBySecond = await second.open(hrefOf(look, 'Approve…'));
  expect(wordsOf(seenBySecond)).toContain('Approve US$130.10 to 2 members');
  const watch = await arrive(second, await second.send(seenBySecond, 'approve'));
  expect(wordsOf(watch)).toContain('Pay US$130.10 to 2 members');
  const under = await arrive(second, await second.send(watch, 'execute'));
  expect(wordsOf(under)).toContain('The run is executing');
  expect(under.text).toContain('data-under-way');
  const part = await second.open(hrefOf(look, 'Pay and watch'), {
    'hx-request': 'true',
    'hx-target': 'progress',
  });
  expect(part.text.startsWith('<section class="card" id="progress"')).toBe(true);
});

describe('a run that a schedule has drafted', () => {
  /** What is due is drafted. */
  async function onSchedule(): Promise<string> {
    await pages.app.database.asSuperuser(
      "update payout_schedule set after_at = now() - interval '39 days', due_at = now() where tenant_id = $1",
      [tenant.tenantId],
    );
    expect(await pages.app.runSweep('draft-payouts', scope)).toBe(1);
    return (await client.get('/api/v1/payout-runs')).body.data[0].id as string;
  }

  test('is not offered for approval to who set the schedule, and says so; others see whose it is', async () => {
    await twoHands();
    await payees(6_000);
    const owner = pages.signedIn(tenant, 'owner', fresh);
    const set = await owner.send(await owner.open(`${home()}/payouts`), 'schedule', { currency: 'USD', day: '15' });
    expect(set.status, wordsOf(set).slice(0, 500)).toBe(303);
    const runId = await onSchedule();
    const own = await owner.open(runPath(runId, '/approve'));
    expect(wordsOf(own)).toContain('You set the schedule that drafted this run, so somebody else approves it.');
    expect(own.text).not.toContain('value="approve"');
    const other = finance();
    const seen = await other.open(runPath(runId, '/approve'));
    expect(wordsOf(seen)).toMatch(/Drafted by the schedule that Person \S+ set/);
    expect(wordsOf(seen)).toMatch(/It is drafted by the schedule that Person \S+ set ?, who counts as its drafter/);
    const listed = wordsOf(await other.open(`${home()}/payouts`));
    expect(listed).toMatch(/drafted by the schedule that Person \S+ set/);
    expect(listed).not.toContain('The service');
    expect((await other.send(seen, 'approve')).status).toBe(303);
  });

  test('is approved by who set the schedule where nobody asks for two', async () => {
    await payees(6_000);
    const owner = pages.signedIn(tenant, 'owner', fresh);
    await owner.send(await owner.open(`${home()}/payouts`), 'schedule', { currency: 'USD', day: '15' });
    const seen = await owner.open(runPath(await onSchedule(), '/approve'));
    expect(wordsOf(seen)).not.toContain('counts as its drafter');
    expect((await owner.send(seen, 'approve')).status).toBe(303);
  });
});

describe('looking', () => {
  test('who is left out, by reason and page by page, with what cures it', async () => {
    for (let nr = 0; nr < 53; nr += 1) await earn(pages.app, scope, client, await client.newMember(), 100 + nr);
    await payees(5_000);
    const run = await draft(client);
    const browser = pages.signedIn(tenant, 'read-only');
    const look = await browser.open(runPath(run.id));
    expect(wordsOf(look)).toContain('Below the minimum : 53 members');
    const list = await follow(browser, look, '53 members');
    expect((list.text.match(/<th scope="row">/g) ?? []).length).toBe(50 + 1);
    const older = await follow(browser, list, 'Older');
    expect(hrefOf(older, 'Newer')).not.toContain('cursor=');
    expect(older.text).not.toContain('rel="next"');
    expect((await browser.open(`${runPath(run.id)}?reason=NOBODY`)).status).toBe(400);
    expect(look.text).not.toContain('method="post" action="/dashboard/t-');
  });

  test('pages of fifty payees, the largest first', async () => {
    for (let nr = 0; nr < 52; nr += 1) await payees(5_000 + nr);
    const run = await draft(client);
    const browser = finance();
    const look = await browser.open(runPath(run.id));
    const older = await follow(browser, look, 'Older');
    expect(wordsOf(look)).toContain('US$50.51');
    expect(wordsOf(older)).toContain('US$50.00');
    const turned = await follow(browser, look, 'Smallest first');
    expect(wordsOf(turned).indexOf('US$50.00')).toBeLessThan(wordsOf(turned).indexOf('US$50.01'));
  });

  test('against the last run: who is new, who gets more', async () => {
    const member = await payable(pages.app, scope, client, 6_000);
    await execute(client);
    await startPayouts(pages.app, scope);
    const [former] = (await client.get('/api/v1/payouts?status=processing')).body.data;
    await client.post(`/api/v1/payouts/${former.id}/settle`, { reference: 'A' });
    await payees(9_000);
    await earn(pages.app, scope, client, member, 8_000);
    const run = await draft(client);
    const words = wordsOf(await finance().open(runPath(run.id)));
    expect(words).toContain('New here 1 member, US$90.00');
    expect(words).toContain('More than before 1 member');
    expect(words).toContain('US$60.00 US$80.00');
  });

  test('a draft older than a day is drawn again', async () => {
    await payees(6_000);
    const run = await draft(client);
    await pages.app.database.asSuperuser("update payout_run set created_at = created_at - interval '25 hours' where id = $1", [
      run.id,
    ]);
    await payees(7_000);
    const browser = finance();
    const look = await browser.open(runPath(run.id));
    expect(wordsOf(look)).toContain('older than a day');
    const drawn = await arrive(browser, await browser.send(look, 'redraw'));
    expect(wordsOf(drawn)).toContain('The old draft is cancelled');
    expect(wordsOf(drawn)).toContain('US$130.00');
    expect((await runOf(client, run.id)).status).toBe('cancelled');
    // Sent twice it acts once.
    expect((await browser.send(look, 'redraw')).location).toBe(
      `${home()}/payouts/runs/${(await client.get('/api/v1/payout-runs?status=draft')).body.data[0].id}`,
    );
  });

  test('a draft of what had cleared by a time is drawn again of that, and the list says that it is old', async () => {
    await payees(6_000);
    const cutoffAt = new Date().toISOString();
    await pages.app.database.asSuperuser(
      "update commission_line set clears_at = clears_at - interval '2 hours' where tenant_id = $1",
      [tenant.tenantId],
    );
    const answer = await client.post('/api/v1/payout-runs', { currency: 'USD', cutoffAt });
    expect(answer.status, answer.text).toBe(201);
    const browser = finance();
    expect(wordsOf(await browser.open(`${home()}/payouts`))).not.toContain('older than a day');
    await pages.app.database.asSuperuser(
      `update payout_run set created_at = created_at - interval '25 hours', cutoff_at = cutoff_at - interval '26 hours' where id = $1`,
      [answer.body.id],
    );
    expect(wordsOf(await browser.open(`${home()}/payouts`))).toContain('older than a day');
    const look = await browser.open(runPath(answer.body.id));
    expect(wordsOf(look)).toContain('of what had cleared by');
    expect(wordsOf(look)).toContain('somebody else approves it');
    const drawn = await browser.send(look, 'redraw');
    expect(drawn.status).toBe(303);
    const [again] = (await client.get('/api/v1/payout-runs?status=draft')).body.data;
    const old = (await client.get(`/api/v1/payout-runs/${answer.body.id}`)).body;
    expect([old.status, again.cutoffAt]).toEqual(['cancelled', old.cutoffAt]);
  });

  test('what has changed since the draft, before somebody approves', async () => {
    const member = await payable(pages.app, scope, client, 6_000);
    const run = await draft(client);
    await client.put(`/api/v1/members/${member.id}/payout-hold`, { reason: 'Odd' });
    const words = wordsOf(await finance().open(runPath(run.id, '/approve')));
    expect(words).toContain('1 payout of US$60.00 would be cancelled');
    expect(words).toContain('On hold');
  });

  test('books that differ are told by how much, and the run is not offered for approval', async () => {
    const member = await payable(pages.app, scope, client, 6_000);
    const run = await draft(client);
    const journal = '018f0000-0000-7000-8000-00000000d1ff';
    await pages.app.database.asSuperuser(
      `with j as (insert into journal_entry (tenant_id, environment, id, cause_type, cause_id, occurred_at)
                  values ($1, 'LIVE', $2, 'hold', $2, now()))
       insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
       values ($1, 'LIVE', $2, 0, 'member:cleared', $3, 'USD', 1), ($1, 'LIVE', $2, 1, 'company:breakage', null, 'USD', -1)`,
      [tenant.tenantId, journal, member.id],
    );
    const browser = finance();
    for (const step of ['', '/approve'])
      expect(wordsOf(await browser.open(runPath(run.id, step)))).toMatch(/The books differ by US\$0\.01 ?\./);
    expect((await browser.open(runPath(run.id, '/approve'))).text).not.toContain('value="approve"');
  });

  test('books that differ since the form was drawn are not approved by it', async () => {
    const [payout] = await payees(6_000)
      .then(() => draft(client))
      .then(({ payouts }) => payouts);
    const browser = finance();
    const form = await browser.open(runPath(payout?.runId ?? '', '/approve'));
    const say = (by: number) =>
      pages.app.database.asSuperuser('update payout set amount_minor = amount_minor + $2 where id = $1', [payout?.id, by]);
    await say(1);
    const sent = await browser.send(form, 'approve');
    expect(sent.status).toBe(409);
    expect(wordsOf(sent)).toContain('The books differ by');
    expect((await runOf(client, payout?.runId ?? '')).status).toBe('draft');
    await say(-1);
    expect((await browser.send(await browser.open(runPath(payout?.runId ?? '', '/approve')), 'approve')).status).toBe(303);
  });

  test('the buttons name what is paid by now, without a payout that was cancelled by itself', async () => {
    await payees(6_000, 7_000);
    const run = await draft(client);
    const gone = run.payouts.find(({ amountMinor }) => amountMinor === 6_000);
    expect((await client.post(`/api/v1/payouts/${gone?.id}/cancel`, {})).status).toBe(200);
    const browser = finance();
    expect((await browser.open(runPath(run.id, '/approve'))).text).toContain('Approve US$70.00 to 1 member');
    await act(client, run.id, 'approve');
    expect((await browser.open(runPath(run.id, '/watch'))).text).toContain('Pay US$70.00 to 1 member');
  });

  test('a draft that was approved meanwhile is not drawn again', async () => {
    await payees(6_000);
    const run = await draft(client);
    await pages.app.database.asSuperuser("update payout_run set created_at = created_at - interval '25 hours' where id = $1", [
      run.id,
    ]);
    const browser = finance();
    const look = await browser.open(runPath(run.id));
    await act(client, run.id, 'approve');
    const sent = await browser.send(look, 'redraw');
    expect(sent.status).toBe(409);
    expect(wordsOf(sent)).toContain('approved by now');
    expect((await runOf(client, run.id)).status).toBe('approved');
  });
});

describe('watching', () => {
  test('by hand: the file, a reference each, what did not arrive, and trying again what failed', async () => {
    await payees(6_000, 7_000, 8_000);
    const run = await execute(client);
    await startPayouts(pages.app, scope);
    const browser = finance();
    const watch = await browser.open(runPath(run.id, '/watch'));
    expect(watch.status, watch.text.slice(0, 2_000)).toBe(200);
    const file = await browser.send(watch, 'file');
    expect(file.status).toBe(200);
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="payouts-${run.id}.csv"`);
    expect(file.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(file.text.trim().split('\n')).toHaveLength(4);
    expect(file.headers.get('cache-control')).toBe('no-store');

    const [one = '', two = '', three = ''] = run.payouts.map(({ id }) => id);
    const without = await browser.send(watch, 'settle', { reference: ' ' }, { key: one });
    expect(without.status).toBe(400);
    const paid = await arrive(browser, await browser.send(watch, 'settle', { reference: 'SEPA <1>' }, { key: one }));
    expect(wordsOf(paid)).toContain('The payout is paid');
    for (const key of [two, three])
      expect((await browser.send(watch, 'return', { reason: 'No <i>such</i> account' }, { key })).status).toBe(303);
    const failed = await browser.open(runPath(run.id, '/watch'));
    const words = wordsOf(failed);
    expect(words).toContain('2 payouts were not paid');
    expect(words).toContain('No <i>such</i> account');
    expect(words).toContain('Retry 2 failed: US$');
    const retriedOne = await arrive(browser, await browser.send(failed, 'retry', {}, { key: two }));
    expect(wordsOf(retriedOne)).toContain('The payout is tried again');
    const all = await arrive(browser, await browser.send(retriedOne, 'retryAll'));
    expect(wordsOf(all)).toContain('1 tried again.');
    expect((await runOf(client, run.id)).status).toBe('executing');
  });

  test('what is to be paid by hand comes with the progress, as it is taken up', async () => {
    await payees(6_000);
    const run = await execute(client);
    const browser = finance();
    const progress = () => browser.open(runPath(run.id, '/watch'), { 'hx-request': 'true', 'hx-target': 'progress' });
    const whole = await browser.open(runPath(run.id, '/watch'));
    for (const before of [whole, await progress()]) {
      expect(before.text).toContain('id="by-hand-list" data-with-progress=""');
      expect(before.text).not.toContain('value="settle"');
    }
    await startPayouts(pages.app, scope);
    const part = await progress();
    expect(part.text.startsWith('<section class="card" id="progress"')).toBe(true);
    expect(part.text).toContain(`id="by-hand-list" data-with-progress="${run.payouts[0]?.id}"`);
    expect(part.text).toContain('Paid US$60.00');
    const paid = await browser.send(part, 'settle', { reference: 'R' }, { key: run.payouts[0]?.id ?? '' });
    expect((await arrive(browser, paid)).text).toContain('The payout is paid');
  });

  test('what has failed comes with the progress while the others are under way', async () => {
    await payees(6_000, 7_000);
    const run = await execute(client);
    await startPayouts(pages.app, scope);
    const browser = finance();
    const progress = () => browser.open(runPath(run.id, '/watch'), { 'hx-request': 'true', 'hx-target': 'progress' });
    expect((await progress()).text).toContain('id="failed-list" data-with-progress="0"></div>');
    await client.post(`/api/v1/payouts/${run.payouts[0]?.id}/return`, { reason: 'No such account' });
    const part = await progress();
    expect(part.text).toContain('data-under-way');
    expect(part.text).toContain('id="failed-list" data-with-progress="1"');
    expect(wordsOf(part)).toMatch(/1 payout was not paid.*No such account/s);
  });

  test('all that failed are tried again, behind more than one request has that are refused', async () => {
    await payees(6_000, 7_000);
    const run = await execute(client);
    await startPayouts(pages.app, scope);
    const [held = '', free = ''] = run.payouts.map(({ id }) => id).toSorted();
    for (const id of [held, free]) await client.post(`/api/v1/payouts/${id}/return`, { reason: 'No such account' });
    await plantFailed(pages.app, tenant, held, 1_003);
    const browser = finance();
    const answer = await browser.send(await browser.open(runPath(run.id, '/watch')), 'retryAll');
    expect(wordsOf(await arrive(browser, answer))).toContain('2 tried again. 1,003 refused: Payouts to the member are on hold');
    expect(await runOf(client, run.id)).toMatchObject({
      status: 'executing',
      byStatus: expect.arrayContaining([expect.objectContaining({ status: 'queued', count: 2 })]),
    });
    // Those that are refused stay in front, and are gone through once more.
    const again = await browser.send(await browser.open(runPath(run.id, '/watch')), 'retryAll');
    expect(wordsOf(await arrive(browser, again))).toContain('0 tried again. 1,003 refused');
  });

  test('a day that is over is a payment of that day, today is now, and no day is a fault', async () => {
    await payees(6_000, 7_000);
    const run = await execute(client);
    await pages.app.database.asSuperuser(
      "update payout set created_at = created_at - interval '3 days' where payout_run_id = $1",
      [run.id],
    );
    await startPayouts(pages.app, scope);
    const browser = finance();
    const watch = await browser.open(runPath(run.id, '/watch'));
    const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
    const [one = '', two = ''] = run.payouts.map(({ id }) => id);
    expect((await browser.send(watch, 'settle', { reference: 'R', paidAt: 'x' }, { key: one })).status).toBe(400);
    expect((await browser.send(watch, 'settle', { reference: 'R', paidAt: '2999-01-01' }, { key: one })).status).toBe(400);
    expect((await browser.send(watch, 'settle', { reference: 'R', paidAt: day }, { key: one })).status).toBe(303);
    const { body } = await client.get(`/api/v1/payouts/${one}`);
    const told = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin', dateStyle: 'short' }).format(
      new Date(body.paidAt),
    );
    expect(told).toBe(day);
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin', dateStyle: 'short' }).format(new Date());
    expect((await browser.send(watch, 'settle', { reference: 'R2', paidAt: today }, { key: two })).status).toBe(303);
  });

  test('payouts that are frozen are told in plain words, and paying says so', async () => {
    await payees(6_000);
    const run = await draft(client);
    await act(client, run.id, 'approve');
    const { asSuperuser } = pages.app.database;
    await asSuperuser('update payout_freeze set frozen_at = now()');
    try {
      const browser = finance();
      const listed = await browser.open(`${home()}/payouts`);
      const list = wordsOf(listed);
      expect(list).toContain('Payouts are frozen.');
      for (const path of ['', '/payouts/runs/new', `/payouts/runs/${run.id}`, `/payouts/runs/${run.id}/approve`])
        expect(wordsOf(await browser.open(home() + path)), path).toContain('Payouts are frozen.');
      expect(wordsOf(await pages.signedIn(tenant, 'developer').open(home()))).not.toContain('frozen');
      for (const [label, judged] of Object.entries(JUDGED)) {
        expect(hrefOf(listed, judged)).toContain(`/payouts/all?reconciled=${label}`);
        const rows = await follow(browser, listed, judged);
        expect(wordsOf(rows)).toContain('None matches these filters');
      }
      expect(listed.text).not.toContain('action=payout.reconciled');
      const owner = await pages.signedIn(tenant, 'owner', fresh).open(`${home()}/payouts`);
      expect(hrefOf(owner, 'Each match in the audit log')).toContain('/audit?action=payout.reconciled');
      expect(list).toContain('so that nobody is paid twice');
      const watch = await browser.open(runPath(run.id, '/watch'));
      expect(wordsOf(watch)).toContain('Payouts are frozen.');
      const refused = await browser.send(watch, 'execute');
      expect(refused.status).toBe(503);
      expect(wordsOf(refused)).not.toContain('try again in a moment');
    } finally {
      await asSuperuser('update payout_freeze set frozen_at = null');
    }
  });
});

describe('who may', () => {
  test('roles that read see no form; others see nothing; another tenant finds nothing', async () => {
    await payees(6_000);
    const run = await draft(client);
    const paths = ['/payouts', `/payouts/runs/${run.id}`, `/payouts/runs/${run.id}/approve`, `/payouts/runs/${run.id}/watch`];
    const reader = pages.signedIn(tenant, 'read-only');
    for (const path of paths) {
      const page = await reader.open(home() + path);
      expect(page.status, path).toBe(200);
      for (const action of ['approve', 'cancel', 'execute', 'redraw', 'retryAll', 'file', 'schedule'])
        expect(page.text, path).not.toContain(`value="${action}"`);
      for (const role of ['developer', 'reviewer'] as const)
        expect((await pages.signedIn(tenant, role).open(home() + path)).status, `${role} ${path}`).toBe(403);
    }
    expect((await reader.open(`${home()}/payouts/runs/new`)).status).toBe(403);
    const admin = pages.signedIn(tenant, 'admin', fresh);
    const approve = await admin.open(runPath(run.id, '/approve'));
    expect(wordsOf(approve)).toContain('Your role does not approve runs');
    const form = await finance().open(runPath(run.id, '/approve'));
    expect((await admin.send(form, 'approve')).status).toBe(403);
    const other = await pages.app.newTenant();
    for (const path of paths.slice(1))
      expect((await pages.signedIn(other, 'owner').open(pages.home(other) + path)).status).toBe(404);
    expect((await finance().open(`${pages.home(tenant, 'SANDBOX')}${paths[1]}`)).status).toBe(404);
  });

  test('a run that is cancelled meanwhile is refused in the words of the API', async () => {
    await payees(6_000);
    const run = await draft(client);
    const browser = finance();
    const approve = await browser.open(runPath(run.id, '/approve'));
    await act(client, run.id, 'cancel');
    const late = await browser.send(approve, 'approve');
    expect(late.status).toBe(409);
    expect(wordsOf(late)).toContain('cancelled');
    const watch = await browser.open(runPath(run.id, '/watch'));
    expect(wordsOf(watch)).toContain('The run was cancelled');
  });
});
