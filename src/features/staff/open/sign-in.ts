/** Signing in, as pages ask for it. Source: docs/specification/people.md#sign-in. */
import type { StaffSession } from './staff-session.ts';

/** Whose browser it is. */
export interface Visitor {
  ip: string | null;
  agent: string | null;
  /** X-Request-Id of the answer. */
  requestId: string | null;
}

export interface SignInInput {
  tenantSlug: string;
  email: string;
  password: string;
}

export type SignInResult =
  /** `cookie` is the value for the session's cookie. */
  | { kind: 'signed_in'; cookie: string; session: StaffSession; newDevice: boolean }
  /** The password was right. `challenge` is to be sent with the second factor, within ten minutes. */
  | { kind: 'factor_needed'; challenge: string; methods: FactorMethod[] }
  /** Too many failures for this email: none is looked at for so long. */
  | { kind: 'wait'; seconds: number }
  /** The tenant's people sign in by their provider alone; nothing of what was sent was looked at. */
  | { kind: 'sso_only' }
  /** Unknown, wrong, disabled: which of them is not told. */
  | { kind: 'refused' };

export type FactorMethod = 'passkey' | 'totp' | 'recovery_code';

/** What a link for one person leads to, while it can be used. */
export interface OpenInvite {
  /** `invite`: a person who was invited; `welcome`: whoever holds the link; `reset`: a new password for somebody. */
  kind: 'invite' | 'welcome' | 'reset';
  tenantName: string;
  slug: string;
  role: string;
  /** Null of a welcome: it is asked for. */
  email: string | null;
  name: string | null;
  /** Whether the person signs in by the tenant's provider instead, and chooses no password. */
  bySso: boolean;
  expiresAt: Date;
}

export interface AcceptInput {
  /** Of a reset it is not asked for. */
  name?: string | undefined;
  /** Of a welcome alone. */
  email?: string | undefined;
  password: string;
}
