/**
 * Purchases of tenants that have one place each: those that wait for it share its turns, and each is as if it had come alone
 * (docs/specification/events.md#coalescing).
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { type Load, openLoad } from '../../support/app/model-load.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { CoalescingShop, expectAll, expectReplays, PATH, statusesOf } from './coalescing-shop.ts';

let app: TestApp;
let load: Load;
let shops: CoalescingShop[];
beforeAll(async () => {
  app = await startTestApp({ PURCHASE_COALESCING: 'on', TENANT_REQUESTS_AT_ONCE: '1', LOG_LEVEL: 'debug' });
  load = openLoad();
});
afterAll(async () => {
  load.close();
  await expectSoundBooks(app);
  await app.close();
});

const within = (look: () => void) => vi.waitFor(look, { timeout: 20_000 });

afterEach(() => within(() => expect(app.composition.places.stats()).toMatchObject({ running: 0, waiting: 0 })));

/** Two tenants, each beside the other. */
async function open(): Promise<[CoalescingShop, CoalescingShop]> {
  shops = [await CoalescingShop.open(app, load), await CoalescingShop.open(app, load)];
  return shops as [CoalescingShop, CoalescingShop];
}

test('those of two tenants at once: each tenant shares its own turns, four purchases at most', async () => {
  const [one, other] = await open();
  const asked = [one.keyed(30), other.keyed(30)] as const;
  const reads = Promise.all(
    Array.from({ length: 10 }, () => one.client.get(`/api/v1/users/status?user_id=${one.people[0]?.id}`)),
  );
  const [first, second] = await Promise.all([one.sendAll(asked[0]), other.sendAll(asked[1])]);
  for (const { status } of await reads) expect(status).toBe(200);
  for (const [n, answers] of [first, second].entries()) {
    const shop = [one, other][n] as CoalescingShop;
    expectAll(answers, 201);
    expect(shop.failures()).toBe(0);
    const sizes = shop.batches().map(({ count }) => count);
    expect(Math.max(...sizes)).toBe(4);
    expect(sizes.length).toBeGreaterThan(4);
    expect(await shop.counts()).toEqual({
      event: 30,
      customer: 30,
      attribution_receipt: 30,
      commission_line: 90,
      journal_entry: 30,
      idempotency_key: 30,
    });
    await expectReplays(shop, asked[n] ?? [], answers);
  }
});

test('one that is wrong is refused alone, and one that the database cannot take fails alone', async () => {
  const [shop] = await open();
  await app.database.asSuperuser(`alter table event add constraint test_poison_of_turns check (discount_minor <> 666) not valid`);
  try {
    const faults = new Map<number, object>([
      [3, { attribution: { user_id: randomUUID() } }],
      [9, { discount_minor: 666 }],
    ]);
    const asked = shop.keyed(20, (n) => faults.get(n) ?? {});
    const answers = await shop.sendAll(asked);
    expect(statusesOf(answers)).toEqual(asked.map((_, n) => ({ 3: 400, 9: 500 })[n] ?? 201));
    expect(await shop.counts()).toMatchObject({ event: 18, journal_entry: 18, idempotency_key: 18 });
  } finally {
    await app.database.asSuperuser('alter table event drop constraint test_poison_of_turns');
  }
});

test('the same purchase twenty times at once is one, whatever its Idempotency-Keys', async () => {
  const [shop] = await open();
  const body = shop.bodyOf();
  const answers = await shop.sendAll(
    Array.from({ length: 20 }, (_, n) => ({ body, headers: { 'idempotency-key': `key-${n % 5}` } })),
  );
  expect(answers.filter(({ status }) => status === 201 || status === 200)).toHaveLength(20);
  expect(await shop.counts()).toMatchObject({ event: 1, journal_entry: 1 });
});

test('a client that goes away while its purchase waits for a turn holds nobody up', async () => {
  const [shop] = await open();
  const gone = shop.keyed(6).map(({ body, headers }) => {
    const client = new AbortController();
    const sent = fetch(`${app.baseUrl}/api/v1/events/purchase`, {
      method: 'POST',
      headers: { 'x-tenant-api-key': shop.tenant.liveKey, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: client.signal,
    }).catch(() => undefined);
    setTimeout(() => client.abort(), 3);
    return sent;
  });
  const answers = await shop.sendAll(shop.keyed(12));
  expectAll(answers, 201);
  await Promise.all(gone);
  const { body } = await shop.client.get('/api/v1/events?limit=100');
  expect(body.data.length).toBeGreaterThanOrEqual(12);
});

test('a key that is revoked while its purchase waits for a turn records nothing any more', async () => {
  const slowApp = await startTestApp({ TENANT_REQUESTS_AT_ONCE: '1', FAULT_POINTS: 'idempotency:claimed=hold:3000' });
  try {
    const shop = await CoalescingShop.open(slowApp, load);
    const { apiKey, keyId } = await slowApp.tenants.createKey({ ...shop.tenant, environment: 'LIVE' });
    const other = await slowApp.newTenant();
    expect((await apiClient(slowApp, other.liveKey).get('/api/v1/users')).status).toBe(200);
    const stats = () => slowApp.composition.places.stats();
    const slowly = () =>
      shop.client
        .post('/api/v1/users', { email: `${randomUUID()}@example.com` }, { 'idempotency-key': randomUUID() })
        .then((given) => given);
    // The first takes long and has left its place, the second has it.
    const before = [slowly()];
    await within(() => expect(stats().running).toBe(1));
    before.push(slowly());
    await within(() => expect(stats().running).toBe(2));
    const purchase = apiClient(slowApp, apiKey)
      .post(PATH, shop.bodyOf())
      .then((given) => given);
    await within(() => expect(stats().waiting).toBe(1));
    const behind = [slowly(), slowly()];
    await within(() => expect(stats().waiting).toBe(3));
    await Promise.all(before);
    // It has let by those behind it.
    await within(() => expect(stats()).toMatchObject({ running: 2, waiting: 1 }));
    await slowApp.tenants.stopKey(keyId, 'revoke');
    expectRefusal(await purchase, 401, 'INVALID_API_KEY');
    for (const { status } of await Promise.all(behind)) expect(status).toBe(201);
    expect(await shop.counts()).toMatchObject({ event: 0, journal_entry: 0 });
  } finally {
    await slowApp.close();
  }
});
