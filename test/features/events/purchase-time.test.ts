/**
 * Time and purchases: as-of reading, the bounds of occurred_at, and when commissions clear
 * (docs/specification/commissions.md#holding). The dates are of 2024 and later: sales may be five years old,
 * so they hold until 2029.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { newUpline, paidTo } from '../../support/money/model-upline.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const daysAgo = (days: number) => ago(days * DAY_MS);

async function change(memberId: string | undefined, fields: object): Promise<void> {
  const answer = await client.patch(`/api/v1/users/${memberId}`, fields);
  if (answer.status !== 200) throw new Error(`not changed: ${answer.text}`);
}

describe('tier and activity as of the sale', () => {
  /** Level 1 stays ORDINARY; what level 2 is at the sale decides whether it takes plan level 2. */
  async function secondLevelAt(tiers: string) {
    const chain = await newUpline(client, tiers);
    return {
      second: chain[1]?.id,
      paidAt: async (occurredAt?: string) => {
        const when = occurredAt === undefined ? {} : { occurred_at: occurredAt };
        const body = client.purchaseBody({ attribution: { user_id: chain[0]?.id }, ...when });
        return paidTo(chain, (await client.post('/api/v1/events/purchase', body)).body.commissions);
      },
    };
  }
  const alone = '1/L1:1000';
  const both = '1/L1:1000 2/L2:500';

  test('a tier given after the sale does not count, one given before does', async () => {
    const { second, paidAt } = await secondLevelAt('O O');
    await change(second, { membership_tier: 'SENIOR' });
    expect(await paidAt(ago(MINUTE_MS))).toBe(alone);
    expect(await paidAt(daysAgo(1_000))).toBe(alone);
    expect(await paidAt()).toBe(both);
  });

  test('a tier taken away after the sale still counts for it', async () => {
    const { second, paidAt } = await secondLevelAt('O S');
    await change(second, { membership_tier: 'ORDINARY' });
    expect(await paidAt(ago(MINUTE_MS))).toBe(both);
    expect(await paidAt()).toBe(alone);
  });

  test('a back-dated tier counts from its effective_at, to the millisecond', async () => {
    const { second, paidAt } = await secondLevelAt('O O');
    await change(second, { membership_tier: 'SENIOR', effective_at: '2026-05-10T12:00:00Z', reason: 'recorded late' });
    expect(await paidAt('2026-05-10T11:59:59.999Z')).toBe(alone);
    expect(await paidAt('2026-05-10T12:00:00.000Z')).toBe(both);
    expect(await paidAt()).toBe(both);
  });

  test('of several tiers the one in force at the sale counts, in whatever order they were recorded', async () => {
    const { second, paidAt } = await secondLevelAt('O O');
    await change(second, { membership_tier: 'SENIOR', effective_at: '2026-03-01T00:00:00Z' });
    await change(second, { membership_tier: 'ORDINARY', effective_at: '2026-04-01T00:00:00Z' });
    await change(second, { membership_tier: 'DIRECTOR', effective_at: '2026-02-01T00:00:00Z' });
    await change(second, { membership_tier: 'ORDINARY', effective_at: '2026-02-15T00:00:00Z' });
    expect(await paidAt('2026-01-31T23:59:59Z')).toBe(alone);
    expect(await paidAt('2026-02-01T00:00:00Z')).toBe(both);
    expect(await paidAt('2026-02-20T00:00:00Z')).toBe(alone);
    expect(await paidAt('2026-03-15T00:00:00Z')).toBe(both);
    expect(await paidAt('2026-04-01T00:00:00Z')).toBe(alone);
    expect(await paidAt()).toBe(alone);
  });

  test('of two changes for one instant the later recorded counts', async () => {
    const { second, paidAt } = await secondLevelAt('O O');
    await change(second, { membership_tier: 'MANAGER', effective_at: '2026-05-10T12:00:00Z' });
    await change(second, { membership_tier: 'ORDINARY', effective_at: '2026-05-10T12:00:00Z' });
    expect(await paidAt('2026-05-11T00:00:00Z')).toBe(alone);
  });

  test('a member deactivated after the sale is paid for it, one deactivated before is not', async () => {
    const { second, paidAt } = await secondLevelAt('O S');
    await change(second, { is_active: false, effective_at: '2026-05-10T12:00:00Z' });
    await change(second, { is_active: true, effective_at: '2026-05-20T12:00:00Z' });
    expect(await paidAt('2026-05-10T11:59:59.999Z')).toBe(both);
    expect(await paidAt('2026-05-10T12:00:00Z')).toBe(alone);
    expect(await paidAt('2026-05-20T11:59:59.999Z')).toBe(alone);
    expect(await paidAt('2026-05-20T12:00:00Z')).toBe(both);
    await change(second, { is_active: false });
    expect(await paidAt(ago(MINUTE_MS))).toBe(both);
    expect(await paidAt()).toBe(alone);
  });

  test('sales dated before anybody was recorded find the upline as it first was', async () => {
    const { second, paidAt } = await secondLevelAt('O S');
    expect(await paidAt(daysAgo(4 * 365))).toBe(both);
    await change(second, { membership_tier: 'ORDINARY', is_active: false });
    expect(await paidAt(daysAgo(4 * 365))).toBe(both);
  });

  test('golden (c): the sponsor moved between the sale and its arrival; the sale pays the former', async () => {
    const [former] = await newUpline(client, 'D');
    const [now] = await newUpline(client, 'D');
    const seller = await client.newMember({ parent_id: now?.id });
    // There is no move operation yet; the history it will write is read already.
    await app.database.asSuperuser(
      `with history as (
         insert into member_sponsor_history (tenant_id, environment, member_id, sponsor_id, valid_from)
         values ($1, 'LIVE', $2, $3, '-infinity'), ($1, 'LIVE', $2, $4, '2026-05-10T12:00:00Z'))
       update member set has_history = true where tenant_id = $1 and environment = 'LIVE' and id = $2`,
      [tenant.tenantId, seller.id, former?.id, now?.id],
    );
    const secondAt = async (occurredAt: string) => {
      const body = client.purchaseBody({ occurred_at: occurredAt, attribution: { user_id: seller.id } });
      return (await client.post('/api/v1/events/purchase', body)).body.commissions[1].user_id;
    };
    expect(await secondAt('2026-05-10T11:59:59.999Z')).toBe(former?.id);
    expect(await secondAt('2026-05-10T12:00:00Z')).toBe(now?.id);
  });
});

describe('occurred_at', () => {
  const post = (occurredAt: string | null) =>
    client.post('/api/v1/events/purchase', client.purchaseBody({ occurred_at: occurredAt }));
  const yearsAgo = (years: number, offsetMs: number) => {
    const date = new Date(Date.now() + offsetMs);
    date.setUTCFullYear(date.getUTCFullYear() - years);
    return date.toISOString();
  };

  test('is now by default', async () => {
    const before = Date.now();
    const { body } = await post(null);
    const { occurred_at: occurredAt, recorded_at: recordedAt } = (await client.get(`/api/v1/events/${body.event_id}`)).body;
    expect(Date.parse(occurredAt)).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(occurredAt)).toBeLessThanOrEqual(Date.now());
    expect(occurredAt).toBe(recordedAt);
  });

  test('may be 10 minutes ahead and 5 years back, and no more', async () => {
    expect((await post(ago(-10 * MINUTE_MS + 5_000))).status).toBe(201);
    expectRefusal(await post(ago(-10 * MINUTE_MS - 5_000)), 400, 'VALIDATION_ERROR', ['occurred_at']);
    expect((await post(yearsAgo(5, 5_000))).status).toBe(201);
    expectRefusal(await post(yearsAgo(5, -5_000)), 400, 'VALIDATION_ERROR', ['occurred_at']);
    expectRefusal(await post('9999-12-31T23:59:59Z'), 400, 'VALIDATION_ERROR', ['occurred_at']);
    expectRefusal(await post('0001-01-01T00:00:00Z'), 400, 'VALIDATION_ERROR', ['occurred_at']);
  });
});

describe('clears_at: the start of the local day after the holding days', () => {
  test.each([
    ['UTC', '2026-03-31T23:30:00Z', '2026-05-01T00:00:00.000Z'],
    ['UTC', '2026-03-31T10:30:00Z', '2026-05-01T00:00:00.000Z'],
    // Golden (f): 23:30 on 31 March in Auckland (+13) is 1 May at +12 when it clears.
    ['Pacific/Auckland', '2026-03-31T10:30:00Z', '2026-04-30T12:00:00.000Z'],
    // The UTC evening is 1 April in Auckland.
    ['Pacific/Auckland', '2026-03-31T23:30:00Z', '2026-05-01T12:00:00.000Z'],
    ['Pacific/Auckland', '2026-03-31T10:59:59.999Z', '2026-04-30T12:00:00.000Z'],
    ['Pacific/Auckland', '2026-03-31T11:00:00Z', '2026-05-01T12:00:00.000Z'],
    // New York: into summer time on 8 March 2026 (-5 -> -4), out of it on 2 November 2025.
    ['America/New_York', '2026-02-15T12:00:00Z', '2026-03-18T04:00:00.000Z'],
    ['America/New_York', '2025-10-15T03:30:00Z', '2025-11-14T05:00:00.000Z'],
    // It clears on the day of the change itself.
    ['America/New_York', '2026-02-05T12:00:00Z', '2026-03-08T05:00:00.000Z'],
    // 25 April 2025 in Cairo had no 00:00: the day began at 01:00 summer time.
    ['Africa/Cairo', '2025-03-25T12:00:00Z', '2025-04-24T22:00:00.000Z'],
    // 1 November 2026 in Havana has 00:00 twice: the day begins with the first.
    ['America/Havana', '2026-10-01T12:00:00Z', '2026-11-01T04:00:00.000Z'],
    ['Asia/Kathmandu', '2026-01-31T18:14:59Z', '2026-03-02T18:15:00.000Z'],
    ['UTC', '2024-01-30T12:00:00Z', '2024-03-01T00:00:00.000Z'],
  ])('%s: sold %s, clears %s', async (timeZone, occurredAt, clearsAt) => {
    const zoned = apiClient(app, (await app.newTenant({ timeZone })).liveKey);
    const chain = await newUpline(zoned, 'D D');
    const { body } = await zoned.post(
      '/api/v1/events/purchase',
      zoned.purchaseBody({ occurred_at: occurredAt, attribution: { user_id: chain[0]?.id } }),
    );
    // The same for every line, uplines included.
    expect(body.commissions.map((line: { clears_at: string }) => line.clears_at)).toEqual([clearsAt, clearsAt]);
  });

  test('with 0 holding days it is the moment of the sale', async () => {
    const holding = await app.newTenant({ timeZone: 'Pacific/Auckland' });
    await publishPlan(app, holding, { holding: { days: 0 } });
    const zoned = apiClient(app, holding.liveKey);
    const [member] = await newUpline(zoned, 'O');
    const body = zoned.purchaseBody({ occurred_at: '2026-03-31T10:30:00.123Z', attribution: { user_id: member?.id } });
    const answer = await zoned.post('/api/v1/events/purchase', body);
    expect(answer.body.commissions).toMatchObject([{ clears_at: '2026-03-31T10:30:00.123Z' }]);
    expect((await zoned.post('/api/v1/events/purchase', body)).text).toBe(answer.text);
  });
});
