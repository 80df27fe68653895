/**
 * What we ask of a vendor that pays members. Calls are made outside any transaction, each with an
 * idempotency key of ours: asked twice, it has one effect.
 */

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

export interface MoneyOrder {
  connectedAccountId: string;
  currency: string;
  amountMinor: bigint;
  /** Kept by the vendor with the object, to find it by. */
  metadata: Record<string, string>;
  idempotencyKey: string;
}

/**
 * All throw AppErrors: VALIDATION_ERROR with our field names when the details are refused,
 * PROVIDER_CONFIGURATION when the account of the tenant is, STATE_CONFLICT when the bank account is there
 * already, SERVICE_UNAVAILABLE when it asks us to slow down, and PROVIDER_UNAVAILABLE when it is not known
 * whether it happened.
 */
export interface PaymentVendor<Account> {
  createConnectedAccount(account: Account, person: ConnectedPerson, idempotencyKey: string): Promise<ConnectedAccount>;
  /** Undefined: the vendor knows no such account. */
  readConnectedAccount(account: Account, id: string): Promise<ConnectedAccount | undefined>;
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
