import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { exportMemberData } from './data-export-operations.ts';
import type { DataExportService } from './data-export-service.ts';
import { eraseMember } from './erasure-operations.ts';
import type { ErasureService } from './erasure-service.ts';
import { maskIdNumber } from './id-number.ts';
import { getMe, getProfile, type ProfileAnswer, updateProfile } from './profile-operations.ts';
import type { Profile } from './profile-queries.ts';
import type { ProfileService } from './profile-service.ts';

interface Services {
  profiles: ProfileService;
  erasure: ErasureService;
  dataExport: DataExportService;
}

export function mountProfile(router: Router, mount: Mount, { profiles, erasure, dataExport }: Services): void {
  const body = (profile: Profile) => ({ status: 200, body: profileBody(profile) });
  mount(router, getProfile, ({ params, ...context }) => profiles.readProfile(context, params.userId), body);
  mount(
    router,
    updateProfile,
    ({ params, body: patch, ...context }) => profiles.updateProfile(context, params.userId, patch),
    body,
  );
  mount(router, eraseMember, ({ params, body: asked, ...context }) =>
    erasure.eraseMember(context, params.userId, asked?.reason ?? undefined),
  );
  mount(
    router,
    exportMemberData,
    ({ params, ...context }) => dataExport.exportMember(context, params.userId),
    (pieces) => ({ status: 200, pieces }),
  );
  mount(router, getMe, async (context) => {
    const { environment } = context.scope;
    const self = await profiles.readSelf(context);
    const { membershipTier, isActive, parentId } = self;
    return { ...profileBody(self), membershipTier, isActive, parentId, environment };
  });
}

const NO_ADDRESS = {
  countryCode: null,
  addressLine1: null,
  addressLine2: null,
  city: null,
  state: null,
  postalCode: null,
  district: null,
  neighborhood: null,
  addressType: null,
};

function profileBody(profile: Profile): ProfileAnswer {
  return {
    id: profile.id,
    name: profile.name,
    givenName: profile.givenName,
    surname: profile.surname,
    dateOfBirth: profile.dateOfBirth,
    idNumber: maskIdNumber(profile.idNumberLastFour),
    email: profile.email,
    countryCode: profile.countryCode,
    address: profile.address && { ...NO_ADDRESS, ...profile.address },
    createdAt: profile.createdAt,
    updatedAt: profile.updatedAt,
  };
}
