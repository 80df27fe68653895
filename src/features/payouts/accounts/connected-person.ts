/** A member's profile as a payment provider is told of it. Source: docs/specification/payouts.md#connected-person. */
import { countries } from '../../../countries.ts';
import type { Scope } from '../../../db/scope.ts';
import type { ConnectedPerson } from '../../../vendors/payments/payment-vendor.ts';
import type { Identity } from '../../profile/open/profile.ts';

/** As the payout account keeps it. */
export interface TosAcceptance {
  acceptedAt: string;
  ip: string;
  userAgent: string | null;
}

interface Wanted {
  scope: Scope;
  memberId: string;
  /** ISO 3166-1 alpha-2, in which the account is opened. */
  country: string;
  identity: Identity;
  tosAcceptance: TosAcceptance | null;
}

/** The person, or the profile's fields that stand in the way. */
export function toConnectedPerson({ scope, memberId, country, identity, tosAcceptance }: Wanted): ConnectedPerson | string[] {
  const { email, givenName, surname, dateOfBirth, idNumber } = identity;
  const { addressLine1, addressLine2, city, state, postalCode, district, neighborhood, countryCode } = identity.address ?? {};
  const needed = { givenName, surname, dateOfBirth, 'address.addressLine1': addressLine1, 'address.city': city, tosAcceptance };
  const missing = Object.entries(needed).flatMap(([field, value]) => (value ? [] : [field]));
  // Another country is another account, which the member has to ask for.
  if (toAlpha2(identity.countryCode) !== country) missing.push('countryCode');
  if (!givenName || !surname || !dateOfBirth || !addressLine1 || !city || !tosAcceptance || missing.length > 0) return missing;
  return {
    country,
    email,
    givenName,
    surname,
    dateOfBirth,
    idNumber,
    address: {
      line1: addressLine1,
      // The provider has no place of its own for these.
      line2: [addressLine2, district, neighborhood].filter(Boolean).join(', ') || null,
      city,
      state: state ?? null,
      postalCode: postalCode ?? null,
      country: toAlpha2(countryCode) ?? country,
    },
    tosAcceptance: { ...tosAcceptance, acceptedAt: new Date(tosAcceptance.acceptedAt) },
    metadata: { tenant_id: scope.tenantId, environment: scope.environment, user_id: memberId, country },
  };
}

/** From either form. */
function toAlpha2(code: string | null | undefined): string | undefined {
  if (!code) return undefined;
  return code.length === 2 ? code.toUpperCase() : countries.alpha3ToAlpha2(code.toUpperCase());
}
