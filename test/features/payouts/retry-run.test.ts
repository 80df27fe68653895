/** What failed of a run, tried again together. Source: docs/specification/payouts.md#retry-run. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { setFaultPoints } from '../../../src/fault-points.ts';
import { lockDraftsOf } from '../../../src/features/payouts/runs/draft-queries.ts';
import { house } from '../../../src/features.ts';
import { faultPointsOf } from '../../../src/house/house.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import {
  act,
  type DraftBody,
  draft,
  earn,
  execute,
  payable,
  payoutOf,
  runOf,
  startPayouts,
} from '../../support/payments/payout-world.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let scope: Scope;

beforeAll(async () => {
  app = await startTestApp({}, 'own');
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});
afterEach(() => setFaultPoints(undefined, []));
beforeEach(async () => {
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
});

const retry = (runId: string, body: object = {}, by = client) => by.post(`/api/v1/payout-runs/${runId}/retry`, body);
const change = (payoutId: string, deed: string, body: object = {}) => client.post(`/api/v1/payouts/${payoutId}/${deed}`, body);

/** Executed; `failing` of its payouts have failed, the others are paid. */
async function failed(count: number, failing = count): Promise<DraftBody> {
  for (let i = 0; i < count; i++) await payable(app, scope, client, 6_000);
  const run = await execute(client);
  await startPayouts(app, scope);
  for (const [index, { id }] of run.payouts.entries()) {
    const answer =
      index < failing ? await change(id, 'return', { reason: 'No such account' }) : await change(id, 'settle', { reference: id });
    expect(answer.status, answer.text).toBe(200);
  }
  return run;
}

test('all that failed are queued again, once, and the run goes on; the others stay paid', async () => {
  const run = await failed(4, 3);
  expect((await runOf(client, run.id)).status).toBe('partially_failed');
  const [first, second] = await Promise.all([retry(run.id), retry(run.id)]);
  const retried = [first.body.retried as number, second.body.retried as number].toSorted((a, b) => a - b);
  expect([first.status, second.status, ...retried]).toEqual([200, 200, 0, 3]);
  expect((await runOf(client, run.id)).status).toBe('executing');
  expect(await Promise.all(run.payouts.map(async ({ id }) => (await payoutOf(client, id)).status))).toEqual([
    'queued',
    'queued',
    'queued',
    'paid',
  ]);
  const audit = (await client.get('/api/v1/admin/audit-logs?limit=100')).body.data as { action: string; objectId: string }[];
  const entries = audit.filter(({ action }) => action === 'payout.retried').map(({ objectId }) => objectId);
  expect(entries.toSorted()).toEqual(
    run.payouts
      .slice(0, 3)
      .map(({ id }) => id)
      .toSorted(),
  );
  expect(await startPayouts(app, scope)).toBe(3);
  const detail = await client.get(`/api/v1/payouts/${run.payouts[0]?.id}`);
  expect(detail.body.attempts).toMatchObject([{ outcome: 'failed' }, { attempt: 2, outcome: null }]);
});

test('one that is refused keeps none of the others', async () => {
  const run = await failed(3);
  const [held, taken, free] = run.payouts;
  await client.put(`/api/v1/members/${held?.userId}/payout-hold`, { reason: 'Asked by the bank' });
  const holdFree = await client.put(`/api/v1/members/${free?.userId}/payout-hold`, { reason: 'For the draft' });
  expect(holdFree.status).toBe(200);
  await draft(client);
  await client.delete(`/api/v1/members/${free?.userId}/payout-hold`);
  const { status, body } = await retry(run.id);
  expect(status).toBe(200);
  expect(body).toEqual({
    retried: 1,
    refused: [
      { payoutId: held?.id, code: 'STATE_CONFLICT', message: 'Payouts to the member are on hold' },
      { payoutId: taken?.id, code: 'STATE_CONFLICT', message: 'Another payout has taken commissions of this one' },
    ],
    remaining: 0,
    lastPayoutId: free?.id,
  });
  const statuses = await Promise.all(run.payouts.map(async ({ id }) => (await payoutOf(client, id)).status));
  expect(statuses).toEqual(['failed', 'failed', 'queued']);
});

test('beside a retry of one of them: each is queued once', async () => {
  const run = await failed(3);
  const [all, one] = await Promise.all([retry(run.id), change(run.payouts[1]?.id ?? '', 'retry')]);
  expect(all.status, all.text).toBe(200);
  expect(all.body.retried + (one.status === 200 ? 1 : 0)).toBe(3);
  expect(await startPayouts(app, scope)).toBe(3);
});

test('behind a payout only those behind it; a run without failed payouts has nothing to retry', async () => {
  const run = await failed(3);
  const answer = await retry(run.id, { afterPayoutId: run.payouts[0]?.id });
  expect(answer.body).toMatchObject({ retried: 2, refused: [], remaining: 0, lastPayoutId: run.payouts[2]?.id });
  expect((await retry(run.id, { afterPayoutId: run.payouts[2]?.id })).body).toEqual({
    retried: 0,
    refused: [],
    remaining: 0,
    lastPayoutId: null,
  });
  expect((await runOf(client, run.id)).status).toBe('executing');
});

test('a repeat with its key answers as before and queues nothing more', async () => {
  const run = await failed(1);
  const send = () => client.post(`/api/v1/payout-runs/${run.id}/retry`, {}, { 'idempotency-key': 'retry-1' });
  const first = await send();
  expect(first.body.retried).toBe(1);
  expect((await send()).body).toEqual(first.body);
});

test('while frozen, of one pair of hands, of another tenant, and by a weaker key: none', async () => {
  const run = await failed(1);
  await app.database.asSuperuser('update payout_freeze set frozen_at = now()');
  expect((await retry(run.id)).body.code).toBe('PAYOUTS_FROZEN');
  await app.database.asSuperuser('update payout_freeze set frozen_at = null');
  await client.patch('/api/v1/admin/settings', { payments: { dualControl: true } });
  expect((await retry(run.id)).body.code).toBe('SECOND_PERSON_REQUIRED');
  const weak = await app.tenants.createKey({ ...scope, scopes: ['payouts:read', 'payouts:approve'] });
  expect((await retry(run.id, {}, apiClient(app, weak.apiKey))).status).toBe(403);
  const other = await app.newTenant();
  for (const key of [other.liveKey, tenant.sandboxKey]) expect((await retry(run.id, {}, apiClient(app, key))).status).toBe(404);
  expect((await payoutOf(client, run.payouts[0]?.id ?? '')).status).toBe('failed');
});

test('a draft and an approved run are left as they are', async () => {
  const member = await payable(app, scope, client, 6_000);
  await earn(app, scope, client, member, 1_000);
  const run = await draft(client);
  expect((await retry(run.id)).body.retried).toBe(0);
  await act(client, run.id, 'approve');
  expect((await retry(run.id)).body.retried).toBe(0);
  expect((await runOf(client, run.id)).status).toBe('approved');
});

test('at once with a draft of its currency: the draft waits for it, and neither is broken off', async () => {
  const run = await failed(6);
  const { retried } = app.composition.frames.stats();
  // A draft takes commissions in an order of its own: it would come to one of these, with others of them in its hands.
  setFaultPoints('payout:requeued=hold:200', faultPointsOf(house));
  const retrying = retry(run.id);
  await sleep(100);
  const drafted = await client.post('/api/v1/payout-runs', { currency: 'USD' });
  const answer = await retrying;
  expect([answer.status, drafted.status], answer.text + drafted.text).toEqual([200, 201]);
  expect(answer.body).toMatchObject({ retried: 6, refused: [] });
  expect(drafted.body).toMatchObject({ payoutCount: 0, blockedCount: 0 });
  expect(app.composition.frames.stats().retried).toBe(retried);
});

test.each([
  ['of a run', (run: DraftBody) => retry(run.id)],
  ['of a payout', (run: DraftBody) => change(run.payouts[0]?.id ?? '', 'retry')],
])('a retry %s waits for drafts of its currency before it locks a payout', async (_what, send) => {
  const run = await failed(2);
  const free = `select p.id from payout p where p.payout_run_id = $1 and p.status = 'failed' for update skip locked`;
  const sent = await app.composition.frames.write(scope, async (db) => {
    await lockDraftsOf(db, scope, 'USD');
    const retrying = send(run);
    await sleep(500);
    expect(await app.database.asSuperuser(free, [run.id])).toHaveLength(2);
    return { retrying };
  });
  const answer = await sent.retrying;
  expect(answer.status, answer.text).toBe(200);
});
