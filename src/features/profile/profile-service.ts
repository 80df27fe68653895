/** Rules of profiles. Source: docs/specification/identity.md#profile, docs/specification/identity.md#me. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import type { Cipher } from '../../encryption.ts';
import { AppError } from '../../errors.ts';
import type { CallContext, RequestContext } from '../../http/operation.ts';
import { foldName } from '../../http/schemas.ts';
import { recordAudit } from '../audit/audit-service.ts';
import { sealIdNumber } from './open/id-number.ts';
import type { Profile } from './open/profile.ts';
import { patchProfile } from './patch-profile.ts';
import type { updateProfile } from './profile-operations.ts';
import { lockProfile, profileStatement, renameMember, upsertProfile } from './profile-queries.ts';

type Patch = z.output<(typeof updateProfile)['body'] & {}>;

export interface ProfileService {
  /** USER_NOT_FOUND. */
  readProfile(context: RequestContext, memberId: string): Promise<Profile>;
  /** Changes what is sent, and writes an audit entry when anything is other than before. USER_NOT_FOUND, STATE_CONFLICT once erased. */
  updateProfile(context: CallContext, memberId: string, patch: Patch): Promise<Profile>;
  /** The profile of the member whose bearer token came. UNAUTHORIZED without one. */
  readSelf(context: CallContext): Promise<Profile>;
}

export function createProfileService({ frames, cipher }: { frames: Frames; cipher: Cipher }): ProfileService {
  async function readProfile({ scope }: RequestContext, memberId: string): Promise<Profile> {
    const [profile] = await frames.readOnce(scope, profileStatement(scope, { memberId }));
    if (!profile) throw new AppError('USER_NOT_FOUND', 'No such member');
    return profile;
  }

  return {
    readProfile,

    async updateProfile({ scope, guard, shape }, memberId, patch) {
      return frames.write(
        scope,
        async (db) => {
          const present = await lockProfile(db, scope, memberId);
          if (!present) throw new AppError('USER_NOT_FOUND', 'No such member');
          if (present.erasedAt) throw new AppError('STATE_CONFLICT', 'The member was erased');
          const { fields, changed } = patchProfile(present, patch);
          if (changed.length === 0) return present;
          const idNumber = patch.idNumber == null ? patch.idNumber : sealIdNumber(cipher, scope, memberId, patch.idNumber);
          const renamed = changed.includes('name');
          const beyondName = changed.length > Number(renamed);
          const [, , , profile] = await Promise.all([
            renamed && renameMember(db, scope, memberId, fields.name, fields.name === null ? null : foldName(fields.name)),
            beyondName && upsertProfile(db, scope, memberId, fields, idNumber),
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
