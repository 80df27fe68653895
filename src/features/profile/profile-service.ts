/** Rules of profiles. Source: docs/specification/identity.md#profile, docs/specification/identity.md#me. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import type { WriteDb } from '../../db/scope.ts';
import type { Cipher } from '../../encryption.ts';
import { AppError } from '../../errors.ts';
import type { IdentityChange, Personal } from '../../house/personal.ts';
import type { CallContext, RequestContext } from '../../http/operation.ts';
import { foldName } from '../../http/schemas.ts';
import { recordAudit } from '../audit/audit-service.ts';
import { tellNameMatch } from '../payouts/payouts-service.ts';
import { tell } from '../webhooks/webhooks-service.ts';
import { idNumberPlace, sealIdNumber } from './open/id-number.ts';
import { comparable, IDENTITY_FIELDS, type IdentityDigester, type VerifiedFields } from './open/identity-digest.ts';
import type { Profile } from './open/profile.ts';
import { patchProfile } from './patch-profile.ts';
import type { updateProfile } from './profile-operations.ts';
import { identityStatement, lockProfile, profileStatement, renameMember, upsertProfile } from './profile-queries.ts';

type Patch = z.output<(typeof updateProfile)['body'] & {}>;

export interface ProfileService {
  /** USER_NOT_FOUND. */
  readProfile(context: RequestContext, memberId: string): Promise<Profile>;
  /**
   * Changes what is sent, and writes an audit entry when anything is other than before. Who is another person by it has
   * to be verified again, at once. USER_NOT_FOUND; STATE_CONFLICT once erased; FORBIDDEN for what a member may not set.
   */
  updateProfile(context: CallContext, memberId: string, patch: Patch): Promise<Profile>;
  /** The profile of the member whose bearer token came. UNAUTHORIZED without one. */
  readSelf(context: CallContext): Promise<Profile>;
}

interface Deps {
  frames: Frames;
  cipher: Cipher;
  digester: IdentityDigester;
  /** What the features hold. */
  personal: readonly Personal[];
}

export function createProfileService({ frames, cipher, digester, personal }: Deps): ProfileService {
  /** Behind the write: who the member has become, and what follows; nothing where it is the same person as before. */
  async function followIdentity(
    db: WriteDb,
    { scope }: CallContext,
    memberId: string,
    before: VerifiedFields,
    now: VerifiedFields,
    keep: IdentityChange['keep'],
  ): Promise<void> {
    const fields = IDENTITY_FIELDS.filter((name) => comparable(name, before[name]) !== comparable(name, now[name]));
    if (fields.length === 0) return;
    const change = { memberId, by: scope.provenance, fields, now: digester.digest(scope, memberId, now), keep };
    for (const { identityChanged } of personal) await identityChanged?.(db, scope, change);
  }

  async function readProfile({ scope }: RequestContext, memberId: string): Promise<Profile> {
    const [profile] = await frames.readOnce(scope, profileStatement(scope, { memberId }));
    if (!profile) throw new AppError('USER_NOT_FOUND', 'No such member');
    return profile;
  }

  return {
    readProfile,

    async updateProfile(context, memberId, { keepVerification, ...patch }) {
      const { scope, guard, shape } = context;
      if (scope.member && (keepVerification ?? patch.businessName) !== undefined) {
        throw new AppError('FORBIDDEN', 'A member sets neither businessName nor keepVerification');
      }
      return frames.write(
        scope,
        async (db) => {
          const mayConcern = IDENTITY_FIELDS.some((name) => patch[name] !== undefined);
          if (mayConcern) for (const { lockIdentity } of personal) await lockIdentity?.(db, scope, memberId);
          const present = await lockProfile(db, scope, memberId);
          if (!present) throw new AppError('USER_NOT_FOUND', 'No such member');
          if (present.erasedAt) throw new AppError('STATE_CONFLICT', 'The member was erased');
          const { fields, changed } = patchProfile(present, patch);
          if (changed.length === 0) return present;
          const concerns = IDENTITY_FIELDS.some((name) => changed.includes(name));
          const sealed = concerns ? (await db.row(identityStatement(scope, { memberId })))?.idNumberSealed : null;
          const idNumberBefore = sealed ? cipher.decrypt(sealed, idNumberPlace(scope, memberId)).toString() : null;
          const idNumberNow = patch.idNumber === undefined ? idNumberBefore : patch.idNumber;
          const idNumber = patch.idNumber == null ? patch.idNumber : sealIdNumber(cipher, scope, memberId, patch.idNumber);
          const renamed = changed.includes('name');
          const beyondName = changed.length > Number(renamed);
          if (renamed) tell(db, scope.provenance, 'member.updated', memberId);
          const [, , , profile] = await Promise.all([
            renamed && renameMember(db, scope, memberId, fields.name, fields.name === null ? null : foldName(fields.name)),
            beyondName &&
              upsertProfile(db, scope, memberId, fields, idNumber, {
                business: digester.digestBusiness(scope, memberId, fields.businessName),
                idNumber: concerns ? digester.digestIdNumber(scope, { ...fields, idNumber: idNumberNow }) : undefined,
              }),
            recordAudit(db, scope, {
              action: 'member_profile.updated',
              by: scope.provenance,
              objectKind: 'member',
              objectId: memberId,
              details: { fields: changed },
            }),
            db.row(profileStatement(scope, { memberId })),
          ]);
          if (!profile) throw new Error('a locked member vanished');
          if (changed.includes('businessName')) tellNameMatch(db, scope.provenance, memberId);
          if (concerns) {
            const before = { ...present, idNumber: idNumberBefore };
            await followIdentity(db, context, memberId, before, { ...fields, idNumber: idNumberNow }, keepVerification);
          }
          return profile;
        },
        { guard, shape },
      );
    },

    async readSelf(context) {
      const { member } = context.scope;
      if (!member) throw new AppError('UNAUTHORIZED', 'A bearer token is needed: the Authorization header is missing');
      return readProfile(context, member.memberId);
    },
  };
}
