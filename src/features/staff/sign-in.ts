/** Signing in by email and password, and what follows it. Source: docs/specification/people.md#sign-in. */
import type { Provenance } from '../../actor.ts';
import { locateTenantSlug } from '../../db/cross-tenant-lookups.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { normaliseEmail } from '../../http/schemas.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { Challenges } from './challenges.ts';
import { methodsOf } from './factor-methods.ts';
import type { Guessing } from './guessing.ts';
import type { SignInInput, SignInResult, Visitor } from './open/sign-in.ts';
import type { Passwords } from './passwords.ts';
import { peopleOf, type Sessions } from './sessions.ts';
import { isSsoOnly } from './sso/sso-queries.ts';
import { findByEmail, type LockedPerson, lockPerson, storeRehashed } from './staff-queries.ts';

export interface SignIn {
  /** Never throws for what is wrong or unknown: the same answer, behind the same work. SERVICE_UNAVAILABLE when too many come at once. */
  signIn(input: SignInInput, visitor: Visitor): Promise<SignInResult>;
  /**
   * Ends a sign-in whose proofs are all given: a session, or the way to a new password where one has to be chosen.
   * `refused` when the person may not sign in any more.
   */
  finish(given: { tenantId: string } & Proofs, visitor: Visitor): Promise<SignInResult>;
  /** The same in the transaction of the caller. `complete` is to be called on its result behind the commit. */
  finishIn(db: Db, scope: Scope, given: Proofs, visitor: Visitor): Promise<Finished>;
  complete(finished: Finished): Promise<SignInResult>;
}

/** What a person has given. */
export interface Proofs {
  staffId: string;
  withFactor: boolean;
  /** What the sign-in began with: a password or passkey of the person's own, the tenant's provider, or a link. */
  by: BegunBy;
}

export type BegunBy = 'own' | 'provider' | 'link';

/** A sign-in that is written and not read back. */
export type Finished = { kind: 'begun'; cookie: string; newDevice: boolean } | { kind: 'refused' };

interface Deps {
  frames: Frames;
  passwords: Passwords;
  guessing: Guessing;
  sessions: Sessions;
  challenges: Challenges;
}

/** No tenant is of it: what is tried at addresses of nobody is counted nowhere, but costs the same work. */
export function createSignIn({ frames, passwords, guessing, sessions, challenges }: Deps): SignIn {
  async function finishIn(db: Db, scope: Scope, { staffId, withFactor, by }: Proofs, visitor: Visitor): Promise<Finished> {
    const person = await lockPerson(db, scope, staffId);
    if (person?.state !== 'active') return { kind: 'refused' };
    if (by === 'own' && (await isSsoOnly(db, scope))) return { kind: 'refused' };
    const { cookie, newDevice } = await sessions.begin(db, scope, { staffId, withFactor }, visitor);
    return { kind: 'begun', cookie, newDevice };
  }

  async function complete(finished: Finished): Promise<SignInResult> {
    if (finished.kind !== 'begun') return finished;
    const session = await sessions.resolve(finished.cookie);
    if (!session) return { kind: 'refused' };
    return { kind: 'signed_in', cookie: finished.cookie, session, newDevice: finished.newDevice };
  }

  const finish: SignIn['finish'] = async ({ tenantId, ...given }, visitor) => {
    const scope = peopleOf({ tenantId });
    return complete(await frames.write(scope, (db) => finishIn(db, scope, given, visitor)));
  };

  async function fail(scope: Scope, person: LockedPerson | undefined, visitor: Visitor, failures: number): Promise<SignInResult> {
    await frames.write(scope, (db) =>
      recordAudit(db, scope, {
        action: 'staff.sign_in_failed',
        by: byNobody('sign-in', visitor),
        objectKind: 'staff',
        objectId: person?.id ?? null,
        details: { failures },
      }),
    );
    return { kind: 'refused' };
  }

  return {
    finish,
    finishIn,
    complete,

    async signIn({ tenantSlug, email, password }, visitor) {
      const [tenant] = await frames.unscoped(locateTenantSlug({ slug: tenantSlug.toLowerCase() }));
      if (!tenant) {
        await passwords.verify(password, null);
        return { kind: 'refused' };
      }
      const scope = peopleOf({ tenantId: tenant.tenant_id });
      if (await frames.read(scope, (db) => isSsoOnly(db, scope))) return { kind: 'sso_only' };
      const address = normaliseEmail(email);
      const { waitSeconds, failures } = await guessing.take(scope, `email:${address}`);
      if (waitSeconds !== undefined) return { kind: 'wait', seconds: waitSeconds };
      const person = await frames.read(scope, (db) => findByEmail(db, scope, address));
      const stored = person?.state === 'active' ? person.passwordHash : null;
      const { matches, stale } = await passwords.verify(password, stored);
      if (!person || !matches) return fail(scope, person, visitor, failures);
      const methods = methodsOf(person);
      const passwordHash = stale ? await passwords.hash(password) : undefined;
      await guessing.succeeded(scope, `email:${address}`);
      if (passwordHash !== undefined && stored !== null) {
        await frames.write(scope, (db) => storeRehashed(db, scope, { staffId: person.id, before: stored, passwordHash }));
      }
      if (methods.length === 0) return finish({ ...scope, staffId: person.id, withFactor: false, by: 'own' }, visitor);
      const challenge = await frames.write(scope, (db) => challenges.make(db, scope, { kind: 'sign_in', staffId: person.id }));
      return { kind: 'factor_needed', challenge, methods };
    },
  };
}

/** Of what somebody tried who is not known. */
export function byNobody(what: string, { ip, requestId }: Pick<Visitor, 'ip' | 'requestId'>): Provenance {
  return { actor: { kind: 'system', id: null }, operationId: what, requestId, ip };
}
