/** Payout accounts at the payment vendor: the row comes first, and the answer says how far it got. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { AppError, type ErrorCode } from '../../../src/errors.ts';
import { payouts } from '../../../src/features.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { accountsPath, newAccount, newIban, newPayee, sepaAccount } from '../../support/payments/payout-accounts.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let member: MemberBody;
let provisioned: string[];

beforeAll(async () => {
  app = await startTestApp({}, 'own');
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  member = await newPayee(client);
  await plantPaymentSettings(app, live(), { secretKey: 'sk_live_x' });
  provisioned = [];
  provisioningBy(() => Promise.resolve());
});
afterAll(() => app.close());

const live = (): Scope => ({ tenantId: tenant.tenantId, environment: 'LIVE' });
const create = (body: object, headers = {}) => client.post(accountsPath(member.id), body, headers);
const accounts = async () => (await client.get(accountsPath(member.id))).body.accounts as { id: string; status: string }[];

/** What the provisioner does with a committed row. */
function provisioningBy(work: (id: string) => Promise<unknown>): void {
  app.composition.offer(payouts).provisioner.provision = async (scope, id) => {
    expect(scope).toMatchObject(live());
    provisioned.push(id);
    await work(id);
  };
}

const reach = (status: string) => (id: string) =>
  app.database.asSuperuser(
    "update payout_account set status = $2, activated_at = case $2 when 'active' then now() end, status_reason = 'as told' where id = $1",
    [id, status],
  );

async function storedRow(id: string): Promise<Record<string, unknown>> {
  const [row] = await app.database.asSuperuser<Record<string, unknown>>('select * from payout_account where id = $1', [id]);
  if (!row) throw new Error('no such row');
  return row;
}

describe('the answer', () => {
  test.each(['active', 'action_required', 'rejected', 'provisioning'])('says that it has become %s', async (status) => {
    provisioningBy(reach(status));
    const answer = await create(sepaAccount());
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toMatchObject({ status, statusReason: 'as told', providerType: 'payvendor', isActive: true });
    expect(answer.body.usableFrom === null).toBe(status !== 'active');
    expect(provisioned).toEqual([answer.body.id]);
  });

  test('comes when the row is committed and the vendor was asked, in this order', async () => {
    let seen: Record<string, unknown> = {};
    provisioningBy(async (id) => {
      seen = await storedRow(id);
    });
    await create(sepaAccount());
    expect(seen).toMatchObject({ status: 'provisioning', is_primary: true, activated_at: null });
    expect(seen['bank_sealed']).toBeInstanceOf(Buffer);
    expect(seen['check_at']).toBeInstanceOf(Date);
  });

  test.each<ErrorCode>(['PROVIDER_UNAVAILABLE', 'SERVICE_UNAVAILABLE'])('is that it goes on later, at %s', async (code) => {
    provisioningBy(() => Promise.reject(new AppError(code, 'not now')));
    const answer = await create(sepaAccount());
    expect([answer.status, answer.body.status]).toEqual([201, 'provisioning']);
  });

  test('is an error when the tenant has set the vendor up wrongly; the same request resumes the account', async () => {
    const body = sepaAccount();
    provisioningBy(() => Promise.reject(new AppError('PROVIDER_CONFIGURATION', 'The vendor refuses the key')));
    const refused = await create(body);
    expect([refused.status, refused.body.code]).toEqual([502, 'PROVIDER_CONFIGURATION']);
    provisioningBy(reach('active'));
    const resumed = await create(body);
    expect([resumed.status, resumed.body.status]).toEqual([201, 'active']);
    expect(new Set(provisioned)).toEqual(new Set([resumed.body.id]));
    expect(await accounts()).toHaveLength(1);
  });
});

describe('the same details again', () => {
  test.each(['provisioning', 'action_required'])(
    'resume the account while it is %s, and are refused once it is active',
    async (status) => {
      provisioningBy(reach(status));
      const body = sepaAccount();
      const first = await create(body);
      provisioningBy(reach('active'));
      const second = await create(body);
      expect([second.status, second.body.id, second.body.status]).toEqual([201, first.body.id, 'active']);
      expect((await create(body)).body.code).toBe('STATE_CONFLICT');
      expect(provisioned).toEqual([first.body.id, first.body.id]);
    },
  );

  test('replace an account that was rejected, which loses nothing by it', async () => {
    const body = sepaAccount();
    provisioningBy(reach('rejected'));
    const rejected = await create(body);
    provisioningBy(reach('active'));
    const anew = await create(body);
    expect(anew.body).toMatchObject({ status: 'active', isPrimary: true });
    expect(await accounts()).toMatchObject([
      { id: anew.body.id, status: 'active' },
      { id: rejected.body.id, status: 'deactivated' },
    ]);
  });

  test('sent ten times at once are one account', async () => {
    provisioningBy(reach('active'));
    const body = sepaAccount();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(body)));
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(answers.some(({ status }) => status === 201)).toBe(true);
    expect(await accounts()).toHaveLength(1);
  });

  test('with an Idempotency-Key get the first answer, and the vendor is not asked again', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = sepaAccount();
    const first = await create(body, key);
    provisioningBy(reach('active'));
    const again = await create(body, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(provisioned).toHaveLength(1);
  });

  test('are another account once the tenant has changed its provider', async () => {
    await plantPaymentSettings(app, live(), { provider: 'manual' });
    const body = sepaAccount();
    const byHand = await newAccount(client, member.id, body);
    await plantPaymentSettings(app, live(), { secretKey: 'sk_live_x' });
    const byVendor = await newAccount(client, member.id, body);
    expect(byVendor.id).not.toBe(byHand.id);
    expect([byHand.sharedWithOthers, byVendor.sharedWithOthers]).toEqual([false, false]);
  });
});

test('an account that was rejected cannot become primary', async () => {
  await newAccount(client, member.id);
  provisioningBy(reach('rejected'));
  const { id } = await newAccount(client, member.id);
  const answer = await client.patch(accountsPath(member.id, id), { isPrimary: true });
  expect([answer.status, answer.body.code]).toEqual([409, 'STATE_CONFLICT']);
});

test('deactivating takes it out of the hands of the provisioning', async () => {
  const { id } = await newAccount(client, member.id);
  await app.http.delete(accountsPath(member.id, id)).set('x-tenant-api-key', tenant.liveKey);
  expect(await storedRow(id)).toMatchObject({ status: 'deactivated', check_at: null, bank_sealed: null });
});

describe("the member's agreement to the terms", () => {
  const acceptedAt = '2026-01-31T12:00:00Z';

  test('is the one that was recorded', async () => {
    const { id } = await newAccount(
      client,
      member.id,
      sepaAccount(undefined, { tosAcceptance: { acceptedAt, ip: '2001:db8::7', userAgent: 'Browser' } }),
    );
    const expected = { acceptedAt, ip: '2001:db8::7', userAgent: 'Browser', source: 'body' };
    expect((await storedRow(id))['tos_acceptance']).toEqual(expected);
  });

  test("is the request's own without one, and the log says so", async () => {
    const before = Date.now();
    const { accessToken } = await plantSession(app, live(), member.id);
    const headers = { authorization: `Bearer ${accessToken}`, 'user-agent': 'x'.repeat(600) };
    const { body } = await client.post(accountsPath(member.id), sepaAccount(), headers);
    const tos = (await storedRow(body.id))['tos_acceptance'] as Record<string, string>;
    expect(tos).toMatchObject({ ip: expect.stringMatching(/127\.0\.0\.1$/), userAgent: 'x'.repeat(500), source: 'request' });
    expect(Date.parse(tos['acceptedAt'] ?? '')).toBeGreaterThanOrEqual(before - 1);
    const { data } = (await client.get(`/api/v1/admin/audit-logs?objectId=${body.id}`)).body;
    expect(data[0].details.tosSource).toBe('request');
  });

  test.each<[string, object]>([
    ['in the future', { acceptedAt: new Date(Date.now() + 60_000).toISOString() }],
    ['before there were terms', { acceptedAt: '2009-12-31T23:59:59Z' }],
    ['at no address', { ip: 'localhost' }],
    ['at an address with a zone', { ip: '1.2.3.4:80' }],
    ['without an address', { ip: undefined }],
    ['with more', { place: 'x' }],
  ])('is refused %s', async (_label, fields) => {
    const answer = await create(sepaAccount(newIban(), { tosAcceptance: { acceptedAt, ip: '1.2.3.4', ...fields } }));
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(await accounts()).toEqual([]);
  });

  test('is not kept where the tenant pays by itself: there are no terms', async () => {
    await plantPaymentSettings(app, live(), { provider: 'manual' });
    const body = sepaAccount(undefined, { tosAcceptance: { acceptedAt, ip: '1.2.3.4' } });
    const { id } = await newAccount(client, member.id, body);
    expect((await storedRow(id))['tos_acceptance']).toBeNull();
  });
});
