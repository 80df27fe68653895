/** What an approver of a run has to see. Source: docs/specification/payouts.md#review. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { purchaseOf, refundOf } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import {
  act,
  type DraftBody,
  draft,
  earn,
  execute,
  payable,
  payoutOf,
  plantAccount,
  startPayouts,
} from '../../support/payments/payout-world.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let scope: Scope;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
});

interface Ledger {
  runMinor: number;
  blockedMinor: number;
  elsewhereMinor: number;
  laterMinor: number;
  changedMinor: number;
  ledgerMinor: number;
  differenceMinor: number;
  equal: boolean;
}
interface Review {
  stale: boolean;
  ledger: Ledger;
  previous: { runId: string; payouts: { count: number; totalMinor: number } } | null;
  difference: {
    joined: object;
    gone: object;
    more: number;
    less: number;
    largestChanges: { userId: string; beforeMinor: number; nowMinor: number }[];
  } | null;
  largest: { payoutId: string; userId: string; amountMinor: number }[];
  changedSinceDraft: { count: number; totalMinor: number; first: { payoutId: string; userId: string; reason: string }[] };
}

async function reviewOf(runId: string): Promise<Review> {
  const { status, body, text } = await client.get(`/api/v1/payout-runs/${runId}/review`);
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ');
  const review = body as Review;
  const { runMinor, blockedMinor, elsewhereMinor, laterMinor, changedMinor, ledgerMinor, differenceMinor, equal } = review.ledger;
  expect(runMinor + blockedMinor + elsewhereMinor + laterMinor + changedMinor + differenceMinor).toBe(ledgerMinor);
  expect(equal).toBe(differenceMinor === 0);
  return review;
}

const change = (payoutId: string, deed: string, body: object = {}) => client.post(`/api/v1/payouts/${payoutId}/${deed}`, body);

describe('the books', () => {
  test('a fresh draft is all that is cleared: its payouts, who is blocked, and what another run has', async () => {
    await payable(app, scope, client, 6_000);
    const other = await draft(client);
    await payable(app, scope, client, 7_000);
    await payable(app, scope, client, 8_000);
    await earn(app, scope, client, await client.newMember(), 300);
    await payable(app, scope, client, 9_000, { currency: 'EUR' });
    const debtor = await client.newMember();
    await earn(app, scope, client, debtor, 1_000);
    await earn(app, scope, client, debtor, -4_000);
    const run = await draft(client);
    const { ledger } = await reviewOf(run.id);
    expect(ledger).toEqual({
      runMinor: 15_000,
      blockedMinor: 300 - 3_000,
      elsewhereMinor: 6_000,
      laterMinor: 0,
      changedMinor: 0,
      ledgerMinor: 18_300,
      differenceMinor: 0,
      equal: true,
    });
    expect((await reviewOf(other.id)).ledger).toMatchObject({ runMinor: 6_000, elsewhereMinor: 15_000, equal: true });
  });

  test('are the same before and after the ledger is sealed, and of payouts that do not say what they took', async () => {
    const member = await payable(app, scope, client, 6_000);
    const run = await draft(client);
    const { ledger } = await reviewOf(run.id);
    expect(ledger).toMatchObject({ ledgerMinor: 6_000, equal: true });
    await app.runSweep('seal-ledger', scope);
    const [waiting] = await app.database.asSuperuser('select 1 from ledger_unsealed where tenant_id = $1', [tenant.tenantId]);
    expect(waiting).toBeUndefined();
    expect((await reviewOf(run.id)).ledger).toEqual(ledger);
    await earn(app, scope, client, member, 500);
    expect((await reviewOf(run.id)).ledger).toMatchObject({ ledgerMinor: 6_500, changedMinor: 500, equal: true });
    await app.database.asSuperuser('update payout set lines_minor = null where payout_run_id = $1', [run.id]);
    expect((await reviewOf(run.id)).ledger).toMatchObject({ ledgerMinor: 6_500, changedMinor: 500, equal: true });
  });

  test('what cleared behind the cutoff is later, also what had cleared by now and not by the cutoff', async () => {
    const member = await payable(app, scope, client, 6_000);
    const lineId = await earn(app, scope, client, member, 500);
    await app.database.asSuperuser("update commission_line set clears_at = now() - interval '1 minute' where id = $1", [lineId]);
    const run = await draft(client, { cutoffAt: new Date(Date.now() - 3_600_000).toISOString() });
    await earn(app, scope, client, member, 700);
    const { ledger } = await reviewOf(run.id);
    // What was earned sixty days ago and entered since has come since the draft.
    expect(ledger).toMatchObject({ runMinor: 6_000, laterMinor: 500, changedMinor: 700, equal: true });
  });

  test('refunds, what is taken back, settlements, and payouts that failed or came back are told as changes, and the books agree', async () => {
    const [one, two, three] = [
      await payable(app, scope, client, 6_000),
      await payable(app, scope, client, 7_000),
      await payable(app, scope, client, 8_000),
    ];
    const sale = await purchaseOf(client, { attribution: { user_id: one.id } });
    const first = await draft(client);
    await refundOf(client, sale, {});
    await earn(app, scope, client, two, -250);
    expect((await reviewOf(first.id)).ledger).toMatchObject({ runMinor: 21_000, changedMinor: -250, equal: true });
    await act(client, first.id, 'cancel');
    await earn(app, scope, client, two, 250);
    const settled = await client.post(`/api/v1/members/${three.id}/settlements`, {
      currency: 'USD',
      amountMinor: 8_000,
      reference: 'WIRE-1',
    });
    expect(settled.status, settled.text).toBe(201);
    const second = await execute(client);
    await startPayouts(app, scope);
    const [payOne = '', payTwo = ''] = second.payouts.map(({ id }) => id);
    await change(payOne, 'return', { reason: 'No such account' });
    await change(payTwo, 'settle', { reference: 'B' });
    expect((await reviewOf(second.id)).ledger).toMatchObject({ runMinor: 0, equal: true });
    expect((await change(payOne, 'retry')).status).toBe(200);
    const retried = (await payoutOf(client, payOne)).amountMinor;
    expect((await reviewOf(second.id)).ledger).toMatchObject({ runMinor: retried, changedMinor: 0, equal: true });
    await change(payTwo, 'return', { reason: 'Came back' });
    const third = await draft(client);
    expect((await reviewOf(third.id)).ledger).toMatchObject({ elsewhereMinor: retried, changedMinor: 0, equal: true });
  });

  test('a ledger that says otherwise is not equal', async () => {
    const member = await payable(app, scope, client, 6_000);
    const run = await draft(client);
    // Undone at once, for the books of this file must be sound.
    const journal = '018f0000-0000-7000-8000-000000000001';
    await app.database.asSuperuser(
      `with j as (insert into journal_entry (tenant_id, environment, id, cause_type, cause_id, occurred_at)
                  values ($1, 'LIVE', $2, 'hold', $2, now()))
       insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
       values ($1, 'LIVE', $2, 0, 'member:cleared', $3, 'USD', 5), ($1, 'LIVE', $2, 1, 'company:breakage', null, 'USD', -5)`,
      [tenant.tenantId, journal, member.id],
    );
    expect((await reviewOf(run.id)).ledger).toMatchObject({ differenceMinor: 5, equal: false, changedMinor: 0 });
    await app.database.asSuperuser('alter table posting disable trigger append_only');
    await app.database.asSuperuser('alter table journal_entry disable trigger append_only');
    await app.database.asSuperuser('delete from posting where journal_id = $1', [journal]);
    await app.database.asSuperuser('delete from ledger_unsealed where journal_id = $1', [journal]);
    await app.database.asSuperuser('delete from journal_entry where id = $1', [journal]);
    await app.database.asSuperuser('alter table posting enable trigger append_only');
    await app.database.asSuperuser('alter table journal_entry enable trigger append_only');
    expect((await reviewOf(run.id)).ledger.equal).toBe(true);
  });
});

describe('a payout that says another amount than its commissions', () => {
  const say = (id: string, by: number) =>
    app.database.asSuperuser('update payout set amount_minor = amount_minor + $2 where id = $1', [id, by]);

  test('is a difference, is told, and is cancelled by the execution', async () => {
    const member = await payable(app, scope, client, 6_000);
    const run = await draft(client);
    // The member has more cleared than the payout says.
    await earn(app, scope, client, member, 500);
    const [payout] = run.payouts;
    await say(payout?.id ?? '', 100);
    const review = await reviewOf(run.id);
    expect(review.ledger).toMatchObject({ runMinor: 6_100, changedMinor: 500, differenceMinor: -100, equal: false });
    expect(review.changedSinceDraft.first).toEqual([{ payoutId: payout?.id, userId: member.id, reason: 'CHANGED' }]);
    for (const deed of ['approve', 'execute'] as const) expect((await act(client, run.id, deed)).status).toBe(200);
    await startPayouts(app, scope);
    expect(await payoutOf(client, payout?.id ?? '')).toMatchObject({ status: 'cancelled', failureCode: 'CHANGED' });
    await say(payout?.id ?? '', -100);
  });

  test('of another run is a difference as well, and two that make up for each other are told', async () => {
    await payable(app, scope, client, 6_000);
    const other = await draft(client);
    const [one, two] = [await payable(app, scope, client, 7_000), await payable(app, scope, client, 8_000)];
    const run = await draft(client);
    const idOf = (userId: string) => run.payouts.find((payout) => payout.userId === userId)?.id ?? '';
    await say(other.payouts[0]?.id ?? '', 1);
    expect((await reviewOf(run.id)).ledger).toMatchObject({ elsewhereMinor: 6_001, differenceMinor: -1, equal: false });
    expect((await reviewOf(run.id)).changedSinceDraft.count).toBe(0);
    await say(other.payouts[0]?.id ?? '', -1);
    await say(idOf(one.id), -100);
    await say(idOf(two.id), 100);
    const { first } = (await reviewOf(run.id)).changedSinceDraft;
    expect(first.map(({ userId, reason }) => `${userId} ${reason}`).toSorted()).toEqual(
      [one.id, two.id].map((id) => `${id} CHANGED`).toSorted(),
    );
    await say(idOf(one.id), 100);
    await say(idOf(two.id), -100);
    expect((await reviewOf(run.id)).ledger.equal).toBe(true);
  });
});

describe('the former run', () => {
  /** Executed, and all of it paid. */
  async function paid(): Promise<DraftBody> {
    const run = await execute(client);
    await startPayouts(app, scope);
    for (const { id } of run.payouts) expect((await change(id, 'settle', { reference: id })).status).toBe(200);
    return run;
  }

  test('there is none, or the last of the currency that was executed and has paid somebody', async () => {
    const member = await payable(app, scope, client, 6_000);
    const first = await draft(client);
    expect(await reviewOf(first.id)).toMatchObject({ previous: null, difference: null });
    await act(client, first.id, 'cancel');
    await payable(app, scope, client, 6_000, { currency: 'EUR' });
    await draft(client, { currency: 'EUR' });
    const second = await paid();
    expect((await reviewOf(second.id)).previous).toBeNull();
    await earn(app, scope, client, member, 5_000);
    const third = await draft(client);
    expect((await reviewOf(third.id)).previous).toMatchObject({ runId: second.id, payouts: { count: 1, totalMinor: 6_000 } });
    expect((await reviewOf(second.id)).previous).toBeNull();
  });

  test('a run that was only drafted, approved or executed, or whose payouts all failed, is none', async () => {
    const member = await payable(app, scope, client, 6_000);
    const first = await paid();
    await earn(app, scope, client, member, 5_000);
    const second = await draft(client);
    await payable(app, scope, client, 7_000);
    const third = await draft(client);
    const previous = async () => (await reviewOf(third.id)).previous?.runId;
    expect(await previous()).toBe(first.id);
    for (const deed of ['approve', 'execute'] as const) expect((await act(client, second.id, deed)).status).toBe(200);
    expect(await previous()).toBe(first.id);
    await startPayouts(app, scope);
    expect(await previous()).toBe(first.id);
    const payoutId = second.payouts[0]?.id ?? '';
    expect((await change(payoutId, 'return', { reason: 'No such account' })).status).toBe(200);
    expect(await previous()).toBe(first.id);
    expect((await change(payoutId, 'retry')).status).toBe(200);
    await startPayouts(app, scope);
    expect((await change(payoutId, 'settle', { reference: 'A' })).status).toBe(200);
    expect(await previous()).toBe(second.id);
    // Of a run that was executed itself those before that.
    expect((await reviewOf(second.id)).previous?.runId).toBe(first.id);
  });

  test('the one that was executed last, whichever was drafted last', async () => {
    await payable(app, scope, client, 6_000);
    const early = await draft(client);
    await payable(app, scope, client, 7_000);
    const late = await paid();
    expect((await reviewOf(early.id)).previous?.runId).toBe(late.id);
    for (const deed of ['approve', 'execute'] as const) expect((await act(client, early.id, deed)).status).toBe(200);
    await startPayouts(app, scope);
    expect((await change(early.payouts[0]?.id ?? '', 'settle', { reference: 'A' })).status).toBe(200);
    await payable(app, scope, client, 8_000);
    expect((await reviewOf((await draft(client)).id)).previous?.runId).toBe(early.id);
  });

  test('who is new, who is gone, who gets more and less, and the largest changes first', async () => {
    const members: MemberBody[] = [];
    for (const amount of [6_000, 7_000, 8_000, 9_000]) members.push(await payable(app, scope, client, amount));
    const [same, more, less, gone] = members.map(({ id }) => id);
    await paid();
    const [a, b, c] = members;
    for (const [member, amount] of [
      [a, 6_000],
      [b, 9_500],
      [c, 5_000],
    ] as const) {
      if (member) await earn(app, scope, client, member, amount);
    }
    const fresh = await payable(app, scope, client, 20_000);
    const run = await draft(client);
    const { difference } = await reviewOf(run.id);
    expect(difference).toEqual({
      joined: { count: 1, totalMinor: 20_000 },
      gone: { count: 1, totalMinor: 9_000 },
      more: 1,
      less: 1,
      largestChanges: [
        { userId: fresh.id, beforeMinor: 0, nowMinor: 20_000 },
        { userId: gone, beforeMinor: 9_000, nowMinor: 0 },
        { userId: less, beforeMinor: 8_000, nowMinor: 5_000 },
        { userId: more, beforeMinor: 7_000, nowMinor: 9_500 },
      ],
    });
    expect(JSON.stringify(difference)).not.toContain(same);
  });

  test('the draft keeps the answer until a payout of either run is cancelled, or another run was executed', async () => {
    const members = [await payable(app, scope, client, 6_000), await payable(app, scope, client, 7_000)];
    await paid();
    for (const member of members) await earn(app, scope, client, member, 8_000);
    const run = await draft(client);
    const [row] = await app.database.asSuperuser<{ comparison: object }>('select comparison from payout_run where id = $1', [
      run.id,
    ]);
    expect(row?.comparison).toMatchObject({ formerCancelled: 0, difference: { more: 2, less: 0 } });
    const fresh = await reviewOf(run.id);
    await sql(`update payout_run set comparison = jsonb_set(comparison, '{difference,more}', '77') where id = $1`, run.id);
    expect((await reviewOf(run.id)).difference).toEqual({ ...fresh.difference, more: 77 });
    await sql('update payout_run set comparison = null where id = $1', run.id);
    expect((await reviewOf(run.id)).difference).toEqual(fresh.difference);
    await sql('update payout_run set comparison = $2::jsonb where id = $1', run.id, JSON.stringify(row?.comparison));
    expect((await change(run.payouts[0]?.id ?? '', 'cancel')).status).toBe(200);
    expect((await reviewOf(run.id)).difference).toMatchObject({ more: 1, gone: { count: 1 } });
  });

  test('the ten largest payouts, and not more', async () => {
    for (let i = 1; i <= 12; i++) await payable(app, scope, client, 5_000 + i);
    const run = await draft(client);
    const { largest, difference } = await reviewOf(run.id);
    expect(largest.map(({ amountMinor }) => amountMinor)).toEqual(Array.from({ length: 10 }, (_, i) => 5_012 - i));
    expect(difference).toBeNull();
  });
});

/** What happens to the member between the draft and the execution, and the code of the cancelled payout. */
const CHANGES: [what: string, change: (member: MemberBody, lineId: string) => Promise<unknown>, reason: string][] = [
  ['a commission is held', (_member, lineId) => client.post(`/api/v1/commissions/${lineId}/hold`, {}), 'CHANGED'],
  ['a commission is voided', (_member, lineId) => client.post(`/api/v1/commissions/${lineId}/void`, {}), 'CHANGED'],
  ['something is taken back', (member) => earn(app, scope, client, member, -1), 'CHANGED'],
  ['the member is held', ({ id }) => client.put(`/api/v1/members/${id}/payout-hold`, { reason: 'Asked by the bank' }), 'HELD'],
  ['a test member', ({ id }) => sql('update member set is_test_user = true where id = $1', id), 'TEST_USER'],
  [
    'the KYC is withdrawn',
    async ({ id }) => {
      const [record] = await app.database.asSuperuser<{ id: string }>('select id from kyc_record where member_id = $1', [id]);
      return client.post(`/api/v1/admin/kyc/${record?.id}/request-resubmit`, { reason: 'Expired' });
    },
    'KYC_REQUIRED',
  ],
  [
    'the identity has changed',
    ({ id }) => sql('update kyc_record set identity_changed_at = now() where member_id = $1', id),
    'KYC_REQUIRED',
  ],
  [
    'the account is deactivated',
    ({ id }) => sql("update payout_account set status = 'deactivated', is_primary = false where member_id = $1", id),
    'NO_ACCOUNT',
  ],
  [
    'the account is found to be held under another name',
    ({ id }) =>
      sql(
        `update payout_account a set name_match = 'mismatch', name_accepted_at = null,
           name_judged_for = (select k.names_digest from kyc_record k where k.member_id = a.member_id) where a.member_id = $1`,
        id,
      ),
    'NAME_MISMATCH',
  ],
];

/** As if all that was written down of members had been before the hour that a review looks back beyond the draft. */
async function settleDown(): Promise<void> {
  for (const table of ['member', 'member_profile', 'kyc_record', 'payout_account', 'payout_hold']) {
    await app.database.asSuperuser(
      `set session_replication_role = replica; update ${table} set payable_changed_at = now() - interval '61 minutes'
       where payable_changed_at is not null; reset session_replication_role`,
    );
  }
}

const sql = (text: string, ...values: string[]) => app.database.asSuperuser(text, values);

describe('what has changed since the draft', () => {
  test.each(CHANGES)('%s: the payout is told, and the execution cancels it for that', async (_what, happen, reason) => {
    const member = await payable(app, scope, client, 6_000);
    const lineId = await earn(app, scope, client, member, 1_000);
    await payable(app, scope, client, 9_000);
    const run = await draft(client);
    await settleDown();
    expect((await reviewOf(run.id)).changedSinceDraft).toEqual({ count: 0, totalMinor: 0, first: [] });
    await happen(member, lineId);
    const payoutId = run.payouts.find(({ userId }) => userId === member.id)?.id ?? '';
    const review = await reviewOf(run.id);
    expect(review.changedSinceDraft).toEqual({
      count: 1,
      totalMinor: 7_000,
      first: [{ payoutId, userId: member.id, reason }],
    });
    expect(review.ledger.equal).toBe(true);
    // A run of an older release: each of its payouts is looked at.
    await sql('update payout_run set require_kyc = null where id = $1', run.id);
    expect(await reviewOf(run.id)).toEqual({ ...review, asOf: expect.any(String) });
    for (const deed of ['approve', 'execute'] as const) expect((await act(client, run.id, deed)).status).toBe(200);
    await startPayouts(app, scope);
    expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'cancelled', failureCode: reason });
    expect((await reviewOf(run.id)).changedSinceDraft.count).toBe(0);
  });

  test('what else was earned, in this currency or another, changes nothing', async () => {
    const member = await payable(app, scope, client, 6_000);
    const run = await draft(client);
    await earn(app, scope, client, member, 5_500);
    await earn(app, scope, client, member, -100, 'EUR');
    expect((await reviewOf(run.id)).changedSinceDraft.count).toBe(0);
  });

  test('a verification is asked for that was not when the run was drafted', async () => {
    await plantPaymentSettings(app, scope, { provider: 'manual', requireKyc: false, accountCooldownHours: 0 });
    const member = await client.newMember();
    await plantAccount(app, scope, member.id);
    await earn(app, scope, client, member, 6_000);
    const run = await draft(client);
    await settleDown();
    expect((await reviewOf(run.id)).changedSinceDraft.count).toBe(0);
    expect((await client.patch('/api/v1/admin/settings', { payments: { requireKyc: true } })).status).toBe(200);
    expect((await reviewOf(run.id)).changedSinceDraft.first).toMatchObject([{ userId: member.id, reason: 'KYC_REQUIRED' }]);
  });

  test('ten are told of more', async () => {
    const members: MemberBody[] = [];
    for (let i = 0; i < 11; i++) members.push(await payable(app, scope, client, 6_000));
    const run = await draft(client);
    for (const member of members) await earn(app, scope, client, member, -1);
    const { count, totalMinor, first } = (await reviewOf(run.id)).changedSinceDraft;
    expect([count, totalMinor, first.length]).toEqual([11, 66_000, 10]);
  });
});

test('a draft is stale once it is older than a day, by the clock of the scope, and nothing but a draft is', async () => {
  await payable(app, scope, client, 6_000);
  const run = await draft(client);
  const age = (interval: string) =>
    app.database.asSuperuser(`update payout_run set created_at = now() - interval '${interval}' where id = $1`, [run.id]);
  await age('23 hours 59 minutes');
  expect((await reviewOf(run.id)).stale).toBe(false);
  await age('24 hours 1 minute');
  expect((await reviewOf(run.id)).stale).toBe(true);
  await act(client, run.id, 'approve');
  expect((await reviewOf(run.id)).stale).toBe(false);
});

test('reasons are counted in the order of their precedence', async () => {
  for (const amount of [1, 2]) await earn(app, scope, client, await client.newMember(), amount);
  for (const amount of [6_000, 7_000]) await earn(app, scope, client, await client.newMember(), amount);
  await earn(app, scope, client, await client.newMember(), -40);
  const held = await payable(app, scope, client, 6_000);
  await client.put(`/api/v1/members/${held.id}/payout-hold`, { reason: 'Asked by the bank' });
  const run = await draft(client);
  const { body } = await client.get(`/api/v1/payout-runs/${run.id}/blocked-reasons`);
  expect(body.data).toEqual([
    { reason: 'HELD', count: 1, amountMinor: 6_000 },
    { reason: 'BELOW_MINIMUM', count: 2, amountMinor: 3 },
    { reason: 'NO_ACCOUNT', count: 3, amountMinor: 12_960 },
  ]);
  const empty = await draft(client, { currency: 'EUR' });
  expect((await client.get(`/api/v1/payout-runs/${empty.id}/blocked-reasons`)).body).toEqual({ data: [] });
});

test('another tenant, another environment and a weaker key see nothing of it', async () => {
  await payable(app, scope, client, 6_000);
  const run = await draft(client);
  const weak = await app.tenants.createKey({ ...scope, scopes: ['payouts:write'] });
  const other = await app.newTenant();
  for (const path of ['review', 'blocked-reasons']) {
    const status = async (key: string) => (await apiClient(app, key).get(`/api/v1/payout-runs/${run.id}/${path}`)).status;
    expect([path, await status(other.liveKey), await status(tenant.sandboxKey), await status(weak.apiKey)]).toEqual([
      path,
      404,
      404,
      403,
    ]);
  }
});
