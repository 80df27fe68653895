/**
 * What we ask of a vendor that pays members. Calls are made outside any transaction, each with an
 * idempotency key of ours: asked twice, it has one effect.
 */
import { AppError } from '../../errors.ts';

/** An account of the member at the vendor, as it stands there. */
export interface ConnectedAccount {
  id: string;
  status: 'active' | 'pending' | 'restricted' | 'rejected';
  /** Of the transfers capability: active, inactive, pending. */
  transfers: string;
  disabledReason: string | null;
  /** What the vendor still wants to know, by its own names. */
  requirements: string[];
}

export interface ConnectedPerson {
  /** ISO 3166-1 alpha-2, of the member. */
  country: string;
  email: string;
  givenName: string;
  surname: string;
  /** YYYY-MM-DD */
  dateOfBirth: string;
  idNumber: string | null;
  address: {
    line1: string;
    line2: string | null;
    city: string;
    state: string | null;
    postalCode: string | null;
    /** ISO 3166-1 alpha-2 */
    country: string;
  };
  tosAcceptance: { acceptedAt: Date; ip: string; userAgent: string | null };
  metadata: Record<string, string>;
}

export interface BankAccount {
  /** ISO 3166-1 alpha-2, of the bank. */
  country: string;
  currency: string;
  accountHolderName: string;
  /** In the vendor's two slots: see the catalogue of methods. */
  accountNumber: string;
  routingNumber: string | null;
  /** Which of our fields each slot was made of, for what the vendor says of it. */
  fields: { accountNumber: readonly string[]; routingNumber: readonly string[] };
  /** `payout_account_id` is what it is found by. */
  metadata: Record<string, string>;
}

export interface StoredBankAccount {
  id: string;
  lastFour: string | null;
  bankName: string | null;
  /** new, validated, verified, errored, verification_failed */
  status: string;
}

export interface VendorPayout {
  id: string;
  status: 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled';
  failureCode: string | null;
}

/** Money that has left for a connected account, as the vendor has it. */
export interface VendorTransfer {
  id: string;
  connectedAccountId: string;
  currency: string;
  amountMinor: bigint;
  /** Of the amount, what was taken back. */
  reversedMinor: bigint;
  /** The latest of what took it back. */
  reversalId: string | null;
  createdAt: Date;
  metadata: Record<string, string>;
}

export interface MoneyOrder {
  connectedAccountId: string;
  currency: string;
  amountMinor: bigint;
  /** Kept by the vendor with the object, to find it by. */
  metadata: Record<string, string>;
  idempotencyKey: string;
}

/** Why money was not moved: `details.reason` of the STATE_CONFLICT. */
export type MoneyRefusal =
  /** The tenant's balance at the vendor does not reach. */
  'insufficient_funds' | 'account_not_ready' | 'bank_account_unusable' | 'unknown_account' | 'amount_not_payable' | 'refused';

/**
 * True: the vendor has refused for certain, nothing has happened, and the same question has the same answer.
 * Any other failure of a call leaves open whether it happened: the key may be wrong only since then.
 */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'VALIDATION_ERROR' || error.code === 'STATE_CONFLICT');
}

/** Of every refusal to move money; its `details.reason` says why. */
export const MONEY_REFUSED = 'The payment provider has refused to move the money';

/**
 * All throw AppErrors: VALIDATION_ERROR with our field names when the details are refused, STATE_CONFLICT
 * when money is not moved or the bank account is there already, PROVIDER_CONFIGURATION when the account of
 * the tenant is refused, SERVICE_UNAVAILABLE when it asks us to slow down, and PROVIDER_UNAVAILABLE when it
 * is not known whether it happened. `details.reason` says more, in our words.
 */
export interface PaymentVendor<Account> {
  createConnectedAccount(account: Account, person: ConnectedPerson, idempotencyKey: string): Promise<ConnectedAccount>;
  /** Undefined: the vendor knows no such account. */
  readConnectedAccount(account: Account, id: string): Promise<ConnectedAccount | undefined>;
  /** One that was made since then with this metadata, for when the idempotency key may have been another. */
  findConnectedAccount(
    account: Account,
    of: { since: Date; metadata: Record<string, string> },
  ): Promise<ConnectedAccount | undefined>;
  /** One that is there already for the same payout account is answered as it is. */
  addBankAccount(
    account: Account,
    connectedAccountId: string,
    bank: BankAccount,
    idempotencyKey: string,
  ): Promise<StoredBankAccount>;
  /** Moves money of the tenant to the connected account. */
  createTransfer(account: Account, order: MoneyOrder): Promise<{ id: string }>;
  /** A transfer that was made for this payout, found by its metadata: for when the idempotency key may have been forgotten. */
  findTransfer(
    account: Account,
    of: { connectedAccountId: string; payoutId: string; attempt: number },
  ): Promise<{ id: string } | undefined>;
  /** All that were made since then, whoever made them, the oldest first. */
  listTransfers(account: Account, of: { since: Date }): Promise<VendorTransfer[]>;
  /** Takes a transfer back in full. */
  reverseTransfer(account: Account, transferId: string, idempotencyKey: string): Promise<{ id: string }>;
  /** Sends money of the connected account to its bank account. */
  createPayout(account: Account, order: MoneyOrder & { bankAccountId: string }): Promise<VendorPayout>;
  findPayout(
    account: Account,
    of: { connectedAccountId: string; payoutId: string; attempt: number },
  ): Promise<VendorPayout | undefined>;
  readPayout(account: Account, connectedAccountId: string, id: string): Promise<VendorPayout | undefined>;
}
