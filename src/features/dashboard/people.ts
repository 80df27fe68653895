/** What pages ask of the people of a tenant: their sessions, and the ways to get one. */
import { soleTenantSlug } from '../../db/cross-tenant-lookups.ts';
import type { Frames } from '../../db/frame.ts';
import type { GuessAt } from '../../http/rate-limit.ts';
import type { StaffFactors } from '../staff/open/factors.ts';
import type { NotMe } from '../staff/open/not-me.ts';
import type { AcceptInput, OpenInvite, SignInInput, SignInResult, Visitor } from '../staff/open/sign-in.ts';
import type { StaffSso } from '../staff/open/sso.ts';
import type { StaffSession, StaffSessions } from '../staff/open/staff-session.ts';
import type { StaffOffers } from '../staff/staff-feature.ts';

export interface People {
  sessions: Pick<StaffSessions, 'resolve' | 'callerOf'>;
  signIn(input: SignInInput, visitor: Visitor): Promise<SignInResult>;
  look(token: string): Promise<OpenInvite | undefined>;
  accept(token: string, input: AcceptInput, visitor: Visitor): Promise<SignInResult>;
  signOut(session: StaffSession, cookie: string, visitor: Visitor): Promise<void>;
  /** What may be a guess of a password, a code or a link. */
  guess: GuessAt;
  /** The slug where the deployment has one tenant only. */
  soleSlug(): Promise<string | undefined>;
  factors: StaffFactors;
  /** By the tenant's own provider. */
  sso: StaffSso;
  /** The link in the mail of a sign-in. */
  notMe: NotMe;
}

export function peopleOf(staff: StaffOffers, frames: Frames): People {
  const { sessions, signIn, links, guess, factors, sso, notMe } = staff;
  return {
    sessions,
    signIn: signIn.signIn,
    look: links.look,
    accept: links.accept,
    guess,
    async signOut({ id, tenantId, staffId }, cookie, { ip, requestId }) {
      const scope = { tenantId, environment: 'LIVE' } as const;
      const by = { actor: { kind: 'staff', id: staffId }, operationId: 'sign-out', requestId, ip } as const;
      await frames.write(scope, (db) => sessions.end(db, scope, { staffId, sessionId: id, reason: 'signed_out' }, by));
      sessions.forget(cookie);
    },
    async soleSlug() {
      const [sole] = await frames.unscoped(soleTenantSlug());
      return sole?.slug;
    },
    factors,
    sso,
    notMe,
  };
}
