/**
 * Whatever happens to commissions, in whatever zone, however much of it is folded: the summaries equal a
 * plain fold over the lines and postings. Sales and payouts lie around ends of months and clock changes.
 * The dates are of 2025 and 2026: sales may be five years old, so they hold until 2029.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { rebuildCommissions } from '../../../src/features/members/fold-commissions.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { moveLines } from '../../support/money/pay-out.ts';
import { foldBreakdown, foldTaxSummary, foldTeam, localDate, readBooks, startOfMonth } from './summary-fold.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const ZONES = [
  'Pacific/Auckland',
  'America/New_York',
  'Asia/Kathmandu',
  'America/St_Johns',
  'Africa/Casablanca',
  'Pacific/Apia',
  'UTC',
];

/** Clocks change at these instants in New York, St John's, Auckland and Casablanca. */
const CHANGES = [
  '2025-03-09T07:00Z',
  '2025-11-02T06:00Z',
  '2025-03-09T05:30Z',
  '2025-11-02T04:30Z',
  '2025-04-05T14:00Z',
  '2025-09-27T14:00Z',
  '2025-02-23T02:00Z',
  '2025-04-06T02:00Z',
].map((at) => Date.parse(at));

/** So long before or after the beginning of a month, counted from January 2025, in whatever zone; or an instant. */
interface When {
  base: { month: number } | { at: number };
  offset: number;
}
const when: fc.Arbitrary<When> = fc.record({
  base: fc.oneof(
    fc.record({ month: fc.integer({ min: 1, max: 18 }) }),
    fc.record({ at: fc.constantFrom(...CHANGES) }),
    fc.record({ at: fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2026, 5, 30) }) }),
  ),
  offset: fc.constantFrom(0, -1, 1, -60_000, 60_000, -1_800_000, -3_600_000, 3_600_000),
});
function instantOf({ base, offset }: When, zone: string): string {
  return new Date(('at' in base ? base.at : startOfMonth(2025, base.month, zone)) + offset).toISOString();
}

const pick = fc.nat(1_000);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('sell' as const),
      level: fc.integer({ min: 1, max: 3 }),
      amount: fc.integer({ min: 0, max: 50_000 }),
      type: fc.constantFrom('one_time', 'subscription_initial', 'subscription_renewal'),
      currency: fc.constantFrom('USD', 'USD', 'USD', 'JPY'),
      when,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('refund' as const), pick, percent: fc.integer({ min: 1, max: 100 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('hold' as const, 'release' as const, 'void' as const), pick }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('processing' as const, 'paid' as const, 'paid' as const), pick, when }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('returned' as const), pick, when }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('manual' as const),
      amount: fc.integer({ min: -900, max: 900 }).filter((n) => n !== 0),
      currency: fc.constantFrom('USD', 'USD', 'JPY'),
      when,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('advance' as const), days: fc.integer({ min: 1, max: 40 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('clear' as const, 'fold' as const, 'fold' as const, 'rebuild' as const) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('zone' as const), zone: fc.constantFrom(...ZONES) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

class History {
  readonly scope: Scope;
  readonly client: ApiClient;
  readonly chain: MemberBody[];
  zone: string;
  readonly sales: { external: string; left: number }[] = [];

  private constructor(scope: Scope, client: ApiClient, chain: MemberBody[], zone: string) {
    this.scope = scope;
    this.client = client;
    this.chain = chain;
    this.zone = zone;
  }

  static async begin(zone: string): Promise<History> {
    const tenant = await app.newTenant({ timeZone: zone });
    const client = apiClient(app, tenant.sandboxKey);
    return new History({ tenantId: tenant.tenantId, environment: 'SANDBOX' }, client, await newUpline(client, 'D D D'), zone);
  }

  /** A line with those linked to it, none of them held or reversed. */
  private async family(of: number, status: string[]): Promise<string[]> {
    const rows = await app.database.asSuperuser<{ ids: string[] }>(
      `select array_agg(id order by id) filter (where status = any ($2)) as ids from commission_line where tenant_id = $1
       group by coalesce(reverses_line_id, id) having bool_and(status = any ($2)) order by coalesce(reverses_line_id, id)`,
      [this.scope.tenantId, status],
    );
    return rows[of % Math.max(1, rows.length)]?.ids ?? [];
  }

  private async post(path: string, body: object): Promise<{ status: number; body: Record<string, unknown> }> {
    const answer = await this.client.post(`/api/v1${path}`, body);
    expect([200, 201, 409], answer.text).toContain(answer.status);
    return answer;
  }

  async take(one: Step): Promise<void> {
    switch (one.kind) {
      case 'sell':
        return this.sell(one);
      case 'refund': {
        const sale = this.sales[one.pick % Math.max(1, this.sales.length)];
        const amount = Math.ceil(((sale?.left ?? 0) * one.percent) / 100);
        if (!sale || amount === 0) return;
        sale.left -= amount;
        await this.post('/events/refund', {
          external_event_id: randomUUID(),
          purchase_external_event_id: sale.external,
          amount_minor: amount,
        });
        return;
      }
      case 'hold':
      case 'release':
      case 'void': {
        const [id] = await this.family(one.pick, one.kind === 'release' ? ['held'] : ['pending', 'cleared']);
        if (id !== undefined) await this.post(`/commissions/${id}/${one.kind}`, {});
        return;
      }
      case 'processing':
        return moveLines(app, await this.family(one.pick, ['cleared']), 'processing', instantOf(one.when, this.zone));
      case 'paid':
        return moveLines(
          app,
          await this.family(one.pick, ['pending', 'cleared', 'processing']),
          'paid',
          instantOf(one.when, this.zone),
        );
      case 'returned':
        return moveLines(app, await this.family(one.pick, ['paid']), 'cleared', instantOf(one.when, this.zone));
      case 'manual':
        await this.post('/events/commission', {
          external_event_id: randomUUID(),
          type: 'adjustment',
          user_id: this.chain[2]?.id,
          amount_minor: one.amount,
          currency: one.currency,
          description: 'by hand',
          actor: 'Kim',
          occurred_at: instantOf(one.when, this.zone),
        });
        return;
      case 'advance':
        await this.post('/sandbox/clock', { advanceSeconds: one.days * 86_400 });
        return;
      case 'rebuild':
        await app.composition.frames.write(this.scope, (db) => rebuildCommissions(db, this.scope));
        return;
      case 'zone':
        this.zone = one.zone;
        await app.database.asSuperuser('update tenant set reporting_time_zone = $2 where id = $1', [
          this.scope.tenantId,
          one.zone,
        ]);
        return;
      default:
        await app.runSweep(one.kind === 'clear' ? 'clear-commissions' : 'fold-commissions', this.scope);
    }
  }

  private async sell(sale: Extract<Step, { kind: 'sell' }>): Promise<void> {
    const { body } = await this.post(
      '/events/purchase',
      this.client.purchaseBody({
        attribution: { user_id: this.chain[3 - sale.level]?.id },
        amount_minor: sale.amount,
        type: sale.type,
        currency: sale.currency,
        occurred_at: instantOf(sale.when, this.zone),
      }),
    );
    this.sales.push({ external: String(body['external_event_id']), left: sale.amount });
  }

  private async read(member: MemberBody, path: string, currency: string): Promise<Record<string, unknown>> {
    const answer = await this.client.get(
      `/api/v1/members/${member.id}/${path}${path.includes('?') ? '&' : '?'}currency=${currency}`,
    );
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  }

  async check(periods: readonly string[], years: readonly number[]): Promise<void> {
    const clock = await this.client.get('/api/v1/sandbox/clock');
    const books = { ...(await readBooks(app, this.scope.tenantId)), now: new Date(clock.body.now as string) };
    for (const member of this.chain) {
      for (const currency of ['USD', 'JPY']) {
        for (const period of periods) {
          const { byLevel, ...breakdown } = await this.read(member, `commissions/breakdown?period=${period}`, currency);
          const levels = byLevel as { level: number; amount: number; count: number }[];
          expect({ ...breakdown, byLevel: levels.map(({ level, amount, count }) => ({ level, amount, count })) }).toEqual(
            foldBreakdown(books, member.id, currency, this.zone, period),
          );
          expectWhole({ ...breakdown, byLevel: levels });
          const team = await this.read(member, `team-stats?period=${period}`, currency);
          expect(team).toMatchObject({ ...foldTeam(books, member.id, currency, this.zone, period), timeZone: this.zone });
        }
        for (const year of years) {
          const summary = await this.read(member, `tax-summary/${year}`, currency);
          expect(summary).toEqual(foldTaxSummary(books, member.id, currency, this.zone, year));
        }
        const referrals = await this.read(member, 'referral-stats', currency);
        const { commission } = foldTeam(books, member.id, currency, this.zone, 'all');
        const [recruit] = referrals['topPerformers'] as { commissionGenerated: number }[];
        expect([referrals['totalCommissionFromReferrals'], recruit?.commissionGenerated ?? 0]).toEqual([commission, commission]);
      }
    }
  }

  /** The months that have something, and those beside them. */
  async months(): Promise<string[]> {
    const { lines } = await readBooks(app, this.scope.tenantId);
    const months = new Set(
      lines
        .flatMap(({ at }) => [at.getTime() - 86_400_000, at.getTime(), at.getTime() + 86_400_000])
        .map((at) => localDate(at, this.zone).slice(0, 7)),
    );
    return [...months];
  }
}

/** Each of the four groupings sums to the total, to the minor unit. */
function expectWhole(breakdown: Record<string, unknown>): void {
  const { totalAmount, bySource, byStatus, byLevel, trend } = breakdown as {
    totalAmount: number;
    bySource: Record<string, number>;
    byStatus: Record<string, number>;
    byLevel: { amount: number }[];
    trend: { amount: number }[];
  };
  const cents = (amounts: readonly number[]) => Math.round(amounts.reduce((total, amount) => total + amount, 0) * 100);
  const amountsOf = (rows: readonly { amount: number }[]) => rows.map(({ amount }) => amount);
  const parts = [Object.values(bySource), Object.values(byStatus), amountsOf(byLevel), amountsOf(trend)];
  expect(parts.map(cents)).toEqual(parts.map(() => cents([totalAmount])));
}

test('breakdown, tax summary and totals equal a plain fold', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...ZONES), fc.array(step, { minLength: 12, maxLength: 30 }), async (zone, steps) => {
      const history = await History.begin(zone);
      for (const [index, one] of steps.entries()) {
        await history.take(one);
        if (index % 6 === 5) await history.check(['all'], [2025]);
      }
      const months = await history.months();
      await history.check(['all', ...months], [2024, 2025, 2026]);
      await app.runSweep('fold-commissions', history.scope);
      await history.check(['all', ...months], [2024, 2025, 2026]);
    }),
    { numRuns: 6, interruptAfterTimeLimit: 120_000 },
  );
  await expectCleanBooks(app);
});
