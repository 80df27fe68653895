/** Rates that wait for another pair of hands: docs/specification/commissions.md#rate-moves. createExchangeRate */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { CHANGES, type ChangesShop, openChangesShop } from '../pending-changes/changes-shop.ts';

const RATES = '/api/v1/admin/exchange-rates';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let app: TestApp;
let shop: ChangesShop;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  shop = await openChangesShop(app);
});
afterAll(() => app.close());

const inTime = (ms: number) => new Date(Date.now() + ms).toISOString();
const send = (numerator: number, fields: object = {}, client: ApiClient = shop.first) =>
  client.post(RATES, { sourceCurrency: 'USD', targetCurrency: 'KWD', numerator, denominator: 1000, source: 'Bank', ...fields });
const recorded = async () => (await shop.first.get(RATES)).body.data.map((rate: { numerator: number }) => rate.numerator);

/** A rate of some time ago, past the judging. */
async function plant(numerator: number, ago: number, fields: Record<string, string> = {}): Promise<void> {
  const { source = 'USD', target = 'KWD' } = fields;
  await app.database.asSuperuser(
    `insert into exchange_rate (tenant_id, environment, source_currency, target_currency, numerator, denominator, effective_at, source, created_by)
     values ($1, 'LIVE', $2, $3, $4, 1000, $5, 'Bank', 'system')`,
    [shop.tenant.tenantId, source, target, numerator, inTime(-ago)],
  );
}

async function waiting(answer: { status: number; text: string; body: { pendingChange: { id: string } } }): Promise<string> {
  expect(answer.status, answer.text).toBe(202);
  return answer.body.pendingChange.id;
}

describe('a rate of a pair that has one', () => {
  beforeEach(() => plant(1000, 30 * DAY));

  test('takes effect up to 10 % either way, and waits beyond', async () => {
    expect((await send(1100)).status).toBe(201);
    expect((await send(990)).status).toBe(201);
    await waiting(await send(889));
    await waiting(await send(1101, { targetCurrency: 'JPY', effectiveAt: inTime(-HOUR) }));
    expect(await recorded()).toEqual([1000, 1100, 990]);
  });

  test('shows the old and the new, and counts once another root confirms it', async () => {
    const answer = await send(1500);
    const id = await waiting(answer);
    expect(answer.body.pendingChange).toMatchObject({
      operationId: 'createExchangeRate',
      fields: [
        {
          field: 'exchangeRates.USD.KWD',
          direction: 'weakens',
          from: { numerator: '1000', denominator: '1000' },
          to: { numerator: '1500', denominator: '1000', effectiveAt: null },
        },
      ],
    });
    expect(answer.text).not.toContain('Bank');
    const own = await shop.confirm(id, shop.first);
    expect([own.status, own.body.code]).toEqual([403, 'SECOND_PERSON_REQUIRED']);
    const { client: weak } = await shop.newRoot(['admin:settings']);
    expect((await shop.confirm(id, weak)).status).toBe(403);
    expect(await recorded()).toEqual([1000]);
    const { client: just } = await shop.newRoot(['admin:rates']);
    expect((await shop.confirm(id, just)).body).toMatchObject({ id, status: 'confirmed' });
    expect(await recorded()).toEqual([1000, 1500]);
    const [entry] = await app.database.asSuperuser<{ details: object }>(
      "select details from audit_log where tenant_id = $1 and action = 'exchange_rate.recorded'",
      [shop.tenant.tenantId],
    );
    expect(entry?.details).toMatchObject({
      numerator: '1500',
      weakens: ['exchangeRates.USD.KWD'],
      pendingChangeId: id,
      proposedBy: expect.stringMatching(/^api_key:/),
    });
  });

  test('moves by small steps no further than by one', async () => {
    expect((await send(1090)).status).toBe(201);
    await waiting(await send(1180));
    expect(await recorded()).toEqual([1000, 1090]);
  });

  test('is judged by what counted within 7 days, and not by what was before', async () => {
    await plant(1090, 7 * DAY + HOUR);
    expect((await send(1180)).status).toBe(201);
    await plant(1000, 6 * DAY);
    await waiting(await send(1180));
  });

  test('is judged at its own time, in the future too', async () => {
    expect((await send(1090, { effectiveAt: inTime(2 * DAY) })).status).toBe(201);
    await waiting(await send(1150, { effectiveAt: inTime(3 * DAY) }));
    expect((await send(1150, { effectiveAt: inTime(10 * DAY) })).status).toBe(201);
    expect((await send(1000)).status).toBe(201);
  });

  test('that is backdated waits, however near it is', async () => {
    await waiting(await send(1000, { effectiveAt: inTime(-60_000) }));
  });

  test('waits once for each pair, and is over when another has come between', async () => {
    const id = await waiting(await send(1500));
    const again = await send(1600);
    expect([again.status, again.body.code, again.body.details.pendingChangeId]).toEqual([409, 'CHANGE_PENDING', id]);
    expect((await send(1050, {}, shop.second)).status).toBe(201);
    expect((await shop.first.get(`${CHANGES}/${id}`)).body.status).toBe('cancelled');
    expect((await shop.confirm(id)).status).toBe(409);
    expect(await recorded()).toEqual([1000, 1050]);
  });

  test('is stale when what it was compared with is not what counts', async () => {
    const id = await waiting(await send(1500));
    await plant(1400, 1);
    const answer = await shop.confirm(id);
    expect([answer.status, answer.body.code]).toEqual([409, 'STATE_CONFLICT']);
    expect(await recorded()).toEqual([1000, 1400]);
  });
});

describe('a pair without a rate', () => {
  test('takes the first one, unless it is backdated', async () => {
    expect((await send(300)).status).toBe(201);
    await waiting(await send(1500, { targetCurrency: 'JPY', effectiveAt: inTime(-60_000) }));
  });

  test('is held to the other way round, which has no say beside a rate of its own', async () => {
    await plant(2000, DAY, { source: 'KWD', target: 'USD' });
    await waiting(await send(551));
    expect((await send(550)).status).toBe(201);
    await plant(5000, HOUR, { source: 'KWD', target: 'USD' });
    expect((await send(560)).status).toBe(201);
  });
});

describe('no rate waits', () => {
  test('in a SANDBOX', async () => {
    const sandbox = apiClient(app, shop.tenant.sandboxKey);
    expect((await sandbox.patch('/api/v1/admin/settings', { payments: { dualControl: true } })).status).toBe(200);
    expect((await send(1000, {}, sandbox)).status).toBe(201);
    expect((await send(9000, { effectiveAt: inTime(-DAY) }, sandbox)).status).toBe(201);
  });

  test('without dual control; what weakens is in the log', async () => {
    const other = await openChangesShop(app, { dualControl: false });
    expect((await send(1000, {}, other.first)).status).toBe(201);
    expect((await send(9000, {}, other.first)).status).toBe(201);
    const entries = await app.database.asSuperuser<{ details: Record<string, unknown> }>(
      "select details from audit_log where tenant_id = $1 and action = 'exchange_rate.recorded' order by id",
      [other.tenant.tenantId],
    );
    expect(entries.map(({ details }) => details['weakens'])).toEqual([undefined, ['exchangeRates.USD.KWD']]);
  });

  test('of another tenant for this one', async () => {
    await plant(1000, DAY);
    const other = await openChangesShop(app);
    expect((await send(9000, {}, other.first)).status).toBe(201);
  });
});

test('of two at once that go too far together one is judged by the other', async () => {
  await plant(1000, DAY);
  const answers = await Promise.all([send(1090), send(920, {}, shop.second)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 202]);
});
