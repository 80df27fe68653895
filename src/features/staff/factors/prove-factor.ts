/**
 * Whether what somebody gives as a second factor is one of the person's, good now, and not used before. Source:
 * docs/specification/people-factors.md#proof.
 */
import type { Provenance } from '../../../actor.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import type { Cipher } from '../../../encryption.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import type { Challenges, FoundChallenge } from '../challenges.ts';
import { insertChallenge } from '../challenges-queries.ts';
import type { PasskeyQuestion } from '../open/factors.ts';
import type { FactorMethod } from '../open/sign-in.ts';
import { newToken } from '../tokens.ts';
import { findOwner, listPasskeys, lockHolder, lockPasskey, lockTotp, storeStep, storeUsed, useCode } from './factors-queries.ts';
import { type AuthenticationAnswer, CHALLENGE_MINUTES, challengeOf, goesBack, type PasskeyChecks } from './passkey-checks.ts';
import type { ReadProof } from './read-proof.ts';
import { matchStep } from './totp.ts';
import { totpPlace } from './totp-sealed.ts';

/** What a question to a browser belongs to: its answer is good for nothing else. */
export interface Asking {
  kind: 'passkey_sign_in' | 'step_up';
  /** Null: whoever has a passkey on the device. */
  staffId: string | null;
  sessionId: string | null;
  /** Of the sign-in that began with a password. */
  signInId: string | null;
}

/** What is given, and of a passkey the question that it answers. */
export type GivenProof =
  | Exclude<ReadProof, { method: 'passkey' }>
  | { method: 'passkey'; response: AuthenticationAnswer; asked: FoundChallenge };

export interface Proven {
  staffId: string;
  method: FactorMethod;
  /** Of the passkey. */
  passkeyId?: string;
}

export interface FactorProofs {
  /** Puts a question to a browser, for five minutes. */
  ask(db: Db, scope: Scope, asking: Asking): Promise<PasskeyQuestion>;
  /** The open question that a passkey answers, of any tenant; codes answer none. Undefined: it answers none of this kind. */
  find(proof: ReadProof, kind: Asking['kind']): Promise<GivenProof | undefined>;
  /**
   * In the frame that it is given in; that frame is to be committed whatever comes of it, so that what was answered once
   * cannot be answered again. Undefined for whatever does not hold. The person is locked, and active.
   */
  prove(
    db: Db,
    scope: Scope,
    given: GivenProof,
    asking: Asking,
    by: (staffId: string) => Provenance,
  ): Promise<Proven | undefined>;
}

interface Deps {
  cipher: Cipher;
  checks: PasskeyChecks;
  challenges: Challenges;
  recoveryDigest: (staffId: string, code: string) => Buffer;
}

export function createFactorProofs({ cipher, checks, challenges, recoveryDigest }: Deps): FactorProofs {
  async function provePasskey(
    db: Db,
    scope: Scope,
    { response, asked }: Extract<GivenProof, { method: 'passkey' }>,
    asking: Asking,
    by: (staffId: string) => Provenance,
  ): Promise<Proven | undefined> {
    if (asked.scope.tenantId !== scope.tenantId || !(await challenges.take(db, asked)) || !isOf(asked, asking)) return undefined;
    const credentialId = Buffer.from(response.id, 'base64url');
    const staffId = await findOwner(db, scope, credentialId);
    if (staffId === undefined || (asking.staffId ?? staffId) !== staffId) return undefined;
    if (!(await lockHolder(db, scope, staffId))) return undefined;
    const passkey = await lockPasskey(db, scope, credentialId);
    if (passkey?.staffId !== staffId) return undefined; // removed meanwhile
    const used = await checks.checkUsed(response, challengeOf(response) ?? '', passkey);
    if (!used) return undefined;
    if (goesBack(passkey.counter, used.counter)) {
      await recordAudit(db, scope, {
        action: 'staff_passkey.counter_went_back',
        by: by(staffId),
        objectKind: 'staff',
        objectId: staffId,
        details: { passkeyId: passkey.id, stored: passkey.counter, given: used.counter },
      });
      return undefined;
    }
    await storeUsed(db, scope, { id: passkey.id, ...used });
    return { staffId, method: 'passkey', passkeyId: passkey.id };
  }

  async function proveTotp(db: Db, scope: Scope, staffId: string, code: string): Promise<boolean> {
    const row = await lockTotp(db, scope, staffId);
    if (!row || row.confirmedAt === null) return false;
    const secret = cipher.decrypt(row.secretSealed, totpPlace(scope, row.id));
    const step = matchStep({ secret, code, at: new Date(), lastStep: row.lastStep });
    if (step === undefined) return false;
    await storeStep(db, scope, row.id, step);
    return true;
  }

  return {
    async ask(db, scope, { kind, staffId, sessionId, signInId }) {
      const { token, hash } = newToken();
      const known = staffId === null ? undefined : await listPasskeys(db, scope, staffId);
      const data = JSON.stringify(signInId === null ? {} : { signInId });
      await insertChallenge(db, scope, { hash, kind, staffId, sessionId, data, minutes: CHALLENGE_MINUTES });
      return { publicKey: await checks.askFor(token, known) };
    },

    async find(proof, kind) {
      if (proof.method !== 'passkey') return proof;
      const asked = await challenges.find(challengeOf(proof.response) ?? '', kind);
      return asked && { ...proof, asked };
    },

    async prove(db, scope, given, asking, by) {
      if (given.method === 'passkey') return provePasskey(db, scope, given, asking, by);
      const { staffId } = asking;
      if (staffId === null || !(await lockHolder(db, scope, staffId))) return undefined;
      const holds =
        given.method === 'totp'
          ? await proveTotp(db, scope, staffId, given.code)
          : await useCode(db, scope, staffId, recoveryDigest(staffId, given.code));
      return holds ? { staffId, method: given.method } : undefined;
    },
  };
}

/** A question is answered by whom it was put to, in the same session or sign-in. */
function isOf(asked: FoundChallenge, { staffId, sessionId, signInId }: Asking): boolean {
  return asked.staffId === staffId && asked.sessionId === sessionId && (asked.data['signInId'] ?? null) === signInId;
}
