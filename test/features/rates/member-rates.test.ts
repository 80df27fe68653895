/** What a member earns, as it is said before there is a sale, and what a sale then pays: docs/specification/rates.md#of-a-member. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlanDefinitionInput } from '../../../src/features/commissions/open/plan-definition.ts';
import { apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';
import { addPlan, publishPlan } from '../../support/money/model-plan.ts';
import { moved, newGroups } from '../groups/group-calls.ts';
import { agree, endOf, linkOf, openRateShop, person, type RateShop, SALE_AT, told, type Wire } from './support/rate-shop.ts';

type Rules = NonNullable<PlanDefinitionInput['rules']>;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const MARCH = '2026-03-01T00:00:00.000Z';
const FEBRUARY = '2026-02-01T00:00:00.000Z';

/** As of the sale unless `query` says otherwise. */
async function rates(shop: RateShop, query: Record<string, string> = {}, member: MemberBody = person(shop)): Promise<Wire> {
  const asked = new URLSearchParams({ at: SALE_AT, ...query });
  const answer = await shop.client.get(`/api/v1/members/${member.id}/rates?${asked.toString()}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** Of each level what pays it, how much, and what may come first. */
const short = ({ levels }: Wire): unknown[][] =>
  levels.map(({ level, source, id, pay, insteadOn }: Wire) => [
    level,
    id ?? source,
    pay.rateBps ?? pay.flatMinor,
    ids(insteadOn),
  ]);
const ids = (of: Wire[]): string[] => of.map(({ id }) => id);

describe('the plan', () => {
  test('is the one that pays, with the levels that the tier is paid', async () => {
    const shop = await openRateShop(app, {}, { upline: 'O D' });
    const body = await rates(shop);
    expect(body).toEqual({
      userId: person(shop).id,
      at: SALE_AT,
      currency: 'USD',
      group: 'default',
      tier: 'ORDINARY',
      ageDays: null,
      plan: { planId: shop.planId, versionId: expect.any(String), version: 2, name: expect.any(String), mode: 'unilevel' },
      passedOver: [],
      levels: [{ level: 1, source: 'level', id: null, pay: { rateBps: 1000 }, multiplierMilli: 1000, insteadOn: [] }],
    });
    expect(short(await rates(shop, {}, person(shop, 1)))).toEqual([
      [1, 'level', 1000, []],
      [2, 'level', 500, []],
    ]);
  });

  test('is that of the group of the member, as of the time, with why the others do not pay', async () => {
    const shop = await openRateShop(app);
    await newGroups(shop.client, 'vip');
    const vipVersion = await addPlan(app, shop.tenant, { levels: [{ level: 1, rateBps: 1700 }], scope: { groups: ['vip'] } });
    const vip = (await shop.client.get('/api/v1/commission-plans')).body.data.find(({ id }: Wire) => id !== shop.planId);
    await moved(shop.client, 'vip', person(shop), MARCH);
    const before = await rates(shop, { at: FEBRUARY });
    expect([before.group, before.plan.planId, short(before)[0]]).toEqual(['default', shop.planId, [1, 'level', 1000, []]]);
    expect(before.passedOver).toEqual([
      { planId: vip.id, versionId: vipVersion, name: 'Another plan', reason: 'GROUP_NOT_NAMED' },
    ]);
    const after = await rates(shop);
    expect([after.group, after.plan.planId, short(after)]).toEqual(['vip', vip.id, [[1, 'level', 1700, []]]]);
    expect(after.passedOver).toMatchObject([{ planId: shop.planId, reason: 'GROUP_NOT_NAMED' }]);
    expect((await told(shop, { occurred_at: FEBRUARY })).paid[0]).toBe(1000);
    expect((await told(shop)).paid[0]).toBe(1700);
    const asked = await rates(shop, { planId: shop.planId });
    expect([asked.plan.planId, asked.passedOver, short(asked)[0]]).toEqual([shop.planId, [], [1, 'level', 1000, []]]);
  });

  test('is none where no plan covers such a sale', async () => {
    const shop = await openRateShop(app, { scope: { types: ['subscription_renewal'] } });
    const body = await rates(shop);
    expect([body.plan, body.levels]).toEqual([null, []]);
  });

  test('that is asked for has to be in force then', async () => {
    const shop = await openRateShop(app);
    await addPlan(app, shop.tenant, {}, { effectiveFrom: MARCH });
    const other = (await shop.client.get('/api/v1/commission-plans')).body.data.find(({ id }: Wire) => id !== shop.planId);
    expect((await rates(shop, { planId: other.id })).plan.planId).toBe(other.id);
    const path = `/api/v1/members/${person(shop).id}/rates`;
    for (const query of [`planId=${other.id}&at=${FEBRUARY}`, `planId=${randomUUID()}`]) {
      expectRefusal(await shop.client.get(`${path}?${query}`), 400, 'VALIDATION_ERROR', ['planId']);
    }
  });

  test('that is asked for speaks with its latest version, as it does for a sale', async () => {
    const shop = await openRateShop(app);
    for (const [rateBps, from] of [
      [1100, FEBRUARY],
      [1200, MARCH],
    ] as const) {
      await publishPlan(app, shop.tenant, { levels: [{ level: 1, rateBps }], base: 'gross' }, from);
    }
    for (const [at, rateBps] of [
      ['2026-01-15T00:00:00.000Z', 1000],
      [FEBRUARY, 1100],
      [SALE_AT, 1200],
    ] as const) {
      expect((await told(shop, { occurred_at: at })).paid[0]).toBe(rateBps);
      expect(short(await rates(shop, { at }))[0]).toEqual([1, 'level', rateBps, []]);
      expect(short(await rates(shop, { at, planId: shop.planId }))[0]).toEqual([1, 'level', rateBps, []]);
    }
  });

  test('of a differential kind says the own rate of the member, once', async () => {
    const own = (rateBps: number) => ({ multiplierMilli: 1500, maxDepth: 256, rateBps });
    const tierRules = { SENIOR: own(1000), DIRECTOR: own(2000) };
    const overrides = { levels: [1], maxRateBps: 2500 };
    const shop = await openRateShop(app, { mode: 'differential', levels: [], tierRules, overrides }, { upline: 'S D' });
    expect(short(await rates(shop))).toEqual([[1, 'level', 1000, []]]);
    const { id } = await agree(shop, { pay: { rateBps: 1800 } });
    const body = await rates(shop);
    expect([short(body), body.levels[0].multiplierMilli]).toEqual([[[1, id, 1800, []]], 1000]);
    expect((await told(shop)).paid).toEqual([1800, 200]);
  });
});

describe('what is agreed', () => {
  test('with the member pays the level, cut to what the plan lets count, and without the multiplier', async () => {
    const tierRules = { DIRECTOR: { multiplierMilli: 1200, maxDepth: 10 } };
    const shop = await openRateShop(app, { tierRules });
    const { id } = await agree(shop, { pay: { rateBps: 4000 }, validFrom: MARCH });
    expect((await rates(shop, { at: FEBRUARY })).levels[0]).toMatchObject({ source: 'level', multiplierMilli: 1200 });
    const [first, second] = (await rates(shop)).levels;
    expect(first).toMatchObject({ source: 'member', id, pay: { rateBps: 3000 }, multiplierMilli: 1000, cutFrom: 4000 });
    expect(second).toMatchObject({ source: 'level', id: null, multiplierMilli: 1200 });
    expect((await told(shop)).paid).toEqual([3000, 600]);
    expect((await endOf(shop, id, { at: MARCH })).status).toBe(200);
    expect((await rates(shop)).levels[0].source).toBe('level');
  });

  test('for links and products stands beside the level, in the order in which it is asked', async () => {
    const shop = await openRateShop(app);
    const linkId = await linkOf(shop, person(shop));
    const member = await agree(shop, { pay: { rateBps: 1500 } });
    const ring = await agree(shop, { items: { skus: ['R-1'] }, pay: { rateBps: 2500 } });
    const link = await agree(shop, { target: 'link', targetId: linkId, pay: { rateBps: 800 } });
    await agree(shop, { target: 'link', targetId: linkId, level: 2, pay: { rateBps: 800 } });
    const body = await rates(shop);
    expect(short(body)).toEqual([
      [1, member.id, 1500, [link.id, ring.id]],
      [2, 'level', 500, []],
    ]);
    expect(body.levels[0].insteadOn).toEqual([
      { source: 'link', id: link.id, pay: { rateBps: 800 }, when: null },
      { source: 'member', id: ring.id, pay: { rateBps: 2500 }, when: null },
    ]);
    expect((await told(shop)).paid[0]).toBe(1500);
    expect((await told(shop, { line_items: [{ sku: 'R-1', amount_minor: 10_000 }] })).paid[0]).toBe(2500);
    expect((await told(shop, { attribution: { link_id: linkId } })).paid[0]).toBe(800);
  });

  test('for another plan, or where the plan lets nothing count, is not said', async () => {
    const shop = await openRateShop(app);
    await addPlan(app, shop.tenant, { scope: { types: ['subscription_initial'] } });
    const other = (await shop.client.get('/api/v1/commission-plans')).body.data.find(({ id }: Wire) => id !== shop.planId);
    await agree(shop, { planId: other.id, pay: { rateBps: 1500 } });
    expect(short(await rates(shop))[0]).toEqual([1, 'level', 1000, []]);
    await agree(shop, { pay: { rateBps: 1500 } });
    expect(short(await rates(shop, { planId: other.id }))[0]?.slice(0, 3)).toEqual([1, 'level', 1000]);
  });

  test('for products of any plan is not said to come before what is agreed for this plan, which it does not', async () => {
    const shop = await openRateShop(app);
    const own = await agree(shop, { planId: shop.planId, pay: { rateBps: 1500 } });
    await agree(shop, { items: { skus: ['R-1'] }, pay: { rateBps: 2500 } });
    expect((await told(shop, { line_items: [{ sku: 'R-1', amount_minor: 10_000 }] })).paid[0]).toBe(1500);
    expect(short(await rates(shop))[0]).toEqual([1, own.id, 1500, []]);
  });

  test('for a link is said to pay what it then pays: cut to the most of the plan, and no sum that does not count', async () => {
    const shop = await openRateShop(app);
    const [high, sum] = [await linkOf(shop, person(shop)), await linkOf(shop, person(shop))];
    const cut = await agree(shop, { target: 'link', targetId: high, pay: { rateBps: 9000 } });
    await agree(shop, { target: 'link', targetId: sum, pay: { flatMinor: { USD: 9000 } } });
    expect((await told(shop, { attribution: { link_id: high } })).paid[0]).toBe(3000);
    expect((await told(shop, { attribution: { link_id: sum } })).paid[0]).toBe(1000);
    expect((await rates(shop)).levels[0].insteadOn).toMatchObject([{ id: cut.id, pay: { rateBps: 3000 } }]);
  });
});

describe('rules', () => {
  const rule = (id: string, when: Rules[number]['when'], fields: Partial<Rules[number]> = {}): Rules[number] => ({
    id,
    levels: [1],
    when,
    pay: { rateBps: 2000 },
    ...fields,
  });
  const isVip = { fact: 'member.group', in: ['vip'] };
  const isDirector = { fact: 'credited.tier', in: ['DIRECTOR'] };
  const renewal = { fact: 'sale.type', in: ['subscription_renewal'] };

  test('that hold of the member surely pay the level, those that never do are left out, others stand beside it', async () => {
    const shop = await openRateShop(app, {
      rules: [
        rule('vip', isVip),
        rule('small', { fact: 'sale.amountMinor', lt: { USD: 5000 } }),
        rule('director', { all: [isDirector, { not: isVip }] }),
        rule('shadowed', renewal),
        rule('gift', { fact: 'item.category', in: ['gift'] }, { final: true, levels: 'all', pay: { rateBps: 0 } }),
      ],
    });
    expect(short(await rates(shop))).toEqual([
      [1, 'director', 2000, ['gift', 'small']],
      [2, 'level', 500, ['gift']],
    ]);
    expect((await rates(shop)).levels[1].insteadOn).toEqual([
      {
        source: 'final_rule',
        id: 'gift',
        pay: { rateBps: 0 },
        when: { fact: 'item.category', in: ['gift'] },
      },
    ]);
    expect((await told(shop)).paid).toEqual([2000, 500]);
    await newGroups(shop.client, 'vip');
    await moved(shop.client, 'vip', person(shop), MARCH);
    expect(short(await rates(shop))[0]).toEqual([1, 'vip', 2000, ['gift']]);
    const { id } = await agree(shop, { pay: { rateBps: 100 } });
    expect(short(await rates(shop))[0]).toEqual([1, id, 100, ['gift']]);
    expect((await told(shop)).paid).toEqual([100, 500]);
  });

  test('that are final and hold surely leave nothing before them but what is asked earlier', async () => {
    const shop = await openRateShop(app, {
      rules: [
        rule('renewals', renewal, { final: true }),
        rule('directors', { any: [renewal, isDirector] }, { final: true, pay: { rateBps: 700 } }),
        rule('late', renewal, { final: true }),
        rule('open', renewal),
      ],
    });
    await agree(shop, { pay: { rateBps: 2900 } });
    expect(short(await rates(shop))[0]).toEqual([1, 'directors', 700, ['renewals']]);
    expect((await told(shop)).paid[0]).toBe(700);
  });

  test('that depend on the sale stand beside a ladder too', async () => {
    const ladder = {
      id: 'monthly',
      measure: 'base',
      period: 'month',
      steps: [0, 1_000_000].map((from) => ({ from: { USD: from }, rateBps: 1000 + from / 1000 })),
    };
    const levels = [{ level: 1, ladder: 'monthly' }];
    const shop = await openRateShop(app, { levels, ladders: [ladder] as never, rules: [rule('renewals', renewal)] });
    const body = await rates(shop);
    expect(short(body)).toEqual([[1, 'monthly', 1000, ['renewals']]]);
    expect((await told(shop, { type: 'subscription_renewal' })).paid[0]).toBe(2000);
  });

  test('by the age of the member go by local days', async () => {
    const shop = await openRateShop(
      app,
      { rules: [rule('fast', { fact: 'credited.ageDays', lt: 30 })] },
      { timeZone: 'Pacific/Auckland' },
    );
    const seller = await shop.client.newMember({ joined_at: '2026-02-28T20:00:00Z' });
    const at = (instant: string) => rates(shop, { at: instant }, seller);
    for (const [instant, age, rateBps] of [
      ['2026-02-28T19:59:59.000Z', null, 1000],
      ['2026-03-30T10:59:59.000Z', 29, 2000],
      ['2026-03-30T11:00:00.000Z', 30, 1000],
    ] as const) {
      const body = await at(instant);
      expect([body.ageDays, body.levels[0].pay.rateBps]).toEqual([age, rateBps]);
      expect((await told(shop, { occurred_at: instant, attribution: { user_id: seller.id } })).paid[0]).toBe(rateBps);
    }
  });
});

describe('who asks', () => {
  test('is told 404 of who is no member here', async () => {
    const [shop, other] = [await openRateShop(app), await openRateShop(app)];
    const sandbox = apiClient(app, shop.tenant.sandboxKey);
    for (const [client, id] of [
      [shop.client, randomUUID()],
      [other.client, person(shop).id],
      [sandbox, person(shop).id],
    ] as const) {
      expectRefusal(await client.get(`/api/v1/members/${id}/rates`), 404, 'USER_NOT_FOUND');
    }
  });

  test('with its own token sees its own alone, without other plans and conditions', async () => {
    const shop = await openRateShop(app, {
      rules: [{ id: 'small', levels: [1], when: { fact: 'sale.amountMinor', lt: { USD: 50 } }, pay: { rateBps: 2000 } }],
    });
    await addPlan(app, shop.tenant, { scope: { groups: ['vip'] } });
    const { id } = await agree(shop, { targetId: person(shop, 1).id, pay: { rateBps: 2500 } });
    const [seller, sponsor] = [person(shop), person(shop, 1)];
    const as = async (member: MemberBody) => ({
      authorization: `Bearer ${(await plantSession(app, shop.scope, member.id)).accessToken}`,
    });
    const own = async (member: MemberBody, of = member) =>
      shop.client.get(`/api/v1/members/${of.id}/rates?at=${SALE_AT}`, await as(member));
    const whole = await rates(shop);
    expect([whole.passedOver.length, whole.levels[0].insteadOn[0].when]).toEqual([
      1,
      { fact: 'sale.amountMinor', lt: { USD: 50 } },
    ]);
    const answer = await own(seller);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.passedOver).toEqual([]);
    expect(answer.body.levels[0].insteadOn).toEqual([{ source: 'rule', id: 'small', pay: { rateBps: 2000 }, when: null }]);
    expect(answer.body.levels[0].source).toBe('level');
    expect((await own(sponsor)).body.levels[0]).toMatchObject({ source: 'member', id, pay: { rateBps: 2500 } });
    for (const [one, of] of [
      [seller, sponsor],
      [sponsor, seller],
    ] as const) {
      expect([403, 404]).toContain((await own(one, of)).status);
    }
    expect([401, 403]).toContain((await shop.client.get('/api/v1/rate-overrides', await as(seller))).status);
  });
});
