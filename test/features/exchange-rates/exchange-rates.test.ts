/** Exchange rates: recorded once, read as of a sale. Source: docs/specification/commissions.md#rates. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Environment } from '../../../src/db/scope.ts';
import { exchangeRates } from '../../../src/features.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

const RATES = '/api/v1/admin/exchange-rates';
const YEAR_MS = 365 * 86_400_000;

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

const rate = (fields: object = {}) => ({
  sourceCurrency: 'USD',
  targetCurrency: 'JPY',
  numerator: 1495,
  denominator: 1000,
  source: 'Central bank',
  ...fields,
});
async function record(fields: object = {}, by = client) {
  const answer = await by.post(RATES, rate(fields));
  expect(answer.status, answer.text).toBe(201);
  return answer.body as Record<string, string>;
}

describe('recording', () => {
  test('keeps the ratio, its time and its source', async () => {
    const answer = await client.post(RATES, rate({ effectiveAt: '2026-01-31T12:00:00+02:00' }));
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      ...rate(),
      id: expect.any(String),
      effectiveAt: '2026-01-31T10:00:00.000Z',
      recordedAt: expect.any(String),
      createdBy: { kind: 'api_key', id: expect.any(String), name: null },
    });
  });

  test('starts now by default, at any time in the past, and up to a year ahead', async () => {
    const { effectiveAt = '' } = await record();
    expect(Math.abs(Date.parse(effectiveAt) - Date.now())).toBeLessThan(10_000);
    expect((await record({ effectiveAt: '0001-01-01T00:00:00Z' }))['effectiveAt']).toBe('0001-01-01T00:00:00.000Z');
    await record({ effectiveAt: new Date(Date.now() + YEAR_MS - 60_000).toISOString() });
    const tooFar = await client.post(RATES, rate({ effectiveAt: new Date(Date.now() + YEAR_MS + 2 * 86_400_000).toISOString() }));
    expect(tooFar.status).toBe(400);
    expect(tooFar.body.details.fields).toEqual([{ field: 'effectiveAt', message: 'must be at most a year ahead' }]);
  });

  test("goes by the tenant's sandbox clock in SANDBOX", async () => {
    const own = await app.newTenant();
    await app.database.asSuperuser("insert into sandbox_clock (tenant_id, environment, frozen_at) values ($1, 'SANDBOX', $2)", [
      own.tenantId,
      '2031-05-01T12:00:00Z',
    ]);
    const sandbox = apiClient(app, own.sandboxKey);
    expect((await record({}, sandbox))['effectiveAt']).toBe('2031-05-01T12:00:00.000Z');
    await record({ effectiveAt: '2032-05-01T12:00:00Z' }, sandbox);
    expect((await sandbox.post(RATES, rate({ effectiveAt: '2032-05-01T12:00:00.001Z' }))).status).toBe(400);
  });

  test('takes the largest ratio whole', async () => {
    const body = await record({ numerator: 999_999_999_999_999, denominator: 999_999_999_999_998 });
    expect(body).toMatchObject({ numerator: 999_999_999_999_999, denominator: 999_999_999_999_998 });
  });

  test.each<[label: string, fields: object, field: string]>([
    ['of a currency with itself', { targetCurrency: 'USD' }, 'targetCurrency'],
    ['of no currency', { sourceCurrency: 'qqq' }, 'sourceCurrency'],
    ['to a currency nobody knows', { targetCurrency: 'ABC' }, 'targetCurrency'],
    ['of nothing', { numerator: 0 }, 'numerator'],
    ['over nothing', { denominator: 0 }, 'denominator'],
    ['below nothing', { numerator: -1 }, 'numerator'],
    ['with a fraction', { denominator: 1.5 }, 'denominator'],
    ['larger than any amount', { numerator: 1_000_000_000_000_000 }, 'numerator'],
    ['without a source', { source: undefined }, 'source'],
    ['with a blank source', { source: ' ' }, 'source'],
    ['with a long source', { source: 'x'.repeat(201) }, 'source'],
    ['at no time', { effectiveAt: '2026-02-30T00:00:00Z' }, 'effectiveAt'],
    ['with an unknown field', { rate: 1.5 }, 'rate'],
  ])('refuses a rate %s', async (_label, fields, field) => {
    const answer = await client.post(RATES, rate(fields));
    expect(answer.status).toBe(400);
    expect((answer.body.details.fields as { field: string }[]).map((fault) => fault.field)).toEqual([field]);
  });

  test('is for ever: no operation changes a rate, the service may not, a trigger stops whoever could', async () => {
    const { id } = await record();
    for (const method of ['patch', 'delete', 'put'] as const) {
      expect((await app.http[method](RATES).set('x-tenant-api-key', tenant.liveKey)).status).toBe(405);
    }
    for (const text of ['update exchange_rate set numerator = 1 where id = $1', 'delete from exchange_rate where id = $1']) {
      const scope = { tenantId: tenant.tenantId, environment: 'LIVE' as const };
      const asService = app.composition.frames.write(scope, (db) => db.rows({ text, values: [id] }));
      await expect(asService).rejects.toThrow(/permission denied/);
      await expect(app.database.asSuperuser(text, [id])).rejects.toThrow(/append-only/);
    }
  });

  test('remembers which key did it', async () => {
    const { id } = await record();
    const rows = await app.database.asSuperuser(
      "select 1 from exchange_rate r join api_key k on k.tenant_id = r.tenant_id and k.environment = r.environment and 'api_key:' || k.id = r.created_by where r.id = $1",
      [id],
    );
    expect(rows).toHaveLength(1);
  });

  test('names it in its answer, and leaves an entry in the audit log without the source, which is free text', async () => {
    const by = apiClient(app, (await app.newTenant()).liveKey);
    const rate = await record({ source: 'Kim said so' }, by);
    const createdBy = { kind: 'api_key', id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: null };
    expect(rate).toMatchObject({ createdBy });
    expect((await by.get(RATES)).body.data).toEqual([rate]);
    const { body } = await by.get('/api/v1/admin/audit-logs');
    const { id, sourceCurrency, targetCurrency, numerator, denominator, effectiveAt } = rate as Record<string, string | number>;
    expect(body.data.filter(({ actor }: { actor: { kind: string } }) => actor.kind !== 'operator')).toMatchObject([
      {
        action: 'exchange_rate.recorded',
        operationId: 'createExchangeRate',
        actor: { kind: 'api_key' },
        objectKind: 'exchange_rate',
        objectId: id,
        details: { sourceCurrency, targetCurrency, numerator: `${numerator}`, denominator: `${denominator}`, effectiveAt },
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('Kim');
  });
});

describe('the list', () => {
  test('is in the order of recording, filtered, page by page', async () => {
    const by = apiClient(app, (await app.newTenant()).liveKey);
    const ids: (string | undefined)[] = [];
    for (const targetCurrency of ['JPY', 'KWD', 'JPY', 'EUR', 'JPY']) ids.push((await record({ targetCurrency }, by))['id']);
    await record({ sourceCurrency: 'EUR', targetCurrency: 'JPY', effectiveAt: '2020-01-01T00:00:00Z' }, by);
    const list = async (query: string) => (await by.get(`${RATES}?${query}`)).body;
    const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);
    expect(idsOf(await list('sourceCurrency=USD'))).toEqual(ids);
    expect(idsOf(await list('sourceCurrency=USD&targetCurrency=JPY'))).toEqual([ids[0], ids[2], ids[4]]);
    expect((await list('targetCurrency=JPY')).data).toHaveLength(4);
    expect((await list('targetCurrency=USD')).data).toEqual([]);
    const first = await list('sourceCurrency=USD&targetCurrency=JPY&limit=2');
    expect(first.hasMore).toBe(true);
    const second = await list(`sourceCurrency=USD&targetCurrency=JPY&limit=2&cursor=${first.nextCursor}`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual([ids[0], ids[2], ids[4]]);
    expect(second).toMatchObject({ hasMore: false, nextCursor: null });
    expect((await by.get(`${RATES}?sourceCurrency=USD&limit=2&cursor=${first.nextCursor}`)).status).toBe(400);
  });

  test('shows neither another tenant nor the other environment', async () => {
    const { id } = await record();
    const other = await app.newTenant();
    for (const key of [tenant.sandboxKey, other.liveKey]) {
      const { body } = await apiClient(app, key).get(`${RATES}?limit=100`);
      expect(JSON.stringify(body)).not.toContain(id);
    }
  });
});

describe('the rates of a sale', () => {
  let own: TestTenant;
  beforeAll(async () => {
    own = await app.newTenant();
  });
  const readAt = async (at: string, targets: string[], environment: Environment = 'LIVE', source = 'USD') => {
    const scope = { tenantId: own.tenantId, environment };
    const { frames, offer } = app.composition;
    const rates = await frames.read(scope, (db) => offer(exchangeRates).readRates(db, scope, source, targets, new Date(at)));
    return Object.fromEntries([...rates].map(([target, { numerator, denominator }]) => [target, `${numerator}/${denominator}`]));
  };

  test('are the latest in force at it, of equal ones the last recorded, each with its id', async () => {
    const by = apiClient(app, own.liveKey);
    const on = (day: string, numerator: number, fields: object = {}) =>
      record({ effectiveAt: `2026-03-${day}T00:00:00Z`, numerator, denominator: 100, ...fields }, by);
    await on('10', 3);
    await on('05', 1);
    const second = await on('05', 2);
    await on('05', 9, { targetCurrency: 'KWD' });
    await on('05', 7, { sourceCurrency: 'EUR' });

    expect(await readAt('2026-03-04T23:59:59.999Z', ['JPY', 'KWD'])).toEqual({});
    expect(await readAt('2026-03-05T00:00:00Z', ['JPY', 'KWD', 'GBP'])).toEqual({ JPY: '2/100', KWD: '9/100' });
    expect(await readAt('2026-03-09T23:59:59.999Z', ['JPY'])).toEqual({ JPY: '2/100' });
    expect(await readAt('2026-03-10T00:00:00Z', ['JPY'])).toEqual({ JPY: '3/100' });
    expect(await readAt('2026-03-10T00:00:00Z', ['JPY'], 'LIVE', 'EUR')).toEqual({ JPY: '7/100' });
    expect(await readAt('2026-03-10T00:00:00Z', [])).toEqual({});
    expect(await readAt('2026-03-10T00:00:00Z', ['JPY'], 'SANDBOX')).toEqual({});

    const scope = { tenantId: own.tenantId, environment: 'LIVE' as const };
    const { frames, offer } = app.composition;
    const rates = await frames.read(scope, (db) =>
      offer(exchangeRates).readRates(db, scope, 'USD', ['JPY'], new Date('2026-03-06T00:00:00Z')),
    );
    expect(rates.get('JPY')).toEqual({ id: second['id'], numerator: 2n, denominator: 100n });
  });

  test('a rate recorded later for an earlier time counts for sales between', async () => {
    const by = apiClient(app, own.liveKey);
    await record({ effectiveAt: '2026-03-07T00:00:00Z', numerator: 5, denominator: 100 }, by);
    expect(await readAt('2026-03-06T00:00:00Z', ['JPY'])).toEqual({ JPY: '2/100' });
    expect(await readAt('2026-03-08T00:00:00Z', ['JPY'])).toEqual({ JPY: '5/100' });
    expect(await readAt('2026-03-11T00:00:00Z', ['JPY'])).toEqual({ JPY: '3/100' });
  });
});
