/** What weakens a safeguard waits, what tightens one does not. docs/specification/two-hands.md#waiting */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { CHANGES, type ChangesShop, openChangesShop, SETTINGS } from './changes-shop.ts';

let app: TestApp;
let shop: ChangesShop;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  shop = await openChangesShop(app);
});
afterAll(() => app.close());

const change = (payments: object, client = shop.first) => client.patch(SETTINGS, { payments });

describe('in LIVE with dual control on', () => {
  test('a request with a weakening field waits whole, and its tightening and neutral fields with it', async () => {
    const body = { reportingTimeZone: 'Europe/Berlin', payments: { accountCooldownHours: 48, requireKyc: false } };
    const answer = await shop.first.patch(SETTINGS, body);
    expect(answer.status, answer.text).toBe(202);
    expect(answer.body).toEqual({
      pendingChange: {
        id: expect.any(String),
        operationId: 'updateSettings',
        status: 'open',
        fields: [
          { field: 'reportingTimeZone', direction: 'neutral', from: 'UTC', to: 'Europe/Berlin' },
          { field: 'payments.requireKyc', direction: 'weakens', from: true, to: false },
          { field: 'payments.accountCooldownHours', direction: 'tightens', from: 24, to: 48 },
        ],
        createdBy: expect.objectContaining({ kind: 'api_key' }),
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        decidedBy: null,
        decidedAt: null,
        reason: null,
      },
    });
    const { createdAt, expiresAt } = answer.body.pendingChange;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(72 * 3_600_000);
    expect(await shop.payments()).toMatchObject({ requireKyc: true, accountCooldownHours: 24 });
    expect((await shop.first.get(SETTINGS)).body.reportingTimeZone).toBe('UTC');
    expect((await shop.log()).map(({ action }) => action)).toEqual(['settings.updated', 'pending_change.opened']);
  });

  test('takes effect once a key of another root confirms it, and both are named', async () => {
    const id = await shop.propose({ requireKyc: false, accountCooldownHours: 48 });
    const answer = await shop.confirm(id);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ id, status: 'confirmed', decidedBy: { kind: 'api_key' } });
    expect(answer.body.decidedBy.id).not.toBe(answer.body.createdBy.id);
    expect(await shop.payments()).toMatchObject({ requireKyc: false, accountCooldownHours: 48 });
    const effect = (await shop.log('settings.updated')).at(-1);
    expect(effect?.actor).toBe(`api_key:${answer.body.decidedBy.id}`);
    expect(effect?.details).toEqual({
      fields: ['payments.requireKyc', 'payments.accountCooldownHours'],
      weakens: ['payments.requireKyc'],
      tightens: ['payments.accountCooldownHours'],
      pendingChangeId: id,
      proposedBy: `api_key:${answer.body.createdBy.id}`,
    });
    expect((await shop.log('pending_change.confirmed')).map(({ details }) => details['proposedBy'])).toEqual([
      `api_key:${answer.body.createdBy.id}`,
    ]);
  });

  test('what only tightens or is neutral takes effect at once', async () => {
    expect((await change({ accountCooldownHours: 48, dualControlBy: 'persons' })).status).toBe(200);
    expect((await shop.first.patch(SETTINGS, { reportingTimeZone: 'Europe/Berlin' })).status).toBe(200);
    expect(await shop.payments()).toMatchObject({ accountCooldownHours: 48, dualControlBy: 'persons' });
  });

  test('the same value again is no change, and waits for nobody', async () => {
    expect((await change({ requireKyc: true, accountCooldownHours: 24, dualControl: true })).status).toBe(200);
    expect(await shop.log('pending_change.opened')).toEqual([]);
  });

  test('a default that was never set is a value as well', async () => {
    expect((await change({ accountCooldownHours: 23 })).status).toBe(202);
    expect((await change({ dualControlBy: 'keys' })).status).toBe(200);
  });

  test('turning it off waits by the rule that is on, alone or with other fields, in one step or two', async () => {
    expect((await change({ dualControl: false })).status).toBe(202);
    expect((await change({ dualControl: false, requireKyc: false })).status).toBe(409);
    expect((await change({ requireKyc: false })).status).toBe(202);
    expect(await shop.payments()).toMatchObject({ requireKyc: true, dualControl: true });
  });

  test('another change of the same safeguard is refused while one waits, and names it', async () => {
    const id = await shop.propose({ accountCooldownHours: 12 });
    const again = await change({ accountCooldownHours: 6, requireKyc: false }, shop.second);
    expect([again.status, again.body.code, again.body.details]).toEqual([409, 'CHANGE_PENDING', { pendingChangeId: id }]);
    expect((await change({ requireKyc: false }, shop.second)).status).toBe(202);
  });

  test('of two at once one waits', async () => {
    const answers = await Promise.all(
      [12, 11, 10, 9].map((accountCooldownHours, index) =>
        change({ accountCooldownHours }, index % 2 === 0 ? shop.first : shop.second),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409, 409, 409]);
    const waiting = answers.find(({ status }) => status === 202)?.body.pendingChange.id;
    for (const { status, body } of answers) if (status === 409) expect(body.details.pendingChangeId).toBe(waiting);
  });

  test('tightening cancels a change of the same field that waits, and no other', async () => {
    const lower = await shop.propose({ accountCooldownHours: 12 });
    const other = await shop.propose({ requireKyc: false });
    expect((await change({ accountCooldownHours: 30 }, shop.second)).status).toBe(200);
    const [cancelled, open] = await Promise.all([lower, other].map((id) => shop.first.get(`${CHANGES}/${id}`)));
    expect(cancelled?.body).toMatchObject({ status: 'cancelled', decidedBy: { kind: 'api_key' } });
    expect(open?.body.status).toBe('open');
    expect((await shop.confirm(lower)).status).toBe(409);
    expect((await shop.confirm(other)).status).toBe(200);
    expect(await shop.payments()).toMatchObject({ accountCooldownHours: 30, requireKyc: false });
    expect((await change({ accountCooldownHours: 12 })).status).toBe(202);
  });

  test('a secret shows as set alone, and is kept sealed', async () => {
    const secretKey = `sk_live_${randomUUID()}`;
    const next = `sk_live_${randomUUID()}`;
    const vendor = (key: string) => change({ payvendor: { secretKey: key } });
    expect((await vendor(secretKey)).status, 'the first').toBe(200);
    const answer = await vendor(next);
    expect(answer.status, answer.text).toBe(202);
    expect(answer.body.pendingChange.fields).toEqual([
      { field: 'payments.payvendor.secretKey', direction: 'weakens', from: { set: true }, to: { set: true } },
    ]);
    const rows = await app.database.asSuperuser('select c::text as row from pending_change c');
    const log = await app.database.asSuperuser('select a::text as row from audit_log a');
    expect(JSON.stringify([rows, log])).not.toContain(next);
    expect((await shop.confirm(answer.body.pendingChange.id)).status).toBe(200);
    expect((await vendor(next)).status, 'the same again').toBe(200);
    const [gone] = await app.database.asSuperuser<{ sealed: Buffer | null }>(
      'select request_sealed as sealed from pending_change where id = $1',
      [answer.body.pendingChange.id],
    );
    expect(gone?.sealed).toBeNull();
  });

  test('a request that could not take effect is refused and does not wait', async () => {
    const answer = await change({ provider: 'payvendor', requireKyc: false });
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(await shop.log('pending_change.opened')).toEqual([]);
  });

  test('a repeat with its Idempotency-Key gets the 202 again, also once it is confirmed', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const ask = () => shop.first.patch(SETTINGS, { payments: { requireKyc: false } }, headers);
    const answers = await Promise.all([ask(), ask()]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    const [one, other] = answers.map(({ body }) => body.pendingChange.id as string);
    expect(one).toBe(other);
    expect((await shop.confirm(one ?? '')).status).toBe(200);
    const again = await ask();
    expect([again.status, again.headers['idempotent-replayed'], again.body.pendingChange.id]).toEqual([202, 'true', one]);
    expect(await shop.log('pending_change.opened')).toHaveLength(1);
  });
});

test('without dual control a weakening takes effect at once, and its entry says what it is', async () => {
  const tenant = await app.newTenant();
  const client = apiClient(app, tenant.liveKey);
  expect((await client.patch(SETTINGS, { payments: { requireKyc: false, accountCooldownHours: 30 } })).status).toBe(200);
  const [entry] = await app.database.asSuperuser<{ details: object }>(
    "select details from audit_log where tenant_id = $1 and action = 'settings.updated'",
    [tenant.tenantId],
  );
  expect(entry?.details).toEqual({
    fields: ['payments.requireKyc', 'payments.accountCooldownHours'],
    weakens: ['payments.requireKyc'],
    tightens: ['payments.accountCooldownHours'],
  });
});

test('a SANDBOX never waits, and its keys do not reach what LIVE goes by', async () => {
  const sandbox = apiClient(app, shop.tenant.sandboxKey);
  expect((await change({ dualControl: true }, sandbox)).status).toBe(200);
  expect((await change({ requireKyc: false, dualControl: false }, sandbox)).status).toBe(200);
  expect(await shop.payments()).toMatchObject({ requireKyc: true, dualControl: true });
  const id = await shop.propose();
  expect((await shop.confirm(id, sandbox)).status).toBe(404);
  expect((await sandbox.get(CHANGES)).body.data).toEqual([]);
});
