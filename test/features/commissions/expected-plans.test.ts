/** Changes and publications of a plan that expect it as it was read: docs/specification/commissions.md#expected */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { defaultPlanFor } from '../../../src/features/commissions/open/plan-definition.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { blocked } from '../../support/database/beside.ts';
import { openChangesShop, SETTINGS } from '../pending-changes/changes-shop.ts';

const PLANS = '/api/v1/commission-plans';
const ABSENT = '00000000-0000-4000-8000-000000000000';

let app: TestApp;
let client: ApiClient;
let tenantId: string;
let planId: string;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  const tenant = await app.newTenant();
  tenantId = tenant.tenantId;
  client = apiClient(app, tenant.liveKey);
  planId = await newPlan(client);
});
afterAll(() => app.close());

const definition = (days: number) => ({ ...defaultPlanFor('USD'), holding: { days } });
const newPlan = async (by: ApiClient): Promise<string> =>
  (await by.post(PLANS, { name: 'Plan', definition: definition(30) })).body.id;
const read = async () => (await client.get(`${PLANS}/${planId}`)).body;
const change = (body: object, id = planId) => client.patch(`${PLANS}/${id}`, body);
const publish = (body: object, by = client, id = planId) => by.post(`${PLANS}/${id}/publish`, body);

/** Somebody else's transaction, which is committed once the request waits for it. */
async function meanwhile<Answer>(statements: readonly string[], request: () => PromiseLike<Answer>): Promise<Answer> {
  const other = new pg.Client({ connectionString: app.database.appUrl });
  await other.connect();
  try {
    await other.query('begin');
    await other.query(
      "select set_config('app.tenant_id', $1, true), set_config('app.environment', 'LIVE', true), set_config('app.member_id', '', true)",
      [tenantId],
    );
    for (const text of statements) await other.query(text, [planId]);
    // It is sent once somebody waits for its answer.
    const answer = request().then((received) => received);
    await blocked(app.database);
    await other.query('commit');
    return await answer;
  } finally {
    await other.end();
  }
}

test('a change of the plan as it was read is made, and of one that was changed since it is not', async () => {
  const { updatedAt } = await read();
  const first = await change({ definition: definition(10), expectedUpdatedAt: updatedAt });
  expect(first.status, first.text).toBe(200);
  expectRefusal(await change({ definition: definition(20), expectedUpdatedAt: updatedAt }), 409, 'PLAN_CHANGED');
  expectRefusal(await change({ name: 'Other', expectedUpdatedAt: updatedAt }), 409, 'PLAN_CHANGED');
  expect(await read()).toMatchObject({ name: 'Plan', draft: { holding: { days: 10 } }, updatedAt: first.body.updatedAt });
  expect((await change({ definition: definition(20) })).status).toBe(200);
  expectRefusal(await change({ name: 'Other', expectedUpdatedAt: updatedAt }, ABSENT), 404, 'NOT_FOUND');
  expectRefusal(await change({ expectedUpdatedAt: updatedAt }), 400, 'VALIDATION_ERROR');
});

test('no two changes have the same instant', async () => {
  await app.database.asSuperuser("update commission_plan set updated_at = now() + interval '1 hour' where id = $1", [planId]);
  const { updatedAt } = await read();
  expect((await change({ name: 'One', expectedUpdatedAt: updatedAt })).status).toBe(200);
  expectRefusal(await change({ name: 'Two', expectedUpdatedAt: updatedAt }), 409, 'PLAN_CHANGED');
});

test('a publication is of the draft that was read, as the version that was expected', async () => {
  const { updatedAt: expectedUpdatedAt } = await read();
  const done = await publish({ expectedUpdatedAt, expectedVersion: 1 });
  expect([done.status, done.body.version], done.text).toEqual([201, 1]);
  expectRefusal(await publish({ expectedUpdatedAt, expectedVersion: 1 }), 409, 'PLAN_CHANGED');
  expect((await change({ definition: definition(10) })).status).toBe(200);
  expectRefusal(await publish({ expectedUpdatedAt, expectedVersion: 2 }), 409, 'PLAN_CHANGED');
  expect((await read()).versions).toHaveLength(1);
  expect((await publish({})).status).toBe(201);
});

const CHANGED = [
  `update commission_plan set draft = jsonb_set(draft, '{holding,days}', '77'), updated_at = now() + interval '5 milliseconds' where id = $1`,
];
const PUBLISHED = [
  'select 1 from commission_plan where id = $1 for update',
  `insert into commission_plan_version (tenant_id, environment, plan_id, version, effective_from, definition, created_by)
   select tenant_id, environment, id, 1, now(), draft, 'system' from commission_plan where id = $1`,
];

test('what is changed while a change waits for it is not overwritten', async () => {
  const { updatedAt: expectedUpdatedAt } = await read();
  expectRefusal(await meanwhile(CHANGED, () => change({ definition: definition(10), expectedUpdatedAt })), 409, 'PLAN_CHANGED');
  expect((await read()).draft.holding.days).toBe(77);
});

test.each([
  ['changed', CHANGED, 0],
  ['published', PUBLISHED, 1],
] as const)('what is %s while a publication waits for it is not published unseen', async (_word, statements, count) => {
  const { updatedAt: expectedUpdatedAt } = await read();
  const body = { expectedUpdatedAt, expectedVersion: 1 };
  expectRefusal(await meanwhile(statements, () => publish(body)), 409, 'PLAN_CHANGED');
  expect((await read()).versions).toHaveLength(count);
});

test('a publication that waits for another pair of hands goes by its draft, whatever the plan is called by then', async () => {
  const shop = await openChangesShop(app);
  expect((await shop.first.patch(SETTINGS, { commissions: { planPublishSecondPair: true } })).status).toBe(200);
  const id = await newPlan(shop.first);
  const { updatedAt: expectedUpdatedAt } = (await shop.first.get(`${PLANS}/${id}`)).body;
  const body = { expectedUpdatedAt, expectedVersion: 1 };
  expectRefusal(await publish({ ...body, expectedVersion: 2 }, shop.first, id), 409, 'PLAN_CHANGED');
  const waits = await publish(body, shop.first, id);
  expect(waits.status, waits.text).toBe(202);
  expect((await shop.first.patch(`${PLANS}/${id}`, { name: 'Renamed' })).status).toBe(200);
  expect((await shop.confirm(waits.body.pendingChange.id)).status).toBe(200);
  expect((await shop.first.get(`${PLANS}/${id}`)).body.versions).toHaveLength(1);
});
