/** The fake payment vendor holds the real client to what the real vendor demands. */
import { Stripe } from 'stripe';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakePaymentVendor, startFakePaymentVendor } from '../../support/payments/fake-payment-vendor.ts';

let vendor: FakePaymentVendor;
let stripe: Stripe;
const started: FakePaymentVendor[] = [];

function clientOf(key: string, retries = 0): Stripe {
  const { hostname, port } = new URL(vendor.url);
  return new Stripe(key, {
    apiVersion: '2026-10-28.endive',
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries: retries,
    telemetry: false,
  });
}

const person: Stripe.AccountCreateParams = {
  country: 'US',
  email: 'a@example.com',
  business_type: 'individual',
  controller: {
    stripe_dashboard: { type: 'none' },
    fees: { payer: 'application' },
    losses: { payments: 'application' },
    requirement_collection: 'application',
  },
  capabilities: { transfers: { requested: true } },
  individual: {
    first_name: 'A',
    last_name: 'B',
    ssn_last_4: '0000',
    dob: { day: 1, month: 1, year: 1990 },
    address: { line1: '1 Street', city: 'Austin', state: 'TX', postal_code: '78701', country: 'US' },
  },
  tos_acceptance: { date: 1_700_000_000, ip: '203.0.113.7' },
  metadata: { user_id: 'u1' },
};
const bank = (number = '000123456789'): Stripe.AccountCreateExternalAccountParams => ({
  external_account: {
    object: 'bank_account',
    country: 'US',
    currency: 'usd',
    routing_number: '110000000',
    account_number: number,
    account_holder_name: 'A B',
  },
});

beforeEach(async () => {
  vendor = await startFakePaymentVendor();
  started.push(vendor);
  stripe = clientOf(vendor.account.secretKey);
});

afterAll(() => {
  for (const one of started) one.close();
});

async function fundedAccount(number?: string): Promise<{ account: string; bankAccount: string; transfer: string }> {
  const account = await stripe.accounts.create(person);
  const { id: bankAccount } = await stripe.accounts.createExternalAccount(account.id, bank(number));
  const order = { amount: 500, currency: 'usd', destination: account.id, transfer_group: 'p1', metadata: { payout_id: 'p1' } };
  const { id: transfer } = await stripe.transfers.create(order);
  return { account: account.id, bankAccount, transfer };
}

const sendTo = (account: string, destination: string, amount = 500): Promise<Stripe.Payout> =>
  stripe.payouts.create({ amount, currency: 'usd', destination, metadata: { payout_id: 'p1' } }, { stripeAccount: account });

describe('accounts', () => {
  test('an account needs a bank account before it is active', async () => {
    const account = await stripe.accounts.create(person);
    expect(account).toMatchObject({
      capabilities: { transfers: 'inactive' },
      requirements: { currently_due: ['external_account'] },
    });
    await stripe.accounts.createExternalAccount(account.id, bank());
    expect(await stripe.accounts.retrieve(account.id)).toMatchObject({
      capabilities: { transfers: 'active' },
      requirements: { currently_due: [], disabled_reason: null },
    });
    const { data } = await stripe.accounts.listExternalAccounts(account.id, { object: 'bank_account', limit: 100 });
    expect(data).toMatchObject([{ last4: '6789', routing_number: '110000000' }]);
  });

  test.each([
    ['an unknown parameter', { ...person, sort_code: '1' }, 'parameter_unknown', 'sort_code'],
    ['a country it does not serve', { ...person, country: 'KP' }, 'country_unsupported', 'country'],
    ['a country beyond its approval', { ...person, country: 'TH' }, 'country_unsupported', 'country'],
    ['no acceptance of the terms', { ...person, tos_acceptance: {} }, 'parameter_missing', 'tos_acceptance[date]'],
  ])('%s is refused', async (_name, params, code, param) => {
    await expect(stripe.accounts.create(params as Stripe.AccountCreateParams)).rejects.toMatchObject({
      code,
      param,
      statusCode: 400,
    });
    expect(vendor.accounts.size).toBe(0);
  });

  test('both walls stand', async () => {
    const recipient = { ...person, tos_acceptance: { ...person.tos_acceptance, service_agreement: 'recipient' } };
    await expect(stripe.accounts.create(recipient)).rejects.toThrow(/recipient ToS agreement is not supported/);
    vendor.platform.transfersOnly = false;
    await expect(stripe.accounts.create(person)).rejects.toThrow(/platform needs approval/);
  });

  test('another key, and an account of nobody', async () => {
    await expect(clientOf('sk_test_other').accounts.create(person)).rejects.toBeInstanceOf(
      Stripe.errors.StripeAuthenticationError,
    );
    await expect(stripe.accounts.retrieve('acct_none')).rejects.toMatchObject({ code: 'account_invalid', statusCode: 403 });
  });
});

describe('idempotency keys', () => {
  test('a repeat is answered as before, another body refused, a forgotten key done again', async () => {
    const first = await stripe.accounts.create(person, { idempotencyKey: 'k' });
    const again = await stripe.accounts.create(person, { idempotencyKey: 'k' });
    expect([again.id, again.lastResponse.headers['idempotent-replayed']]).toEqual([first.id, 'true']);
    await expect(stripe.accounts.create({ ...person, email: 'b@example.com' }, { idempotencyKey: 'k' })).rejects.toBeInstanceOf(
      Stripe.errors.StripeIdempotencyError,
    );
    vendor.forgetKeys();
    await stripe.accounts.create(person, { idempotencyKey: 'k' });
    expect(vendor.accounts.size).toBe(2);
  });

  test('one that is in use is refused meanwhile', async () => {
    vendor.failNext(/./, { delayMs: 100 });
    const [first, second] = await Promise.allSettled([
      stripe.accounts.create(person, { idempotencyKey: 'k' }),
      stripe.accounts.create(person, { idempotencyKey: 'k' }),
    ]);
    const refused = [first, second].find(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({ reason: { code: 'idempotency_key_in_use', statusCode: 409 } });
    expect(vendor.accounts.size).toBe(1);
  });

  test.each(['lost', 'twice', 'drop'] as const)(
    'an answer that is %s has one effect with a client that repeats',
    async (fault) => {
      vendor.failNext(/./, fault);
      await clientOf(vendor.account.secretKey, 2).accounts.create(person, { idempotencyKey: 'k' });
      expect(vendor.accounts.size).toBe(1);
    },
  );
});

describe('money', () => {
  test('a transfer credits the account, its payout debits it, and more than there is is refused', async () => {
    const { account, bankAccount, transfer } = await fundedAccount();
    await expect(sendTo(account, bankAccount, 501)).rejects.toMatchObject({ code: 'balance_insufficient' });
    const payout = await sendTo(account, bankAccount);
    expect(payout.status).toBe('pending');
    await expect(stripe.transfers.createReversal(transfer)).rejects.toMatchObject({ code: 'balance_insufficient' });
    expect(vendor.settlePayouts()).toEqual([payout.id]);
    expect(await stripe.payouts.retrieve(payout.id, {}, { stripeAccount: account })).toMatchObject({ status: 'paid' });
    expect(vendor.effectsOf('p1')).toMatchObject({ transfers: 1, payouts: 1 });
  });

  test('a payout to a closed account fails, and the transfer can be taken back once', async () => {
    const { account, bankAccount, transfer } = await fundedAccount('000111111113');
    const payout = await sendTo(account, bankAccount);
    vendor.settlePayouts();
    expect(vendor.payouts.get(payout.id)).toMatchObject({ status: 'failed', failure_code: 'account_closed' });
    await stripe.transfers.createReversal(transfer);
    await expect(stripe.transfers.createReversal(transfer)).rejects.toThrow(/already fully reversed/);
    expect(vendor.effectsOf('p1')).toEqual({ transfers: 0, payouts: 0, made: { transfers: 1, payouts: 1, reversals: 1 } });
  });

  test('lists page from the newest', async () => {
    const { account } = await fundedAccount();
    for (let n = 0; n < 4; n++)
      await stripe.transfers.create({ amount: 1, currency: 'usd', destination: account, transfer_group: 'p2' });
    const pages: string[] = [];
    for await (const { id } of stripe.transfers.list({ destination: account, limit: 2 })) pages.push(id);
    expect(pages).toEqual([...vendor.transfers.keys()].toReversed());
    expect((await stripe.transfers.list({ transfer_group: 'p2' })).data).toHaveLength(4);
  });

  test('a tenant without funds cannot transfer', async () => {
    const { account } = await fundedAccount();
    vendor.platformBalance.set('usd', 99);
    await expect(stripe.transfers.create({ amount: 100, currency: 'usd', destination: account })).rejects.toMatchObject({
      code: 'balance_insufficient',
    });
  });
});

test('events are signed as the vendor signs them, and tell what has happened', async () => {
  const { account, bankAccount } = await fundedAccount();
  await sendTo(account, bankAccount);
  vendor.settlePayouts();
  expect(vendor.happened.map(({ type }) => type)).toEqual([
    'account.external_account.created',
    'account.updated',
    'transfer.created',
    'payout.created',
    'payout.paid',
  ]);
  const [platformSecret, connectSecret] = vendor.account.webhookSecrets;
  const [created, , transfer] = vendor.happened;
  const read = (delivery: typeof created, secret: string): Stripe.Event =>
    stripe.webhooks.constructEvent(delivery?.body ?? '', delivery?.headers['payvendor-signature'] ?? '', secret);
  expect(read(created, connectSecret)).toMatchObject({ account, data: { object: { id: bankAccount } } });
  expect(read(transfer, platformSecret)).not.toHaveProperty('account');
  expect(() => read(transfer, connectSecret)).toThrow(Stripe.errors.StripeSignatureVerificationError);
});
