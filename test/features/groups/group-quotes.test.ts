/** Quotes by the group of the credited member, and what it would bring in another one (docs/specification/groups.md#choice). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { addPlan, publishPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { groupOf, groupsOf, moved, newGroups, paying } from './group-calls.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let allPlan: string;
let vipPlan: string;
let seller: MemberBody;
let sponsor: MemberBody;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  await newGroups(client, 'vip', 'gold');
  allPlan = await publishPlan(app, tenant, paying(1000));
  vipPlan = await addPlan(app, tenant, paying(2000, { groups: ['vip'] }));
  const [first, second] = await newUpline(client, 'D D');
  if (!first || !second) throw new Error('no upline');
  [seller, sponsor] = [first, second];
});
afterAll(() => app.close());

const ask = (body: object) => client.post('/api/v1/commission-plans/quote', { amountMinor: 10_000, currency: 'USD', ...body });
async function quote(body: object) {
  const answer = await ask(body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as {
    planVersionId: string | null;
    planChoice: { group: string | null; passedOver: { planId: string; versionId: string; reason: string }[] } | null;
    commissions: { amountMinor: number }[];
    block: string | null;
  };
}
const by = (member: MemberBody, fields: object = {}) => ({ attribution: { userId: member.id }, ...fields });
/** The group and what it pays. */
const told = async (body: object) => {
  const { planChoice, commissions } = await quote(body);
  return `${planChoice?.group} ${commissions.map(({ amountMinor }) => amountMinor).join('+')}`;
};

describe('a quote', () => {
  test('says by which group its plan was chosen, and which plans were passed over', async () => {
    const forDefault = await quote(by(seller));
    expect([forDefault.planVersionId, forDefault.planChoice]).toEqual([
      allPlan,
      {
        group: 'default',
        passedOver: [
          {
            planId: expect.any(String),
            versionId: vipPlan,
            reason: 'GROUP_NOT_NAMED',
            message: expect.stringContaining('group'),
          },
        ],
      },
    ]);
    await moved(client, 'vip', seller);
    const forVip = await quote(by(seller));
    expect([forVip.planVersionId, forVip.planChoice]).toMatchObject([
      vipPlan,
      { group: 'vip', passedOver: [{ versionId: allPlan, reason: 'GROUP_NOT_NAMED' }] },
    ]);
    expect((await quote({})).planChoice).toMatchObject({ group: null, passedOver: [{ versionId: vipPlan }] });
  });

  test('is by the group of its time, and says what the sale will', async () => {
    await moved(client, 'vip', seller, '2026-05-01T00:00:00+02:00');
    expect(await told(by(seller, { occurredAt: '2026-04-30T21:59:59.999Z' }))).toBe('default 1000+500');
    expect(await told(by(seller, { occurredAt: '2026-04-30T22:00:00Z' }))).toBe('vip 2000+1000');
    expect(await told({ buyerUserId: seller.id })).toBe('vip 2000');
  });

  test('has no planChoice where no plan in force names groups', async () => {
    const own = await app.newTenant();
    client = apiClient(app, own.liveKey);
    await addPlan(app, own, paying(100, { groups: ['vip'] }), { effectiveFrom: '2098-01-01T00:00:00Z' });
    const member = await client.newMember();
    expect((await quote(by(member, { groups: { [member.id]: 'vip' } }))).planChoice).toBeNull();
  });
});

describe('what a member would bring in another group', () => {
  test('is told of whoever is credited, with nothing stored', async () => {
    expect(await told(by(seller, { groups: { [seller.id]: 'vip' } }))).toBe('vip 2000+1000');
    expect(await told(by(seller, { groups: { [seller.id.toUpperCase()]: 'vip' } }))).toBe('vip 2000+1000');
    expect(await told({ buyerUserId: seller.id, groups: { [seller.id]: 'vip' } })).toBe('vip 2000');
    expect(await told(by(seller, { groups: { [sponsor.id]: 'vip', [randomUUID()]: 'vip' } }))).toBe('default 1000+500');
    expect([await groupOf(client, seller), await groupsOf(client, seller)]).toEqual(['default', [['default', null, null]]]);
    await moved(client, 'vip', seller);
    expect(await told(by(seller, { groups: { [seller.id]: 'default' } }))).toBe('default 1000+500');
    expect(await told(by(seller, { groups: { [seller.id]: 'nowhere' } }))).toBe('nowhere 1000+500');
    expect(await told(by(seller, { groups: {} }))).toBe('vip 2000+1000');
    expect(await told(by(seller, { groups: null }))).toBe('vip 2000+1000');
  });

  test('is told by a definition that is tried out', async () => {
    const definition = paying(3000, { groups: ['gold'] });
    const paid = await quote(by(seller, { definition, groups: { [seller.id]: 'gold' } }));
    expect([paid.planVersionId, paid.planChoice, paid.commissions.map(({ amountMinor }) => amountMinor)]).toEqual([
      null,
      { group: 'gold', passedOver: [] },
      [3000, 1500],
    ]);
    const unpaid = await quote(by(seller, { definition }));
    expect([unpaid.planChoice, unpaid.block, unpaid.commissions]).toEqual([{ group: 'default', passedOver: [] }, 'NO_PLAN', []]);
    expect((await quote(by(seller, { definition: paying(3000) }))).planChoice).toBeNull();
  });

  test.each<[string, () => object]>([
    ['what is no id', () => ({ someone: 'vip' })],
    ['a key in capitals', () => ({ [seller.id]: 'VIP' })],
    ['a key of 41 characters', () => ({ [seller.id]: 'x'.repeat(41) })],
    ['no key', () => ({ [seller.id]: null })],
    ['101 members', () => Object.fromEntries(Array.from({ length: 101 }, () => [randomUUID(), 'vip']))],
  ])('is not asked with %s', async (_label, groups) => {
    expectRefusal(await ask(by(seller, { groups: groups() })), 400, 'VALIDATION_ERROR');
  });

  test('is asked of 100 members at most', async () => {
    const others = Array.from({ length: 99 }, () => [randomUUID(), 'vip']);
    expect(await told(by(seller, { groups: { ...Object.fromEntries(others), [seller.id]: 'vip' } }))).toBe('vip 2000+1000');
  });
});

test('a group of another environment or tenant is nothing here', async () => {
  for (const other of [apiClient(app, tenant.sandboxKey), apiClient(app, (await app.newTenant()).liveKey)]) {
    await newGroups(other, 'vip');
    const stranger = await other.newMember({ group: 'vip' });
    expectRefusal(await ask(by(stranger)), 400, 'VALIDATION_ERROR', ['attribution.userId']);
    expect(await told(by(seller, { groups: { [stranger.id]: 'vip' } }))).toBe('default 1000+500');
  }
});
