/** What we ask of a vendor that verifies identities. Calls are made outside any transaction. */

/** Whom the vendor is to verify: what the profile has, for it to compare the papers with. */
export interface Applicant {
  /** One for a member's whole life; another would make a second applicant. */
  externalUserId: string;
  email: string;
  givenName: string | null;
  surname: string | null;
  /** YYYY-MM-DD */
  dateOfBirth: string | null;
  /** ISO 3166-1 alpha-3 */
  countryCode: string | null;
}

export interface SdkToken {
  token: string;
  expiresAt: Date;
}

/** How a verification stands at the vendor. */
export interface VendorReview {
  reviewStatus: string;
  reviewResult?: VendorReviewResult | null | undefined;
}

export interface VendorReviewResult {
  reviewAnswer?: string | null | undefined;
  reviewRejectType?: string | null | undefined;
  rejectLabels?: string[] | null | undefined;
  /** May be shown to the member. */
  moderationComment?: string | null | undefined;
}

/** What it has read from the papers of an applicant, and what it thinks of each. */
export interface VendorFindings {
  givenName: string | null;
  surname: string | null;
  /** YYYY-MM-DD */
  dateOfBirth: string | null;
  /** ISO 3166-1 alpha-3 */
  countryCode: string | null;
  /** Whole, of all papers. */
  idNumbers: string[];
  /** By the vendor's names of papers and steps. */
  documents: { documentType: string; verdict: 'accepted' | 'rejected' | 'pending'; words: string | null }[];
  review: VendorReview;
}

/**
 * All throw PROVIDER_UNAVAILABLE when the vendor cannot be reached or is overloaded, and
 * PROVIDER_CONFIGURATION when it refuses us or answers with what cannot be used. Neither tells the
 * caller what the vendor said; the log does.
 */
export interface KycVendor<Account> {
  /** The id of the applicant: of the one that is there already, or of a new one. */
  ensureApplicant(account: Account, applicant: Applicant): Promise<string>;
  createSdkToken(account: Account, externalUserId: string): Promise<SdkToken>;
  /** Undefined: the vendor knows no such applicant. */
  readReview(account: Account, applicantId: string): Promise<VendorReview | undefined>;
  /** Undefined: as above. */
  readFindings(account: Account, applicantId: string): Promise<VendorFindings | undefined>;
  /** Takes back what was decided, so that the applicant sends papers in again. Repeatable. False: it knows no such applicant. */
  resetApplicant(account: Account, applicantId: string): Promise<boolean>;
}
