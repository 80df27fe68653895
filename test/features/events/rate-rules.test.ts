/** Rules of a plan on real sales: what they are judged by, who is paid what, and what an explanation says of it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlanDefinitionInput } from '../../../src/features/commissions/open/plan-definition.ts';
import { findDifferences } from '../../../tools/evaluate-explain.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { purchaseOf } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';

type Rules = NonNullable<PlanDefinitionInput['rules']>;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

interface Shop {
  tenant: TestTenant;
  client: ApiClient;
  /** Level 1 first: the seller and two above, all directors. */
  people: MemberBody[];
}

const LEVELS = [
  { level: 1, rateBps: 1000 },
  { level: 2, rateBps: 500 },
];

async function open(rules: Rules, change: Partial<PlanDefinitionInput> = {}, timeZone = 'UTC'): Promise<Shop> {
  const tenant = await app.newTenant({ timeZone });
  const client = apiClient(app, tenant.liveKey);
  await publishPlan(app, tenant, { levels: LEVELS, base: 'gross', ...change, rules });
  return { tenant, client, people: await newUpline(client, 'D D D') };
}

const sale = (shop: Shop, fields: object = {}) => ({
  external_event_id: randomUUID(),
  amount_minor: 10_000,
  currency: 'USD',
  customer: { external_id: randomUUID() },
  attribution: { user_id: shop.people[0]?.id },
  ...fields,
});

interface Told {
  /** Amounts, level 1 first. */
  paid: number[];
  chosen: (string | null)[];
  // biome-ignore lint/suspicious/noExplicitAny: the document as it goes over the wire.
  why: any;
}

async function told(shop: Shop, fields: object = {}): Promise<Told> {
  const { event_id: eventId } = await purchaseOf(shop.client, sale(shop, fields));
  const { body: why, status, text } = await shop.client.get(`/api/v1/events/${eventId}/explain`);
  expect(status, text).toBe(200);
  expect(findDifferences(why)).toEqual([]);
  expect(why.recomputed).toBe(true);
  const shares = why.outcomes.flatMap((outcome: { shares: Record<string, unknown>[] }) => outcome.shares);
  return {
    paid: shares.map((share: { amount_minor: number }) => share.amount_minor),
    chosen: shares.map(
      (share: { chosen?: { source: string; id: string | null } }) => share.chosen?.id ?? share.chosen?.source ?? null,
    ),
    why,
  };
}

const pays = async (shop: Shop, fields: object = {}): Promise<number[]> => (await told(shop, fields)).paid;

describe('what tenants sell on', () => {
  const firstYear: Rules = [
    { id: 'first-year', levels: [1], when: { fact: 'customer.monthsSinceFirst', lt: 12 }, pay: { rateBps: 3000 } },
  ];

  test('the first year of a customer pays more, to the day and in the time zone of the tenant', async () => {
    const shop = await open(firstYear, {}, 'Pacific/Auckland');
    const customer = { external_id: 'kim' };
    const at = (occurred_at: string) => pays(shop, { customer, occurred_at });
    expect(await at('2025-02-28T11:30:00Z')).toEqual([3000, 500]);
    // 1 March 00:30 in Auckland: a year behind that is the first of March again.
    expect(await at('2026-02-28T11:29:59Z')).toEqual([3000, 500]);
    expect(await at('2026-02-28T11:30:00Z')).toEqual([1000, 500]);
    // Another customer begins anew.
    expect(await pays(shop, { occurred_at: '2026-02-28T11:30:00Z' })).toEqual([3000, 500]);
  });

  test('a month ends where the calendar ends it', async () => {
    const shop = await open([
      { id: 'first-month', levels: [1], when: { fact: 'customer.monthsSinceFirst', lt: 1 }, pay: { rateBps: 3000 } },
    ]);
    const at = (occurred_at: string) => pays(shop, { customer: { external_id: 'lee' }, occurred_at });
    expect(await at('2026-01-31T12:00:00Z')).toEqual([3000, 500]);
    expect(await at('2026-02-28T11:59:59Z')).toEqual([3000, 500]);
    expect(await at('2026-02-28T12:00:00Z')).toEqual([1000, 500]);
    // A sale that is dated in front of the first one is of its first month.
    expect(await at('2025-12-31T12:00:00Z')).toEqual([3000, 500]);
  });

  test('the first sale to a customer has a bonus, of which there is one, also of two at once', async () => {
    const bonus: Rules = [
      { id: 'first-sale', levels: [1], when: { fact: 'customer.purchaseNumber', lt: 2 }, pay: { flatMinor: { USD: 2500 } } },
    ];
    const shop = await open(bonus);
    const customer = { external_id: 'max' };
    const at = '2026-01-01T00:00:00Z';
    const both = await Promise.all([
      pays(shop, { customer, occurred_at: at }),
      pays(shop, { customer, occurred_at: at }),
      pays(shop, { customer, occurred_at: at }),
    ]);
    expect(both.toSorted()).toEqual([
      [1000, 500],
      [1000, 500],
      [2500, 500],
    ]);
    // In another currency the rule has no sum.
    const other = await told(shop, { currency: 'EUR' });
    expect(other.paid).toEqual([0, 500]);
    expect(other.why.outcomes[0].reason).toBe('NO_AMOUNT_FOR_CURRENCY');
  });

  test('a fast start of thirty days is for the seller or the recruiter, by local days since joining', async () => {
    const fastStart = (levels: number[]): Rules => [
      { id: 'fast-start', levels, when: { fact: 'credited.ageDays', lt: 30 }, pay: { rateBps: 2000 } },
    ];
    for (const [levels, early, late] of [
      [[1], [2000, 500], [1000, 500]],
      [[2], [1000, 2000], [1000, 500]],
    ]) {
      const shop = await open(fastStart(levels ?? []), {}, 'Pacific/Auckland');
      const sponsor = shop.people[1];
      // 1 March 09:00 in Auckland.
      const seller = await shop.client.newMember({
        parent_id: sponsor?.id,
        membership_tier: 'DIRECTOR',
        joined_at: '2026-02-28T20:00:00Z',
      });
      const at = (occurred_at: string) => pays(shop, { attribution: { user_id: seller.id }, occurred_at });
      expect(await at('2026-03-30T10:59:59Z')).toEqual(early); // 30 March, 23:59: day 29
      expect(await at('2026-03-30T11:00:00Z')).toEqual(late); // 31 March, 00:00: day 30
      // Before it joined it has no age, and no fast start.
      expect(await at('2026-02-28T19:59:59Z')).toEqual(late);
    }
  });

  test('a group is paid otherwise, whoever of the upline is in it, as of the sale', async () => {
    const shop = await open([
      { id: 'staff', levels: 'all', final: true, when: { fact: 'credited.group', in: ['staff'] }, pay: { rateBps: 0 } },
      { id: 'vip', levels: 'all', when: { fact: 'member.group', in: ['vip'] }, pay: { rateBps: 1500 } },
    ]);
    for (const key of ['vip', 'staff']) await shop.client.post('/api/v1/groups', { key, name: key });
    const move = (key: string, member: MemberBody | undefined, effectiveAt: string) =>
      shop.client.post(`/api/v1/groups/${key}/members`, { userIds: [member?.id], effectiveAt });
    await move('vip', shop.people[1], '2026-05-01T00:00:00Z');
    await move('staff', shop.people[0], '2026-06-01T00:00:00Z');
    expect(await pays(shop, { occurred_at: '2026-04-30T23:59:59Z' })).toEqual([1000, 500]);
    expect(await pays(shop, { occurred_at: '2026-05-01T00:00:00Z' })).toEqual([1000, 1500]);
    const none = await told(shop, { occurred_at: '2026-06-01T00:00:00Z' });
    expect(none.paid).toEqual([0, 0]);
    expect(none.why.outcomes.map(({ reason }: { reason: string }) => reason)).toEqual(['RATE_OF_ZERO', 'RATE_OF_ZERO']);
    expect(none.why.commissions).toEqual([]);
    // Taken back where it is explained: an exception that pays less comes first because it is written so.
    expect(none.why.outcomes[1].shares[0].chosen).toMatchObject({
      source: 'final_rule',
      id: 'staff',
      considered: [
        { id: 'vip', reason: 'OUTRANKED', at: null },
        { source: 'level', id: null, reason: 'OUTRANKED' },
      ],
    });
  });

  test('fields of the shop are asked for, and are not kept', async () => {
    const shelf = { fact: 'sale.metadata.shelf', in: ['gift-card'] };
    const shop = await open([
      { id: 'gift-cards', levels: 'all', final: true, when: shelf, pay: { rateBps: 0 } },
      { id: 'many', levels: [1], when: { not: { fact: 'sale.metadata.pieces', lt: 10 } }, pay: { rateBps: 1200 } },
    ]);
    const gift = await told(shop, { metadata: { shelf: 'gift-card', pieces: 3 } });
    expect(gift.paid).toEqual([0, 0]);
    expect(gift.why.inputs.verdicts).toEqual([
      { test: shelf, holds: true },
      { test: { fact: 'sale.metadata.pieces', lt: 10 }, holds: true },
    ]);
    const [row] = await app.database.asSuperuser<{ text: string }>(
      'select evaluation::text as text from event where tenant_id = $1 and id = $2',
      [shop.tenant.tenantId, gift.why.event_id],
    );
    expect(row?.text).not.toContain('gift-card');
    expect(await pays(shop, { metadata: { pieces: 9 } })).toEqual([1000, 500]);
    expect(await pays(shop, { metadata: { pieces: 10 } })).toEqual([1200, 500]);
    // What is absent, or no whole number, is below nothing and above nothing.
    for (const pieces of [undefined, -1, 2.5, '3', null, true]) {
      expect(await pays(shop, { metadata: { pieces } }), `${pieces}`).toEqual([1200, 500]);
    }
    // Nothing of an object's ancestry is a field.
    const odd = await open([
      { id: 'odd', levels: 'all', when: { fact: 'sale.metadata.constructor', exists: true }, pay: { rateBps: 1 } },
    ]);
    expect(await pays(odd, { metadata: {} })).toEqual([1000, 500]);
  });

  test('amounts are compared in the currency of the sale, and a map without it does not hold', async () => {
    const shop = await open([
      { id: 'large', levels: [1], when: { fact: 'sale.baseMinor', gte: { USD: 10_000, JPY: 5 } }, pay: { rateBps: 2000 } },
    ]);
    expect(await pays(shop, { amount_minor: 9_999 })).toEqual([1000, 500]);
    expect(await pays(shop, { amount_minor: 10_000 })).toEqual([2000, 500]);
    expect(await pays(shop, { amount_minor: 10_000, currency: 'EUR' })).toEqual([1000, 500]);
    expect(await pays(shop, { amount_minor: 10, currency: 'JPY' })).toEqual([2, 1]);
  });
});

describe('beside what a plan has already', () => {
  const always = { fact: 'sale.type', exists: true as const };

  test('the multiplier of the tier counts for a rule as for a level', async () => {
    const shop = await open([{ id: 'all', levels: 'all', when: always, pay: { rateBps: 333 } }], {
      tierRules: Object.fromEntries(
        ['ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR'].map((tier) => [tier, { multiplierMilli: 1100, maxDepth: 10 }]),
      ),
    });
    expect(await pays(shop, { amount_minor: 10_501 })).toEqual([385, 385]); // 384.65…
  });

  test('in a differential plan a rule gives the own rate, and the walk goes on to the highest of all', async () => {
    const tiers = Object.fromEntries(
      ['ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR'].map((tier, index) => [
        tier,
        { multiplierMilli: 1000, maxDepth: 256, rateBps: [1000, 500, 1500, 2000][index] },
      ]),
    );
    const rules: Rules = [{ id: 'agreed', levels: 'all', when: { fact: 'member.group', in: ['vip'] }, pay: { rateBps: 1200 } }];
    const shop = await open(rules, { mode: 'differential', levels: [], tierRules: tiers });
    const [seller, ordinary] = await newUpline(shop.client, 'S O M D');
    await shop.client.post('/api/v1/groups', { key: 'vip', name: 'VIP' });
    const moved = { userIds: [ordinary?.id], effectiveAt: '2020-01-01T00:00:00Z' };
    expect((await shop.client.post('/api/v1/groups/vip/members', moved)).status).toBe(200);
    const walk = await told(shop, { attribution: { user_id: seller?.id } });
    expect(walk.paid).toEqual([500, 700, 300, 500]);
    expect(walk.chosen).toEqual(['level', 'agreed', 'level', 'level']);
  });

  test('a level that rolls up is judged anew for its heir, and what nobody takes is kept at what no member decides', async () => {
    const rules: Rules = [
      { id: 'vip', levels: [1], when: { fact: 'member.group', in: ['vip'] }, pay: { rateBps: 2000 } },
      { id: 'small', levels: [2], when: { fact: 'sale.amountMinor', lt: { USD: 20_000 } }, pay: { rateBps: 100 } },
    ];
    const shop = await open(rules, { compression: 'roll_up' });
    await shop.client.post('/api/v1/groups', { key: 'vip', name: 'VIP' });
    const [seller] = await newUpline(shop.client, 'd D');
    const heir = (await shop.client.get(`/api/v1/users/${seller?.id}`)).body.parent_id;
    await shop.client.post('/api/v1/groups/vip/members', { userIds: [heir], effectiveAt: '2020-01-01T00:00:00Z' });
    const up = await told(shop, { attribution: { user_id: seller?.id } });
    expect(up.paid).toEqual([2000, 100]);
    const [lone] = await newUpline(shop.client, 'D d');
    const kept = await told(shop, { attribution: { user_id: lone?.id } });
    expect(kept.paid).toEqual([1000]);
    expect(kept.why.breakage_minor).toBe(100);
  });

  test('an upline longer than the first read is judged by the same facts', async () => {
    const long = Array.from({ length: 18 }, (_, index) => ({ level: index + 1, rateBps: 10 }));
    const rules: Rules = [{ id: 'late', levels: [18], when: { fact: 'member.ageDays', gte: 10 }, pay: { rateBps: 500 } }];
    const tiers = Object.fromEntries(
      ['ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR'].map((tier) => [tier, { multiplierMilli: 1000, maxDepth: 256 }]),
    );
    const shop = await open(rules, { levels: long, tierRules: tiers });
    const top = await shop.client.newMember({ membership_tier: 'DIRECTOR', joined_at: '2020-01-01T00:00:00Z' });
    let parent = top;
    for (let depth = 0; depth < 17; depth++) parent = await shop.client.newMember({ parent_id: parent.id });
    const walk = await told(shop, { attribution: { user_id: parent.id } });
    expect(walk.paid.at(-1)).toBe(500);
    expect(walk.paid).toHaveLength(18);
  });

  test('a refund in parts ends at nothing', async () => {
    const shop = await open([
      { id: 'first', levels: [1], when: { fact: 'customer.purchaseNumber', lt: 2 }, pay: { rateBps: 3333 } },
    ]);
    const bought = sale(shop, { amount_minor: 9_999 });
    await purchaseOf(shop.client, bought);
    for (const [n, amount_minor] of [3_333, 1, 6_665].entries()) {
      const refund = { external_event_id: randomUUID(), purchase_external_event_id: bought.external_event_id, amount_minor };
      const answer = await shop.client.post('/api/v1/events/refund', refund);
      expect(answer.status, `${n}: ${answer.text}`).toBe(201);
    }
    const { body } = await shop.client.get(`/api/v1/commissions?userId=${shop.people[0]?.id}`);
    const sum = body.data.reduce((total: number, { amountMinor }: { amountMinor: number }) => total + amountMinor, 0);
    expect(sum).toBe(0);
  });

  test('what is back-dated later changes no explanation', async () => {
    const shop = await open([{ id: 'vip', levels: [1], when: { fact: 'member.group', in: ['vip'] }, pay: { rateBps: 2000 } }]);
    await shop.client.post('/api/v1/groups', { key: 'vip', name: 'VIP' });
    const { why } = await told(shop, { occurred_at: '2026-05-01T00:00:00Z' });
    const moved = { userIds: [shop.people[0]?.id], effectiveAt: '2026-01-01T00:00:00Z' };
    await shop.client.post('/api/v1/groups/vip/members', moved);
    expect((await shop.client.get(`/api/v1/events/${why.event_id}/explain`)).body).toEqual(why);
  });

  test('a quote says the same before anything is stored, and what another group would bring', async () => {
    const definition = {
      mode: 'unilevel',
      base: 'gross',
      levels: LEVELS,
      compression: 'compress',
      personalPurchase: 'sponsor_first',
      holding: { days: 0 },
      tierRules: { DIRECTOR: { maxDepth: 5 } },
      rules: [
        { id: 'gift', levels: 'all', final: true, when: { fact: 'sale.metadata.shelf', in: ['gift'] }, pay: { rateBps: 0 } },
        { id: 'vip', levels: [1], when: { fact: 'member.group', in: ['vip'] }, pay: { rateBps: 1500 } },
      ],
    };
    const shop = await open([]);
    const [seller] = shop.people;
    const quote = async (fields: object) => {
      const asked = { definition, amountMinor: 10_000, currency: 'USD', attribution: { userId: seller?.id }, ...fields };
      const answer = await shop.client.post('/api/v1/commission-plans/quote', asked);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.commissions.map((line: { amountMinor: number; chosen: { id: string | null } }) => [
        line.amountMinor,
        line.chosen.id,
      ]);
    };
    expect(await quote({})).toEqual([
      [1000, null],
      [500, null],
    ]);
    expect(await quote({ groups: { [seller?.id ?? '']: 'vip' } })).toEqual([
      [1500, 'vip'],
      [500, null],
    ]);
    expect(await quote({ metadata: { shelf: 'gift' } })).toEqual([]);
  });

  test('a quote of a plan that is not in force knows how long members have been there', async () => {
    const shop = await open([]);
    const [, sponsor] = shop.people;
    const seller = await shop.client.newMember({ parent_id: sponsor?.id, joined_at: '2026-03-01T00:00:00Z' });
    const rule = { id: 'fast-start', levels: [1], when: { fact: 'credited.ageDays', lt: 30 }, pay: { rateBps: 2000 } };
    const definition = {
      mode: 'unilevel',
      base: 'gross',
      levels: LEVELS,
      compression: 'compress',
      personalPurchase: 'sponsor_first',
      holding: { days: 0 },
      tierRules: { ORDINARY: { maxDepth: 1 }, DIRECTOR: { maxDepth: 5 } },
      rules: [rule],
    };
    const quoted = async (occurredAt: string) => {
      const asked = { definition, occurredAt, amountMinor: 10_000, currency: 'USD', attribution: { userId: seller.id } };
      const answer = await shop.client.post('/api/v1/commission-plans/quote', asked);
      return answer.body.commissions.map(({ amountMinor }: { amountMinor: number }) => amountMinor);
    };
    expect(await quoted('2026-03-30T23:59:59Z')).toEqual([2000, 500]);
    expect(await quoted('2026-03-31T00:00:00Z')).toEqual([1000, 500]);
  });

  test('a sale of a plan without rules keeps what it kept', async () => {
    const shop = await open([]);
    const { why } = await told(shop);
    const [row] = await app.database.asSuperuser<{ keys: string[] }>(
      `select array(select jsonb_object_keys(evaluation) order by 1) as keys from event where tenant_id = $1 and id = $2`,
      [shop.tenant.tenantId, why.event_id],
    );
    expect(row?.keys).toEqual(['upline']);
    expect(why.inputs).not.toHaveProperty('facts');
    expect(why.outcomes[0].shares[0]).not.toHaveProperty('chosen');
  });
});
