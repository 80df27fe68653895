/** Second factors, as pages ask for them. Source: docs/specification/people-factors.md. */
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { FactorMethod, SignInResult, Visitor } from './sign-in.ts';
import type { StaffSession } from './staff-session.ts';

/** What a browser hands to `PublicKeyCredential.parseRequestOptionsFromJSON`. Its challenge works once, for five minutes. */
export interface PasskeyQuestion {
  publicKey: PublicKeyCredentialRequestOptionsJSON;
}

/** A second factor as a form sends it. */
export interface FactorProof {
  method: FactorMethod;
  /** The code, or what the browser's passkey answered, as JSON. */
  answer: string;
}

export type FactorAnswer =
  /** `cookie` is the session's new value; the one before is good for nothing. */
  | { kind: 'given'; cookie: string; session: StaffSession }
  /** Too many codes that were wrong: none is looked at for so long. A passkey is. */
  | { kind: 'wait'; seconds: number }
  /** Wrong, used before, of somebody else, or too late: which of them is not told. */
  | { kind: 'refused' };

export interface StaffFactors {
  /** For signing in by a passkey alone. Undefined: no tenant has this slug. */
  askToSignIn(tenantSlug: string): Promise<PasskeyQuestion | undefined>;
  /** Signs in whoever the passkey is of; `answer` as in a proof. Wrong passwords never lock it. */
  signInByPasskey(answer: string, visitor: Visitor): Promise<SignInResult>;
  /** For the second step of a sign-in, by the challenge of `factor_needed`; undefined when it has run out. */
  askInSignIn(challenge: string): Promise<PasskeyQuestion | undefined>;
  /** The second step. The challenge is good for further attempts until one succeeds. */
  finishSignIn(challenge: string, proof: FactorProof, visitor: Visitor): Promise<SignInResult>;
  /** What the person may step up by: no recovery code, which is for signing in. */
  factorsOf(session: StaffSession): Promise<readonly FactorMethod[]>;
  askToStepUp(session: StaffSession): Promise<PasskeyQuestion>;
  /** Gives a factor once more: for ten minutes the session may do what takes one. */
  stepUp(session: StaffSession, proof: FactorProof, visitor: Visitor): Promise<FactorAnswer>;
}
