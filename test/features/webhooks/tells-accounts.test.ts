/** What is told of payout accounts, and of what an erasure leaves: docs/specification/webhooks.md#types. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { payoutsEvents } from '../../../src/features/payouts/payouts-events.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { runJobs } from '../../support/jobs/run-jobs.ts';
import { plantRequired } from '../../support/kyc/kyc-records.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import {
  accountsPath,
  newAccount,
  newIban,
  newPayee,
  plantOtherName,
  sepaAccount,
} from '../../support/payments/payout-accounts.ts';
import { earn } from '../../support/payments/payout-world.ts';
import { plantPayoutAccount, US_PROFILE } from '../../support/payments/plant-payout-account.ts';
import { actorsOf, KEY, ofPayouts, typesOf } from '../../support/webhooks/hear-payouts.ts';
import { openEar, type ToldRow } from '../../support/webhooks/told-events.ts';

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
  expect(Object.keys(payoutsEvents).filter((type) => type.startsWith('payout_account.') && !produced.has(type))).toEqual([]);
  await app.close();
});

async function heard(): Promise<ToldRow[]> {
  const events = await ofPayouts(app, client, await ear.heard());
  for (const { type } of events) produced.add(type);
  return events;
}
const types = async (): Promise<string[]> => typesOf(await heard());

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

  test('that are kept for what is owed to an erased member are told of when they are looked at', async () => {
    await newAccount(client, member.id);
    await earn(app, scope, client, member, 5_000, 'EUR');
    await client.post(`/api/v1/members/${member.id}/erasure`, { acknowledgeOwed: true });
    await heard();
    await app.database.asSuperuser('update payout_account set kept_check_at = now() where member_id = $1', [member.id]);
    await app.runSweep('forget-kept-accounts', scope);
    expect(await heard()).toMatchObject([{ type: 'payout_account.updated', actor: 'system' }]);
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

test('an account that a verification finds to be held under another name is told of', async () => {
  const member = await newPayee(client);
  const account = await newAccount(client, member.id);
  await client.post(`/api/v1/members/${member.id}/kyc/start`, {});
  const { body: record } = await client.get(`/api/v1/members/${member.id}/kyc`);
  await plantRequired(app, scope, record.id);
  await app.database.asSuperuser("update kyc_record set status = 'pending' where id = $1", [record.id]);
  await heard();
  const approved = await client.post(`/api/v1/admin/kyc/${record.id}/approve`, {});
  expect(`${approved.status}`, approved.text).toBe('200');
  expect(await heard()).toMatchObject([
    { type: 'payout_account.updated', objectId: account.id, actor: KEY, data: { nameMatch: 'matched' } },
  ]);
  await client.patch(`/api/v1/members/${member.id}/profile`, { surname: 'Other' });
  expect(await heard()).toMatchObject([{ type: 'payout_account.updated', data: { nameMatch: 'not_compared' } }]);
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

  test('are told of by the worker, which goes on with what broke off', async () => {
    const id = await plantPayoutAccount(app, scope, member.id);
    await app.database.asSuperuser("update payout_account set check_at = now() - interval '1 second' where id = $1", [id]);
    await app.runSweep('provision-accounts', scope);
    await runJobs(app, 'provision-payout-account');
    const events = await heard();
    expect(typesOf(events).at(-1)).toBe('payout_account.activated');
    expect(new Set(events.map(({ objectId }) => objectId))).toEqual(new Set([id]));
    expect(new Set(actorsOf(events))).toEqual(new Set(['system', 'vendor:payvendor']));
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
