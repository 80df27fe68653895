/**
 * Government ID numbers: sealed to where they are stored, shown by their end only.
 * Source: docs/specification/tenancy.md#id-numbers.
 */
import type { Scope } from '../../../db/scope.ts';
import type { Cipher } from '../../../encryption.ts';
import { endOf, masked } from '../../../mask.ts';

/** What the ciphertext is bound to: it opens in the row and column it was made for, and nowhere else. */
export function idNumberPlace({ tenantId, environment }: Scope, memberId: string): readonly string[] {
  return ['member_profile', tenantId, environment, memberId, 'id_number'];
}

export interface SealedIdNumber {
  sealed: Buffer;
  lastFour: string;
}

export function sealIdNumber(cipher: Cipher, scope: Scope, memberId: string, idNumber: string): SealedIdNumber {
  return { sealed: cipher.encrypt(Buffer.from(idNumber), idNumberPlace(scope, memberId)), lastFour: endOf(idNumber) };
}

export function maskIdNumber(lastFour: string | null): string | null {
  return lastFour === null ? null : masked(lastFour);
}
