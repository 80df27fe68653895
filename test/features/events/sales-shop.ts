/** A shop whose sales are summed up, and the same sums as a plain fold over its events: in JavaScript, with its own calendar. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { beginSales } from '../../../src/features/events/sales-sums/begin-sales.ts';
import { rebuildSales } from '../../../src/features/events/sales-sums/fold-sales.ts';
import { readSales, readSalesOfDays, type SalesByPart } from '../../../src/features/events/sales-sums/read-sales.ts';
import type { SalesPeriod } from '../../../src/features/events/sales-sums/read-sales-queries.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import type { TestApp, TestTenant } from '../../support/app/test-app.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { disputeOf, purchaseOf, refundOf, type Sale } from '../../support/money/money-calls.ts';
import { localDate } from '../members/summary-fold.ts';

export const SWEEP = 'fold-sales';
export const PERIODS = ['month', 'quarter', 'year', 'lifetime'] as const;

interface EventRow {
  id: string;
  kind: string;
  stage: string | null;
  dispute: string | null;
  purchase: string | null;
  member: string | null;
  buyer: string | null;
  block: string | null;
  currency: string;
  amount: string;
  base: string;
  at: Date;
}

export class SalesShop {
  readonly app: TestApp;
  readonly tenant: TestTenant;
  readonly scope: Scope;
  readonly client: ApiClient;
  zone: string;

  private constructor(app: TestApp, tenant: TestTenant, environment: Scope['environment'], zone: string) {
    this.app = app;
    this.tenant = tenant;
    this.scope = { tenantId: tenant.tenantId, environment };
    this.client = apiClient(app, environment === 'LIVE' ? tenant.liveKey : tenant.sandboxKey);
    this.zone = zone;
  }

  /** Its plan takes the base net of tax and pays who buys for itself. */
  static async open(
    app: TestApp,
    { zone = 'UTC', environment = 'LIVE' }: { zone?: string; environment?: Scope['environment'] } = {},
  ): Promise<SalesShop> {
    const tenant = await app.newTenant({ timeZone: zone });
    await publishPlan(app, tenant, { personalPurchase: 'self_rebate' });
    return new SalesShop(app, tenant, environment, zone);
  }

  inSandbox(): SalesShop {
    return new SalesShop(this.app, this.tenant, 'SANDBOX', this.zone);
  }

  /** Of that gross, with so much of it tax, credited to the member. */
  sell(member: MemberBody, grossMinor: number, taxMinor = 0, fields: object = {}): Promise<Sale> {
    return purchaseOf(this.client, {
      amount_minor: grossMinor,
      tax_minor: taxMinor,
      attribution: { user_id: member.id },
      ...fields,
    });
  }

  refund(sale: Sale, amountMinor?: number): Promise<unknown> {
    return refundOf(this.client, sale, amountMinor === undefined ? {} : { amount_minor: amountMinor });
  }

  dispute(sale: Sale, id: string, stage: 'opened' | 'won' | 'lost', fields: object = {}): Promise<unknown> {
    return disputeOf(this.client, sale, id, stage, fields);
  }

  async begin(): Promise<void> {
    await this.app.composition.frames.write(this.scope, (db) => beginSales(db, this.scope));
  }

  /** Until the sums are ready. */
  async beginAndSum(): Promise<void> {
    await this.begin();
    await this.foldUntilReady();
  }

  /** Transactions of other databases of the server are waited for, too. */
  async foldUntilReady(): Promise<void> {
    await expect.poll(async () => [await this.fold(), (await this.states())[0]?.ready], { timeout: 60_000 }).toEqual([0, true]);
  }

  fold(): Promise<number> {
    return this.app.runSweep(SWEEP, this.scope);
  }

  rebuild(): Promise<number> {
    return this.app.composition.background.frames.write(this.scope, (db) => rebuildSales(db, this.scope));
  }

  async setZone(zone: string): Promise<void> {
    this.zone = zone;
    await this.app.database.asSuperuser('update tenant set reporting_time_zone = $2 where id = $1', [this.scope.tenantId, zone]);
  }

  async states(): Promise<{ ready: boolean; zone: string }[]> {
    return this.rows("select ready, time_zone as zone from rollup_state where rollup = 'sales' and");
  }

  /** What waits to be folded, oldest first: `+100 base +120 gross +1`. */
  async waiting(): Promise<string[]> {
    const rows = await this.rows<{ text: string }>(
      `select format('%s base %s gross %s %s', base_minor, amount_minor, sales, part) as text, id from sales_pending where`,
    );
    return rows.map(({ text }) => text);
  }

  async folded(): Promise<{ days: unknown[]; years: unknown[] }> {
    const of = (table: string) =>
      this.rows(
        `select to_jsonb(t) - 'tenant_id' - 'environment' as row, 1 as id from ${table} t
                 where (t.base_minor <> 0 or t.amount_minor <> 0 or t.sales <> 0) and`,
        'row::text',
      );
    return { days: await of('sales_day'), years: await of('sales_year') };
  }

  private rows<Row extends object>(select: string, order = '1'): Promise<Row[]> {
    const by = select.includes(' id ') ? 'id' : order;
    return this.app.database.asSuperuser<Row & Record<string, unknown>>(
      `select x.* from (${select} tenant_id = $1 and environment = $2) x order by ${by}`,
      [this.scope.tenantId, this.scope.environment],
    );
  }

  /** As the service reads it. */
  async read<Period extends SalesPeriod>(
    members: readonly MemberBody[],
    periods: readonly Period[],
    asOf: string | Date,
    currency = 'USD',
  ): Promise<Readonly<Record<Period, SalesByPart>>[]> {
    const memberIds = members.map(({ id }) => id);
    const asked = { memberIds, currency, periods, asOf: new Date(asOf) };
    const found = await this.app.composition.frames.read(this.scope, (db) => readSales(db, this.scope, asked));
    return memberIds.map((id) => found.get(id) ?? expect.unreachable(`${id} is missing`));
  }

  async readDays(members: readonly MemberBody[], fromDay: string, toDay: string, currency = 'USD'): Promise<SalesByPart[]> {
    const memberIds = members.map(({ id }) => id);
    const found = await this.app.composition.frames.read(this.scope, (db) =>
      readSalesOfDays(db, this.scope, { memberIds, currency, fromDay, toDay }),
    );
    return memberIds.map((id) => found.get(id) ?? expect.unreachable(`${id} is missing`));
  }

  events(): Promise<EventRow[]> {
    return this.app.database.asSuperuser<EventRow & Record<string, unknown>>(
      `select id, kind, stage, dispute_id as dispute, purchase_id as purchase, attributed_member_id as member,
              buyer_member_id as buyer, evaluation ->> 'block' as block, currency, amount_minor::text as amount,
              base_minor::text as base, occurred_at as at
       from event where tenant_id = $1 and environment = $2`,
      [this.scope.tenantId, this.scope.environment],
    );
  }

  /** The plain fold of the period of `asOf` before it. */
  plain(
    events: readonly EventRow[],
    member: MemberBody,
    period: SalesPeriod,
    asOf: string | Date,
    currency = 'USD',
  ): SalesByPart {
    const at = new Date(asOf);
    const name = periodOf(localDate(at, this.zone), period);
    return plainSums(
      events,
      (sale) =>
        sale.member === member.id &&
        sale.currency === currency &&
        sale.at.getTime() < at.getTime() &&
        periodOf(localDate(sale.at, this.zone), period) === name,
    );
  }

  plainOfDays(events: readonly EventRow[], member: MemberBody, fromDay: string, toDay: string): SalesByPart {
    return plainSums(events, (sale) => {
      const day = localDate(sale.at, this.zone);
      return sale.member === member.id && sale.currency === 'USD' && day >= fromDay && day < toDay;
    });
  }
}

function periodOf(day: string, period: SalesPeriod): string {
  const [year = '', month = ''] = day.split('-');
  const names = { month: `${year}-${month}`, quarter: `${year} ${Math.ceil(Number(month) / 3)}`, year, lifetime: '' };
  return names[period];
}

function plainSums(events: readonly EventRow[], counts: (sale: EventRow) => boolean): SalesByPart {
  const sums = new Map(['credited', 'own', 'test'].map((part) => [part, { baseMinor: 0n, amountMinor: 0n, sales: 0 }]));
  for (const sale of events) {
    if (sale.kind !== 'purchase' || !counts(sale)) continue;
    const part = sale.block === 'TEST_USER' ? 'test' : sale.buyer === sale.member ? 'own' : 'credited';
    const sum = sums.get(part) ?? expect.unreachable();
    const back = takenBack(events.filter(({ purchase }) => purchase === sale.id));
    const [gross, base] = [BigInt(sale.amount), BigInt(sale.base)];
    // Half up: twice the exact value and one, halved and cut.
    const baseBack = gross === 0n ? 0n : ((2n * base * back) / gross + 1n) / 2n;
    sum.baseMinor += base - baseBack;
    sum.amountMinor += gross - back;
    sum.sales += gross > back ? 1 : 0;
  }
  return Object.fromEntries(sums) as unknown as SalesByPart;
}

function takenBack(events: readonly EventRow[]): bigint {
  const lost = new Set(events.filter(({ stage }) => stage === 'lost').map(({ dispute }) => dispute));
  const won = new Set(events.filter(({ stage }) => stage === 'won').map(({ dispute }) => dispute));
  const final = events.filter(({ kind, stage, dispute }) => kind === 'refund' || (stage === 'lost' && !won.has(dispute)));
  return final
    .filter(({ kind, dispute }) => kind === 'refund' || lost.has(dispute))
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

export const NOTHING = { baseMinor: 0n, amountMinor: 0n, sales: 0 };

/** Only the one part is something. */
export const only = (part: keyof SalesByPart, baseMinor: number, amountMinor: number, sales: number): SalesByPart => ({
  credited: NOTHING,
  own: NOTHING,
  test: NOTHING,
  [part]: { baseMinor: BigInt(baseMinor), amountMinor: BigInt(amountMinor), sales },
});

export const newDispute = (): string => `d-${randomUUID()}`;
