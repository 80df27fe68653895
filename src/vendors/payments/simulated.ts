/**
 * The payment vendor of a SANDBOX that has no account with the real one. It decides by the last four
 * signs of the account number, keeps nothing but what its ids say, and moves no money.
 */
import { invalidField } from '../../errors.ts';
import { misconfigured, unavailable } from './map-error.ts';
import type { BankAccount, ConnectedAccount, PaymentVendor, VendorPayout } from './payment-vendor.ts';

/** What becomes of a bank account and of the payouts to it. Any other number: they are paid. */
const OUTCOMES = {
  '0001': 'pending',
  '0002': 'action',
  '0003': 'closed',
  '0004': 'returned',
  '0005': 'unavailable',
  '0006': 'refused',
} as const;

type Outcome = (typeof OUTCOMES)[keyof typeof OUTCOMES] | 'paid';

/** For the documentation: by the end of the account number, IBAN or CLABE. */
export const SIMULATED_NUMBERS: Readonly<Record<keyof typeof OUTCOMES, string>> = {
  '0001': 'Payouts stay on their way until POST /sandbox/vendor-events ends them.',
  '0002': "The member's first account in a country becomes action_required: the provider wants an identity document.",
  '0003': 'Payouts fail: account_closed.',
  '0004': 'Payouts are paid, and come back when the provider is asked once more.',
  '0005': 'The provider cannot be reached: the account stays provisioning.',
  '0006': 'The provider refuses the account number: the account is rejected.',
};

/** What the service knows, which the vendor would know. */
export interface SimulatedMemory {
  /** As it was last noted; undefined before it was. */
  readAccount(connectedAccountId: string): Promise<ConnectedAccount | undefined>;
  /** Ids at the vendor of the bank accounts there. */
  listBankAccounts(connectedAccountId: string): Promise<string[]>;
  /** Whether the payout was paid as far as the service knows. */
  isPaid(providerPayoutId: string): Promise<boolean>;
}

const ID = /^(?:acct|ba|tr|trr|po)_sim_/;

/** Its ids are told from the real vendor's. */
export function isSimulated(id: string): boolean {
  return ID.test(id);
}

/** The real interface, without an account of the tenant. */
export function createSimulatedVendor(memory: SimulatedMemory): PaymentVendor<undefined> {
  async function read(_account: undefined, id: string): Promise<ConnectedAccount | undefined> {
    if (!id.startsWith('acct_sim_')) return undefined;
    const known = await memory.readAccount(id);
    if (known) return known;
    const outcomes = (await memory.listBankAccounts(id)).map(outcomeOfId);
    return outcomes.includes('action') ? inNeed(id) : active(id);
  }

  async function readPayout(_account: undefined, _connectedAccountId: string, id: string): Promise<VendorPayout | undefined> {
    if (!id.startsWith('po_sim_')) return undefined;
    const outcome = outcomeOfId(id);
    if (outcome === 'pending') return { id, status: 'in_transit', failureCode: null };
    const comesBack = outcome === 'returned' && (await memory.isPaid(id));
    return outcome === 'closed' || comesBack
      ? { id, status: 'failed', failureCode: 'account_closed' }
      : { id, status: 'paid', failureCode: null };
  }

  return {
    createConnectedAccount: async (_account, { country, metadata }) =>
      active(`acct_sim_${plain(metadata['user_id'])}_${country}`),
    readConnectedAccount: read,
    // Asked again it makes the same one: there is nothing to be found.
    findConnectedAccount: async () => undefined,
    async addBankAccount(_account, _connectedAccountId, bank) {
      const outcome = outcomeOfNumber(bank);
      if (outcome === 'unavailable') throw unavailable('server_error', { name: 'simulated' });
      if (outcome === 'refused') {
        throw invalidField(
          `bankAccount.${bank.fields.accountNumber[0] ?? 'accountNumber'}`,
          'is not an account number of that country',
        );
      }
      return {
        id: `ba_sim_${outcome}_${plain(bank.metadata['payout_account_id'])}`,
        lastFour: bank.accountNumber.slice(-4),
        bankName: 'Simulated Bank',
        status: 'new',
      };
    },
    createTransfer: async (_account, { metadata }) => ({ id: `tr_sim_${attemptOf(metadata)}` }),
    // Made again under the same id: whether it is there makes no difference.
    findTransfer: async () => undefined,
    // It keeps nothing.
    listTransfers: async () => [],
    reverseTransfer: async (_account, transferId) => ({ id: transferId.replace(/^tr_/, 'trr_') }),
    async createPayout(_account, { bankAccountId, metadata }) {
      if (!isSimulated(bankAccountId)) throw misconfigured('unknown_account', { name: 'simulated' });
      const id = `po_sim_${outcomeOfId(bankAccountId)}_${attemptOf(metadata)}`;
      return { id, status: 'pending', failureCode: null };
    },
    findPayout: async () => undefined,
    readPayout,
  };
}

/** What the vendor says once it wants something of the member, in a SANDBOX that has it say so. */
export function inNeed(id: string): ConnectedAccount {
  return {
    id,
    status: 'restricted',
    transfers: 'inactive',
    disabledReason: 'requirements.past_due',
    requirements: ['individual.verification.document'],
  };
}

export function active(id: string): ConnectedAccount {
  return { id, status: 'active', transfers: 'active', disabledReason: null, requirements: [] };
}

export function rejected(id: string): ConnectedAccount {
  return { id, status: 'rejected', transfers: 'inactive', disabledReason: 'rejected.other', requirements: [] };
}

function outcomeOfNumber({ accountNumber }: BankAccount): Outcome {
  const ending = accountNumber.slice(-4);
  return Object.hasOwn(OUTCOMES, ending) ? OUTCOMES[ending as keyof typeof OUTCOMES] : 'paid';
}

function outcomeOfId(id: string): Outcome {
  const said = /^(?:ba|po)_sim_([a-z]+)_/.exec(id)?.[1];
  return Object.values(OUTCOMES).find((outcome) => outcome === said) ?? 'paid';
}

const plain = (id: string | undefined): string => (id ?? '').replaceAll('-', '');
const attemptOf = (metadata: Record<string, string>): string => `${plain(metadata['payout_id'])}_${metadata['attempt'] ?? '1'}`;
