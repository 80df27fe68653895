/** The public contract of the Payout Accounts group: docs/specification/payouts.md#accounts. */

import { isIP } from 'node:net';
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { camelPaging, pageQuery } from '../../../http/pagination.ts';
import { currency, instant, namedActor, text, timestamp, uuid } from '../../../http/schemas.ts';
import { eventsErrors } from '../../events/open/events-errors.ts';
import { HOLDER_TYPES, NAME_MATCHES } from '../open/holder-names.ts';
import { accountStatus } from '../open/payout-state-schemas.ts';
import { PAYMENT_PROVIDERS } from '../open/payout-states.ts';
import { payoutsErrors } from '../open/payouts-errors.ts';
import { bankAccount } from '../payout-schemas.ts';

export const payoutAccount = z
  .object({
    id: uuid.meta({ description: 'Of the account' }),
    methodType: z.string().meta({ description: 'The payout method, as `sepa_bank_transfer`' }),
    category: z.enum(['bank_transfer']).meta({ description: 'The kind of method' }),
    displayName: z.string().meta({ description: 'As `HSBC •••• 6789`; the full number is never shown' }),
    countryCode: z.string().meta({ description: 'ISO 3166-1 alpha-2, of the bank' }),
    currency,
    providerType: z
      .enum(PAYMENT_PROVIDERS)
      .meta({ description: 'Who pays to it. `manual`: the tenant by itself; `payvendor`: the payment vendor' }),
    isPrimary: z.boolean().meta({ description: 'Whether payouts prefer it to the other accounts' }),
    isActive: z.boolean().meta({ description: 'False once it was deactivated' }),
    status: accountStatus,
    statusReason: z
      .string()
      .nullable()
      .meta({ description: 'What the provider wants, or why it rejected it; null: nothing to say' }),
    usableFrom: timestamp.nullable().meta({
      description:
        'The end of the cool-down, which runs from the later of becoming active and of becoming the account that the money goes to: nothing is paid to it before; null unless `active`',
    }),
    sharedWithOthers: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether another member has the same bank account; null to a bearer token' }),
    holderType: z
      .enum(HOLDER_TYPES)
      .meta({ description: "`individual`: held under the member's own name; `business`: under the profile's `businessName`" }),
    nameMatch: z.enum(NAME_MATCHES).meta({
      description:
        'Whether it is held under the verified name of the member, or the business name of the profile. `mismatch`: nothing is paid to it until somebody accepts the name. `not_compared`: the member is not verified, was verified without a name, or the account was made before names were kept',
    }),
    nameAcceptedBy: namedActor.nullable().meta({ description: 'Who accepted the other name; null to a bearer token' }),
    createdAt: timestamp.meta({ description: 'When it was added' }),
    updatedAt: timestamp.meta({ description: 'When it was last changed' }),
  })
  .meta({ id: 'PayoutAccount' });

export type PayoutAccountAnswer = z.input<typeof payoutAccount>;

const memberParams = z.strictObject({ userId: uuid.meta({ description: 'The member' }) });
const accountParams = z.strictObject({
  userId: uuid.meta({ description: 'The member' }),
  accountId: uuid.meta({ description: 'Id of the payout account' }),
});

/** Terms of the provider cannot have been agreed to before there were any. */
const EARLIEST_TERMS = Date.parse('2010-01-01T00:00:00Z');

const tosAcceptance = z.strictObject({
  acceptedAt: instant
    .refine((value) => Date.parse(value) <= Date.now(), 'must not be in the future')
    .refine((value) => Date.parse(value) >= EARLIEST_TERMS, 'must not be before 2010')
    .meta({ description: 'When the member agreed; from 2010 on, not in the future' }),
  ip: z
    .string()
    .refine((value) => isIP(value) !== 0, 'must be an IP address')
    .meta({ override: { type: 'string', maxLength: 45 }, description: 'Of the member' }),
  userAgent: text(500).nullish().meta({ description: "The User-Agent of the member's browser" }),
});

const newAccount = z
  .strictObject({
    methodType: text(64).meta({ description: 'The `id` of a method of `GET /payout-methods`' }),
    currency: currency.meta({ description: 'That of the method' }),
    bankAccount: bankAccount.nullish().meta({ description: "By the keys of the method's fields" }),
    details: bankAccount.nullish().meta({ deprecated: true, description: 'Former name of `bankAccount`' }),
    accountHolderName: text(140)
      .nullish()
      .meta({ deprecated: true, description: 'Former place of `bankAccount.accountHolderName`' }),
    isPrimary: z.boolean().nullish().meta({ description: 'Whether it becomes the primary one; the first account always does' }),
    holderType: z.enum(HOLDER_TYPES).nullish().meta({
      description: '`business`: held under the `businessName` of the profile. `individual` unless sent',
    }),
    tosAcceptance: tosAcceptance.nullish().meta({
      description: "When and where the member agreed to the payment provider's terms; without it this request is taken for that",
    }),
  })
  .superRefine((body, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    const fields = body.bankAccount ?? body.details;
    if (!fields) refuse('bankAccount', 'is required');
    if (body.bankAccount && body.details) refuse('details', 'must not be sent beside bankAccount, which has replaced it');
    if (body.accountHolderName != null && fields && Object.hasOwn(fields, 'accountHolderName')) {
      refuse('accountHolderName', 'must not be sent beside bankAccount.accountHolderName, which has replaced it');
    }
  })
  .meta({
    example: {
      methodType: 'sepa_bank_transfer',
      currency: 'EUR',
      bankAccount: { accountHolderName: 'Ada Example', iban: 'DE89370400440532013000' },
      isPrimary: true,
    },
  });

export type NewAccountBody = z.output<typeof newAccount>;

export const createPayoutAccount = defineOperation({
  method: 'post',
  path: '/api/v1/members/{userId}/payout-accounts',
  operationId: 'createPayoutAccount',
  group: 'Payout Accounts',
  summary: 'Give a member an account to be paid to',
  description:
    'Identity and country are those of the profile; what it lacks is named in one answer. The first account becomes the primary one. With the payment vendor the answer shows the state that was reached: `provisioning` goes on by itself; with `action_required` the vendor wants to know more. The same request again resumes either. The same bank account twice is refused; after a rejection it can be sent again. `details` and `accountHolderName` are deprecated: answers to requests with them have the headers `Deprecation` and `Sunset`.',
  scope: 'accounts:write',
  hands: 'neutral',
  member: 'self',
  params: memberParams,
  body: newAccount,
  success: [{ status: 201, meaning: 'The account' }],
  response: payoutAccount,
  errors: [
    'USER_NOT_FOUND',
    'STATE_CONFLICT',
    'LIMIT_REACHED',
    payoutsErrors.PROFILE_INCOMPLETE,
    payoutsErrors.METHOD_NOT_SUPPORTED,
    eventsErrors.CURRENCY_MISMATCH,
    'PROVIDER_CONFIGURATION',
  ],
});

export const listPayoutAccounts = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/payout-accounts',
  operationId: 'listPayoutAccounts',
  group: 'Payout Accounts',
  summary: 'The payout accounts of a member',
  description: 'The newest first, also those that were deactivated.',
  scope: 'accounts:read',
  member: 'self',
  params: memberParams,
  query: z.strictObject(pageQuery),
  success: [{ status: 200, meaning: 'A page of accounts' }],
  response: z
    .object({ accounts: z.array(payoutAccount).meta({ description: 'The page, the newest first' }), ...camelPaging })
    .meta({ id: 'PayoutAccounts' }),
  errors: ['USER_NOT_FOUND'],
});

export const getPayoutAccount = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/payout-accounts/{accountId}',
  operationId: 'getPayoutAccount',
  group: 'Payout Accounts',
  summary: 'A payout account',
  scope: 'accounts:read',
  member: 'self',
  params: accountParams,
  success: [{ status: 200, meaning: 'The account' }],
  response: payoutAccount,
  errors: ['USER_NOT_FOUND', 'NOT_FOUND'],
});

export const updatePayoutAccount = defineOperation({
  method: 'patch',
  path: '/api/v1/members/{userId}/payout-accounts/{accountId}',
  operationId: 'updatePayoutAccount',
  group: 'Payout Accounts',
  summary: 'Name a payout account, or make it the primary one',
  description:
    'Bank details are not changed: add another account. The primary account stays that until another one takes its place; one that was rejected or deactivated cannot.',
  scope: 'accounts:write',
  hands: 'neutral',
  member: 'self',
  params: accountParams,
  body: z
    .strictObject({
      isPrimary: z
        .boolean()
        .nullish()
        .meta({ description: '`true` makes it the primary one; `false` is refused for the primary one' }),
      displayName: text(140).nullish().meta({ description: 'Shown in place of the masked number' }),
    })
    .refine((body) => Object.values(body).some((value) => value != null), 'must set a field')
    .meta({ example: { isPrimary: true } }),
  success: [{ status: 200, meaning: 'The account as it is now' }],
  response: payoutAccount,
  errors: ['USER_NOT_FOUND', 'NOT_FOUND', 'STATE_CONFLICT'],
});

export const deactivatePayoutAccount = defineOperation({
  method: 'delete',
  path: '/api/v1/members/{userId}/payout-accounts/{accountId}',
  operationId: 'deactivatePayoutAccount',
  group: 'Payout Accounts',
  summary: 'Deactivate a payout account',
  description:
    'For good: no later payout goes to it. In the place of a primary account the newest active one becomes primary, if there is one. Repeated, it changes nothing.',
  scope: 'accounts:write',
  hands: 'neutral',
  member: 'self',
  params: accountParams,
  success: [{ status: 200, meaning: 'The account, deactivated now or before' }],
  response: payoutAccount,
  errors: ['USER_NOT_FOUND', 'NOT_FOUND'],
});

export const acceptAccountName = defineOperation({
  method: 'post',
  path: '/api/v1/members/{userId}/payout-accounts/{accountId}/accept-name',
  operationId: 'acceptAccountName',
  group: 'Payout Accounts',
  summary: 'Accept that a payout account is held under another name',
  description:
    'Once for the account, until the verified name, or for a business the business name, is changed. 409 unless `nameMatch` is `mismatch`; repeated, it changes nothing.',
  scope: 'payouts:approve',
  hands: 'neutral',
  params: accountParams,
  success: [{ status: 200, meaning: 'The account as it is now' }],
  response: payoutAccount,
  errors: ['USER_NOT_FOUND', 'NOT_FOUND', 'STATE_CONFLICT'],
});
