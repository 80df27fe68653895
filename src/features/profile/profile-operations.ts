/** The public contract of the Profile group: docs/specification/identity.md#profile. */

import { z } from 'zod';
import { countries } from '../../countries.ts';
import { defineOperation } from '../../http/operation.ts';
import { emailOut, environment, letterCode, membershipTier, text, timestamp, uuid } from '../../http/schemas.ts';

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

const addressType = z.enum(ADDRESS_TYPES).meta({
  id: 'AddressType',
  description: '`residential`: where the person lives; `mailing`: where letters go; `business`: where the person works',
});

const addressText = z.string().nullable();

const address = z
  .object({
    countryCode: addressText.meta({ description: 'ISO 3166-1 alpha-3' }),
    addressLine1: addressText.meta({ description: 'Street and number' }),
    addressLine2: addressText.meta({ description: 'What the first line has no room for' }),
    city: addressText.meta({ description: 'Town or city' }),
    state: addressText.meta({ description: 'State, province or region' }),
    postalCode: addressText.meta({ description: 'As the country writes it' }),
    district: addressText.meta({ description: 'Part of the city' }),
    neighborhood: addressText.meta({ description: 'Part of the district' }),
    addressType: addressType.nullable(),
  })
  .meta({ id: 'Address', description: 'A field that was not given is null' });

export const memberProfile = z
  .object({
    id: uuid.meta({ description: 'The member' }),
    name: z.string().nullable().meta({ description: 'Name shown for the member; null: none' }),
    givenName: z.string().nullable().meta({ description: 'As in the identity document; null: not given' }),
    surname: z.string().nullable().meta({ description: 'As in the identity document; null: not given' }),
    dateOfBirth: z
      .string()
      .meta({ override: { type: 'string', format: 'date' } })
      .nullable()
      .meta({ description: 'A calendar date; null: not given' }),
    idNumber: z
      .string()
      .nullable()
      .meta({ description: 'Masked: at most its last four characters, as `•••• 6789`; null: not given' }),
    email: emailOut.meta({ description: "The member's address" }),
    countryCode: z.string().nullable().meta({ description: 'ISO 3166-1 alpha-3; null: not given' }),
    address: address.nullable().meta({ description: 'Null: no field of it was given' }),
    businessName: z.string().nullable().meta({
      description:
        'Of the business that the member is paid as; accounts with the `holderType` business are held under it; null: none',
    }),
    createdAt: timestamp.meta({ description: 'When the member was created' }),
    updatedAt: timestamp.meta({ description: 'When member or profile were last changed' }),
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
  params: z.strictObject({ userId: uuid.meta({ description: 'The member' }) }),
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
  params: z.strictObject({ userId: uuid.meta({ description: 'The member' }) }),
  body: z
    .strictObject({
      name: text(255).nullish().meta({ description: 'Name shown for the member' }),
      givenName: text(255).nullish().meta({ description: 'As in the identity document' }),
      surname: text(255).nullish().meta({ description: 'As in the identity document' }),
      dateOfBirth: dateOfBirth.nullish().meta({ description: 'A calendar date from 1900 on, not in the future' }),
      idNumber: idNumber.nullish().meta({ description: 'Of the identity document; stored encrypted' }),
      countryCode: countryCode.nullish().meta({ description: 'ISO 3166-1 alpha-3, of the member' }),
      address: z
        .strictObject({
          countryCode: countryCode.nullish().meta({ description: 'ISO 3166-1 alpha-3' }),
          addressLine1: text(255).nullish().meta({ description: 'Street and number' }),
          addressLine2: text(255).nullish().meta({ description: 'What the first line has no room for' }),
          city: text(100).nullish().meta({ description: 'Town or city' }),
          state: text(100).nullish().meta({ description: 'State, province or region' }),
          postalCode: text(20).nullish().meta({ description: 'As the country writes it' }),
          district: text(100).nullish().meta({ description: 'Part of the city' }),
          neighborhood: text(100).nullish().meta({ description: 'Part of the district' }),
          addressType: addressType.nullish(),
        })
        .nullish()
        .meta({ description: 'Merged field by field; `null` clears all of it' }),
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
      membershipTier: membershipTier.meta({ description: "The member's present tier" }),
      isActive: z.boolean().meta({ description: 'False once the member was deactivated' }),
      parentId: uuid.nullable().meta({ description: 'The sponsor; null for a root member' }),
      environment: environment.meta({ description: 'Where the member lives' }),
    })
    .meta({ id: 'MemberSelf' }),
  errors: ['USER_NOT_FOUND'],
});
