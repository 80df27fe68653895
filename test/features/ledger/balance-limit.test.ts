/** No large posting takes a member's balance past the limit: docs/specification/commissions.md#balance-limit. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { countRows } from '../../support/database/walls.ts';
import { liftManualLimit } from '../../support/money/manual-limit.ts';

const LIMIT = 999_999_999_999_999;
const LOOK_ABOVE = 1_000_000_000_000;

let app: TestApp;
let client: ApiClient;
let memberId: string;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  client = apiClient(app, (await app.newTenant()).liveKey);
  memberId = (await client.newMember()).id;
  await liftManualLimit(client, 'USD', 'EUR');
});
afterAll(() => app.close());

const manual = (amount: number, type = 'adjustment', currency = 'USD', userId = memberId) => ({
  external_event_id: randomUUID(),
  type,
  user_id: userId,
  amount_minor: amount,
  currency,
  description: 'Test',
  actor: 'test',
});
const send = (...sent: Parameters<typeof manual>) => client.post('/api/v1/events/commission', manual(...sent));
const balances = async () => (await client.get(`/api/v1/members/${memberId}/balances`)).body.balances[0];

describe('a large posting', () => {
  test('up to the limit is taken; beyond it nothing is written', async () => {
    expect((await send(LIMIT - LOOK_ABOVE - 1)).status).toBe(201);
    expect((await send(LOOK_ABOVE + 1)).status).toBe(201);
    expect((await balances()).pendingMinor).toBe(LIMIT);
    const before = await countRows(app.database);
    expectRefusal(await send(LOOK_ABOVE + 1), 422, 'BALANCE_LIMIT', ['amount_minor']);
    expect(await countRows(app.database)).toBe(before);
  });

  test('counts all accounts of the member together, and each by itself', async () => {
    await send(-(LIMIT - 5));
    expect((await send(LIMIT)).status).toBe(201);
    expect(await balances()).toMatchObject({ pendingMinor: LIMIT, clearedMinor: -(LIMIT - 5), totalMinor: 5 });
    expectRefusal(await send(LOOK_ABOVE + 1), 422, 'BALANCE_LIMIT');
    expectRefusal(await send(-(LOOK_ABOVE + 1)), 422, 'BALANCE_LIMIT');
  });

  test('below zero is held to the same limit, and what brings it nearer to zero is not held up', async () => {
    await send(-LIMIT);
    expectRefusal(await send(-(LOOK_ABOVE + 1)), 422, 'BALANCE_LIMIT');
    expect((await send(LIMIT)).status).toBe(201);
  });

  test('looks at the currency and the member of its own', async () => {
    await send(LIMIT);
    expect((await send(LIMIT, 'adjustment', 'EUR')).status).toBe(201);
    const other = await client.newMember();
    expect((await send(LIMIT, 'adjustment', 'USD', other.id)).status).toBe(201);
  });

  test('of a sale is refused as one of a manual commission is', async () => {
    await send(LIMIT);
    const body = { ...client.purchaseBody({ attribution: { user_id: memberId } }), amount_minor: LIMIT };
    expectRefusal(await client.post('/api/v1/events/purchase', body), 422, 'BALANCE_LIMIT', ['amount_minor']);
    const batch = await client.post('/api/v1/events/batch', { events: [{ kind: 'commission', ...manual(LIMIT) }] });
    expect(batch.text).toContain('BALANCE_LIMIT');
  });

  test('twice at once fits once', async () => {
    const half = Math.ceil(LIMIT / 2);
    const answers = await Promise.all(Array.from({ length: 4 }, () => send(half)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422, 422]);
    expect((await balances()).pendingMinor).toBe(half);
  });
});

test('a small posting looks at nothing: it goes beyond the limit, and the answer says so exactly', async () => {
  await send(LIMIT);
  const answer = await send(LOOK_ABOVE);
  expect(answer.status).toBe(201);
  expect(await balances()).toMatchObject({ pendingMinor: null, pendingMinorExact: `${LIMIT + LOOK_ABOVE}` });
  // The way back is open.
  expect((await send(-LIMIT)).status).toBe(201);
});

test('voiding a debt that was taken beyond is refused where it would lift the balance past the limit', async () => {
  await send(LIMIT);
  const debt = await send(-(LOOK_ABOVE + 1));
  expect((await send(LOOK_ABOVE)).status).toBe(201);
  const [line] = debt.body.commissions;
  expectRefusal(await client.post(`/api/v1/commissions/${line.id}/void`, { reason: 'Test' }), 422, 'BALANCE_LIMIT');
});
