/** Who drafted, approved, executed, retried and settled (docs/specification/payouts.md#actors). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { act, draft, execute, payable, startPayouts } from '../../support/payments/payout-world.ts';

let app: TestApp;
let scope: Scope;
let clients: { drafter: ApiClient; approver: ApiClient; executor: ApiClient };
let actors: Record<keyof typeof clients, { kind: 'api_key'; id: string; name: string }>;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});
beforeEach(async () => {
  const { tenantId, liveKey } = await app.newTenant();
  scope = { tenantId, environment: 'LIVE' };
  const named = async (name: string) => {
    const { body } = await apiClient(app, liveKey).post('/api/v1/admin/api-keys', { name, preset: 'full' });
    return { client: apiClient(app, body.apiKey), actor: { kind: 'api_key', id: body.id as string, name } as const };
  };
  const [drafter, approver, executor] = [await named('Drafter'), await named('Approver'), await named('Executor')];
  clients = { drafter: drafter.client, approver: approver.client, executor: executor.client };
  actors = { drafter: drafter.actor, approver: approver.actor, executor: executor.actor };
});

const post = (client: ApiClient, payoutId: string, deed: string, body: object = {}) =>
  client.post(`/api/v1/payouts/${payoutId}/${deed}`, body);
const entriesOf = async (objectId: string) =>
  (await clients.drafter.get(`/api/v1/admin/audit-logs?objectId=${objectId}`)).body.data as Record<string, unknown>[];
const byKey = ({ kind, id }: { kind: string; id: string }) => ({ kind, id });

test('a run names its three hands, its payouts the drafter, each attempt whoever asked for it', async () => {
  const { drafter, approver, executor } = clients;
  const member = await payable(app, scope, drafter, 6_000);
  const run = await draft(drafter);
  expect(run).toMatchObject({ createdBy: actors.drafter, approvedBy: null, executedBy: null });
  expect((await act(approver, run.id, 'approve')).body).toMatchObject({ approvedBy: actors.approver, executedBy: null });
  const executed = (await act(executor, run.id, 'execute')).body;
  expect(executed).toMatchObject({ createdBy: actors.drafter, approvedBy: actors.approver, executedBy: actors.executor });
  const { data } = (await drafter.get('/api/v1/payout-runs')).body;
  expect(data).toMatchObject([{ createdBy: actors.drafter, approvedBy: actors.approver, executedBy: actors.executor }]);

  const payoutId = run.payouts[0]?.id ?? '';
  await startPayouts(app, scope);
  await post(drafter, payoutId, 'return', { reason: 'No such account' });
  await post(approver, payoutId, 'retry');
  await startPayouts(app, scope);
  expect((await post(executor, payoutId, 'settle', { reference: 'BANK-1' })).body).toMatchObject({ createdBy: actors.drafter });
  const payout = (await drafter.get(`/api/v1/payouts/${payoutId}`)).body;
  expect(payout).toMatchObject({
    createdBy: actors.drafter,
    attempts: [{ createdBy: actors.executor }, { createdBy: actors.approver }],
  });
  const amount = { amountMinor: '6000', currency: 'USD' };
  expect(await entriesOf(payoutId)).toMatchObject([
    { action: 'payout.paid', operationId: 'settlePayout', actor: byKey(actors.executor), details: { ...amount, attempt: 2 } },
    { action: 'payout.retried', operationId: 'retryPayout', actor: byKey(actors.approver), details: amount },
    { action: 'payout.failed', operationId: 'returnPayout', actor: byKey(actors.drafter), details: { ...amount, attempt: 1 } },
  ]);
  expect(JSON.stringify(await entriesOf(payoutId))).not.toContain('No such account');

  const { accessToken } = await plantSession(app, scope, member.id);
  const own = await drafter.get(`/api/v1/payouts/${payoutId}`, { authorization: `Bearer ${accessToken}` });
  const aKey = { kind: 'api_key', id: null, name: null };
  expect(own.body).toMatchObject({ createdBy: aKey, attempts: [{ createdBy: aKey }, { createdBy: aKey }] });
  const listed = await drafter.get('/api/v1/payouts', { authorization: `Bearer ${accessToken}` });
  expect(listed.body.data).toMatchObject([{ id: payoutId, createdBy: aKey }]);
  for (const { id, name } of Object.values(actors)) expect(own.text + listed.text).not.toMatch(new RegExp(`${id}|${name}`));
});

test('what the execution cancels, the system has cancelled', async () => {
  const member = await payable(app, scope, clients.drafter, 6_000);
  const run = await execute(clients.drafter);
  await clients.drafter.put(`/api/v1/members/${member.id}/payout-hold`, { reason: 'Being checked' });
  expect(await startPayouts(app, scope)).toBe(1);
  expect(await entriesOf(run.payouts[0]?.id ?? '')).toMatchObject([
    {
      action: 'payout.cancelled',
      actor: { kind: 'system', id: null },
      operationId: 'execute-payouts',
      requestId: null,
      details: { amountMinor: '6000', currency: 'USD', failureCode: 'HELD' },
    },
  ]);
});

test('a payout that somebody cancels is an entry with its amount', async () => {
  await payable(app, scope, clients.drafter, 6_000);
  const run = await draft(clients.drafter);
  await post(clients.approver, run.payouts[0]?.id ?? '', 'cancel');
  expect(await entriesOf(run.payouts[0]?.id ?? '')).toMatchObject([
    { action: 'payout.cancelled', actor: byKey(actors.approver), details: { amountMinor: '6000', currency: 'USD' } },
  ]);
});
