/** What is told of payouts, of their runs and of payout accounts: docs/specification/webhooks.md#types. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { payoutsEvents } from '../../../src/features/payouts/payouts-events.ts';
import { payouts } from '../../../src/features.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import {
  accountsPath,
  newAccount,
  newIban,
  newPayee,
  plantOtherName,
  sepaAccount,
} from '../../support/payments/payout-accounts.ts';
import { createPayoutVendorDouble, type PayoutVendorDouble } from '../../support/payments/payout-vendor-double.ts';
import { act, checkAll, draft, earn, execute, payable, runJobs, startPayouts } from '../../support/payments/payout-world.ts';
import { US_PROFILE } from '../../support/payments/plant-payout-account.ts';
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
  expect(Object.keys(payoutsEvents).filter((type) => !produced.has(type))).toEqual([]);
  await app.close();
});

const OF_PAYOUTS = /^payout(s|_run|_account)?\./;

/** What came of payouts since the last call: the last of each object is what the API shows of it now. */
async function heard(): Promise<ToldRow[]> {
  const events = (await ear.heard()).filter(({ type }) => OF_PAYOUTS.test(type));
  const last = new Map(events.filter(({ type }) => !type.startsWith('payouts.')).map((event) => [event.objectId, event]));
  for (const event of last.values()) expect(event.data, event.type).toEqual(await shown(event));
  for (const { type } of events) produced.add(type);
  return events;
}

async function shown({ type, objectId }: ToldRow): Promise<unknown> {
  const [kind = ''] = type.split('.');
  const path = { payout: '/api/v1/payouts/', payout_run: '/api/v1/payout-runs/' }[kind];
  if (path !== undefined) return (await client.get(`${path}${objectId}`)).body;
  const [row] = await app.database.asSuperuser<{ member_id: string }>('select member_id from payout_account where id = $1', [
    objectId,
  ]);
  return (await client.get(accountsPath(row?.member_id ?? '', objectId))).body;
}

const typesOf = (events: readonly ToldRow[]): string[] => events.map(({ type }) => type);
const types = async (): Promise<string[]> => typesOf(await heard());
const actorsOf = (events: readonly ToldRow[]): string[] => [...new Set(events.map(({ actor }) => actor))];
const KEY = expect.stringMatching(/^api_key:[0-9a-f-]{36}$/);

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

describe('payout accounts by hand', () => {
  let member: MemberBody;
  const idOf = (events: readonly ToldRow[], type: string) =>
    events.filter((event) => event.type === `payout_account.${type}`).map(({ objectId }) => objectId);

  beforeEach(async () => {
    member = await newPayee(client);
    await heard();
  });

  test('are told of from their creation to their end', async () => {
    const first = await newAccount(client, member.id);
    expect(await types()).toEqual(['payout_account.created', 'payout_account.activated']);
    const second = await newAccount(client, member.id, sepaAccount(newIban(), { isPrimary: true }));
    const events = await heard();
    expect(typesOf(events)).toEqual([
      'payout_account.created',
      'payout_account.activated',
      'payout_account.primary_changed',
      'payout_account.primary_changed',
    ]);
    expect(actorsOf(events)).toEqual([KEY]);
    expect(idOf(events, 'primary_changed')).toEqual([second.id, first.id]);
    expect((await client.post(accountsPath(member.id), sepaAccount('DE00'))).status).toBe(400);
    await client.patch(accountsPath(member.id, first.id), { displayName: 'Savings', isPrimary: false });
    expect(await types()).toEqual(['payout_account.updated']);
    await client.patch(accountsPath(member.id, first.id), { displayName: 'Savings' });
    expect(await heard()).toEqual([]);
    await client.patch(accountsPath(member.id, first.id), { isPrimary: true });
    expect(idOf(await heard(), 'primary_changed')).toEqual([first.id, second.id]);
    await client.delete(accountsPath(member.id, first.id));
    const ended = await heard();
    expect(idOf(ended, 'deactivated')).toEqual([first.id]);
    expect(idOf(ended, 'primary_changed')).toEqual([second.id]);
    await client.delete(accountsPath(member.id, first.id));
    expect(await heard()).toEqual([]);
    await plantOtherName(app, second.id);
    await client.post(`${accountsPath(member.id, second.id)}/accept-name`, {});
    const [accepted] = await heard();
    expect(accepted).toMatchObject({ type: 'payout_account.updated', data: { nameMatch: 'accepted' } });
  });

  test('that a member gives itself are told by the member', async () => {
    const { body: before } = await client.get(accountsPath(member.id));
    expect(before.accounts).toEqual([]);
    await newAccount(client, member.id);
    await heard();
    await client.post(`/api/v1/members/${member.id}/erasure`, {});
    const erased = await heard();
    expect(typesOf(erased)).toEqual(['payout_account.deactivated']);
    expect(erased[0]?.data).toMatchObject({ displayName: 'erased', isActive: false });
  });

  test('and payouts are told as an erasure leaves them', async () => {
    await client.patch('/api/v1/admin/settings', { payments: { accountCooldownHours: 0 } });
    await newAccount(client, member.id);
    await earn(app, scope, client, member, 5_000, 'EUR');
    const settled = { currency: 'EUR', amountMinor: 5_000, reference: 'To Ada Example' };
    expect((await client.post(`/api/v1/members/${member.id}/settlements`, settled)).status).toBe(201);
    await heard();
    await client.post(`/api/v1/members/${member.id}/erasure`, {});
    const events = await heard();
    expect(typesOf(events)).toEqual(['payout_account.deactivated', 'payouts.updated']);
    expect(events[1]).toMatchObject({ objectId: member.id, data: { runId: null, payouts: [{ reference: null }] } });
    expect(events[1]?.data['payouts']).toEqual((await client.get(`/api/v1/payouts?userId=${member.id}`)).body.data);
  });

  test('and more than 100 payouts are told in parts', async () => {
    await earn(app, scope, client, member, 5_000, 'EUR');
    const settled = { currency: 'EUR', amountMinor: 5_000, reference: randomUUID() };
    await client.post(`/api/v1/members/${member.id}/settlements`, settled);
    await app.database.asSuperuser(
      `insert into payout (tenant_id, environment, member_id, provider_type, currency, amount_minor, line_count, status, attempt,
                           created_at, updated_at)
       select tenant_id, environment, member_id, provider_type, currency, amount_minor, line_count, 'returned', attempt, now(), now()
       from payout cross join generate_series(1, 104) where member_id = $1`,
      [member.id],
    );
    await heard();
    await client.post(`/api/v1/members/${member.id}/erasure`, {});
    const parts = await heard();
    expect(parts.map(({ data }) => data['payouts'].length)).toEqual([100, 5]);
    expect(new Set(parts.flatMap(({ data }) => data['payouts'].map(({ id }: { id: string }) => id))).size).toBe(105);
  });
});

describe('payout accounts at the vendor', () => {
  let member: MemberBody;

  beforeEach(async () => {
    await plantPaymentSettings(app, scope, {});
    member = await newPayee(client, US_PROFILE);
    await heard();
  });

  const usAccount = (lastFour: string, fields: object = {}) => ({
    methodType: 'us_bank_transfer',
    currency: 'USD',
    bankAccount: { accountHolderName: 'Ada Lovelace', routingNumber: '110000000', accountNumber: `00012345${lastFour}` },
    ...fields,
  });

  test('are told of each step, and of what the vendor says later', async () => {
    const account = await newAccount(client, member.id, usAccount('6789'));
    const events = await heard();
    expect(typesOf(events)[0]).toBe('payout_account.created');
    expect(typesOf(events).at(-1)).toBe('payout_account.activated');
    expect(new Set(typesOf(events).slice(1, -1))).toEqual(new Set(['payout_account.updated']));
    expect(events.at(-1)?.actor).toBe('vendor:payvendor');
    const tell = (outcome: string) =>
      client.post('/api/v1/sandbox/vendor-events', { kind: 'payout_account', accountId: account.id, outcome });
    await tell('action_required');
    expect(await types()).toEqual(['payout_account.action_required']);
    await tell('action_required');
    expect(await heard()).toEqual([]);
    await tell('rejected');
    const [rejected] = await heard();
    expect(rejected).toMatchObject({ type: 'payout_account.rejected', actor: 'vendor:payvendor', data: { status: 'rejected' } });
    await newAccount(client, member.id, usAccount('6789'));
    expect((await types()).slice(0, 3)).toEqual([
      'payout_account.deactivated',
      'payout_account.created',
      'payout_account.primary_changed',
    ]);
  });

  test('are told of where the profile lacks what the vendor needs', async () => {
    await app.database.asSuperuser('update member_profile set date_of_birth = null where member_id = $1', [member.id]);
    const answer = await client.post(accountsPath(member.id), usAccount('6789'));
    expect(answer.status).toBe(422);
    expect(await heard()).toEqual([]);
    await client.patch(`/api/v1/members/${member.id}/profile`, { dateOfBirth: '1990-01-01' });
    await newAccount(client, member.id, usAccount('0002'));
    expect((await types()).at(-1)).toBe('payout_account.action_required');
  });
});
