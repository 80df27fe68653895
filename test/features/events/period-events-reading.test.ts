/** Period events as they are read, what may not be sent, and what is refused of whoever settles (docs/specification/events.md#period). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { raw, unscopedStatement } from '../../../src/db/query.ts';
import type { NewPeriod } from '../../../src/features/events/period/record-period.ts';
import type { MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { digestRows } from '../../support/database/walls.ts';
import { plantSession } from '../../support/identity/sessions.ts';
import { runJobs } from '../../support/jobs/run-jobs.ts';
import { accept, newMember } from '../../support/money/debts.ts';
import { type LineBody, refundOf, type Sale } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { toldEvents } from '../../support/webhooks/told-events.ts';
import { readErrors, sendCsv } from '../imports/csv-imports.ts';
import { lineOf, PeriodShop, topUpOf } from './period-shop.ts';

let app: TestApp;
let shop: PeriodShop;
let member: MemberBody;
let sale: Sale;
let settled: { eventId: string; lineIds: string[] };

beforeAll(async () => {
  app = await startTestApp();
  shop = await PeriodShop.open(app);
  member = await newMember(shop.client);
  await shop.client.post('/api/v1/webhook-endpoints', { url: 'https://shop.example/hook', eventTypes: ['commissions.*'] });
  sale = await shop.sell(member, { amount_minor: 660_000, tax_minor: 60_000, type: 'subscription_initial' });
  settled = await shop.topUp(member, sale, 18_000);
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

const get = async (path: string) => {
  const answer = await shop.client.get(`/api/v1${path}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

describe('reading', () => {
  test('the event', async () => {
    expect(await get(`/events/${settled.eventId}`)).toMatchObject({
      external_event_id: expect.stringMatching(new RegExp(`^svc:period:monthly:2026-11:[0-9a-f-]{36}:${member.id}$`)),
      kind: 'period',
      type: null,
      customer: null,
      purchase: null,
      attribution: { user_id: member.id, rule: null, receipt_id: null },
      created_by: { kind: 'system', id: null },
      commissions: [
        {
          id: settled.lineIds[0],
          user_id: member.id,
          kind: 'adjustment',
          level: 1,
          paid_level: 1,
          amount_minor: 18_000,
          pay_source: 'ladder',
          status: 'pending',
          about_event_id: sale.event_id,
        },
      ],
    });
    expect((await get(`/events/${sale.event_id}`)).commissions[0]).not.toHaveProperty('about_event_id');
  });

  test('lists and files, by its kind and by its id', async () => {
    const { external_event_id: id } = await get(`/events/${settled.eventId}`);
    const byId = await get(`/events?external_event_id=${encodeURIComponent(id)}`);
    expect(byId.data.map(({ event_id }: Sale) => event_id)).toEqual([settled.eventId]);
    const byKind = await get(`/events?kind=period&user_id=${member.id}`);
    expect(byKind.data).toContainEqual(expect.objectContaining({ event_id: settled.eventId }));
    const csv = await shop.client.get('/api/v1/events?kind=period', { accept: 'text/csv' });
    expect(csv.text).toContain(`${settled.eventId},${id},period,,accepted`);
  });

  test('the explanation has what was kept', async () => {
    const body = await get(`/events/${settled.eventId}/explain`);
    expect(body).toMatchObject({
      kind: 'period',
      inputs: null,
      outcomes: [],
      reversal: null,
      recomputed: null,
      period: { ladder: 'monthly', period: '2026-11', sumMinor: '1150000', rateBps: 1_500 },
      commissions: [{ id: settled.lineIds[0], kind: 'adjustment', about_event_id: sale.event_id }],
      journal: { postings: [{ account: 'company:commission_expense' }, { account: 'member:pending', amount_minor: 18_000 }] },
    });
    expect(await get(`/events/${sale.event_id}/explain`)).toMatchObject({
      period: null,
      commissions: [{ about_event_id: null }],
    });
  });

  test('the line, with the source of the line that it tops up', async () => {
    const line = await get(`/commissions/${settled.lineIds[0]}`);
    expect(line).toMatchObject({
      kind: 'adjustment',
      source: 'subscription',
      rateBps: 0,
      baseMinor: 0,
      aboutEventId: sale.event_id,
      occurredAt: (await get(`/commissions/${lineOf(sale).id}`)).occurredAt,
    });
    expect((await get(`/commissions/${lineOf(sale).id}`)).aboutEventId).toBeNull();
    expect(await get(`/commissions/${settled.lineIds[0]}/explain`)).toMatchObject({
      commission: { aboutEventId: sale.event_id },
      derivation: null,
      netMinor: 18_000,
    });
    const csv = await shop.client.get(`/api/v1/commissions?eventId=${settled.eventId}`, { accept: 'text/csv' });
    expect(csv.text.trim().split('\r\n')[0]?.endsWith(',aboutEventId')).toBe(true);
    expect(csv.text.trim().endsWith(sale.event_id)).toBe(true);
    const earned = await get(`/members/${member.id}/commissions/breakdown?period=all`);
    expect(earned.bySource).toMatchObject({ subscription: 900, sales: 0 });
  });

  test('the member sees that it is for a sale, and nothing of others', async () => {
    const { accessToken: token } = await plantSession(app, shop.scope, member.id);
    const own = { 'x-tenant-api-key': shop.tenant.liveKey, authorization: `Bearer ${token}` };
    const event = await app.http.get(`/api/v1/events/${settled.eventId}`).set(own);
    expect(event.status, event.text).toBe(200);
    expect(event.body).toMatchObject({ kind: 'period', commissions: [{ about_event_id: sale.event_id }] });
    expect(event.body.created_by).toMatchObject({ kind: 'system', id: null });
    const lines = await app.http.get(`/api/v1/commissions?eventId=${settled.eventId}`).set(own);
    expect(lines.body.data).toMatchObject([{ aboutEventId: sale.event_id }]);
    const other = await newMember(shop.client);
    const stranger = await plantSession(app, shop.scope, other.id);
    const hidden = await app.http
      .get(`/api/v1/events/${settled.eventId}`)
      .set({ ...own, authorization: `Bearer ${stranger.accessToken}` });
    expectRefusal(hidden, 404, 'NOT_FOUND');
  });

  test('another tenant and environment have no such event, line or purchase', async () => {
    const other = await PeriodShop.open(app);
    for (const { client } of [other, shop.inSandbox()]) {
      expectRefusal(await client.get(`/api/v1/events/${settled.eventId}`), 404, 'NOT_FOUND');
      expectRefusal(await client.get(`/api/v1/events/${settled.eventId}/explain`), 404, 'NOT_FOUND');
      expectRefusal(await client.get(`/api/v1/commissions/${settled.lineIds[0]}`), 404, 'NOT_FOUND');
    }
    for (const foreign of [other, shop.inSandbox()]) await expect(foreign.topUp(member, sale, 5)).rejects.toThrow('no line');
  });

  test('tenants are told of its lines as of those of a sale', async () => {
    const told = (await toldEvents(app, shop.scope)).filter(({ objectId }) => objectId === settled.eventId);
    expect(told).toMatchObject([
      {
        type: 'commissions.created',
        actor: 'system',
        data: { eventId: settled.eventId, commissions: [{ id: settled.lineIds[0], aboutEventId: sale.event_id }] },
      },
    ]);
  });
});

describe('the prefix of the service', () => {
  const id = `svc:period:mine:${randomUUID()}`;
  const purchase = { amount_minor: 100, currency: 'USD', customer: { external_id: 'x' } };
  const manual = { type: 'bonus', amount_minor: 5, currency: 'USD', description: 'x', actor: 'x' };
  const ways: [string, () => object][] = [
    ['purchase', () => purchase],
    ['refund', () => ({ purchase_external_event_id: sale.external_event_id })],
    ['chargeback', () => ({ purchase_external_event_id: sale.external_event_id, dispute_id: 'd', stage: 'opened' })],
    ['commission', () => ({ ...manual, user_id: member.id })],
  ];

  test.each(ways)('is refused of a %s, alone and in a batch', async (kind, fields) => {
    const alone = await shop.client.post(`/api/v1/events/${kind}`, { ...fields(), external_event_id: id });
    expectRefusal(alone, 400, 'VALIDATION_ERROR');
    expect(alone.body.details.fields).toEqual([{ field: 'external_event_id', message: expect.stringContaining('svc:') }]);
    const { body } = await shop.client.post('/api/v1/events/batch', { events: [{ kind, ...fields(), external_event_id: id }] });
    expect(body.results).toMatchObject([
      { status: 400, body: { code: 'VALIDATION_ERROR', details: { fields: [{ field: 'external_event_id' }] } } },
    ]);
  });

  test('is refused in a preview, of a kind that nobody sends, and in a file', async () => {
    const preview = await shop.client.post(`/api/v1/events/${sale.event_id}/reversal-preview`, {
      kind: 'refund',
      external_event_id: id,
    });
    expectRefusal(preview, 400, 'VALIDATION_ERROR');
    const batch = await shop.client.post('/api/v1/events/batch', { events: [{ kind: 'period', external_event_id: 'mine' }] });
    expectRefusal(batch, 400, 'VALIDATION_ERROR');
    const csv = `external_event_id,amount_minor,currency,customer_external_id\n${id},100,USD,x\nfine-${randomUUID()},100,USD,y\n`;
    const { body: run } = await sendCsv(app, shop.tenant.liveKey, csv, { kind: 'purchases' });
    await runJobs(app, 'run-import');
    expect(await readErrors(app, shop.tenant.liveKey, run['id'])).toMatchObject([
      { rowNumber: 2, faults: [{ field: 'external_event_id', message: expect.stringContaining('svc:') }] },
    ]);
  });

  test('an event of such an id from before is not taken for a period', async () => {
    const key = `old:${randomUUID()}`;
    await app.database.asSuperuser(
      `insert into event (tenant_id, environment, external_event_id, kind, type, occurred_at, amount_minor, currency, tax_minor,
         shipping_minor, discount_minor, base_minor, attributed_member_id, status, content_digests, created_by)
       values ($1, 'LIVE', $2, 'commission', 'bonus', now(), 5, 'USD', 0, 0, 0, 0, $3, 'accepted', '{}', 'system')`,
      [shop.tenant.tenantId, `svc:period:${key}:${member.id}`, member.id],
    );
    await expect(shop.topUp(member, sale, 5)).resolves.toMatchObject({ isNew: true });
    await expect(shop.settle(member, [topUpOf(lineOf(sale), 5)], { key })).rejects.toThrow('which somebody sent');
  });
});

describe('refused loudly, and nothing changes', () => {
  const refused: [string, string, () => Promise<{ topUps: NewPeriod['topUps']; given?: Partial<NewPeriod> }>][] = [
    ['no top-up', 'without top-ups', async () => ({ topUps: [] })],
    ['one line twice', 'twice', async () => ({ topUps: [topUpOf(lineOf(sale), 5), topUpOf(lineOf(sale), 6)] })],
    [
      'more than an event has',
      'more than 500',
      async () => ({ topUps: Array.from({ length: 501 }, () => topUpOf({ id: randomUUID() }, 5)) }),
    ],
    ['nothing', 'by nothing', async () => ({ topUps: [topUpOf(lineOf(sale), 0)] })],
    ['an unknown line', 'no line', async () => ({ topUps: [topUpOf({ id: randomUUID() }, 5)] })],
    ['a top-up', 'no line of a purchase', async () => ({ topUps: [topUpOf({ id: settled.lineIds[0] ?? '' }, 5)] })],
    ['another currency', 'in USD', async () => ({ topUps: [topUpOf(lineOf(sale), 5)], given: { currency: 'EUR' } })],
    ['a conversion', 'conversion', async () => ({ topUps: [topUpOf(lineOf(sale), 5, { sourceAmountMinor: 5n })] })],
    [
      'a line of another member',
      'another member',
      async () => ({ topUps: [topUpOf(lineOf(await shop.sell(await newMember(shop.client))), 5)] }),
    ],
    [
      'a line that is wholly reversed',
      'wholly reversed',
      async () => {
        const gone = await shop.sell(member);
        await accept(refundOf(shop.client, gone, {}));
        return { topUps: [topUpOf(lineOf(gone), 5)] };
      },
    ],
  ];

  test.each(refused)('%s', async (_what, message, prepare) => {
    const { topUps, given } = await prepare();
    const before = await digestRows(app.database);
    await expect(shop.settle(member, topUps, given)).rejects.toThrow(message);
    expect(await digestRows(app.database)).toBe(before);
  });
});

const cutOff = unscopedStatement<unknown>('test_cut_off', () => raw('select pg_terminate_backend(pg_backend_pid())'));

test('cut off before its commit nothing is written, and the next run does it once', async () => {
  const other = await shop.sell(member);
  const key = `monthly:2026-11:${randomUUID()}`;
  const topUps = [topUpOf(lineOf(other), 18_000)];
  const before = await digestRows(app.database);
  await expect(shop.settle(member, topUps, { key }, (db) => db.rows(cutOff()))).rejects.toThrow();
  expect(await digestRows(app.database)).toBe(before);
  expect(await shop.settle(member, topUps, { key })).toMatchObject({ isNew: true });
  expect(await shop.settle(member, topUps, { key })).toMatchObject({ isNew: false });
  expect(await shop.left(other)).toMatchObject({ topUp: 18_000 });
});

describe('a line that was converted', () => {
  test('is topped up with its own rate, and every split of refunds ends at nothing on both sides', async () => {
    const abroad = await PeriodShop.open(app, { fx: { payCurrency: 'member' } });
    const rate = { sourceCurrency: 'USD', targetCurrency: 'EUR', numerator: 9, denominator: 10, source: 'Bank' };
    await accept(abroad.client.post('/api/v1/admin/exchange-rates', rate));
    const paidIn = await abroad.client.newMember({ pay_currency: 'EUR' });
    const [sold, charged] = [await abroad.sell(paidIn), await abroad.sell(paidIn)];
    await accept(refundOf(abroad.client, sold, { amount_minor: 123_457 }));
    await abroad.settle(paidIn, [
      topUpOf(lineOf(sold), 16_201, { sourceAmountMinor: 18_001n }),
      topUpOf(lineOf(charged), -631, { sourceAmountMinor: -701n }),
    ]);
    const [line] = (await abroad.client.get(`/api/v1/commissions?userId=${paidIn.id}&kind=adjustment`)).body.data as LineBody[];
    expect(line).toMatchObject({ currency: 'EUR', sourceCurrency: 'USD', sourceAmountMinor: 18_001, amountMinor: 16_201 });
    for (const amount_minor of [98_765, 1, 222_222]) await accept(refundOf(abroad.client, sold, { amount_minor }));
    for (const amount_minor of [98_765, 1, 222_222]) await accept(refundOf(abroad.client, charged, { amount_minor }));
    for (const one of [sold, charged]) {
      await accept(refundOf(abroad.client, one, {}));
      expect(await abroad.left(one)).toEqual({ line: 0, topUp: 0, source: 0 });
    }
  });
});

test('erasing the member leaves the event, which holds nothing of the person', async () => {
  const leaving = await newMember(shop.client);
  const sold = await shop.sell(leaving);
  const { eventId } = await shop.topUp(leaving, sold, 500);
  // Of whoever is owed nothing.
  await accept(refundOf(shop.client, sold, {}));
  const before = await get(`/events/${eventId}`);
  expect((await shop.client.post(`/api/v1/members/${leaving.id}/erasure`, { reason: 'Asked for' })).status).toBe(200);
  expect(JSON.stringify(await get(`/events/${eventId}`))).toBe(JSON.stringify(before));
});
