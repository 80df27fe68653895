/** Second factors, as pages ask for them. Source: docs/specification/people-factors.md. */
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { AuthenticationAnswer } from '../factors/passkey-checks.ts';
import type { SignInResult, Visitor } from './sign-in.ts';
import type { StaffSession } from './staff-session.ts';

/** What a browser hands to `PublicKeyCredential.parseRequestOptionsFromJSON`. Its challenge works once, for five minutes. */
export type PasskeyQuestion = PublicKeyCredentialRequestOptionsJSON;

/** What a person gives as a second factor. */
export type FactorProof =
  | { kind: 'passkey'; response: AuthenticationAnswer }
  | { kind: 'totp'; code: string }
  | { kind: 'recovery_code'; code: string };

export type StepUpResult =
  /** `cookie` is the session's new value; the one before is good for nothing. */
  | { kind: 'stepped_up'; cookie: string }
  /** Too many codes that were wrong: none is looked at for so long. A passkey is. */
  | { kind: 'wait'; seconds: number }
  /** Wrong, used before, of somebody else, or too late: which of them is not told. */
  | { kind: 'refused' };

export interface StaffFactors {
  /** For signing in by a passkey alone. Undefined: no tenant has this slug. */
  askToSignIn(tenantSlug: string): Promise<PasskeyQuestion | undefined>;
  /** Signs in whoever the passkey is of. Wrong passwords never lock it. */
  signInByPasskey(response: AuthenticationAnswer, visitor: Visitor): Promise<SignInResult>;
  /** For the second step of a sign-in, by the challenge of `factor_needed`; undefined when it has run out. */
  askInSignIn(challenge: string): Promise<PasskeyQuestion | undefined>;
  /** The second step. The challenge is good for further attempts until one succeeds. */
  finishSignIn(challenge: string, proof: FactorProof, visitor: Visitor): Promise<SignInResult>;
  askToStepUp(session: StaffSession): Promise<PasskeyQuestion>;
  stepUp(session: StaffSession, proof: FactorProof, visitor: Visitor): Promise<StepUpResult>;
}
