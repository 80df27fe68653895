/** Which vendor pays a tenant's members: its own account there, or in a SANDBOX without one the simulated vendor. */
import type { Frames } from '../../../db/frame.ts';
import type { Scope } from '../../../db/scope.ts';
import { misconfigured } from '../../../vendors/payments/map-error.ts';
import type { PaymentVendor } from '../../../vendors/payments/payment-vendor.ts';
import { createSimulatedVendor, isSimulated } from '../../../vendors/payments/simulated.ts';
import type { VendorAccount } from '../../../vendors/payments/vendor-account.ts';
import {
  isPaidStatement,
  simulatedAccountStatement,
  simulatedBankAccountsStatement,
} from '../vendor-events/simulated-queries.ts';
import type { PaymentSettingsReader } from './payment-settings.ts';

/** A vendor's methods with the account of one tenant. All are called outside any transaction. */
type Bound<Vendor> = {
  [Name in keyof Vendor]: Vendor[Name] extends (account: never, ...rest: infer Rest) => infer Answer
    ? (...rest: Rest) => Answer
    : never;
};

export interface TenantVendor extends Bound<PaymentVendor<VendorAccount>> {
  simulated: boolean;
  /** Changes with what a connected account is made by, beside the member. */
  accountTerms: string;
  /** Whether an id was given by this vendor: a tenant may have come to have an account of its own since. */
  knows(id: string): boolean;
}

export interface PaymentVendors {
  /** PROVIDER_CONFIGURATION in LIVE without an account. */
  of(scope: Scope): Promise<TenantVendor>;
}

interface Deps {
  settings: PaymentSettingsReader;
  payvendor: PaymentVendor<VendorAccount>;
  frames: Frames;
}

export function createPaymentVendors({ settings, payvendor, frames }: Deps): PaymentVendors {
  return {
    async of(scope) {
      const { account } = await settings.readSettings(scope);
      if (account) {
        return {
          ...bind(payvendor, account),
          simulated: false,
          accountTerms: JSON.stringify([account.platformCountry, account.capabilities]),
          knows: (id) => !isSimulated(id),
        };
      }
      if (scope.environment !== 'SANDBOX') throw misconfigured('no_account', { name: 'settings' });
      const simulated = createSimulatedVendor({
        readAccount: async (id) => {
          const [row] = await frames.readOnce(scope, simulatedAccountStatement(scope, { connectedAccountId: id }));
          if (!row || row.status === 'provisioning' || row.status === 'gone') return undefined;
          return { ...row, status: row.status, transfers: row.transfers ?? 'inactive' };
        },
        listBankAccounts: async (id) => {
          const rows = await frames.readOnce(scope, simulatedBankAccountsStatement(scope, { connectedAccountId: id }));
          return rows.map((row) => row.id);
        },
        isPaid: async (id) => (await frames.readOnce(scope, isPaidStatement(scope, { providerPayoutId: id }))).length > 0,
      });
      return { ...bind(simulated, undefined), simulated: true, accountTerms: 'simulated', knows: isSimulated };
    },
  };
}

function bind<Account>(vendor: PaymentVendor<Account>, account: Account): Bound<PaymentVendor<VendorAccount>> {
  return {
    createConnectedAccount: (...rest) => vendor.createConnectedAccount(account, ...rest),
    readConnectedAccount: (...rest) => vendor.readConnectedAccount(account, ...rest),
    findConnectedAccount: (...rest) => vendor.findConnectedAccount(account, ...rest),
    addBankAccount: (...rest) => vendor.addBankAccount(account, ...rest),
    createTransfer: (...rest) => vendor.createTransfer(account, ...rest),
    findTransfer: (...rest) => vendor.findTransfer(account, ...rest),
    listTransfers: (...rest) => vendor.listTransfers(account, ...rest),
    reverseTransfer: (...rest) => vendor.reverseTransfer(account, ...rest),
    createPayout: (...rest) => vendor.createPayout(account, ...rest),
    findPayout: (...rest) => vendor.findPayout(account, ...rest),
    readPayout: (...rest) => vendor.readPayout(account, ...rest),
  };
}
