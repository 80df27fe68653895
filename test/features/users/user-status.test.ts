/** GET /users/status: balances are folds of the ledger (docs/specification/hierarchy.md#status). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { newUpline } from '../../support/money/model-upline.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** There is no clearing or payout yet: the superuser posts what they will post, from pending to `account`. */
async function move(
  tenantId: string,
  memberId: string | undefined,
  currency: string,
  account: string,
  amount: bigint,
): Promise<void> {
  await app.database.asSuperuser(
    `with journal as (
       insert into journal_entry (tenant_id, environment, cause_type, cause_id, occurred_at)
       values ($1, 'LIVE', 'event', gen_random_uuid(), now()) returning id)
     insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
     select $1, 'LIVE', journal.id, side.seq, side.account, $2, $3, side.amount
     from journal, (values (0, 'member:pending', -$5::bigint), (1, $4, $5::bigint)) as side(seq, account, amount)`,
    [tenantId, memberId, currency, `member:${account}`, amount.toString()],
  );
}

test('a new member has nothing, in the tenant’s currency', async () => {
  const client = apiClient(app, (await app.newTenant({ currency: 'EUR' })).liveKey);
  const member = await client.newMember({ membership_tier: 'MANAGER', pay_currency: 'USD' });
  const answer = await client.get(`/api/v1/users/status?user_id=${member.id}`);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    user_id: member.id,
    email: member.email,
    membership_tier: 'MANAGER',
    is_active: true,
    can_recruit: true,
    commission_balance: { pending: 0, cleared: 0, paid: 0, total: 0 },
    currency: 'EUR',
  });
});

describe.each([
  ['JPY', 0],
  ['USD', 2],
  ['KWD', 3],
])('in %s, with %i digits', (currency, digits) => {
  const major = (minor: number) => Number((minor / 10 ** digits).toFixed(digits));

  test('balances are exact sums of minor units, and total has what is processing too', async () => {
    const { tenantId, liveKey } = await app.newTenant({ currency });
    const client = apiClient(app, liveKey);
    const [member] = await newUpline(client, 'O');
    const read = async () => (await client.get(`/api/v1/users/status?user_id=${member?.id}`)).body;
    // 10 % of these: 1005, 1 (half up), 30, 12345678
    for (const amount of [10_050, 5, 300, 123_456_780]) {
      await client.post(
        '/api/v1/events/purchase',
        client.purchaseBody({ currency, amount_minor: amount, attribution: { user_id: member?.id } }),
      );
    }
    const sum = 1_005 + 1 + 30 + 12_345_678;
    expect((await read()).commission_balance).toEqual({ pending: major(sum), cleared: 0, paid: 0, total: major(sum) });

    await move(tenantId, member?.id, currency, 'cleared', 1_001n);
    await move(tenantId, member?.id, currency, 'processing', 707n);
    await move(tenantId, member?.id, currency, 'paid_out', 29n);
    const status = await read();
    expect(status.currency).toBe(currency);
    expect(status.commission_balance).toEqual({
      pending: major(sum - 1_001 - 707 - 29),
      cleared: major(1_001),
      paid: major(29),
      total: major(sum), // pending + cleared + processing + paid
    });
  });

  test('another currency is not in it', async () => {
    const client = apiClient(app, (await app.newTenant({ currency })).liveKey);
    const [member] = await newUpline(client, 'O');
    await client.post('/api/v1/events/purchase', client.purchaseBody({ currency: 'CHF', attribution: { user_id: member?.id } }));
    expect((await client.get(`/api/v1/users/status?user_id=${member?.id}`)).body.commission_balance.total).toBe(0);
  });
});

test('the largest balances are shown to the last digit, and a debt as a negative number', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const client = apiClient(app, liveKey);
  const [member] = await newUpline(client, 'O');
  await client.post(
    '/api/v1/events/purchase',
    client.purchaseBody({ amount_minor: 999_999_999_999_990, attribution: { user_id: member?.id } }),
  );
  await move(tenantId, member?.id, 'USD', 'cleared', -5n);
  const { body } = await client.get(`/api/v1/users/status?user_id=${member?.id}`);
  expect(body.commission_balance).toEqual({ pending: 1_000_000_000_000.04, cleared: -0.05, paid: 0, total: 999_999_999_999.99 });
});

describe('refused', () => {
  test('without user_id, or with one that is none', async () => {
    const client = apiClient(app, (await app.newTenant()).liveKey);
    for (const query of ['', '?user_id=', '?user_id=me', `?user_id=${randomUUID()}x`]) {
      expectRefusal(await client.get(`/api/v1/users/status${query}`), 400, 'VALIDATION_ERROR', ['user_id']);
    }
  });

  test('an unknown member, one of the other environment and one of another tenant are the same 404', async () => {
    const tenant = await app.newTenant();
    const member = await apiClient(app, tenant.sandboxKey).newMember();
    const stranger = await apiClient(app, (await app.newTenant()).liveKey).newMember();
    const client = apiClient(app, tenant.liveKey);
    const answers = await Promise.all(
      [randomUUID(), member.id, stranger.id].map((id) => client.get(`/api/v1/users/status?user_id=${id}`)),
    );
    for (const answer of answers) expectRefusal(answer, 404, 'USER_NOT_FOUND');
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  });

  test('an upper-case id is the same id', async () => {
    const client = apiClient(app, (await app.newTenant()).liveKey);
    const member = await client.newMember();
    expect((await client.get(`/api/v1/users/status?user_id=${member.id.toUpperCase()}`)).body.user_id).toBe(member.id);
  });
});
