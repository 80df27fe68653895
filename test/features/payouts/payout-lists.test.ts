/** Lists of payouts, of runs and of who was blocked: sorted, by time, page by page. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { act, draft, earn, payable } from '../../support/payments/payout-world.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let runId: string;
let amounts: number[];

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  const scope: Scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
  amounts = [9_000, 5_000, 7_000, 5_000, 123_456, 6_000];
  for (const amount of amounts) await payable(app, scope, client, amount);
  for (const amount of [-3, 1, 4_999, 1]) await earn(app, scope, client, await client.newMember(), amount);
  runId = (await draft(client)).id;
  await payable(app, scope, client, 5_000, { currency: 'EUR' });
  const second = await draft(client, { currency: 'EUR' });
  // Instants of more digits than a JavaScript date has: no page may repeat or leave out a row for it.
  await app.database.asSuperuser(
    `update payout set created_at = timestamptz '2026-03-01T00:00:00Z' + (n / 2) * interval '1 microsecond'
     from (select id, row_number() over (order by id desc) as n from payout where tenant_id = $1) numbered
     where payout.id = numbered.id`,
    [tenant.tenantId],
  );
  await app.database.asSuperuser("update payout_run set created_at = '2026-03-01T00:00:00Z' where id = $1", [runId]);
  await app.database.asSuperuser("update payout_run set created_at = '2026-03-02T00:00:00Z' where id = $1", [second.id]);
});
afterAll(() => app.close());

interface Row {
  id: string;
  userId: string;
  amountMinor: number;
  createdAt: string;
  currency: string;
}

async function pages(path: string, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ''; ; ) {
    const { status, body, text } = await client.get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor}`);
    expect(status, text).toBe(200);
    rows.push(...body.data);
    if (!body.hasMore) return rows;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
}

const byAmount = (rows: Row[]) => rows.map(({ amountMinor }) => amountMinor);
const ids = (rows: Row[]) => rows.map(({ id }) => id);

test.each([1, 2, 3, 100])('payouts by amount and by date, both ways, in pages of %i', async (limit) => {
  const list = (query: string) => pages(`/api/v1/payouts?${query}`, limit);
  const up = await list(`sort=amount&runId=${runId}`);
  expect(byAmount(up)).toEqual(amounts.toSorted((a, b) => a - b));
  expect(ids(await list(`sort=-amount&runId=${runId}`))).toEqual(ids(up).toReversed());
  const all = await app.database.asSuperuser<{ id: string }>(
    'select id from payout where tenant_id = $1 order by created_at, id',
    [tenant.tenantId],
  );
  expect(await list('sort=createdAt').then(ids)).toEqual(all.map(({ id }) => id));
  expect(await list('sort=-createdAt').then(ids)).toEqual(all.map(({ id }) => id).toReversed());
  expect(await list('').then(ids)).toEqual(all.map(({ id }) => id).toSorted());
  expect(byAmount(await list('sort=-amount&currency=EUR'))).toEqual([5_000]);
  expect(byAmount(await list('sort=amount&status=queued&currency=USD'))).toEqual(byAmount(up));
});

test('payouts and runs of a time, from an instant to before another', async () => {
  const count = async (path: string) => (await client.get(path)).body.data.length;
  const at = '2026-03-01T00:00:00Z';
  const total = amounts.length + 1;
  expect(await count(`/api/v1/payouts?createdFrom=${at}&createdTo=2026-03-01T00:00:01Z`)).toBe(total);
  expect(await count(`/api/v1/payouts?createdTo=${at}`)).toBe(0);
  expect(await count('/api/v1/payouts?sort=-amount&createdFrom=2026-03-01T00:00:01Z')).toBe(0);
  expect(await count(`/api/v1/payout-runs?createdFrom=${at}&createdTo=2026-03-02T00:00:00Z`)).toBe(1);
  expect(await count(`/api/v1/payout-runs?createdFrom=${at}`)).toBe(2);
  expect(await count(`/api/v1/payout-runs?createdTo=${at}`)).toBe(0);
  expect((await client.get('/api/v1/payouts?createdFrom=yesterday')).status).toBe(400);
});

test.each([1, 2, 100])('blocked members by amount, both ways, in pages of %i', async (limit) => {
  const list = (query: string) => pages(`/api/v1/payout-runs/${runId}/blocked?${query}`, limit);
  const up = await list('sort=amount');
  expect(byAmount(up)).toEqual([-3, 1, 1, 4_999]);
  expect((await list('sort=-amount')).map(({ userId }) => userId)).toEqual(up.map(({ userId }) => userId).toReversed());
  expect(byAmount(await list('sort=-amount&reason=BELOW_MINIMUM'))).toEqual([4_999, 1, 1]);
  const plain = await list('');
  expect(plain.map(({ userId }) => userId)).toEqual(plain.map(({ userId }) => userId).toSorted());
});

test('a cursor is of its sort, its filters and its tenant; an unknown sort is 400', async () => {
  const other = apiClient(app, (await app.newTenant()).liveKey);
  for (const [path, sorts] of [
    ['/api/v1/payouts', ['createdAt', '-createdAt', 'amount', '-amount']],
    [`/api/v1/payout-runs/${runId}/blocked`, ['amount', '-amount']],
  ] as const) {
    const { nextCursor } = (await client.get(`${path}?sort=${sorts[0]}&limit=1`)).body;
    const reply = async (query: string, by = client) => (await by.get(`${path}?limit=1&cursor=${nextCursor}${query}`)).status;
    expect(await reply(`&sort=${sorts[0]}`)).toBe(200);
    for (const sort of sorts.slice(1)) expect(await reply(`&sort=${sort}`)).toBe(400);
    expect(await reply('')).toBe(400);
    expect(await reply(`&sort=${sorts[0]}`, other)).toBe(400);
    expect((await client.get(`${path}?sort=status`)).body.details.fields).toMatchObject([{ field: 'sort' }]);
  }
});

test('each sort goes by an index', async () => {
  const plan = async (where: string, order: string) => {
    const rows = await app.database.asSuperuser<{ 'QUERY PLAN': string }>(
      `explain select id from payout p where tenant_id = '${tenant.tenantId}' and environment = 'LIVE' ${where} order by ${order} limit 26`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  const after = (column: string) =>
    `and (p.${column}, p.id) < (select a.${column}, a.id from payout a where a.tenant_id = '${tenant.tenantId}' and a.environment = 'LIVE' and a.id = '${tenant.tenantId}')`;
  // Of a table that is too small for it to be worth it.
  await app.database.asSuperuser('set enable_seqscan = off');
  await app.database.asSuperuser('set enable_sort = off');
  try {
    expect(await plan(`and amount_minor > 0 ${after('amount_minor')}`, 'amount_minor desc, id desc')).toMatch(
      /payout_amount_idx[\s\S]*Index Cond: .*ROW\(amount_minor, id\) </,
    );
    expect(await plan(`and created_at > '-infinity' ${after('created_at')}`, 'created_at desc, id desc')).toMatch(
      /payout_created_idx[\s\S]*Index Cond: .*ROW\(created_at, id\) </,
    );
    expect(await plan(`and payout_run_id = '${runId}' ${after('amount_minor')}`, 'amount_minor desc, id desc')).toMatch(
      /payout_run_amount_idx[\s\S]*Index Cond: .*ROW\(amount_minor, id\) </,
    );
  } finally {
    await app.database.asSuperuser('reset enable_seqscan');
    await app.database.asSuperuser('reset enable_sort');
  }
});

test('a cancelled run still lists its blocked members by amount', async () => {
  expect((await act(client, runId, 'cancel')).status).toBe(200);
  expect(byAmount(await pages(`/api/v1/payout-runs/${runId}/blocked?sort=-amount`, 3))).toEqual([4_999, 1, 1, -3]);
});
