/**
 * Who a person is, as keyed digests: by them a change is noticed, and nothing is read out of them.
 * Source: docs/specification/verification.md#verified-person.
 */
import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import type { Scope } from '../../../db/scope.ts';
import type { IdentityDigests } from '../../../house/personal.ts';

export interface VerifiedFields {
  givenName: string | null;
  surname: string | null;
  /** YYYY-MM-DD. */
  dateOfBirth: string | null;
  countryCode: string | null;
  idNumber: string | null;
}

export type IdentityField = keyof VerifiedFields;

export const IDENTITY_FIELDS: readonly IdentityField[] = ['givenName', 'surname', 'dateOfBirth', 'idNumber', 'countryCode'];

export interface IdentityDigester {
  digest(scope: Scope, memberId: string, fields: VerifiedFields): IdentityDigests;
  /** Null of no name. */
  digestBusiness(scope: Scope, memberId: string, businessName: string | null): Buffer | null;
}

/** Bound to the member: equal people have other digests. */
export function createIdentityDigester(pepper: Buffer): IdentityDigester {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', pepper, '', 'verified-person', 32)));
  const over = ({ tenantId, environment }: Scope, ...values: (string | null)[]): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([tenantId, environment, ...values]))
      .digest();
  return {
    digest: (scope, memberId, fields) => ({
      identity: over(scope, memberId, 'identity', ...IDENTITY_FIELDS.map((name) => comparable(name, fields[name]))),
      names: over(scope, memberId, 'names', comparable('givenName', fields.givenName), comparable('surname', fields.surname)),
    }),
    digestBusiness: (scope, memberId, businessName) =>
      businessName === null ? null : over(scope, memberId, 'business', comparable('surname', businessName)),
  };
}

/** Case and space are no change, nor are the signs that ID numbers are grouped by. */
export function comparable(field: IdentityField, value: string | null): string | null {
  if (value === null) return null;
  const folded = value.normalize('NFKC').toLowerCase().normalize('NFC');
  return field === 'idNumber' ? folded.replace(/[\s./-]/gu, '') : folded.trim().replace(/\s+/gu, ' ');
}
