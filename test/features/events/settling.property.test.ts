/**
 * However sales, refunds and disputes come in before a period is settled, and whatever comes late: each line with its
 * top-ups is what the sale pays at the last step that its member has reached, worked out here from the history alone.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginSales } from '../../../src/features/events/sales-sums/begin-sales.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { addPlan } from '../../support/money/model-plan.ts';
import { disputeOf, refundOf, type Sale } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { type Ladder, SettlingShop } from './settling-shop.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

const MEASURES = ['base', 'amount', 'sales'] as const;
const gross = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 900_000 }));

const sell = fc.record({
  kind: fc.constant('sell' as const),
  seller: fc.nat(1),
  gross,
  taxPercent: fc.nat(100),
  month: fc.integer({ min: 1, max: 3 }),
  day: fc.integer({ min: 1, max: 4 }),
  /** By a plan that has no ladder. */
  elsewhere: fc.boolean(),
});
const pick = fc.nat(1_000);
const percent = fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 100 }));
const takeBack = fc.oneof(
  fc.record({ kind: fc.constant('refund' as const), pick, percent }),
  fc.record({
    kind: fc.constant('dispute' as const),
    pick,
    percent,
    stages: fc.constantFrom(
      ['opened'],
      ['opened', 'lost'],
      ['lost'],
      ['lost', 'won'],
      ['opened', 'won'],
      ['opened', 'lost', 'won'],
    ),
  }),
);
const settle = fc.record({ kind: fc.constant('settle' as const) });
type Step = typeof sell | typeof takeBack | typeof settle extends fc.Arbitrary<infer T> ? T : never;

const ladder = fc
  .record({
    measure: fc.constantFrom(...MEASURES),
    period: fc.constantFrom('month' as const, 'quarter' as const, 'year' as const),
    rates: fc.array(fc.integer({ min: 1, max: 4_000 }), { minLength: 4, maxLength: 4 }),
    starts: fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { minLength: 3, maxLength: 3 }),
  })
  .map(({ measure, period, rates, starts }) => {
    const unit = measure === 'sales' ? 0.005 : 1_500;
    const from = [0, ...starts.toSorted((a, b) => a - b).map((start, n) => n + 1 + Math.floor(start * unit))];
    const steps = rates.map((rateBps, n) => ({ from: measure === 'sales' ? (from[n] ?? 0) : { USD: from[n] ?? 0 }, rateBps }));
    return { id: '', measure, period, settle: 'whole_period' as const, steps };
  });

interface Sold {
  sale: Sale;
  seller: number;
  gross: number;
  base: number;
  month: number;
  elsewhere: boolean;
  refunded: number;
}

interface Line {
  id: string;
  level: number;
  member: string;
  amount: number;
  top_ups: number;
  remaining: number;
}

/** Half up. */
const divide = (numerator: bigint, denominator: bigint): bigint => (2n * numerator + denominator) / (2n * denominator);

class History {
  private readonly shop: SettlingShop;
  /** Of level 1 and of level 2. */
  private readonly ladders: readonly Ladder[];
  private readonly sold: Sold[] = [];
  /** By member, ladder and period. */
  private readonly steps = new Map<string, number>();
  private disputes = 0;

  constructor(shop: SettlingShop, ladders: readonly Ladder[]) {
    this.shop = shop;
    this.ladders = ladders;
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'settle') return this.settle();
    if (step.kind === 'sell') return this.sell(step);
    const one = this.sold[step.pick % Math.max(1, this.sold.length)];
    if (!one) return;
    const part = Math.min(Math.ceil((one.gross * step.percent) / 100), one.gross - one.refunded);
    if (part === 0) return;
    if (step.kind === 'refund') {
      expect((await refundOf(this.shop.client, one.sale, { amount_minor: part })).status).toBe(201);
      one.refunded += part;
      return;
    }
    const id = `d-${++this.disputes}`;
    for (const stage of step.stages) {
      const amount = stage === 'won' ? {} : { amount_minor: part };
      expect((await disputeOf(this.shop.client, one.sale, id, stage, amount)).status).toBe(201);
    }
    if (step.stages.at(-1) === 'lost') one.refunded += part;
  }

  private async sell(step: Extract<Step, { kind: 'sell' }>): Promise<void> {
    const tax = Math.floor((step.gross * step.taxPercent) / 100);
    const sale = await this.shop.sell(0, {
      amount_minor: step.gross,
      tax_minor: tax,
      occurred_at: `2025-0${step.month}-0${step.day}T12:00:00Z`,
      attribution: { user_id: this.shop.people[step.seller]?.id },
      ...(step.elsewhere && { line_items: [{ sku: 'elsewhere', quantity: 1, amount_minor: step.gross }] }),
    });
    this.sold.push({ ...step, sale, base: step.gross - tax, refunded: 0 });
  }

  private nameOf(member: number, { id, period }: Ladder, month: number): string {
    return `${member} ${id} ${{ month, quarter: 'Q1', year: '2025', lifetime: '' }[period]}`;
  }

  /** What the ladder measures of the member's sales in the period of the month. */
  private sumOf(member: number, of: Ladder, month: number): number {
    const own = this.sold.filter(
      (one) => one.seller === member && this.nameOf(member, of, one.month) === this.nameOf(member, of, month),
    );
    return own.reduce((sum, { gross: amount, base, refunded }) => {
      const back = Number(divide(BigInt(base) * BigInt(refunded), BigInt(amount)));
      return sum + { base: base - back, amount: amount - refunded, sales: refunded < amount ? 1 : 0 }[of.measure];
    }, 0);
  }

  /** Folds and settles all, then looks at every line. */
  async settle(): Promise<void> {
    const before = new Map((await this.lines()).map((line) => [line.id, line]));
    while ((await this.shop.fold()) > 0);
    await this.shop.settle();
    for (const [member] of this.shop.people.entries()) {
      for (const of of this.ladders) {
        for (const month of [1, 2, 3]) {
          const sum = this.sumOf(member, of, month);
          const at = of.steps.findLastIndex(({ from }) => (typeof from === 'number' ? from : (from['USD'] ?? 0)) <= sum);
          const name = this.nameOf(member, of, month);
          if (this.isPaidIn(member, of, month)) this.steps.set(name, Math.max(at, this.steps.get(name) ?? 0));
        }
      }
    }
    const lines = await this.lines();
    for (const line of lines) {
      const of = this.ladders[line.level - 1];
      const one = this.sold.find(({ sale }) => sale.commissions.some(({ id }) => id === line.id));
      const member = this.shop.people.findIndex(({ id }) => id === line.member);
      if (!of || !one) continue;
      const step = this.steps.get(this.nameOf(member, of, one.month)) ?? 0;
      const whole = divide(BigInt(one.base) * BigInt(of.steps[step]?.rateBps ?? 0), 10_000n);
      // Of a line of which nothing is left nothing is topped up.
      const expected = line.remaining === 0 ? (before.get(line.id)?.top_ups ?? 0) : Number(whole) - line.amount;
      expect([line.level, line.amount, line.top_ups, step], JSON.stringify(one)).toEqual([
        line.level,
        line.amount,
        expected,
        step,
      ]);
    }
  }

  /** Whether the ladder has paid the member a sale of the period: only then it is settled. */
  private isPaidIn(member: number, of: Ladder, month: number): boolean {
    const level = this.ladders.indexOf(of) + 1;
    const id = this.shop.people[member]?.id;
    return this.sold.some(
      (one) =>
        !one.elsewhere &&
        this.nameOf(member, of, one.month) === this.nameOf(member, of, month) &&
        one.sale.commissions.some((line) => line.level === level && line.user_id === id),
    );
  }

  /** Lines of purchases that ladders paid. */
  private lines(): Promise<Line[]> {
    return this.shop.app.database.asSuperuser<Line & Record<string, unknown>>(
      `select o.id, o.level, o.beneficiary_id as member, o.amount_minor::int as amount,
              (select coalesce(sum(t.amount_minor), 0)::int from commission_line t
               where t.about_event_id = o.event_id and t.beneficiary_id = o.beneficiary_id and t.level = o.level) as top_ups,
              (select sum(l.amount_minor)::int from commission_line l where l.id = o.id or l.reverses_line_id = o.id) as remaining
       from commission_line o
       where o.tenant_id = $1 and o.kind = 'commission' and o.pay_source = 'ladder'`,
      [this.shop.tenant.tenantId],
    );
  }

  /** Nothing is left of line and top-ups of any sale that is taken back to its end. */
  async takeAllBack(): Promise<void> {
    for (const { sale, gross: amount, refunded } of this.sold) {
      if (refunded < amount) expect((await refundOf(this.shop.client, sale, {})).status).toBe(201);
    }
    const left = await this.shop.app.database.asSuperuser(
      `select coalesce(l.about_event_id, o.about_event_id, o.event_id, l.event_id) as sale, l.beneficiary_id, sum(l.amount_minor)
       from commission_line l left join commission_line o on o.id = l.reverses_line_id
       where l.tenant_id = $1 group by 1, 2 having sum(l.amount_minor) <> 0`,
      [this.shop.tenant.tenantId],
    );
    expect(left).toEqual([]);
  }
}

async function open(ladders: readonly [Ladder, Ladder]): Promise<SettlingShop> {
  const levels = [
    { level: 1, ladder: 'first' },
    { level: 2, ladder: 'second' },
  ];
  const shop = await SettlingShop.open(app, { levels, ladders: [...ladders] });
  const three = [1, 2, 3].map((level) => ({ level, rateBps: 700 }));
  await addPlan(app, shop.tenant, {
    base: 'net_of_tax',
    levels: three,
    scope: { priority: 9, types: null, skus: ['elsewhere'], groups: null, categories: null },
  });
  return shop;
}

/** Transactions of other databases of the server are waited for, too. */
async function sumUp({ tenant, scope, ...shop }: SettlingShop): Promise<void> {
  await app.composition.frames.write(scope, (db) => beginSales(db, scope));
  const isReady = async () => {
    await app.runSweep('fold-sales', scope);
    const sql = "select ready from rollup_state where tenant_id = $1 and environment = 'LIVE' and rollup = 'sales'";
    return (await shop.app.database.asSuperuser<{ ready: boolean }>(sql, [tenant.tenantId]))[0]?.ready;
  };
  await expect.poll(isReady, { timeout: 60_000 }).toBe(true);
}

const two = fc.tuple(
  ladder.map((one) => ({ ...one, id: 'first' })),
  ladder.map((one) => ({ ...one, id: 'second' })),
);

test('in any order before the period is settled, once', async () => {
  const steps = fc.array(fc.oneof({ weight: 3, arbitrary: sell }, { weight: 2, arbitrary: takeBack }), {
    minLength: 5,
    maxLength: 16,
    size: 'max',
  });
  await fc.assert(
    fc.asyncProperty(two, steps, async (ladders, all) => {
      const shop = await open(ladders);
      const history = new History(shop, ladders);
      for (const one of all) await history.take(one);
      await history.settle();
      await history.takeAllBack();
    }),
    { numRuns: 25, interruptAfterTimeLimit: 60_000, endOnFailure: true },
  );
});

test('with runs between them, and sales that come late by whichever plan', async () => {
  const steps = fc.array(
    fc.oneof({ weight: 4, arbitrary: sell }, { weight: 2, arbitrary: takeBack }, { weight: 2, arbitrary: settle }),
    { minLength: 8, maxLength: 20, size: 'max' },
  );
  await fc.assert(
    fc.asyncProperty(two, steps, async (ladders, all) => {
      const shop = await open(ladders);
      await sumUp(shop);
      const history = new History(shop, ladders);
      for (const one of all) await history.take(one);
      await history.settle();
      await history.takeAllBack();
    }),
    { numRuns: 25, interruptAfterTimeLimit: 60_000, endOnFailure: true },
  );
});
