/** The Commission plans group: drafts, publication, and versions that never change. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PlanDefinitionInput, planDefinition } from '../../../src/features/commissions/open/plan-definition.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

const PLANS = '/api/v1/commission-plans';
const ABSENT = '00000000-0000-4000-8000-000000000000';
const FAR = '2099-01-01T00:00:00.000Z';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeAll(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

/** A plan that can be published in USD. */
const definition = (change: Partial<PlanDefinitionInput> = {}): PlanDefinitionInput => ({
  mode: 'unilevel',
  base: 'gross',
  levels: [{ level: 1, rateBps: 2000 }],
  tierRules: { ORDINARY: {}, SENIOR: {}, MANAGER: {}, DIRECTOR: {} },
  compression: 'compress',
  personalPurchase: 'sponsor_first',
  holding: { days: 14 },
  minimumPayoutMinor: { USD: 1000 },
  ...change,
});
const broken = definition({ levels: [{ level: 2, rateBps: 2000 }] });

async function newPlan(body: object = {}, by = client): Promise<string> {
  const answer = await by.post(PLANS, { name: 'A plan', definition: definition(), ...body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id as string;
}
const publish = (planId: string, body: object = {}, by = client) => by.post(`${PLANS}/${planId}/publish`, body);
const remove = (planId: string, key = tenant.liveKey) => app.http.delete(`${PLANS}/${planId}`).set('x-tenant-api-key', key);
const read = async (planId: string) => (await client.get(`${PLANS}/${planId}`)).body;

describe('a draft', () => {
  test('is created, found where Location says, and has its defaults filled in', async () => {
    const answer = await client.post(PLANS, { name: 'Spring', definition: definition() });
    expect(answer.status).toBe(201);
    expect(answer.headers['location']).toBe(`${PLANS}/${answer.body.id}`);
    expect(answer.body).toMatchObject({ name: 'Spring', problems: [], versions: [] });
    expect(answer.body.draft).toEqual(planDefinition.parse(definition()));
    expect(await read(answer.body.id)).toEqual(answer.body);
  });

  test('takes the example of the specification word for word', async () => {
    const example = planDefinition.meta()?.['example'] as PlanDefinitionInput;
    expect(example.qualification?.minPersonalSalesMinor).toBe(0);
    expect(example.caps?.perCustomerLifetimeMinor).toBeNull();
    const answer = await client.post(PLANS, { name: 'Paper', definition: example });
    expect(answer.status).toBe(201);
    expect(answer.body.problems).toEqual([]);
    expect(answer.body.draft.qualification.minPersonalSalesMinor).toEqual({});
    expect((await publish(answer.body.id, { effectiveFrom: FAR })).status).toBe(201);
  });

  test('may have problems, and tells each', async () => {
    const planId = await newPlan({ definition: { ...broken, minimumPayoutMinor: {} } });
    const { problems, warnings } = await read(planId);
    expect(problems).toEqual([
      { rule: 'LEVELS_WITH_GAPS', severity: 'error', path: 'levels[0].level', message: expect.any(String) },
    ]);
    expect(warnings).toEqual([
      {
        rule: 'MINIMUM_PAYOUT_MISSING',
        severity: 'warning',
        path: 'minimumPayoutMinor.USD',
        message: expect.stringContaining('built-in one of 50'),
      },
    ]);
  });

  test('changes without changing what was published', async () => {
    const planId = await newPlan();
    const { body: first } = await publish(planId, { effectiveFrom: FAR });
    const changed = await client.patch(`${PLANS}/${planId}`, { definition: broken });
    expect(changed.status).toBe(200);
    expect(changed.body.draft.levels).toEqual([{ level: 2, rateBps: 2000 }]);
    expect(changed.body.problems).toHaveLength(1);
    expect(changed.body.versions).toEqual([first]);
    expect(changed.body.name).toBe('A plan');
    expect(Date.parse(changed.body.updatedAt)).toBeGreaterThan(Date.parse(changed.body.createdAt));
    const renamed = await client.patch(`${PLANS}/${planId}`, { name: 'Renamed' });
    expect(renamed.body).toMatchObject({ name: 'Renamed', draft: changed.body.draft });
    expect(await read(planId)).toEqual(renamed.body);
  });

  test.each([
    ['nothing', {}, 'body'],
    ['no name', { name: null }, 'name'],
    ['a blank name', { name: ' ' }, 'name'],
    ['no definition', { definition: null }, 'definition'],
    ['half a definition', { definition: { mode: 'unilevel' } }, 'definition.base'],
    ['an unknown field in the definition', { definition: { ...definition(), bonus: 1 } }, 'definition.bonus'],
    [
      'a level with both a rate and an amount',
      { definition: definition({ levels: [{ level: 1, rateBps: 1, flatMinor: {} }] }) },
      'definition.levels[0]',
    ],
    [
      'a currency nobody knows',
      { definition: definition({ minimumPayoutMinor: { ABC: 1 } }) },
      'definition.minimumPayoutMinor.ABC',
    ],
  ])('is not changed to %s', async (_label, body, field) => {
    const planId = await newPlan();
    const before = await read(planId);
    const answer = await client.patch(`${PLANS}/${planId}`, body);
    expect(answer.status).toBe(400);
    expect((answer.body.details.fields as { field: string }[]).map((fault) => fault.field)).toContain(field);
    expect(await read(planId)).toEqual(before);
  });

  test('that was never published can be deleted, once', async () => {
    const planId = await newPlan();
    const answer = await remove(planId);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ id: planId, deleted: true });
    expect((await remove(planId)).body).toMatchObject({ code: 'NOT_FOUND' });
    expect((await client.get(`${PLANS}/${planId}`)).status).toBe(404);
    expect((await publish(planId)).status).toBe(404);
  });
});

describe('publication', () => {
  test('numbers the versions, newest first, each a copy of the draft as it was', async () => {
    const planId = await newPlan();
    const { status, body: first } = await publish(planId, { effectiveFrom: FAR, effectiveTo: '2099-02-01T00:00:00Z' });
    expect(status).toBe(201);
    expect(first).toEqual({
      id: expect.any(String),
      version: 1,
      effectiveFrom: FAR,
      effectiveTo: '2099-02-01T00:00:00.000Z',
      publishedAt: expect.any(String),
      createdBy: { kind: 'api_key', id: expect.any(String), name: null },
      definition: planDefinition.parse(definition()),
    });
    await client.patch(`${PLANS}/${planId}`, { definition: definition({ levels: [{ level: 1, rateBps: 500 }] }) });
    const { body: second } = await publish(planId, { effectiveFrom: '2099-03-01T00:00:00Z' });
    expect(second).toMatchObject({ version: 2, effectiveTo: null, definition: { levels: [{ level: 1, rateBps: 500 }] } });
    expect((await read(planId)).versions).toEqual([second, first]);
  });

  test('starts now unless it says otherwise', async () => {
    const before = Date.now() - 1_000;
    const { body } = await publish(await newPlan({ definition: definition({ scope: { skus: ['none'] } }) }));
    expect(Date.parse(body.effectiveFrom)).toBeGreaterThan(before);
    expect(Date.parse(body.effectiveFrom)).toBeLessThan(Date.now() + 1_000);
    expect(body.effectiveTo).toBeNull();
  });

  test('is never retroactive, and a period is not empty', async () => {
    const planId = await newPlan();
    const past = new Date(Date.now() - 60_000).toISOString();
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    for (const [body, field] of [
      [{ effectiveFrom: past }, 'effectiveFrom'],
      [{ effectiveFrom: past, effectiveTo: FAR }, 'effectiveFrom'],
      [{ effectiveTo: past }, 'effectiveTo'],
      [{ effectiveFrom: soon, effectiveTo: soon }, 'effectiveTo'],
      [{ effectiveFrom: FAR, effectiveTo: soon }, 'effectiveTo'],
      [{ effectiveFrom: '9999-01-01T00:00:00Z' }, 'effectiveFrom'],
      [{ effectiveTo: '9999-12-31T23:59:59.9999999Z' }, 'effectiveTo'],
    ] as const) {
      const answer = await publish(planId, body);
      expect(answer.status, JSON.stringify(body)).toBe(400);
      expect(answer.body.details.fields).toEqual([{ field, message: expect.any(String) }]);
    }
    expect((await read(planId)).versions).toEqual([]);
    expect((await publish(planId, { effectiveFrom: FAR, effectiveTo: '2099-01-01T00:00:00.001Z' })).status).toBe(201);
  });

  test("goes by the tenant's sandbox clock, and only in SANDBOX", async () => {
    const own = await app.newTenant();
    await app.database.asSuperuser("insert into sandbox_clock (tenant_id, environment, frozen_at) values ($1, 'SANDBOX', $2)", [
      own.tenantId,
      '2031-05-01T12:00:00Z',
    ]);
    const sandbox = apiClient(app, own.sandboxKey);
    const planId = await newPlan({}, sandbox);
    expect((await publish(planId, { effectiveFrom: '2031-05-01T11:59:59.999Z' }, sandbox)).status).toBe(400);
    expect((await publish(planId, { effectiveFrom: '2031-05-01T12:00:00Z' }, sandbox)).status).toBe(201);
    expect((await publish(planId, {}, sandbox)).body.effectiveFrom).toBe('2031-05-01T12:00:00.000Z');
    const live = apiClient(app, own.liveKey);
    expect(Date.parse((await publish(await newPlan({}, live), {}, live)).body.effectiveFrom)).toBeLessThan(Date.now() + 1_000);
  });

  test('of a draft with problems is refused with all the reasons', async () => {
    const planId = await newPlan({ definition: { ...broken, minimumPayoutMinor: {} } });
    const answer = await publish(planId);
    expect(answer.status).toBe(422);
    expect(answer.body.code).toBe('PLAN_INVALID');
    expect(answer.body.details.reasons).toEqual((await read(planId)).problems);
    expect(answer.body.details.reasons).toHaveLength(1);
    await client.patch(`${PLANS}/${planId}`, { definition: definition() });
    expect((await publish(planId, { effectiveFrom: FAR })).status).toBe(201);
  });

  test("warns by the tenant's own currency, and publishes all the same", async () => {
    const yen = apiClient(app, (await app.newTenant({ currency: 'JPY' })).liveKey);
    const planId = await newPlan({}, yen);
    const { body } = await yen.get(`${PLANS}/${planId}`);
    expect(body.warnings).toMatchObject([{ path: 'minimumPayoutMinor.JPY' }]);
    expect((await publish(planId, { effectiveFrom: FAR }, yen)).status).toBe(201);
  });

  test('remembers which key did it', async () => {
    const { body } = await publish(await newPlan(), { effectiveFrom: FAR });
    const [row] = await app.database.asSuperuser<{ known: boolean }>(
      "select exists (select from api_key k where k.tenant_id = $1 and 'api_key:' || k.id = v.created_by) as known from commission_plan_version v where v.id = $2",
      [tenant.tenantId, body.id],
    );
    expect(row?.known).toBe(true);
  });

  test('every change of a plan is in the audit log by the names of its fields, and a version names who published it', async () => {
    const own = await app.newTenant();
    const key = apiClient(app, own.liveKey);
    const planId = await newPlan({}, key);
    await key.patch(`${PLANS}/${planId}`, { name: 'Kim and Lee' });
    const published = await publish(planId, { effectiveFrom: FAR }, key);
    expect(published.body.createdBy).toEqual({ kind: 'api_key', id: expect.any(String), name: null });
    const read = await key.get(`${PLANS}/${planId}`);
    expect(read.body.versions[0].createdBy).toEqual(published.body.createdBy);
    const spare = await newPlan({}, key);
    await key.delete(`${PLANS}/${spare}`);
    const { body } = await key.get('/api/v1/admin/audit-logs?objectKind=commission_plan');
    const actor = { kind: 'api_key', id: published.body.createdBy.id };
    const { id: versionId, version } = published.body;
    expect(body.data).toMatchObject([
      { action: 'commission_plan.deleted', operationId: 'deleteCommissionPlan', objectId: spare, actor },
      { action: 'commission_plan.created', operationId: 'createCommissionPlan', objectId: spare, actor },
      { action: 'commission_plan.published', objectId: planId, actor, details: { versionId, version, effectiveFrom: FAR } },
      { action: 'commission_plan.updated', objectId: planId, actor, details: { fields: ['name'] } },
      { action: 'commission_plan.created', objectId: planId, actor },
    ]);
    expect(JSON.stringify(body)).not.toContain('Kim and Lee');
    const [inForce] = (await key.get(PLANS)).body.data;
    const first = (await key.get(`${PLANS}/${inForce.id}`)).body.versions[0];
    expect(first.createdBy).toEqual({ kind: 'system', id: null, name: null });
  });

  test('pays sales from its start on and none before', async () => {
    const own = await app.newTenant();
    const shop = apiClient(app, own.liveKey);
    const member = await shop.newMember({ membership_tier: 'DIRECTOR' });
    const sell = async (fields: object = {}) => {
      const body = shop.purchaseBody({ attribution: { user_id: member.id }, ...fields });
      return (await shop.post('/api/v1/events/purchase', body)).body.commissions[0].amount_minor as number;
    };
    expect(await sell()).toBe(1000);
    const { data } = (await shop.get(PLANS)).body;
    const planId = data[0].id as string;
    await shop.patch(`${PLANS}/${planId}`, { definition: definition() });
    expect(await sell()).toBe(1000); // a draft pays nothing
    expect((await publish(planId, {}, shop)).status).toBe(201);
    expect(await sell()).toBe(2000);
    expect(await sell({ occurred_at: new Date(Date.now() - 3_600_000).toISOString() })).toBe(1000);
  });
});

describe('a published version', () => {
  let versionId: string;
  let planId: string;
  beforeAll(async () => {
    planId = await newPlan();
    versionId = (await publish(planId, { effectiveFrom: FAR })).body.id as string;
  });
  const scope = () => ({ tenantId: tenant.tenantId, environment: 'LIVE' as const });

  test.each([
    ['change', "update commission_plan_version set definition = '{}' where id = $1"],
    ['postpone', "update commission_plan_version set effective_from = effective_from + interval '1 day' where id = $1"],
    ['delete', 'delete from commission_plan_version where id = $1'],
  ])('nobody may %s: the service has no right to, and a trigger stops whoever has', async (_label, text) => {
    const asService = app.composition.frames.write(scope(), (db) => db.rows({ text, values: [versionId] }));
    await expect(asService).rejects.toThrow(/permission denied/);
    await expect(app.database.asSuperuser(text, [versionId])).rejects.toThrow(/append-only/);
  });

  test('keeps its plan from being deleted', async () => {
    const before = await read(planId);
    const answer = await remove(planId);
    expect(answer.status).toBe(409);
    expect(answer.body.code).toBe('STATE_CONFLICT');
    expect(await read(planId)).toEqual(before);
  });
});

describe('at once', () => {
  test('twelve publications make twelve versions', async () => {
    const planId = await newPlan();
    const answers = await Promise.all(Array.from({ length: 12 }, () => publish(planId, { effectiveFrom: FAR })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const numbers = answers.map(({ body }) => body.version as number).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 12 }, (_none, index) => index + 1));
    const { versions } = await read(planId);
    expect(versions.map(({ version }: { version: number }) => version)).toEqual(numbers.toReversed());
  });

  test('a publication with an Idempotency-Key, twelve times, makes one', async () => {
    const planId = await newPlan();
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => client.post(`${PLANS}/${planId}/publish`, { effectiveFrom: FAR }, headers)),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await read(planId)).versions).toHaveLength(1);
  });

  test('a plan is published or deleted, never both and never half', async () => {
    const outcomes = new Set<string>();
    for (let i = 0; i < 12; i++) {
      const planId = await newPlan();
      const [published, deleted] = await Promise.all([publish(planId, { effectiveFrom: FAR }), remove(planId)]);
      outcomes.add(`${published.status} ${deleted.status}`);
      expect((await client.get(`${PLANS}/${planId}`)).status).toBe(published.status === 201 ? 200 : 404);
    }
    expect(['201 409', '404 200']).toEqual(expect.arrayContaining([...outcomes]));
  });

  test('a version is one draft or the other, never a mixture', async () => {
    const planId = await newPlan();
    const [published] = await Promise.all([
      publish(planId, { effectiveFrom: FAR }),
      client.patch(`${PLANS}/${planId}`, { definition: broken }),
      client.patch(`${PLANS}/${planId}`, { definition: definition({ levels: [{ level: 1, rateBps: 700 }] }) }),
    ]);
    expect([201, 422]).toContain(published.status);
    if (published.status === 201) expect([2000, 700]).toContain(published.body.definition.levels[0].rateBps);
  });
});

describe('the default plan', () => {
  test.each([
    ['USD', 5_000],
    ['JPY', 50],
    ['KWD', 50_000],
  ])(
    'of a tenant in %s has a minimum payout of %s, holds for all sales and has nothing to publish',
    async (currency, minimum) => {
      const own = await app.newTenant({ currency });
      for (const key of [own.liveKey, own.sandboxKey]) {
        const by = apiClient(app, key);
        const { body: list } = await by.get(PLANS);
        expect(list).toMatchObject({ hasMore: false, nextCursor: null });
        expect(list.data).toMatchObject([{ name: 'Default plan', hasDraft: false, latestVersion: 1 }]);
        const planId = list.data[0].id as string;
        const { body: plan } = await by.get(`${PLANS}/${planId}`);
        expect(plan).toMatchObject({
          draft: null,
          problems: [],
          versions: [{ version: 1, effectiveFrom: null, effectiveTo: null }],
        });
        expect(plan.versions[0].definition.minimumPayoutMinor).toEqual({ [currency]: minimum });
        expect((await publish(planId, {}, by)).body).toMatchObject({ code: 'STATE_CONFLICT' });
        expect((await remove(planId, key)).status).toBe(409);
      }
    },
  );
});

describe('the list', () => {
  test('goes through all plans in order, page by page', async () => {
    const own = await app.newTenant();
    const by = apiClient(app, own.liveKey);
    const ids = [((await by.get(PLANS)).body.data as { id: string }[])[0]?.id];
    for (let i = 0; i < 4; i++) ids.push(await newPlan({ name: `Plan ${i}` }, by));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await by.get(`${PLANS}?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
      seen.push(...(body.data as { id: string }[]).map(({ id }) => id));
      expect(body.hasMore).toBe(body.nextCursor !== null);
      cursor = body.nextCursor as string | null;
    } while (cursor !== null);
    expect(seen).toEqual(ids);
  });
});

test('a plan of another tenant or environment is as absent as one that is not there', async () => {
  const planId = await newPlan();
  const before = await read(planId);
  const other = await app.newTenant();
  for (const key of [other.liveKey, tenant.sandboxKey]) {
    const by = apiClient(app, key);
    const calls = (id: string) => [
      by.get(`${PLANS}/${id}`),
      by.patch(`${PLANS}/${id}`, { name: 'Mine' }),
      by.patch(`${PLANS}/${id}`, { definition: broken }),
      publish(id, {}, by),
      remove(id, key),
    ];
    const answers = await Promise.all(calls(planId));
    const absent = await Promise.all(calls(ABSENT));
    expect(answers.map(({ status, text }) => [status, text])).toEqual(absent.map(({ status, text }) => [status, text]));
    expect(answers.map(({ body }) => body.code)).toEqual(answers.map(() => 'NOT_FOUND'));
  }
  expect(await read(planId)).toEqual(before);
});
