/** Publications that wait for another pair of hands: docs/specification/commissions.md#publishing-by-two. publishCommissionPlan */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PlanDefinitionInput } from '../../../src/features/commissions/open/plan-definition.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { type ChangesShop, openChangesShop, SETTINGS } from '../pending-changes/changes-shop.ts';

const PLANS = '/api/v1/commission-plans';
const FAR = '2099-01-01T00:00:00.000Z';

let app: TestApp;
let shop: ChangesShop;
let planId: string;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  shop = await openChangesShop(app);
  planId = await newPlan();
  expect((await ask()).status).toBe(200);
});
afterAll(() => app.close());

const definition = (rateBps: number): PlanDefinitionInput => ({
  mode: 'unilevel',
  base: 'gross',
  levels: [{ level: 1, rateBps }],
  tierRules: { ORDINARY: {}, SENIOR: {}, MANAGER: {}, DIRECTOR: {} },
  compression: 'compress',
  personalPurchase: 'sponsor_first',
  holding: { days: 14 },
  minimumPayoutMinor: { USD: 1000 },
});
const newPlan = async (client = shop.first) =>
  (await client.post(PLANS, { name: 'Plan', definition: definition(1000) })).body.id as string;
const ask = (client: ApiClient = shop.first) => client.patch(SETTINGS, { commissions: { planPublishSecondPair: true } });
const publish = (body: object = {}, client: ApiClient = shop.first, id = planId) => client.post(`${PLANS}/${id}/publish`, body);
const redraft = (rateBps: number) => shop.first.patch(`${PLANS}/${planId}`, { definition: definition(rateBps) });
const versions = async () =>
  (await shop.first.get(`${PLANS}/${planId}`)).body.versions.map(
    ({ version, definition: { levels } }: { version: number; definition: PlanDefinitionInput }) => [
      version,
      levels?.[0]?.rateBps,
    ],
  );

describe('a publication', () => {
  test('waits, shows the definition, and is the next version once another root confirms it', async () => {
    const answer = await publish({ effectiveFrom: FAR });
    expect(answer.status, answer.text).toBe(202);
    const { id, fields } = answer.body.pendingChange;
    expect(fields).toEqual([
      {
        field: `commissionPlans.${planId}`,
        direction: 'weakens',
        from: null,
        to: {
          version: 1,
          effectiveFrom: FAR,
          effectiveTo: null,
          definition: expect.objectContaining({ levels: [{ level: 1, rateBps: 1000 }] }),
        },
      },
    ]);
    expect(await versions()).toEqual([]);
    expectRefusal(await shop.confirm(id, shop.first), 403, 'SECOND_PERSON_REQUIRED');
    const { client: just } = await shop.newRoot(['plans:write']);
    expect((await shop.confirm(id, just)).status).toBe(200);
    expect(await versions()).toEqual([[1, 1000]]);
    const [entry] = await app.database.asSuperuser<{ details: object }>(
      "select details from audit_log where tenant_id = $1 and action = 'commission_plan.published'",
      [shop.tenant.tenantId],
    );
    expect(entry?.details).toMatchObject({ version: 1, pendingChangeId: id, proposedBy: expect.stringMatching(/^api_key:/) });
  });

  test('is of the draft that was asked for: another draft makes it stale', async () => {
    const { id } = (await publish()).body.pendingChange;
    expect((await redraft(9000)).status).toBe(200);
    expectRefusal(await shop.confirm(id), 409, 'STATE_CONFLICT');
    expect(await versions()).toEqual([]);
    expect((await redraft(1000)).status).toBe(200);
    expect((await shop.confirm(id)).status).toBe(200);
    expect(await versions()).toEqual([[1, 1000]]);
  });

  test('waits once for each plan', async () => {
    expect((await publish()).status).toBe(202);
    expectRefusal(await publish({ effectiveFrom: FAR }), 409, 'CHANGE_PENDING');
    expect((await publish({}, shop.first, await newPlan())).status).toBe(202);
  });

  test('is refused at once where it could not be made, and at last where its time has passed', async () => {
    expectRefusal(await publish({ effectiveFrom: '2020-01-01T00:00:00Z' }), 400, 'VALIDATION_ERROR');
    const soon = new Date(Date.now() + 1_500).toISOString();
    const { id } = (await publish({ effectiveFrom: soon })).body.pendingChange;
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    expectRefusal(await shop.confirm(id), 409, 'STATE_CONFLICT');
    expect(await versions()).toEqual([]);
  });

  test('beside another draft is of one of them whole', async () => {
    const { id } = (await publish()).body.pendingChange;
    const [confirmed] = await Promise.all([shop.confirm(id), redraft(9000)]);
    expect(await versions()).toEqual(confirmed.status === 200 ? [[1, 1000]] : []);
  });
});

describe('no publication waits', () => {
  test('where the settings do not ask for it', async () => {
    const other = await openChangesShop(app);
    expect((await publish({}, other.first, await newPlan(other.first))).status).toBe(201);
  });

  test('without dual control, and what the settings ask for is in the log', async () => {
    const other = await openChangesShop(app, { dualControl: false });
    expect((await ask(other.first)).status).toBe(200);
    const id = await newPlan(other.first);
    expect((await publish({}, other.first, id)).status).toBe(201);
    const [entry] = await app.database.asSuperuser<{ details: object }>(
      "select details from audit_log where tenant_id = $1 and action = 'commission_plan.published'",
      [other.tenant.tenantId],
    );
    expect(entry?.details).toMatchObject({ weakens: [`commissionPlans.${id}`] });
  });

  test('in a SANDBOX', async () => {
    const sandbox = apiClient(app, shop.tenant.sandboxKey);
    await sandbox.patch(SETTINGS, { payments: { dualControl: true } });
    expect((await ask(sandbox)).status).toBe(200);
    expect((await publish({}, sandbox, await newPlan(sandbox))).status).toBe(201);
  });
});
