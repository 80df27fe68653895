/** The public contract of the Profile group: docs/specification/identity.md#profile. */
import countries from 'i18n-iso-countries';
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { emailOut, letterCode, membershipTier, text, timestamp, uuid } from '../../http/schemas.ts';

const COUNTRIES = countries.getAlpha3Codes();

const countryCode = letterCode(3, (code) => Object.hasOwn(COUNTRIES, code), {
  fault: 'must be an ISO 3166-1 alpha-3 country code',
  description: 'ISO 3166-1 alpha-3',
});

const EARLIEST_BIRTH = '1900-01-01';

const today = (): string => new Date().toISOString().slice(0, 10);

const dateOfBirth = z.iso
  .date('must be a calendar date, such as 1990-12-31')
  .refine((value) => value >= EARLIEST_BIRTH, `must not be before ${EARLIEST_BIRTH}`)
  .refine((value) => value <= today(), 'must not be in the future')
  .meta({ override: { type: 'string', format: 'date' } });

/** The signs of ID numbers in all scripts. Not those of the mask: what is read back cannot be written by mistake. */
const idNumber = z
  .string()
  .min(4, 'must have at least 4 characters')
  .max(64, 'must have at most 64 characters')
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ./-]*[\p{L}\p{N}]$/u,
    'must be of letters, digits, spaces, dots, hyphens and slashes, with a letter or digit at both ends',
  )
  .meta({ override: { type: 'string', minLength: 4, maxLength: 64 } });

const ADDRESS_TYPES = ['residential', 'mailing', 'business'] as const;

const addressText = z.string().nullable();

const address = z
  .object({
    countryCode: addressText,
    addressLine1: addressText,
    addressLine2: addressText,
    city: addressText,
    state: addressText,
    postalCode: addressText,
    district: addressText,
    neighborhood: addressText,
    addressType: z.enum(ADDRESS_TYPES).nullable(),
  })
  .meta({ id: 'Address' });

export const memberProfile = z
  .object({
    id: uuid,
    name: z.string().nullable(),
    givenName: z.string().nullable(),
    surname: z.string().nullable(),
    dateOfBirth: z
      .string()
      .meta({ override: { type: 'string', format: 'date' } })
      .nullable(),
    idNumber: z.string().nullable().meta({ description: 'Masked: at most its last four characters, as `•••• 6789`' }),
    email: emailOut,
    countryCode: z.string().nullable(),
    address: address.nullable(),
    businessName: z.string().nullable().meta({
      description: 'Of the business that the member is paid as; accounts with the `holderType` business are held under it',
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'MemberProfile' });

export type ProfileAnswer = z.input<typeof memberProfile>;

export const getProfile = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/profile',
  operationId: 'getProfile',
  group: 'Profile',
  summary: "A member's profile",
  description:
    "The service's own pages may read it by the session of a person who is signed in, in place of a key: its role needs the same scope, and `X-Environment` names the member's.",
  scope: 'members:read',
  session: true,
  member: 'self',
  params: z.strictObject({ userId: uuid }),
  success: [{ status: 200, meaning: 'The profile' }],
  response: memberProfile,
  errors: ['USER_NOT_FOUND'],
});

export const updateProfile = defineOperation({
  method: 'patch',
  path: '/api/v1/members/{userId}/profile',
  operationId: 'updateProfile',
  group: 'Profile',
  summary: "Change a member's profile",
  description:
    'What is not sent stays, `null` clears; the address is merged field by field, and `address: null` clears all of it. `idNumber` is stored encrypted and read back masked. When the given name, the surname, the birth date, the ID number or the country of a verified member changes, by more than case or space, the verification becomes `resubmit_required` with the reason `IDENTITY_CHANGED`, and payouts to the member wait until it is approved again. The profile of an erased member is not changed any more: 409.',
  scope: 'members:write',
  hands: 'neutral',
  effects: [
    {
      operationId: 'approveKyc',
      when: 'with `keepVerification`',
      has: ({ body }) => body.keepVerification !== undefined,
    },
  ],
  member: 'self',
  params: z.strictObject({ userId: uuid }),
  body: z
    .strictObject({
      name: text(255).nullish(),
      givenName: text(255).nullish(),
      surname: text(255).nullish(),
      dateOfBirth: dateOfBirth.nullish(),
      idNumber: idNumber.nullish(),
      countryCode: countryCode.nullish(),
      address: z
        .strictObject({
          countryCode: countryCode.nullish(),
          addressLine1: text(255).nullish(),
          addressLine2: text(255).nullish(),
          city: text(100).nullish(),
          state: text(100).nullish(),
          postalCode: text(20).nullish(),
          district: text(100).nullish(),
          neighborhood: text(100).nullish(),
          addressType: z.enum(ADDRESS_TYPES).nullish(),
        })
        .nullish(),
      businessName: text(255).nullish().meta({ description: 'Not for a bearer token' }),
      keepVerification: z
        .strictObject({ reason: text(500).meta({ description: 'For the staff of the tenant; it is erased with the member' }) })
        .optional()
        .meta({
          description:
            'A typing error is corrected: the member stays verified. Needs `admin:kyc`, and is not for a bearer token; without an effect on who is not verified',
        }),
    })
    .refine(
      ({ keepVerification: _keep, ...fields }) => Object.values(fields).some((value) => value !== undefined),
      'must set a field',
    )
    .meta({
      example: {
        givenName: 'Ada',
        surname: 'Example',
        dateOfBirth: '1990-12-31',
        idNumber: 'AB-123456789',
        countryCode: 'DEU',
        address: {
          countryCode: 'DEU',
          addressLine1: 'Lindenstr. 1',
          city: 'Berlin',
          postalCode: '10969',
          addressType: 'residential',
        },
      },
    }),
  success: [{ status: 200, meaning: 'The profile as it is now' }],
  response: memberProfile,
  errors: ['USER_NOT_FOUND', 'STATE_CONFLICT'],
});

export const getMe = defineOperation({
  method: 'get',
  path: '/api/v1/members/me',
  operationId: 'getMe',
  group: 'Profile',
  summary: 'The member whose bearer token this is',
  description: 'Needs a bearer token beside the key: without one 401 `UNAUTHORIZED`.',
  scope: 'members:read',
  member: 'self',
  success: [{ status: 200, meaning: 'Profile and place of the member' }],
  response: memberProfile
    .extend({
      membershipTier,
      isActive: z.boolean(),
      parentId: uuid.nullable().meta({ description: 'The sponsor; null for a root member' }),
      environment: z.enum(['LIVE', 'SANDBOX']),
    })
    .meta({ id: 'MemberSelf' }),
  errors: ['USER_NOT_FOUND'],
});
