/**
 * What the payment vendor's errors mean to our caller. Its own text may quote the member's details, so
 * neither log nor caller gets it, save for what only concerns the tenant's account.
 * Source: docs/specification/payouts.md#vendor-errors.
 */
import type { Logger } from 'pino';
import { Stripe } from 'stripe';
import { AppError, type FieldFault, invalidFields } from '../../errors.ts';
import { type BankAccount, MONEY_REFUSED, type MoneyRefusal } from './payment-vendor.ts';

export interface VendorCall {
  /** For the log and the caller. */
  name: string;
  /** What the call is about decides what a refusal means. */
  about: 'person' | 'bank' | 'money';
  fields?: BankAccount['fields'] | undefined;
}

/** Both say that the tenant's account lacks an approval of the vendor. */
const WALLS = [/service agreement|ToS agreement/i, /platform needs approval/i, /without the .?card_payments/i];
const COUNTRY_CODES = new Set(['country_unsupported', 'country_code_invalid']);

const PERSON_FIELDS: Record<string, string> = {
  country: 'countryCode',
  email: 'email',
  first_name: 'givenName',
  last_name: 'surname',
  dob: 'dateOfBirth',
  id_number: 'idNumber',
  ssn_last_4: 'idNumber',
  line1: 'address.addressLine1',
  line2: 'address.addressLine2',
  city: 'address.city',
  state: 'address.state',
  postal_code: 'address.postalCode',
  tos_acceptance: 'tosAcceptance',
  verification: 'identityDocument',
};
const BANK_FIELDS: Record<string, string> = {
  account_holder_name: 'bankAccount.accountHolderName',
  currency: 'currency',
  country: 'countryCode',
};

const FAULTS: Record<string, string> = {
  account_number_invalid: 'is not an account number of that country',
  routing_number_invalid: 'is not known to the payment provider',
  bank_account_unusable: 'cannot be paid to',
  bank_account_declined: 'cannot be paid to',
  postal_code_invalid: 'is not a postal code of that country',
  state_unsupported: 'is not a state of that country',
  tax_id_invalid: 'is not an ID number of that country',
  email_invalid: 'is not an email address',
  parameter_missing: 'is needed by the payment provider',
  country_unsupported: 'is not a country that the payment provider can pay to',
};
const NOT_ACCEPTED = 'was not accepted by the payment provider';

const MONEY_REFUSALS: Record<string, MoneyRefusal> = {
  balance_insufficient: 'insufficient_funds',
  insufficient_funds: 'insufficient_funds',
  insufficient_capabilities_for_transfer: 'account_not_ready',
  payouts_not_allowed: 'account_not_ready',
  transfers_not_allowed: 'account_not_ready',
  bank_account_unusable: 'bank_account_unusable',
  invalid_bank_account: 'bank_account_unusable',
  resource_missing: 'unknown_account',
  amount_too_large: 'amount_not_payable',
  amount_too_small: 'amount_not_payable',
  parameter_invalid_integer: 'amount_not_payable',
};

/** Our name for what the vendor calls `individual[address][line1]`, or `individual.address.line1` where it lists what it needs. */
export function fieldOf(param: string, fields?: BankAccount['fields']): string | undefined {
  const keys = param.split(/[[\].]+/).filter(Boolean);
  const names = keys[0] === 'external_account' ? BANK_FIELDS : PERSON_FIELDS;
  if (keys[0] === 'external_account') {
    if (keys.length === 1) return 'bankAccount';
    if (keys[1] === 'account_number') return bankField(fields?.accountNumber, 'accountNumber');
    if (keys[1] === 'routing_number') return bankField(fields?.routingNumber, 'routingNumber');
  }
  const known = keys.find((key) => names[key] !== undefined && key !== 'individual');
  return known === undefined ? undefined : names[known];
}

function bankField(ours: readonly string[] | undefined, otherwise: string): string {
  return `bankAccount.${ours?.[0] ?? otherwise}`;
}

export function toAppError(error: unknown, call: VendorCall, logger: Logger): AppError {
  if (error instanceof AppError) return error;
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { type, code, statusCode, requestId, param } = error;
  const line = { vendor: 'payvendor', call: call.name, type, code, status: statusCode, requestId, param };
  if (error instanceof Stripe.errors.StripeConnectionError) {
    logger.warn(
      { ...line, reason: error.detail instanceof Error ? error.detail.message : undefined },
      'the payment vendor could not be asked',
    );
    return unavailable('connection', call);
  }
  if (error instanceof Stripe.errors.StripeIdempotencyError) {
    logger.error(line, 'an idempotency key was used for two different requests to the payment vendor');
    return unavailable('idempotency_conflict', call);
  }
  logger.warn(line, 'the payment vendor refused a call');
  if (error instanceof Stripe.errors.StripeRateLimitError) {
    return new AppError('SERVICE_UNAVAILABLE', 'The payment provider asks to slow down; try again later', {
      details: { reason: 'rate_limited', at: call.name },
      retryAfterSeconds: secondsOf(error.headers?.['retry-after']),
    });
  }
  if (error instanceof Stripe.errors.StripeAuthenticationError || error instanceof Stripe.errors.StripePermissionError) {
    logger.warn(line, 'the payment vendor does not accept the key of the tenant');
    return misconfigured('unauthorized', call);
  }
  if (error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError) {
    return refusalOf(error, call, logger);
  }
  return unavailable('server_error', call);
}

function refusalOf(error: Stripe.errors.StripeError, call: VendorCall, logger: Logger): AppError {
  const { code = '', param = '', message, requestId } = error;
  if (call.about !== 'bank' && WALLS.some((wall) => wall.test(message))) {
    // Only of the tenant's account: it names no member, and whoever looks into it needs it word for word.
    logger.warn(
      { vendor: 'payvendor', call: call.name, requestId, text: message.slice(0, 500) },
      'the payment vendor needs an approval',
    );
    return misconfigured('needs_approval', call);
  }
  if (call.about === 'money') return moneyRefused(MONEY_REFUSALS[code] ?? 'refused', call);
  if (COUNTRY_CODES.has(code) || (call.about === 'person' && param === 'country')) {
    return invalidFields([{ field: 'countryCode', message: FAULTS['country_unsupported'] ?? NOT_ACCEPTED }]);
  }
  if (code === 'bank_account_exists') return bankAccountExists(call);
  const field = code === 'bank_account_unusable' ? 'bankAccount' : fieldOf(param, call.fields);
  return field === undefined || code === 'parameter_unknown'
    ? misconfigured('refused', call)
    : invalidFields(faultsOf(field, FAULTS[code] ?? NOT_ACCEPTED, param, call));
}

/** A slot that several of our fields share: none of them is known to be right. */
function faultsOf(field: string, message: string, param: string, { fields }: VendorCall): FieldFault[] {
  const shared = param.includes('[routing_number]') ? fields?.routingNumber : undefined;
  return shared && shared.length > 1 ? shared.map((name) => ({ field: `bankAccount.${name}`, message })) : [{ field, message }];
}

export function moneyRefused(reason: MoneyRefusal, { name }: Pick<VendorCall, 'name'>): AppError {
  return new AppError('STATE_CONFLICT', MONEY_REFUSED, { details: { reason, at: name } });
}

function bankAccountExists({ name }: VendorCall): AppError {
  return new AppError('STATE_CONFLICT', 'The payment provider has this bank account already', {
    details: { reason: 'bank_account_exists', at: name },
  });
}

export function misconfigured(reason: string, { name }: Pick<VendorCall, 'name'>): AppError {
  return new AppError('PROVIDER_CONFIGURATION', 'The payment provider cannot be used as it is set up', {
    details: { reason, at: name },
  });
}

export function unavailable(reason: string, { name }: Pick<VendorCall, 'name'>): AppError {
  return new AppError('PROVIDER_UNAVAILABLE', 'The payment provider cannot be reached now; try again later', {
    details: { reason, at: name },
  });
}

const LONGEST_RETRY_AFTER_SECONDS = 3600;

function secondsOf(retryAfter: string | undefined): number {
  return retryAfter !== undefined && /^\d{1,9}$/.test(retryAfter) ? Math.min(Number(retryAfter), LONGEST_RETRY_AFTER_SECONDS) : 1;
}
