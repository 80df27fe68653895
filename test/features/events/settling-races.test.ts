/** Settling whole periods at once with itself, with sales, refunds and folds, and in a process that is killed: every top-up once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { tryLock } from '../../../src/db/lock-classes.ts';
import { setFaultPoints } from '../../../src/fault-points.ts';
import { beginSales } from '../../../src/features/events/sales-sums/begin-sales.ts';
import { house } from '../../../src/features.ts';
import { faultPointsOf } from '../../../src/house/house.ts';
import { runBatch } from '../../../src/jobs/schedule.ts';
import { startApiProcess } from '../../support/app/model-process.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { accept } from '../../support/money/debts.ts';
import { addPlan } from '../../support/money/model-plan.ts';
import { refundOf, type Sale } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { noonOf, SettlingShop } from './settling-shop.ts';

const SWEEP = 'settle-ladders';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(() => setFaultPoints(undefined, []));
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

const OTHER = { line_items: [{ sku: 'elsewhere', quantity: 1, amount_minor: 1 }] };
const by = (shop: SettlingShop, n: number) => ({ attribution: { user_id: shop.people[n]?.id } });

/** Some sales are paid by another plan, without a ladder; the sums of all are ready. */
async function openBeside(): Promise<SettlingShop> {
  const shop = await SettlingShop.open(app);
  await addPlan(app, shop.tenant, {
    base: 'net_of_tax',
    levels: [{ level: 1, rateBps: 500 }],
    scope: { priority: 9, types: null, skus: ['elsewhere'], groups: null, categories: null },
  });
  await app.composition.frames.write(shop.scope, (db) => beginSales(db, shop.scope));
  const isReady = async () => {
    await shop.fold();
    const sql = "select ready from rollup_state where tenant_id = $1 and environment = 'LIVE' and rollup = 'sales'";
    return (await app.database.asSuperuser<{ ready: boolean }>(sql, [shop.tenant.tenantId]))[0]?.ready;
  };
  // Transactions of other databases of the server are waited for, too.
  await expect.poll(isReady, { timeout: 60_000 }).toBe(true);
  return shop;
}

/** From the point on whoever comes to it is held, until this file is told otherwise. */
const hold = (point: string, ms: number) => setFaultPoints(`${point}=hold:${ms}`, faultPointsOf(house));

/** Whether a run excludes folds: it does so a moment after it has locked what it settles. */
async function isTaken({ scope }: SettlingShop): Promise<boolean> {
  const free = `select ${tryLock('salesSums', '$1::text')} as mine`;
  const key = `${scope.tenantId}:${scope.environment}`;
  return (await app.database.asSuperuser<{ mine: boolean }>(free, [key]))[0]?.mine === false;
}

/** Folds and settles until nothing is due. */
async function finish(shop: SettlingShop): Promise<void> {
  while ((await shop.fold()) > 0);
  await shop.settle();
}

/** Three members, each with a sale of 3000.00 and one of 4000.00 in each of two months: 12 % in the end. */
async function six(shop: SettlingShop): Promise<Sale[]> {
  const sales: Sale[] = [];
  for (const member of [0, 1, 2]) {
    for (const day of ['2026-02-03', '2026-03-03']) {
      sales.push(await shop.sell(300_000, { ...noonOf(day), ...by(shop, member) }));
      sales.push(await shop.sell(400_000, { ...noonOf(day), ...by(shop, member) }));
    }
  }
  return sales;
}
const SIX = Array.from({ length: 6 }, () => [[6_000], [8_000]]).flat();

describe('at once', () => {
  test('with itself, first and again for a late sale: each difference once', async () => {
    const shop = await SettlingShop.open(app);
    const sales = await six(shop);
    const run = () => Promise.all(Array.from({ length: 5 }, () => app.runSweep(SWEEP, shop.scope)));
    const counts = await run();
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(6);
    expect(await shop.topUps(sales)).toEqual(SIX);
    const late = await shop.sell(500_000, noonOf('2026-03-04'));
    expect(late.commissions[0]?.amount_minor).toBe(60_000);
    await run();
    await run();
    const [, , second, third] = await shop.topUps([...sales.slice(0, 2), ...sales.slice(2, 4)]);
    expect([second, third, ...(await shop.topUps([late]))]).toEqual([[6_000, 9_000], [8_000, 12_000], [15_000]]);
    expect(await shop.periods()).toHaveLength(7);
  });

  test('with a late sale that its ladder pays, held before the run is written: the next run has it', async () => {
    const shop = await openBeside();
    const first = await shop.sell(300_000, noonOf('2026-03-02'));
    const second = await shop.sell(400_000, noonOf('2026-03-03'));
    hold('ladders:settled', 1_200);
    const run = app.runSweep(SWEEP, shop.scope);
    await expect.poll(() => isTaken(shop)).toBe(true);
    const [late, other, folded] = await Promise.all([
      shop.sell(100_000, noonOf('2026-03-04')),
      shop.sell(250_000, { ...noonOf('2026-03-05'), ...OTHER }),
      shop.fold(),
    ]);
    expect(folded).toBe(0);
    expect(await run).toBe(1);
    expect(await shop.topUps([first, second])).toEqual([[6_000], [8_000]]);
    await finish(shop);
    expect(await shop.topUps([first, second, late, other])).toEqual([[6_000, 9_000], [8_000, 12_000], [3_000], []]);
  });

  test.each([
    ['its ladder', {}],
    ['another plan', OTHER],
  ])('with a sale that is being recorded, by %s: before or behind it, in the end all have it', async (_which, fields) => {
    for (const isSettledBefore of [false, true]) {
      const shop = await openBeside();
      const first = await shop.sell(300_000, noonOf('2026-03-02'));
      if (isSettledBefore) await finish(shop);
      hold('purchase:decided', 1_200);
      const selling = shop.sell(900_000, { ...noonOf('2026-03-04'), ...fields });
      await sleep(300);
      await shop.settle();
      await shop.fold();
      expect(await shop.topUps([first])).toEqual([[]]);
      await selling;
      setFaultPoints(undefined, []);
      await finish(shop);
      expect(await shop.topUps([first])).toEqual([[15_000]]);
      await finish(shop);
      expect(await shop.topUps([first])).toEqual([[15_000]]);
    }
  });

  test('with refunds: each waits for the run or comes before it, and all ends at nothing', async () => {
    const shop = await openBeside();
    const sales = await six(shop);
    hold('period:written', 300);
    const run = app.runSweep(SWEEP, shop.scope);
    await sleep(100);
    setFaultPoints(undefined, []);
    const back = sales.map((sale) => accept(refundOf(shop.client, sale, { amount_minor: 101_003 })));
    await Promise.all([run, ...back]);
    await finish(shop);
    await Promise.all([...sales.map((sale) => accept(refundOf(shop.client, sale, {}))), app.runSweep(SWEEP, shop.scope)]);
    expect(await Promise.all(sales.map((sale) => shop.left(sale)))).toEqual(sales.map(() => ({ line: 0, topUp: 0 })));
  });

  test('with everything: in the end each line is what the last step pays', async () => {
    const shop = await openBeside();
    const bases = [13, 99_991, 50_021, 70_001, 30_011, 123_457, 80_021, 60_013];
    const sales: { sale: Sale; base: number; member: number }[] = [];
    const selling = new AbortController();
    const repeat = async (work: () => Promise<unknown>) => {
      while (!selling.signal.aborted) await work();
    };
    const sellAll = async (member: number) => {
      for (const round of [0, 1, 2]) {
        await Promise.all(
          bases.map(async (base, n) => {
            const sale = await shop.sell(base, { ...noonOf(`2026-03-${10 + n}`), ...by(shop, member), ...(n === 5 && OTHER) });
            if (n !== 5) sales.push({ sale, base, member });
            // A unit of tax: the sums are far from where steps begin.
            if (n === 3 + round) await accept(refundOf(shop.client, sale, { amount_minor: 1 })).catch(() => undefined);
          }),
        );
      }
    };
    const work = [
      repeat(() => app.runSweep(SWEEP, shop.scope)),
      repeat(() => app.runSweep(SWEEP, shop.scope)),
      repeat(() => shop.fold()),
    ];
    try {
      await Promise.all([sellAll(0), sellAll(1)]);
    } finally {
      selling.abort();
      await Promise.all(work);
    }
    await finish(shop);
    // 1522584 of each.
    const topUps = await shop.topUps(sales.map(({ sale }) => sale));
    for (const [n, { sale, base }] of sales.entries()) {
      const line = sale.commissions.find(({ level }) => level === 1)?.amount_minor ?? 0;
      const all = (topUps[n] ?? []).reduce((sum, one) => sum + one, line);
      expect(all, `a sale of ${base}`).toBe(Math.floor((2 * base * 1500 + 10_000) / 20_000));
    }
  });
});

test('batches of late sales, each in another order of members, are recorded whole', async () => {
  const shop = await SettlingShop.open(app);
  const sell = (member: number, day: number) => ({
    kind: 'purchase',
    ...shop.client.purchaseBody({ amount_minor: 50_000, ...noonOf(`2026-0${day}-03`), ...by(shop, member) }),
  });
  const orders = [
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 2],
    [2, 0, 1],
  ];
  for (const round of [0, 1, 2]) {
    const batches = orders.map((order, n) =>
      shop.client.post('/api/v1/events/batch', {
        events: [0, 1, 2, 3, 4, 5].map((one) => sell(order[one % 3] ?? 0, n % 2 ? 1 + one : 6 - one)),
      }),
    );
    const answers = await Promise.all([...batches, round > 0 ? app.runSweep(SWEEP, shop.scope) : 0]);
    for (const answer of answers.slice(0, 4) as { status: number; text: string; body: { results: { status: number }[] } }[]) {
      expect(answer.status, answer.text).toBe(207);
      expect(answer.body.results.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201]);
    }
  }
});

describe('killed with -9', () => {
  test.each([['period:written'], ['ladders:settled']])(
    'at %s: nothing is written, and the next worker does it once',
    async (point) => {
      const shop = await SettlingShop.open(app);
      const sales = await six(shop);
      const doomed = await startApiProcess(app, { JOBS: 'inline', SWEEP_INTERVAL_MS: '50', FAULT_POINTS: `${point}=kill` });
      expect(await doomed.ended).toBe('SIGKILL');
      expect(await shop.periods()).toEqual([]);
      expect(await shop.settle()).toBe(6);
      expect(await shop.topUps(sales)).toEqual(SIX);
      expect(await shop.periods()).toHaveLength(6);
    },
  );

  test('between batches: those that were settled stay so', async () => {
    const shop = await SettlingShop.open(app);
    const sales = await six(shop);
    const { background, logger } = app.composition;
    const sweep = background.sweeps.find(({ name }) => name === SWEEP) ?? expect.unreachable();
    expect(await runBatch(background.frames, logger, sweep, shop.scope, 2)).toBe(2);
    const after = await shop.periods();
    expect(after).toHaveLength(2);
    const doomed = await startApiProcess(app, { JOBS: 'inline', SWEEP_INTERVAL_MS: '50', FAULT_POINTS: 'ladders:settled=kill' });
    expect(await doomed.ended).toBe('SIGKILL');
    expect(await shop.periods()).toEqual(after);
    expect(await shop.settle()).toBe(4);
    expect(await shop.topUps(sales)).toEqual(SIX);
    expect((await shop.periods()).slice(0, 2)).toEqual(after);
  });
});
