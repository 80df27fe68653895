/** Signing in by the tenant's own identity provider, as pages ask for it. Source: docs/specification/people.md#sso. */
import type { SignInResult, Visitor } from './sign-in.ts';

export interface ProviderLook {
  tenantName: string;
  slug: string;
  /** The host of the provider, as a person knows it. */
  host: string;
  /** Whether there is no other way in. */
  ssoOnly: boolean;
}

export interface ProviderAnswer {
  /** As it was sent with the question, and comes back. */
  state: string;
  code: string;
  /** Of RFC 9207, where the provider says who answers. */
  issuer: string | undefined;
  /** Where the browser came back to: what the question was sent with, to the character. */
  redirectUri: string;
}

export type SsoResult =
  | SignInResult
  /** The provider knows the person, and nobody has asked for it here. */
  | { kind: 'not_invited' }
  /** The answer does not hold, or the provider cannot be reached: which of them is in the log alone. */
  | { kind: 'failed' };

export interface StaffSso {
  /** Undefined: there is no such tenant, or it has no provider that is on. */
  look(slug: string): Promise<ProviderLook | undefined>;
  /**
   * A question to the provider: where to send the browser, and the value that the same browser must bring back.
   * Each tenant has a redirect URI of its own. Undefined as in `look`. PROVIDER_UNAVAILABLE when it cannot be asked now.
   */
  begin(slug: string, redirectUriOf: (tenantId: string) => string): Promise<{ state: string; address: string } | undefined>;
  /** Each question is answered once. To be called for the browser that asked alone. */
  finish(answer: ProviderAnswer, visitor: Visitor): Promise<SsoResult>;
}
