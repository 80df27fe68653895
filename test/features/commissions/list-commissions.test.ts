/** GET /commissions: every filter, months of the tenant's zone, cursors (docs/specification/conventions.md#lists). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { purchaseOf, refundOf, type Sale } from '../../support/money/money-calls.ts';
import { payOut } from '../../support/money/pay-out.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

interface Line {
  id: string;
  externalEventId: string;
  kind: string;
  level: number;
  amountMinor: number;
  status: string;
}

async function list(client: ApiClient, query: string): Promise<Line[]> {
  const answer = await client.get(`/api/v1/commissions?limit=100&${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.data;
}
/** `commission 1 1000`: kind, level and amount of each. */
const told = async (client: ApiClient, query: string) =>
  (await list(client, query)).map((line) => `${line.kind} ${line.level} ${line.amountMinor}`).join(', ');

describe('filters', () => {
  let tenant: TestTenant;
  let client: ApiClient;
  let chain: MemberBody[];
  let sale: Sale;
  let refundId: string;

  beforeAll(async () => {
    tenant = await app.newTenant();
    client = apiClient(app, tenant.liveKey);
    chain = await newUpline(client, 'D D D');
    const attribution = { user_id: chain[0]?.id };
    sale = await purchaseOf(client, { attribution, occurred_at: '2026-03-10T00:00:00Z' });
    refundId = (await refundOf(client, sale, { amount_minor: 4_000 })).body.event_id;
    await purchaseOf(client, { attribution: { user_id: chain[1]?.id }, currency: 'EUR', amount_minor: 700 });
    const [first, , third] = sale.commissions;
    await payOut(app, [first?.id ?? '']);
    await client.post(`/api/v1/commissions/${third?.id}/void`, {});
    await client.post('/api/v1/events/commission', {
      external_event_id: 'bonus',
      type: 'bonus',
      user_id: chain[2]?.id,
      amount_minor: 77,
      currency: 'USD',
      description: 'd',
      actor: 'a',
      occurred_at: '2026-03-31T23:59:59.999Z',
    });
  });

  const all =
    'commission 1 1000, commission 2 500, commission 3 300, reversal 1 -400, reversal 2 -200, reversal 3 -120, commission 1 70, commission 2 35, reversal 3 -180, bonus 0 77';

  test.each([
    ['', all],
    ['kind=reversal', 'reversal 1 -400, reversal 2 -200, reversal 3 -120, reversal 3 -180'],
    ['kind=clawback', ''],
    ['status=paid', 'commission 1 1000'],
    ['status=reversed', 'commission 3 300, reversal 3 -120, reversal 3 -180'],
    ['status=pending&level=2', 'commission 2 500, reversal 2 -200, commission 2 35'],
    ['level=0', 'bonus 0 77'],
    ['level=256', ''],
    ['currency=EUR', 'commission 1 70, commission 2 35'],
    // What takes a sale back, and what voids it, counts in the month of the sale.
    ['period=2026-03', all.replace(', commission 1 70, commission 2 35', '')],
    ['period=2026-03&kind=bonus', 'bonus 0 77'],
    ['period=2026-04', ''],
    ['period=2026-02', ''],
  ])('%s', async (query, expected) => {
    expect(await told(client, query)).toBe(expected);
  });

  test('userId and eventId', async () => {
    expect(await told(client, `userId=${chain[1]?.id}`)).toBe('commission 2 500, reversal 2 -200, commission 1 70');
    expect(await told(client, `userId=${chain[1]?.id}&currency=EUR`)).toBe('commission 1 70');
    // The void is of the event of the line that it voids.
    expect(await told(client, `eventId=${sale.event_id}`)).toBe(
      'commission 1 1000, commission 2 500, commission 3 300, reversal 3 -180',
    );
    expect(await told(client, `eventId=${refundId}`)).toBe('reversal 1 -400, reversal 2 -200, reversal 3 -120');
  });

  test('each row is the commission as it reads alone', async () => {
    for (const row of await list(client, '')) {
      expect((await client.get(`/api/v1/commissions/${row.id}`)).body).toEqual(row);
      expect((await client.get(`/api/v1/commissions/${row.id}/explain`)).body.commission).toEqual(row);
    }
  });

  test('of another tenant or environment there is nothing', async () => {
    const stranger = apiClient(app, (await app.newTenant()).liveKey);
    for (const other of [stranger, apiClient(app, tenant.sandboxKey)]) {
      for (const query of ['', `userId=${chain[0]?.id}`, `eventId=${sale.event_id}`])
        expect(await list(other, query)).toEqual([]);
    }
  });

  test.each([
    ['period=2026-13', 'period'],
    ['period=2026-3', 'period'],
    ['period=all', 'period'],
    ['level=-1', 'level'],
    ['level=257', 'level'],
    ['level=1.0', 'level'],
    ['status=due', 'status'],
    ['kind=refund', 'kind'],
    ['currency=US', 'currency'],
    ['userId=x', 'userId'],
    ['eventId=x', 'eventId'],
    ['user_id=x', 'user_id'],
    ['limit=0', 'limit'],
    ['cursor=AAAA', 'cursor'],
  ])('%s is refused', async (query, field) => {
    expectRefusal(await client.get(`/api/v1/commissions?${query}`), 400, 'VALIDATION_ERROR', [field]);
  });

  test('pages: every line once, in order, while others are made', async () => {
    const before = await list(client, '');
    const seen: string[] = [];
    for (let cursor: string | null = '', page = 0; cursor !== null; page++) {
      const { body } = await client.get(
        `/api/v1/commissions?limit=4${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      seen.push(...body.data.map((line: Line) => line.id));
      expect(body.hasMore).toBe(body.nextCursor !== null);
      cursor = body.nextCursor;
      if (page === 0) await purchaseOf(client, { attribution: { user_id: chain[2]?.id } });
    }
    expect(seen.slice(0, -1)).toEqual(before.map((line) => line.id));
    expect(new Set(seen).size).toBe(before.length + 1);
  });
});

describe("golden (f): months are those of the tenant's zone", () => {
  const AUCKLAND = [
    ['2026-03', '2026-02-28T11:00:00Z'], // 1 March 00:00 +13
    ['2026-02', '2026-02-28T10:59:59.999Z'],
    ['2026-03', '2026-03-31T10:30:00Z'], // 31 March 23:30
    ['2026-03', '2026-03-31T10:59:59.999Z'],
    ['2026-04', '2026-03-31T11:00:00Z'],
    ['2026-04', '2026-04-30T11:59:59.999Z'], // summer time has ended: +12
    ['2026-05', '2026-04-30T12:00:00Z'],
  ] as const;

  test.each([
    ['Pacific/Auckland', AUCKLAND],
    ['UTC', AUCKLAND.map(([, at]) => [at.slice(0, 7), at] as const)],
    [
      'America/New_York',
      [
        ['2026-02', '2026-03-01T04:59:59.999Z'],
        ['2026-03', '2026-03-01T05:00:00Z'],
        ['2026-03', '2026-04-01T03:59:59.999Z'],
        ['2026-04', '2026-04-01T04:00:00Z'],
      ] as const,
    ],
  ])('%s', async (timeZone, sales) => {
    const { liveKey } = await app.newTenant({ timeZone });
    const client = apiClient(app, liveKey);
    const [member] = await newUpline(client, 'O');
    for (const [, at] of sales) {
      await purchaseOf(client, { external_event_id: at, occurred_at: at, attribution: { user_id: member?.id } });
    }
    for (const period of new Set(sales.map(([month]) => month))) {
      const lines = await list(client, `period=${period}`);
      expect(lines.map((line) => line.externalEventId)).toEqual(sales.filter(([month]) => month === period).map(([, at]) => at));
    }
  });
});

describe('sorted', () => {
  let client: ApiClient;
  let all: { id: string; amountMinor: number; createdAt: string }[];

  beforeAll(async () => {
    client = apiClient(app, (await app.newTenant()).sandboxKey);
    const chain = await newUpline(client, 'D D D');
    const attribution = { user_id: chain[0]?.id };
    const sale = await purchaseOf(client, { attribution });
    await client.post('/api/v1/sandbox/clock', { advanceSeconds: 3_600 });
    await purchaseOf(client, { attribution, amount_minor: 3_000, currency: 'JPY' });
    await client.post('/api/v1/sandbox/clock', { advanceSeconds: 3_600 });
    await refundOf(client, sale, { amount_minor: 3_000 });
    all = (await client.get('/api/v1/commissions?limit=100')).body.data;
    expect(all).toHaveLength(9);
  });

  const ids = (lines: readonly { id: string }[]) => lines.map(({ id }) => id);
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  const orders = {
    createdAt: (a: (typeof all)[0], b: (typeof all)[0]) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || byId(a, b),
    amount: (a: (typeof all)[0], b: (typeof all)[0]) => a.amountMinor - b.amountMinor || byId(a, b),
  };

  test.each(['createdAt', 'amount'] as const)('by %s, from either end, page by page', async (field) => {
    const sorted = all.toSorted(orders[field]);
    expect(new Set(sorted.map((line) => line[field === 'amount' ? 'amountMinor' : 'createdAt'])).size).toBeLessThan(9);
    for (const [sort, expected] of [
      [field, sorted],
      [`-${field}`, sorted.toReversed()],
    ] as const) {
      const found: string[] = [];
      for (let cursor = ''; ; ) {
        const { body } = await client.get(`/api/v1/commissions?limit=2&sort=${sort}${cursor}`);
        found.push(...ids(body.data));
        if (!body.hasMore) break;
        cursor = `&cursor=${body.nextCursor}`;
      }
      expect(found).toEqual(ids(expected));
    }
  });

  test('a cursor of another order is refused, and an order that there is not', async () => {
    const { body } = await client.get('/api/v1/commissions?limit=2&sort=amount');
    for (const other of ['sort=-amount', 'sort=createdAt', '', 'sort=amount&createdFrom=2020-01-01T00:00:00Z']) {
      const refused = await client.get(`/api/v1/commissions?limit=2&${other}&cursor=${body.nextCursor}`);
      expectRefusal(refused, 400, 'VALIDATION_ERROR', ['cursor']);
    }
    expectRefusal(await client.get('/api/v1/commissions?sort=status'), 400, 'VALIDATION_ERROR', ['sort']);
  });

  test('of a span of time, which holds its first instant and not its last', async () => {
    const [first, second, third] = [...new Set(all.map(({ createdAt }) => createdAt))];
    const within = async (query: string) => (await client.get(`/api/v1/commissions?limit=100&${query}`)).body.data.length;
    // Times have microseconds that an answer does not show.
    const justAfter = (at: string | undefined) => new Date(Date.parse(at ?? '') + 1).toISOString();
    expect([
      await within(`createdFrom=${second}`),
      await within(`createdFrom=${justAfter(second)}`),
      await within(`createdTo=${second}`),
      await within(`createdTo=${justAfter(second)}`),
      await within(`createdFrom=${second}&createdTo=${third}&sort=-amount`),
      await within(`createdFrom=${first}&createdTo=${first}`),
    ]).toEqual([6, 3, 3, 6, 3, 0]);
  });
});
