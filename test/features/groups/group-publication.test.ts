/** Plans that name groups: what they may name, what is warned of, and groups that plans keep (docs/specification/groups.md#linter). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PlanDefinitionInput } from '../../../src/features/commissions/open/plan-definition.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { addPlan, publishPlan } from '../../support/money/model-plan.ts';
import { openChangesShop, SETTINGS } from '../pending-changes/changes-shop.ts';
import { GROUPS, newGroups, paying } from './group-calls.ts';

const PLANS = '/api/v1/commission-plans';
const FAR = '2099-01-01T00:00:00.000Z';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  await newGroups(client, 'vip', 'gold');
});
afterAll(() => app.close());

type PlanScope = PlanDefinitionInput['scope'];

const draft = (scope: PlanScope, by = client) => by.post(PLANS, { name: 'A plan', definition: paying(2000, scope) });
async function newPlan(scope: PlanScope, by = client): Promise<string> {
  const answer = await draft(scope, by);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id as string;
}
const redraft = (planId: string, scope: PlanScope) => client.patch(`${PLANS}/${planId}`, { definition: paying(2000, scope) });
const publish = (planId: string, body: object = {}, by = client) => by.post(`${PLANS}/${planId}/publish`, body);
const archive = (key: string, by = client) => by.delete(`${GROUPS}/${key}`);
const rulesOf = (found: { rule: string; path: string }[]) => found.map(({ rule, path }) => `${rule} ${path}`);
const warningsOf = async (scope: PlanScope) => {
  const { body } = await draft(scope);
  return rulesOf(body.warnings);
};

describe('scope.groups', () => {
  test('has 1 to 100 keys, or is null', async () => {
    const keys = Array.from({ length: 100 }, (_none, n) => `g-${n}`);
    await newGroups(client, ...keys);
    const planId = await newPlan({ groups: keys });
    expect((await publish(planId, { effectiveFrom: FAR })).status).toBe(201);
    expect((await client.get(`${PLANS}/${await newPlan({ groups: null })}`)).body.draft.scope.groups).toBeNull();
    for (const groups of [[], [...keys, 'one-more'], ['VIP'], ['x'.repeat(41)], [''], 'vip', [null]]) {
      const answer = await draft({ groups } as unknown as PlanScope);
      expectRefusal(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.details.fields[0].field).toMatch(/^definition\.scope\.groups/);
    }
  });

  test('names groups that there are: a draft says which are not, and is not published', async () => {
    await archive('gold');
    await newGroups(apiClient(app, tenant.sandboxKey), 'sand');
    await newGroups(apiClient(app, (await app.newTenant()).liveKey), 'theirs');
    const { body } = await draft({ groups: ['vip', 'gold', 'default', 'nowhere', 'sand', 'theirs'] });
    const expected = [1, 3, 4, 5].map((n) => `GROUP_UNKNOWN scope.groups[${n}]`);
    expect(rulesOf(body.problems)).toEqual(expected);
    const answer = await publish(body.id);
    expectRefusal(answer, 422, 'PLAN_INVALID');
    expect(answer.body.details.reasons).toEqual(body.problems);
    await newGroups(client, 'nowhere', 'sand', 'theirs');
    await client.patch(`${GROUPS}/gold`, { status: 'active' });
    expect((await client.get(`${PLANS}/${body.id}`)).body.problems).toEqual([]);
    expect((await publish(body.id)).status).toBe(201);
  });

  test('with problems of another kind beside it is refused with all of them', async () => {
    const { body } = await client.post(PLANS, {
      name: 'A plan',
      definition: { ...paying(2000, { groups: ['nowhere'] }), levels: [] },
    });
    expect(rulesOf(body.problems)).toEqual(['LEVELS_MISSING levels', 'GROUP_UNKNOWN scope.groups[0]']);
    expect((await publish(body.id)).body.details.reasons).toEqual(body.problems);
  });
});

describe('warned is of', () => {
  test('groups that no plan would pay, once there is no plan for all', async () => {
    expect(await warningsOf({ groups: ['vip'] })).toEqual([]);
    await publishPlan(app, tenant, paying(1000, { groups: ['gold'] }));
    expect(await warningsOf({ groups: ['vip'] })).toEqual(['GROUP_WITHOUT_PLAN scope.groups']);
    expect(await warningsOf({ groups: ['vip', 'default'] })).toEqual([]);
    await archive('vip');
    expect(await warningsOf({ groups: ['default'] })).toEqual([]);
    expect(await warningsOf({})).toEqual([]);
  });

  test('the plan itself that was for all until now', async () => {
    const [row] = await app.database.asSuperuser<{ id: string }>('select id from commission_plan where tenant_id = $1', [
      tenant.tenantId,
    ]);
    const { body } = await redraft(row?.id ?? '', { groups: ['vip', 'gold'] });
    expect(rulesOf(body.warnings)).toEqual(['GROUP_WITHOUT_PLAN scope.groups']);
    expect(body.warnings[0].message).toContain('default');
  });

  test('a plan that another one of the group always comes before', async () => {
    await addPlan(
      app,
      tenant,
      paying(1000, { groups: ['gold', 'vip'], priority: 5, types: ['one_time', 'subscription_initial'] }),
    );
    await addPlan(app, tenant, paying(1000, { groups: ['vip'], priority: 5, categories: ['books'] }));
    const one: PlanScope = { types: ['one_time'] };
    const shadowed = (at: number) => `PLAN_SHADOWED scope.groups[${at}]`;
    expect(await warningsOf({ ...one, groups: ['vip', 'default', 'gold'] })).toEqual([shadowed(0), shadowed(2)]);
    expect(await warningsOf({ ...one, groups: ['gold'], skus: ['a'] })).toEqual([shadowed(0)]);
    expect(await warningsOf({ groups: ['vip'] })).toEqual([]);
    expect(await warningsOf({ groups: ['vip'], categories: ['books'] })).toEqual([shadowed(0)]);
    expect(await warningsOf({ groups: ['gold'], categories: ['books'] })).toEqual([]);
    expect(await warningsOf({ ...one, groups: ['vip'], priority: 5 })).toEqual([]);
    expect(await warningsOf(one)).toEqual([]);
  });
});

describe('a group is not archived', () => {
  test('while a plan that is in force names it', async () => {
    const planId = await newPlan({ groups: ['gold', 'vip'] });
    expect((await publish(planId)).status).toBe(201);
    const refused = await archive('vip');
    expectRefusal(refused, 409, 'STATE_CONFLICT');
    expect(refused.body.details).toEqual({ members: 0, planIds: [planId] });
    const member = await client.newMember({ group: 'vip' });
    expect((await archive('vip')).body.details).toEqual({ members: 1, planIds: [planId] });
    await client.post(`${GROUPS}/default/members`, { userIds: [member.id] });
    await redraft(planId, { groups: ['gold'] });
    expect((await archive('vip')).status).toBe(409); // a draft changes nothing
    expect((await publish(planId)).status).toBe(201);
    expect((await archive('vip')).status).toBe(200);
  });

  test('while a plan that will be in force names it, and the one before it until then', async () => {
    const planId = await newPlan({ groups: ['vip'] });
    await publish(planId);
    await redraft(planId, { groups: ['gold'] });
    expect((await publish(planId, { effectiveFrom: FAR })).status).toBe(201);
    for (const key of ['vip', 'gold']) expect((await archive(key)).body.details.planIds).toEqual([planId]);
    const other = await newPlan({ groups: ['gold'] });
    await publish(other, { effectiveFrom: FAR });
    expect((await archive('gold')).body.details.planIds).toEqual([planId, other].toSorted());
  });

  test('for a draft, a plan of the past, or one that a later version has taken the place of', async () => {
    await newPlan({ groups: ['vip'] });
    await addPlan(app, tenant, paying(100, { groups: ['vip'] }), { effectiveTo: '2020-01-01T00:00:00Z' });
    await publishPlan(app, tenant, paying(100, { groups: ['vip'] }), '2020-01-01T00:00:00Z');
    await publishPlan(app, tenant, paying(100), '2021-01-01T00:00:00Z');
    expect((await archive('vip')).status).toBe(200);
  });

  test('for a version that never comes into force, for another one of the plan starts with it', async () => {
    const planId = await newPlan({ groups: ['vip'] });
    await publish(planId, { effectiveFrom: FAR });
    await redraft(planId, {});
    expect((await publish(planId, { effectiveFrom: FAR })).status).toBe(201);
    expect((await archive('vip')).status).toBe(200);
  });

  test('for a plan of another environment or tenant', async () => {
    for (const by of [apiClient(app, tenant.sandboxKey), apiClient(app, (await app.newTenant()).liveKey)]) {
      await newGroups(by, 'vip');
      expect((await publish(await newPlan({ groups: ['vip'] }, by), {}, by)).status).toBe(201);
      expect((await archive('vip', by)).status).toBe(409);
    }
    expect((await archive('vip')).status).toBe(200);
  });

  test('by the clock of the SANDBOX', async () => {
    const sandbox = apiClient(app, tenant.sandboxKey);
    await newGroups(sandbox, 'vip');
    const planId = await newPlan({ groups: ['vip'] }, sandbox);
    const effectiveTo = new Date(Date.now() + 3_600_000).toISOString();
    expect((await publish(planId, { effectiveTo }, sandbox)).status).toBe(201);
    expect((await archive('vip', sandbox)).status).toBe(409);
    await sandbox.post('/api/v1/sandbox/clock', { frozenAt: effectiveTo });
    expect((await archive('vip', sandbox)).status).toBe(200);
  });
});

test('a publication that waits for another pair of hands does not keep the group, and is refused once it is archived', async () => {
  const shop = await openChangesShop(app);
  await shop.first.patch(SETTINGS, { commissions: { planPublishSecondPair: true } });
  await newGroups(shop.first, 'vip');
  const planId = await newPlan({ groups: ['vip'] }, shop.first);
  const waiting = await publish(planId, {}, shop.first);
  expect(waiting.status, waiting.text).toBe(202);
  expect((await archive('vip', shop.first)).status).toBe(200);
  const refused = await shop.confirm(waiting.body.pendingChange.id);
  expect([refused.status, refused.body.code]).toEqual([409, 'STATE_CONFLICT']);
  expect((await shop.first.get(`${PLANS}/${planId}`)).body.versions).toEqual([]);
});
