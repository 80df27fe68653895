/** Who a token of an external provider is about, for whoever lets people in by one. */
import type { Scope } from '../../../db/scope.ts';

/** A provider whose tokens are believed: what they are tried by. */
export interface TrustedIssuer extends Scope {
  /** Of the provider's row, by which its keys are kept. */
  id: string;
  /** As the provider's own documents and tokens have it, to the character. */
  issuerUrl: string;
  jwksUri: string;
  allowedAudiences: readonly string[];
  /** Behind a change of the row its keys are fetched anew. */
  updatedAt: Date;
}

export interface ExternalIdentity {
  /** To be compared byte by byte. */
  subject: string;
  email: string | null;
  /** Null: the token does not say. False also for whatever is neither true nor the word for it. */
  emailVerified: boolean | null;
  name: string | null;
  givenName: string | null;
  surname: string | null;
}

/** Who a token is about, and by what the token itself is known again. */
export interface ExternalToken extends ExternalIdentity {
  mark: string;
  /** Seconds since 1970, both. */
  issuedAt: number;
  expiresAt: number;
  /** What it answers, where it was asked for with one. */
  nonce?: string;
}

/** INVALID_TOKEN with one text for every fault of the token; PROVIDER_UNAVAILABLE without usable keys to try it by. */
export type VerifyExternalToken = (provider: TrustedIssuer, token: string) => Promise<ExternalToken>;
