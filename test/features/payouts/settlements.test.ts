/** Settlements: money that was paid outside the service is paid in the books, once, of whole commissions. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { booksOf } from '../../support/money/debts.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { expectSoundPayouts } from '../../support/payments/payout-books.ts';
import { act, draft, earn, execute, payable, payoutOf, startPayouts } from '../../support/payments/payout-world.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let scope: Scope;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await expectSoundPayouts(app);
  await app.close();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
});

const path = (id: string): string => `/api/v1/members/${id}/settlements`;
const settle = (id: string, amountMinor: unknown, fields: object = {}, by = client, headers: Record<string, string> = {}) =>
  by.post(path(id), { currency: 'USD', amountMinor, reference: randomUUID(), ...fields }, headers);
const statusesOf = async (id: string) =>
  (await client.get(`/api/v1/commissions?userId=${id}&limit=100`)).body.data
    .map((line: { amountMinor: number; status: string }) => `${line.amountMinor} ${line.status}`)
    .toSorted();

describe('a settlement', () => {
  test('is a payout in no run: in the books, in every list of payouts, and in the statements', async () => {
    const member = await payable(app, scope, client, 10_000);
    const answer = await settle(member.id, 10_000, { reference: 'WIRE-1' });
    expect(answer.status, answer.text).toBe(201);
    const payout = {
      runId: null,
      payoutAccountId: null,
      userId: member.id,
      provider: 'manual',
      currency: 'USD',
      amountMinor: 10_000,
      commissionCount: 1,
      status: 'paid',
      attempt: 1,
      reference: 'WIRE-1',
      paidAt: expect.any(String),
      createdBy: expect.objectContaining({ kind: 'api_key' }),
    };
    expect(answer.body).toMatchObject(payout);
    const { id } = answer.body;
    expect(answer.headers['location']).toBe(`/api/v1/payouts/${id}`);
    expect((await client.get(path(member.id))).body.data).toEqual([answer.body]);
    expect((await client.get(`/api/v1/payouts?userId=${member.id}`)).body.data).toEqual([answer.body]);
    expect(await payoutOf(client, id)).toMatchObject({ ...payout, attempts: [{ attempt: 1, outcome: 'paid' }] });
    expect((await client.get(`/api/v1/payouts/${id}/commissions`)).body.data).toMatchObject([
      { amountMinor: 10_000, status: 'paid' },
    ]);
    expect(await booksOf(app, member)).toMatchObject({ cleared: 0, paid: 10_000 });
    const balances = (await client.get(`/api/v1/members/${member.id}/balances`)).body.balances;
    expect(JSON.stringify(balances)).toContain('10000');
    const year = new Date().getUTCFullYear();
    const summary = (await client.get(`/api/v1/members/${member.id}/tax-summary/${year}`)).body;
    expect(summary).toMatchObject({ totalPaid: 100, totalPending: 0 });
    const tax = (await client.get(`/api/v1/members/${member.id}/tax-documents/${year}/csv`)).text;
    expect(tax).toContain(id);
    expect(tax).toContain('WIRE-1');
    const month = new Date().toISOString().slice(0, 7);
    expect((await client.get(`/api/v1/members/${member.id}/statements/${month}`)).text).toContain(id);
    const { data } = (await client.get(`/api/v1/admin/audit-logs?action=member.settled`)).body;
    expect(data).toMatchObject([
      { target: { kind: 'member', id: member.id }, details: { payoutId: id, amountMinor: '10000', currency: 'USD' } },
    ]);
    expect((await draft(client)).payoutCount).toBe(0);
  });

  test('pays what takes back first, then the oldest first, and whole commissions only', async () => {
    const member = await payable(app, scope, client, 5_000);
    await earn(app, scope, client, member, 3_000);
    await earn(app, scope, client, member, 2_000);
    await earn(app, scope, client, member, -1_000);
    const refused = await settle(member.id, 4_500);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({
      code: 'AMOUNT_NOT_SETTLEABLE',
      details: { clearedMinor: 9_000, nearestBelowMinor: 4_000, nearestAboveMinor: 7_000 },
    });
    expect((await settle(member.id, 3_000)).body.details).toEqual({
      clearedMinor: 9_000,
      nearestBelowMinor: null,
      nearestAboveMinor: 4_000,
    });
    expect((await settle(member.id, 9_001)).body.details).toEqual({
      clearedMinor: 9_000,
      nearestBelowMinor: 9_000,
      nearestAboveMinor: null,
    });
    expect(await statusesOf(member.id)).toEqual(['-1000 cleared', '2000 cleared', '3000 cleared', '5000 cleared']);
    expect((await settle(member.id, 7_000)).status).toBe(201);
    expect(await statusesOf(member.id)).toEqual(['-1000 paid', '2000 cleared', '3000 paid', '5000 paid']);
    expect((await settle(member.id, 2_000)).status).toBe(201);
    expect((await settle(member.id, 1)).body.details).toEqual({
      clearedMinor: 0,
      nearestBelowMinor: null,
      nearestAboveMinor: null,
    });
    expect((await client.get(`${path(member.id)}?limit=1`)).body).toMatchObject({
      data: [{ amountMinor: 2_000 }],
      hasMore: true,
    });
    const { nextCursor } = (await client.get(`${path(member.id)}?limit=1`)).body;
    expect((await client.get(`${path(member.id)}?limit=1&cursor=${nextCursor}`)).body).toMatchObject({
      data: [{ amountMinor: 7_000 }],
      hasMore: false,
    });
  });

  test('takes nothing that is pending, on hold, of another currency or in another payout', async () => {
    const member = await payable(app, scope, client, 6_000);
    await draft(client);
    await earn(app, scope, client, member, 500, 'EUR');
    const held = await earn(app, scope, client, member, 700);
    await client.post(`/api/v1/commissions/${held}/hold`, { reason: 'Look' });
    await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: member.id } }));
    expect((await settle(member.id, 6_000)).body.details).toMatchObject({ clearedMinor: 0 });
    expect((await settle(member.id, 700)).status).toBe(422);
    expect((await settle(member.id, 500, { currency: 'eur' })).status).toBe(201);
  });

  test('beside a drafted payout: what was taken back since is settled first, and the payout is paid all the same', async () => {
    const member = await payable(app, scope, client, 10_000);
    const run = await draft(client);
    await earn(app, scope, client, member, -3_000);
    expect((await settle(member.id, 1)).body.details).toMatchObject({ clearedMinor: -3_000, nearestAboveMinor: null });
    await earn(app, scope, client, member, 5_000);
    expect((await settle(member.id, 2_000)).status).toBe(201);
    for (const deed of ['approve', 'execute'] as const) expect((await act(client, run.id, deed)).status).toBe(200);
    await startPayouts(app, scope);
    expect(await payoutOf(client, run.payouts[0]?.id ?? '')).toMatchObject({ status: 'processing', amountMinor: 10_000 });
  });

  test('is entered whatever keeps a run from paying: no account, no verification, a hold, below the minimum, erased', async () => {
    const member = await client.newMember();
    await earn(app, scope, client, member, 100);
    await client.put(`/api/v1/members/${member.id}/payout-hold`, { reason: 'Look' });
    expect((await settle(member.id, 100)).status).toBe(201);
    await earn(app, scope, client, member, 200);
    expect((await client.post(`/api/v1/members/${member.id}/erasure`, { acknowledgeOwed: true })).status).toBe(200);
    expect((await settle(member.id, 200)).status).toBe(201);
    expect((await client.get(path(member.id))).body.data).toHaveLength(2);
  });

  test('that came back is owed again, and its reference is free again', async () => {
    const member = await payable(app, scope, client, 10_000);
    const { body } = await settle(member.id, 10_000, { reference: 'WIRE-1' });
    expect((await client.post(`/api/v1/payouts/${body.id}/return`, { reason: 'Closed' })).body).toMatchObject({
      status: 'returned',
    });
    expect(await booksOf(app, member)).toMatchObject({ cleared: 10_000, paid: 0 });
    for (const deed of ['cancel', 'retry'])
      expect((await client.post(`/api/v1/payouts/${body.id}/${deed}`, {})).status).toBe(409);
    expect((await client.post(`/api/v1/payouts/${body.id}/settle`, { reference: 'x' })).status).toBe(409);
    expect((await settle(member.id, 10_000, { reference: 'WIRE-1' })).status).toBe(201);
  });

  test('goes by the clock of a SANDBOX, where a test member is paid like any other', async () => {
    const sandbox = apiClient(app, tenant.sandboxKey);
    const own: Scope = { ...scope, environment: 'SANDBOX' };
    const member = await payable(app, own, sandbox, 10_000);
    await sandbox.patch(`/api/v1/users/${member.id}`, { is_test_user: true });
    const { body: clock } = await sandbox.post('/api/v1/sandbox/clock', { advanceSeconds: 86_400 * 400 });
    const answer = await settle(member.id, 10_000, {}, sandbox);
    expect(answer.status, answer.text).toBe(201);
    expect(Math.abs(Date.parse(answer.body.paidAt) - Date.parse(clock.now))).toBeLessThan(60_000);
  });
});

describe('refused', () => {
  test.each([0, -1, 1.5, '100', null, 1e16])('is the amount %s', async (amount) => {
    const member = await payable(app, scope, client, 10_000);
    const answer = await settle(member.id, amount);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('is a body without a reference, or with another field or currency', async () => {
    const member = await payable(app, scope, client, 10_000);
    for (const fields of [{ reference: '' }, { reference: undefined }, { paidBy: 'x' }, { currency: 'EURO' }]) {
      expect((await settle(member.id, 10_000, fields)).status).toBe(400);
    }
  });

  test('are strangers, weaker keys and members', async () => {
    const member = await payable(app, scope, client, 10_000);
    const other = await app.newTenant();
    for (const key of [other.liveKey, tenant.sandboxKey]) {
      const stranger = apiClient(app, key);
      expect((await settle(member.id, 10_000, {}, stranger)).body.code).toBe('USER_NOT_FOUND');
      expect((await stranger.get(path(member.id))).body.code).toBe('USER_NOT_FOUND');
    }
    expect((await settle(randomUUID(), 10_000)).body.code).toBe('USER_NOT_FOUND');
    const weaker = { name: 'weaker', scopes: ['payouts:read', 'payouts:write', 'payouts:approve'] };
    const key = (await client.post('/api/v1/admin/api-keys', weaker)).body.apiKey;
    expect((await settle(member.id, 10_000, {}, apiClient(app, key))).status).toBe(403);
    expect((await apiClient(app, key).get(path(member.id))).status).toBe(200);
    expect(await booksOf(app, member)).toMatchObject({ cleared: 10_000, paid: 0 });
  });

  test('is a test member of LIVE, whom nobody pays', async () => {
    const member = await payable(app, scope, client, 10_000);
    await client.patch(`/api/v1/users/${member.id}`, { is_test_user: true });
    expect(await settle(member.id, 10_000)).toMatchObject({
      status: 409,
      body: { code: 'STATE_CONFLICT', details: { reason: 'TEST_USER' } },
    });
  });

  test('is a reference that the member has had, and not one of another member', async () => {
    const member = await payable(app, scope, client, 5_000);
    await earn(app, scope, client, member, 3_000);
    const first = await settle(member.id, 5_000, { reference: 'WIRE-1' });
    expect(await settle(member.id, 3_000, { reference: 'WIRE-1' })).toMatchObject({
      status: 409,
      body: { code: 'STATE_CONFLICT', details: { payoutId: first.body.id } },
    });
    const other = await payable(app, scope, client, 5_000);
    expect((await settle(other.id, 5_000, { reference: 'WIRE-1' })).status).toBe(201);
  });
});

describe('at once', () => {
  test('with one Idempotency-Key it is there once, and answers the same', async () => {
    const member = await payable(app, scope, client, 10_000);
    const body = { reference: 'WIRE-1' };
    const header = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 4 }, () => settle(member.id, 10_000, body, client, header)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(1);
    expect((await client.get(path(member.id))).body.data).toHaveLength(1);
  });

  test('ten of the same amount: as many as there is money for', async () => {
    const member = await payable(app, scope, client, 5_000);
    await earn(app, scope, client, member, 5_000);
    const answers = await Promise.all(Array.from({ length: 10 }, () => settle(member.id, 5_000)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      201,
      ...Array.from({ length: 8 }, () => 422),
    ]);
    expect(await booksOf(app, member)).toMatchObject({ cleared: 0, paid: 10_000 });
  });

  test('beside drafts: each commission is in one of them', async () => {
    for (let round = 0; round < 5; round++) {
      const member = await payable(app, scope, client, 6_000);
      const [answer, run] = await Promise.all([settle(member.id, 6_000), draft(client)]);
      const drafted = run.payouts.filter(({ userId }) => userId === member.id);
      expect([answer.status, drafted.length]).toEqual(answer.status === 201 ? [201, 0] : [422, 1]);
    }
  });

  test('beside executions, retries, refunds, voids and erasures: the money moves once, and the books are sound', async () => {
    for (let round = 0; round < 6; round++) {
      const member = await payable(app, scope, client, 6_000);
      const run = await execute(client);
      await startPayouts(app, scope);
      const payoutId = run.payouts.find(({ userId }) => userId === member.id)?.id;
      const failed = await client.post(`/api/v1/payouts/${payoutId}/return`, { reason: 'Closed' });
      expect(failed.body.status).toBe('failed');
      const line = await earn(app, scope, client, member, 2_000);
      const answers = await Promise.all([
        settle(member.id, 6_000),
        settle(member.id, 8_000),
        client.post(`/api/v1/payouts/${payoutId}/retry`, {}),
        client.post(`/api/v1/commissions/${line}/void`, { reason: 'Error' }),
        earn(app, scope, client, member, -1_000),
        round % 2 === 0 && client.post(`/api/v1/members/${member.id}/erasure`, { acknowledgeOwed: true }),
      ]);
      for (const answer of answers) {
        if (answer && typeof answer === 'object') expect(answer.status, answer.text).toBeLessThan(500);
      }
      await startPayouts(app, scope);
      await client.post(`/api/v1/payouts/${payoutId}/settle`, { reference: 'B' });
      const { paid } = (await booksOf(app, member)) as { paid: number };
      expect(paid).toBeLessThanOrEqual(8_000);
      const [sums] = await app.database.asSuperuser<{ paid: number }>(
        `select coalesce(sum(amount_minor), 0)::int as paid from payout where member_id = $1 and status = 'paid'`,
        [member.id],
      );
      expect(sums?.paid).toBe(paid);
    }
  });
});
