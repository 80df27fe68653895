/** Approving and executing runs, and what becomes of each payout by hand. */

import type { Response } from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bySystem } from '../../../src/actor.ts';
import type { Scope, WriteDb } from '../../../src/db/scope.ts';
import { executePayouts } from '../../../src/features/payouts/payouts/execute-payouts.ts';
import { findRefusals, storeStarted, takeDuePayouts } from '../../../src/features/payouts/payouts/execute-queries.ts';
import { postMoves } from '../../../src/features/payouts/payouts/payout-changes-queries.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { eventually } from '../../support/jobs/test-jobs.ts';
import { booksOf } from '../../support/money/debts.ts';
import { refundOf } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { books, settle } from '../../support/payments/books-of-payouts.ts';
import { act, draft, earn, execute, payable, payoutOf, runOf, startPayouts } from '../../support/payments/payout-world.ts';

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

const change = (payoutId: string, deed: string, body: object = {}) => client.post(`/api/v1/payouts/${payoutId}/${deed}`, body);

const linesOf = (memberId: string) =>
  app.database
    .asSuperuser<{ status: string; sum: number }>(
      'select status, sum(amount_minor)::int as sum from commission_line where beneficiary_id = $1 group by status order by status',
      [memberId],
    )
    .then((rows) => Object.fromEntries(rows.map(({ status, sum }) => [status, sum])));

/** A payout by hand that is processing. */
async function processing(amountMinor = 6_000): Promise<{ member: MemberBody; payoutId: string; runId: string }> {
  const member = await payable(app, scope, client, amountMinor);
  const run = await execute(client);
  expect(await startPayouts(app, scope)).toBe(1);
  return { member, payoutId: run.payouts[0]?.id ?? '', runId: run.id };
}

test('from the draft to paid by hand: books, lines, run and audit', async () => {
  const member = await payable(app, scope, client, 6_000);
  const run = await execute(client);
  const payoutId = run.payouts[0]?.id ?? '';
  expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'queued', attempt: 0 });
  expect(await linesOf(member.id)).toEqual({ cleared: 6_000 });
  expect(await startPayouts(app, scope)).toBe(1);
  expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'processing', attempt: 1, provider: 'manual' });
  expect(await linesOf(member.id)).toEqual({ processing: 6_000 });
  expect(await booksOf(app, member)).toMatchObject({ cleared: 0, paid: 0 });
  expect((await runOf(client, run.id)).status).toBe('executing');
  expect(await startPayouts(app, scope)).toBe(0);

  const settled = await change(payoutId, 'settle', { reference: 'BANK-1', paidAt: new Date(Date.now() - 1).toISOString() });
  expect(settled.status).toBe(200);
  expect(settled.body).toMatchObject({ status: 'paid', reference: 'BANK-1', failureCode: null });
  expect(await linesOf(member.id)).toEqual({ paid: 6_000 });
  expect(await booksOf(app, member)).toMatchObject({ cleared: 0, paid: 6_000 });
  expect(await runOf(client, run.id)).toMatchObject({
    status: 'completed',
    byStatus: [{ status: 'paid', count: 1, totalMinor: 6_000 }],
  });
  expect(await change(payoutId, 'settle', { reference: 'BANK-2' })).toMatchObject({
    status: 409,
    body: { code: 'STATE_CONFLICT' },
  });
  const audit = await client.get('/api/v1/admin/audit-logs');
  expect(audit.body.data.map((entry: { action: string }) => entry.action)).toEqual([
    'payout.paid',
    'payout_run.executed',
    'payout_run.approved',
    'payout_run.drafted',
    'api_key.created',
    'tenant.created',
  ]);
  const detail = await client.get(`/api/v1/payouts/${payoutId}`);
  expect(detail.body.attempts).toMatchObject([{ attempt: 1, outcome: 'paid', transferId: null }]);
});

test('a paid payout that comes back is cleared again, and the next run pays it', async () => {
  const { member, payoutId, runId } = await processing();
  await change(payoutId, 'settle', { reference: 'BANK-1' });
  const returned = await change(payoutId, 'return', { reason: 'Account closed' });
  expect(returned.body).toMatchObject({ status: 'returned', failureCode: 'RETURNED', failureMessage: 'Account closed' });
  expect(await linesOf(member.id)).toEqual({ cleared: 6_000 });
  expect(await booksOf(app, member)).toMatchObject({ cleared: 6_000, paid: 0 });
  expect((await runOf(client, runId)).status).toBe('completed');
  expect((await change(payoutId, 'retry')).status).toBe(409);
  expect((await draft(client)).payouts).toMatchObject([{ userId: member.id, amountMinor: 6_000 }]);
});

test('one by hand that could not be made has failed, and is retried with a second attempt', async () => {
  const { member, payoutId, runId } = await processing();
  expect((await change(payoutId, 'return', { reason: 'No such account' })).body).toMatchObject({ status: 'failed' });
  expect((await runOf(client, runId)).status).toBe('partially_failed');
  expect(await linesOf(member.id)).toEqual({ cleared: 6_000 });
  expect((await act(client, runId, 'execute')).status).toBe(409);
  expect((await change(payoutId, 'retry')).body).toMatchObject({ status: 'queued', failureCode: null });
  expect((await runOf(client, runId)).status).toBe('executing');
  expect((await change(payoutId, 'retry')).status).toBe(409);
  await startPayouts(app, scope);
  expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'processing', attempt: 2 });
  await change(payoutId, 'settle', { reference: 'again' });
  expect((await runOf(client, runId)).status).toBe('completed');
  const { body } = await client.get(`/api/v1/payouts/${payoutId}`);
  expect(body.attempts.map((attempt: { outcome: string }) => attempt.outcome)).toEqual(['failed', 'paid']);
});

test('a failed payout whose commissions another one took cannot be retried', async () => {
  const { payoutId } = await processing();
  await change(payoutId, 'return', { reason: 'No such account' });
  await draft(client);
  expect(await change(payoutId, 'retry')).toMatchObject({
    status: 409,
    body: { code: 'STATE_CONFLICT', error: 'Another payout has taken commissions of this one' },
  });
  expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'failed' });
});

test('only what is queued is cancelled; a run all of whose payouts are ends at once', async () => {
  const { payoutId } = await processing();
  expect((await change(payoutId, 'cancel')).status).toBe(409);
  const member = await payable(app, scope, client, 7_000);
  const run = await draft(client);
  const other = run.payouts[0]?.id ?? '';
  expect((await change(other, 'cancel')).body).toMatchObject({ status: 'cancelled', failureCode: null });
  expect((await change(other, 'cancel')).status).toBe(409);
  await act(client, run.id, 'approve');
  expect((await act(client, run.id, 'execute')).body.status).toBe('completed');
  const next = await execute(client);
  expect(next.payouts).toMatchObject([{ userId: member.id }]);
  expect((await change(next.payouts[0]?.id ?? '', 'cancel')).status).toBe(200);
  expect((await runOf(client, next.id)).status).toBe('completed');
});

test('transitions outside the table are refused and change nothing', async () => {
  await payable(app, scope, client, 6_000);
  const run = await draft(client);
  expect((await act(client, run.id, 'execute')).body.code).toBe('STATE_CONFLICT');
  expect((await act(client, run.id, 'approve')).body.status).toBe('approved');
  expect((await act(client, run.id, 'approve')).body.code).toBe('STATE_CONFLICT');
  expect((await act(client, run.id, 'execute')).body.status).toBe('executing');
  for (const deed of ['approve', 'execute', 'cancel'] as const)
    expect((await act(client, run.id, deed)).body.code).toBe('STATE_CONFLICT');
  const payoutId = run.payouts[0]?.id ?? '';
  for (const [deed, body] of [
    ['settle', { reference: 'x' }],
    ['return', { reason: 'x' }],
    ['retry', {}],
  ] as const) {
    expect((await change(payoutId, deed, body)).body.code).toBe('STATE_CONFLICT');
  }
  expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'queued', attempt: 0 });
});

test('approve, execute and cancel at once: one way, once', async () => {
  const member = await payable(app, scope, client, 6_000);
  const run = await draft(client);
  const approvals = await Promise.all(Array.from({ length: 5 }, () => act(client, run.id, 'approve')));
  expect(approvals.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
  const race = await Promise.all((['execute', 'cancel', 'execute', 'cancel'] as const).map((deed) => act(client, run.id, deed)));
  expect(race.filter(({ status }) => status === 200)).toHaveLength(1);
  const { status } = await runOf(client, run.id);
  await startPayouts(app, scope);
  expect(await linesOf(member.id)).toEqual(status === 'cancelled' ? { cleared: 6_000 } : { processing: 6_000 });
});

test('sweeps, settlements and cancellations at once move the money once', async () => {
  for (let i = 0; i < 8; i++) await payable(app, scope, client, 6_000);
  const run = await execute(client);
  const ids = run.payouts.map(({ id }) => id);
  await Promise.all([startPayouts(app, scope), startPayouts(app, scope), ...ids.slice(0, 3).map((id) => change(id, 'cancel'))]);
  await startPayouts(app, scope);
  await Promise.all(ids.flatMap((id) => [change(id, 'settle', { reference: 'a' }), change(id, 'settle', { reference: 'b' })]));
  const rows = await app.database.asSuperuser<{ status: string; paid: number }>(
    `select p.status, (select coalesce(sum(x.amount_minor), 0)::int from posting x
                       where x.member_id = p.member_id and x.account = 'member:paid_out') as paid
     from payout p where p.payout_run_id = $1`,
    [run.id],
  );
  expect(rows).toHaveLength(8);
  for (const { status, paid } of rows) expect([status, paid]).toEqual(status === 'paid' ? ['paid', 6_000] : ['cancelled', 0]);
  expect((await runOf(client, run.id)).status).toBe('completed');
});

/** What happens to the member between the approval and the execution, and the code of the cancelled payout. */
const CHANGES: [what: string, change: (member: MemberBody, lineId: string) => Promise<unknown>, code: string][] = [
  ['a commission is held', (_member, lineId) => client.post(`/api/v1/commissions/${lineId}/hold`, {}), 'CHANGED'],
  ['a commission is voided', (_member, lineId) => client.post(`/api/v1/commissions/${lineId}/void`, {}), 'CHANGED'],
  ['something is taken back', (member) => earn(app, scope, client, member, -1), 'CHANGED'],
  ['the member is erased', (member) => client.post(`/api/v1/members/${member.id}/erasure`, {}), 'NO_ACCOUNT'],
  [
    'the member is held',
    async (member) => {
      // The hold counts whatever else is true.
      await app.database.asSuperuser(
        "update payout_account set status = 'deactivated', is_primary = false where member_id = $1",
        [member.id],
      );
      return client.put(`/api/v1/members/${member.id}/payout-hold`, { reason: 'Asked by the bank' });
    },
    'HELD',
  ],
  [
    'the member becomes a test member, even a held one',
    async (member) => {
      await client.put(`/api/v1/members/${member.id}/payout-hold`, { reason: 'Asked by the bank' });
      return app.database.asSuperuser('update member set is_test_user = true where id = $1', [member.id]);
    },
    'TEST_USER',
  ],
  [
    'the KYC is withdrawn',
    async (member) => {
      const [record] = await app.database.asSuperuser<{ id: string }>('select id from kyc_record where member_id = $1', [
        member.id,
      ]);
      return client.post(`/api/v1/admin/kyc/${record?.id}/request-resubmit`, { reason: 'Expired' });
    },
    'KYC_REQUIRED',
  ],
  [
    'the account is deactivated',
    (member) =>
      app.database.asSuperuser("update payout_account set status = 'deactivated', is_primary = false where member_id = $1", [
        member.id,
      ]),
    'NO_ACCOUNT',
  ],
];

test.each(CHANGES)('%s before the execution: the payout is cancelled', async (_what, happen, code) => {
  const member = await payable(app, scope, client, 6_000);
  const lineId = await earn(app, scope, client, member, 1_000);
  const run = await execute(client);
  await happen(member, lineId);
  expect(await startPayouts(app, scope)).toBe(1);
  expect(await payoutOf(client, run.payouts[0]?.id ?? '')).toMatchObject({ status: 'cancelled', failureCode: code, attempt: 0 });
  expect((await runOf(client, run.id)).status).toBe('completed');
  expect(await booksOf(app, member)).toMatchObject({ paid: 0 });
  expect((await linesOf(member.id))['processing']).toBeUndefined();
});

test('what was earned since the draft waits for the next run', async () => {
  const member = await payable(app, scope, client, 6_000);
  await execute(client);
  await earn(app, scope, client, member, 5_500);
  await startPayouts(app, scope);
  expect(await linesOf(member.id)).toEqual({ processing: 6_000, cleared: 5_500 });
  expect((await draft(client)).payouts).toMatchObject([{ amountMinor: 5_500 }]);
});

test('a commission in processing is neither held nor voided, and a refund of it is clawed back in the next run', async () => {
  const member = await payable(app, scope, client, 0);
  const occurred_at = new Date(Date.now() - 60 * 86_400_000).toISOString();
  const sale = await client.post(
    '/api/v1/events/purchase',
    client.purchaseBody({ attribution: { user_id: member.id }, occurred_at, amount_minor: 60_000 }),
  );
  await app.runSweep('clear-commissions', scope);
  const lineId = sale.body.commissions[0].id;
  const run = await execute(client);
  await startPayouts(app, scope);
  for (const deed of ['hold', 'void'])
    expect((await client.post(`/api/v1/commissions/${lineId}/${deed}`, {})).body.code).toBe('STATE_CONFLICT');
  expect((await refundOf(client, sale.body, {})).status).toBe(201);
  expect(await linesOf(member.id)).toEqual({ processing: 6_000, cleared: -6_000 });
  expect((await draft(client)).blocked).toMatchObject([{ reason: 'NEGATIVE_BALANCE', amountMinor: -6_000 }]);
  await change(run.payouts[0]?.id ?? '', 'settle', { reference: 'x' });
  expect(await booksOf(app, member)).toMatchObject({ cleared: -6_000, paid: 6_000 });
  await earn(app, scope, client, member, 20_000);
  expect((await draft(client)).payouts).toMatchObject([{ amountMinor: 14_000, commissionCount: 2 }]);
});

test('a refund before the execution is not paid out', async () => {
  const member = await payable(app, scope, client, 8_000);
  const occurred_at = new Date(Date.now() - 60 * 86_400_000).toISOString();
  const sale = await client.post(
    '/api/v1/events/purchase',
    client.purchaseBody({ attribution: { user_id: member.id }, occurred_at, amount_minor: 60_000 }),
  );
  await app.runSweep('clear-commissions', scope);
  await execute(client);
  await refundOf(client, sale.body, { amount_minor: 30_000 });
  await startPayouts(app, scope);
  expect(await booksOf(app, member)).toMatchObject({ cleared: 11_000 });
  expect((await draft(client)).payouts).toMatchObject([{ amountMinor: 11_000, commissionCount: 3 }]);
});

describe('the bank details of an account that is given up', () => {
  const isKept = async (memberId: string) =>
    (
      await app.database.asSuperuser<{ kept: boolean }>(
        'select bank_sealed is not null as kept from payout_account where member_id = $1',
        [memberId],
      )
    )[0]?.kept;
  const plantDetails = (memberId: string) =>
    app.database.asSuperuser("update payout_account set bank_sealed = '\\x01' where member_id = $1", [memberId]);
  const isWaitedFor = async () =>
    (
      await app.database.asSuperuser(
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      )
    ).length > 0;

  /** What is done in one transaction, and before it ends what a request does, as far as it gets. */
  async function during(
    work: (db: WriteDb) => Promise<unknown>,
    request: () => Promise<Response>,
    rest: (db: WriteDb) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Response> {
    const { frames } = app.composition.background;
    const pending = await frames.write(scope, async (db) => {
      await work(db);
      const answer = request();
      await Promise.race([answer, eventually(isWaitedFor)]);
      await rest(db);
      return { answer };
    });
    return pending.answer;
  }

  const giveUps: [string, (member: MemberBody) => Promise<Response>][] = [
    ['the member is erased', async ({ id }) => client.post(`/api/v1/members/${id}/erasure`, {})],
    [
      'the account is deactivated',
      async ({ id }) => {
        const [account] = await app.database.asSuperuser('select id from payout_account where member_id = $1', [id]);
        return app.http
          .delete(`/api/v1/members/${id}/payout-accounts/${account?.['id']}`)
          .set('x-tenant-api-key', tenant.liveKey);
      },
    ],
  ];

  test.each(giveUps)('stay for the payout that is on its way, and go with its end: %s', async (_what, giveUp) => {
    const { payoutId, member } = await processing();
    await plantDetails(member.id);
    expect((await giveUp(member)).status).toBe(200);
    expect(await isKept(member.id)).toBe(true);
    expect((await change(payoutId, 'settle', { reference: 'bank-1' })).status).toBe(200);
    expect(await isKept(member.id)).toBe(false);
  });

  test.each(giveUps)('stay while the execution begins: %s', async (_what, giveUp) => {
    const member = await payable(app, scope, client, 6_000);
    await plantDetails(member.id);
    const run = await execute(client);
    const payoutId = run.payouts[0]?.id ?? '';
    const answer = await during(
      (db) => executePayouts(books, db, scope, () => Promise.reject(new Error('nothing is asked of a vendor'))),
      () => giveUp(member),
    );
    expect(answer.status, answer.text).toBe(200);
    expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'processing', attempt: 1 });
    expect(await isKept(member.id)).toBe(true);
    expect((await change(payoutId, 'settle', { reference: 'bank-1' })).status).toBe(200);
    expect(await isKept(member.id)).toBe(false);
  });

  test.each(giveUps)('stay where nothing has been found against the execution: %s', async (_what, giveUp) => {
    const member = await payable(app, scope, client, 6_000);
    await plantDetails(member.id);
    const payoutId = (await execute(client)).payouts[0]?.id ?? '';
    const answer = await during(
      async (db) => {
        expect(await takeDuePayouts(db, scope, 10)).toMatchObject([{ id: payoutId }]);
        expect(await findRefusals(db, scope, [payoutId], true)).toEqual([]);
      },
      () => giveUp(member),
      async (db) => {
        await storeStarted(db, scope, [payoutId], 300);
        await books.lines.move(db, scope, [payoutId], { from: 'cleared', to: 'processing' });
        await postMoves(db, scope, [payoutId], { cause: 'payout_processing', from: 'member:cleared', to: 'member:processing' });
      },
    );
    expect(answer.status, answer.text).toBe(200);
    expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'processing', attempt: 1 });
    expect(await isKept(member.id)).toBe(true);
  });

  test.each(giveUps)('go where the payout ends at that moment: %s', async (_what, giveUp) => {
    const { payoutId, member } = await processing();
    await plantDetails(member.id);
    const answer = await during(
      (db) => settle(db, scope, { payoutId, outcome: 'paid', by: bySystem('test') }),
      () => giveUp(member),
    );
    expect(answer.status, answer.text).toBe(200);
    expect((await payoutOf(client, payoutId)).status).toBe('paid');
    expect(await isKept(member.id)).toBe(false);
  });

  test.each(giveUps)('go at once from a payout that is queued, which is not executed then: %s', async (_what, giveUp) => {
    const member = await payable(app, scope, client, 6_000);
    await plantDetails(member.id);
    const run = await execute(client);
    expect((await giveUp(member)).status).toBe(200);
    expect(await isKept(member.id)).toBe(false);
    await startPayouts(app, scope);
    expect(await payoutOf(client, run.payouts[0]?.id ?? '')).toMatchObject({ status: 'cancelled' });
    expect(await linesOf(member.id)).toEqual({ cleared: 6_000 });
  });
});

test('times of a settlement are within bounds', async () => {
  const { payoutId } = await processing();
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  expect((await change(payoutId, 'settle', { reference: 'x', paidAt: at(60_000) })).body.details.fields[0].field).toBe('paidAt');
  expect((await change(payoutId, 'settle', { reference: 'x', paidAt: at(-86_400_000) })).body.details.fields[0].field).toBe(
    'paidAt',
  );
  expect((await payoutOf(client, payoutId)).status).toBe('processing');
});

test('no commission is in two live payouts, by a constraint', async () => {
  await payable(app, scope, client, 6_000);
  const run = await draft(client);
  const again = app.database.asSuperuser(
    `with other as (
       insert into payout_run (tenant_id, environment, currency, cutoff_at, status, created_by, created_at, updated_at)
       select tenant_id, environment, currency, cutoff_at, status, created_by, now(), now() from payout_run where id = $1 returning *),
     copied as (
       insert into payout (tenant_id, environment, payout_run_id, member_id, payout_account_id, provider_type, currency, amount_minor,
                           line_count, status, created_at, updated_at)
       select p.tenant_id, p.environment, other.id, p.member_id, p.payout_account_id, p.provider_type, p.currency, p.amount_minor,
              p.line_count, p.status, now(), now() from payout p, other where p.payout_run_id = $1 returning *)
     insert into payout_line (tenant_id, environment, payout_id, line_id, amount_minor)
     select l.tenant_id, l.environment, copied.id, l.line_id, l.amount_minor from payout_line l, copied where l.tenant_id = copied.tenant_id`,
    [run.id],
  );
  await expect(again).rejects.toThrow('payout_line_live_key');
});
