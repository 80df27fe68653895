/** Which methods a tenant offers, and whether bank details fit one. Source: docs/specification/payouts.md#methods. */
import type { Frames } from '../../../db/frame.ts';
import type { Scope } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import type { RequestContext } from '../../../http/operation.ts';
import type { PaymentProvider } from '../open/payout-states.ts';
import { payoutsErrors } from '../open/payouts-errors.ts';
import type { PaymentSettingsReader } from '../settings/payment-settings.ts';
import { maskBankDetails } from './bank-details.ts';
import { type BankDetails, findMethod, isMethodId, isOffered, methodsOf, type PayoutMethod } from './payout-methods.ts';
import { type CheckedBankDetails, validateBankDetails } from './validate-bank-details.ts';

export interface OfferedMethods {
  country: string;
  provider: PaymentProvider;
  enabled: boolean;
  methods: readonly PayoutMethod[];
}

export interface BankDetailsToCheck {
  country: string;
  bankAccount: Readonly<Record<string, string>>;
}

export interface PayoutMethodsService {
  listMethods(scope: Scope, country: string): Promise<OfferedMethods>;
  /** Nothing is kept of the details; what comes back is masked. NOT_FOUND, METHOD_NOT_SUPPORTED where the country lacks the method. */
  validateDetails(context: RequestContext, methodId: string, given: BankDetailsToCheck): Promise<CheckedBankDetails>;
}

interface Deps {
  frames: Frames;
  readSettings: PaymentSettingsReader['readSettings'];
}

export function createPayoutMethodsService({ frames, readSettings }: Deps): PayoutMethodsService {
  return {
    async listMethods(scope, country) {
      const settings = await readSettings(scope);
      const enabled = isOffered(country, settings, scope.environment);
      return { country, provider: settings.provider, enabled, methods: methodsOf(country) };
    },

    async validateDetails({ scope, guard, shape }, methodId, { country, bankAccount }) {
      if (!isMethodId(methodId)) throw new AppError('NOT_FOUND', 'No such payout method');
      const method = findMethod(country, methodId);
      if (!method) throw new AppError(payoutsErrors.METHOD_NOT_SUPPORTED, 'The country has no such payout method');
      const { faults, details } = validateBankDetails(method, bankAccount, scope.environment);
      const shown: BankDetails = maskBankDetails(method, details);
      const checked = { faults, details: shown };
      // The database is needed for the answer to a repeat alone.
      return guard ? frames.write(scope, () => Promise.resolve(checked), { guard, shape }) : checked;
    },
  };
}
