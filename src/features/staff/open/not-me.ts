/** "This was not me", by the link in the mail of a sign-in. Source: docs/specification/people.md#not-me. */
import type { Visitor } from './sign-in.ts';

/** The sign-in that the mail was about. */
export interface OtherSignIn {
  tenantName: string;
  slug: string;
  email: string;
  at: Date;
  ip: string | null;
  agent: string | null;
}

export interface NotMe {
  /** While the link can be used: looking at it uses nothing up. */
  look(token: string): Promise<OtherSignIn | undefined>;
  /**
   * Ends all sessions of the person, takes away the password and the second factors that were added since. `token`: of a
   * link to another password; undefined where people sign in by a provider alone. Undefined when the link is no good any
   * more.
   */
  act(token: string, visitor: Visitor): Promise<{ ended: number; token: string | undefined } | undefined>;
}
