/** A member's profile, as other features may read it. */
import type { Db, Scope } from '../../../db/scope.ts';
import type { IdentityDigests } from '../../../house/personal.ts';
import type { MembershipTier } from '../../../http/schemas.ts';

/** Only the fields that are set. */
export interface Address {
  countryCode?: string;
  addressLine1?: string;
  addressLine2?: string;
  city?: string;
  state?: string;
  postalCode?: string;
  district?: string;
  neighborhood?: string;
  addressType?: 'residential' | 'mailing' | 'business';
}

export interface ProfileFields {
  name: string | null;
  givenName: string | null;
  surname: string | null;
  /** YYYY-MM-DD. */
  dateOfBirth: string | null;
  countryCode: string | null;
  address: Address | null;
  /** The name of the business that the member is paid as. */
  businessName: string | null;
}

export interface Profile extends ProfileFields {
  id: string;
  email: string;
  membershipTier: MembershipTier;
  isActive: boolean;
  parentId: string | null;
  erasedAt: Date | null;
  idNumberLastFour: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Who a member is, for a provider that has to know. */
export interface Identity extends Pick<ProfileFields, 'givenName' | 'surname' | 'dateOfBirth' | 'countryCode' | 'address'> {
  email: string;
  erasedAt: Date | null;
  idNumber: string | null;
}

/** Digests of who a member is, read behind the lock of what they are kept with; in the caller's transaction. Throws where there is no such member. */
export type DigestIdentity = (db: Db, scope: Scope, memberId: string) => Promise<IdentityDigests>;

/** Undefined: no such member. */
export type ReadIdentity = (scope: Scope, memberId: string) => Promise<Identity | undefined>;
