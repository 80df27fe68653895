/** Accounts on their way to the payment vendor: once each, whatever is lost, repeated or refused on the way. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { payouts } from '../../../src/features.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startApiProcess } from '../../support/app/model-process.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { type FakePaymentVendor, startFakePaymentVendor } from '../../support/payments/fake-payment-vendor.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import {
  factsOf,
  newPayee,
  type PlantedAccount,
  plantPayoutAccount,
  US_PROFILE,
} from '../../support/payments/plant-payout-account.ts';

let app: TestApp;
let vendor: FakePaymentVendor;
let tenant: TestTenant;
let client: ApiClient;
let live: Scope;

beforeAll(async () => {
  vendor = await startFakePaymentVendor();
  app = await startTestApp({ OUTGOING_ALLOWED_HOSTS: vendor.host });
});
afterAll(async () => {
  await app.close();
  vendor.close();
});
beforeEach(async () => {
  // What the tests before have left open would come due in the midst of this one.
  await app.database.asSuperuser("update payout_account set check_at = now() + interval '1 day' where check_at is not null");
  vendor.accounts.clear();
  vendor.requests.length = 0;
  vendor.forgetKeys();
  vendor.duplicateBankAccounts = 'made';
  Object.assign(vendor.platform, { country: 'US', transfersOnly: true });
  tenant = await app.newTenant();
  live = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
  await plantPaymentSettings(app, live, vendor.account);
});

const provision = (id: string, scope = live): Promise<void> => app.composition.offer(payouts).provisioner.provision(scope, id);

async function newAccount(fields: PlantedAccount = {}, profile: object = {}): Promise<{ id: string; memberId: string }> {
  const memberId = await newPayee(client, profile);
  return { memberId, id: await plantPayoutAccount(app, live, memberId, fields) };
}

const countAtVendor = (): [accounts: number, bankAccounts: number] => [
  vendor.accounts.size,
  [...vendor.accounts.values()].reduce((sum, { bankAccounts }) => sum + bankAccounts.length, 0),
];

describe('an account that goes through', () => {
  test('is active, has no bank details left, and the vendor knows whose it is', async () => {
    const { id, memberId } = await newAccount();
    await provision(id);
    const facts = await factsOf(app, id);
    expect(facts).toMatchObject({
      status: 'active',
      status_reason: null,
      bank_name: 'FAKE TEST BANK',
      display_name: 'FAKE TEST BANK •••• 6789',
      has_details: false,
      is_activated: true,
      is_due: false,
      provider_status: 'active',
    });
    const account = vendor.accountOf(memberId);
    expect(account?.id).toBe(facts.acct);
    expect(account).toMatchObject({
      country: 'US',
      agreement: 'full',
      metadata: { tenant_id: tenant.tenantId, environment: 'LIVE', user_id: memberId },
      individual: {
        first_name: 'Ada',
        last_name: 'Lovelace',
        id_number: '000000000',
        dob: { year: '1990', month: '2', day: '1' },
        address: {
          line1: '1 Main Street',
          line2: 'Flat 2, Downtown',
          city: 'Austin',
          state: 'TX',
          postal_code: '78701',
          country: 'US',
        },
      },
    });
    expect(account?.bankAccounts).toMatchObject([
      { id: facts.external_account_id, metadata: { payout_account_id: id, attempt: '1' } },
    ]);
    const actions = await app.database.asSuperuser<{ action: string }>(
      'select action from audit_log where object_id = $1 order by id',
      [id],
    );
    expect(actions.map(({ action }) => action)).toEqual(['provider_account.created', 'payout_account.active']);
  });

  test('asked again the vendor is only asked how it stands', async () => {
    const { id } = await newAccount();
    await provision(id);
    const before = vendor.requests.length;
    vendor.tellAccount([...vendor.accounts.keys()][0] ?? '', { disabled_reason: 'under_review' });
    await provision(id);
    expect(vendor.requests.slice(before)).toEqual([`GET /v1/accounts/${(await factsOf(app, id)).acct}`]);
    expect(await factsOf(app, id)).toMatchObject({
      status: 'action_required',
      status_reason: 'under_review',
      provider_status: 'restricted',
    });
  });

  test('ten at once make one of each', async () => {
    const { id } = await newAccount();
    vendor.delayMs = 20;
    await Promise.all(Array.from({ length: 10 }, () => provision(id)));
    vendor.delayMs = 0;
    await provision(id);
    expect(await factsOf(app, id)).toMatchObject({ status: 'active' });
    expect(countAtVendor()).toEqual([1, 1]);
  });

  test('a second account of the member in the country is a bank account more', async () => {
    const { id, memberId } = await newAccount();
    await provision(id);
    const second = await plantPayoutAccount(app, live, memberId, { accountNumber: '000999999999' });
    await provision(second);
    expect(countAtVendor()).toEqual([1, 2]);
    expect((await factsOf(app, second)).acct).toBe((await factsOf(app, id)).acct);
  });

  test('two accounts of the member at once, with other terms each, make one account at the vendor', async () => {
    const { id, memberId } = await newAccount();
    const second = await plantPayoutAccount(app, live, memberId, { accountNumber: '000999999999', tosIp: '198.51.100.9' });
    vendor.failNext(/POST \/v1\/accounts$/, { delayMs: 400 });
    await Promise.all([provision(id), provision(second)]);
    await Promise.all([provision(id), provision(second)]);
    expect(countAtVendor()).toEqual([1, 2]);
    expect(await factsOf(app, second)).toMatchObject({ status: 'active' });
  });

  test('a country beyond the region is under the recipient agreement', async () => {
    const address = { addressLine1: '1 Queen Road', city: 'Central', district: 'Island' };
    const { id, memberId } = await newAccount(
      { country: 'HK', currency: 'HKD', bankCode: '004', branchCode: '001' },
      { countryCode: 'HKG', address },
    );
    await provision(id);
    expect(await factsOf(app, id)).toMatchObject({ status: 'active' });
    expect(vendor.accountOf(memberId)).toMatchObject({ agreement: 'recipient' });
  });

  test('what another tenant or environment asks for does nothing', async () => {
    const { id } = await newAccount();
    const other = await app.newTenant();
    await provision(id, { tenantId: other.tenantId, environment: 'LIVE' });
    await provision(id, { ...live, environment: 'SANDBOX' });
    expect(await factsOf(app, id)).toMatchObject({ status: 'provisioning', acct: null });
    expect(vendor.requests).toEqual([]);
  });
});

describe('what is lost on the way', () => {
  test.each([
    ['the account', /POST \/v1\/accounts$/],
    ['the bank account', /POST \/v1\/accounts\/.*external_accounts$/],
  ])('the answer about %s: one of each', async (_name, matching) => {
    const { id } = await newAccount();
    vendor.failNext(matching, 'lost', 'lost', 'lost');
    await provision(id);
    expect(await factsOf(app, id)).toMatchObject({
      status: 'provisioning',
      status_reason: 'The payment provider cannot be reached now; try again later',
      is_due: true,
      has_details: true,
    });
    await provision(id);
    expect(await factsOf(app, id)).toMatchObject({ status: 'active' });
    expect(countAtVendor()).toEqual([1, 1]);
  });

  test('and the key is forgotten: what was made is found', async () => {
    const { id } = await newAccount();
    vendor.failNext(/POST \/v1\/accounts$/, 'lost', 'lost', 'lost');
    await provision(id);
    await app.database.asSuperuser(
      "update provider_account set requested_at = now() - interval '24 hours' where tenant_id = $1",
      [tenant.tenantId],
    );
    vendor.forgetKeys();
    vendor.failNext(/POST .*external_accounts$/, 'lost', 'lost', 'lost');
    await provision(id);
    vendor.forgetKeys();
    await provision(id);
    expect(await factsOf(app, id)).toMatchObject({ status: 'active' });
    expect(countAtVendor()).toEqual([1, 1]);
  });

  test('and the profile changes meanwhile: what was made is found', async () => {
    const { id, memberId } = await newAccount();
    vendor.failNext(/POST \/v1\/accounts$/, 'lost', 'lost', 'lost');
    await provision(id);
    await client.patch(`/api/v1/members/${memberId}/profile`, { surname: 'King' });
    await provision(id);
    expect(await factsOf(app, id)).toMatchObject({ status: 'provisioning', acct: null });
    await app.database.asSuperuser('update provider_account set claimed_until = now() where tenant_id = $1', [tenant.tenantId]);
    await provision(id);
    expect(await factsOf(app, id)).toMatchObject({ status: 'active' });
    expect(countAtVendor()).toEqual([1, 1]);
  });

  describe('and another request follows: what was made is looked for until it is known', () => {
    const SEARCH = /^GET \/v1\/accounts\?/;
    const lapse = () =>
      app.database.asSuperuser('update provider_account set claimed_until = now() where tenant_id = $1', [tenant.tenantId]);

    /** The first request has made the account, or has not come through, and nobody knows. Another profile is another request. */
    async function unknown(fault: 'lost' | 'drop'): Promise<{ id: string; memberId: string }> {
      const account = await newAccount({ dueIn: 0 });
      vendor.failNext(/POST \/v1\/accounts$/, fault, fault, fault);
      await provision(account.id);
      await client.patch(`/api/v1/members/${account.memberId}/profile`, { surname: 'King' });
      await lapse();
      return account;
    }

    test('the search fails', async () => {
      const { id } = await unknown('lost');
      vendor.failNext(SEARCH, 'drop', 'drop', 'drop');
      await provision(id);
      expect(await factsOf(app, id)).toMatchObject({ status: 'provisioning', acct: null });
      await provision(id);
      expect(await factsOf(app, id)).toMatchObject({ status: 'active' });
      expect(countAtVendor()).toEqual([1, 1]);
    });

    test('the search is refused', async () => {
      const { id } = await unknown('lost');
      vendor.failNext(SEARCH, { status: 400, error: { type: 'invalid_request_error', message: 'told to' } });
      await provision(id);
      expect(await factsOf(app, id)).toMatchObject({ status: 'provisioning', acct: null });
      await provision(id);
      expect(await factsOf(app, id)).toMatchObject({ status: 'active' });
      expect(countAtVendor()).toEqual([1, 1]);
    });

    test('the process dies before its search', async () => {
      const { id } = await unknown('lost');
      const env = {
        FAULT_POINTS: 'provision:claimed=kill',
        JOBS: 'inline',
        SWEEP_INTERVAL_MS: '100',
        OUTGOING_ALLOWED_HOSTS: vendor.host,
      };
      const doomed = await startApiProcess(app, env);
      expect(await doomed.ended).toBe('SIGKILL');
      await app.database.asSuperuser("update pgboss.job set state = 'cancelled' where name = 'provision-payout-account'");
      await provision(id);
      expect(await factsOf(app, id)).toMatchObject({ status: 'active' });
      expect(countAtVendor()).toEqual([1, 1]);
    });

    test('another account of the member is opened, with other terms, and its search fails', async () => {
      const { id, memberId } = await newAccount();
      vendor.failNext(/POST \/v1\/accounts$/, 'lost', 'lost', 'lost');
      await provision(id);
      await lapse();
      const second = await plantPayoutAccount(app, live, memberId, { accountNumber: '000999999999', tosIp: '198.51.100.9' });
      vendor.failNext(SEARCH, 'drop', 'drop', 'drop');
      await provision(second);
      await provision(second);
      await provision(id);
      expect((await factsOf(app, second)).acct).toBe((await factsOf(app, id)).acct);
      expect(countAtVendor()).toEqual([1, 2]);
    });

    test('the search outlasts the claim, and another request makes the account meanwhile', async () => {
      const { id, memberId } = await unknown('drop');
      const second = await plantPayoutAccount(app, live, memberId, { accountNumber: '000999999999', tosIp: '198.51.100.9' });
      let other: Promise<void> | undefined;
      vendor.meanwhile = async (request) => {
        if (other || !SEARCH.test(request)) return;
        await lapse();
        vendor.failNext(/POST \/v1\/accounts$/, { delayMs: 400 });
        const before = vendor.requests.length;
        other = provision(second);
        await expect.poll(() => vendor.requests.slice(before), { timeout: 60_000 }).toContain('POST /v1/accounts');
      };
      await provision(id);
      vendor.meanwhile = undefined;
      await other;
      expect(vendor.accounts.size).toBe(1);
      expect(await factsOf(app, second)).toMatchObject({ status: 'active' });
      await provision(id);
      expect((await factsOf(app, id)).acct).toBe((await factsOf(app, second)).acct);
      expect(countAtVendor()).toEqual([1, 2]);
    });

    test('it was not made: once it was looked for, the request is as any other', async () => {
      const { id } = await unknown('drop');
      vendor.failNext(/POST \/v1\/accounts$/, 'lost', 'lost', 'lost');
      await provision(id);
      const before = vendor.requests.length;
      await provision(id);
      expect(vendor.requests.slice(before).filter((request) => SEARCH.test(request))).toEqual([]);
      expect(await factsOf(app, id)).toMatchObject({ status: 'active' });
      expect(countAtVendor()).toEqual([1, 1]);
    });

    test('a refusal that comes late does not end the claim of another request', async () => {
      const { id, memberId } = await newAccount();
      const second = await plantPayoutAccount(app, live, memberId, { accountNumber: '000999999999', tosIp: '198.51.100.9' });
      let isFirst = true;
      vendor.meanwhile = async (request) => {
        if (!isFirst || request !== 'POST /v1/accounts') return;
        isFirst = false;
        await lapse();
        vendor.failNext(/POST \/v1\/accounts$/, 'lost', 'lost', 'lost');
        await provision(second);
        const message = 'Your platform needs approval';
        vendor.failNext(/POST \/v1\/accounts$/, { status: 400, error: { type: 'invalid_request_error', message } });
      };
      await provision(id);
      vendor.meanwhile = undefined;
      await provision(second);
      await provision(id);
      expect((await factsOf(app, second)).acct).toBe((await factsOf(app, id)).acct);
      expect(countAtVendor()).toEqual([1, 2]);
    });
  });

  test.each([
    'provision:claimed',
    'provision:account-made',
    'provision:account-stored',
    'provision:bank-made',
    'provision:bank-stored',
  ])('the process itself, at %s: the sweep goes on, one of each', async (point) => {
    const { id } = await newAccount({ dueIn: 0 });
    const env = { FAULT_POINTS: `${point}=kill`, JOBS: 'inline', SWEEP_INTERVAL_MS: '100', OUTGOING_ALLOWED_HOSTS: vendor.host };
    const doomed = await startApiProcess(app, env);
    expect(await doomed.ended).toBe('SIGKILL');
    expect((await factsOf(app, id)).status).toBe('provisioning');
    // The job of the process that died is left alone: what counts is that anybody can go on.
    await app.database.asSuperuser("update pgboss.job set state = 'cancelled' where name = 'provision-payout-account'");
    await provision(id);
    expect(await factsOf(app, id)).toMatchObject({ status: 'active', has_details: false });
    expect(countAtVendor()).toEqual([1, 1]);
  });
});

test('a worker takes up what is due, and asks again later while the vendor is away', async () => {
  const { id } = await newAccount({ dueIn: 0 });
  const worker = await startApiProcess(app, { JOBS: 'inline', SWEEP_INTERVAL_MS: '100', OUTGOING_ALLOWED_HOSTS: vendor.host });
  try {
    vendor.failNext(/./, ...Array.from({ length: 3 }, () => 'drop' as const));
    await expect.poll(async () => (await factsOf(app, id)).status_reason, { timeout: 15_000 }).toContain('cannot be reached');
    expect(await factsOf(app, id)).toMatchObject({ status: 'provisioning', checks: 1, is_due: true });
    await app.database.asSuperuser('update payout_account set check_at = now() where id = $1', [id]);
    await expect.poll(async () => (await factsOf(app, id)).status, { timeout: 15_000 }).toBe('active');
    expect(await factsOf(app, id)).toMatchObject({ checks: 0, is_due: false });
    expect(countAtVendor()).toEqual([1, 1]);
  } finally {
    await worker.stop();
  }
});

test('one that is gone at the vendor is made anew without a search: what was stored is settled', async () => {
  const { id, memberId } = await newAccount();
  await provision(id);
  await app.database.asSuperuser("update provider_account set status = 'gone' where tenant_id = $1", [tenant.tenantId]);
  await app.database.asSuperuser("update payout_account set status = 'deactivated', is_primary = false where id = $1", [id]);
  const second = await plantPayoutAccount(app, live, memberId, { accountNumber: '000999999999' });
  vendor.requests.length = 0;
  await provision(second);
  expect(vendor.requests.filter((request) => request.startsWith('GET /v1/accounts?'))).toEqual([]);
  expect(vendor.requests.filter((request) => request === 'POST /v1/accounts')).toHaveLength(1);
  expect(await factsOf(app, second)).toMatchObject({ status: 'active' });
});

describe('what the vendor refuses', () => {
  test('the bank account: rejected, in words for the field', async () => {
    const { id } = await newAccount({ routingNumber: '12345' });
    await provision(id);
    expect(await factsOf(app, id)).toMatchObject({
      status: 'rejected',
      status_reason: 'bankAccount.routingNumber is not known to the payment provider',
      has_details: false,
      is_due: false,
    });
    expect(app.logLines.join('\n')).not.toContain('Invalid routing number');
  });

  test('the person: rejected; corrected, another account goes through', async () => {
    const { id, memberId } = await newAccount({}, { idNumber: '12345' });
    await provision(id);
    expect(await factsOf(app, id)).toMatchObject({
      status: 'rejected',
      status_reason: 'idNumber is not an ID number of that country',
    });
    await client.patch(`/api/v1/members/${memberId}/profile`, { idNumber: '000000000' });
    const again = await plantPayoutAccount(app, live, memberId);
    await provision(again);
    expect(await factsOf(app, again)).toMatchObject({ status: 'active' });
    expect(countAtVendor()).toEqual([1, 1]);
  });

  test('the tenant, by either wall or by its key: it goes on once that is put right', async () => {
    const { id } = await newAccount();
    vendor.platform.transfersOnly = false;
    await provision(id);
    const stalled = {
      status: 'provisioning',
      status_reason: 'The payment provider cannot be used as it is set up',
      is_due: true,
    };
    expect(await factsOf(app, id)).toMatchObject(stalled);
    vendor.platform.transfersOnly = true;
    await plantPaymentSettings(app, live, { ...vendor.account, secretKey: 'sk_test_other' });
    await provision(id);
    expect(await factsOf(app, id)).toMatchObject(stalled);
    expect(app.logLines.join('\n')).not.toContain('sk_test_other');
    await plantPaymentSettings(app, live, vendor.account);
    await provision(id);
    expect(await factsOf(app, id)).toMatchObject({ status: 'active' });
  });

  test('a bank account that it has of the member already is taken over', async () => {
    vendor.duplicateBankAccounts = 'refused';
    const { id, memberId } = await newAccount();
    await provision(id);
    const again = await plantPayoutAccount(app, live, memberId);
    await provision(again);
    expect((await factsOf(app, again)).external_account_id).toBe((await factsOf(app, id)).external_account_id);
  });
});

describe('what the vendor wants to know', () => {
  test('an identity document: the account needs action, with the reason', async () => {
    const { id } = await newAccount({}, { address: { ...US_PROFILE.address, addressLine1: 'address_no_match' } });
    await provision(id);
    expect(await factsOf(app, id)).toMatchObject({
      status: 'action_required',
      status_reason: 'requirements.past_due',
      has_details: false,
      is_activated: false,
      is_due: false,
    });
  });

  test('it takes its time: the account stays in provisioning, and the sweep asks later', async () => {
    const { id } = await newAccount({ dueIn: 0 });
    let told = false;
    vendor.meanwhile = async (request) => {
      if (told || !/^GET \/v1\/accounts\/acct_\w+$/.test(request)) return;
      told = true;
      vendor.tellAccount([...vendor.accounts.keys()][0] ?? '', { transfers: 'pending', disabled_reason: null });
    };
    await provision(id);
    vendor.meanwhile = undefined;
    expect(await factsOf(app, id)).toMatchObject({ status: 'provisioning', is_due: true, has_details: false });
    expect(await app.runSweep('provision-accounts', live)).toBe(1);
    expect(await app.runSweep('provision-accounts', live)).toBe(0);
    vendor.tellAccount([...vendor.accounts.keys()][0] ?? '', { transfers: 'active' });
    await provision(id);
    expect(await factsOf(app, id)).toMatchObject({ status: 'active', is_due: false });
  });

  test('a profile that lacks something names it, and goes on once it is there', async () => {
    const { id, memberId } = await newAccount();
    await client.patch(`/api/v1/members/${memberId}/profile`, { surname: null, address: { city: null } });
    await provision(id);
    expect(await factsOf(app, id)).toMatchObject({
      status: 'action_required',
      status_reason: 'The profile lacks or no longer has what the provider needs: surname, address.city',
      is_due: true,
    });
    expect(vendor.requests).toEqual([]);
    await client.patch(`/api/v1/members/${memberId}/profile`, { surname: 'L', address: { city: 'Austin' } });
    await provision(id);
    expect(await factsOf(app, id)).toMatchObject({ status: 'active' });
  });
});
