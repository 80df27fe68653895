/** Members that were rejected or banned at the time of a sale take no level of it (docs/specification/groups.md#standing). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PlanDefinitionInput } from '../../../src/features/commissions/open/plan-definition.ts';
import { findDifferences } from '../../../tools/evaluate-explain.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { addPlan, publishPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { purchaseOf, refundOf } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { moved, newGroups, paying } from './group-calls.ts';

type Standing = 'pending' | 'approved' | 'rejected' | 'banned';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

/** What the member was since always, and from which times on something else; as the operations of standing will write it. */
async function plant(member: MemberBody | undefined, always: Standing, ...changes: [at: string, standing: Standing][]) {
  for (const [at, standing] of [['-infinity', always], ...changes]) {
    await app.database.asSuperuser(
      `insert into member_standing_history (tenant_id, environment, member_id, standing, valid_from, created_by)
       select tenant_id, environment, id, $2, $3, $4 from member where id = $1`,
      [member?.id, standing, at, at === '-infinity' ? null : 'system'],
    );
  }
  await app.database.asSuperuser('update member set standing = $2, has_history = true where id = $1', [
    member?.id,
    changes.at(-1)?.[1] ?? always,
  ]);
}

/** `1 paid 1000, 2 STANDING`. */
async function told(fields: object): Promise<string> {
  const sale = await purchaseOf(client, fields);
  return outcomesOf(sale.event_id);
}

async function explain(eventId: string) {
  const { status, body } = await client.get(`/api/v1/events/${eventId}/explain`);
  expect([status, findDifferences(body), body.recomputed]).toEqual([200, [], true]);
  return body;
}

async function outcomesOf(eventId: string): Promise<string> {
  const { outcomes } = await explain(eventId);
  return (outcomes as { level: number; reason: string | null; shares: { amount_minor: number }[] }[])
    .map(({ level, reason, shares }) => `${level} ${reason ?? `paid ${shares.map((share) => share.amount_minor).join('+')}`}`)
    .join(', ');
}
const by = (member: MemberBody | undefined, fields: object = {}) => ({ attribution: { user_id: member?.id }, ...fields });

describe('a member that was', () => {
  test.each<[Standing, string]>([
    ['rejected', '1 paid 1000, 2 STANDING, 3 paid 500'],
    ['banned', '1 paid 1000, 2 STANDING, 3 paid 500'],
    ['pending', '1 paid 1000, 2 paid 500, 3 paid 300'],
    ['approved', '1 paid 1000, 2 paid 500, 3 paid 300'],
  ])('%s at the sale', async (standing, expected) => {
    const chain = await newUpline(client, 'D D D');
    await plant(chain[1], 'approved', ['2026-05-01T00:00:00Z', standing]);
    const sale = await purchaseOf(client, by(chain[0]));
    expect(await outcomesOf(sale.event_id)).toBe(expected);
    const { inputs } = await explain(sale.event_id);
    expect(inputs.upline.map((one: { standing?: string }) => one.standing)).toEqual([
      undefined,
      standing === 'approved' ? undefined : standing,
      undefined,
    ]);
    expect((await client.get(`/api/v1/users/${chain[1]?.id}`)).body.standing).toBe(standing);
  });

  test('banned since always, without a history', async () => {
    const chain = await newUpline(client, 'D D');
    await app.database.asSuperuser("update member set standing = 'rejected' where id = $1", [chain[0]?.id]);
    expect(await told(by(chain[0], { occurred_at: '2026-01-01T00:00:00Z' }))).toBe('1 STANDING, 2 paid 1000');
  });

  test('banned from one instant to another, and not before or behind', async () => {
    const [seller] = await newUpline(client, 'D');
    await plant(seller, 'pending', ['2026-05-01T00:00:00Z', 'banned'], ['2026-06-01T00:00:00+02:00', 'approved']);
    for (const [at, expected] of [
      ['2026-04-30T23:59:59.999Z', '1 paid 1000'],
      ['2026-05-01T00:00:00Z', '1 STANDING'],
      ['2026-05-31T21:59:59.999Z', '1 STANDING'],
      ['2026-05-31T22:00:00Z', '1 paid 1000'],
    ] as const) {
      expect(await told(by(seller, { occurred_at: at })), at).toBe(expected);
    }
    const { body } = await client.get(`/api/v1/members/${seller?.id}/history`);
    expect(body.standing.map(({ standing }: { standing: string }) => standing)).toEqual(['pending', 'banned', 'approved']);
  });
});

describe('the reason STANDING', () => {
  test('comes before INACTIVE and all others but BUYER', async () => {
    const chain = await newUpline(client, 'o d o O D');
    for (const member of chain.slice(0, 4)) await plant(member, 'banned');
    await publishPlan(app, tenant, { qualification: { active: true, kycApproved: true } });
    expect(await told(by(chain[0]))).toBe('1 STANDING, 2 STANDING, 3 STANDING, 4 STANDING, 5 KYC_NOT_APPROVED');
  });

  test('is of a buyer whose own purchase would pay it, and of the sponsor that would be first', async () => {
    const chain = await newUpline(client, 'D D D');
    await plant(chain[0], 'banned');
    expect(await told({ buyer_user_id: chain[0]?.id })).toBe('1 paid 1000, 2 paid 500');
    await publishPlan(app, tenant, { personalPurchase: 'self_rebate' }, '2001-01-01T00:00:00Z');
    expect(await told({ buyer_user_id: chain[0]?.id })).toBe('1 STANDING, 2 paid 1000, 3 paid 500');
    await plant(chain[1], 'rejected');
    expect(await told({ buyer_user_id: chain[0]?.id })).toBe('1 STANDING, 2 STANDING, 3 paid 1000');
  });

  test.each<[string, Partial<PlanDefinitionInput>, string, number]>([
    ['none', { compression: 'none' }, '1 paid 1000, 2 STANDING, 3 paid 300', 500],
    ['roll_up', { compression: 'roll_up' }, '1 paid 1000, 2 STANDING, 3 paid 500+300', 0],
    [
      'differential',
      {
        mode: 'differential',
        levels: [],
        tierRules: {
          ORDINARY: { rateBps: 100 },
          SENIOR: { rateBps: 500 },
          MANAGER: { rateBps: 800 },
          DIRECTOR: { rateBps: 1000 },
        },
      },
      '1 paid 100, 2 STANDING, 3 paid 900',
      0,
    ],
  ])('loses the level as other reasons do, %s', async (_label, plan, expected, breakage) => {
    await publishPlan(app, tenant, plan);
    const chain = await newUpline(client, 'O S D');
    await plant(chain[1], 'banned');
    const sale = await purchaseOf(client, by(chain[0]));
    expect(await outcomesOf(sale.event_id)).toBe(expected);
    expect((await explain(sale.event_id)).breakage_minor).toBe(breakage);
  });

  test('is found beyond the first 16 of a chain too', async () => {
    const chain = await newUpline(client, `${'O'.repeat(17)}DDS`);
    await plant(chain[18], 'banned');
    await plant(chain[17], 'banned');
    expect(await told(by(chain[0]))).toMatch(/^1 paid 1000, 2 TIER_DEPTH.*17 TIER_DEPTH, 18 STANDING, 19 STANDING, 20 paid 500$/);
  });

  test('is told by a quote', async () => {
    const chain = await newUpline(client, 'D D');
    await plant(chain[0], 'banned');
    const { body } = await client.post('/api/v1/commission-plans/quote', {
      amountMinor: 10_000,
      currency: 'USD',
      attribution: { userId: chain[0]?.id },
    });
    expect(body.outcomes).toMatchObject([
      { userId: chain[0]?.id, outcome: 'not_paid', reason: 'STANDING', message: expect.stringContaining('banned') },
      { userId: chain[1]?.id, outcome: 'paid' },
    ]);
  });
});

test('a banned member’s group decides all the same, and its sale stays credited to it', async () => {
  await newGroups(client, 'vip');
  await addPlan(app, tenant, paying(2000, { groups: ['vip'] }));
  const chain = await newUpline(client, 'D D');
  await moved(client, 'vip', chain[0]);
  await plant(chain[0], 'banned');
  const sale = await purchaseOf(client, by(chain[0]));
  const explained = await explain(sale.event_id);
  expect([explained.plan_choice.group, explained.attribution.user_id]).toEqual(['vip', chain[0]?.id]);
  expect(await outcomesOf(sale.event_id)).toBe('1 STANDING, 2 paid 2000');
});

test('the explanation stays when a ban is dated back or lifted, and a refund takes back what was paid', async () => {
  const chain = await newUpline(client, 'D D');
  const occurredAt = '2026-05-10T12:00:00Z';
  const paid = await purchaseOf(client, by(chain[0], { occurred_at: occurredAt }));
  const first = await explain(paid.event_id);
  await plant(chain[0], 'approved', ['2026-05-01T00:00:00Z', 'banned']);
  const unpaid = await purchaseOf(client, by(chain[0], { occurred_at: occurredAt }));
  const second = await explain(unpaid.event_id);
  await plant(chain[0], 'approved', ['2026-05-01T00:00:00Z', 'approved']);
  expect([await explain(paid.event_id), await explain(unpaid.event_id)]).toEqual([first, second]);
  expect([await outcomesOf(paid.event_id), await outcomesOf(unpaid.event_id)]).toEqual([
    '1 paid 1000, 2 paid 500',
    '1 STANDING, 2 paid 1000',
  ]);
  const refund = await refundOf(client, unpaid, {});
  expect(refund.body.commissions.map((line: { amount_minor: number }) => line.amount_minor)).toEqual([-1000]);
});
