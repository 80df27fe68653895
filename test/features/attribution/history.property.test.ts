/** Random histories of codes, links, clicks, leads and customers: the receipts that are kept decide again as they say. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttributionModel, AttributionRule } from '../../../src/features/attribution/open/decide-attribution.ts';
import { decideAgain, type NewReceipt } from '../../../src/features/attribution/open/receipt.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { type AttributionWorld, attributionWorld, SALE_AT } from './attribution-world.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const DAY = 86_400_000;
const WINDOW = 5;
const who = fc.nat(3);
/** Relative to SALE_AT, on the edges of the window more often than not. */
const when = fc.oneof(fc.constantFrom(0, 1, -1, -WINDOW * DAY, -WINDOW * DAY - 1), fc.integer({ min: -8 * DAY, max: 2 * DAY }));
const customer = fc.nat(1);
const step = fc.oneof(
  fc.record({
    do: fc.constant('link' as const),
    who,
    status: fc.constantFrom('active', 'disabled', 'deleted'),
    ends: fc.option(when),
  }),
  fc.record({ do: fc.constant('click' as const), who, at: when, customer: fc.option(customer) }),
  fc.record({ do: fc.constant('lead' as const), who: fc.option(who, { freq: 6 }), at: when, customer }),
  fc.record({ do: fc.constant('retire' as const), who }),
  fc.record({ do: fc.constant('idle' as const), who, at: when }),
);
const pick = fc.option(fc.nat(9), { freq: 2 });
const sale = fc.record({
  do: fc.constant('sale' as const),
  at: when,
  customer,
  user: fc.option(who, { freq: 8 }),
  code: fc.option(who, { freq: 3 }),
  link: pick,
  click: pick,
  lead: pick,
  buyer: fc.option(who, { freq: 10 }),
  email: fc.boolean(),
});
type Of<A> = A extends fc.Arbitrary<infer T> ? T : never;
type Sell = Of<typeof sale>;
type Step = Of<typeof step> | Sell;

const histories = fc.record({
  model: fc.constantFrom<AttributionModel>('last_click', 'first_click'),
  steps: fc.array(fc.oneof({ weight: 3, arbitrary: step }, { weight: 2, arbitrary: sale }), {
    minLength: 12,
    maxLength: 25,
    size: 'max',
  }),
});

interface Kept {
  event_id: string;
  rule: AttributionRule;
  winner_id: string | null;
  model: AttributionModel;
  window_days: number;
  as_of: Date;
  buyer_id: string | null;
  self_id: string | null;
  candidates: NewReceipt['candidates'];
  attributed_member_id: string | null;
  attribution_rule: string;
  occurred_at: Date;
}

class History {
  private links: string[] = [];
  private clicks: string[] = [];
  private leads: string[] = [];
  /** By customer: whom the first credited purchase was credited to. */
  readonly first = new Map<string, string>();
  private readonly mails = new Set<number>();
  readonly run = randomUUID();

  private readonly client: ApiClient;
  private readonly world: AttributionWorld;
  private readonly members: MemberBody[];

  constructor(client: ApiClient, world: AttributionWorld, members: MemberBody[]) {
    this.client = client;
    this.world = world;
    this.members = members;
  }

  private of(index: number): MemberBody {
    const found = this.members[index];
    if (!found) throw new Error('no such member');
    return found;
  }

  private at(offset: number): string {
    return new Date(Date.parse(SALE_AT) + offset).toISOString();
  }

  async take(what: Step): Promise<void> {
    if (what.do === 'link') {
      const expiresAt = what.ends === null ? {} : { expiresAt: this.at(what.ends) };
      this.links.push(await this.world.link(this.of(what.who).id, { status: what.status, ...expiresAt }));
    } else if (what.do === 'click') {
      const own = what.customer === null ? {} : { customer: this.customer(what.customer) };
      this.clicks.push(await this.world.click(this.of(what.who).id, { at: this.at(what.at), ...own }));
    } else if (what.do === 'lead') {
      const email = this.mails.has(what.customer) ? {} : { email: this.email(what.customer) };
      this.mails.add(what.customer);
      const memberId = what.who === null ? null : this.of(what.who).id;
      this.leads.push(await this.world.lead(memberId, { at: this.at(what.at), ...email }));
    } else if (what.do === 'retire') await this.world.retire(this.of(what.who).referral_code);
    else if (what.do === 'idle') {
      const change = { is_active: false, effective_at: this.at(what.at) };
      expect((await this.client.patch(`/api/v1/users/${this.of(what.who).id}`, change)).status).toBe(200);
    } else await this.sell(what);
  }

  customer(index: number): string {
    return `${this.run} ${index}`;
  }

  private email(index: number): string {
    return `${this.run}-${index}@lead.example`;
  }

  private async sell(what: Sell): Promise<void> {
    const one = (list: string[], index: number | null) => (index === null ? undefined : list[index % Math.max(1, list.length)]);
    const external_id = this.customer(what.customer);
    const body = this.client.purchaseBody({
      occurred_at: this.at(what.at),
      customer: { external_id, email: what.email ? this.email(what.customer) : null },
      buyer_user_id: what.buyer === null ? null : this.of(what.buyer).id,
      attribution: {
        user_id: what.user === null ? null : this.of(what.user).id,
        referral_code: what.code === null ? null : this.of(what.code).referral_code,
        link_id: one(this.links, what.link),
        click_id: one(this.clicks, what.click),
        lead_id: one(this.leads, what.lead),
      },
    });
    const answer = await this.client.post('/api/v1/events/purchase', body);
    expect(answer.status, answer.text).toBe(201);
    const { rule, user_id } = answer.body.attribution as { rule: string; user_id: string | null };
    if (rule === 'first_referrer') expect(user_id).toBe(this.first.get(external_id));
    if (rule !== 'personal_purchase' && user_id !== null && !this.first.has(external_id)) this.first.set(external_id, user_id);
  }
}

test('random histories', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ({ model, steps }) => {
      const tenant = await app.newTenant();
      const client = apiClient(app, tenant.liveKey);
      const world = attributionWorld(app, { tenantId: tenant.tenantId, environment: 'LIVE' });
      await world.settings(model, WINDOW);
      const top = await client.newMember();
      const members = [top];
      for (let n = 0; n < 3; n++) members.push(await client.newMember({ parent_id: top.id }));
      const history = new History(client, world, members);
      for (const what of steps) await history.take(what);
      const kept = await app.database.asSuperuser<Kept & Record<string, unknown>>(
        `select r.*, e.attributed_member_id, e.attribution_rule, e.occurred_at from event e left join attribution_receipt r
           on r.tenant_id = e.tenant_id and r.id = e.receipt_id and r.event_id = e.id
         where e.tenant_id = $1`,
        [tenant.tenantId],
      );
      expect(kept).toHaveLength(steps.filter((what) => what.do === 'sale').length);
      for (const row of kept) {
        const receipt = { ...row, windowDays: row.window_days, asOf: row.as_of, buyerId: row.buyer_id, selfId: row.self_id };
        const again = decideAgain(receipt, 'purchase');
        expect(again.rule).toBe(row.rule);
        expect(row.attribution_rule).toBe(row.rule);
        expect(row.attributed_member_id).toBe(row.winner_id);
        expect(row.as_of).toEqual(row.occurred_at);
        if (row.rule !== 'personal_purchase') expect(again.winner?.memberId ?? null).toBe(row.winner_id);
        expect(again.outcomes.map(({ lost }) => lost)).toEqual(row.candidates.map(({ lost }) => lost));
        expect(row.candidates.filter(({ lost }) => lost === null).length).toBe(again.winner ? 1 : 0);
      }
      const referrers = await app.database.asSuperuser<{ external_id: string; first_referrer_id: string }>(
        'select external_id, first_referrer_id from customer where tenant_id = $1 and first_referrer_id is not null',
        [tenant.tenantId],
      );
      expect(new Map(referrers.map((row) => [row.external_id, row.first_referrer_id]))).toEqual(history.first);
    }),
    { numRuns: 25 },
  );
  await expectCleanBooks(app);
});
