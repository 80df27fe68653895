/**
 * Bank details as they were typed: normalised, and held against the rules of the method.
 * Source: docs/specification/payouts.md#bank-details.
 */
import { isValidBIC, isValidIBAN } from 'ibantools';
import type { Environment } from '../../../db/scope.ts';
import type { FieldFault } from '../../../errors.ts';
import type { BankCheck, BankField } from './payout-method-rows.ts';
import type { BankDetails, PayoutMethod } from './payout-methods.ts';

export interface CheckedBankDetails {
  /** Empty: the details are good. None of the messages repeats a value. */
  faults: FieldFault[];
  /** Of the fields that were given. */
  details: BankDetails;
}

/**
 * Numbers that the payment vendor publishes for tests and that are no IBANs: neither their length nor their
 * check digits are right. A SANDBOX takes these, and no others.
 */
const SANDBOX_IBANS: ReadonlySet<string> = new Set(
  ['CH', 'SE', 'NO', 'DK', 'PL', 'CZ', 'HU', 'RO', 'IS', 'LI', 'GI'].map((country) => `${country}89370400440532013000`),
);

/** Fields are named as in the requests: `bankAccount.iban`. */
export function validateBankDetails(
  method: PayoutMethod,
  given: Readonly<Record<string, string>>,
  environment: Environment,
): CheckedBankDetails {
  const known = new Set(method.fields.map(({ key }) => key));
  const faults: FieldFault[] = Object.keys(given)
    .filter((key) => !known.has(key))
    .map((key) => ({ field: `bankAccount.${key}`, message: 'is not a field of this method' }));
  const details: Record<string, string> = {};
  for (const field of method.fields) {
    const value = Object.hasOwn(given, field.key) ? normalise(field, given[field.key] ?? '') : '';
    const message = value === '' ? 'is required' : faultOf(field, value, method.country, environment);
    if (value !== '') details[field.key] = value;
    if (message !== undefined) faults.push({ field: `bankAccount.${field.key}`, message });
  }
  return { faults, details };
}

/** Spaces of any kind go, and hyphens and dashes where they mean nothing; letters are capitals, digits ASCII. */
function normalise({ verbatim, hyphens }: BankField, value: string): string {
  if (verbatim) return value.normalize('NFC').trim();
  const upper = value.normalize('NFKC').toUpperCase().replaceAll(/\s/g, '');
  return upper.replaceAll(/[-\u00AD\u2010-\u2015\u2212]/g, hyphens ? '-' : '');
}

function faultOf(field: BankField, value: string, country: string, environment: Environment): string | undefined {
  if (environment === 'SANDBOX' && field.check === 'iban' && value.startsWith(country) && SANDBOX_IBANS.has(value))
    return undefined;
  const length = Array.from(value).length;
  const fits = length >= field.minLength && length <= field.maxLength && new RegExp(field.pattern, 'u').test(value);
  if (!fits) return `must be ${field.form}`;
  return field.check && !CHECKS[field.check].holds(value) ? CHECKS[field.check].message : undefined;
}

const CHECKS: Readonly<Record<BankCheck, { holds(value: string): boolean; message: string }>> = {
  aba: { holds: isRoutingNumber, message: 'is no routing number: its check digit or its first two digits are wrong' },
  clabe: { holds: isClabe, message: 'is no CLABE: its check digit is wrong' },
  iban: { holds: (value) => isValidIBAN(value), message: 'is no IBAN: its check digits are wrong' },
  bic: { holds: (value) => isValidBIC(value), message: 'is no BIC' },
};

const digitsOf = (value: string): number[] => Array.from(value, Number);
const WEIGHTS = [3, 7, 1] as const;
const weightAt = (index: number): number => WEIGHTS[index % WEIGHTS.length] ?? 1;

/** ABA: weights 3, 7, 1; the first two digits are a Federal Reserve bank's, a thrift's, an electronic or a traveller's cheque number. */
function isRoutingNumber(value: string): boolean {
  const prefix = Number(value.slice(0, 2));
  const issued = prefix <= 12 || (prefix >= 21 && prefix <= 32) || (prefix >= 61 && prefix <= 72) || prefix === 80;
  return issued && digitsOf(value).reduce((sum, digit, index) => sum + digit * weightAt(index), 0) % 10 === 0;
}

/** The last digit makes up to ten the last digits of the others' products. */
function isClabe(value: string): boolean {
  const digits = digitsOf(value);
  const sum = digits.slice(0, 17).reduce((total, digit, index) => total + ((digit * weightAt(index)) % 10), 0);
  return digits[17] === (10 - (sum % 10)) % 10;
}
