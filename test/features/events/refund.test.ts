/**
 * POST /events/refund and what it does to lines in every state: docs/specification/commissions.md#reversal,
 * golden scenario (a).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { balanceOf, type LineBody, linesOf, purchaseOf, refundOf } from '../../support/money/money-calls.ts';
import { payOut } from '../../support/money/pay-out.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let chain: MemberBody[];

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  chain = await newUpline(client, 'D D D D D');
});
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

const old = new Date(Date.now() - 60 * 86_400_000).toISOString();
const amounts = (lines: LineBody[]) => lines.map((line) => [line.level, line.amount_minor]);

describe('golden (a): a 5-level sale, refunded 30 % and then 70 %', () => {
  test('takes back the share of each line, then exactly the rest; the lines are reversed', async () => {
    const sale = await purchaseOf(client, { attribution: { user_id: chain[0]?.id } });
    const first = await refundOf(client, sale, { amount_minor: 3_000 });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ kind: 'refund', amount_minor: 3_000, refunded_minor: 3_000, remaining_minor: 7_000 });
    expect(amounts(first.body.commissions)).toEqual([
      [1, -300],
      [2, -150],
      [3, -90],
      [4, -60],
      [5, -30],
    ]);
    expect(new Set(first.body.commissions.map((line: LineBody) => `${line.kind} ${line.status}`))).toEqual(
      new Set(['reversal pending']),
    );
    const rest = await refundOf(client, sale, {});
    expect(rest.body).toMatchObject({ amount_minor: 7_000, refunded_minor: 10_000, remaining_minor: 0 });
    expect(amounts(rest.body.commissions)).toEqual([
      [1, -700],
      [2, -350],
      [3, -210],
      [4, -140],
      [5, -70],
    ]);
    const lines = await linesOf(client, sale.event_id);
    expect(new Set(lines.map((line) => line.status))).toEqual(new Set(['reversed']));
  });

  test('a negative line carries the sale, its plan and its clearing time, and names what it takes back', async () => {
    const sale = await purchaseOf(client, { attribution: { user_id: chain[0]?.id } });
    const { body } = await refundOf(client, sale, { amount_minor: 1 });
    // 1000 x 1 / 10000 rounds to 0: nothing is taken back yet.
    expect(body.commissions).toEqual([]);
    const { body: next } = await refundOf(client, sale, { amount_minor: 4 });
    expect(amounts(next.commissions)).toEqual([[1, -1]]); // 0.5 rounds up on the total
    expect(next.commissions[0]).toMatchObject({
      reverses_commission_id: sale.commissions[0]?.id,
      user_id: chain[0]?.id,
      rate_bps: 1_000,
      base_minor: 10_000,
      clears_at: sale.commissions[0]?.clears_at,
    });
  });
});

describe('a refund of lines that are', () => {
  test('cleared: negative lines are cleared too, and a full refund leaves nothing', async () => {
    const [member] = await newUpline(client, 'O');
    const sale = await purchaseOf(client, { occurred_at: old, attribution: { user_id: member?.id } });
    await app.runSweep('clear-commissions', { tenantId: tenant.tenantId, environment: 'LIVE' });
    expect(await balanceOf(client, member)).toMatchObject({ pending: 0, cleared: 10 });
    const partial = await refundOf(client, sale, { amount_minor: 2_500 });
    expect(partial.body.commissions).toMatchObject([{ amount_minor: -250, kind: 'reversal', status: 'cleared' }]);
    expect(await balanceOf(client, member)).toMatchObject({ pending: 0, cleared: 7.5 });
    const rest = await refundOf(client, sale, {});
    expect(rest.body.commissions).toMatchObject([{ amount_minor: -750, status: 'reversed' }]);
    expect(await balanceOf(client, member)).toMatchObject({ pending: 0, cleared: 0, total: 0 });
  });

  test('paid: clawbacks, cleared at once, that leave the member owing', async () => {
    const [member] = await newUpline(client, 'O');
    const sale = await purchaseOf(client, { attribution: { user_id: member?.id } });
    await payOut(
      app,
      sale.commissions.map((line) => line.id),
    );
    expect(await balanceOf(client, member)).toMatchObject({ pending: 0, cleared: 0, paid: 10 });
    const { body } = await refundOf(client, sale, {});
    expect(body.commissions).toMatchObject([{ amount_minor: -1_000, kind: 'clawback', status: 'cleared' }]);
    expect(await balanceOf(client, member)).toMatchObject({ pending: 0, cleared: -10, paid: 10, total: 0 });
  });

  test('held: the negative line is held beside it', async () => {
    const [member] = await newUpline(client, 'O');
    const sale = await purchaseOf(client, { attribution: { user_id: member?.id } });
    await client.post(`/api/v1/commissions/${sale.commissions[0]?.id}/hold`, { reason: 'review' });
    const { body } = await refundOf(client, sale, { amount_minor: 5_000 });
    expect(body.commissions).toMatchObject([{ amount_minor: -500, status: 'held' }]);
    expect(await balanceOf(client, member)).toMatchObject({ pending: 5 });
    await client.post(`/api/v1/commissions/${sale.commissions[0]?.id}/release`, {});
    expect(new Set((await linesOf(client, sale.event_id)).map((line) => line.status))).toEqual(new Set(['pending']));
  });

  test('void already: nothing more is taken back', async () => {
    const [member] = await newUpline(client, 'O');
    const sale = await purchaseOf(client, { attribution: { user_id: member?.id } });
    const voided = await client.post(`/api/v1/commissions/${sale.commissions[0]?.id}/void`, { reason: 'fraud' });
    expect(voided.body).toMatchObject({ status: 'reversed' });
    const { body } = await refundOf(client, sale, {});
    expect(body.commissions).toEqual([]);
    expect(await balanceOf(client, member)).toMatchObject({ total: 0 });
  });

  test('none: an unattributed purchase can be refunded', async () => {
    const sale = await purchaseOf(client, {});
    expect((await refundOf(client, sale, {})).body).toMatchObject({ commissions: [], refunded_minor: 10_000 });
  });
});

describe('the amounts of the sale count, not those of today', () => {
  test('a capped line of 700 out of 1000, refunded 30 % and then 70 %: 210, then 490', async () => {
    const other = await app.newTenant();
    await publishPlan(app, other, { caps: { perMemberPeriodMinor: { USD: 700 } } });
    const capped = apiClient(app, other.liveKey);
    const [member] = await newUpline(capped, 'O');
    const sale = await purchaseOf(capped, { attribution: { user_id: member?.id } });
    expect(sale.commissions).toMatchObject([{ amount_minor: 700, capped_minor: 300, cap: 'member_period' }]);
    expect(amounts((await refundOf(capped, sale, { amount_minor: 3_000 })).body.commissions)).toEqual([[1, -210]]);
    expect(amounts((await refundOf(capped, sale, {})).body.commissions)).toEqual([[1, -490]]);
  });

  test('a tier changed and a plan published since change nothing', async () => {
    const [member, sponsor] = await newUpline(client, 'S S');
    const sale = await purchaseOf(client, { attribution: { user_id: member?.id } });
    await client.patch(`/api/v1/users/${sponsor?.id}`, { membership_tier: 'ORDINARY' });
    const { body } = await refundOf(client, sale, { amount_minor: 5_000 });
    expect(amounts(body.commissions)).toEqual([
      [1, -500],
      [2, -250],
    ]);
  });

  test('breakage is taken back too', async () => {
    const other = await app.newTenant();
    await publishPlan(app, other, { compression: 'none' });
    const plain = apiClient(app, other.liveKey);
    const upline = await newUpline(plain, 'O o S');
    const sale = await purchaseOf(plain, { attribution: { user_id: upline[0]?.id } });
    expect((await plain.get(`/api/v1/events/${sale.event_id}`)).body.breakage_minor).toBe(500);
    await refundOf(plain, sale, { amount_minor: 3_333 });
    const last = await refundOf(plain, sale, {});
    expect((await plain.get(`/api/v1/events/${last.body.event_id}`)).body.breakage_minor).toBe(-333);
    const sums = await app.database.asSuperuser(
      'select account, sum(amount_minor)::int as sum from posting where tenant_id = $1 group by 1 having sum(amount_minor) <> 0',
      [other.tenantId],
    );
    expect(sums).toEqual([]);
  });
});

describe('refused, and nothing changes', () => {
  test.each([
    ['more than the purchase', { amount_minor: 10_001 }, 422, 'REFUND_EXCEEDS_PURCHASE', 'amount_minor'],
    ['nothing', { amount_minor: 0 }, 400, 'VALIDATION_ERROR', 'amount_minor'],
    ['another currency', { currency: 'EUR' }, 422, 'CURRENCY_MISMATCH', 'currency'],
    ['an unknown purchase', { purchase_external_event_id: 'never' }, 404, 'NOT_FOUND', undefined],
    ['before the purchase', { occurred_at: '2024-01-01T00:00:00Z' }, 400, 'VALIDATION_ERROR', 'occurred_at'],
    ['an unknown field', { amount: 5 }, 400, 'VALIDATION_ERROR', 'amount'],
  ] as const)('%s', async (_label, fields, status, code, field) => {
    const sale = await purchaseOf(client, { attribution: { user_id: chain[0]?.id } });
    const answer = await refundOf(client, sale, fields);
    expectRefusal(answer, status, code, field && [field]);
    expect(new Set((await linesOf(client, sale.event_id)).map((line) => line.status))).toEqual(new Set(['pending']));
    expect(await linesOf(client, sale.event_id)).toHaveLength(5);
  });

  test('a second refund beyond the rest; the rest of nothing', async () => {
    const sale = await purchaseOf(client, { attribution: { user_id: chain[0]?.id } });
    await refundOf(client, sale, { amount_minor: 6_000 });
    expectRefusal(await refundOf(client, sale, { amount_minor: 4_001 }), 422, 'REFUND_EXCEEDS_PURCHASE', ['amount_minor']);
    await refundOf(client, sale, {});
    expectRefusal(await refundOf(client, sale, {}), 422, 'REFUND_EXCEEDS_PURCHASE', ['amount_minor']);
  });

  test('a purchase of another tenant or environment is unknown', async () => {
    const sale = await purchaseOf(client, { attribution: { user_id: chain[0]?.id } });
    const stranger = await app.newTenant();
    for (const key of [stranger.liveKey, stranger.sandboxKey, tenant.sandboxKey]) {
      expectRefusal(await refundOf(apiClient(app, key), sale, {}), 404, 'NOT_FOUND');
    }
  });

  test('the id of another event, and another amount under the same id', async () => {
    const sale = await purchaseOf(client, { attribution: { user_id: chain[0]?.id } });
    expectRefusal(await refundOf(client, sale, { external_event_id: sale.external_event_id }), 409, 'EVENT_ID_REUSED');
    const id = { external_event_id: `refund-of-${sale.event_id}` };
    await refundOf(client, sale, { ...id, amount_minor: 100 });
    expectRefusal(await refundOf(client, sale, { ...id, amount_minor: 200 }), 409, 'EVENT_ID_REUSED', ['amount_minor']);
  });
});

test('a repeat is the first answer, also when the rest was refunded since', async () => {
  const sale = await purchaseOf(client, { attribution: { user_id: chain[0]?.id } });
  const id = { external_event_id: `again-${sale.event_id}`, amount_minor: 4_000 };
  const first = await refundOf(client, sale, id);
  await refundOf(client, sale, {});
  const again = await refundOf(client, sale, id);
  expect([again.status, again.text]).toEqual([200, first.text]);
});
