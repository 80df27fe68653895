/** The operations of agreed rates: what they take, refuse, list, tell and write down. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { addPlan } from '../../support/money/model-plan.ts';
import { openEar } from '../../support/webhooks/told-events.ts';
import {
  agree,
  codeOf,
  EARLY,
  endOf,
  linkOf,
  OVERRIDES,
  openRateShop,
  person,
  propose,
  type RateShop,
  SALE_AT,
  told,
  type Wire,
} from './support/rate-shop.ts';

let app: TestApp;
let shop: RateShop;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  shop = await openRateShop(app);
});
afterAll(() => app.close());

const DAY = 86_400_000;
const MARCH = '2026-03-01T00:00:00.000Z';
const inTime = (ms: number): string => new Date(Date.now() + ms).toISOString();
const pay = { rateBps: 2000 };
const ids = ({ body }: { body: Wire }): string[] => body.data.map(({ id }: Wire) => id);
const list = (query: string) => shop.client.get(`${OVERRIDES}?${query}`);
const read = (id: string) => shop.client.get(`${OVERRIDES}/${id}`);

describe('what is agreed', () => {
  test('is answered in full, with where it is read', async () => {
    const seller = person(shop);
    const answer = await propose(shop, { target: 'member', targetId: seller.id, pay, reason: 'VIP partner' });
    expect(answer.status, answer.text).toBe(201);
    const { warnings, ...override } = answer.body;
    expect(warnings).toEqual([]);
    expect(override).toEqual({
      id: expect.any(String),
      target: 'member',
      targetId: seller.id,
      userId: seller.id,
      planId: null,
      level: 1,
      items: null,
      pay,
      validFrom: override.recordedAt,
      validTo: null,
      recordedAt: expect.any(String),
      reason: 'VIP partner',
      createdBy: { kind: 'api_key', id: expect.any(String), name: null },
    });
    expect(Math.abs(Date.parse(override.validFrom) - Date.now())).toBeLessThan(60_000);
    expect(answer.headers['location']).toBe(`${OVERRIDES}/${override.id}`);
    expect((await read(override.id)).body).toEqual(override);
  });

  test('is of the owner of a link or a code', async () => {
    const owner = person(shop, 1);
    for (const [target, targetId] of [
      ['link', await linkOf(shop, owner)],
      ['code', await codeOf(shop, owner)],
    ]) {
      expect(await agree(shop, { target, targetId, pay })).toMatchObject({ target, targetId, userId: owner.id });
    }
  });

  const faults: [label: string, fields: object, field: string][] = [
    ['a rate and a sum', { pay: { rateBps: 1, flatMinor: { USD: 1 } } }, 'pay'],
    ['neither a rate nor a sum', { pay: {} }, 'pay'],
    ['a ladder', { pay: { rateBps: 1, ladder: 'monthly' } }, 'pay.ladder'],
    ['a rate by the piece', { pay: { rateBps: 1, per: 'unit' } }, 'pay.per'],
    ['more than all', { pay: { rateBps: 10_001 } }, 'pay.rateBps'],
    ['a sum below nothing', { pay: { flatMinor: { USD: -1 } } }, 'pay.flatMinor.USD'],
    ['level 6', { level: 6, pay }, 'level'],
    ['level 0', { level: 0, pay }, 'level'],
    ['items that name nothing', { items: {}, pay }, 'items'],
    ['an empty list of article numbers', { items: { skus: [] }, pay }, 'items.skus'],
    ['an unknown member', { target: 'member', targetId: randomUUID(), pay }, 'targetId'],
    ['an unknown link', { target: 'link', targetId: randomUUID(), pay }, 'targetId'],
    ['an unknown code', { target: 'code', targetId: randomUUID(), pay }, 'targetId'],
    ['another kind of target', { target: 'group', pay }, 'target'],
    ['an unknown plan', { planId: randomUUID(), pay }, 'planId'],
    ['a start more than a year ahead', { validFrom: inTime(367 * DAY), pay }, 'validFrom'],
    ['an instant that is none', { validFrom: '2026-13-01', pay }, 'validFrom'],
    ['a long reason', { reason: 'x'.repeat(501), pay }, 'reason'],
  ];
  test.each(faults)('is refused with the field named: %s', async (_label, fields, field) => {
    const answer = await propose(shop, { target: 'member', targetId: person(shop).id, ...fields });
    expectRefusal(answer, 400, 'VALIDATION_ERROR', [field]);
    expect(ids(await list('limit=10'))).toEqual([]);
  });

  test('may begin within a year, and counts from then on', async () => {
    const { id } = await agree(shop, { pay, validFrom: inTime(365 * DAY) });
    expect((await told(shop)).paid).toEqual([1000, 500]);
    expect(ids(await list(`at=${inTime(366 * DAY)}`))).toEqual([id]);
    expect(ids(await list(`at=${inTime(0)}`))).toEqual([]);
  });

  test('is agreed once under one Idempotency-Key, and another content under it is refused', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const fields = { target: 'member', targetId: person(shop).id, pay };
    const answers = [await propose(shop, fields, headers), await propose(shop, fields, headers)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(ids(await list('limit=10'))).toHaveLength(1);
    expect((await propose(shop, { ...fields, pay: { rateBps: 1 } }, headers)).status).toBe(422);
    const end = { 'idempotency-key': randomUUID() };
    const path = `${OVERRIDES}/${answers[0]?.body.id}/end`;
    const ended = [await shop.client.post(path, {}, end), await shop.client.post(path, {}, end)];
    expect(ended.map(({ status }) => status)).toEqual([200, 200]);
    expect(ended[1]?.body).toEqual(ended[0]?.body);
  });
});

describe('a list', () => {
  test('comes page by page, and is filtered by whom, by what, by the plan and by the time', async () => {
    const [seller, sponsor] = [person(shop), person(shop, 1)];
    const linkId = await linkOf(shop, seller);
    const made = [
      await agree(shop, { pay }),
      await agree(shop, { target: 'link', targetId: linkId, pay }),
      await agree(shop, { targetId: sponsor.id, pay, planId: shop.planId, validFrom: MARCH }),
      await agree(shop, { pay: { rateBps: 1500 }, validFrom: MARCH }),
    ].map(({ id }) => id as string);
    const [first, second, third, fourth] = made;
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(`limit=3${cursor && `&cursor=${cursor}`}`);
      pages.push(ids(page));
      cursor = page.body.nextCursor as string | null;
    }
    expect(pages).toEqual([[first, second, third], [fourth]]);
    expect(ids(await list(`userId=${seller.id}`))).toEqual([first, second, fourth]);
    expect(ids(await list('target=link'))).toEqual([second]);
    expect(ids(await list(`targetId=${linkId}`))).toEqual([second]);
    expect(ids(await list(`target=code&targetId=${linkId}`))).toEqual([]);
    expect(ids(await list(`planId=${shop.planId}`))).toEqual([third]);
    expect(ids(await list(`at=${SALE_AT}`))).toEqual([second, third, fourth]);
    expect(ids(await list('at=2026-02-01T00:00:00Z'))).toEqual([first, second]);
    expect(ids(await list('at=2025-12-31T00:00:00Z'))).toEqual([]);
    await endOf(shop, fourth ?? '', { at: SALE_AT });
    expect(ids(await list(`at=${SALE_AT}`))).toEqual([second, third]);
    expect(ids(await list('limit=10'))).toEqual(made);
    const { body } = await list('limit=1');
    expectRefusal(await list(`limit=1&target=link&cursor=${body.nextCursor}`), 400, 'VALIDATION_ERROR', ['cursor']);
  });
});

describe('an end', () => {
  test('is told by what it ends, once: what has ended does not end again', async () => {
    const { id } = await agree(shop, { pay });
    const ended = await endOf(shop, id, { at: MARCH, reason: 'Over' });
    expect([ended.status, ended.body.validTo, ended.body.pay]).toEqual([200, MARCH, pay]);
    expect((await read(id)).body).toEqual(ended.body);
    expectRefusal(await endOf(shop, id), 409, 'STATE_CONFLICT');
    expectRefusal(await endOf(shop, id, { at: MARCH }), 409, 'STATE_CONFLICT');
    // Before its end it counts still, and may end earlier.
    expect((await endOf(shop, id, { at: '2026-02-01T00:00:00Z' })).body.validTo).toBe('2026-02-01T00:00:00.000Z');
    expect((await told(shop, { occurred_at: '2026-02-01T00:00:00Z' })).paid).toEqual([1000, 500]);
  });

  test('at its very start leaves nothing of it, and it may be agreed anew', async () => {
    const { id } = await agree(shop, { pay });
    expect((await endOf(shop, id, { at: EARLY })).body.validTo).toBe(EARLY);
    expect((await told(shop)).paid).toEqual([1000, 500]);
    const again = await agree(shop, { pay });
    expect((await told(shop)).chosen[0]).toBe(again.id);
    expect((await read(id)).body.validTo).toBe(EARLY);
  });

  test('is refused before it counts, more than a year ahead, and of nothing', async () => {
    const { id } = await agree(shop, { pay, validFrom: MARCH });
    expectRefusal(await endOf(shop, id, { at: '2026-02-28T23:59:59.999Z' }), 400, 'VALIDATION_ERROR', ['at']);
    expectRefusal(await endOf(shop, id, { at: inTime(367 * DAY) }), 400, 'VALIDATION_ERROR', ['at']);
    expectRefusal(await endOf(shop, randomUUID()), 404, 'NOT_FOUND');
    expect((await read(id)).body.validTo).toBeNull();
  });

  test('is set where another replaces it, which cannot be undone by ending the former', async () => {
    const first = await agree(shop, { pay });
    const second = await agree(shop, { pay: { rateBps: 1500 }, validFrom: MARCH });
    expect((await read(first.id)).body.validTo).toBe(MARCH);
    expect(second.validTo).toBeNull();
    expectRefusal(await endOf(shop, first.id), 409, 'STATE_CONFLICT');
    // Another level, plan or product is another agreement.
    await agree(shop, { pay, level: 2, validFrom: MARCH });
    await agree(shop, { pay, planId: shop.planId, validFrom: MARCH });
    await agree(shop, { pay, items: { skus: ['A'] }, validFrom: MARCH });
    expect((await read(second.id)).body.validTo).toBeNull();
  });
});

test('warnings tell where it does not count, or not in full, by the plans in force at its start', async () => {
  const linkId = await linkOf(shop, person(shop));
  const codes = async (fields: object) => (await agree(shop, fields)).warnings.map(({ code }: Wire) => code);
  expect(await codes({ pay: { rateBps: 3000 } })).toEqual([]);
  expect(await codes({ pay: { rateBps: 3001 } })).toEqual(['CUT_TO_PLAN_MAXIMUM']);
  expect(await codes({ pay, level: 2 })).toEqual(['NO_PLAN_LETS_IT_COUNT']);
  expect(await codes({ target: 'link', targetId: linkId, pay: { flatMinor: { USD: 1 } } })).toEqual(['NO_PLAN_LETS_IT_COUNT']);
  await addPlan(app, shop.tenant, { overrides: { levels: [2], maxRateBps: 1000, maxFlatMinor: { USD: 5 } } });
  expect(await codes({ pay, level: 2 })).toEqual(['CUT_TO_PLAN_MAXIMUM']);
  expect(await codes({ pay, level: 2, validFrom: '1999-01-01T00:00:00Z' })).toEqual(['NO_PLAN_LETS_IT_COUNT']);
  expect(await codes({ pay, level: 2, planId: shop.planId })).toEqual(['NO_PLAN_LETS_IT_COUNT']);
  expect(await codes({ level: 2, pay: { flatMinor: { USD: 5, EUR: 9 } } })).toEqual([]);
  expect(await codes({ level: 2, pay: { flatMinor: { USD: 6 } } })).toEqual(['CUT_TO_PLAN_MAXIMUM']);
});

test('a new tenant lets up to half of a sale count for level 1, and no sums', async () => {
  const { liveKey } = await app.newTenant();
  const client = apiClient(app, liveKey);
  const [plan] = (await client.get('/api/v1/commission-plans')).body.data;
  const { body } = await client.get(`/api/v1/commission-plans/${plan.id}`);
  expect(JSON.stringify(body)).toContain('"overrides":{"levels":[1],"maxRateBps":5000,"maxFlatMinor":{}}');
});

describe('rights', () => {
  const keyWith = async (fields: object) => {
    const answer = await shop.client.post('/api/v1/admin/api-keys', fields);
    expect(answer.status, answer.text).toBe(201);
    return { ...shop, client: apiClient(app, answer.body.apiKey), scopes: answer.body.scopes as string[] };
  };

  test('are asked for by name: rates:read to read, rates:write to agree and to end', async () => {
    const { id } = await agree(shop, { pay });
    const reads = [OVERRIDES, `${OVERRIDES}/${id}`, `/api/v1/members/${person(shop).id}/rates`];
    const none = await keyWith({ scopes: ['users:read'] });
    for (const path of reads) {
      const answer = await none.client.get(path);
      expectRefusal(answer, 403, 'FORBIDDEN');
      expect(answer.body.error).toContain('rates:read');
    }
    const reader = await keyWith({ scopes: ['rates:read'] });
    for (const path of reads) expect((await reader.client.get(path)).status).toBe(200);
    for (const answer of [await propose(reader, { target: 'member', targetId: person(shop).id, pay }), await endOf(reader, id)]) {
      expectRefusal(answer, 403, 'FORBIDDEN');
      expect(answer.body.error).toContain('rates:write');
    }
    const writer = await keyWith({ scopes: ['rates:write'] });
    expectRefusal(await writer.client.get(OVERRIDES), 403, 'FORBIDDEN');
    expect((await endOf(writer, id)).status).toBe(200);
  });

  test('of the presets: a backend reads rates and agrees none', async () => {
    const backend = await keyWith({ preset: 'backend' });
    expect(backend.scopes).toContain('rates:read');
    expect(backend.scopes).not.toContain('rates:write');
    expectRefusal(await propose(backend, { target: 'member', targetId: person(shop).id, pay }), 403, 'FORBIDDEN');
    const reporting = await keyWith({ preset: 'reporting' });
    expect(reporting.scopes).toContain('rates:read');
    expect(reporting.scopes).not.toContain('rates:write');
  });
});

describe('what was done', () => {
  test('is in the audit log without the reason', async () => {
    const { id } = await agree(shop, { pay, reason: 'Kim is our friend' });
    await endOf(shop, id, { at: MARCH, reason: 'Kim has gone' });
    const entries = await app.database.asSuperuser<{ action: string; object_id: string; details: object }>(
      "select action, object_id, details from audit_log where tenant_id = $1 and action like 'rate_override.%' order by id",
      [shop.tenant.tenantId],
    );
    expect(entries).toEqual([
      { action: 'rate_override.agreed', object_id: id, details: expect.objectContaining({ target: 'member', level: 1, pay }) },
      { action: 'rate_override.ended', object_id: id, details: { target: 'member', level: 1 } },
    ]);
    expect(JSON.stringify(entries)).not.toContain('Kim');
  });

  test('is told to who listens, as it is read then', async () => {
    await app.database.asSuperuser(
      "insert into webhook_hearing (tenant_id, environment, patterns) values ($1, 'LIVE', '{rate_override.*}')",
      [shop.tenant.tenantId],
    );
    const ear = openEar(app, shop.scope);
    const { warnings: _warnings, ...override } = await agree(shop, { pay, reason: 'VIP' });
    const first = await ear.heard();
    expect(first.map(({ type, objectId, data }) => [type, objectId, data])).toEqual([
      ['rate_override.changed', override.id, override],
    ]);
    const { body } = await endOf(shop, override.id, { at: MARCH });
    const [ended, ...more] = await ear.heard();
    expect([ended?.type, ended?.objectId, ended?.data, more]).toEqual(['rate_override.changed', override.id, body, []]);
    expectRefusal(await endOf(shop, override.id), 409, 'STATE_CONFLICT');
    expect(await ear.heard()).toEqual([]);
  });
});
