/**
 * Random lives of commissions against a plain model: sales, refunds, disputes, sweeps, holds, voids, payouts,
 * sponsor moves and tier changes. After each step every balance is the model's; THOROUGH=1 runs many more.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DEFAULT_PLAN } from '../../../src/features/commissions/open/plan-definition.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { digestRows } from '../../support/database/walls.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { modelUplineWalk } from '../../support/money/model-upline-walk.ts';
import { balanceOf, linesOf, purchaseOf, type Sale } from '../../support/money/money-calls.ts';
import { payOut } from '../../support/money/pay-out.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { modelSale } from './model-commissions.ts';

const THOROUGH = process.env['THOROUGH'] !== undefined;
vi.setConfig({ testTimeout: THOROUGH ? 3_600_000 : 300_000 });

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Shrinking ends before the test does, so that a failure always shows its seed. */
const runs = (few: number) => ({ numRuns: THOROUGH ? few * 40 : few, interruptAfterTimeLimit: THOROUGH ? 3_000_000 : 60_000 });
const TIERS = ['ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR'];
const plan = {
  compression: DEFAULT_PLAN.compression,
  ratesBps: DEFAULT_PLAN.levels.map((level) => level.rateBps ?? 0),
  tiers: DEFAULT_PLAN.tierRules,
};
const OLD = new Date(Date.now() - 60 * 86_400_000).toISOString();

const pick = fc.nat(99);
const amount = fc.oneof(
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 40 }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 99_999 }) },
);
const sell = fc.record({ do: fc.constant('sell' as const), seller: pick, amount, due: fc.boolean() });
/** Of what is left of the sale, in thousandths; beyond 1000 is too much, absent is the default. */
const share = fc.option(fc.integer({ min: 1, max: 1_050 }), { nil: undefined, freq: 2 });
const step = fc.oneof(
  { weight: 1, arbitrary: sell },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('refund' as const), sale: pick, share }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('dispute' as const),
      sale: pick,
      dispute: fc.nat(2),
      /** Mostly one that may follow. */
      stage: fc.oneof({ weight: 1, arbitrary: fc.constantFrom('opened', 'won', 'lost') }, { weight: 5, arbitrary: fc.nat(1) }),
      share,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('sweep' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('act' as const),
      sale: pick,
      line: pick,
      action: fc.constantFrom('hold', 'release', 'release', 'release', 'void'),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('pay' as const), sale: pick, line: pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), member: pick, sponsor: fc.option(pick) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tier' as const), member: pick, tier: fc.constantFrom(...TIERS) }) },
);
type Step = (typeof step extends fc.Arbitrary<infer Value> ? Value : never) & object;

const NEXT: Record<string, [string, string]> = { none: ['opened', 'lost'], opened: ['won', 'lost'], lost: ['won', 'won'] };

interface Tracked {
  sale: Sale;
  /** Of each dispute the stage it has come to. */
  stages: Record<number, string>;
  amount: number;
  refunded: number;
  model: ReturnType<typeof modelSale>;
}

function stageOf({ stages }: Tracked, { dispute, stage }: Extract<Step, { do: 'dispute' }>): string {
  return typeof stage === 'string' ? stage : (NEXT[stages[dispute] ?? 'none']?.[stage] ?? 'opened');
}

/** One tenant with its members, as the service has it and as the model has it. */
class World {
  readonly tenant: TestTenant;
  readonly client: ApiClient;
  readonly members: MemberBody[];
  readonly first: { tier: string; sponsor: number }[];
  readonly now: { tier: string; sponsor: number }[];
  readonly sales: Tracked[] = [];
  /** Every event as it was sent and answered. */
  readonly sent: { path: string; body: object; text: string }[] = [];

  constructor(tenant: TestTenant, client: ApiClient, members: MemberBody[]) {
    [this.tenant, this.client, this.members] = [tenant, client, members];
    this.first = members.map((member, index) => ({ tier: member.membership_tier, sponsor: index + 1 }));
    this.now = structuredClone(this.first);
  }

  /** Records an event and returns its status. */
  async send(kind: string, body: object): Promise<{ status: number; body: Sale & { refunded_minor: number } }> {
    const path = `/api/v1/events/${kind}`;
    const answer = await this.client.post(path, body);
    if (answer.status === 201) this.sent.push({ path, body, text: answer.text });
    return answer;
  }

  async take(what: Step): Promise<void> {
    if (what.do === 'sell') return this.sell(what);
    if (what.do === 'sweep') {
      await app.runSweep('clear-commissions', { tenantId: this.tenant.tenantId, environment: 'LIVE' });
      for (const { model } of this.sales) model.sweep();
    } else if (what.do === 'tier' || what.do === 'move') await this.change(what);
    else {
      const tracked = this.sales[what.sale % Math.max(1, this.sales.length)];
      if (!tracked) return;
      if (what.do === 'refund' || what.do === 'dispute') return this.takeBack(tracked, what);
      const at = what.line % Math.max(1, tracked.sale.commissions.length);
      const [line, share] = [tracked.sale.commissions[at], tracked.model.shares[at]];
      if (!line || !share) return;
      if (what.do === 'act') {
        const answer = await this.client.post(`/api/v1/commissions/${line.id}/${what.action}`, {});
        expect(answer.status).toBe(tracked.model.act(share, what.action));
      } else {
        const cleared = await app.database.asSuperuser<{ id: string }>(
          "select id from commission_line where status = 'cleared' and (id = $1 or reverses_line_id = $1)",
          [line.id],
        );
        if (cleared.length > 0 && share.cleared !== 0)
          await payOut(
            app,
            cleared.map(({ id }) => id),
          );
        tracked.model.payOut(share);
      }
    }
  }

  private async sell(what: Extract<Step, { do: 'sell' }>): Promise<void> {
    const seller = what.seller % this.members.length;
    const people = what.due ? this.first : this.now;
    const upline: { id: string; tier: string; isActive: boolean }[] = [];
    for (let at = seller; people[at]; at = people[at]?.sponsor ?? -1) {
      upline.push({ id: this.members[at]?.id ?? '', tier: people[at]?.tier ?? '', isActive: true });
    }
    const body = this.client.purchaseBody({
      amount_minor: what.amount,
      attribution: { user_id: this.members[seller]?.id },
      ...(what.due && { occurred_at: OLD }),
    });
    const answer = await this.send('purchase', body);
    const lines = modelUplineWalk(plan, BigInt(what.amount), upline).map((line) => ({
      member: line.beneficiaryId,
      amount: Number(line.amountMinor),
    }));
    expect(answer.body.commissions.map((line) => ({ member: line.user_id, amount: line.amount_minor }))).toEqual(lines);
    this.sales.push({
      sale: answer.body,
      stages: {},
      amount: what.amount,
      refunded: 0,
      model: modelSale(what.amount, what.due, lines),
    });
  }

  private async takeBack(tracked: Tracked, what: Extract<Step, { do: 'refund' | 'dispute' }>): Promise<void> {
    const left = tracked.amount - tracked.refunded;
    const stage = what.do === 'dispute' ? stageOf(tracked, what) : undefined;
    const wanted = what.share === undefined || stage === 'won' ? undefined : Math.max(1, Math.ceil((left * what.share) / 1_000));
    const dispute =
      what.do === 'dispute' && stage ? { dispute_id: `${tracked.sale.event_id} ${what.dispute}`, stage } : undefined;
    const answer = await this.send(dispute ? 'chargeback' : 'refund', {
      external_event_id: randomUUID(),
      purchase_external_event_id: tracked.sale.external_event_id,
      ...dispute,
      ...(wanted !== undefined && { amount_minor: wanted }),
    });
    const { model } = tracked;
    expect(answer.status).toBe(dispute ? model.dispute(dispute.dispute_id, dispute.stage, wanted) : model.refund(wanted));
    if (answer.status !== 201) return;
    tracked.refunded = answer.body.refunded_minor;
    if (what.do === 'dispute' && stage) tracked.stages[what.dispute] = stage;
  }

  private async change(what: Extract<Step, { do: 'move' | 'tier' }>): Promise<void> {
    const at = what.member % this.members.length;
    const [member, entry] = [this.members[at], this.now[at]];
    if (!member || !entry) return;
    if (what.do === 'tier') {
      expect((await this.client.patch(`/api/v1/users/${member.id}`, { membership_tier: what.tier })).status).toBe(200);
      entry.tier = what.tier;
      return;
    }
    const sponsor = what.sponsor === null ? -1 : what.sponsor % this.members.length;
    const body = { sponsorId: this.members[sponsor]?.id ?? null };
    const { status } = await this.client.post(`/api/v1/members/${member.id}/sponsor`, body);
    expect([200, 409]).toContain(status); // 409: it would close a circle
    if (status === 200) entry.sponsor = sponsor;
  }

  /** What the model has for each member, in minor units. */
  expected(): Record<string, number>[] {
    const shares = this.sales.flatMap(({ model }) => model.shares);
    return this.members.map(({ id }) => {
      const own = shares.filter(({ member }) => member === id);
      const sum = (of: 'pending' | 'cleared' | 'paid') => own.reduce((total, one) => total + one[of], 0);
      return { pending: sum('pending'), cleared: sum('cleared'), paid: sum('paid') };
    });
  }

  async actual(): Promise<Record<string, number>[]> {
    const balances = await Promise.all(this.members.map((member) => balanceOf(this.client, member)));
    const minor = (major: number | undefined) => Math.round((major ?? 0) * 100);
    return balances.map(({ pending, cleared, paid }) => ({
      pending: minor(pending),
      cleared: minor(cleared),
      paid: minor(paid),
    }));
  }
}

async function newWorld(tiers: string): Promise<World> {
  const tenant = await app.newTenant();
  const client = apiClient(app, tenant.liveKey);
  return new World(tenant, client, await newUpline(client, tiers));
}

const tiers = fc.stringMatching(/^[OSMD]{1,3}$/);

test('every step leaves every balance where the model has it; replays change nothing', async () => {
  const lives = fc.record({
    tiers,
    sells: fc.array(sell, { minLength: 1, maxLength: 2 }),
    steps: fc.array(step, { minLength: 15, maxLength: 35, size: 'max' }),
    replays: fc.array(pick, { minLength: 6, maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(lives, async ({ tiers, sells, steps, replays }) => {
      const world = await newWorld(tiers);
      for (const what of [...sells, ...steps]) {
        await world.take(what);
        expect(await world.actual()).toEqual(world.expected());
      }
      // Any prefix of what was sent, again: the first answers, and nothing changes.
      const before = await digestRows(app.database);
      for (const pick of replays) {
        const event = world.sent[pick % Math.max(1, world.sent.length)];
        if (!event) continue;
        const again = await world.client.post(event.path, event.body);
        expect([again.status, again.text]).toEqual([200, event.text]);
      }
      expect(await digestRows(app.database)).toBe(before);
      await expectSoundBooks(app);
    }),
    runs(5),
  );
});

test('refunding all of it, in any split, brings every line to exactly nothing', async () => {
  const splits = fc.record({ amount, parts: fc.array(fc.integer({ min: 1, max: 999 }), { maxLength: 5 }), paid: fc.boolean() });
  const world = await newWorld('DDDDD');
  const [seller] = world.members;
  await fc.assert(
    fc.asyncProperty(splits, async ({ amount, parts, paid }) => {
      const sale = await purchaseOf(world.client, { amount_minor: amount, attribution: { user_id: seller?.id } });
      if (paid && sale.commissions[0]) await payOut(app, [sale.commissions[0].id]);
      let left = amount;
      for (const [index, part] of [...parts, 1_000].entries()) {
        const wanted = index === parts.length ? left : Math.floor((left * part) / 1_000);
        if (wanted === 0) continue;
        left -= wanted;
        const body = {
          external_event_id: randomUUID(),
          purchase_external_event_id: sale.external_event_id,
          amount_minor: wanted,
        };
        expect((await world.send('refund', body)).status).toBe(201);
      }
      const lines = await linesOf(world.client, sale.event_id);
      for (const original of sale.commissions) {
        const family = lines.filter((line) => line.id === original.id || line.reverses_commission_id === original.id);
        expect(family.reduce((sum, line) => sum + line.amount_minor, 0)).toBe(0);
        const isPaid = paid && original.id === sale.commissions[0]?.id;
        expect(new Set(family.map((line) => line.status))).toEqual(new Set(isPaid ? ['paid', 'cleared'] : ['reversed']));
      }
    }),
    runs(15),
  );
  for (const member of world.members) expect((await balanceOf(world.client, member))['total']).toBe(0);
  await expectSoundBooks(app);
});

test('a dispute that is lost and then won restores every balance exactly, wherever the lines stand', async () => {
  const cases = fc.record({
    amount,
    refund: fc.nat(900),
    lost: fc.integer({ min: 1, max: 1_000 }),
    opened: fc.boolean(),
    due: fc.boolean(),
    pay: fc.array(fc.nat(4), { maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ amount, refund, lost, opened, due, pay }) => {
      const world = await newWorld('DDDDD');
      await world.take({ do: 'sell', seller: 0, amount, due });
      if (due) await world.take({ do: 'sweep' });
      if (refund > 0) await world.take({ do: 'refund', sale: 0, share: refund });
      for (const line of pay) await world.take({ do: 'pay', sale: 0, line });
      const before = await world.actual();
      if (opened) await world.take({ do: 'dispute', sale: 0, dispute: 0, stage: 'opened', share: lost });
      await world.take({ do: 'dispute', sale: 0, dispute: 0, stage: 'lost', share: lost });
      await world.take({ do: 'dispute', sale: 0, dispute: 0, stage: 'won', share: undefined });
      expect(await world.actual()).toEqual(before);
    }),
    runs(6),
  );
  await expectSoundBooks(app);
});

test('the order in which events arrive changes no amount: what comes before its purchase is sent again', async () => {
  const histories = fc.record({
    sales: fc.array(
      fc.record({ seller: fc.nat(2), amount, back: fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 2 }) }),
      { minLength: 2, maxLength: 5 },
    ),
    order: fc.infiniteStream(fc.nat(1_000)),
  });
  await fc.assert(
    fc.asyncProperty(histories, async ({ sales, order }) => {
      const worlds = [await newWorld('SMD'), await newWorld('SMD')];
      for (const [index, world] of worlds.entries()) {
        const events = sales.flatMap(({ seller, amount, back }, n) => {
          const purchase = {
            ...world.client.purchaseBody({
              external_event_id: `sale-${n}`,
              amount_minor: amount,
              occurred_at: `2026-05-0${n + 1}T00:00:00Z`,
            }),
            attribution: { user_id: world.members[seller]?.id },
          };
          const refunds = back.map((part, at) => ({
            external_event_id: `back-${n}-${at}`,
            purchase_external_event_id: `sale-${n}`,
            amount_minor: Math.max(1, Math.floor((amount * part) / 1_000)),
          }));
          return [{ kind: 'purchase', body: purchase }, ...refunds.map((body) => ({ kind: 'refund', body }))];
        });
        if (index === 1) events.sort(() => ((order.next().value as number) % 2 === 0 ? 1 : -1));
        let waiting = events;
        for (let round = 0; waiting.length > 0 && round < 3; round++) {
          const early: typeof events = [];
          for (const event of waiting) {
            const { status } = await world.send(event.kind, event.body);
            if (status === 404) early.push(event);
            else expect([201, 422]).toContain(status); // 422: three refunds of a cent are more than a sale of two
          }
          waiting = early;
        }
        expect(waiting).toEqual([]);
      }
      const [inOrder, shuffled] = await Promise.all(worlds.map((world) => world.actual()));
      expect(shuffled).toEqual(inOrder);
    }),
    runs(5),
  );
  await expectSoundBooks(app);
});
