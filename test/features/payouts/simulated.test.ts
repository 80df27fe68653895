/** The payment vendor of a SANDBOX without an account: what becomes of an account number, and of payouts to it. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { createCipher } from '../../../src/encryption.ts';
import { createPaymentSettingsReader } from '../../../src/features/payouts/settings/payment-settings.ts';
import { createPaymentVendors, type TenantVendor } from '../../../src/features/payouts/settings/payment-vendors.ts';
import { payouts } from '../../../src/features.ts';
import { createPayvendor } from '../../../src/vendors/payments/payvendor.ts';
import { isSimulated, SIMULATED_NUMBERS } from '../../../src/vendors/payments/simulated.ts';
import { createVendorClients } from '../../../src/vendors/payments/vendor-clients.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { type FakePaymentVendor, startFakePaymentVendor } from '../../support/payments/fake-payment-vendor.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { factsOf, newPayee, plantPayoutAccount } from '../../support/payments/plant-payout-account.ts';

let app: TestApp;
let vendor: FakePaymentVendor;
let sandbox: Scope;
let client: ApiClient;

beforeAll(async () => {
  vendor = await startFakePaymentVendor();
  app = await startTestApp({ OUTGOING_ALLOWED_HOSTS: vendor.host });
  const tenant = await app.newTenant();
  sandbox = { tenantId: tenant.tenantId, environment: 'SANDBOX' };
  client = apiClient(app, tenant.sandboxKey);
  await plantPaymentSettings(app, sandbox);
});
afterAll(async () => {
  await app.close();
  vendor.close();
});

function vendorOf(scope: Scope): Promise<TenantVendor> {
  const { frames, logger } = app.composition;
  const settings = createPaymentSettingsReader({ frames, cipher: createCipher(app.config.secrets.dataKeys) });
  const clients = createVendorClients({ checkBaseUrl: () => undefined });
  return createPaymentVendors({ settings, frames, payvendor: createPayvendor({ clients, logger }) }).of(scope);
}

async function provisioned(accountNumber: string): Promise<{ id: string; facts: Awaited<ReturnType<typeof factsOf>> }> {
  const id = await plantPayoutAccount(app, sandbox, await newPayee(client), { accountNumber });
  await app.composition.offer(payouts).provisioner.provision(sandbox, id);
  return { id, facts: await factsOf(app, id) };
}

describe('an account', () => {
  test.each([
    ['000123456789', 'active', null, false],
    ['000000000002', 'action_required', 'requirements.past_due', false],
    ['000000000005', 'provisioning', 'The payment provider cannot be reached now; try again later', true],
    ['000000000006', 'rejected', 'bankAccount.accountNumber is not an account number of that country', false],
  ])('with the number %s is %s', async (accountNumber, status, reason, isDue) => {
    const { facts } = await provisioned(accountNumber);
    expect(facts).toMatchObject({ status, status_reason: reason, is_due: isDue });
    expect(facts.has_details).toBe(isDue);
  });

  test('every number that is described does something of its own', () => {
    expect(Object.keys(SIMULATED_NUMBERS)).toEqual(['0001', '0002', '0003', '0004', '0005', '0006']);
  });

  test('in LIVE there is no simulated vendor', async () => {
    const live: Scope = { ...sandbox, environment: 'LIVE' };
    await plantPaymentSettings(app, live);
    await expect(vendorOf(live)).rejects.toMatchObject({ code: 'PROVIDER_CONFIGURATION', details: { reason: 'no_account' } });
  });
});

describe('a payout', () => {
  test.each([
    ['000123456789', 'paid', null],
    ['000000000001', 'in_transit', null],
    ['000000000003', 'failed', 'account_closed'],
    ['000000000004', 'paid', null],
  ])('to the number %s is %s', async (accountNumber, status, failureCode) => {
    const { facts } = await provisioned(accountNumber);
    const simulated = await vendorOf(sandbox);
    expect(simulated.simulated).toBe(true);
    const order = {
      connectedAccountId: facts.acct ?? '',
      currency: 'USD',
      amountMinor: 100n,
      metadata: { payout_id: randomUUID(), attempt: '1' },
      idempotencyKey: 'k',
    };
    const send = () => simulated.createPayout({ ...order, bankAccountId: facts.external_account_id ?? '' });
    const transfer = await simulated.createTransfer(order);
    const payout = await send();
    expect(payout.status).toBe('pending');
    expect(await send()).toEqual(payout);
    expect(await simulated.createTransfer(order)).toEqual(transfer);
    const again = await send();
    expect(again.id.length).toBeLessThanOrEqual(255);
    expect(await simulated.readPayout(order.connectedAccountId, payout.id)).toEqual({ id: payout.id, status, failureCode });
    expect([transfer.id, payout.id, order.connectedAccountId].every(isSimulated)).toBe(true);
    expect(await simulated.readPayout(order.connectedAccountId, 'po_real')).toBeUndefined();
  });
});

test('a tenant that comes to have an account of its own: what the simulated vendor made is made there', async () => {
  const memberId = await newPayee(client);
  const first = await plantPayoutAccount(app, sandbox, memberId);
  const { provisioner } = app.composition.offer(payouts);
  await provisioner.provision(sandbox, first);
  expect(isSimulated((await factsOf(app, first)).acct ?? '')).toBe(true);
  await plantPaymentSettings(app, sandbox, vendor.account);
  try {
    const second = await plantPayoutAccount(app, sandbox, memberId, { accountNumber: '000999999999' });
    await provisioner.provision(sandbox, second);
    const facts = await factsOf(app, second);
    expect(facts.status).toBe('active');
    expect(facts.acct).toBe(vendor.accountOf(memberId)?.id);
    expect(await factsOf(app, first)).toMatchObject({
      status: 'rejected',
      status_reason: 'The provider that had this bank account is no longer used',
    });
  } finally {
    await plantPaymentSettings(app, sandbox);
  }
});
