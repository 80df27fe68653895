/** What pages ask of the people of a tenant: their sessions, and ways to get one. */

import type { Visitor } from '../staff/open/sign-in.ts';
import type { StaffSession, StaffSessions } from '../staff/open/staff-session.ts';

/** A second factor as a form sends it. */
export interface FactorProof {
  method: 'totp' | 'recovery_code' | 'passkey';
  /** The code, or what the browser's passkey answered, as JSON. */
  answer: string;
}

export type FactorAnswer =
  | { kind: 'given'; cookie: string; session: StaffSession }
  | { kind: 'refused' }
  | { kind: 'wait'; seconds: number };

export interface People {
  sessions: StaffSessions;
  /** Gives a factor once more; the session is another one then. */
  stepUp(session: StaffSession, proof: FactorProof, visitor: Visitor): Promise<FactorAnswer>;
  /** The factors that a person has. */
  factorsOf(session: StaffSession): Promise<readonly FactorProof['method'][]>;
  signOut(session: StaffSession, visitor: Visitor): Promise<void>;
}
