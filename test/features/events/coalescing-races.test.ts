/** Coalesced purchases in several processes at once, and in one that is killed (docs/specification/events.md#coalescing). */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { setFaultPoints } from '../../../src/fault-points.ts';
import { house } from '../../../src/features.ts';
import { faultPointsOf } from '../../../src/house/house.ts';
import { type Load, openLoad } from '../../support/app/model-load.ts';
import { type ApiProcess, startApiProcess } from '../../support/app/model-process.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { ALWAYS, type Asked, CoalescingShop, expectAll, expectReplays, idOf, statusesOf } from './coalescing-shop.ts';

let app: TestApp;
let database: TestDatabase;
let load: Load;
beforeAll(async () => {
  // A circle is found to be one before whoever is in it has waited long enough to give up.
  database = await createTestDatabase();
  await database.asSuperuser(`alter role svc_app in database ${database.name} set deadlock_timeout = '20ms'`);
  app = await startTestApp(ALWAYS, database);
  load = openLoad();
});
afterEach(() => setFaultPoints(undefined, []));
afterAll(async () => {
  load.close();
  await expectSoundBooks(app);
  await app.close();
  await database.drop();
});

/** Places of a tenant are out of the way. */
const MANY = { ...ALWAYS, TENANT_REQUESTS_AT_ONCE: '1000', TENANT_REQUESTS_WAITING: '1000' };

const deadlocks = async (): Promise<number> => {
  const sql = 'select deadlocks::int as count from pg_stat_database where datname = current_database()';
  return (await app.database.asSuperuser<{ count: number }>(sql))[0]?.count ?? 0;
};

const togetherIn = ({ logLines }: Pick<ApiProcess, 'logLines'>): number =>
  logLines.filter((line) => line.includes('"msg":"purchases were recorded together"')).length;

describe('two processes', () => {
  test('with the same customers in reverse order, each refreshing them: nobody waits in a circle', async () => {
    const shop = await CoalescingShop.open(app, load);
    const before = await deadlocks();
    // So that batches meet in the middle of their customers.
    await database.asSuperuser(`
      create function test_dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(0.004); return new; end $$;
      create trigger test_dawdle before insert or update on customer for each row execute function test_dawdle()`);
    const processes = await Promise.all([startApiProcess(app, MANY), startApiProcess(app, MANY)]);
    try {
      for (const round of [1, 2, 3]) {
        const asked = processes.map(({ baseUrl }, p) =>
          Array.from({ length: 32 }, (_, n): Asked => {
            const customer = { external_id: `c${p === 0 ? n : 31 - n}`, name: `Round ${round} of ${p}` };
            return { body: shop.bodyOf({ customer }), headers: { 'idempotency-key': randomUUID() }, baseUrl };
          }),
        );
        const answers = await Promise.all(asked.map((list) => shop.sendAll(list)));
        expectAll(answers.flat(), 201);
        await expectReplays(shop, asked.flat(), answers.flat());
      }
      expect(await shop.counts()).toMatchObject({ event: 192, customer: 32, journal_entry: 192, idempotency_key: 192 });
      expect((await deadlocks()) - before).toBe(0);
      for (const one of processes) expect(togetherIn(one)).toBeGreaterThan(3);
    } finally {
      await database.asSuperuser('drop function test_dawdle cascade');
      await Promise.all(processes.map((one) => one.stop()));
    }
  });

  test('with the same events in reverse order: each once, and the first answer for the other', async () => {
    const shop = await CoalescingShop.open(app, load);
    const processes = await Promise.all([startApiProcess(app, MANY), startApiProcess(app, MANY)]);
    try {
      const bodies = Array.from({ length: 24 }, () => shop.bodyOf());
      const [there = [], back = []] = await Promise.all(
        processes.map(({ baseUrl }, p) =>
          shop.sendAll((p === 0 ? bodies : bodies.toReversed()).map((body) => ({ body, baseUrl }))),
        ),
      );
      const pairs = there.map((answer, n) => [answer, back[23 - n] ?? answer]);
      for (const [a, b] of pairs) {
        expect(new Set([a?.status, b?.status])).toEqual(new Set([200, 201]));
        expect(a?.text).toBe(b?.text);
      }
      expect(await shop.counts()).toMatchObject({ event: 24, customer: 24, journal_entry: 24 });
    } finally {
      await Promise.all(processes.map((one) => one.stop()));
    }
  });

  test('one of which holds an Idempotency-Key: the others of the batch do not wait for it', async () => {
    const shop = await CoalescingShop.open(app, load);
    const slow = await startApiProcess(app, { ...MANY, FAULT_POINTS: 'purchases:decided=hold:4000' });
    try {
      const [same = expect.unreachable()] = shop.keyed(1);
      const first = shop.sendAll([{ ...same, baseUrl: slow.baseUrl }]);
      await sleep(700);
      const began = performance.now();
      const others = shop.keyed(5);
      const [repeats, answers] = await Promise.all([shop.sendAll([same]), shop.sendAll(others)]);
      expectAll(answers, 201);
      expect(statusesOf(repeats)).toEqual([409]);
      expect(performance.now() - began).toBeLessThan(4_000);
      const [answer] = await first;
      expect(answer?.status).toBe(201);
      await expectReplays(shop, [same], answer ? [answer] : []);
      expect(await shop.counts()).toMatchObject({ event: 6, journal_entry: 6 });
    } finally {
      await slow.stop();
    }
  });
});

describe('killed with -9', () => {
  test('between what is read and what is written: nothing is kept, and the retry succeeds', async () => {
    const shop = await CoalescingShop.open(app, load);
    const before = await shop.counts();
    const doomed = await startApiProcess(app, { ...MANY, FAULT_POINTS: 'purchases:decided=kill' });
    const asked = shop.keyed(8);
    const lost = await Promise.allSettled(shop.keyed(8).map((one) => shop.sendAll([{ ...one, baseUrl: doomed.baseUrl }])));
    expect(lost.map(({ status }) => status)).toEqual(lost.map(() => 'rejected'));
    expect(await doomed.ended).toBe('SIGKILL');
    expect(await shop.counts()).toEqual(before);
    const answers = await shop.sendAll(asked);
    expectAll(answers, 201);
    await expectReplays(shop, asked, answers);
  });

  test('when all is sent: each is there with its answer, or not at all', async () => {
    const shop = await CoalescingShop.open(app, load);
    const doomed = await startApiProcess(app, { ...MANY, FAULT_POINTS: 'purchases:written=kill' });
    const asked = shop.keyed(8);
    await Promise.allSettled(asked.map((one) => shop.sendAll([{ ...one, baseUrl: doomed.baseUrl }])));
    expect(await doomed.ended).toBe('SIGKILL');
    const answers = await shop.sendAll(asked);
    expectAll(answers, 201);
    expect(await shop.counts()).toMatchObject({ event: 8, journal_entry: 8, idempotency_key: 8 });
    expect(new Set(answers.map(idOf)).size).toBe(8);
  });
});

test('held between the groups, a change of a member waits, and counts for what comes behind it', async () => {
  const shop = await CoalescingShop.open(app, load);
  setFaultPoints('purchases:decided=hold:800', faultPointsOf(house));
  const selling = shop.sendAll(shop.keyed(4));
  await sleep(300);
  const changing = shop.client.patch(`/api/v1/users/${shop.people[1]?.id}`, { is_active: false });
  const answers = await selling;
  expectAll(answers, 201);
  expect((await changing).status).toBe(200);
  setFaultPoints(undefined, []);
  const later = await shop.sendAll(shop.keyed(4));
  expectAll(later, 201);
  const paid = (text = '{}') => (JSON.parse(text).commissions as { user_id: string }[]).map(({ user_id }) => user_id);
  for (const { text } of answers) expect(paid(text)).toContain(shop.people[1]?.id);
  for (const { text } of later) expect(paid(text)).not.toContain(shop.people[1]?.id);
});
