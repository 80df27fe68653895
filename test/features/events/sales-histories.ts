/** Random histories of sales: whatever is sold and taken back, in whatever zone, however much of it is folded. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { MemberBody } from '../../support/app/api-client.ts';
import { examineBooks } from '../../support/app/examine-books.ts';
import type { TestApp } from '../../support/app/test-app.ts';
import type { Sale } from '../../support/money/money-calls.ts';
import { startOfMonth } from '../members/summary-fold.ts';
import { newDispute, PERIODS, SalesShop } from './sales-shop.ts';

const ZONES = ['Pacific/Auckland', 'America/New_York', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia', 'UTC'];

/** Beside the beginning of a month, counted from January 2025, or an hour in which clocks are changed. */
const when = fc.record({
  month: fc.integer({ min: 1, max: 15 }),
  offset: fc.constantFrom(0, -1, 1, -3_600_000, 3_600_000, 86_400_000, 40 * 3_600_000, 8 * 86_400_000),
});
type When = typeof when extends fc.Arbitrary<infer T> ? T : never;

const pick = fc.nat(1_000);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('sell' as const),
      seller: fc.nat(2),
      own: fc.boolean(),
      gross: fc.oneof(fc.nat(50), fc.integer({ min: 0, max: 999_999_999_999 })),
      taxPercent: fc.nat(100),
      when,
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('refund' as const), pick, percent: fc.integer({ min: 1, max: 100 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('dispute' as const),
      pick,
      stages: fc.constantFrom(
        ['opened'],
        ['opened', 'lost'],
        ['lost'],
        ['lost', 'won'],
        ['opened', 'won'],
        ['opened', 'lost', 'won'],
      ),
      percent: fc.integer({ min: 1, max: 100 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('fold' as const, 'fold' as const, 'rebuild' as const, 'begin' as const) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('zone' as const), zone: fc.constantFrom(...ZONES) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

class History {
  readonly shop: SalesShop;
  private readonly members: MemberBody[];
  private readonly sales: { sale: Sale; gross: number }[] = [];
  private readonly instants: number[] = [];

  constructor(shop: SalesShop, members: MemberBody[]) {
    this.shop = shop;
    this.members = members;
  }

  async take(one: Step): Promise<void> {
    switch (one.kind) {
      case 'sell':
        return this.sell(one);
      case 'refund': {
        const { sale, gross } = this.sales[one.pick % Math.max(1, this.sales.length)] ?? {};
        // More than is left is refused, which changes nothing.
        if (sale && gross) await this.shop.refund(sale, Math.ceil((gross * one.percent) / 100));
        return;
      }
      case 'dispute': {
        const { sale, gross } = this.sales[one.pick % Math.max(1, this.sales.length)] ?? {};
        if (!sale || !gross) return;
        const id = newDispute();
        const amount_minor = Math.ceil((gross * one.percent) / 100);
        for (const stage of one.stages) {
          await this.shop.dispute(sale, id, stage, stage === 'won' ? {} : { amount_minor });
        }
        return;
      }
      case 'zone':
        return this.shop.setZone(one.zone);
      default:
        await this.shop[one.kind]();
    }
  }

  private async sell({ seller, own, gross, taxPercent, when: at }: Extract<Step, { kind: 'sell' }>): Promise<void> {
    const member = this.members[seller] ?? expect.unreachable();
    const occurredAt = this.instantOf(at);
    this.instants.push(occurredAt);
    const sale = await this.shop.sell(member, gross, Math.floor((gross * taxPercent) / 100), {
      occurred_at: new Date(occurredAt).toISOString(),
      ...(own && { attribution: undefined, buyer_user_id: member.id }),
    });
    this.sales.push({ sale, gross });
  }

  private instantOf({ month, offset }: When): number {
    return startOfMonth(2025 + Math.floor((month - 1) / 12), ((month - 1) % 12) + 1, this.shop.zone) + offset;
  }

  /** What is read at some instants beside sales is the plain fold over the events. */
  async check(): Promise<void> {
    const events = await this.shop.events();
    const instants = [...this.instants.slice(-3).flatMap((at) => [at, at + 1]), Date.now() + 60_000];
    for (const at of instants) {
      const asOf = new Date(at);
      expect(await this.shop.read(this.members, PERIODS, asOf), asOf.toISOString()).toEqual(
        this.members.map((member) =>
          Object.fromEntries(PERIODS.map((period) => [period, this.shop.plain(events, member, period, asOf)])),
        ),
      );
    }
    const days = ['2025-03-01', '2025-07-01'] as const;
    expect(await this.shop.readDays(this.members, ...days)).toEqual(
      this.members.map((member) => this.shop.plainOfDays(events, member, ...days)),
    );
  }

  /** All folded, the sums are what a rebuild makes of the events. */
  async checkFolded(): Promise<void> {
    await this.shop.beginAndSum();
    while ((await this.shop.fold()) > 0);
    const folded = await this.shop.folded();
    await this.check();
    await this.shop.rebuild();
    expect(await this.shop.folded()).toEqual(folded);
  }
}

const history = fc.record({
  zone: fc.constantFrom(...ZONES),
  /** The step before which the sums are made ready; before, a history may have begun them itself. */
  readyAt: fc.nat(6),
  steps: fc.array(step, { minLength: 12, maxLength: 28 }),
});
type Parameters = fc.Parameters<[typeof history extends fc.Arbitrary<infer T> ? T : never]>;

/** Holds for so many random histories; a failure prints the seed, by which it can be had again. */
export async function expectSumsOfHistories(app: TestApp, parameters: Parameters): Promise<void> {
  await fc.assert(
    fc.asyncProperty(history, async ({ zone, readyAt, steps }) => {
      const shop = await SalesShop.open(app, { zone });
      const members = [
        await shop.client.newMember(),
        await shop.client.newMember(),
        await shop.client.newMember({ is_test_user: true }),
      ];
      const taken = new History(shop, members);
      for (const [index, one] of steps.entries()) {
        if (index === readyAt) await shop.beginAndSum();
        await taken.take(one);
        if (index % 6 === 5) await taken.check();
      }
      await taken.checkFolded();
    }),
    parameters,
  );
  const audits = await examineBooks(app.database.adminUrl);
  expect(audits.find(({ id }) => id === 'R-2')?.breaches).toEqual([]);
}
