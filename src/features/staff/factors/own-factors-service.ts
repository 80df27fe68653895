/** What a person does with the own second factors, and an owner with those of another. Source: docs/specification/people-factors.md. */
import { newId } from '../../../db/cross-tenant-lookups.ts';
import type { Frames } from '../../../db/frame.ts';
import type { Db, Scope, WriteDb } from '../../../db/scope.ts';
import { drawQr } from '../../../documents/draw-qr.ts';
import type { Cipher } from '../../../encryption.ts';
import { AppError } from '../../../errors.ts';
import type { CallContext, Caller } from '../../../http/operation.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import type { TwoHands } from '../../two-hands/two-hands-service.ts';
import type { Challenges } from '../challenges.ts';
import { insertChallenge } from '../challenges-queries.ts';
import type { Guessing } from '../guessing.ts';
import { needsFactorInLive } from '../open/roles.ts';
import { peopleOf, type Sessions } from '../sessions.ts';
import { newToken } from '../tokens.ts';
import { factorsErrors } from './factors-errors.ts';
import {
  countFactors,
  deleteCodes,
  deletePasskey,
  deletePasskeys,
  deleteTotp,
  type FactorCounts,
  type FactorHolder,
  hasFactor,
  insertCodes,
  insertPasskey,
  insertTotp,
  listPasskeys,
  lockHolder,
  lockTotp,
  type Passkey,
  readTenantName,
  renamePasskey,
  storeStep,
} from './factors-queries.ts';
import { CHALLENGE_MINUTES, challengeOf, type PasskeyChecks, type RegistrationAnswer } from './passkey-checks.ts';
import { drawRecoveryCodes } from './recovery-codes.ts';
import { requireProof } from './require-proof.ts';
import { base32Of, matchStep, newSecret, otpauthUri } from './totp.ts';
import { totpPlace } from './totp-sealed.ts';

const MOST_PASSKEYS = 20;

/** What a browser hands to `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export interface PasskeyRequest {
  challenge: string;
  [name: string]: unknown;
}

export interface OwnFactors {
  passkeys: Passkey[];
  authenticator: { confirmedAt: Date } | null;
  recoveryCodesLeft: number;
  /** Whether the role may write in LIVE only with a second factor. */
  required: boolean;
}

/**
 * Of whoever calls, who is a person: FORBIDDEN for keys, ENVIRONMENT_MISMATCH in SANDBOX. What is changed takes a fresh
 * factor once there is one, or a sign-in by a recovery code just now: STEP_UP_REQUIRED. Before, it takes a sign-in of just
 * now: UNAUTHORIZED.
 */
export interface OwnFactorsService {
  get(context: CallContext): Promise<OwnFactors>;
  /** STATE_CONFLICT: there are as many passkeys as one may have. */
  askForPasskey(context: CallContext): Promise<{ publicKey: PasskeyRequest }>;
  /** FACTOR_REFUSED; STATE_CONFLICT where the passkey is there already. */
  addPasskey(context: CallContext, input: { name: string; response: RegistrationAnswer }): Promise<Passkey>;
  /** NOT_FOUND. */
  renamePasskey(context: CallContext, passkeyId: string, name: string): Promise<Passkey>;
  /** NOT_FOUND; LAST_FACTOR. */
  removePasskey(context: CallContext, passkeyId: string): Promise<OwnFactors>;
  /** STATE_CONFLICT where one is in use. */
  beginAuthenticator(context: CallContext): Promise<{ secret: string; uri: string; qrSvg: string }>;
  /** FACTOR_REFUSED; RATE_LIMITED behind too many wrong codes; STATE_CONFLICT where none waits to be confirmed. */
  confirmAuthenticator(context: CallContext, code: string): Promise<OwnFactors>;
  /** NOT_FOUND; LAST_FACTOR. */
  removeAuthenticator(context: CallContext): Promise<OwnFactors>;
  /** Behind a factor alone. STATE_CONFLICT without one, in whose place they would stand. */
  makeRecoveryCodes(context: CallContext): Promise<{ codes: string[] }>;
  /** Of somebody else. NOT_FOUND; STATE_CONFLICT for oneself. */
  reset(
    context: CallContext,
    staffId: string,
  ): Promise<{ staffId: string; passkeysRemoved: number; authenticatorRemoved: boolean }>;
}

interface Deps {
  frames: Frames;
  cipher: Cipher;
  checks: PasskeyChecks;
  challenges: Challenges;
  guessing: Guessing;
  sessions: Pick<Sessions, 'end'>;
  twoHands: Pick<TwoHands, 'recordTie'>;
  recoveryDigest: (staffId: string, code: string) => Buffer;
}

export function createOwnFactorsService(deps: Deps): OwnFactorsService {
  const { frames, cipher, checks, challenges, guessing, sessions, twoHands, recoveryDigest } = deps;

  async function read(db: Db, scope: Scope, { staffId, needsFactor }: Own): Promise<OwnFactors> {
    const [passkeys, { totpAt, codesLeft }] = await Promise.all([
      listPasskeys(db, scope, staffId),
      countFactors(db, scope, staffId),
    ]);
    return {
      passkeys,
      authenticator: totpAt === null ? null : { confirmedAt: totpAt },
      recoveryCodesLeft: codesLeft,
      required: needsFactor,
    };
  }

  /** With the first factor: a cookie that was stolen before it works no more. */
  async function endOthers(db: Db, caller: Caller, { scope, staffId, sessionId, counts }: Changing): Promise<void> {
    if (hasFactor(counts)) return;
    await sessions.end(db, scope, { staffId, except: sessionId, reason: 'ended' }, caller.provenance);
  }

  /** Runs a change of the own factors, with the person locked. */
  function change<T>(
    { scope: caller, guard, shape }: CallContext,
    fn: (db: WriteDb, own: Changing) => Promise<T>,
    { byCode = true } = {},
  ): Promise<T> {
    const own = ownOf(caller);
    return frames.write(
      caller,
      async (db) => {
        const scope = peopleOf(caller);
        const holder = await lockHolder(db, scope, own.staffId);
        if (!holder) throw new AppError('FORBIDDEN', 'Only a person who is active may do this');
        const counts = await countFactors(db, scope, own.staffId);
        await requireProof(db, caller, { ...own, scope, counts, byCode });
        const note = (action: string, details: Record<string, unknown> = {}): Promise<void> =>
          recordAudit(db, scope, { action, by: caller.provenance, objectKind: 'staff', objectId: own.staffId, details });
        return fn(db, { ...own, scope, holder, counts, note });
      },
      { guard, shape },
    );
  }

  /** Behind the removal of a factor: whether the role may be left without any, and that nothing stands in for none. */
  async function requireLeft(db: Db, { scope, staffId, holder }: Changing): Promise<void> {
    const left = await countFactors(db, scope, staffId);
    if (hasFactor(left)) return;
    if (needsFactorInLive(holder.role)) {
      throw new AppError(factorsErrors.LAST_FACTOR, `The role ${holder.role} requires a second factor; add another first`);
    }
    await deleteCodes(db, scope, staffId);
  }

  async function noteRefusal(caller: Caller, staffId: string): Promise<void> {
    const scope = peopleOf(caller);
    const details = { method: 'totp' };
    const entry = { action: 'staff_factor.refused', by: caller.provenance, objectKind: 'staff', objectId: staffId, details };
    await frames.write(scope, (db) => recordAudit(db, scope, entry));
  }

  return {
    async get({ scope: caller }) {
      const own = ownOf(caller);
      return frames.read(caller, (db) => read(db, peopleOf(caller), own));
    },

    askForPasskey: (context) =>
      change(context, async (db, { scope, staffId, sessionId, holder }) => {
        const known = await listPasskeys(db, scope, staffId);
        if (known.length >= MOST_PASSKEYS) {
          throw new AppError('STATE_CONFLICT', `You have ${MOST_PASSKEYS} passkeys, which is the most; remove one first`);
        }
        const { token, hash } = newToken();
        await insertChallenge(db, scope, {
          hash,
          kind: 'passkey_add',
          staffId,
          sessionId,
          data: '{}',
          minutes: CHALLENGE_MINUTES,
        });
        const tenantName = await readTenantName(db, scope);
        return { publicKey: { ...(await checks.askForNew(token, { ...holder, tenantName }, known)) } };
      }),

    async addPasskey(context, { name, response }) {
      const { sessionId, staffId } = ownOf(context.scope);
      const challenge = challengeOf(response) ?? '';
      const asked = await challenges.find(challenge, 'passkey_add');
      const isOwn = asked?.staffId === staffId && asked.sessionId === sessionId;
      const isHere = isOwn && asked.scope.tenantId === context.scope.tenantId;
      const made = isHere ? await checks.checkNew(response, challenge) : undefined;
      return change(context, async (db, own) => {
        const { scope, note } = own;
        // Refused in here, behind the answer that a repeat gets. The question stays open then: this frame is undone.
        if (!made || !isHere || !(await challenges.take(db, asked))) throw refused();
        const passkey = await insertPasskey(db, scope, { ...made, staffId, name });
        await note('staff_passkey.added', { passkeyId: passkey.id, aaguid: made.aaguid, backedUp: made.backedUp });
        await endOthers(db, context.scope, own);
        return passkey;
      });
    },

    renamePasskey: (context, passkeyId, name) =>
      change(context, async (db, { scope, staffId, note }) => {
        const passkey = await renamePasskey(db, scope, { staffId, id: passkeyId, name });
        if (!passkey) throw new AppError('NOT_FOUND', 'No such passkey');
        await note('staff_passkey.renamed', { passkeyId });
        return passkey;
      }),

    removePasskey: (context, passkeyId) =>
      change(context, async (db, own) => {
        if (!(await deletePasskey(db, own.scope, own.staffId, passkeyId))) throw new AppError('NOT_FOUND', 'No such passkey');
        await requireLeft(db, own);
        await own.note('staff_passkey.removed', { passkeyId });
        return read(db, own.scope, own);
      }),

    async beginAuthenticator(context) {
      const [drawn] = await frames.unscoped(newId());
      if (!drawn) throw new Error('no id was made');
      const secret = newSecret();
      return change(context, async (db, { scope, staffId, holder, counts, note }) => {
        if (counts.totpAt !== null) throw new AppError('STATE_CONFLICT', 'You have an authenticator; remove it first');
        await deleteTotp(db, scope, staffId);
        const secretSealed = cipher.encrypt(secret, totpPlace(scope, drawn.id));
        await insertTotp(db, scope, { id: drawn.id, staffId, secretSealed });
        await note('staff_authenticator.begun');
        const uri = otpauthUri({ secret, issuer: await readTenantName(db, scope), account: holder.email });
        return { secret: base32Of(secret), uri, qrSvg: drawQr(uri) };
      });
    },

    async confirmAuthenticator(context, code) {
      const { staffId } = ownOf(context.scope);
      const people = peopleOf(context.scope);
      const { waitSeconds } = await guessing.take(people, `factor:${staffId}`);
      if (waitSeconds !== undefined) throw waiting(waitSeconds);
      const confirm = change(context, async (db, own) => {
        const row = await lockTotp(db, own.scope, staffId);
        if (!row || row.confirmedAt !== null) throw new AppError('STATE_CONFLICT', 'No authenticator waits to be confirmed');
        const secret = cipher.decrypt(row.secretSealed, totpPlace(own.scope, row.id));
        const step = matchStep({ secret, code, at: new Date(), lastStep: row.lastStep });
        if (step === undefined) throw refused();
        await storeStep(db, own.scope, row.id, step);
        await own.note('staff_authenticator.confirmed');
        await endOthers(db, context.scope, own);
        return read(db, own.scope, own);
      });
      const factors = await confirm.catch(async (error: unknown) => {
        // Behind the frame, which is undone.
        if (error instanceof AppError && error.code === 'FACTOR_REFUSED') await noteRefusal(context.scope, staffId);
        throw error;
      });
      await guessing.succeeded(people, `factor:${staffId}`);
      return factors;
    },

    removeAuthenticator: (context) =>
      change(context, async (db, own) => {
        if (!(await deleteTotp(db, own.scope, own.staffId))) throw new AppError('NOT_FOUND', 'You have no authenticator');
        await requireLeft(db, own);
        await own.note('staff_authenticator.removed');
        return read(db, own.scope, own);
      }),

    makeRecoveryCodes: (context) =>
      change(
        context,
        async (db, { scope, staffId, counts, note }) => {
          if (!hasFactor(counts)) throw new AppError('STATE_CONFLICT', 'Add a passkey or an authenticator first');
          const codes = drawRecoveryCodes();
          await deleteCodes(db, scope, staffId);
          await insertCodes(
            db,
            scope,
            staffId,
            codes.map((code) => recoveryDigest(staffId, code)),
          );
          await note('staff_recovery_codes.made');
          return { codes };
        },
        { byCode: false },
      ),

    async reset({ scope: caller, guard, shape }, staffId) {
      const { staffId: ownId } = ownOf(caller);
      if (staffId === ownId) throw new AppError('STATE_CONFLICT', 'Your own second factors you remove one by one');
      return frames.write(
        caller,
        async (db) => {
          const holder = await lockHolder(db, caller, staffId);
          if (!holder) throw new AppError('NOT_FOUND', 'No such person, or none who is active');
          const passkeysRemoved = await deletePasskeys(db, caller, staffId);
          const authenticatorRemoved = await deleteTotp(db, caller, staffId);
          await deleteCodes(db, caller, staffId);
          await sessions.end(db, caller, { staffId, reason: 'ended' }, caller.provenance);
          await recordAudit(db, caller, {
            action: 'staff_factors.reset',
            by: caller.provenance,
            objectKind: 'staff',
            objectId: staffId,
            details: { passkeysRemoved, authenticatorRemoved },
          });
          await twoHands.recordTie(db, caller, { subject: `staff:${staffId}`, reason: 'factor_given' });
          return { staffId, passkeysRemoved, authenticatorRemoved };
        },
        { guard, shape },
      );
    },
  };
}

interface Own {
  staffId: string;
  sessionId: string;
  needsFactor: boolean;
}

interface Changing extends Own {
  scope: Scope;
  holder: FactorHolder;
  counts: FactorCounts;
  note(action: string, details?: Record<string, unknown>): Promise<void>;
}

function ownOf({ person, environment, provenance: { actor } }: Caller): Own {
  if (environment !== 'LIVE') throw new AppError('ENVIRONMENT_MISMATCH', 'People are of LIVE; a SANDBOX has none');
  if (actor.kind !== 'staff' || actor.id === null || person === undefined) {
    throw new AppError('FORBIDDEN', 'Only a person who is signed in may do this; an API key is none');
  }
  return { staffId: actor.id, sessionId: person.sessionId, needsFactor: person.needsFactor };
}

function refused(): AppError {
  return new AppError(factorsErrors.FACTOR_REFUSED, 'The passkey or code does not hold; try again with a new one');
}

function waiting(seconds: number): AppError {
  return new AppError('RATE_LIMITED', `Too many codes that were wrong; try again in ${seconds} seconds`, {
    retryAfterSeconds: seconds,
  });
}
