/** Purchases that come at once and share a transaction: each as if it had come alone (docs/specification/events.md#coalescing). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { type Load, openLoad } from '../../support/app/model-load.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { openEar } from '../../support/webhooks/told-events.ts';
import { ALWAYS, CoalescingShop, expectAll, expectReplays, idOf, PATH, statusesOf } from './coalescing-shop.ts';

let app: TestApp;
let load: Load;
beforeAll(async () => {
  app = await startTestApp(ALWAYS);
  load = openLoad();
});
afterAll(async () => {
  load.close();
  await expectSoundBooks(app);
  await app.close();
});

const open = () => CoalescingShop.open(app, load);

describe('sixteen at once', () => {
  test('are one transaction: a line, a receipt, a balanced journal and a stored answer each', async () => {
    const shop = await open();
    const asked = shop.keyed(16);
    const first = await shop.sendAll(asked);
    expectAll(first, 201);
    expect(shop.failures()).toBe(0);
    expect(Math.max(...shop.batches().map(({ count }) => count))).toBeGreaterThan(4);
    expect(shop.batches().every(({ alone }) => alone === 0)).toBe(true);
    const counts = {
      event: 16,
      customer: 16,
      attribution_receipt: 16,
      commission_line: 48,
      journal_entry: 16,
      idempotency_key: 16,
    };
    expect(await shop.counts()).toEqual(counts);
    await expectReplays(shop, asked, first);
    expect(await shop.counts()).toEqual(counts);
    expect(new Set(first.map(idOf)).size).toBe(16);
    for (const answer of first) {
      const { body } = await shop.client.get(`/api/v1/events/${idOf(answer)}/explain`);
      expect(body.recomputed).toBe(true);
    }
  });

  test('of several keys keep who recorded them, in events and in what is told, and the ids of their requests', async () => {
    const shop = await open();
    await shop.client.patch('/api/v1/admin/settings', { webhooks: { eventLog: true } });
    const ear = openEar(app, { tenantId: shop.tenant.tenantId, environment: 'LIVE' });
    const keys = await Promise.all(
      ['Shop', 'Till'].map(async (name) => (await shop.client.post('/api/v1/admin/api-keys', { name, preset: 'full' })).body),
    );
    await ear.heard();
    const asked = shop.keyed(12).map((one, n) => ({ ...one, key: keys[n % 2]?.apiKey as string }));
    const answers = await shop.sendAll(asked);
    expectAll(answers, 201);
    expect([shop.failures(), shop.batches().length > 0]).toEqual([0, true]);
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(12);
    const told = await ear.heard();
    for (const [n, answer] of answers.entries()) {
      const { body: event } = await shop.client.get(`/api/v1/events/${idOf(answer)}`);
      expect(event.created_by).toEqual({ kind: 'api_key', id: keys[n % 2]?.id, name: ['Shop', 'Till'][n % 2] });
      const [sale, lines] = told.filter(({ objectId }) => objectId === idOf(answer));
      expect([sale?.type, lines?.type]).toEqual(['event.purchase_recorded', 'commissions.created']);
      expect([sale?.actor, lines?.actor]).toEqual([`api_key:${keys[n % 2]?.id}`, `api_key:${keys[n % 2]?.id}`]);
      expect(sale?.data).toEqual(event);
    }
  });

  test('one of which is wrong: it alone is refused, and its Idempotency-Key is as free as before', async () => {
    const shop = await open();
    const asked = shop.keyed(16, (n) => (n === 5 ? { attribution: { user_id: randomUUID() } } : {}));
    const answers = await shop.sendAll(asked);
    expect(statusesOf(answers)).toEqual(Array.from({ length: 16 }, (_, n) => (n === 5 ? 400 : 201)));
    expect(JSON.parse(answers[5]?.text ?? '').details.fields[0].field).toBe('attribution.user_id');
    expect([shop.failures(), await shop.counts()]).toEqual([0, expect.objectContaining({ event: 15, idempotency_key: 15 })]);
    const [right] = await shop.sendAll([{ ...asked[5], body: shop.bodyOf() }]);
    expect(right?.status, right?.text).toBe(201);
  });

  test('one of which has no exchange rate, and one that is too old', async () => {
    const shop = await open();
    await publishPlan(app, shop.tenant, { fx: { payCurrency: 'member' } });
    const other = await shop.client.newMember({ pay_currency: 'EUR' });
    const wrong = [{ attribution: { user_id: other.id } }, { occurred_at: '2000-01-01T00:00:00Z' }];
    const answers = await shop.sendAll(shop.keyed(8, (n) => wrong[n] ?? {}));
    expect(statusesOf(answers)).toEqual([422, 400, 201, 201, 201, 201, 201, 201]);
    expect(JSON.parse(answers[0]?.text ?? '').code).toBe('EXCHANGE_RATE_MISSING');
    expect(shop.failures()).toBe(0);
  });

  test('one of which the database refuses: the others are recorded, each alone', async () => {
    const shop = await open();
    await app.database.asSuperuser(`alter table event add constraint test_poison check (discount_minor <> 666) not valid`);
    try {
      const asked = shop.keyed(16, (n) => (n === 3 ? { discount_minor: 666 } : {}));
      const answers = await shop.sendAll(asked);
      expect(statusesOf(answers)).toEqual(Array.from({ length: 16 }, (_, n) => (n === 3 ? 500 : 201)));
      expect(shop.failures()).toBeGreaterThan(0);
      expect(await shop.counts()).toMatchObject({ event: 15, journal_entry: 15, idempotency_key: 15 });
      const well = asked.filter((_, n) => n !== 3);
      await expectReplays(
        shop,
        well,
        answers.filter((_, n) => n !== 3),
      );
    } finally {
      await app.database.asSuperuser('alter table event drop constraint test_poison');
    }
  });
});

describe('with one Idempotency-Key', () => {
  test('at once and later: one runs, the others replay its answer byte for byte', async () => {
    const shop = await open();
    const [one] = shop.keyed(1);
    const asked = [...Array.from({ length: 6 }, () => one ?? expect.unreachable()), ...shop.keyed(4)];
    const answers = await shop.sendAll(asked);
    expectAll(answers, 201);
    const same = answers.slice(0, 6);
    expect(new Set(same.map(({ text }) => text)).size).toBe(1);
    expect(same.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(await shop.counts()).toMatchObject({ event: 5, journal_entry: 5, idempotency_key: 5 });
    await expectReplays(shop, asked, answers);
  });

  test('and two bodies: one is recorded and the other is refused', async () => {
    const shop = await open();
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await shop.sendAll([{ body: shop.bodyOf(), headers }, { body: shop.bodyOf(), headers }, ...shop.keyed(3)]);
    expect(new Set(statusesOf(answers.slice(0, 2)))).toEqual(new Set([201, 422]));
    expectAll(answers.slice(2), 201);
  });

  test('that has expired: it is taken over', async () => {
    const shop = await open();
    const asked = shop.keyed(4);
    expectAll(await shop.sendAll(asked), 201);
    await app.database.asSuperuser("update idempotency_key set expires_at = now() - interval '1 s' where tenant_id = $1", [
      shop.tenant.tenantId,
    ]);
    const second = asked.map((one) => ({ ...one, body: shop.bodyOf() }));
    const answers = await shop.sendAll(second);
    expectAll(answers, 201);
    expect(answers.map(({ headers }) => headers['idempotent-replayed'])).toEqual(answers.map(() => undefined));
    await expectReplays(shop, second, answers);
    expect(await shop.counts()).toMatchObject({ event: 8, idempotency_key: 4 });
  });
});

test('a thousand of one event at once: one journal, and the first answer for all', async () => {
  const shop = await open();
  const body = shop.bodyOf();
  const answers = await load.sendAllUntilTaken(
    Array.from({ length: 1_000 }, () => ({ baseUrl: app.baseUrl, key: shop.tenant.liveKey, path: PATH, body })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(999);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await shop.counts()).toMatchObject({ event: 1, customer: 1, journal_entry: 1 });
});

test('one customer several times at once: the one stored first has its referrer', async () => {
  const shop = await open();
  const [low, middle] = shop.people;
  const customer = { external_id: 'regular', email: 'regular@shop.example' };
  const asked = [low, middle, low, middle].map((by) => ({ body: shop.bodyOf({ customer, attribution: { user_id: by?.id } }) }));
  const answers = await shop.sendAll([...asked, ...shop.keyed(4)]);
  expectAll(answers, 201);
  expect(await shop.counts()).toMatchObject({ event: 8, customer: 5 });
  const next = await shop.sendAll([{ body: shop.bodyOf({ customer, attribution: undefined }) }, ...shop.keyed(3)]);
  expectAll(next, 201);
  expect(JSON.parse(next[0]?.text ?? '').attribution.rule).toBe('first_referrer');
});

describe('of a plan', () => {
  test('with a cap each is recorded alone, and the cap is reached to the cent', async () => {
    const shop = await open();
    await publishPlan(app, shop.tenant, { caps: { perMemberPeriodMinor: { USD: 2_345 } } });
    const answers = await shop.sendAll(shop.keyed(12));
    expectAll(answers, 201);
    expect(shop.batches().length).toBeGreaterThan(0);
    expect(shop.batches().every(({ alone, count }) => alone === count)).toBe(true);
    const paid = answers.flatMap(({ text }) => JSON.parse(text).commissions as { level: number; amount_minor: number }[]);
    const first = paid.filter(({ level }) => level === 1).map(({ amount_minor }) => amount_minor);
    expect(first.reduce((sum, one) => sum + one, 0)).toBe(2_345);
  });

  test('that numbers the purchases of a customer each is recorded alone', async () => {
    const shop = await open();
    await publishPlan(app, shop.tenant, {
      rules: [{ id: 'first', levels: [1], when: { fact: 'customer.purchaseNumber', lt: 2 }, pay: { rateBps: 2_000 } }],
    });
    const answers = await shop.sendAll(shop.keyed(6));
    expectAll(answers, 201);
    expect(shop.batches().every(({ alone, count }) => alone === count)).toBe(true);
  });
});

test('members whose values have changed: each sale by those of its time', async () => {
  const shop = await open();
  const [low] = shop.people;
  const change = { is_active: false, effective_at: '2026-03-05T00:00:00Z' };
  expect((await shop.client.patch(`/api/v1/users/${shop.people[1]?.id}`, change)).status).toBe(200);
  const at = (day: number) => ({ occurred_at: `2026-03-0${day}T12:00:00Z`, attribution: { user_id: low?.id } });
  const answers = await shop.sendAll(shop.keyed(8, (n) => at(1 + n)));
  expectAll(answers, 201);
  expect(shop.failures()).toBe(0);
  for (const [n, { text }] of answers.entries()) {
    const paid = (JSON.parse(text).commissions as { user_id: string }[]).map(({ user_id }) => user_id);
    expect(paid.includes(shop.people[1]?.id ?? ''), `the ${1 + n}th`).toBe(n < 4);
  }
});

test('tenants at once share nothing, whatever their ids', async () => {
  const shops = await Promise.all([open(), open()]);
  const fields = (n: number) => ({ external_event_id: `same-${n}`, customer: { external_id: `same-${n}` } });
  const headers = (n: number) => ({ 'idempotency-key': `same-${n}` });
  const answers = await Promise.all(
    shops.map((shop) => shop.sendAll(shop.keyed(16, fields).map((one, n) => ({ ...one, headers: headers(n) })))),
  );
  for (const [n, shop] of shops.entries()) {
    expectAll(answers[n] ?? [], 201);
    expect([shop.failures(), await shop.counts()]).toEqual([0, expect.objectContaining({ event: 16, customer: 16 })]);
    const paid = (answers[n] ?? []).flatMap(({ text }) => JSON.parse(text).commissions as { user_id: string }[]);
    const ids = new Set(shop.people.map(({ id }) => id));
    expect(paid.filter(({ user_id }) => !ids.has(user_id))).toEqual([]);
  }
});

test('a SANDBOX records each alone', async () => {
  const shop = await open();
  const client = apiClient(app, shop.tenant.sandboxKey);
  const member = await client.newMember();
  const body = () => client.purchaseBody({ attribution: { user_id: member.id } });
  const asked = Array.from({ length: 6 }, () => ({ body: body(), key: shop.tenant.sandboxKey }));
  expectAll(await shop.sendAll(asked), 201);
  expect(shop.batches()).toEqual([]);
});
