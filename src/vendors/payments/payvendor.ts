/**
 * The payment vendor's API: connected accounts, their bank accounts, transfers to them, payouts from them.
 * Source: docs/specification/payouts.md#the-payment-vendor.
 */
import type { Logger } from 'pino';
import type { Stripe } from 'stripe';
import { AppError } from '../../errors.ts';
import { accountStateOf } from './account-state.ts';
import { misconfigured, toAppError, unavailable, type VendorCall } from './map-error.ts';
import type {
  BankAccount,
  ConnectedAccount,
  MoneyOrder,
  PaymentVendor,
  StoredBankAccount,
  VendorPayout,
  VendorTransfer,
} from './payment-vendor.ts';
import { accountParams, bankAccountParams } from './person-params.ts';
import type { VendorAccount } from './vendor-account.ts';
import { minorAmount, vendorAmount } from './vendor-amount.ts';
import type { VendorClients } from './vendor-clients.ts';

/** A list that is longer than this is not read: what was not found may still be there. */
const MAX_LISTED = 5_000;
const PAGE = 100;

interface Deps {
  clients: VendorClients;
  logger: Logger;
}

export function createPayvendor({ clients, logger }: Deps): PaymentVendor<VendorAccount> {
  async function ask<T>(account: VendorAccount, call: VendorCall, question: (client: Stripe) => Promise<T>): Promise<T> {
    try {
      return await question(clients.of(account));
    } catch (error) {
      throw toAppError(error, call, logger);
    }
  }

  /** Undefined in place of the vendor's word that it knows no such thing. */
  async function askFor<T>(
    account: VendorAccount,
    call: VendorCall,
    question: (client: Stripe) => Promise<T>,
  ): Promise<T | undefined> {
    return ask(account, call, async (client) => {
      try {
        return await question(client);
      } catch (error) {
        if (isUnknown(error, call)) return undefined;
        throw error;
      }
    });
  }

  return {
    createConnectedAccount: (account, person, idempotencyKey) =>
      ask(account, { name: 'createConnectedAccount', about: 'person' }, async (client) =>
        connectedAccount(await client.accounts.create(accountParams(person, account), { idempotencyKey })),
      ),

    readConnectedAccount: (account, id) =>
      askFor(account, { name: 'readConnectedAccount', about: 'person' }, async (client) =>
        connectedAccount(await client.accounts.retrieve(id)),
      ),

    findConnectedAccount: (account, { since, metadata }) =>
      ask(account, { name: 'findConnectedAccount', about: 'person' }, async (client) => {
        const created = { gte: Math.floor(since.getTime() / 1000) };
        const isIt = (one: Stripe.Account): boolean =>
          Object.entries(metadata).every(([name, value]) => one.metadata?.[name] === value);
        const found = await findIn(client.accounts.list({ created, limit: PAGE }), isIt, 'findConnectedAccount');
        return found && connectedAccount(found);
      }),

    addBankAccount: (account, connectedAccountId, bank, idempotencyKey) =>
      ask(account, { name: 'addBankAccount', about: 'bank', fields: bank.fields }, async (client) => {
        const id = bank.metadata['payout_account_id'];
        const before = await listBankAccounts(client, connectedAccountId);
        const made = before.find(({ metadata }) => id !== undefined && metadata?.['payout_account_id'] === id);
        if (made) return storedBankAccount(made);
        try {
          const params = bankAccountParams(bank);
          return storedBankAccount(await client.accounts.createExternalAccount(connectedAccountId, params, { idempotencyKey }));
        } catch (error) {
          const same = before.filter((one) => isSame(one, bank));
          // The member had it in a payout account before.
          if (codeOf(error) === 'bank_account_exists' && same.length === 1 && same[0]) return storedBankAccount(same[0]);
          throw error;
        }
      }),

    createTransfer: (account, order) =>
      ask(account, { name: 'createTransfer', about: 'money' }, async (client) => {
        const { connectedAccountId: destination, metadata, idempotencyKey } = order;
        const group = metadata['payout_id'];
        const params = {
          ...amountParams(order),
          destination,
          metadata,
          ...(group === undefined ? {} : { transfer_group: group }),
        };
        const { id } = await client.transfers.create(params, { idempotencyKey });
        return { id };
      }),

    findTransfer: (account, { payoutId, attempt }) =>
      ask(account, { name: 'findTransfer', about: 'money' }, async (client) => {
        const listed = client.transfers.list({ transfer_group: payoutId, limit: PAGE });
        const found = await findIn(listed, ofAttempt(payoutId, attempt), 'findTransfer');
        return found && { id: found.id };
      }),

    listTransfers: (account, { since }) =>
      ask(account, { name: 'listTransfers', about: 'money' }, async (client) => {
        const made: VendorTransfer[] = [];
        const created = { gte: Math.floor(since.getTime() / 1000) };
        for await (const one of client.transfers.list({ created, limit: PAGE })) made.push(vendorTransfer(one));
        return made.toReversed();
      }),

    reverseTransfer: (account, transferId, idempotencyKey) =>
      ask(account, { name: 'reverseTransfer', about: 'money' }, async (client) => {
        try {
          const { id } = await client.transfers.createReversal(transferId, {}, { idempotencyKey });
          return { id };
        } catch (error) {
          if (!isInvalidRequest(error)) throw error;
          // Asked again after the key was forgotten: it may be taken back already.
          const { reversed, reversals } = await client.transfers.retrieve(transferId);
          const [latest] = reversals.data;
          if (!reversed || !latest) throw error;
          return { id: latest.id };
        }
      }),

    createPayout: (account, order) =>
      ask(account, { name: 'createPayout', about: 'money' }, async (client) => {
        const { connectedAccountId: stripeAccount, bankAccountId: destination, metadata, idempotencyKey } = order;
        const params = { ...amountParams(order), destination, metadata };
        return vendorPayout(await client.payouts.create(params, { idempotencyKey, stripeAccount }));
      }),

    findPayout: (account, { connectedAccountId: stripeAccount, payoutId, attempt }) =>
      ask(account, { name: 'findPayout', about: 'money' }, async (client) => {
        const listed = client.payouts.list({ limit: PAGE }, { stripeAccount });
        const found = await findIn(listed, ofAttempt(payoutId, attempt), 'findPayout');
        return found && vendorPayout(found);
      }),

    readPayout: (account, stripeAccount, id) =>
      askFor(account, { name: 'readPayout', about: 'money' }, async (client) =>
        vendorPayout(await client.payouts.retrieve(id, {}, { stripeAccount })),
      ),
  };
}

async function findIn<T>(listed: Stripe.ApiListPromise<T>, isIt: (one: T) => boolean, name: string): Promise<T | undefined> {
  let seen = 0;
  for await (const one of listed) {
    if (isIt(one)) return one;
    if (++seen >= MAX_LISTED) throw unavailable('too_many_to_search', { name });
  }
  return undefined;
}

function ofAttempt(payoutId: string, attempt: number): (one: { metadata: Stripe.Metadata | null }) => boolean {
  return ({ metadata }) => metadata?.['payout_id'] === payoutId && metadata['attempt'] === String(attempt);
}

async function listBankAccounts(client: Stripe, connectedAccountId: string): Promise<Stripe.BankAccount[]> {
  const { data } = await client.accounts.listExternalAccounts(connectedAccountId, { object: 'bank_account', limit: PAGE });
  return data.filter((one) => one.object === 'bank_account');
}

function isSame(stored: Stripe.BankAccount, { country, currency, accountNumber, routingNumber }: BankAccount): boolean {
  return (
    stored.country === country &&
    stored.currency === currency.toLowerCase() &&
    stored.last4 === accountNumber.slice(-4) &&
    (routingNumber === null || stored.routing_number === routingNumber)
  );
}

function amountParams({ amountMinor, currency }: MoneyOrder): { amount: number; currency: string } {
  return { amount: vendorAmount(amountMinor, currency), currency: currency.toLowerCase() };
}

function connectedAccount({ id, capabilities, requirements }: Stripe.Account): ConnectedAccount {
  const state = accountStateOf({
    transfers: capabilities?.transfers ?? null,
    disabledReason: requirements?.disabled_reason ?? null,
    currentlyDue: requirements?.currently_due ?? [],
    pastDue: requirements?.past_due ?? [],
  });
  return { id, ...state };
}

function storedBankAccount(stored: Stripe.ExternalAccount): StoredBankAccount {
  if (stored.object !== 'bank_account') throw misconfigured('unusable_answer', { name: 'addBankAccount' });
  return { id: stored.id, lastFour: stored.last4, bankName: stored.bank_name, status: stored.status };
}

function vendorTransfer(transfer: Stripe.Transfer): VendorTransfer {
  const { id, destination, amount, amount_reversed: reversed, reversals, created, metadata } = transfer;
  const currency = transfer.currency.toUpperCase();
  return {
    id,
    connectedAccountId: typeof destination === 'string' ? destination : (destination?.id ?? ''),
    currency,
    amountMinor: minorAmount(amount, currency),
    reversedMinor: minorAmount(reversed, currency),
    reversalId: reversals.data[0]?.id ?? null,
    createdAt: new Date(created * 1000),
    metadata: { ...metadata },
  };
}

function vendorPayout({ id, status, failure_code: failureCode }: Stripe.Payout): VendorPayout {
  if (!isPayoutStatus(status)) throw misconfigured('unusable_answer', { name: 'payout' });
  return { id, status, failureCode };
}

function isPayoutStatus(status: string): status is VendorPayout['status'] {
  return ['pending', 'in_transit', 'paid', 'failed', 'canceled'].includes(status);
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
const isInvalidRequest = (error: unknown): boolean =>
  !(error instanceof AppError) && error instanceof Error && 'type' in error && error.type === 'StripeInvalidRequestError';

/** A key without access to an account is told no more than that. */
function isUnknown(error: unknown, { about }: VendorCall): boolean {
  const code = codeOf(error);
  return code === 'resource_missing' || (about === 'person' && code === 'account_invalid');
}
