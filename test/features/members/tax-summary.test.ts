/** GET /members/{userId}/tax-summary/{year}: docs/specification/hierarchy.md#tax-summary. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { type CommissionBody, newUpline } from '../../support/money/model-upline.ts';
import { payOut, returnPayout } from '../../support/money/pay-out.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

interface TaxSummary {
  totalPaid: number;
  totalPending: number;
  monthlyBreakdown: { month: number; amount: number; transactionCount: number }[];
}

async function newShop(options: { currency?: string; timeZone?: string } = {}) {
  const tenant: TestTenant = await app.newTenant(options);
  const client: ApiClient = apiClient(app, tenant.liveKey);
  const [member] = (await newUpline(client, 'D')) as [MemberBody];
  return {
    tenant,
    client,
    member,
    /** A sale of 100.00 that pays the member 10.00; answers with the purchase's id and the line's. */
    async sell(fields: object = {}): Promise<{ external: string; line: string }> {
      const { status, body } = await client.post(
        '/api/v1/events/purchase',
        client.purchaseBody({ currency: options.currency ?? 'USD', attribution: { user_id: member.id }, ...fields }),
      );
      expect(status).toBe(201);
      return { external: body.external_event_id, line: (body.commissions as CommissionBody[])[0]?.id ?? '' };
    },
    async read(year: number, query = ''): Promise<TaxSummary> {
      const answer = await client.get(`/api/v1/members/${member.id}/tax-summary/${year}${query}`);
      expect(answer.status).toBe(200);
      return answer.body as TaxSummary;
    },
    fold: () => app.runSweep('fold-commissions', { tenantId: tenant.tenantId, environment: 'LIVE' }),
  };
}

/** `1: 10 x1, 3: 5 x2`: the months with something. */
const months = ({ monthlyBreakdown }: TaxSummary) =>
  monthlyBreakdown
    .filter(({ amount, transactionCount }) => amount !== 0 || transactionCount !== 0)
    .map(({ month, amount, transactionCount }) => `${month}: ${amount} x${transactionCount}`)
    .join(', ');

test('a member without payouts has twelve months of nothing, in any year there is', async () => {
  const { read } = await newShop({ currency: 'EUR', timeZone: 'Asia/Kathmandu' });
  for (const year of [1970, 2026, 9999]) {
    expect(await read(year)).toEqual({
      year,
      totalPaid: 0,
      totalPending: 0,
      taxDocumentsAvailable: false,
      monthlyBreakdown: Array.from({ length: 12 }, (_, index) => ({ month: index + 1, amount: 0, transactionCount: 0 })),
      currency: 'EUR',
      timeZone: 'Asia/Kathmandu',
    });
  }
});

test('paid by the date of the payout, pending by the date of the sale', async () => {
  const { sell, read, fold } = await newShop();
  const sales = [];
  for (const month of ['01', '02', '03']) sales.push(await sell({ occurred_at: `2025-${month}-10T00:00:00Z` }));
  const late = await sell({ occurred_at: '2025-12-31T23:59:59.999Z' });
  await sell({ occurred_at: '2026-01-01T00:00:00Z', amount_minor: 5_005 });
  // Two lines in one payout are one transaction.
  await payOut(app, [sales[0]?.line ?? '', sales[1]?.line ?? ''], '2025-06-30T23:59:59.999Z');
  await payOut(app, [sales[2]?.line ?? ''], '2026-02-01T00:00:00Z');
  for (const folded of [false, true]) {
    if (folded) await fold();
    const [before, after] = [await read(2025), await read(2026)];
    expect([before.totalPaid, before.totalPending, months(before)]).toEqual([20, 10, '6: 20 x1']);
    expect([after.totalPaid, after.totalPending, months(after)]).toEqual([10, 5.01, '2: 10 x1']);
  }
  await payOut(app, [late.line], '2025-06-30T00:00:00Z');
  const [before, after] = [await read(2025), await read(2026)];
  expect([before.totalPaid, before.totalPending, months(before)]).toEqual([30, 0, '6: 30 x2']);
  expect(after.totalPending).toBe(5.01);
});

test('what is held, cleared or processing is pending; what is reversed is not', async () => {
  const { client, sell, read, tenant, fold } = await newShop();
  const at = '2026-01-15T00:00:00Z';
  const [held, voided, refunded] = [
    await sell({ occurred_at: at }),
    await sell({ occurred_at: at }),
    await sell({ occurred_at: at }),
  ];
  await sell({ occurred_at: at });
  await client.post(`/api/v1/commissions/${held.line}/hold`, {});
  await client.post(`/api/v1/commissions/${voided.line}/void`, {});
  await fold();
  await client.post('/api/v1/events/refund', {
    external_event_id: randomUUID(),
    purchase_external_event_id: refunded.external,
    amount_minor: 2_500,
  });
  expect((await read(2026)).totalPending).toBe(27.5);
  await app.runSweep('clear-commissions', { tenantId: tenant.tenantId, environment: 'LIVE' });
  expect((await read(2026)).totalPending).toBe(27.5);
  expect((await read(2025)).totalPending).toBe(0);
});

test('a payout that is returned is taken off the month it is returned in, and its transaction stays', async () => {
  const { sell, read } = await newShop();
  const [one, two] = [await sell({ occurred_at: '2026-01-01T00:00:00Z' }), await sell({ occurred_at: '2026-01-01T00:00:00Z' })];
  await payOut(app, [one.line], '2026-02-10T00:00:00Z');
  await payOut(app, [two.line], '2026-02-10T00:00:00Z');
  await returnPayout(app, [one.line], '2026-03-10T00:00:00Z');
  const summary = await read(2026);
  expect([summary.totalPaid, summary.totalPending, months(summary)]).toEqual([10, 10, '2: 20 x2, 3: -10 x0']);
  await payOut(app, [one.line], '2026-03-20T00:00:00Z');
  expect(months(await read(2026))).toBe('2: 20 x2, 3: 0 x1');
});

test('what a payout nets of clawbacks is one amount', async () => {
  const { client, sell, read } = await newShop();
  const [gone, fresh] = [
    await sell({ occurred_at: '2026-01-01T00:00:00Z' }),
    await sell({ occurred_at: '2026-01-02T00:00:00Z' }),
  ];
  await payOut(app, [gone.line], '2026-02-01T00:00:00Z');
  const { body } = await client.post('/api/v1/events/refund', {
    external_event_id: randomUUID(),
    purchase_external_event_id: gone.external,
    amount_minor: 4_000,
  });
  expect((await read(2026)).totalPending).toBe(6);
  await payOut(app, [fresh.line, body.commissions[0].id], '2026-03-01T00:00:00Z');
  const summary = await read(2026);
  expect([summary.totalPaid, summary.totalPending, months(summary)]).toEqual([16, 0, '2: 10 x1, 3: 6 x1']);
});

describe('months are the tenant’s', () => {
  test.each([
    // New Year in Auckland is 11:00 UTC of the day before; its summer time ends on 5 April 2026.
    [
      'Pacific/Auckland',
      ['2025-12-31T10:59:59.999Z', '2025-12-31T11:00:00Z', '2026-04-30T11:59:59Z', '2026-04-30T12:00:00Z'],
      '1: 10 x1, 4: 10 x1, 5: 10 x1',
    ],
    [
      'America/New_York',
      ['2026-01-01T04:59:59.999Z', '2026-01-01T05:00:00Z', '2026-04-01T03:59:59Z', '2026-04-01T04:00:00Z'],
      '1: 10 x1, 3: 10 x1, 4: 10 x1',
    ],
    [
      'Asia/Kathmandu',
      ['2025-12-31T18:14:59Z', '2025-12-31T18:15:00Z', '2026-12-31T18:14:59Z', '2026-12-31T18:15:00Z'],
      '1: 10 x1, 12: 10 x1',
    ],
    // The first midnight of 1 November comes twice in Havana.
    ['America/Havana', ['2026-11-01T03:59:59Z', '2026-11-01T04:30:00Z', '2026-11-01T05:30:00Z'], '10: 10 x1, 11: 20 x2'],
  ])('%s', async (timeZone, payouts, expected) => {
    const { sell, read } = await newShop({ timeZone });
    for (const at of payouts) await payOut(app, [(await sell({ occurred_at: '2025-06-01T00:00:00Z' })).line], at);
    expect(months(await read(2026))).toBe(expected);
  });

  test('so are the years of sales, folded or not, and also once the zone is another', async () => {
    const { tenant, sell, read, fold } = await newShop({ timeZone: 'Pacific/Auckland' });
    for (const occurred_at of ['2025-12-31T10:59:59.999Z', '2025-12-31T11:00:00Z', '2026-01-01T00:00:00Z'])
      await sell({ occurred_at });
    const pending = async () => [(await read(2025)).totalPending, (await read(2026)).totalPending];
    expect(await pending()).toEqual([10, 20]);
    await fold();
    expect(await pending()).toEqual([10, 20]);
    await app.database.asSuperuser("update tenant set reporting_time_zone = 'UTC' where id = $1", [tenant.tenantId]);
    expect(await pending()).toEqual([20, 10]);
    await fold();
    expect(await pending()).toEqual([20, 10]);
  });
});

test('one currency at a time, exact to its digits', async () => {
  const { sell, read } = await newShop({ currency: 'JPY' });
  await payOut(
    app,
    [(await sell({ currency: 'KWD', amount_minor: 12_345, occurred_at: '2026-01-01T00:00:00Z' })).line],
    '2026-05-01T00:00:00Z',
  );
  await sell({ currency: 'JPY', amount_minor: 5_004, occurred_at: '2026-01-01T00:00:00Z' });
  expect(await read(2026)).toMatchObject({ currency: 'JPY', totalPaid: 0, totalPending: 500 });
  expect(await read(2026, '?currency=KWD')).toMatchObject({ currency: 'KWD', totalPaid: 1.235, totalPending: 0 });
});

test('nobody else’s payouts are counted, nor those of the other environment', async () => {
  const { tenant, client, sell, read, member } = await newShop();
  const sandbox = apiClient(app, tenant.sandboxKey);
  const other = await client.newMember({ parent_id: member.id });
  const { body } = await client.post(
    '/api/v1/events/purchase',
    client.purchaseBody({ attribution: { user_id: other.id }, occurred_at: '2026-01-01T00:00:00Z' }),
  );
  // 10.00 of the recruit's and 5.00 of the member's in one journal.
  await payOut(
    app,
    (body.commissions as CommissionBody[]).map(({ id }) => id),
    '2026-01-31T00:00:00Z',
  );
  await sell({ occurred_at: '2026-01-01T00:00:00Z' });
  expect(months(await read(2026))).toBe('1: 5 x1');
  expect((await sandbox.get(`/api/v1/members/${member.id}/tax-summary/2026`)).status).toBe(404);
});

describe('refused', () => {
  test.each(['1969', '10000', '26', '2026-01', 'all', '02026', '%202026', '2e3', '-2026', '٢٠٢٦'])(
    'year %s is a 400',
    async (year) => {
      const { client, member } = await newShop();
      const answer = await client.get(`/api/v1/members/${member.id}/tax-summary/${encodeURI(decodeURI(year))}`);
      expectRefusal(answer, 400, 'VALIDATION_ERROR', ['year']);
    },
  );

  test('an unknown currency, an unknown parameter, a malformed id, nobody', async () => {
    const { client, member } = await newShop();
    const path = `/api/v1/members/${member.id}/tax-summary/2026`;
    expectRefusal(await client.get(`${path}?currency=qqq`), 400, 'VALIDATION_ERROR', ['currency']);
    expectRefusal(await client.get(`${path}?period=all`), 400, 'VALIDATION_ERROR', ['period']);
    expectRefusal(await client.get('/api/v1/members/me/tax-summary/2026'), 400, 'VALIDATION_ERROR', ['userId']);
    expectRefusal(await client.get(`/api/v1/members/${randomUUID()}/tax-summary/2026`), 404, 'USER_NOT_FOUND');
  });
});
