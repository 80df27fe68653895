/** Which plan pays a sale: that of the credited member's group as of the sale (docs/specification/groups.md#choice). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findDifferences } from '../../../tools/evaluate-explain.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { addPlan, publishPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { purchaseOf, type Sale } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { importCsv } from '../imports/csv-imports.ts';
import { moved, newGroups, paying } from './group-calls.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let allPlan: string;
let vipPlan: string;
let goldPlan: string;

beforeAll(async () => {
  app = await startTestApp();
});
/** A plan of 10 % for all, one of 20 % for vip, and one of 30 % for gold and vip that comes behind it. */
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  await newGroups(client, 'vip', 'gold', 'staff');
  allPlan = await publishPlan(app, tenant, paying(1000, { priority: 500 }));
  vipPlan = await addPlan(app, tenant, paying(2000, { groups: ['vip'], priority: 2 }));
  goldPlan = await addPlan(app, tenant, paying(3000, { groups: ['gold', 'vip'], priority: 1 }));
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

interface Explained {
  attribution: { user_id: string | null };
  plan: { version_id: string } | null;
  plan_choice: {
    group: string | null;
    passed_over: { version_id: string; name: string; reason: string; message: string }[];
  } | null;
  inputs: { block: string | null };
  recomputed: boolean | null;
}

async function explain({ event_id: eventId }: Pick<Sale, 'event_id'>): Promise<Explained> {
  const answer = await client.get(`/api/v1/events/${eventId}/explain`);
  expect(answer.status, answer.text).toBe(200);
  expect(findDifferences(answer.body)).toEqual([]);
  expect(answer.body.recomputed).toBe(answer.body.plan === null ? null : true);
  return answer.body;
}

/** What a sale paid, level 1 first, and the group that chose its plan. */
async function told(fields: object): Promise<string> {
  const sale = await purchaseOf(client, fields);
  const { plan_choice: choice } = await explain(sale);
  return `${choice?.group} ${sale.commissions.map(({ amount_minor: minor }) => minor).join('+')}`;
}
const by = (member: MemberBody | undefined, fields: object = {}) => ({ attribution: { user_id: member?.id }, ...fields });

describe('the group of the credited member decides', () => {
  test('whatever the groups above it are, and whatever priority a plan for all has', async () => {
    const [seller, sponsor] = await newUpline(client, 'D D');
    expect(await told(by(seller))).toBe('default 1000+500');
    await moved(client, 'vip', sponsor);
    expect(await told(by(seller))).toBe('default 1000+500');
    await moved(client, 'vip', seller);
    await moved(client, 'staff', sponsor);
    expect(await told(by(seller))).toBe('vip 2000+1000');
    await moved(client, 'gold', seller);
    expect(await told(by(seller))).toBe('gold 3000+1500');
  });

  test('that of the winner of the attribution: of a code, of who brought the customer before', async () => {
    const vip = await client.newMember({ group: 'vip' });
    const customer = { external_id: randomUUID() };
    expect(await told({ attribution: { referral_code: vip.referral_code }, customer })).toBe('vip 2000');
    expect(await told({ attribution: null, customer })).toBe('vip 2000');
    await moved(client, 'gold', vip);
    expect(await told({ attribution: null, customer })).toBe('gold 3000');
  });

  test('that of who is credited, where a code and a former referrer name two', async () => {
    const [vip, gold] = [await client.newMember({ group: 'vip' }), await client.newMember({ group: 'gold' })];
    for (const [first, second] of [
      [vip, gold],
      [gold, vip],
    ] as const) {
      const customer = { external_id: randomUUID() };
      const sales = [
        await purchaseOf(client, { attribution: { referral_code: first.referral_code }, customer }),
        await purchaseOf(client, { attribution: { referral_code: second.referral_code }, customer }),
        await purchaseOf(client, { attribution: { user_id: second.id, referral_code: first.referral_code }, customer }),
      ];
      for (const sale of sales) {
        const { attribution, plan_choice: choice } = await explain(sale);
        const credited = attribution.user_id === vip.id ? 'vip 2000' : 'gold 3000';
        expect(`${choice?.group} ${sale.commissions[0]?.amount_minor}`).toBe(credited);
        expect(sale.commissions.map(({ user_id: id }) => id)).toEqual([attribution.user_id]);
      }
    }
  });

  test.each([
    ['self_rebate', 'vip 2000+1000'],
    ['sponsor_first', 'vip 2000+1000'],
    ['none', 'vip '],
  ] as const)('that of the member who buys, by a plan with %s', async (personalPurchase, expected) => {
    const [buyer, sponsor, above] = await newUpline(client, 'D D D');
    await moved(client, 'vip', buyer);
    await moved(client, 'gold', sponsor);
    await moved(client, 'gold', above);
    await addPlan(app, tenant, { ...paying(2000, { groups: ['vip'], priority: 9 }), personalPurchase });
    expect(await told({ buyer_user_id: buyer?.id })).toBe(expected);
    expect(await told({ buyer_user_id: buyer?.id, attribution: { user_id: sponsor?.id } })).toBe(expected);
  });

  test('a sale of nobody is paid by plans for all alone', async () => {
    const sale = await purchaseOf(client, {});
    const { plan_choice: choice, inputs } = await explain(sale);
    expect([choice?.group, choice?.passed_over.map(({ reason }) => reason), inputs.block]).toEqual([
      null,
      ['GROUP_NOT_NAMED', 'GROUP_NOT_NAMED'],
      'UNATTRIBUTED',
    ]);
  });

  test('of a chain of 20 members that a plan pays to its end', async () => {
    const levels = Array.from({ length: 20 }, (_none, n) => ({ level: n + 1, rateBps: 100 }));
    const tier = { maxDepth: 50 };
    const tierRules = { ORDINARY: tier, SENIOR: tier, MANAGER: tier, DIRECTOR: tier };
    await addPlan(app, tenant, { ...paying(0, { groups: ['staff'] }), levels, tierRules });
    const chain = await newUpline(client, 'D'.repeat(20));
    await moved(client, 'staff', chain[0], '2026-01-01T00:00:00Z');
    for (const at of [17, 19]) await moved(client, 'vip', chain[at]);
    const expected = `staff ${Array.from({ length: 20 }, () => 100).join('+')}`;
    expect(await told(by(chain[0]))).toBe(expected);
    expect(await told(by(chain[0], { occurred_at: '2026-05-01T00:00:00Z' }))).toBe(expected);
  });

  test('where no plan names the group and there is none for all, nothing is paid, and each says why', async () => {
    const own = await app.newTenant();
    client = apiClient(app, own.liveKey);
    await newGroups(client, 'vip');
    await publishPlan(app, own, paying(2000, { groups: ['vip'] }));
    const seller = await client.newMember();
    const sale = await purchaseOf(client, by(seller));
    const { plan, plan_choice: choice, inputs } = await explain(sale);
    expect([plan, inputs.block, sale.commissions, choice?.group]).toEqual([null, 'NO_PLAN', [], 'default']);
    expect(choice?.passed_over.map(({ reason }) => reason)).toEqual(['GROUP_NOT_NAMED']);
    await publishPlan(app, own, paying(1500, { groups: ['vip', 'default'] }));
    expect(await told(by(seller))).toBe('default 1500');
  });
});

describe('as of the sale', () => {
  const AT = '2026-05-01T00:00:00+02:00';

  test('from the instant of the move on, by its zone', async () => {
    const seller = await client.newMember();
    await moved(client, 'vip', seller, AT);
    for (const [at, expected] of [
      ['2026-04-30T21:59:59.999Z', 'default 1000'],
      ['2026-04-30T22:00:00Z', 'vip 2000'],
      ['2026-05-01T00:00:00+02:00', 'vip 2000'],
      ['2026-04-30T23:59:59+02:00', 'default 1000'],
      ['2026-04-30T12:00:00-10:00', 'vip 2000'],
    ] as const) {
      expect(await told(by(seller, { occurred_at: at })), at).toBe(expected);
    }
  });

  test('of moves of one instant the last one recorded counts, and one dated back counts until the next', async () => {
    const seller = await client.newMember();
    await moved(client, 'vip', seller, '2026-05-01T00:00:00Z');
    await moved(client, 'gold', seller, '2026-05-01T00:00:00Z');
    await moved(client, 'vip', seller, '2026-04-01T00:00:00Z');
    const days = ['2026-03-31T23:59:59Z', '2026-04-01T00:00:00Z', '2026-04-30T23:59:59Z', '2026-05-01T00:00:00Z'];
    const paid: string[] = [];
    for (const day of days) paid.push(await told(by(seller, { occurred_at: day })));
    expect(paid).toEqual(['default 1000', 'vip 2000', 'vip 2000', 'gold 3000']);
  });

  test('of the group that a member was made in, since always', async () => {
    const seller = await client.newMember({ group: 'vip' });
    await moved(client, 'gold', seller);
    expect(await told(by(seller, { occurred_at: '2026-01-01T00:00:00Z' }))).toBe('vip 2000');
    expect(await told(by(seller))).toBe('gold 3000');
  });

  test('beside a sponsor that changed, each by its own history', async () => {
    const [seller, sponsor] = await newUpline(client, 'D D');
    const other = await client.newMember({ membership_tier: 'DIRECTOR', group: 'gold' });
    const change = { sponsorId: other.id, effectiveAt: '2026-04-01T00:00:00Z' };
    expect((await client.post(`/api/v1/members/${seller?.id}/sponsor`, change)).status).toBe(200);
    await moved(client, 'vip', seller, '2026-05-01T00:00:00Z');
    const at = async (occurredAt: string) => {
      const sale = await purchaseOf(client, by(seller, { occurred_at: occurredAt }));
      return [(await explain(sale)).plan_choice?.group, ...sale.commissions.map(({ user_id: id }) => id)];
    };
    expect(await at('2026-03-01T00:00:00Z')).toEqual(['default', seller?.id, sponsor?.id]);
    expect(await at('2026-04-15T00:00:00Z')).toEqual(['default', seller?.id, other.id]);
    expect(await at('2026-05-15T00:00:00Z')).toEqual(['vip', seller?.id, other.id]);
    expect(await told({ buyer_user_id: seller?.id, occurred_at: '2026-05-15T00:00:00Z' })).toBe('vip 2000');
  });

  test('by the plan that was in force then, also of a group that is archived by now', async () => {
    const seller = await client.newMember();
    const period = { effectiveFrom: '2026-01-01T00:00:00Z', effectiveTo: '2026-06-01T00:00:00Z' };
    const spring = await addPlan(app, tenant, paying(4000, { groups: ['staff'] }), period);
    await moved(client, 'staff', seller, '2026-02-01T00:00:00Z');
    await moved(client, 'default', seller, '2026-07-01T00:00:00Z');
    expect((await client.delete('/api/v1/groups/staff')).status).toBe(200);
    const sale = await purchaseOf(client, by(seller, { occurred_at: '2026-05-31T23:59:59.999Z' }));
    expect((await explain(sale)).plan).toMatchObject({ version_id: spring });
    expect(await told(by(seller, { occurred_at: '2026-06-01T00:00:00Z' }))).toBe('staff 1000');
  });

  test('of sales in a batch and in a file each by itself', async () => {
    const seller = await client.newMember();
    await moved(client, 'vip', seller, '2026-05-01T00:00:00Z');
    const days = ['2026-04-30T00:00:00Z', '2026-05-01T00:00:00Z', '2026-04-01T00:00:00Z'];
    const events = days.map((day) => ({ kind: 'purchase', ...client.purchaseBody(by(seller, { occurred_at: day })) }));
    const batch = await client.post('/api/v1/events/batch', { events });
    expect(batch.body.results.map(({ body }: { body: Sale }) => body.commissions[0]?.amount_minor)).toEqual([1000, 2000, 1000]);
    const rows = days.map((day, n) => `row-${n},10000,USD,c-${n},${seller.id},${day}`);
    const header = 'external_event_id,amount_minor,currency,customer_external_id,attribution_user_id,occurred_at';
    const run = await importCsv(app, tenant.liveKey, [header, ...rows].join('\n'), { kind: 'purchases' });
    expect(run).toMatchObject({ appliedCount: 3, errors: [] });
    for (const [n, expected] of [1000, 2000, 1000].entries()) {
      const { body } = await client.get(`/api/v1/events?external_event_id=row-${n}`);
      expect(body.data[0].commissions[0].amount_minor).toBe(expected);
    }
  });
});

describe('the explanation', () => {
  test('has the plans that cover the sale too, in the order in which they would have come', async () => {
    const books = await addPlan(app, tenant, paying(5000, { groups: ['vip'], categories: ['books'], priority: 9 }));
    const older = await addPlan(app, tenant, paying(100, { groups: ['vip'], priority: 2 }), {
      effectiveFrom: '1999-01-01T00:00:00Z',
    });
    await addPlan(app, tenant, paying(100, { groups: ['vip'], types: ['subscription_renewal'], priority: 9 }));
    await addPlan(app, tenant, paying(100, { groups: ['vip'], priority: 9 }), { effectiveFrom: '2098-01-01T00:00:00Z' });
    await addPlan(app, tenant, paying(100, { groups: ['vip'], priority: 9 }), { effectiveTo: '2001-01-01T00:00:00Z' });
    const seller = await client.newMember({ group: 'vip' });
    const { plan, plan_choice: choice } = await explain(await purchaseOf(client, by(seller)));
    expect(plan?.version_id).toBe(vipPlan);
    const lost = { plan_id: expect.any(String), name: 'Another plan' };
    expect(choice?.passed_over).toEqual([
      { ...lost, version_id: older, reason: 'OLDER', message: 'has the same priority and is the older one' },
      { ...lost, version_id: goldPlan, reason: 'PRIORITY', message: 'has a lower priority' },
      {
        ...lost,
        version_id: allPlan,
        name: 'Default plan',
        reason: 'GROUP_NOT_NAMED',
        message: 'does not name the group of the credited member',
      },
    ]);
    const item = { sku: 'b', category: 'books', amount_minor: 10_000, quantity: 1 };
    const sold = await explain(await purchaseOf(client, by(seller, { line_items: [item] })));
    expect([sold.plan?.version_id, sold.plan_choice?.passed_over[0]?.reason]).toEqual([books, 'PRIORITY']);
  });

  test('is there too where the plan that names groups does not cover the sale', async () => {
    const own = await app.newTenant();
    client = apiClient(app, own.liveKey);
    await addPlan(app, own, paying(100, { groups: ['vip'], types: ['subscription_renewal'] }));
    const sale = await purchaseOf(client, by(await client.newMember()));
    expect((await explain(sale)).plan_choice).toEqual({ group: 'default', passed_over: [] });
  });

  test('is null, and the stored row as it was, where no plan in force names groups', async () => {
    const own = await app.newTenant();
    client = apiClient(app, own.liveKey);
    await newGroups(client, 'vip');
    await addPlan(app, own, paying(100, { groups: ['vip'] }), { effectiveFrom: '2026-03-01T00:00:00Z' });
    const seller = await client.newMember({ group: 'vip' });
    const before = await purchaseOf(client, by(seller, { occurred_at: '2026-02-28T23:59:59.999Z' }));
    const behind = await purchaseOf(client, by(seller, { occurred_at: '2026-03-01T00:00:00Z' }));
    expect([(await explain(before)).plan_choice, (await explain(behind)).plan_choice?.group]).toEqual([null, 'vip']);
    const rows = await app.database.asSuperuser<{ keys: string[] }>(
      `select array(select jsonb_object_keys(e.evaluation) order by 1) as keys from event e where e.id = any ($1) order by e.occurred_at`,
      [[before.event_id, behind.event_id]],
    );
    expect(rows.map(({ keys }) => keys)).toEqual([['upline'], ['choice', 'upline']]);
  });

  test('stays, whatever is dated back, published or archived later', async () => {
    const [seller, sponsor] = await newUpline(client, 'D D');
    await moved(client, 'vip', seller, '2026-02-01T00:00:00Z');
    const occurredAt = '2026-05-10T12:00:00Z';
    const sale = await purchaseOf(client, by(seller, { occurred_at: occurredAt }));
    const first = await explain(sale);
    expect(first.plan_choice?.group).toBe('vip');
    for (const member of [seller, sponsor]) await moved(client, 'gold', member, '2026-05-01T00:00:00Z');
    await addPlan(app, tenant, paying(9000, { groups: ['vip'], priority: 99 }));
    await publishPlan(app, tenant, paying(50), '2026-01-01T00:00:00Z');
    expect(await explain(sale)).toEqual(first);
    const again = client.purchaseBody(by(seller, { external_event_id: sale.external_event_id, occurred_at: occurredAt }));
    expect((await client.post('/api/v1/events/purchase', again)).body.commissions).toEqual(sale.commissions);
    expect(await told(by(seller, { occurred_at: occurredAt }))).toBe('gold 3000+1500');
  });
});
