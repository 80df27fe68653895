/** What is agreed with members on real sales: which sales it counts for, when, and what an explanation says of it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { addPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { purchaseOf } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { attributionWorld } from '../attribution/attribution-world.ts';
import {
  agree,
  clickOn,
  codeOf,
  endOf,
  explained,
  linkOf,
  OVERRIDES,
  openRateShop,
  passedOver,
  person,
  propose,
  SALE_AT,
  told,
  type Wire,
} from './support/rate-shop.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

const FEBRUARY = '2026-02-01T00:00:00.000Z';
const MARCH = '2026-03-01T00:00:00.000Z';
const justBefore = (instant: string): string => new Date(Date.parse(instant) - 1).toISOString();

describe('the time of the sale', () => {
  test('decides whether it counts: not before it, and not from its end on', async () => {
    const shop = await openRateShop(app);
    const { id } = await agree(shop, { pay: { rateBps: 2000 }, validFrom: FEBRUARY });
    expect((await endOf(shop, id, { at: MARCH })).status).toBe(200);
    const at = async (occurred_at: string) => (await told(shop, { occurred_at })).paid;
    expect(await at(justBefore(FEBRUARY))).toEqual([1000, 500]);
    expect(await at(FEBRUARY)).toEqual([2000, 500]);
    expect(await at(justBefore(MARCH))).toEqual([2000, 500]);
    expect(await at(MARCH)).toEqual([1000, 500]);
  });

  test('decides alone, though the end is recorded while the sale is on its way', async () => {
    const shop = await openRateShop(app);
    const { id } = await agree(shop, { pay: { rateBps: 2000 } });
    const occurred_at = new Date(Date.now() - 1000).toISOString();
    expect((await endOf(shop, id)).status).toBe(200);
    expect((await told(shop, { occurred_at })).paid).toEqual([2000, 500]);
    expect((await told(shop, { occurred_at: undefined })).paid).toEqual([1000, 500]);
  });

  test('lets what is back-dated count for sales that are recorded later, and changes no explanation', async () => {
    const shop = await openRateShop(app);
    const first = await told(shop);
    await agree(shop, { pay: { rateBps: 2000 } });
    expect((await explained(shop.client, first.sale.event_id)).why).toEqual(first.why);
    expect((await told(shop)).paid).toEqual([2000, 500]);
  });

  test('goes by the one that replaces the former, from its start on', async () => {
    const shop = await openRateShop(app);
    const first = await agree(shop, { pay: { rateBps: 2000 } });
    const second = await agree(shop, { pay: { rateBps: 1500 }, validFrom: MARCH });
    expect((await told(shop, { occurred_at: justBefore(MARCH) })).chosen[0]).toBe(first.id);
    const later = await told(shop);
    expect([later.paid[0], later.chosen[0], passedOver(later)]).toEqual([1500, second.id, ['level OUTRANKED']]);
  });
});

describe('of a link and a code', () => {
  test('it counts for sales by the link and by a click on it, and for no other way to the same member', async () => {
    const shop = await openRateShop(app);
    const seller = person(shop);
    const [linkId, other] = [await linkOf(shop, seller), await linkOf(shop, seller)];
    const { id } = await agree(shop, { target: 'link', targetId: linkId, pay: { rateBps: 800 } });
    const by = (attribution: object, fields: object = {}) => told(shop, { attribution, ...fields });
    for (const attribution of [{ link_id: linkId }, { click_id: await clickOn(shop, 'link', linkId, seller) }]) {
      const sold = await by(attribution);
      expect([sold.paid, sold.chosen]).toEqual([
        [800, 500],
        [id, null],
      ]);
    }
    const world = attributionWorld(app, shop.scope);
    const customer = { external_id: randomUUID() };
    await told(shop, { customer, attribution: { link_id: linkId } });
    const others: [string, object, object?][] = [
      ['link', { link_id: other }],
      ['click', { click_id: await clickOn(shop, 'link', other, seller) }],
      ['referral_code', { referral_code: seller.referral_code }],
      ['referral_code', { referral_code: seller.referral_code, link_id: linkId }],
      ['explicit_user', { user_id: seller.id, link_id: linkId }],
      ['lead', { lead_id: await world.lead(seller.id) }],
      ['first_referrer', {}, { customer }],
    ];
    for (const [rule, attribution, fields] of others) {
      const sold = await by(attribution, fields);
      expect([sold.why.attribution.rule, sold.paid, sold.chosen]).toEqual([rule, [1000, 500], [null, null]]);
    }
  });

  test('it counts for sales by the code in any case and by a click on it, and not by a link of its owner', async () => {
    const shop = await openRateShop(app);
    const seller = person(shop);
    const codeId = await codeOf(shop, seller);
    const { id } = await agree(shop, { target: 'code', targetId: codeId, pay: { rateBps: 1200 } });
    const by = async (attribution: object) => (await told(shop, { attribution })).chosen[0];
    expect(await by({ referral_code: seller.referral_code })).toBe(id);
    expect(await by({ referral_code: seller.referral_code.toLowerCase() })).toBe(id);
    expect(await by({ click_id: await clickOn(shop, 'code', codeId, seller) })).toBe(id);
    expect(await by({ link_id: await linkOf(shop, seller) })).toBeNull();
    expect(await by({ user_id: seller.id })).toBeNull();
  });

  test('it is not paid where a buyer is named and somebody else is credited', async () => {
    const shop = await openRateShop(app);
    const linkId = await linkOf(shop, person(shop));
    await agree(shop, { target: 'link', targetId: linkId, pay: { rateBps: 3000 } });
    const [buyer, sponsor] = await newUpline(shop.client, 'D D');
    const sold = await told(shop, { attribution: { link_id: linkId }, buyer_user_id: buyer?.id });
    expect(sold.why.attribution).toMatchObject({ user_id: sponsor?.id, rule: 'personal_purchase' });
    expect([sold.paid, sold.chosen]).toEqual([[1000], [null]]);
    // The buyer comes in under the owner of the link: the sale is not by the link all the same.
    const under = await shop.client.newMember({ parent_id: person(shop).id });
    const own = await told(shop, { attribution: { link_id: linkId }, buyer_user_id: under.id });
    expect([own.why.attribution.user_id, own.paid]).toEqual([person(shop).id, [1000, 500]]);
  });

  test('nobody inherits it from an owner who is passed over', async () => {
    for (const compression of ['compress', 'roll_up'] as const) {
      const shop = await openRateShop(app, { compression }, { upline: 'd D D' });
      const linkId = await linkOf(shop, person(shop));
      await agree(shop, { target: 'link', targetId: linkId, pay: { rateBps: 3000 } });
      const sold = await told(shop, { attribution: { link_id: linkId } });
      expect(sold.why.outcomes[0].reason).toBe('INACTIVE');
      expect([sold.paid, sold.chosen]).toEqual([
        [1000, 500],
        [null, null],
      ]);
    }
  });
});

test('the heir of a level that rolls up is judged anew, by what is agreed with it', async () => {
  const shop = await openRateShop(app, { compression: 'roll_up' }, { upline: 'd D D' });
  await agree(shop, { pay: { rateBps: 2900 } });
  const heir = await agree(shop, { targetId: person(shop, 1).id, pay: { rateBps: 2000 } });
  const sold = await told(shop);
  // Level 1 and its own level 2, for which nothing is agreed.
  expect(sold.paid).toEqual([2000, 500]);
  expect(sold.why.outcomes[1].shares.map(({ paid_level, chosen }: Wire) => [paid_level, chosen.id])).toEqual([
    [1, heir.id],
    [2, null],
  ]);
  expect(sold.why.outcomes[1].shares[1].chosen.considered).toMatchObject([{ id: heir.id, reason: 'LEVEL_NOT_NAMED' }]);
});

test('the multiplier of the tier is not for what is agreed, and the ceiling is', async () => {
  const shop = await openRateShop(app, {
    tierRules: { DIRECTOR: { multiplierMilli: 1500, maxDepth: 10 } },
    caps: { perEventPayoutBps: 2000 },
  });
  await agree(shop, { pay: { rateBps: 3000 } });
  const sold = await told(shop);
  const shares = sold.why.outcomes.flatMap(({ shares: each }: Wire) => each);
  expect(shares.map((share: Wire) => [share.multiplier_milli, share.rounded_minor])).toEqual([
    [1000, 3000],
    [1500, 750],
  ]);
  expect(sold.paid).toEqual([1600, 400]);
});

describe('a plan', () => {
  test('that does not pay the sale does not lend it what is agreed for it', async () => {
    const shop = await openRateShop(app);
    const versionId = await addPlan(app, shop.tenant, { scope: { types: ['subscription_initial'] } } as never);
    const { body } = await shop.client.get('/api/v1/commission-plans');
    const other = body.data.find(({ id }: Wire) => id !== shop.planId);
    expect(versionId).not.toBe('');
    await agree(shop, { planId: other.id, pay: { rateBps: 3000 } });
    const sold = await told(shop);
    expect([sold.paid, sold.chosen, sold.why.inputs.upline[0].overrides]).toEqual([[1000, 500], [null, null], undefined]);
    const own = await agree(shop, { planId: shop.planId, pay: { rateBps: 2000 } });
    await agree(shop, { pay: { rateBps: 2500 }, validFrom: MARCH });
    expect((await told(shop)).chosen[0]).toBe(own.id);
  });

  test('says for which levels it counts: on others it is passed over, with a warning when it is agreed', async () => {
    const shop = await openRateShop(app, { overrides: { levels: [2], maxRateBps: 3000 } });
    const first = await agree(shop, { pay: { rateBps: 2000 } });
    expect(first.warnings.map(({ code }: Wire) => code)).toEqual(['NO_PLAN_LETS_IT_COUNT']);
    const second = await agree(shop, { targetId: person(shop, 1).id, level: 2, pay: { rateBps: 2000 } });
    expect(second.warnings).toEqual([]);
    const sold = await told(shop);
    expect([sold.paid, sold.chosen]).toEqual([
      [1000, 2000],
      ['level', second.id],
    ]);
    expect(passedOver(sold)).toEqual([`${first.id} LEVEL_NOT_NAMED`]);
  });

  test('that lets nothing count reads and keeps nothing of it', async () => {
    const shop = await openRateShop(app, { overrides: null });
    const { warnings } = await agree(shop, { pay: { rateBps: 2000 } });
    expect(warnings.map(({ code }: Wire) => code)).toEqual(['NO_PLAN_LETS_IT_COUNT']);
    const sold = await told(shop);
    expect([sold.paid, sold.chosen]).toEqual([
      [1000, 500],
      [null, null],
    ]);
    expect(sold.why.inputs.upline[0]).not.toHaveProperty('overrides');
  });

  test('lets sums count in the currencies it names, up to its most; in others the next source pays', async () => {
    const shop = await openRateShop(app, { overrides: { levels: [1], maxRateBps: 3000, maxFlatMinor: { USD: 1500, JPY: 9 } } });
    const rate = await agree(shop, { pay: { rateBps: 1100 } });
    const linkId = await linkOf(shop, person(shop));
    const flatMinor = { USD: 2000, EUR: 50 };
    const sum = await agree(shop, { target: 'link', targetId: linkId, pay: { flatMinor } });
    const by = (currency: string) => told(shop, { currency, attribution: { link_id: linkId } });
    const cut = await by('USD');
    expect([cut.paid[0], cut.chosen[0], cut.why.outcomes[0].shares[0].flat_minor]).toEqual([1500, sum.id, 1500]);
    expect(cut.why.outcomes[0].shares[0].chosen.cut).toEqual({ reason: 'CUT_TO_PLAN_MAXIMUM', from: 2000 });
    for (const [currency, reason] of [
      ['EUR', 'SUM_NOT_ALLOWED'],
      ['JPY', 'CURRENCY_NOT_NAMED'],
    ] as const) {
      const sold = await by(currency);
      expect([sold.paid[0], sold.chosen[0]]).toEqual([1100, rate.id]);
      expect(passedOver(sold)).toEqual([`${sum.id} ${reason}`, 'level OUTRANKED']);
    }
  });
});

describe('of somebody else', () => {
  test('it pays nobody but whom it is agreed with', async () => {
    const shop = await openRateShop(app);
    await agree(shop, { targetId: person(shop, 1).id, pay: { rateBps: 3000 } });
    const stranger = await shop.client.newMember();
    await agree(shop, { targetId: stranger.id, pay: { rateBps: 3000 } });
    expect((await told(shop)).paid).toEqual([1000, 500]);
  });

  test('it is not seen by another tenant or environment, and nothing of theirs can be named', async () => {
    const [shop, other] = [await openRateShop(app), await openRateShop(app)];
    const override = await agree(shop, { pay: { rateBps: 2000 } });
    const sandbox = { ...shop, client: apiClient(app, shop.tenant.sandboxKey) };
    const twin = await sandbox.client.newMember();
    for (const from of [other, sandbox]) {
      expect((await from.client.get(`${OVERRIDES}/${override.id}`)).status).toBe(404);
      expect((await endOf(from, override.id)).status).toBe(404);
      expect((await from.client.get(OVERRIDES)).body.data).toEqual([]);
      const mine = from === other ? person(other) : twin;
      for (const fields of [
        { target: 'member', targetId: person(shop).id },
        { target: 'link', targetId: await linkOf(shop, person(shop)) },
        { target: 'code', targetId: await codeOf(shop, person(shop)) },
        { target: 'member', targetId: mine.id, planId: shop.planId },
      ]) {
        const answer = await propose(from, { ...fields, pay: { rateBps: 100 } });
        const field = fields.planId === undefined ? 'targetId' : 'planId';
        expect([answer.status, answer.body.details?.fields?.[0]?.field]).toEqual([400, field]);
      }
    }
    const made = await propose(sandbox, { target: 'member', targetId: twin.id, pay: { rateBps: 4000 } });
    expect(made.status).toBe(201);
    const sold = await purchaseOf(sandbox.client, { attribution: { user_id: twin.id } });
    expect(sold.commissions.map(({ amount_minor }) => amount_minor)).toEqual([4000]);
    await explained(sandbox.client, sold.event_id);
    expect((await shop.client.get(OVERRIDES)).body.data.map(({ id }: Wire) => id)).toEqual([override.id]);
  });
});

test('a quote goes by the link, and by what is agreed at its time', async () => {
  const shop = await openRateShop(app);
  const linkId = await linkOf(shop, person(shop));
  const { id } = await agree(shop, { target: 'link', targetId: linkId, pay: { rateBps: 2000 }, validFrom: FEBRUARY });
  const quote = async (occurredAt: string) => {
    const asked = { occurredAt, amountMinor: 10_000, currency: 'USD', attribution: { linkId } };
    const { body } = await shop.client.post('/api/v1/commission-plans/quote', asked);
    return body.commissions.map(({ amountMinor, chosen }: Wire) => [amountMinor, chosen?.id]);
  };
  expect(await quote(justBefore(FEBRUARY))).toEqual([
    [1000, undefined],
    [500, undefined],
  ]);
  expect(await quote(SALE_AT)).toEqual([
    [2000, id],
    [500, undefined],
  ]);
});
