/** Signing in by a second factor, and giving it once more. Source: docs/specification/people-factors.md. */
import { locateTenantSlug } from '../../../db/cross-tenant-lookups.ts';
import type { Frames } from '../../../db/frame.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import type { Challenges } from '../challenges.ts';
import type { Guessing } from '../guessing.ts';
import type { StaffFactors } from '../open/factors.ts';
import type { FactorMethod, SignInResult, Visitor } from '../open/sign-in.ts';
import { byPerson, peopleOf, type Sessions } from '../sessions.ts';
import type { BegunBy, SignIn } from '../sign-in.ts';
import { countFactors } from './factors-queries.ts';
import type { Asking, FactorProofs, Proven } from './prove-factor.ts';
import { type ReadProof, readProof } from './read-proof.ts';

interface Deps {
  frames: Frames;
  proofs: FactorProofs;
  challenges: Challenges;
  guessing: Guessing;
  sessions: Sessions;
  signIn: Pick<SignIn, 'finishIn' | 'complete'>;
}

const REFUSED = { kind: 'refused' } as const;

export function createFactorsService({ frames, proofs, challenges, guessing, sessions, signIn }: Deps): StaffFactors {
  /** Counts a code as a guess before it is looked at. A passkey cannot be guessed: it is never made to wait. */
  async function mayTry(scope: Scope, staffId: string, { method }: ReadProof): Promise<{ waitSeconds?: number }> {
    return method === 'passkey' ? {} : guessing.take(scope, `factor:${staffId}`);
  }

  async function holds(scope: Scope, staffId: string, { method }: ReadProof): Promise<void> {
    if (method !== 'passkey') await guessing.succeeded(scope, `factor:${staffId}`);
  }

  /** Which factor it was, or that it was none, for the audit log. */
  async function note(db: Db, scope: Scope, { what, staffId, proven, proof, visitor }: Noted): Promise<void> {
    await recordAudit(db, scope, {
      action: proven ? 'staff_factor.given' : 'staff_factor.refused',
      by: byPerson(staffId, what, visitor),
      objectKind: 'staff',
      objectId: staffId,
      details: proven ? { method: proven.method, passkeyId: proven.passkeyId ?? null } : { method: proof.method },
    });
  }

  const bound = (kind: Asking['kind'], of: Partial<Asking>): Asking => ({
    kind,
    staffId: null,
    sessionId: null,
    signInId: null,
    ...of,
  });

  return {
    async askToSignIn(tenantSlug) {
      const [tenant] = await frames.unscoped(locateTenantSlug({ slug: tenantSlug.toLowerCase() }));
      if (!tenant) return undefined;
      const scope = peopleOf({ tenantId: tenant.tenant_id });
      return frames.write(scope, (db) => proofs.ask(db, scope, bound('passkey_sign_in', {})));
    },

    async signInByPasskey(answer, visitor) {
      const proof = readProof({ method: 'passkey', answer });
      const given = proof && (await proofs.find(proof, 'passkey_sign_in'));
      if (given?.method !== 'passkey') return REFUSED;
      const { scope } = given.asked;
      const finished = await frames.write(scope, async (db) => {
        const by = (staffId: string) => byPerson(staffId, 'sign-in', visitor);
        const proven = await proofs.prove(db, scope, given, bound('passkey_sign_in', {}), by);
        if (!proven) return REFUSED;
        await note(db, scope, { what: 'sign-in', staffId: proven.staffId, proven, proof: given, visitor });
        return signIn.finishIn(db, scope, { staffId: proven.staffId, withFactor: true, by: 'own' }, visitor);
      });
      return signIn.complete(finished);
    },

    async askInSignIn(challenge) {
      const begun = await challenges.find(challenge, 'sign_in');
      if (!begun || begun.staffId === null) return undefined;
      const { scope, staffId, id } = begun;
      return frames.write(scope, (db) => proofs.ask(db, scope, bound('passkey_sign_in', { staffId, signInId: id })));
    },

    async finishSignIn(challenge, sent, visitor): Promise<SignInResult> {
      const begun = await challenges.find(challenge, 'sign_in');
      const proof = readProof(sent);
      if (!begun || begun.staffId === null || !proof) return REFUSED;
      const { scope, staffId, id } = begun;
      const given = await proofs.find(proof, 'passkey_sign_in');
      if (!given) return REFUSED;
      const { waitSeconds } = await mayTry(scope, staffId, proof);
      if (waitSeconds !== undefined) return { kind: 'wait', seconds: waitSeconds };
      const finished = await frames.write(scope, async (db) => {
        const asking = bound('passkey_sign_in', { staffId, signInId: id });
        const proven = await proofs.prove(db, scope, given, asking, (whose) => byPerson(whose, 'sign-in', visitor));
        await note(db, scope, { what: 'sign-in', staffId, proven, proof, visitor });
        if (!proven || !(await challenges.take(db, begun))) return REFUSED;
        // A recovery code is for signing in and not for a step-up.
        const withFactor = proof.method !== 'recovery_code';
        return signIn.finishIn(db, scope, { staffId, withFactor, by: begunBy(begun.data) }, visitor);
      });
      if (finished.kind !== 'refused') await holds(scope, staffId, proof);
      return signIn.complete(finished);
    },

    async factorsOf(session) {
      const scope = peopleOf(session);
      const { passkeys, totpAt } = await frames.read(scope, (db) => countFactors(db, scope, session.staffId));
      const methods: FactorMethod[] = [];
      if (passkeys > 0) methods.push('passkey');
      if (totpAt !== null) methods.push('totp');
      return methods;
    },

    async askToStepUp({ id, tenantId, staffId }) {
      const scope = peopleOf({ tenantId });
      return frames.write(scope, (db) => proofs.ask(db, scope, bound('step_up', { staffId, sessionId: id })));
    },

    async stepUp(session, sent, visitor) {
      const { id, tenantId, staffId } = session;
      const scope = peopleOf({ tenantId });
      const proof = readProof(sent);
      if (!proof || proof.method === 'recovery_code') return REFUSED;
      const given = await proofs.find(proof, 'step_up');
      if (!given) return REFUSED;
      const { waitSeconds } = await mayTry(scope, staffId, proof);
      if (waitSeconds !== undefined) return { kind: 'wait', seconds: waitSeconds };
      const by = byPerson(staffId, 'step-up', visitor);
      const cookie = await frames.write(scope, async (db) => {
        const proven = await proofs.prove(db, scope, given, bound('step_up', { staffId, sessionId: id }), () => by);
        await note(db, scope, { what: 'step-up', staffId, proven, proof, visitor });
        return proven && sessions.stepUp(db, session, by);
      });
      if (cookie === undefined) return REFUSED;
      await holds(scope, staffId, proof);
      const renewed = await sessions.resolve(cookie);
      return renewed ? { kind: 'given', cookie, session: renewed } : REFUSED;
    },
  };
}

/** What the sign-in began with, of which this is the second step. */
function begunBy({ by }: Readonly<Record<string, unknown>>): BegunBy {
  return by === 'provider' || by === 'link' ? by : 'own';
}

interface Noted {
  what: string;
  staffId: string;
  proven: Proven | undefined;
  proof: Pick<ReadProof, 'method'>;
  visitor: Visitor;
}
