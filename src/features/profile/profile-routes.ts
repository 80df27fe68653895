import { type Route, route } from '../../http/route.ts';
import type { DataExportService } from './data-export-service.ts';
import { eraseMember } from './erasure-operations.ts';
import type { ErasureService } from './erasure-service.ts';
import { maskIdNumber } from './open/id-number.ts';
import type { Profile } from './open/profile.ts';
import { getMe, getProfile, type ProfileAnswer, updateProfile } from './profile-operations.ts';
import type { ProfileService } from './profile-service.ts';

interface Services {
  profiles: ProfileService;
  erasure: ErasureService;
  dataExport: DataExportService;
}

export function profileRoutes({ profiles, erasure, dataExport }: Services): Route[] {
  const body = (profile: Profile) => ({ status: 200, body: profileBody(profile) });
  return [
    route(getProfile, ({ params, ...context }) => profiles.readProfile(context, params.userId), body),
    route(updateProfile, ({ params, body: patch, ...context }) => profiles.updateProfile(context, params.userId, patch), body),
    route(eraseMember, ({ params, body: asked, ...context }) =>
      erasure.eraseMember(context, params.userId, asked?.reason ?? undefined),
    ),
    route(
      dataExport.operation,
      ({ params, ...context }) => dataExport.exportMember(context, params.userId),
      (pieces) => ({ status: 200, pieces }),
    ),
    route(getMe, async (context) => {
      const { environment } = context.scope;
      const self = await profiles.readSelf(context);
      const { membershipTier, isActive, parentId } = self;
      return { ...profileBody(self), membershipTier, isActive, parentId, environment };
    }),
  ];
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
    businessName: profile.businessName,
    createdAt: profile.createdAt,
    updatedAt: profile.updatedAt,
  };
}
