/**
 * The adapter of the payment vendor: what its calls do, and what its errors become.
 * Source: docs/specification/payouts.md#the-payment-vendor, docs/specification/payouts.md#vendor-errors.
 */
import { pino } from 'pino';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { findBaseUrlFault, PAYMENT_VENDOR_ORIGIN } from '../../../src/outgoing/address-form.ts';
import {
  type BankAccount,
  type ConnectedPerson,
  isRefusal,
  type MoneyOrder,
} from '../../../src/vendors/payments/payment-vendor.ts';
import { createPayvendor } from '../../../src/vendors/payments/payvendor.ts';
import type { VendorAccount } from '../../../src/vendors/payments/vendor-account.ts';
import { createVendorClients } from '../../../src/vendors/payments/vendor-clients.ts';
import { type FakePaymentVendor, startFakePaymentVendor } from '../../support/payments/fake-payment-vendor.ts';

let vendor: FakePaymentVendor;
let account: VendorAccount;
const started: FakePaymentVendor[] = [];
const logLines: string[] = [];
const logger = pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) });
const checkBaseUrl = (address: string) =>
  findBaseUrlFault(
    address,
    started.map(({ host }) => host),
    PAYMENT_VENDOR_ORIGIN,
  );
const payvendor = createPayvendor({ clients: createVendorClients({ checkBaseUrl }), logger });

beforeEach(async () => {
  vendor = await startFakePaymentVendor();
  started.push(vendor);
  logLines.length = 0;
  account = { ...vendor.account, platformCountry: 'US' };
});
afterAll(() => {
  for (const one of started) one.close();
});

const person: ConnectedPerson = {
  country: 'US',
  email: 'secret.person@example.com',
  givenName: 'Ada',
  surname: 'L',
  dateOfBirth: '1990-02-01',
  idNumber: '0000',
  address: { line1: '1 Main Street', line2: null, city: 'Austin', state: 'TX', postalCode: '78701', country: 'US' },
  tosAcceptance: { acceptedAt: new Date('2026-01-02'), ip: '203.0.113.7', userAgent: null },
  metadata: { user_id: 'm', country: 'US' },
};
const bank: BankAccount = {
  country: 'US',
  currency: 'USD',
  accountHolderName: 'Ada L',
  accountNumber: '000123456789',
  routingNumber: '110000000',
  fields: { accountNumber: ['accountNumber'], routingNumber: ['routingNumber'] },
  metadata: { payout_account_id: 'p' },
};

async function newAccount(number = bank.accountNumber): Promise<{ connectedAccountId: string; bankAccountId: string }> {
  const { id } = await payvendor.createConnectedAccount(account, person, 'acct:1');
  const stored = await payvendor.addBankAccount(account, id, { ...bank, accountNumber: number }, 'ba:1');
  return { connectedAccountId: id, bankAccountId: stored.id };
}
const orderOf = (connectedAccountId: string, amountMinor = 500n, key = 'tr:1'): MoneyOrder => ({
  connectedAccountId,
  currency: 'USD',
  amountMinor,
  metadata: { payout_id: 'x', attempt: '1' },
  idempotencyKey: key,
});

async function failureOf(call: Promise<unknown>): Promise<{ code: string; details: unknown; isRefusal: boolean }> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const { code, details } = error as { code: string; details: unknown };
  return { code, details, isRefusal: isRefusal(error) };
}

describe('accounts', () => {
  test('one is made, read, and found by what it was made for', async () => {
    const made = await payvendor.createConnectedAccount(account, person, 'acct:1');
    expect(made).toMatchObject({ status: 'restricted', transfers: 'inactive', requirements: ['external_account'] });
    await payvendor.addBankAccount(account, made.id, bank, 'ba:1');
    expect(await payvendor.readConnectedAccount(account, made.id)).toEqual({
      id: made.id,
      status: 'active',
      transfers: 'active',
      disabledReason: null,
      requirements: [],
    });
    const since = new Date(Date.now() - 60_000);
    const find = (metadata: Record<string, string>, from = since) =>
      payvendor.findConnectedAccount(account, { since: from, metadata });
    expect((await find({ user_id: 'm', country: 'US' }))?.id).toBe(made.id);
    expect(await find({ user_id: 'm', country: 'GB' })).toBeUndefined();
    expect(await find({ user_id: 'm' }, new Date(Date.now() + 60_000))).toBeUndefined();
    expect(await payvendor.readConnectedAccount(account, 'acct_none')).toBeUndefined();
  });

  test.each([
    [{ disabled_reason: 'rejected.fraud' }, 'rejected'],
    [{ disabled_reason: 'under_review' }, 'restricted'],
    [{ transfers: 'pending', currently_due: ['individual.id_number'], disabled_reason: null }, 'pending'],
    [{ transfers: 'active', currently_due: ['individual.id_number'], disabled_reason: null }, 'active'],
  ])('told %o it is %s', async (told, status) => {
    const { connectedAccountId } = await newAccount();
    vendor.tellAccount(connectedAccountId, told);
    expect(await payvendor.readConnectedAccount(account, connectedAccountId)).toMatchObject({ status });
  });

  test('a bank account of the same payout account is not made again, whatever became of the key', async () => {
    const { connectedAccountId, bankAccountId } = await newAccount();
    vendor.forgetKeys();
    expect(await payvendor.addBankAccount(account, connectedAccountId, bank, 'ba:2')).toMatchObject({
      id: bankAccountId,
      lastFour: '6789',
    });
    expect(vendor.accounts.get(connectedAccountId)?.bankAccounts).toHaveLength(1);
  });
});

describe('money', () => {
  test('a transfer and its payout, each found again, and only by its own attempt', async () => {
    const { connectedAccountId, bankAccountId } = await newAccount();
    const transfer = await payvendor.createTransfer(account, orderOf(connectedAccountId));
    const payout = await payvendor.createPayout(account, { ...orderOf(connectedAccountId, 500n, 'po:1'), bankAccountId });
    const of = { connectedAccountId, payoutId: 'x', attempt: 1 };
    expect(await payvendor.findTransfer(account, of)).toEqual(transfer);
    expect(await payvendor.findPayout(account, of)).toEqual(payout);
    for (const other of [
      { ...of, attempt: 2 },
      { ...of, payoutId: 'y' },
    ]) {
      expect(await payvendor.findTransfer(account, other)).toBeUndefined();
      expect(await payvendor.findPayout(account, other)).toBeUndefined();
    }
    vendor.settlePayouts();
    expect(await payvendor.readPayout(account, connectedAccountId, payout.id)).toEqual({
      id: payout.id,
      status: 'paid',
      failureCode: null,
    });
    expect(await payvendor.readPayout(account, connectedAccountId, 'po_none')).toBeUndefined();
  });

  test('a payout is found behind a hundred newer ones', async () => {
    const { connectedAccountId, bankAccountId } = await newAccount();
    await payvendor.createTransfer(account, orderOf(connectedAccountId, 5_000n));
    for (let attempt = 1; attempt <= 105; attempt++) {
      const metadata = { payout_id: 'x', attempt: String(attempt) };
      await payvendor.createPayout(account, { ...orderOf(connectedAccountId, 1n, `po:${attempt}`), metadata, bankAccountId });
    }
    const first = await payvendor.findPayout(account, { connectedAccountId, payoutId: 'x', attempt: 1 });
    expect(first?.id).toBe([...vendor.payouts.keys()][0]);
  });

  test('a transfer is taken back once, asked twice and with the key forgotten', async () => {
    const { connectedAccountId } = await newAccount();
    const { id } = await payvendor.createTransfer(account, orderOf(connectedAccountId));
    const reversal = await payvendor.reverseTransfer(account, id, 'rev:1');
    vendor.forgetKeys();
    expect(await payvendor.reverseTransfer(account, id, 'rev:1')).toEqual(reversal);
    expect(vendor.effectsOf('x')).toMatchObject({ transfers: 0, made: { reversals: 1 } });
  });

  test('money that is on its way to the bank is not taken back', async () => {
    const { connectedAccountId, bankAccountId } = await newAccount();
    const { id } = await payvendor.createTransfer(account, orderOf(connectedAccountId));
    await payvendor.createPayout(account, { ...orderOf(connectedAccountId, 500n, 'po:1'), bankAccountId });
    expect(await failureOf(payvendor.reverseTransfer(account, id, 'rev:1'))).toMatchObject({
      details: { reason: 'insufficient_funds' },
    });
  });
});

describe('errors', () => {
  test.each<[string, Partial<ConnectedPerson>, string, string]>([
    ['a country', { country: 'KP' }, 'countryCode', 'is not a country that the payment provider can pay to'],
    ['an ID number', { idNumber: '12' }, 'idNumber', 'is not an ID number of that country'],
    ['a birthday', { dateOfBirth: '2025-01-01' }, 'dateOfBirth', 'was not accepted by the payment provider'],
    ['an email', { email: 'nobody' }, 'email', 'is not an email address'],
  ])('%s is named by our field', async (_name, fields, field, message) => {
    const failure = await failureOf(payvendor.createConnectedAccount(account, { ...person, ...fields }, 'acct:1'));
    expect(failure).toEqual({ code: 'VALIDATION_ERROR', details: { fields: [{ field, message }] }, isRefusal: true });
  });

  test('a slot that two of our fields share names both', async () => {
    const { id } = await payvendor.createConnectedAccount(account, person, 'acct:1');
    const fields = { accountNumber: ['accountNumber'], routingNumber: ['bankCode', 'branchCode'] };
    const failure = await failureOf(payvendor.addBankAccount(account, id, { ...bank, routingNumber: '1', fields }, 'ba:1'));
    const message = 'is not known to the payment provider';
    expect(failure.details).toEqual({
      fields: [
        { field: 'bankAccount.bankCode', message },
        { field: 'bankAccount.branchCode', message },
      ],
    });
  });

  test('both walls are the tenant to put right', async () => {
    vendor.platform.transfersOnly = false;
    const first = await failureOf(payvendor.createConnectedAccount(account, person, 'acct:1'));
    expect(first).toEqual({
      code: 'PROVIDER_CONFIGURATION',
      details: { reason: 'needs_approval', at: 'createConnectedAccount' },
      isRefusal: false,
    });
    // The settings name another country than the vendor has for the tenant.
    const abroad = { ...account, platformCountry: 'HK' };
    expect(await failureOf(payvendor.createConnectedAccount(abroad, person, 'acct:2'))).toEqual(first);
    expect(logLines.join('')).toContain('platform needs approval');
  });

  test.each<[string, (order: MoneyOrder) => MoneyOrder, string]>([
    ['of nobody', (order) => ({ ...order, connectedAccountId: 'acct_none' }), 'unknown_account'],
    ['of too much', (order) => ({ ...order, amountMinor: 1_000_000n }), 'insufficient_funds'],
    ['of an amount without end', (order) => ({ ...order, amountMinor: 10n ** 14n }), 'amount_not_payable'],
  ])('a transfer %s is refused for certain', async (_name, change, reason) => {
    const { connectedAccountId } = await newAccount();
    vendor.platformBalance.set('usd', 1_000);
    const failure = await failureOf(payvendor.createTransfer(account, change(orderOf(connectedAccountId))));
    expect(failure).toEqual({ code: 'STATE_CONFLICT', details: { reason, at: 'createTransfer' }, isRefusal: true });
  });

  test('an account that may not receive', async () => {
    const { connectedAccountId } = await newAccount();
    vendor.tellAccount(connectedAccountId, { transfers: 'inactive' });
    const failure = await failureOf(payvendor.createTransfer(account, orderOf(connectedAccountId)));
    expect(failure.details).toEqual({ reason: 'account_not_ready', at: 'createTransfer' });
  });

  test.each([
    [500, {}, 'PROVIDER_UNAVAILABLE', 'server_error'],
    [503, {}, 'PROVIDER_UNAVAILABLE', 'server_error'],
    [409, { type: 'idempotency_error', code: 'idempotency_key_in_use' }, 'PROVIDER_UNAVAILABLE', 'server_error'],
    [409, { type: 'invalid_request_error', code: 'idempotency_key_in_use' }, 'PROVIDER_UNAVAILABLE', 'server_error'],
    [429, { code: 'rate_limit' }, 'SERVICE_UNAVAILABLE', 'rate_limited'],
    [401, {}, 'PROVIDER_CONFIGURATION', 'unauthorized'],
    [403, {}, 'PROVIDER_CONFIGURATION', 'unauthorized'],
  ])('%i %o leaves open whether it happened', async (status, error, code, reason) => {
    const { connectedAccountId } = await newAccount();
    const fault = { status, error, headers: { 'stripe-should-retry': 'false', 'retry-after': '7' } };
    vendor.failNext(/POST \/v1\/transfers/, fault);
    const failure = await failureOf(payvendor.createTransfer(account, orderOf(connectedAccountId)));
    expect(failure).toEqual({ code, details: { reason, at: 'createTransfer' }, isRefusal: false });
  });

  test.each(['lost', 'drop', 'garbage'] as const)('an answer that is %s, again and again', async (fault) => {
    const { connectedAccountId } = await newAccount();
    // What cannot be read is not asked for again by the client itself.
    vendor.failNext(/POST \/v1\/transfers/, ...Array.from({ length: fault === 'garbage' ? 1 : 3 }, () => fault));
    expect(await failureOf(payvendor.createTransfer(account, orderOf(connectedAccountId)))).toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
      isRefusal: false,
    });
    await payvendor.createTransfer(account, orderOf(connectedAccountId));
    expect(vendor.effectsOf('x').made.transfers).toBe(1);
  });

  test('a key that was used for another request is our fault, and does not tell that nothing happened', async () => {
    const { connectedAccountId } = await newAccount();
    await payvendor.createTransfer(account, orderOf(connectedAccountId));
    const failure = await failureOf(payvendor.createTransfer(account, orderOf(connectedAccountId, 501n)));
    expect(failure).toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
      details: { reason: 'idempotency_conflict' },
      isRefusal: false,
    });
    expect(logLines.join('')).toContain('an idempotency key was used for two different requests');
  });

  test('neither the key nor what was sent is in the log', async () => {
    await failureOf(payvendor.createConnectedAccount({ ...account, secretKey: 'sk_test_wrong' }, person, 'acct:1'));
    await failureOf(payvendor.createConnectedAccount(account, { ...person, email: 'secret.person' }, 'acct:2'));
    expect(logLines.length).toBeGreaterThan(1);
    expect(logLines.join('')).not.toMatch(/sk_test|secret\.person|Invalid API Key/);
    expect(logLines.join('')).toContain('req_');
  });

  test('an address that nobody vouches for is not asked', async () => {
    const elsewhere = { ...account, baseUrl: 'http://127.0.0.1:9' };
    const failure = await failureOf(payvendor.createConnectedAccount(elsewhere, person, 'acct:1'));
    expect(failure).toMatchObject({ code: 'PROVIDER_CONFIGURATION', details: { reason: 'base_url' } });
  });
});
