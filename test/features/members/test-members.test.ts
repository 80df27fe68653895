/** Test members in the statistics of others and in tax documents: docs/specification/hierarchy.md#test-members. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { payOut } from '../../support/money/pay-out.ts';
import { get, newMember, newShop, setFlag, sizes } from './test-member-shop.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test.each(['folded', 'not yet folded'])(
  'they are in the tree, but in no statistics of others, there and back: %s',
  async (when) => {
    const { client, scope } = await newShop(app);
    const top = await newMember(client);
    const tester = await newMember(client, top, { is_test_user: true });
    const real = await newMember(client, top);
    const below = await newMember(client, tester);
    const deep = await newMember(client, real, { is_test_user: true, is_active: false });
    if (when === 'folded') await app.runSweep('fold-downline', scope);
    const asTests = {
      referrals: [2, 1, 2],
      team: [2, 1, 2, 2],
      top: [[real.id, 0]],
    };
    const whole = await sizes(client, top);
    expect(whole).toMatchObject(asTests);
    await setFlag(app, tester, false);
    await setFlag(app, deep, false);
    expect(await sizes(client, top)).toMatchObject({
      referrals: [4, 2, 4],
      team: [4, 2, 3, 4],
      top: [tester, real].map(({ id }) => [id, 1]),
    });
    await setFlag(app, tester, true);
    await setFlag(app, deep, true);
    expect(await sizes(client, top)).toEqual(whole);
    expect((await sizes(client, tester)).referrals).toEqual([1, 1, 1]);
    expect((await sizes(client, below)).referrals).toEqual([0, 0, 0]);
    await client.post(`/api/v1/members/${tester.id}/sponsor`, { sponsorId: null });
    expect((await sizes(client, top)).referrals).toEqual([1, 1, 1]);
  },
);

test('a lead that became a test member counts neither as lead nor as converted', async () => {
  const { client } = await newShop(app);
  const top = await newMember(client);
  const lead = async () => {
    const email = `${crypto.randomUUID()}@shop.example`;
    const answer = await client.post('/api/v1/leads/capture', { email, referral_code: top.referral_code });
    expect(answer.status).toBe(201);
    return email;
  };
  const [one] = [await lead(), await lead()];
  const joined = await newMember(client, top, { email: one });
  expect((await get(client, top, 'referral-stats')).conversionRate).toBe(0.5);
  await setFlag(app, joined, true);
  expect((await get(client, top, 'referral-stats')).conversionRate).toBe(0);
  await setFlag(app, joined, false);
  expect((await get(client, top, 'referral-stats')).conversionRate).toBe(0.5);
});

test('in SANDBOX the flag says nothing', async () => {
  const { client } = await newShop(app, 'SANDBOX');
  const top = await newMember(client);
  const tester = await newMember(client, top, { is_test_user: true });
  expect(await sizes(client, top)).toMatchObject({ referrals: [1, 1, 1], team: [1, 1, 1, 1], top: [[tester.id, 0]] });
});

test('a test member has no tax document, whatever it was paid', async () => {
  const { client } = await newShop(app);
  const member = await newMember(client);
  const sale = await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: member.id } }));
  await payOut(app, [sale.body.commissions[0].id], '2025-05-05T12:00:00Z');
  const documents = async () => [
    (await get(client, member, 'tax-documents')).data.length,
    (await client.get(`/api/v1/members/${member.id}/tax-documents/2025/csv`)).status,
    (await client.get(`/api/v1/members/${member.id}/tax-documents/2025/pdf`)).status,
    (await get(client, member, 'tax-summary/2025')).taxDocumentsAvailable,
  ];
  expect(await documents()).toEqual([1, 200, 200, true]);
  await setFlag(app, member, true);
  expect(await documents()).toEqual([0, 404, 404, false]);
  await setFlag(app, member, false);
  expect(await documents()).toEqual([1, 200, 200, true]);
});
