/** What is told of payouts and their runs: docs/specification/webhooks.md#types. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { payoutsEvents } from '../../../src/features/payouts/payouts-events.ts';
import { payouts } from '../../../src/features.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { openShop, paidEvent } from '../../support/payments/payment-shop.ts';
import { createPayoutVendorDouble, type PayoutVendorDouble } from '../../support/payments/payout-vendor-double.ts';
import { act, checkAll, draft, execute, payable, runJobs, startPayouts } from '../../support/payments/payout-world.ts';
import { actorsOf, KEY, ofPayouts, typesOf } from '../../support/webhooks/hear-payouts.ts';
import { openEar, type ToldRow, toldEvents } from '../../support/webhooks/told-events.ts';

let app: TestApp;
let tenant: TestTenant;
let scope: Scope;
let client: ApiClient;
let ear: ReturnType<typeof openEar>;
const produced = new Set<string>();

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'SANDBOX' };
  client = apiClient(app, tenant.sandboxKey);
  ear = openEar(app, scope);
  await app.database.asSuperuser("update pgboss.job set state = 'completed', completed_on = now() where state = 'created'");
});
afterAll(async () => {
  expect(Object.keys(payoutsEvents).filter((type) => !type.startsWith('payout_account.') && !produced.has(type))).toEqual([]);
  await app.close();
});

async function heard(): Promise<ToldRow[]> {
  const events = await ofPayouts(app, client, await ear.heard());
  for (const { type } of events) produced.add(type);
  return events;
}
const types = async (): Promise<string[]> => typesOf(await heard());

describe('a run that is paid by hand', () => {
  test('is told from the draft to its end, with its payouts', async () => {
    const [member, other] = [await payable(app, scope, client, 10_000), await payable(app, scope, client, 5_000)];
    await heard();
    await client.post('/api/v1/payout-runs', { currency: 'USD', dryRun: true });
    expect(await heard()).toEqual([]);
    const run = await draft(client);
    const drafted = await heard();
    expect(typesOf(drafted)).toEqual(['payout_run.drafted', 'payouts.drafted']);
    expect(actorsOf(drafted)).toEqual([KEY]);
    const listed = (await client.get(`/api/v1/payouts?runId=${run.id}`)).body.data;
    expect(listed).toHaveLength(2);
    expect(drafted[1]).toMatchObject({ objectId: run.id, data: { runId: run.id, payouts: listed } });
    await act(client, run.id, 'approve');
    expect(await types()).toEqual(['payout_run.approved']);
    await act(client, run.id, 'execute');
    const due = await heard();
    expect(typesOf(due)).toEqual(['payout_run.executed', 'payouts.updated']);
    expect(due[1]?.data['payouts']).toEqual((await client.get(`/api/v1/payouts?runId=${run.id}`)).body.data);
    const cancelled = run.payouts.find(({ userId }) => userId === other.id)?.id ?? '';
    await app.database.asSuperuser("update payout_account set status = 'deactivated', is_primary = false where member_id = $1", [
      other.id,
    ]);
    await startPayouts(app, scope);
    const begun = await heard();
    expect(typesOf(begun)).toEqual(['payout.processing', 'payout.cancelled']);
    expect(begun[1]).toMatchObject({ objectId: cancelled, data: { status: 'cancelled', failureCode: 'NO_ACCOUNT' } });
    expect(actorsOf(begun)).toEqual(['system']);
    const payoutId = run.payouts.find(({ userId }) => userId === member.id)?.id ?? '';
    const settle = () => client.post(`/api/v1/payouts/${payoutId}/settle`, { reference: 'SEPA-1' });
    expect((await settle()).status).toBe(200);
    const paid = await heard();
    expect(typesOf(paid)).toEqual(['payout.paid', 'payout_run.completed']);
    expect(paid.map(({ data }) => data['status'])).toEqual(['paid', 'completed']);
    expect(actorsOf(paid)).toEqual([KEY]);
    expect((await settle()).status).toBe(409);
    expect(await heard()).toEqual([]);
    await client.post(`/api/v1/payouts/${payoutId}/return`, { reason: 'Account closed' });
    expect(await types()).toEqual(['payout.returned']);
  });

  test('is told to fail, to be tried again and to be cancelled', async () => {
    await payable(app, scope, client, 10_000);
    const run = await execute(client);
    await startPayouts(app, scope);
    await ear.heard();
    const path = `/api/v1/payouts/${run.payouts[0]?.id}`;
    await client.post(`${path}/return`, { reason: 'No such account' });
    const failed = await heard();
    expect(typesOf(failed)).toEqual(['payout.failed', 'payout_run.completed']);
    expect(failed[1]?.data['status']).toBe('partially_failed');
    await client.post(`${path}/retry`, {});
    expect(await types()).toEqual(['payout.queued', 'payout_run.updated']);
    await client.post(`${path}/cancel`, {});
    expect(await types()).toEqual(['payout.cancelled', 'payout_run.completed']);
    const next = await draft(client);
    await heard();
    await act(client, next.id, 'cancel');
    const cancelled = await heard();
    expect(typesOf(cancelled)).toEqual(['payout_run.cancelled', 'payouts.cancelled']);
    expect(cancelled[1]?.data['payouts']).toMatchObject([{ id: next.payouts[0]?.id, status: 'cancelled' }]);
  });
});

test('a settlement is told as a payout that is paid', async () => {
  const member = await payable(app, scope, client, 10_000);
  await heard();
  const body = { currency: 'USD', amountMinor: 10_000, reference: randomUUID() };
  const path = `/api/v1/members/${member.id}/settlements`;
  const { body: payout } = await client.post(path, body);
  expect((await client.post(path, body)).status).toBe(409);
  const events = await heard();
  expect(typesOf(events)).toEqual(['payout.paid']);
  expect(events[0]).toMatchObject({ objectId: payout.id, data: { userId: member.id, runId: null, amountMinor: 10_000 } });
});

describe('a payout through the vendor', () => {
  let vendor: PayoutVendorDouble;
  let payoutId: string;

  beforeEach(async () => {
    vendor = createPayoutVendorDouble();
    await plantPaymentSettings(app, scope, {});
    await payable(app, scope, client, 6_000, { provider: 'payvendor' });
    const run = await execute(client);
    payoutId = run.payouts[0]?.id ?? '';
    await startPayouts(app, scope);
    await ear.heard();
  });

  test('is told of where it is held up, once for each reason, and how it ends', async () => {
    vendor.failNext('createTransfer', 'unauthorized', 'unauthorized');
    await runJobs(app, vendor);
    const held = await heard();
    expect(typesOf(held)).toEqual(['payout.updated']);
    expect(held[0]).toMatchObject({ objectId: payoutId, actor: 'system', data: { failureCode: expect.any(String) } });
    await checkAll(app, scope, vendor);
    expect(await heard()).toEqual([]);
    await checkAll(app, scope, vendor);
    const sent = await heard();
    expect(typesOf(sent)).toEqual(['payout.updated']);
    expect(sent[0]?.data).toMatchObject({ status: 'processing', failureCode: null });
    vendor.tell(payoutId, 'paid');
    await checkAll(app, scope, vendor);
    expect(await types()).toEqual(['payout.paid', 'payout_run.completed']);
    expect(await heard()).toEqual([]);
  });

  test('is not told to be held up when it was tried again meanwhile: it is not this try that is shown', async () => {
    vendor.failNext('createTransfer', 'unauthorized');
    vendor.meanwhile = () => app.database.asSuperuser('update payout set attempt = attempt + 1 where id = $1', [payoutId]);
    await runJobs(app, vendor);
    expect(vendor.calls).toHaveLength(1);
    expect(await heard()).toEqual([]);
  });

  test('is told of where the settings hold it up', async () => {
    await app.database.asSuperuser("update payment_settings set provider = 'manual' where tenant_id = $1", [tenant.tenantId]);
    const { tenantId, environment } = scope;
    const live = { tenantId, environment: 'LIVE' as const };
    await app.database.asSuperuser(
      "insert into webhook_hearing (tenant_id, environment, patterns) values ($1, 'LIVE', '{payout.updated}')",
      [tenantId],
    );
    await plantPaymentSettings(app, live, {});
    const owner = apiClient(app, tenant.liveKey);
    await payable(app, live, owner, 6_000, { provider: 'payvendor' });
    await execute(owner);
    await startPayouts(app, live);
    const [payout] = await app.database.asSuperuser<{ id: string }>(
      "select id from payout where tenant_id = $1 and environment = 'LIVE'",
      [tenantId],
    );
    const job = { scope: live, ids: { payout0: payout?.id ?? '' } };
    const handler = app.composition.background.handlers.find(({ name }) => name === 'advance-payouts');
    for (let i = 0; i < 2; i++) {
      await app.database.asSuperuser('update payout set claimed_until = null where id = $1', [payout?.id]);
      await (handler as { run(...args: unknown[]): Promise<void> }).run(
        app.composition.background.frames,
        job,
        new AbortController().signal,
      );
    }
    const events = await toldEvents(app, live);
    expect(typesOf(events)).toEqual(['payout.updated']);
    expect(events[0]?.data).toMatchObject({ failureCode: 'PROVIDER_CONFIGURATION' });
    expect(environment).toBe('SANDBOX');
  });

  test('is told by the vendor’s word, and a return behind it', async () => {
    await runJobs(app, vendor);
    await heard();
    const tell = (outcome: string) => client.post('/api/v1/sandbox/vendor-events', { kind: 'payout', payoutId, outcome });
    expect((await tell('paid')).status).toBe(200);
    const paid = await heard();
    expect(typesOf(paid)).toEqual(['payout.paid', 'payout_run.completed']);
    expect(actorsOf(paid)).toEqual(['vendor:payvendor']);
    await tell('paid');
    expect(await heard()).toEqual([]);
    await tell('returned');
    expect(await types()).toEqual(['payout.returned']);
  });
});

test('what the vendor signs is told once, of payouts and of accounts', async () => {
  const shop = await openShop(app, 'SANDBOX');
  const own = openEar(app, shop.scope);
  const told = async () => (await own.heard()).filter(({ type }) => type.startsWith('payout'));
  const payout = await shop.pay();
  await told();
  const paid = paidEvent(shop, payout);
  for (let i = 0; i < 2; i++) expect((await shop.send(paid)).status).toBe(200);
  const events = await told();
  expect(typesOf(events)).toEqual(['payout.paid', 'payout_run.completed']);
  expect(events[0]).toMatchObject({ objectId: payout.payoutId, actor: 'vendor:payvendor', data: { status: 'paid' } });
  const { providerAccountId, accountId } = shop.account;
  const gone = { type: 'account.application.deauthorized', account: providerAccountId, object: { object: 'application' } };
  for (let i = 0; i < 2; i++) await shop.send(gone);
  expect(await told()).toMatchObject([
    { type: 'payout_account.deactivated', objectId: accountId, actor: 'vendor:payvendor', data: { isActive: false } },
  ]);
});

test('what fails behind the change is not told', async () => {
  await payable(app, scope, client, 10_000);
  const run = await execute(client);
  await startPayouts(app, scope);
  await ear.heard();
  const { frames, ...composition } = app.composition;
  const { settlePayout } = composition.offer(payouts);
  const payoutId = run.payouts[0]?.id ?? '';
  const by = { actor: { kind: 'operator', id: null }, operationId: 'test', requestId: null, ip: null } as const;
  const fails = frames.write(scope, async (db) => {
    await settlePayout(db, scope, { payoutId, outcome: 'paid', by });
    throw new Error('behind it');
  });
  await expect(fails).rejects.toThrow('behind it');
  expect(await heard()).toEqual([]);
});
