/**
 * Whom a purchase is credited to, and why not the others: docs/specification/attribution.md#order,
 * docs/decisions/0023-attribution.md.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AttributionModel } from '../../../src/features/attribution/open/decide-attribution.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { purchaseOf, type Sale } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { type AttributionWorld, attributionWorld, beforeSale, creditOf, SALE_AT } from './attribution-world.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let world: AttributionWorld;
let ann: MemberBody;
let bob: MemberBody;
let idle: MemberBody;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  world = attributionWorld(app, { tenantId: tenant.tenantId, environment: 'LIVE' });
  ann = await client.newMember();
  bob = await client.newMember();
  idle = await client.newMember({ is_active: false });
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

interface Case {
  attribution?: object;
  customer?: { external_id: string; email?: string };
  buyer_user_id?: string;
}

const newCustomer = (email?: string) => ({ external_id: randomUUID(), ...(email !== undefined && { email }) });
const sell = (fields: Case): Promise<Sale> => purchaseOf(client, { occurred_at: SALE_AT, ...fields });
/** A customer whose first purchase was credited to the member. */
async function returning(member: MemberBody): Promise<{ external_id: string }> {
  const customer = newCustomer();
  await sell({ customer, attribution: { referral_code: member.referral_code } });
  return customer;
}
const newEmail = () => `${randomUUID()}@lead.example`;

const rows: [label: string, of: () => Promise<Case>, rule: string, winner: () => MemberBody | null, outcomes: string[]][] = [
  ['nobody', async () => ({}), 'none', () => null, []],
  ['a member', async () => ({ attribution: { user_id: ann.id } }), 'explicit_user', () => ann, ['explicit_user won']],
  [
    'a member before a code',
    async () => ({ attribution: { user_id: ann.id, referral_code: bob.referral_code } }),
    'explicit_user',
    () => ann,
    ['explicit_user won', 'referral_code lost OUTRANKED'],
  ],
  [
    'a member while inactive',
    async () => ({ attribution: { user_id: idle.id, referral_code: bob.referral_code } }),
    'explicit_user',
    () => idle,
    ['explicit_user won', 'referral_code lost OUTRANKED'],
  ],
  [
    'a code in any case before a link',
    async () => ({ attribution: { referral_code: ann.referral_code.toLowerCase(), link_id: await world.link(bob.id) } }),
    'referral_code',
    () => ann,
    ['referral_code won', 'link lost OUTRANKED'],
  ],
  [
    'an inactive owner of a code before a link',
    async () => ({ attribution: { referral_code: idle.referral_code, link_id: await world.link(bob.id) } }),
    'referral_code',
    () => idle,
    ['referral_code won', 'link lost OUTRANKED'],
  ],
  [
    'an unknown code',
    async () => ({ attribution: { referral_code: 'NOBODY-HAS-IT', link_id: await world.link(ann.id) } }),
    'link',
    () => ann,
    ['referral_code lost UNKNOWN', 'link won'],
  ],
  [
    'a retired code',
    async () => {
      const { referral_code } = await client.newMember();
      await world.retire(referral_code);
      return { attribution: { referral_code } };
    },
    'none',
    () => null,
    ['referral_code lost RETIRED'],
  ],
  [
    'a link before the first referrer',
    async () => ({ customer: await returning(bob), attribution: { link_id: await world.link(ann.id) } }),
    'link',
    () => ann,
    ['link won', 'first_referrer lost OUTRANKED'],
  ],
  [
    'a link of an inactive member',
    async () => ({ attribution: { link_id: await world.link(idle.id), lead_id: await world.lead(ann.id) } }),
    'link',
    () => idle,
    ['link won', 'lead lost OUTRANKED'],
  ],
  [
    'an unknown link',
    async () => ({ customer: await returning(ann), attribution: { link_id: randomUUID() } }),
    'first_referrer',
    () => ann,
    ['link lost UNKNOWN', 'first_referrer won'],
  ],
  [
    'a disabled link',
    async () => ({ attribution: { link_id: await world.link(ann.id, { status: 'disabled' }) } }),
    'none',
    () => null,
    ['link lost DISABLED'],
  ],
  [
    'a deleted link',
    async () => ({ attribution: { link_id: await world.link(ann.id, { status: 'deleted' }) } }),
    'none',
    () => null,
    ['link lost UNKNOWN'],
  ],
  [
    'a link that expires at the sale',
    async () => ({ attribution: { link_id: await world.link(ann.id, { expiresAt: SALE_AT }) } }),
    'none',
    () => null,
    ['link lost EXPIRED'],
  ],
  [
    'a link that expires a millisecond after it',
    async () => ({ attribution: { link_id: await world.link(ann.id, { expiresAt: beforeSale(-1) }) } }),
    'link',
    () => ann,
    ['link won'],
  ],
  [
    'the first referrer before a lead and a click',
    async () => ({
      customer: await returning(ann),
      attribution: { lead_id: await world.lead(bob.id), click_id: await world.click(bob.id) },
    }),
    'first_referrer',
    () => ann,
    ['first_referrer won', 'lead lost OUTRANKED', 'click lost OUTRANKED'],
  ],
  [
    'an inactive first referrer',
    async () => ({ customer: await returning(idle), attribution: { lead_id: await world.lead(bob.id) } }),
    'lead',
    () => bob,
    ['first_referrer lost INACTIVE', 'lead won'],
  ],
  [
    'a lead with the email of the customer, in any case, before a click',
    async () => {
      const email = newEmail();
      await world.lead(ann.id, { email });
      return { customer: newCustomer(email.toUpperCase()), attribution: { click_id: await world.click(bob.id) } };
    },
    'lead',
    () => ann,
    ['lead won', 'click lost OUTRANKED'],
  ],
  ...['disqualified', 'expired', 'converted'].map((status): (typeof rows)[number] => {
    const outcome = { disqualified: 'lost DISQUALIFIED', expired: 'lost EXPIRED' }[status];
    return [
      `a lead that is ${status}, and has expired`,
      async () => {
        const lead_id = await world.lead(ann.id, { status: 'captured', expiresAt: SALE_AT });
        await app.database.asSuperuser('update lead set conversion_status = $2, converted_member_id = $3 where id = $1', [
          lead_id,
          status,
          status === 'converted' ? bob.id : null,
        ]);
        return { attribution: { lead_id } };
      },
      outcome === undefined ? 'lead' : 'none',
      () => (outcome === undefined ? ann : null),
      [`lead ${outcome ?? 'won'}`],
    ];
  }),
  [
    'a lead that expires a millisecond after the sale',
    async () => ({ attribution: { lead_id: await world.lead(ann.id, { expiresAt: beforeSale(-1) }) } }),
    'lead',
    () => ann,
    ['lead won'],
  ],
  [
    'a lead captured at the sale',
    async () => ({ attribution: { lead_id: await world.lead(ann.id, { at: SALE_AT }) } }),
    'lead',
    () => ann,
    ['lead won'],
  ],
  [
    'a lead captured a millisecond after it',
    async () => ({ attribution: { lead_id: await world.lead(ann.id, { at: beforeSale(-1) }) } }),
    'none',
    () => null,
    ['lead lost AFTER'],
  ],
  [
    'a lead of nobody',
    async () => ({ attribution: { lead_id: await world.lead(null), click_id: await world.click(ann.id) } }),
    'click',
    () => ann,
    ['lead lost UNATTRIBUTED', 'click won'],
  ],
  [
    'a lead of an inactive member',
    async () => ({ attribution: { lead_id: await world.lead(idle.id) } }),
    'none',
    () => null,
    ['lead lost INACTIVE'],
  ],
  ['an unknown lead', async () => ({ attribution: { lead_id: randomUUID() } }), 'none', () => null, ['lead lost UNKNOWN']],
  [
    'a click at the edge of the window',
    async () => ({ attribution: { click_id: await world.click(ann.id, { at: beforeSale(0, 60) }) } }),
    'click',
    () => ann,
    ['click won'],
  ],
  [
    'a click a millisecond before the window',
    async () => ({ attribution: { click_id: await world.click(ann.id, { at: beforeSale(1, 60) }) } }),
    'none',
    () => null,
    ['click lost OUTSIDE_WINDOW'],
  ],
  [
    'a click at the sale',
    async () => ({ attribution: { click_id: await world.click(ann.id, { at: SALE_AT }) } }),
    'click',
    () => ann,
    ['click won'],
  ],
  [
    'a click a millisecond after it',
    async () => ({ attribution: { click_id: await world.click(ann.id, { at: beforeSale(-1) }) } }),
    'none',
    () => null,
    ['click lost AFTER'],
  ],
  [
    'a click of an inactive member, and an earlier one of the customer',
    async () => {
      const customer = newCustomer();
      await world.click(ann.id, { customer: customer.external_id, at: beforeSale(0, 3) });
      return { customer, attribution: { click_id: await world.click(idle.id) } };
    },
    'click',
    () => ann,
    ['click lost INACTIVE', 'click won'],
  ],
  [
    'a click that is not there any more',
    async () => ({ attribution: { click_id: world.sign(randomUUID()) } }),
    'none',
    () => null,
    ['click lost UNKNOWN'],
  ],
  ...['x', 'ck_', `${'a'.repeat(63)}😀${'b'.repeat(100)}`, 'ck_'.padEnd(46, 'A')].map((click_id): (typeof rows)[number] => [
    `a click id that was made up, ${click_id.slice(0, 5)} of ${click_id.length}`,
    async () => ({ attribution: { click_id } }),
    'none',
    () => null,
    ['click lost INVALID'],
  ]),
  [
    'a buying member, whom nothing else outranks',
    async () => ({
      buyer_user_id: bob.id,
      customer: await returning(ann),
      attribution: { user_id: ann.id, referral_code: bob.referral_code, lead_id: randomUUID() },
    }),
    'personal_purchase',
    () => null,
    [
      'explicit_user lost PERSONAL_PURCHASE',
      'referral_code lost SELF',
      'first_referrer lost PERSONAL_PURCHASE',
      'lead lost UNKNOWN',
    ],
  ],
];

describe('a purchase is credited by', () => {
  test.each(rows)('%s', async (_label, of, rule, winner, outcomes) => {
    const sale = await sell(await of());
    expect(await creditOf(client, sale.event_id)).toEqual({ rule, userId: winner()?.id ?? null, outcomes });
  });
});

test('an inactive member who is credited is an unqualified level 1: its sponsor is paid', async () => {
  const sponsor = await client.newMember();
  const seller = await client.newMember({ parent_id: sponsor.id, is_active: false });
  const sale = await sell({ attribution: { link_id: await world.link(seller.id) } });
  expect(sale.commissions.map(({ user_id, level }) => [user_id, level])).toEqual([[sponsor.id, 2]]);
});

test('activity is as of the sale: who was made inactive later still counts, who had been does not', async () => {
  const member = await client.newMember();
  const effective_at = beforeSale(0, 10);
  expect((await client.patch(`/api/v1/users/${member.id}`, { is_active: false, effective_at })).status).toBe(200);
  for (const [occurred_at, rule] of [
    [beforeSale(1, 10), 'lead'],
    [effective_at, 'none'],
  ]) {
    const lead_id = await world.lead(member.id, { at: beforeSale(0, 30) });
    const sale = await purchaseOf(client, { occurred_at, attribution: { lead_id } });
    expect((await creditOf(client, sale.event_id)).rule).toBe(rule);
  }
});

test('the upline of who wins by a link is read as of the sale', async () => {
  const [before, after] = [await client.newMember(), await client.newMember()];
  const seller = await client.newMember({ parent_id: before.id, membership_tier: 'DIRECTOR' });
  await client.patch(`/api/v1/users/${before.id}`, { membership_tier: 'DIRECTOR' });
  const moved = await client.post(`/api/v1/members/${seller.id}/sponsor`, { sponsorId: after.id, effectiveAt: beforeSale(-1) });
  expect(moved.status, moved.text).toBe(200);
  const sale = await sell({ attribution: { link_id: await world.link(seller.id) } });
  expect(sale.commissions[0]?.user_id).toBe(seller.id);
  const { body } = await client.get(`/api/v1/events/${sale.event_id}/explain`);
  expect(body.inputs.upline.map(({ user_id }: { user_id: string }) => user_id)).toEqual([seller.id, before.id]);
});

describe('of several clicks', () => {
  async function newWorld(model: AttributionModel): Promise<{ by: ApiClient; clicks: AttributionWorld }> {
    const own = await app.newTenant();
    const clicks = attributionWorld(app, { tenantId: own.tenantId, environment: 'LIVE' });
    await clicks.settings(model, 7);
    return { by: apiClient(app, own.liveKey), clicks };
  }

  test.each([
    ['last_click', 'bob', ['click won', 'click lost LATER_CLICK', 'click lost LATER_CLICK', 'click lost OUTSIDE_WINDOW']],
    ['first_click', 'ann', ['click lost OUTSIDE_WINDOW', 'click won', 'click lost EARLIER_CLICK', 'click lost EARLIER_CLICK']],
  ] as const)('%s', async (model, winner, outcomes) => {
    const { by, clicks } = await newWorld(model);
    const members = { ann: await by.newMember(), bob: await by.newMember(), mid: await by.newMember() };
    const customer = newCustomer();
    const ofCustomer = { customer: customer.external_id };
    await clicks.click(members.mid.id, { ...ofCustomer, at: beforeSale(0, 3) });
    await clicks.click(members.ann.id, { ...ofCustomer, at: beforeSale(0, 7) });
    await clicks.click(members.bob.id, { ...ofCustomer, at: beforeSale(1) });
    await clicks.click(members.mid.id, { ...ofCustomer, at: beforeSale(-1) }); // later: not read
    await clicks.click(members.mid.id, { ...ofCustomer, at: beforeSale(1, 7) }); // before the window: not read
    const click_id = await clicks.click(members.mid.id, { at: beforeSale(1, 7) });
    const sale = await purchaseOf(by, { occurred_at: SALE_AT, customer, attribution: { click_id } });
    expect(await creditOf(by, sale.event_id)).toEqual({ rule: 'click', userId: members[winner].id, outcomes });
  });

  // Ids ascend with time within a millisecond too, so the later id is the later click.
  test.each([
    ['last_click', 'bob', 'LATER_CLICK'],
    ['first_click', 'ann', 'EARLIER_CLICK'],
  ] as const)('at one instant %s takes the id on its side, however often it is asked', async (model, winner, reason) => {
    const { by, clicks } = await newWorld(model);
    const members = { ann: await by.newMember(), bob: await by.newMember() };
    for (let n = 0; n < 4; n++) {
      const customer = newCustomer();
      for (const { id } of [members.ann, members.bob]) {
        await clicks.click(id, { customer: customer.external_id, at: beforeSale(5) });
      }
      const sale = await purchaseOf(by, { occurred_at: SALE_AT, customer });
      const outcomes = ['click won', `click lost ${reason}`];
      expect(await creditOf(by, sale.event_id)).toEqual({ rule: 'click', userId: members[winner].id, outcomes });
    }
  });

  test.each([
    ['last_click', -1],
    ['first_click', 1],
  ] as const)('%s: many of one inactive member do not hide one of another', async (model, side) => {
    const { by, clicks } = await newWorld(model);
    const [gone, member] = [await by.newMember({ is_active: false }), await by.newMember()];
    const customer = newCustomer();
    await clicks.click(member.id, { customer: customer.external_id, at: beforeSale(0, 3) });
    for (let n = 0; n < 25; n++) {
      await clicks.click(gone.id, { customer: customer.external_id, at: beforeSale(n, 3 + side) });
    }
    const sale = await purchaseOf(by, { occurred_at: SALE_AT, customer });
    const outcomes = ['click lost INACTIVE', 'click won'];
    expect(await creditOf(by, sale.event_id)).toEqual({ rule: 'click', userId: member.id, outcomes });
  });

  test.each(['last_click', 'first_click'] as const)(
    '%s: twenty members are considered, at one instant by their clicks’ ids',
    async (model) => {
      const { by, clicks } = await newWorld(model);
      const customer = newCustomer();
      const members = await Promise.all(Array.from({ length: 21 }, () => by.newMember()));
      for (const { id } of members) await clicks.click(id, { customer: customer.external_id, at: beforeSale(5) });
      const sale = await purchaseOf(by, { occurred_at: SALE_AT, customer });
      const { userId, outcomes } = await creditOf(by, sale.event_id);
      expect([userId, outcomes.length]).toEqual([members.at(model === 'last_click' ? -1 : 0)?.id, 20]);
    },
  );
});

describe('of several leads', () => {
  test('the one that was named comes first, though the one with the email is older', async () => {
    const email = newEmail();
    await world.lead(bob.id, { email, at: beforeSale(0, 9) });
    const sale = await sell({ customer: newCustomer(email), attribution: { lead_id: await world.lead(ann.id) } });
    const outcomes = ['lead won', 'lead lost OUTRANKED'];
    expect(await creditOf(client, sale.event_id)).toEqual({ rule: 'lead', userId: ann.id, outcomes });
    const { body } = await client.get(`/api/v1/referrals/attributions?event_id=${sale.event_id}`);
    expect(body.data).toMatchObject([{ rule: 'lead', user_id: ann.id, decided_again: true }]);
  });

  test.each(['by its id', 'by the email'])('one counts from when it got its referrer; found %s', async (how) => {
    const email = newEmail();
    const capture = (fields: object) => client.post('/api/v1/leads/capture', { email, ...fields });
    const lead = (await capture({})).body;
    const named = how === 'by its id' ? { attribution: { lead_id: lead.id } } : { customer: newCustomer(email) };
    const between = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await capture({ referral_code: ann.referral_code })).body.referrer_user_id).toBe(ann.id);
    const before = await purchaseOf(client, { ...named, occurred_at: between });
    expect((await creditOf(client, before.event_id)).outcomes).toEqual(['lead lost AFTER']);
    const after = await purchaseOf(client, named);
    expect((await creditOf(client, after.event_id)).outcomes).toEqual(['lead won']);
  });
});

describe('of elsewhere', () => {
  test.each(['tenant', 'environment'] as const)('what another %s has is unknown', async (where) => {
    const foreign = where === 'tenant' ? await app.newTenant() : tenant;
    const by = apiClient(app, where === 'tenant' ? foreign.liveKey : tenant.sandboxKey);
    const scope = { tenantId: foreign.tenantId, environment: where === 'tenant' ? 'LIVE' : 'SANDBOX' } as const;
    const there = attributionWorld(app, scope);
    const stranger = await by.newMember();
    const customer = newCustomer(newEmail());
    await there.lead(stranger.id, { email: customer.email ?? '' });
    await there.click(stranger.id, { customer: customer.external_id });
    const named = {
      referral_code: stranger.referral_code,
      link_id: await there.link(stranger.id),
      lead_id: await there.lead(stranger.id),
      click_id: await there.click(stranger.id),
    };
    const sale = await sell({ customer, attribution: named });
    expect(await creditOf(client, sale.event_id)).toEqual({
      rule: 'none',
      userId: null,
      outcomes: [
        'referral_code lost UNKNOWN',
        'link lost UNKNOWN',
        'lead lost UNKNOWN',
        `click lost ${where === 'tenant' ? 'INVALID' : 'OTHER_ENVIRONMENT'}`,
      ],
    });
    const refused = await client.post(
      '/api/v1/events/purchase',
      client.purchaseBody({ attribution: { ...named, user_id: stranger.id } }),
    );
    expectRefusal(refused, 400, 'VALIDATION_ERROR', ['attribution.user_id']);
  });
});

describe('the receipt', () => {
  test('is the same in the first answer, a repeat, the event, the list and a batch', async () => {
    const body = client.purchaseBody({ attribution: { link_id: await world.link(ann.id) } });
    const first = await client.post('/api/v1/events/purchase', body);
    const { receipt_id } = first.body.attribution;
    expect(first.body.attribution).toEqual({
      user_id: ann.id,
      rule: 'link',
      receipt_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect((await client.post('/api/v1/events/purchase', body)).text).toBe(first.text);
    const batch = await client.post('/api/v1/events/batch', { events: [{ kind: 'purchase', ...body }] });
    expect(batch.body.results[0]).toMatchObject({ status: 200, body: { attribution: { receipt_id } } });
    const path = `/api/v1/events/${first.body.event_id}`;
    for (const { body: shown } of [await client.get(path), await client.get(`${path}/explain`)]) {
      expect(shown.attribution.receipt_id).toBe(receipt_id);
    }
    const kept = await app.database.asSuperuser('select event_id, winner_id, rule from attribution_receipt where id = $1', [
      receipt_id,
    ]);
    expect(kept).toEqual([{ event_id: first.body.event_id, winner_id: ann.id, rule: 'link' }]);
  });

  test('is null of a purchase that was recorded before there were receipts', async () => {
    const sale = await sell({ attribution: { user_id: ann.id } });
    await app.database.asSuperuser(
      `set session_replication_role = replica; update event set receipt_id = null where id = '${sale.event_id}';
       delete from attribution_receipt where event_id = '${sale.event_id}'; reset session_replication_role`,
    );
    const path = `/api/v1/events/${sale.event_id}`;
    expect((await client.get(path)).body.attribution).toEqual({ user_id: ann.id, rule: 'explicit_user', receipt_id: null });
    expect((await client.get(`${path}/explain`)).body).toMatchObject({
      attribution: { receipt_id: null },
      credit: null,
      recomputed: true,
    });
  });

  test('of a personal purchase has whom the plan credits', async () => {
    const child = await client.newMember({ parent_id: ann.id });
    const { body } = await client.post('/api/v1/events/purchase', client.purchaseBody({ buyer_user_id: child.id }));
    expect(body.attribution).toMatchObject({ user_id: ann.id, rule: 'personal_purchase' });
    const [kept] = await app.database.asSuperuser('select winner_id, buyer_id from attribution_receipt where event_id = $1', [
      body.event_id,
    ]);
    expect(kept).toEqual({ winner_id: ann.id, buyer_id: child.id });
  });
});

test('a quote is credited like the purchase, and stores nothing', async () => {
  const counted = () =>
    app.database.asSuperuser('select (select count(*) from attribution_receipt) as r, (select count(*) from customer) as c');
  const before = await counted();
  const quote = async (fields: object) =>
    (
      await client.post('/api/v1/commission-plans/quote', {
        amountMinor: 10_000,
        currency: 'USD',
        occurredAt: SALE_AT,
        ...fields,
      })
    ).body;
  const cases: [object, string][] = [
    [{ attribution: { linkId: await world.link(ann.id) } }, 'link'],
    [{ attribution: { clickId: await world.click(ann.id) } }, 'click'],
    [{ attribution: { leadId: await world.lead(ann.id) } }, 'lead'],
    [{ attribution: { linkId: randomUUID(), clickId: 'x', leadId: randomUUID(), referralCode: 'NONE-SUCH' } }, 'none'],
  ];
  for (const [fields, rule] of cases) {
    expect(await quote(fields)).toMatchObject({ attribution: { rule, userId: rule === 'none' ? null : ann.id } });
  }
  expect(await counted()).toEqual(before);
});
