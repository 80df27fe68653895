/** How much is credited or charged by hand, and what waits: docs/specification/events.md#manual-limits. recordManualCommission */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { passesManualLimit, takesSecondPair } from '../../../src/features/commissions/open/manual-limits.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { CHANGES, type ChangesShop, openChangesShop, SETTINGS } from '../pending-changes/changes-shop.ts';

const MANUAL = '/api/v1/events/commission';
const SECOND = { manualSecondPairMinor: { USD: 50_000, JPY: 0 } };

let app: TestApp;
let shop: ChangesShop;
let memberId: string;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  shop = await openChangesShop(app);
  memberId = (await shop.first.newMember()).id;
});
afterAll(() => app.close());

const bonus = (amount: number, fields: object = {}) => ({
  external_event_id: `Ann Bell ${randomUUID()}`,
  type: 'adjustment',
  user_id: memberId,
  amount_minor: amount,
  currency: 'USD',
  description: 'For Ann Bell',
  actor: 'kim@shop.example',
  ...fields,
});
const send = (amount: number, fields: object = {}, client: ApiClient = shop.first) => client.post(MANUAL, bonus(amount, fields));
const set = (commissions: object, client: ApiClient = shop.first) => client.patch(SETTINGS, { commissions });
const recorded = async () =>
  (await shop.first.get(`/api/v1/events?user_id=${memberId}`)).body.data.map((one: { amount_minor: number }) => one.amount_minor);

describe('one amount by hand', () => {
  test.each([
    ['USD', 100_000_000],
    ['JPY', 1_000_000],
    ['KWD', 1_000_000_000],
  ])('in %s is at most 1,000,000 major units, credited or charged', async (currency, most) => {
    expect((await send(most, { currency })).status).toBe(201);
    expect((await send(-most, { currency })).status).toBe(201);
    expectRefusal(await send(most + 1, { currency }), 422, 'BALANCE_LIMIT', ['amount_minor']);
    expectRefusal(await send(-most - 1, { currency }), 422, 'BALANCE_LIMIT', ['amount_minor']);
    expect(await recorded()).toEqual([most, most]);
  });

  test('is at most what the settings name, in the currency they name it for', async () => {
    const answer = await set({ manualLimitMinor: { usd: 500, JPY: 0 } });
    expect(answer.body.commissions).toEqual({
      manualLimitMinor: { USD: 500, JPY: 0 },
      manualSecondPairMinor: {},
      planPublishSecondPair: false,
    });
    expect((await send(500)).status).toBe(201);
    expectRefusal(await send(501), 422, 'BALANCE_LIMIT');
    expectRefusal(await send(1, { currency: 'JPY' }), 422, 'BALANCE_LIMIT');
    expect((await send(501, { currency: 'EUR' })).status).toBe(201);
  });

  test('is refused alike in a batch, and in a SANDBOX, which has a limit of its own', async () => {
    const batch = await shop.first.post('/api/v1/events/batch', { events: [{ kind: 'commission', ...bonus(100_000_001) }] });
    expect(batch.body.results[0]).toMatchObject({ status: 422, body: { code: 'BALANCE_LIMIT' } });
    const sandbox = apiClient(app, shop.tenant.sandboxKey);
    await set({ manualLimitMinor: { USD: 5 } });
    const user_id = (await sandbox.newMember()).id;
    expect((await send(100_000_000, { user_id }, sandbox)).status).toBe(201);
    expectRefusal(await send(100_000_001, { user_id }, sandbox), 422, 'BALANCE_LIMIT');
  });

  test('that was recorded is answered again below a lower limit', async () => {
    const body = bonus(400);
    expect((await shop.first.post(MANUAL, body)).status).toBe(201);
    await set({ manualLimitMinor: { USD: 399 } });
    expect((await shop.first.post(MANUAL, body)).status).toBe(200);
  });

  test.each([[{ manualLimitMinor: { XXX: 1 } }], [{ manualLimitMinor: { USD: -1 } }], [{ manualSecondPairMinor: { USD: 1.5 } }]])(
    'has no limit such as %j',
    async (commissions) => expectRefusal(await set(commissions), 400, 'VALIDATION_ERROR'),
  );
});

describe('the limits', () => {
  test('weaken when one gets higher, and wait; lower ones take effect at once', async () => {
    expect((await set({ manualLimitMinor: { USD: 500 }, ...SECOND, planPublishSecondPair: true })).status).toBe(200);
    for (const weaker of [
      { manualLimitMinor: { USD: 501 } },
      { manualLimitMinor: null },
      { manualLimitMinor: { USD: 1, EUR: 100_000_001 } },
      { manualSecondPairMinor: { USD: 50_001, JPY: 0 } },
      { manualSecondPairMinor: { USD: 50_000 } },
      { planPublishSecondPair: false },
    ]) {
      const answer = await set(weaker);
      expect([answer.status, weaker]).toEqual([202, weaker]);
      const { id } = answer.body.pendingChange;
      expect((await shop.second.post(`${CHANGES}/${id}/reject`, {})).status).toBe(200);
    }
    expect((await set({ manualLimitMinor: { USD: 499, EUR: 100_000_000 } })).status).toBe(200);
    expect((await set({ manualSecondPairMinor: { USD: 49_999, JPY: 0, EUR: 1 } })).status).toBe(200);
  });

  test('are in force with the second pair alone', async () => {
    const { body } = await set({ manualLimitMinor: { USD: 200_000_000 } });
    expectRefusal(await send(100_000_001), 422, 'BALANCE_LIMIT');
    expect((await shop.confirm(body.pendingChange.id)).status).toBe(200);
    expect((await send(100_000_001)).status).toBe(201);
  });

  test('hold themselves, and not the amount above', () => {
    const limits = { limitMinor: 5n, secondPairMinor: 3n };
    expect([-6n, -5n, 5n, 6n].map((amount) => passesManualLimit(amount, 'USD', limits))).toEqual([true, false, false, true]);
    expect([-4n, -3n, 3n, 4n].map((amount) => takesSecondPair(amount, limits))).toEqual([true, false, false, true]);
    expect(takesSecondPair(10n ** 15n, { limitMinor: null, secondPairMinor: null })).toBe(false);
  });
});

describe('in LIVE with dual control an amount above the limit of one pair of hands', () => {
  beforeEach(async () => {
    expect((await set(SECOND)).status).toBe(200);
  });

  test('waits, in the names of its group, and is recorded once another root confirms it', async () => {
    expect((await send(50_000)).status).toBe(201);
    const answer = await send(50_001);
    expect(answer.status, answer.text).toBe(202);
    const { pending_change: change } = answer.body;
    expect(change).toEqual({
      id: expect.any(String),
      operation_id: 'recordManualCommission',
      status: 'open',
      fields: [
        {
          field: expect.stringMatching(/^manualCommissions\.[A-Za-z0-9+/=]{16}$/),
          direction: 'weakens',
          from: null,
          to: { type: 'adjustment', userId: memberId, amountMinor: '50001', currency: 'USD', occurredAt: null },
        },
      ],
      created_by: expect.objectContaining({ kind: 'api_key' }),
      created_at: expect.any(String),
      expires_at: expect.any(String),
      decided_by: null,
      decided_at: null,
      reason: null,
    });
    expect(await recorded()).toEqual([50_000]);
    expectRefusal(await shop.confirm(change.id, shop.first), 403, 'SECOND_PERSON_REQUIRED');
    const { client: just } = await shop.newRoot(['commissions:grant']);
    expect((await shop.confirm(change.id, just)).body).toMatchObject({ id: change.id, status: 'confirmed' });
    expect(await recorded()).toEqual([50_000, 50_001]);
    const [entry] = await app.database.asSuperuser<{ details: object }>(
      "select details from audit_log where tenant_id = $1 and action = 'manual_commission.recorded'",
      [shop.tenant.tenantId],
    );
    expect(entry?.details).toEqual({
      type: 'adjustment',
      userId: memberId,
      amountMinor: '50001',
      currency: 'USD',
      weakens: [change.fields[0].field],
      pendingChangeId: change.id,
      proposedBy: expect.stringMatching(/^api_key:/),
    });
  });

  test('is a charge too, and any at all of a currency whose limit is nothing', async () => {
    expect((await send(-50_001)).status).toBe(202);
    expect((await send(1, { currency: 'JPY' })).status).toBe(202);
    expect((await send(60_000, { currency: 'EUR' })).status).toBe(201);
  });

  test('says nothing of a person in the log or in clear text', async () => {
    await send(50_001);
    const rows = await app.database.asSuperuser(
      `select (select jsonb_agg(p) from pending_change p where p.tenant_id = $1)::text as changes,
              (select jsonb_agg(a) from audit_log a where a.tenant_id = $1)::text as log`,
      [shop.tenant.tenantId],
    );
    expect(JSON.stringify(rows)).toContain('recordManualCommission');
    expect(JSON.stringify(rows)).not.toMatch(/Ann|kim@shop/);
  });

  test('waits once, and cannot be confirmed when the event is there already', async () => {
    const body = bonus(60_000);
    const { id } = (await shop.first.post(MANUAL, body)).body.pending_change;
    const again = await shop.first.post(MANUAL, body);
    expectRefusal(again, 409, 'CHANGE_PENDING');
    expect(again.body.details.pendingChangeId).toBe(id);
    expect((await shop.first.post(MANUAL, { ...body, amount_minor: 50 })).status).toBe(201);
    expectRefusal(await shop.confirm(id), 409, 'STATE_CONFLICT');
    expect(await recorded()).toEqual([50]);
  });

  test('is stale when it takes no second pair any more, or is above the limit of all', async () => {
    const { id } = (await send(60_000)).body.pending_change;
    expect((await set({ manualLimitMinor: { USD: 59_999 } })).status).toBe(200);
    expectRefusal(await shop.confirm(id), 409, 'STATE_CONFLICT');
    expect(await recorded()).toEqual([]);
  });

  test('is confirmed once by two at once', async () => {
    const { id } = (await send(60_000)).body.pending_change;
    const answers = await Promise.all([shop.confirm(id), shop.confirm(id)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await recorded()).toEqual([60_000]);
  });

  test('cannot wait in a batch: it is refused there, and the others are taken', async () => {
    const events = [bonus(1), bonus(50_001), bonus(2)].map((body) => ({ kind: 'commission', ...body }));
    const { body } = await shop.first.post('/api/v1/events/batch', { events });
    expect(body.results.map((one: { status: number; body: { code?: string } }) => [one.status, one.body.code])).toEqual([
      [201, undefined],
      [403, 'SECOND_PERSON_REQUIRED'],
      [201, undefined],
    ]);
    expect(await recorded()).toEqual([1, 2]);
    expect((await shop.first.get(CHANGES)).body.data).toEqual([]);
  });

  test('gets the same answer again by its Idempotency-Key, also once it was confirmed', async () => {
    const body = bonus(60_000);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await shop.first.post(MANUAL, body, headers);
    expect(first.status).toBe(202);
    expect((await shop.confirm(first.body.pending_change.id)).status).toBe(200);
    const again = await shop.first.post(MANUAL, body, headers);
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect(await recorded()).toEqual([60_000]);
  });
});

describe('no amount waits', () => {
  test('in a SANDBOX', async () => {
    const sandbox = apiClient(app, shop.tenant.sandboxKey);
    const answer = await sandbox.patch(SETTINGS, { payments: { dualControl: true }, commissions: SECOND });
    expect(answer.status, answer.text).toBe(200);
    expect((await send(60_000, { user_id: (await sandbox.newMember()).id }, sandbox)).status).toBe(201);
  });

  test('without dual control; one above the limit is in the log', async () => {
    const other = await openChangesShop(app, { dualControl: false });
    const user_id = (await other.first.newMember()).id;
    expect((await set(SECOND, other.first)).status).toBe(200);
    expect((await send(50_000, { user_id }, other.first)).status).toBe(201);
    expect((await send(60_000, { user_id }, other.first)).status).toBe(201);
    const entries = await app.database.asSuperuser<{ details: Record<string, unknown> }>(
      "select details from audit_log where tenant_id = $1 and action = 'manual_commission.recorded'",
      [other.tenant.tenantId],
    );
    expect(entries.map(({ details }) => details['amountMinor'])).toEqual(['60000']);
  });
});
