/** Definitions that are judged without being saved: docs/specification/commissions.md#lint-unsaved. lintCommissionPlan */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DEFAULT_PLAN, defaultPlanFor } from '../../../src/features/commissions/open/plan-definition.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

const PLANS = '/api/v1/commission-plans';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  tenant = await app.newTenant({ currency: 'KWD' });
  client = apiClient(app, tenant.liveKey);
});

const lint = (body: object, by = client) => by.post(`${PLANS}/lint`, body);
const rule = (id: string, rateBps: number) => ({
  id,
  levels: 'all',
  when: { fact: 'sale.type', in: ['one_time'] },
  pay: { rateBps },
});

test.each<[string, object]>([
  ['the default plan', defaultPlanFor('KWD')],
  ['without a minimum payout in the currency of the tenant', DEFAULT_PLAN],
  ['a gap in the levels', { ...DEFAULT_PLAN, levels: [{ level: 2, rateBps: 100 }] }],
  ['a rule that never pays', { ...DEFAULT_PLAN, rules: [rule('a', 100), rule('b', 200)] }],
  ['an unknown group', { ...DEFAULT_PLAN, scope: { groups: ['nobody'] } }],
])('of %s is told what its draft shows', async (_name, definition) => {
  const drafted = await client.post(PLANS, { name: 'Draft', definition });
  const { problems, warnings } = drafted.body;
  const told = await lint({ definition });
  expect([told.status, told.body], told.text).toEqual([200, { problems, warnings }]);
  expect((await lint({ definition, planId: drafted.body.id })).body).toEqual({ problems, warnings });
});

test('nothing is stored, and nothing is in the audit log', async () => {
  const rows = () =>
    app.database.asSuperuser<{ count: number }>(
      `select (select count(*) from commission_plan where tenant_id = $1)::int
            + (select count(*) from audit_log where tenant_id = $1)::int as count`,
      [tenant.tenantId],
    );
  const before = await rows();
  expect((await lint({ definition: DEFAULT_PLAN })).status).toBe(200);
  expect(await rows()).toEqual(before);
});

test('a plan is no rival of its own draft, and one of another draft', async () => {
  expect((await client.post('/api/v1/groups', { key: 'vip', name: 'VIP' })).status).toBe(201);
  const definition = { ...defaultPlanFor('KWD'), scope: { groups: ['vip'], priority: 5 } };
  const { id } = (await client.post(PLANS, { name: 'VIP', definition })).body;
  expect((await client.post(`${PLANS}/${id}/publish`, {})).status).toBe(201);
  const lower = { ...definition, scope: { groups: ['vip'], priority: 1 } };
  const codes = async (body: object) => (await lint(body)).body.warnings.map((one: { rule: string }) => one.rule);
  expect(await codes({ definition: lower })).toContain('PLAN_SHADOWED');
  expect(await codes({ definition: lower, planId: id })).not.toContain('PLAN_SHADOWED');
});

test('a plan of another tenant, or of the other environment, is not there', async () => {
  const other = await app.newTenant();
  const foreign = await apiClient(app, other.liveKey).post(PLANS, { name: 'Theirs', definition: DEFAULT_PLAN });
  const sandbox = await apiClient(app, tenant.sandboxKey).post(PLANS, { name: 'Tried', definition: DEFAULT_PLAN });
  for (const { body } of [foreign, sandbox])
    expectRefusal(await lint({ definition: DEFAULT_PLAN, planId: body.id }), 404, 'NOT_FOUND');
});

test('it takes plans:read, and no more', async () => {
  const keyOf = async (scopes: string[]) =>
    apiClient(app, (await app.tenants.createKey({ tenantId: tenant.tenantId, environment: 'LIVE', scopes })).apiKey);
  expect((await lint({ definition: DEFAULT_PLAN }, await keyOf(['plans:read']))).status).toBe(200);
  expectRefusal(await lint({ definition: DEFAULT_PLAN }, await keyOf(['commissions:read'])), 403, 'FORBIDDEN');
});

test('what is no definition is refused by its path', async () => {
  const answer = await lint({ definition: { ...DEFAULT_PLAN, levels: [{ level: 1, rateBps: -1 }] } });
  expect(answer.status).toBe(400);
  expect(answer.body.error?.details?.fields ?? answer.body.details?.fields).toMatchObject([
    { field: 'definition.levels[0].rateBps' },
  ]);
});

test('the same Idempotency-Key gets the same answer, and another definition under it is refused', async () => {
  const headers = { 'idempotency-key': 'lint-once-1' };
  const first = await client.post(`${PLANS}/lint`, { definition: DEFAULT_PLAN }, headers);
  const again = await client.post(`${PLANS}/lint`, { definition: DEFAULT_PLAN }, headers);
  expect(again.body).toEqual(first.body);
  const other = { definition: { ...DEFAULT_PLAN, levels: [] } };
  expect((await client.post(`${PLANS}/lint`, other, headers)).status).toBe(422);
});
