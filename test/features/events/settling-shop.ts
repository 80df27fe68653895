/** A shop with a ladder that is settled over whole months. */
import { randomUUID } from 'node:crypto';
import type { Scope } from '../../../src/db/scope.ts';
import type { PlanDefinitionInput } from '../../../src/features/commissions/open/plan-definition.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import type { TestApp, TestTenant } from '../../support/app/test-app.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { linesOf, purchaseOf, type Sale } from '../../support/money/money-calls.ts';

export type Ladder = NonNullable<PlanDefinitionInput['ladders']>[number];

/** Of the worked table. */
export const MONTHLY: Ladder = {
  id: 'monthly',
  measure: 'base',
  period: 'month',
  settle: 'whole_period',
  steps: [
    { from: { USD: 0 }, rateBps: 1000 },
    { from: { USD: 500_000 }, rateBps: 1200 },
    { from: { USD: 1_000_000 }, rateBps: 1500 },
  ],
};

export const noonOf = (day: string) => ({ occurred_at: `${day}T12:00:00Z` });

export class SettlingShop {
  readonly app: TestApp;
  readonly tenant: TestTenant;
  readonly scope: Scope;
  readonly client: ApiClient;
  /** Level 1 first, as a sale credited to the first pays them. */
  readonly people: MemberBody[];

  private constructor(app: TestApp, tenant: TestTenant, client: ApiClient, people: MemberBody[]) {
    this.app = app;
    this.tenant = tenant;
    this.scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
    this.client = client;
    this.people = people;
  }

  static async open(app: TestApp, change: Partial<PlanDefinitionInput> = {}, timeZone = 'UTC'): Promise<SettlingShop> {
    const tenant = await app.newTenant({ timeZone });
    const client = apiClient(app, tenant.liveKey);
    const levels = [
      { level: 1, ladder: 'monthly' },
      { level: 2, rateBps: 300 },
    ];
    await publishPlan(app, tenant, { levels, base: 'net_of_tax', ladders: [MONTHLY], ...change });
    return new SettlingShop(app, tenant, client, await newUpline(client, 'D D D'));
  }

  /** With a tenth of tax, credited to the first member. */
  sell(base: number, fields: object = {}): Promise<Sale> {
    const tax = Math.round(base / 10);
    return purchaseOf(this.client, {
      external_event_id: randomUUID(),
      amount_minor: base + tax,
      tax_minor: tax,
      currency: 'USD',
      customer: { external_id: randomUUID() },
      attribution: { user_id: this.people[0]?.id },
      ...fields,
    });
  }

  /** Until nothing is due any more; returns how many periods of members were settled. */
  async settle(): Promise<number> {
    let settled = 0;
    for (;;) {
      const batch = await this.app.runSweep('settle-ladders', this.scope);
      settled += batch;
      if (batch === 0) return settled;
    }
  }

  fold(): Promise<number> {
    return this.app.runSweep('fold-sales', this.scope);
  }

  /** Period events, oldest first. */
  async periods(): Promise<{ event_id: string; external_event_id: string; amount_minor: number; created_by: unknown }[]> {
    const { body } = await this.client.get('/api/v1/events?kind=period&limit=100');
    return body.data;
  }

  /** What tops up each of the sales, whatever was taken back of it since: the amounts in the order of recording. */
  async topUps(sales: readonly Sale[]): Promise<number[][]> {
    const rows = await this.app.database.asSuperuser<{ id: string; amounts: number[] }>(
      `select about_event_id as id, array_agg(amount_minor::int order by id) as amounts from commission_line
       where tenant_id = $1 and about_event_id is not null group by 1`,
      [this.tenant.tenantId],
    );
    return sales.map(({ event_id }) => rows.find(({ id }) => id === event_id)?.amounts ?? []);
  }

  /** Every line of the sale and what took it back, then what the tops-ups of it come to. */
  async left(sale: Sale): Promise<{ line: number; topUp: number }> {
    const lines = await linesOf(this.client, sale.event_id);
    const first = lines.find(({ level, kind }) => level === 1 && kind === 'commission');
    const [row] = await this.app.database.asSuperuser<{ line: number; topup: number }>(
      `select coalesce(sum(l.amount_minor) filter (where o.about_event_id is null), 0)::int as line,
              coalesce(sum(l.amount_minor) filter (where o.about_event_id is not null), 0)::int as topup
       from commission_line o join commission_line l on l.id = o.id or l.reverses_line_id = o.id
       where o.id = $1 or o.about_event_id = $2 and o.level = 1`,
      [first?.id, sale.event_id],
    );
    return { line: row?.line ?? 0, topUp: row?.topup ?? 0 };
  }
}
