/** Members' personal data: the profile, its export, its erasure. */
import type { Db, Scope } from '../../db/scope.ts';
import { defineFeature } from '../../house/feature.ts';
import type { UsersService } from '../users/users-service.ts';
import { createDataExportService } from './data-export-service.ts';
import { createDigestSweep, DIGEST_ID_NUMBERS } from './digest-id-numbers.ts';
import { UNDIGESTED } from './digest-queries.ts';
import { createErasureService, type ErasureService } from './erasure-service.ts';
import { erasuresCommands } from './erasures-commands.ts';
import { createIdentityDigester } from './open/identity-digest.ts';
import type { DigestIdentity, Profile, ReadIdentity } from './open/profile.ts';
import { profileErrors } from './open/profile-errors.ts';
import { profilePersonal } from './profile-personal.ts';
import { profileStatement } from './profile-queries.ts';
import { profileRoutes } from './profile-routes.ts';
import { profileSealed } from './profile-sealed.ts';
import { createProfileService, type ProfileService } from './profile-service.ts';
import { createIdentityDigest, createIdentityReader } from './read-identity.ts';

export interface ProfileOffers {
  profiles: ProfileService;
  readIdentity: ReadIdentity;
  digestIdentity: DigestIdentity;
  /** As the names of an approval are kept: of what the profile says now. */
  digestNames(scope: Scope, profile: Pick<Profile, 'id' | 'givenName' | 'surname'>): Buffer;
  /** In the caller's transaction; undefined: no such member. */
  findProfile(db: Db, scope: Scope, memberId: string): Promise<Profile | undefined>;
  /** For the operator's commands. */
  erasure: ErasureService;
}

const findProfile: ProfileOffers['findProfile'] = (db, { tenantId, environment }, memberId) =>
  db.row(profileStatement({ tenantId, environment }, { memberId }));

export const profileFeature = defineFeature({
  name: 'profile',
  errors: profileErrors,
  sealed: profileSealed,
  personal: profilePersonal,
  commands: erasuresCommands,
  scopes: {
    'members:export': 'Export everything that is held on a member',
    'members:erase': "Erase members' personal data, for good",
    'identity:read': 'Read government ID numbers in full, in the data export',
  },
  groups: { Profile: "Members' personal data: profile, export, erasure" },
  growsWith: 'members',
  tables: ['member_profile'],
  due: { [DIGEST_ID_NUMBERS]: [{ table: 'member_profile', where: UNDIGESTED }] },
  open({ frames, cipher, pepper, logger, house: { personal } }, { users }: { users: UsersService }) {
    const digester = createIdentityDigester(pepper);
    const profiles = createProfileService({ frames, cipher, digester, personal });
    const erasure = createErasureService({ frames, personal, users, logger });
    const dataExport = createDataExportService({ frames, cipher, personal, readHistory: users.readHistory });
    return {
      offers: {
        profiles,
        readIdentity: createIdentityReader({ frames, cipher }),
        digestIdentity: createIdentityDigest({ cipher, digester }),
        digestNames: (scope, stated) => digester.digestNames(scope, stated.id, stated),
        findProfile,
        erasure,
      } satisfies ProfileOffers,
      sweeps: [createDigestSweep({ cipher, digester, logger })],
      routes: profileRoutes({ profiles, erasure, dataExport }),
    };
  },
});
