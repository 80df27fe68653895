/**
 * Who a person is, as keyed digests: by them a change is noticed, and nothing is read out of them.
 * Source: docs/specification/verification.md#verified-person.
 */
import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
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
  /** The part of it that is of the names. */
  digestNames(scope: Scope, memberId: string, fields: Pick<VerifiedFields, 'givenName' | 'surname'>): Buffer;
  /** Bound to the scope alone: equal numbers of one country are equal. Null of no number. */
  digestIdNumber(scope: Scope, fields: Pick<VerifiedFields, 'countryCode' | 'idNumber'>): Buffer | null;
  /** Null of no name. */
  digestBusiness(scope: Scope, memberId: string, businessName: string | null): Buffer | null;
}

/** What is not said to be otherwise is bound to the member: equal people have other digests. */
export function createIdentityDigester(pepper: Buffer): IdentityDigester {
  const personKey = createSecretKey(Buffer.from(hkdfSync('sha256', pepper, '', 'verified-person', 32)));
  const numberKey = createSecretKey(Buffer.from(hkdfSync('sha256', pepper, '', 'id-number', 32)));
  const hmac = (key: KeyObject, { tenantId, environment }: Scope, values: readonly (string | null)[]): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([tenantId, environment, ...values]))
      .digest();
  const over = (scope: Scope, ...values: (string | null)[]): Buffer => hmac(personKey, scope, values);
  const digestNames: IdentityDigester['digestNames'] = (scope, memberId, { givenName, surname }) =>
    over(scope, memberId, 'names', comparable('givenName', givenName), comparable('surname', surname));
  return {
    digest: (scope, memberId, fields) => ({
      identity: over(scope, memberId, 'identity', ...IDENTITY_FIELDS.map((name) => comparable(name, fields[name]))),
      names: digestNames(scope, memberId, fields),
    }),
    digestNames,
    digestIdNumber: (scope, { countryCode, idNumber }) =>
      idNumber === null
        ? null
        : hmac(numberKey, scope, [comparable('countryCode', countryCode), comparable('idNumber', idNumber)]),
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
