/** Sales of test members (docs/specification/commissions.md#test-members). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findDifferences } from '../../../tools/evaluate-explain.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { publishPlan } from '../../support/money/model-plan.ts';

let app: TestApp;
let live: ApiClient;
let sandbox: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  const tenant = await app.newTenant();
  live = apiClient(app, tenant.liveKey);
  sandbox = apiClient(app, tenant.sandboxKey);
});
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

interface Outcome {
  user_id: string;
  outcome: string;
  reason: string | null;
}

const newMember = (client: ApiClient, sponsor?: MemberBody, fields: object = {}) =>
  client.newMember({ membership_tier: 'DIRECTOR', ...(sponsor && { parent_id: sponsor.id }), ...fields });

/** Who is above whom, the lowest last; those that are named are test members. */
async function line(client: ApiClient, ...tests: string[]) {
  const top = await newMember(client, undefined, { is_test_user: tests.includes('top') });
  const middle = await newMember(client, top, { is_test_user: tests.includes('middle') });
  const seller = await newMember(client, middle, { is_test_user: tests.includes('seller') });
  const buyer = await newMember(client, seller, { is_test_user: tests.includes('buyer') });
  return { top, middle, seller, buyer };
}

async function sell(client: ApiClient, fields: object) {
  const answer = await client.post('/api/v1/events/purchase', client.purchaseBody(fields));
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  const explained = await client.get(`/api/v1/events/${answer.body.event_id}/explain`);
  expect(explained.status).toBe(200);
  expect(findDifferences(explained.body)).toEqual([]);
  expect(explained.body.recomputed).toBe(true);
  return {
    id: answer.body.event_id as string,
    externalId: answer.body.external_event_id as string,
    status: answer.body.status as string,
    paid: answer.body.commissions.map((one: { user_id: string }) => one.user_id) as string[],
    reasons: explained.body.outcomes.map((one: Outcome) => one.reason ?? one.outcome) as string[],
    explained: explained.body,
  };
}

const setFlag = (member: MemberBody, flag: boolean) =>
  app.database.asSuperuser('update member set is_test_user = $2 where id = $1', [member.id, flag]);

describe('in LIVE', () => {
  test('what a test member brings in pays nobody, itself neither', async () => {
    const { seller } = await line(live, 'seller');
    const sale = await sell(live, { attribution: { user_id: seller.id } });
    expect([sale.status, sale.paid, sale.reasons]).toEqual(['accepted', [], ['TEST_USER', 'TEST_USER', 'TEST_USER']]);
    expect(sale.explained.attribution.user_id).toBe(seller.id);
    expect([sale.explained.inputs.block, sale.explained.breakage_minor, sale.explained.journal]).toEqual(['TEST_USER', 0, null]);
    expect(sale.explained.inputs.upline.map((one: { is_test_user?: boolean }) => one.is_test_user)).toEqual([
      true,
      undefined,
      undefined,
    ]);
  });

  test('what a test member buys pays nobody', async () => {
    const { buyer } = await line(live, 'buyer');
    const sale = await sell(live, { buyer_user_id: buyer.id });
    expect([sale.paid, sale.reasons]).toEqual([[], ['TEST_USER', 'TEST_USER', 'TEST_USER']]);
  });

  test('nor what a customer with its email buys, whoever is credited', async () => {
    const { seller } = await line(live);
    const tester = await newMember(live, undefined, { is_test_user: true });
    const customer = { external_id: 'a-tester', email: tester.email.toUpperCase() };
    const sale = await sell(live, { attribution: { user_id: seller.id }, customer });
    expect([sale.paid, sale.reasons]).toEqual([[], ['TEST_USER', 'TEST_USER', 'TEST_USER']]);
  });

  test('the sponsor of a buyer brings the sale in', async () => {
    const { buyer } = await line(live, 'seller');
    const sale = await sell(live, { buyer_user_id: buyer.id });
    expect([sale.paid, sale.reasons]).toEqual([[], ['TEST_USER', 'TEST_USER', 'TEST_USER']]);
  });

  test('further up it takes its level like any other', async () => {
    const { top, middle, seller } = await line(live, 'middle');
    const sale = await sell(live, { attribution: { user_id: seller.id } });
    expect(sale.paid).toEqual([seller.id, middle.id, top.id]);
  });

  test('the one outcome is TEST_USER, whatever else speaks against somebody', async () => {
    const { middle, seller } = await line(live, 'seller');
    await live.patch(`/api/v1/users/${middle.id}`, { is_active: false });
    const sale = await sell(live, { attribution: { user_id: seller.id } });
    expect(sale.reasons).toEqual(['TEST_USER', 'TEST_USER', 'TEST_USER']);
  });

  test('nothing is kept as breakage', async () => {
    const tenant = await app.newTenant();
    const client = apiClient(app, tenant.liveKey);
    await publishPlan(app, tenant, { compression: 'none' });
    const { middle, seller } = await line(client, 'seller');
    await client.patch(`/api/v1/users/${middle.id}`, { is_active: false });
    const sale = await sell(client, { attribution: { user_id: seller.id } });
    expect([sale.paid, sale.explained.breakage_minor]).toEqual([[], 0]);
  });

  test.each([
    ['JPY', 10_000],
    ['KWD', 10_001],
  ])('in %s too', async (currency, amount) => {
    const { seller } = await line(live, 'seller');
    const sale = await sell(live, { attribution: { user_id: seller.id }, currency, amount_minor: amount });
    expect([sale.paid, sale.reasons[0]]).toEqual([[], 'TEST_USER']);
  });

  test('the flag counts as it is at the sale, there and back; explanations and refunds do not ask again', async () => {
    const { top, middle, seller } = await line(live, 'seller');
    const from = { attribution: { user_id: seller.id } };
    const asTest = await sell(live, from);
    await setFlag(seller, false);
    const asReal = await sell(live, from);
    await setFlag(seller, true);
    const asTestAgain = await sell(live, from);
    expect([asTest.paid, asReal.paid, asTestAgain.paid]).toEqual([[], [seller.id, middle.id, top.id], []]);
    for (const sale of [asTest, asReal, asTestAgain]) {
      const again = await live.get(`/api/v1/events/${sale.id}/explain`);
      expect(again.body).toEqual(sale.explained);
      const refund = (part: object) =>
        live.post('/api/v1/events/refund', {
          external_event_id: crypto.randomUUID(),
          purchase_external_event_id: sale.externalId,
          ...part,
        });
      const [some, rest] = [await refund({ amount_minor: 333 }), await refund({})];
      expect([some.status, rest.status]).toEqual([201, 201]);
      expect([some.body.commissions.length, rest.body.commissions.length]).toEqual([sale.paid.length, sale.paid.length]);
    }
    const { body } = await live.get(`/api/v1/members/${top.id}/commissions/breakdown`);
    expect(body.totalAmount).toBe(0);
  });

  test('a quote says the same', async () => {
    const { seller } = await line(live, 'seller');
    const { body } = await live.post('/api/v1/commission-plans/quote', {
      amountMinor: 10_000,
      currency: 'USD',
      attribution: { userId: seller.id },
    });
    expect([body.commissions ?? body.lines, JSON.stringify(body).includes('TEST_USER')]).toEqual([[], true]);
  });
});

test('in SANDBOX the flag says nothing', async () => {
  const { top, middle, seller, buyer } = await line(sandbox, 'top', 'middle', 'seller', 'buyer');
  const upline = [seller.id, middle.id, top.id];
  expect((await sell(sandbox, { attribution: { user_id: seller.id } })).paid).toEqual(upline);
  expect((await sell(sandbox, { buyer_user_id: buyer.id })).paid).toEqual(upline);
});
