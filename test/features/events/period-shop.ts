/** A shop whose members are topped up for a period, as whoever settles a ladder does it. */
import { randomUUID } from 'node:crypto';
import { bySystem } from '../../../src/actor.ts';
import type { Scope, WriteDb } from '../../../src/db/scope.ts';
import type { PlanDefinitionInput } from '../../../src/features/commissions/open/plan-definition.ts';
import { type NewPeriod, type RecordedPeriod, recordPeriod } from '../../../src/features/events/period/record-period.ts';
import type { NewTopUp } from '../../../src/features/events/period/top-up-lines.ts';
import { commissions } from '../../../src/features.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import type { TestApp, TestTenant } from '../../support/app/test-app.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { type LineBody, purchaseOf, type Sale } from '../../support/money/money-calls.ts';

const DAY_MS = 86_400_000;

/** As the third sale of the worked table pays its member: 12 % of 6000.00, of 6600.00 with tax. */
export const THIRD = { amount_minor: 660_000, tax_minor: 60_000 };

export type Given = Partial<Omit<NewTopUp, 'lineId' | 'amountMinor'>>;

export class PeriodShop {
  readonly app: TestApp;
  readonly tenant: TestTenant;
  readonly scope: Scope;
  readonly client: ApiClient;

  private constructor(app: TestApp, tenant: TestTenant, environment: Scope['environment']) {
    this.app = app;
    this.tenant = tenant;
    this.scope = { tenantId: tenant.tenantId, environment };
    this.client = apiClient(app, environment === 'LIVE' ? tenant.liveKey : tenant.sandboxKey);
  }

  /** Level 1 is paid 10 %, of 6000.00 and more 12 %. */
  static async open(app: TestApp, plan: Partial<PlanDefinitionInput> = {}, of?: TestTenant): Promise<PeriodShop> {
    const tenant = of ?? (await app.newTenant());
    const when = { fact: 'sale.baseMinor', gte: { USD: 600_000 } } as const;
    await publishPlan(app, tenant, { rules: [{ id: 'large', levels: [1], when, pay: { rateBps: 1_200 } }], ...plan });
    return new PeriodShop(app, tenant, 'LIVE');
  }

  inSandbox(): PeriodShop {
    return new PeriodShop(this.app, this.tenant, 'SANDBOX');
  }

  sell(member: MemberBody, fields: object = THIRD): Promise<Sale> {
    return purchaseOf(this.client, { attribution: { user_id: member.id }, ...fields });
  }

  /** One run of one member, in a transaction of its own, with what else is done in it. */
  settle(
    member: MemberBody,
    topUps: readonly NewTopUp[],
    given: Partial<NewPeriod> = {},
    more: (db: WriteDb) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<RecordedPeriod> {
    const period: NewPeriod = {
      key: `monthly:2026-11:${randomUUID()}`,
      memberId: member.id,
      currency: 'USD',
      planVersionId: null,
      topUps,
      evaluation: { period: { ladder: 'monthly', period: '2026-11', sumMinor: '1150000', rateBps: 1_500 } },
      ...given,
    };
    const { frames, offer } = this.app.composition;
    const acting = { ...this.scope, provenance: bySystem('settle-ladders') };
    return frames.write(this.scope, async (db) => {
      const recorded = await recordPeriod(db, acting, period, offer(commissions));
      await more(db);
      return recorded;
    });
  }

  /** Of the sale's line at level 1. */
  topUp(member: MemberBody, sale: Sale, amountMinor: number, given: Given = {}): Promise<RecordedPeriod> {
    return this.settle(member, [topUpOf(lineOf(sale), amountMinor, given)]);
  }

  /** Every line of the sale and of its top-ups, oldest first: `commission pending 72000, adjustment pending 18000`. */
  async standing({ event_id }: Pick<Sale, 'event_id'>): Promise<string> {
    const rows = await this.app.database.asSuperuser<{ text: string }>(
      `select format('%s %s %s', l.kind, l.status, l.amount_minor) as text
       from commission_line o join commission_line l on l.id = o.id or l.reverses_line_id = o.id
       where o.event_id = $1 and o.reverses_line_id is null or o.about_event_id = $1
       order by o.about_event_id is not null, o.id, l.id`,
      [event_id],
    );
    return rows.map(({ text }) => text).join(', ');
  }

  /** What is left of the sale's lines, and of its top-ups. */
  async left({ event_id }: Pick<Sale, 'event_id'>): Promise<{ line: number; topUp: number; source: number }> {
    const [row] = await this.app.database.asSuperuser<{ line: number; topUp: number; source: number }>(
      `select coalesce(sum(l.amount_minor) filter (where o.about_event_id is null), 0)::int as line,
              coalesce(sum(l.amount_minor) filter (where o.about_event_id is not null), 0)::int as "topUp",
              coalesce(sum(l.source_amount_minor) filter (where o.about_event_id is not null), 0)::int as source
       from commission_line o join commission_line l on l.id = o.id or l.reverses_line_id = o.id
       where o.event_id = $1 and o.reverses_line_id is null or o.about_event_id = $1`,
      [event_id],
    );
    if (!row) throw new Error('a sum has no row');
    return row;
  }

  clear(): Promise<number> {
    return this.app.runSweep('clear-commissions', this.scope);
  }
}

/** The line at level 1. */
export function lineOf({ commissions }: Sale): LineBody {
  const line = commissions.find(({ level }) => level === 1);
  if (!line) throw new Error('the sale has paid nobody');
  return line;
}

/** It clears in ten days, unless `given` says otherwise. */
export function topUpOf(line: Pick<LineBody, 'id'>, amountMinor: number, given: Given = {}): NewTopUp {
  return {
    lineId: line.id,
    amountMinor: BigInt(amountMinor),
    sourceAmountMinor: null,
    clearsAt: new Date(Date.now() + 10 * DAY_MS),
    ...given,
  };
}
