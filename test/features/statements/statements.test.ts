/** Monthly statements: docs/specification/payouts.md#statements. A month holds what was recorded in it. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { type CommissionBody, newUpline } from '../../support/money/model-upline.ts';
import { payOut, returnPayout } from '../../support/money/pay-out.ts';
import { pdfText } from '../../support/money/pdf-text.ts';
import { plantMovements } from './plant-movements.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface Balances {
  pendingMinor: number;
  clearedMinor: number;
  processingMinor: number;
  paidMinor: number;
  totalMinor: number;
}

interface Statement {
  currency: string;
  timeZone: string;
  from: string;
  to: string;
  status: string;
  opening: Balances;
  entries: { account: string; amountMinor: number; causeType: string; externalEventId: string | null; recordedAt: string }[];
  payouts: { type: string; amountMinor: number; payoutId: string | null }[];
  closing: Balances;
}

const ACCOUNTS = ['pending', 'cleared', 'processing', 'paid'] as const;

/** In a SANDBOX, whose clock can be moved from month to month. */
async function newShop(options: { currency?: string; timeZone?: string } = {}, now = '2030-01-10T12:00:00Z') {
  const tenant: TestTenant = await app.newTenant(options);
  const client: ApiClient = apiClient(app, tenant.sandboxKey);
  const setClock = async (frozenAt: string) => {
    const answer = await client.post('/api/v1/sandbox/clock', { frozenAt });
    expect(answer.status, answer.text).toBe(200);
  };
  await setClock(now);
  const [member] = (await newUpline(client, 'D')) as [MemberBody];
  const path = `/api/v1/members/${member.id}/statements`;
  return {
    tenant,
    client,
    member,
    path,
    setClock,
    async sell(fields: object = {}): Promise<{ line: string; external: string }> {
      const body = client.purchaseBody({ currency: options.currency ?? 'USD', attribution: { user_id: member.id }, ...fields });
      const answer = await client.post('/api/v1/events/purchase', body);
      expect(answer.status, answer.text).toBe(201);
      return { line: (answer.body.commissions as CommissionBody[])[0]?.id ?? '', external: answer.body.external_event_id };
    },
    async read(period: string, query = ''): Promise<Statement> {
      const answer = await client.get(`${path}/${period}${query}`);
      expect(answer.status, answer.text).toBe(200);
      return answer.body as Statement;
    },
    csv: async (period: string) => (await client.get(`${path}/${period}/csv`)).text.split('\r\n').map((line) => line.split(',')),
    async bytes(period: string): Promise<Buffer> {
      const answer = await fetch(`${app.baseUrl}${path}/${period}/pdf`, { headers: { 'x-tenant-api-key': tenant.sandboxKey } });
      expect(answer.status).toBe(200);
      return Buffer.from(await answer.arrayBuffer());
    },
  };
}

/** The closing balances are the opening ones with every entry. */
function expectSums({ opening, entries, closing }: Statement): void {
  for (const account of ACCOUNTS) {
    const sum = entries.filter((entry) => entry.account === account).reduce((all, { amountMinor }) => all + amountMinor, 0);
    expect([account, closing[`${account}Minor`]]).toEqual([account, opening[`${account}Minor`] + sum]);
  }
}

const NOTHING = { pendingMinor: 0, clearedMinor: 0, processingMinor: 0, paidMinor: 0, totalMinor: 0 };

test('a member without entries has empty months, past and to come', async () => {
  const { member, read, path, client } = await newShop({ timeZone: 'America/New_York' });
  const empty = { userId: member.id, currency: 'USD', timeZone: 'America/New_York', opening: NOTHING, closing: NOTHING };
  expect(await read('2029-12')).toEqual({
    ...empty,
    period: '2029-12',
    from: '2029-12-01T05:00:00.000Z',
    to: '2030-01-01T05:00:00.000Z',
    status: 'final',
    entries: [],
    payouts: [],
  });
  expect((await read('2030-01')).status).toBe('preliminary');
  expect((await read('9999-12')).status).toBe('preliminary');
  expect((await client.get(`${path}/1970-01/pdf`)).status).toBe(200);
});

test('each month begins with what the one before closed with, and closes with what the balances of its end are', async () => {
  const { read, sell, setClock, client, member } = await newShop();
  const [first, second] = [await sell(), await sell({ amount_minor: 20_005 })];
  const refunded = await sell();
  await setClock('2030-02-12T00:00:00Z'); // the sweeps clear what is due
  const late = await sell({ occurred_at: '2030-01-15T00:00:00Z' });
  await client.post('/api/v1/events/refund', { external_event_id: randomUUID(), purchase_external_event_id: refunded.external });
  await client.post(`/api/v1/commissions/${late.line}/hold`, {});
  await setClock('2030-03-12T00:00:00Z');
  await client.post(`/api/v1/commissions/${late.line}/void`, {});
  await sell();
  const months = [await read('2029-12'), await read('2030-01'), await read('2030-02'), await read('2030-03')];
  for (const [index, month] of months.entries()) {
    expectSums(month);
    expect(month.opening).toEqual(months[index - 1]?.closing ?? NOTHING);
    const asOf = new Date(Date.parse(month.to) - 1).toISOString();
    const balances = (await client.get(`/api/v1/members/${member.id}/balances?asOf=${asOf}`)).body.balances[0];
    expect(balances).toMatchObject(month.closing);
  }
  expect(months.map(({ entries }) => entries.length)).toEqual([0, 3, expect.any(Number), expect.any(Number)]);
  expect(months[1]?.entries.map(({ externalEventId }) => externalEventId)).toContain(second.external);
  // What was reported in February for January is February's.
  expect(months[2]?.entries).toContainEqual(expect.objectContaining({ externalEventId: late.external, account: 'pending' }));
  expect(new Set(months[2]?.entries.map(({ causeType }) => causeType))).toEqual(new Set(['clearing', 'event']));
  expect(first.external).not.toBe(second.external);
});

test('payouts are told of, those that came back too', async () => {
  const { tenant, read, client, csv, path } = await newShop();
  // By the real clock, which the planted payouts are recorded by.
  const live = apiClient(app, tenant.liveKey);
  const [member] = (await newUpline(live, 'D')) as [MemberBody];
  const { body } = await live.post('/api/v1/events/purchase', live.purchaseBody({ attribution: { user_id: member.id } }));
  const line = (body.commissions as CommissionBody[])[0]?.id ?? '';
  await payOut(app, [line]);
  await returnPayout(app, [line]);
  await payOut(app, [line]);
  const month = new Date().toISOString().slice(0, 7);
  const statement = (await live.get(`/api/v1/members/${member.id}/statements/${month}`)).body as Statement;
  expectSums(statement);
  expect(statement.payouts.map(({ type, amountMinor }) => `${type} ${amountMinor}`)).toEqual([
    'paid 1000',
    'returned -1000',
    'paid 1000',
  ]);
  expect(statement.closing).toEqual({ ...NOTHING, paidMinor: 1_000, totalMinor: 1_000 });
  expectRefusal(await client.get(`/api/v1/members/${member.id}/statements/${month}`), 404, 'USER_NOT_FOUND');
  expect((await read(month)).entries).toEqual([]);
  expect((await csv(month))[0]?.[0]).toBe('recordedAt');
  expect(path).not.toContain(member.id);
});

test('a month begins and ends at the tenant’s midnight', async () => {
  const { read, sell, setClock } = await newShop({ timeZone: 'Pacific/Auckland' }, '2030-01-31T10:59:59.999Z');
  await sell();
  await setClock('2030-01-31T11:00:00Z');
  await sell({ amount_minor: 30_000 });
  expect((await read('2030-01')).closing.totalMinor).toBe(1_000);
  const february = await read('2030-02');
  expect([february.opening.totalMinor, february.closing.totalMinor, february.from]).toEqual([
    1_000,
    4_000,
    '2030-01-31T11:00:00.000Z',
  ]);
});

describe('the files', () => {
  test('the CSV has the balances of both ends and each entry between, its text guarded', async () => {
    const { sell, csv } = await newShop();
    await sell({ external_event_id: '=HYPERLINK("x")' });
    await sell({ external_event_id: '@b' });
    const rows = await csv('2030-01');
    expect(rows.map((row) => [row[2], row[3], row[5], row[7]])).toEqual([
      ['account', 'amount', 'causeType', 'externalEventId'],
      ...ACCOUNTS.map((account) => [account, '0.00', 'opening', '']),
      ['pending', '10.00', 'event', '"\'=HYPERLINK(""x"")"'],
      ['pending', '10.00', 'event', "'@b"],
      ...ACCOUNTS.map((account) => [account, account === 'pending' ? '20.00' : '0.00', 'closing', '']),
      [undefined, undefined, undefined, undefined],
    ]);
  });

  test('the PDF has the same figures, and the same bytes until something changes', async () => {
    const { sell, bytes, member } = await newShop({ currency: 'JPY' });
    for (let i = 0; i < 60; i++) await sell({ amount_minor: 1_000 + i * 10 });
    const first = await bytes('2030-01');
    expect((await bytes('2030-01')).equals(first)).toBe(true);
    const text = pdfText(first);
    for (const shown of ['Statement for 2030-01', member.id, 'Opening balance', 'Closing balance', '7770', 'Page 2 of 2']) {
      expect(text).toContain(shown);
    }
    if (process.env['PDF_TO'] !== undefined) writeFileSync(process.env['PDF_TO'], first);
    await sell();
    expect((await bytes('2030-01')).equals(first)).toBe(false);
  });

  test('more entries than a page, each once', async () => {
    const { tenant } = await newShop();
    const live = apiClient(app, tenant.liveKey);
    const [member] = (await newUpline(live, 'D')) as [MemberBody];
    await plantMovements(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, member.id, 261);
    const month = new Date().toISOString().slice(0, 7);
    const path = `/api/v1/members/${member.id}/statements/${month}`;
    const statement = (await live.get(path)).body as Statement;
    expect(statement.entries).toHaveLength(1_044);
    expectSums(statement);
    expect(statement.closing).toEqual(NOTHING);
    expect((await live.get(`${path}/csv`)).text.split('\r\n')).toHaveLength(1 + 4 + 1_044 + 4 + 1);
    const pdf = await fetch(`${app.baseUrl}${path}/pdf`, { headers: { 'x-tenant-api-key': tenant.liveKey } });
    expect(pdfText(Buffer.from(await pdf.arrayBuffer()))).toContain('and 44 more, which the CSV has.');
  });
});

test.each([
  ['/2030-13', 'period'],
  ['/2030-1', 'period'],
  ['/1969-12/pdf', 'period'],
  ['/2030-01?currency=us', 'currency'],
  ['/2030-01/csv?limit=1', 'limit'],
])('%s is refused', async (rest, field) => {
  const { client, path } = await newShop();
  const answer = await client.get(path + rest);
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body.details)).toContain(field);
});
