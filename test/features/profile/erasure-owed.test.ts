/** Erasing a member who is owed money: refused unless acknowledged, and paid all the same. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { newAccount, newIban, newPayee, sepaAccount } from '../../support/payments/payout-accounts.ts';
import { expectSoundPayouts } from '../../support/payments/payout-books.ts';
import { createPayoutVendorDouble } from '../../support/payments/payout-vendor-double.ts';
import {
  act,
  approveKyc,
  draft,
  earn,
  execute,
  payable,
  payoutOf,
  plantAccount,
  runJobs,
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
  await expectSoundPayouts(app);
  await app.close();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
});

const ACKNOWLEDGED = { acknowledgeOwed: true };
const erase = (id: string, body: object = {}, by = client) => by.post(`/api/v1/members/${id}/erasure`, body);
const settle = (id: string, amountMinor: number, currency = 'USD') =>
  client.post(`/api/v1/members/${id}/settlements`, { currency, amountMinor, reference: randomUUID() });

async function erased(id: string, body: object = ACKNOWLEDGED): Promise<void> {
  const answer = await erase(id, body);
  expect(`${answer.status} ${answer.status === 200 ? '' : answer.text}`).toBe('200 ');
}

interface AccountRow {
  id: string;
  status: string;
  isSealed: boolean;
  isKept: boolean;
}

const accountsOf = (id: string) =>
  app.database.asSuperuser<AccountRow>(
    `select id, status, bank_sealed is not null as "isSealed", kept_check_at is not null as "isKept"
     from payout_account where member_id = $1 order by id`,
    [id],
  );
const KEPT = { status: 'deactivated', isSealed: true, isKept: true };
const GONE = { status: 'deactivated', isSealed: false, isKept: false };

/** Whom nothing keeps from being paid `amountMinor` EUR to a bank account, by hand. */
async function payee(amountMinor = 10_000, iban = newIban()): Promise<MemberBody & { iban: string; accountId: string }> {
  const member = await newPayee(client);
  await approveKyc(app, member.id);
  const { id: accountId } = await newAccount(client, member.id, sepaAccount(iban));
  await app.database.asSuperuser(
    "update payout_account set activated_at = now() - interval '3 days', destination_since = now() - interval '3 days' where id = $1",
    [accountId],
  );
  if (amountMinor > 0) await earn(app, scope, client, member, amountMinor, 'EUR');
  return { ...member, iban, accountId };
}

/** What is looked at once an hour is due now, and looked at. */
async function sweepKept(): Promise<void> {
  await app.database.asSuperuser(
    'update payout_account set kept_check_at = now() where kept_check_at is not null and tenant_id = $1',
    [scope.tenantId],
  );
  while ((await app.runSweep('forget-kept-accounts', scope)) > 0);
}

describe('a member who is owed money', () => {
  test('is not erased without a word, and the answer tells the sums by currency and status', async () => {
    const member = await payable(app, scope, client, 7_000);
    await earn(app, scope, client, member, -2_000);
    const sale = client.purchaseBody({ attribution: { user_id: member.id } });
    const { body } = await client.post('/api/v1/events/purchase', sale);
    const pending = body.commissions.filter((line: { user_id: string }) => line.user_id === member.id);
    await earn(app, scope, client, member, 300, 'EUR');
    const [held] = (await client.get(`/api/v1/commissions?userId=${member.id}&limit=100`)).body.data.filter(
      (line: { currency: string }) => line.currency === 'EUR',
    );
    expect((await client.post(`/api/v1/commissions/${held.id}/hold`, { reason: 'Look' })).status).toBe(200);
    const refused = await erase(member.id);
    expect(refused.status).toBe(409);
    expect(refused.body.code).toBe('MONEY_OWED');
    const sum = pending.reduce((total: number, line: { amount_minor: number }) => total + line.amount_minor, 0);
    expect(refused.body.details).toEqual({
      owed: [
        { currency: 'EUR', status: 'held', amountMinor: 300 },
        ...(sum > 0 ? [{ currency: 'USD', status: 'pending', amountMinor: sum }] : []),
        { currency: 'USD', status: 'cleared', amountMinor: 5_000 },
      ],
    });
    // Nothing has happened.
    expect((await client.get(`/api/v1/users/status?user_id=${member.id}`)).body.is_active).toBe(true);
    expect(await accountsOf(member.id)).toMatchObject([{ status: 'active' }]);
    expect((await erase(member.id, { acknowledgeOwed: false })).body.code).toBe('MONEY_OWED');
    await erased(member.id);
    const { data } = (await client.get('/api/v1/admin/audit-logs?action=member.erased')).body;
    expect(data[0].details).toEqual(refused.body.details);
    // Once erased it answers the same, whatever it says.
    await erased(member.id, {});
  });

  test('what is being paid counts, also beside a debt', async () => {
    const member = await payable(app, scope, client, 10_000);
    await execute(client);
    await startPayouts(app, scope);
    await earn(app, scope, client, member, -50_000);
    expect((await erase(member.id)).body.details.owed).toEqual([
      { currency: 'USD', status: 'cleared', amountMinor: -50_000 },
      { currency: 'USD', status: 'processing', amountMinor: 10_000 },
    ]);
  });

  test('who owes more, has nothing or was paid is erased without a word', async () => {
    const debtor = await payable(app, scope, client, 10_000);
    await earn(app, scope, client, debtor, -10_001);
    const even = await payable(app, scope, client, 10_000);
    await earn(app, scope, client, even, -10_000);
    const paid = await payable(app, scope, client, 10_000);
    expect((await settle(paid.id, 10_000)).status).toBe(201);
    const nothing = await payable(app, scope, client, 0);
    for (const member of [debtor, even, paid, nothing]) {
      await erased(member.id, {});
      expect(await accountsOf(member.id)).toMatchObject([GONE]);
    }
    // Acknowledged in vain: nothing is kept.
    const none = await payee(0);
    await erased(none.id);
    expect(await accountsOf(none.id)).toMatchObject([GONE]);
  });

  test('a test member of LIVE is owed nothing; in a SANDBOX the flag says nothing', async () => {
    const member = await payable(app, scope, client, 10_000);
    await client.patch(`/api/v1/users/${member.id}`, { is_test_user: true });
    await erased(member.id, {});
    const sandbox = apiClient(app, tenant.sandboxKey);
    const own: Scope = { ...scope, environment: 'SANDBOX' };
    const played = await payable(app, own, sandbox, 10_000);
    await sandbox.patch(`/api/v1/users/${played.id}`, { is_test_user: true });
    expect((await erase(played.id, {}, sandbox)).body.code).toBe('MONEY_OWED');
    expect((await erase(played.id, ACKNOWLEDGED)).body.code).toBe('USER_NOT_FOUND');
  });
});

describe('the account of an erased member', () => {
  test('is kept sealed, shows nothing, takes nothing new, and is paid to by a run; then it is gone', async () => {
    const member = await payee();
    await erased(member.id);
    expect(await accountsOf(member.id)).toMatchObject([KEPT]);
    const rows = await app.database.asSuperuser<Record<string, unknown>>('select * from payout_account where member_id = $1', [
      member.id,
    ]);
    expect(rows[0]).toMatchObject({ display_name: 'erased', bank_name: null, last_four: null, tos_acceptance: null });
    const path = `/api/v1/members/${member.id}/payout-accounts`;
    const shown = (await client.get(path)).text + (await client.get(`/api/v1/members/${member.id}/data-export`)).text;
    expect(shown).not.toContain(member.iban);
    expect(shown).not.toContain('Ada');
    expect((await client.get(path)).body.accounts).toMatchObject([{ status: 'deactivated', isPrimary: false }]);
    expect((await client.patch(`${path}/${member.accountId}`, { isPrimary: true })).status).toBe(409);
    expect((await client.post(path, sepaAccount(member.iban))).status).toBe(409);
    await app.runSweep('forget-kept-accounts', scope);
    await sweepKept();
    expect(await accountsOf(member.id)).toMatchObject([KEPT]);

    const run = await execute(client, { currency: 'EUR' });
    expect(run.payouts).toMatchObject([{ userId: member.id, amountMinor: 10_000, payoutAccountId: member.accountId }]);
    await startPayouts(app, scope);
    await sweepKept();
    const csv = (await client.get(`/api/v1/payout-runs/${run.id}/payouts.csv`)).text;
    expect(csv).toContain(member.iban);
    const settled = await client.post(`/api/v1/payouts/${run.payouts[0]?.id}/settle`, { reference: 'B-1' });
    expect(settled.status).toBe(200);
    // Due at once, not in an hour.
    expect(await app.runSweep('forget-kept-accounts', scope)).toBe(1);
    expect(await accountsOf(member.id)).toMatchObject([GONE]);
    expect((await draft(client, { currency: 'EUR' })).payoutCount).toBe(0);
  });

  test('a sweep does not look at it before it is due, and a later one goes on where something is owed', async () => {
    const member = await payee();
    await erased(member.id);
    expect(await app.runSweep('forget-kept-accounts', scope)).toBe(0);
    await sweepKept();
    expect(await app.runSweep('forget-kept-accounts', scope)).toBe(0);
    expect(await accountsOf(member.id)).toMatchObject([KEPT]);
  });

  test.each([
    [
      'settled by hand',
      async (id: string) => {
        expect((await settle(id, 10_000, 'EUR')).status).toBe(201);
      },
    ],
    [
      'voided',
      async (id: string) => {
        const { data } = (await client.get(`/api/v1/commissions?userId=${id}`)).body;
        expect((await client.post(`/api/v1/commissions/${data[0].id}/void`, { reason: 'Error' })).status).toBe(200);
      },
    ],
    [
      'taken back',
      async (id: string) => {
        const { body } = await client.post('/api/v1/events/commission', {
          external_event_id: randomUUID(),
          user_id: id,
          amount_minor: -10_000,
          currency: 'EUR',
          type: 'correction',
          description: 'Refunded',
          actor: 'test',
        });
        expect(body.code).toBeUndefined();
      },
    ],
  ])('is forgotten once the money is %s', async (_how, end) => {
    const member = await payee();
    await erased(member.id);
    await end(member.id);
    await sweepKept();
    expect(await accountsOf(member.id)).toMatchObject([GONE]);
  });

  test('of a refunded sale it is forgotten, and of half a refund it is not', async () => {
    const member = await payee(0);
    const sale = client.purchaseBody({ attribution: { user_id: member.id }, currency: 'EUR', amount_minor: 100_000 });
    await client.patch(`/api/v1/users/${member.id}`, { pay_currency: 'EUR' });
    const { body } = await client.post('/api/v1/events/purchase', sale);
    expect(body.commissions.length).toBeGreaterThan(0);
    await erased(member.id);
    expect(await accountsOf(member.id)).toMatchObject([KEPT]);
    const refund = (amount_minor: number) =>
      client.post('/api/v1/events/refund', {
        external_event_id: randomUUID(),
        purchase_external_event_id: sale.external_event_id,
        amount_minor,
      });
    expect((await refund(50_000)).status).toBe(201);
    await sweepKept();
    expect(await accountsOf(member.id)).toMatchObject([KEPT]);
    expect((await refund(50_000)).status).toBe(201);
    await sweepKept();
    expect(await accountsOf(member.id)).toMatchObject([GONE]);
  });

  test('one of each currency that is owed: that which a run would choose, and that of a payout on its way', async () => {
    const member = await payable(app, scope, client, 10_000);
    const queued = await draft(client);
    const newer = await plantAccount(app, scope, member.id, { isPrimary: false });
    const primary = (await accountsOf(member.id))[0]?.id ?? '';
    await app.database.asSuperuser('update payout_account set is_primary = (id = $2) where member_id = $1', [member.id, newer]);
    const spare = await plantAccount(app, scope, member.id, { isPrimary: false });
    const euro = await plantAccount(app, scope, member.id, { isPrimary: false, currency: 'EUR' });
    const waiting = await plantAccount(app, scope, member.id, { isPrimary: false, status: 'action_required' });
    await erased(member.id);
    const kept = Object.fromEntries((await accountsOf(member.id)).map(({ id, isKept }) => [id, isKept]));
    expect(kept).toEqual({ [primary]: true, [newer]: true, [spare]: false, [euro]: false, [waiting]: false });
    // The payout goes where it was drafted to.
    for (const deed of ['approve', 'execute'] as const) expect((await act(client, queued.id, deed)).status).toBe(200);
    await startPayouts(app, scope);
    expect(await payoutOf(client, queued.payouts[0]?.id ?? '')).toMatchObject({ status: 'processing', payoutAccountId: primary });
  });

  test('under a name that was never compared is not paid to, and what is owed is settled by hand', async () => {
    const member = await payee();
    await app.database.asSuperuser('update payout_account set name_match = null, name_judged_for = null where id = $1', [
      member.accountId,
    ]);
    await erased(member.id);
    const { payouts, blocked } = await draft(client, { currency: 'EUR' });
    expect(payouts.filter(({ userId }) => userId === member.id)).toEqual([]);
    expect(blocked).toContainEqual(expect.objectContaining({ userId: member.id, reason: 'NAME_MISMATCH' }));
    const settlement = { currency: 'EUR', amountMinor: 10_000, reference: 'B-7' };
    expect((await client.post(`/api/v1/members/${member.id}/settlements`, settlement)).status).toBe(201);
  });

  test('a payout that came back is owed again; the details are gone, and it is settled by hand', async () => {
    const member = await payee();
    const run = await execute(client, { currency: 'EUR' });
    await startPayouts(app, scope);
    const payoutId = run.payouts[0]?.id ?? '';
    await erased(member.id);
    expect((await client.post(`/api/v1/payouts/${payoutId}/settle`, { reference: 'B-2' })).status).toBe(200);
    await sweepKept();
    expect((await client.post(`/api/v1/payouts/${payoutId}/return`, { reason: 'Closed' })).status).toBe(200);
    expect(await accountsOf(member.id)).toMatchObject([GONE]);
    const next = await draft(client, { currency: 'EUR' });
    expect(next.blocked).toMatchObject([{ userId: member.id, reason: 'NO_ACCOUNT', amountMinor: 10_000 }]);
    expect((await settle(member.id, 10_000, 'EUR')).status).toBe(201);
  });

  test('a payout that failed is paid by the next run, for the account is still there', async () => {
    const member = await payee();
    const run = await execute(client, { currency: 'EUR' });
    await startPayouts(app, scope);
    await erased(member.id);
    expect((await client.post(`/api/v1/payouts/${run.payouts[0]?.id}/return`, { reason: 'Closed' })).status).toBe(200);
    await sweepKept();
    expect(await accountsOf(member.id)).toMatchObject([KEPT]);
    expect((await draft(client, { currency: 'EUR' })).payouts).toMatchObject([{ payoutAccountId: member.accountId }]);
  });

  test('at the payment vendor it is paid by the ids there, and nothing of the person is sent', async () => {
    await plantPaymentSettings(app, scope);
    const member = await payable(app, scope, client, 10_000, { provider: 'payvendor' });
    await erased(member.id);
    const run = await execute(client);
    await startPayouts(app, scope);
    const vendor = createPayoutVendorDouble();
    await runJobs(app, vendor);
    const payoutId = run.payouts[0]?.id ?? '';
    vendor.tell(payoutId, 'paid');
    await app.database.asSuperuser('update payout set check_at = now(), claimed_until = null where id = $1', [payoutId]);
    await app.runSweep('check-payouts', scope);
    await runJobs(app, vendor);
    expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'paid' });
    expect(vendor.transfers.size).toBe(1);
    expect(await app.runSweep('forget-kept-accounts', scope)).toBe(1);
    expect(await accountsOf(member.id)).toMatchObject([{ status: 'deactivated', isKept: false }]);
  });
});

/** A copy of another member's only commission, in a transaction that is open. It has no journal, so it must go again, with what it adds to the rollups. */
async function openCredit(memberId: string, otherId: string) {
  const connection = new Client({ connectionString: app.database.workerUrl });
  await connection.connect();
  await connection.query('begin');
  await connection.query(
    `select set_config('app.tenant_id', $1, true), set_config('app.environment', 'LIVE', true), set_config('app.member_id', '', true)`,
    [scope.tenantId],
  );
  const { rows } = await connection.query<{ id: string }>(
    `insert into commission_line
     select (jsonb_populate_record(l, jsonb_build_object('id', uuidv7(), 'beneficiary_id', $1::uuid))).*
     from commission_line l where l.beneficiary_id = $2 returning id`,
    [memberId, otherId],
  );
  expect(rows).toHaveLength(1);
  return {
    commit: () => connection.query('commit'),
    async forget(): Promise<void> {
      await connection.end();
      await app.database.asSuperuser('delete from commission_line where id = $1', [rows[0]?.id]);
      await app.database.asSuperuser(
        'delete from commission_pending where id = (select id from commission_pending where member_id = $1 order by id desc limit 1)',
        [memberId],
      );
    },
  };
}

describe('at once', () => {
  test('a credit that is not committed yet is waited for, and counts', async () => {
    const member = await payable(app, scope, client, 0);
    const other = await payable(app, scope, client, 6_000);
    const credit = await openCredit(member.id, other.id);
    try {
      let ended = false;
      const answer = erase(member.id).then((response) => {
        ended = true;
        return response;
      });
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(ended).toBe(false);
      await credit.commit();
      expect((await answer).body.details).toEqual({ owed: [{ currency: 'USD', status: 'cleared', amountMinor: 6_000 }] });
    } finally {
      await credit.forget();
    }
  });

  test('the same of an account that is about to be forgotten', async () => {
    const member = await payee();
    await erased(member.id);
    expect((await settle(member.id, 10_000, 'EUR')).status).toBe(201);
    const other = await payee();
    const credit = await openCredit(member.id, other.id);
    try {
      const swept = app.runSweep('forget-kept-accounts', scope);
      await new Promise((resolve) => setTimeout(resolve, 300));
      await credit.commit();
      expect(await swept).toBe(1);
      expect(await accountsOf(member.id)).toMatchObject([KEPT]);
    } finally {
      await credit.forget();
    }
  });

  test('erasures beside purchases: who is erased without a word has nothing from before', async () => {
    for (let round = 0; round < 6; round++) {
      const member = await payable(app, scope, client, 0);
      const sale = client.purchaseBody({ attribution: { user_id: member.id } });
      const [answer, bought] = await Promise.all([erase(member.id), client.post('/api/v1/events/purchase', sale)]);
      const paid = bought.body.commissions.filter((line: { user_id: string }) => line.user_id === member.id);
      // A sale behind the erasure finds the member inactive.
      expect([answer.status, paid.length > 0]).toEqual(answer.status === 200 ? [200, false] : [409, true]);
    }
  });

  test('erasures beside executions: the money is paid or owed, and never both', async () => {
    for (let round = 0; round < 6; round++) {
      const member = await payee();
      const run = await execute(client, { currency: 'EUR' });
      const [answer] = await Promise.all([erase(member.id, ACKNOWLEDGED), startPayouts(app, scope), startPayouts(app, scope)]);
      expect(answer.status).toBe(200);
      await startPayouts(app, scope);
      const payout = run.payouts.find(({ userId }) => userId === member.id);
      expect(await payoutOf(client, payout?.id ?? '')).toMatchObject({ status: 'processing', attempt: 1 });
      expect(await accountsOf(member.id)).toMatchObject([KEPT]);
      expect((await client.post(`/api/v1/payouts/${payout?.id}/settle`, { reference: 'B' })).status).toBe(200);
    }
  });
});
