/**
 * Bank details where they are kept: sealed to their row, told apart by a keyed digest, shown by their end
 * only. Source: docs/specification/tenancy.md#bank-details.
 */
import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import type { Scope } from '../../../db/scope.ts';
import type { Cipher } from '../../../encryption.ts';
import { endOf, masked } from '../../../mask.ts';
import type { BankDetails, PayoutMethod } from './payout-methods.ts';

/** What the ciphertext is bound to: it opens in the row it was made for, and nowhere else. */
export function bankPlace({ tenantId, environment }: Scope, accountId: string): readonly string[] {
  return ['payout_account', tenantId, environment, accountId, 'bank'];
}

export function sealBankDetails(cipher: Cipher, scope: Scope, accountId: string, details: BankDetails): Buffer {
  return cipher.encrypt(Buffer.from(JSON.stringify(details)), bankPlace(scope, accountId));
}

/** The normalised values by the keys of the method's fields, the holder's name among them. */
export function openBankDetails(cipher: Cipher, scope: Scope, accountId: string, sealed: Buffer): BankDetails {
  return JSON.parse(cipher.decrypt(sealed, bankPlace(scope, accountId)).toString()) as BankDetails;
}

/** Tells one bank account from another without saying which it is. */
export type Fingerprint = (scope: Scope, method: PayoutMethod, details: BankDetails) => Buffer;

/** The holder's name and hyphens do not count: the same account under another spelling is the same account. */
export function createFingerprint(pepper: Buffer): Fingerprint {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', pepper, '', 'bank-fingerprint', 32)));
  return ({ tenantId, environment }, { id, country, fields }, details) => {
    const values = fields
      .filter(({ verbatim }) => !verbatim)
      .map(({ key: name }) => [name, details[name]?.replaceAll('-', '') ?? '']);
    return createHmac('sha256', key)
      .update(JSON.stringify([tenantId, environment, id, country, values]))
      .digest();
  };
}

/** The end of the account number or IBAN. */
export function accountEnd({ accountKey }: PayoutMethod, details: BankDetails): string {
  return endOf(details[accountKey] ?? '');
}

/** For whoever typed them: all but the number of the account. */
export function maskBankDetails({ accountKey }: PayoutMethod, details: BankDetails): BankDetails {
  const number = details[accountKey];
  return number === undefined ? details : { ...details, [accountKey]: masked(endOf(number)) };
}
