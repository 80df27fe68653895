/** The public contract of referral codes. Source: docs/specification/attribution.md#codes. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { pageQuery, snakeListOf } from '../../http/pagination.ts';
import { text, timestamp, uuid } from '../../http/schemas.ts';
import { customCode } from '../users/open/referral-code.ts';
import { referralsErrors } from './open/referrals-errors.ts';

const codeStatus = z
  .enum(['active', 'retired'])
  .meta({ id: 'ReferralCodeStatus', description: '`active`; `retired`: it refers nobody and never returns' });

const referralCode = z
  .object({
    id: uuid.meta({ description: 'Id' }),
    user_id: uuid.meta({ description: 'The member whose it is' }),
    code: z.string().meta({ description: 'Upper case' }),
    status: codeStatus.meta({ description: 'A `retired` code refers nobody and never returns' }),
    is_default: z.boolean().meta({ description: 'Every member has one default code, the `referral_code` of the member' }),
    created_at: timestamp.meta({ description: 'When it was made' }),
    updated_at: timestamp.meta({ description: 'When it last changed' }),
  })
  .meta({ id: 'ReferralCode' });

export type ReferralCodeAnswer = z.input<typeof referralCode>;

const codeParams = z.strictObject({ code_id: uuid });

export const createReferralCode = defineOperation({
  method: 'post',
  path: '/api/v1/referrals/codes',
  operationId: 'createReferralCode',
  group: 'Referrals',
  summary: 'Give a member another referral code',
  description:
    'A code is good in any case and is kept in upper case. It is unique in the tenant and environment, also against codes that are retired. A member that is erased gets none. A member may have 100, retired ones among them, unless the deployment says otherwise: one more is 422 `LIMIT_REACHED`.',
  scope: 'referrals:write',
  member: 'own',
  body: z
    .strictObject({
      user_id: uuid.meta({ description: 'The member whose code it is' }),
      code: customCode.nullish().meta({ description: 'Default one that is drawn' }),
      is_default: z.boolean().nullish().meta({ description: 'In the place of the default code there is. Default false' }),
    })
    .meta({ example: { user_id: '0198c5a2-3d4e-7f60-8a1b-2c3d4e5f6071', code: 'ADA-SPRING' } }),
  success: [{ status: 201, meaning: 'Created' }],
  response: referralCode,
  errors: [referralsErrors.CODE_TAKEN, 'STATE_CONFLICT', 'LIMIT_REACHED'],
});

export const listReferralCodes = defineOperation({
  method: 'get',
  path: '/api/v1/referrals/codes',
  operationId: 'listReferralCodes',
  group: 'Referrals',
  summary: 'List referral codes, oldest first',
  scope: 'referrals:read',
  member: 'own',
  query: z.strictObject({ user_id: uuid.optional(), status: codeStatus.optional(), ...pageQuery }),
  success: [{ status: 200, meaning: 'One page' }],
  response: snakeListOf(referralCode),
  errors: [],
});

export const getReferralCode = defineOperation({
  method: 'get',
  path: '/api/v1/referrals/codes/{code_id}',
  operationId: 'getReferralCode',
  group: 'Referrals',
  summary: 'Get a referral code',
  scope: 'referrals:read',
  member: 'own',
  params: codeParams,
  success: [{ status: 200, meaning: 'The code' }],
  response: referralCode,
  errors: ['NOT_FOUND'],
});

export const updateReferralCode = defineOperation({
  method: 'patch',
  path: '/api/v1/referrals/codes/{code_id}',
  operationId: 'updateReferralCode',
  group: 'Referrals',
  summary: 'Retire a referral code, or make it the default one',
  description:
    'Retiring is for good. The default code stays that until another one takes its place, and cannot be retired before; a retired code cannot become the default.',
  scope: 'referrals:write',
  member: 'own',
  params: codeParams,
  body: z
    .strictObject({ status: codeStatus.optional(), is_default: z.boolean().optional() })
    .refine((body) => body.status !== undefined || body.is_default !== undefined, 'must set status or is_default')
    .meta({ example: { status: 'retired' } }),
  success: [{ status: 200, meaning: 'The code as it is now' }],
  response: referralCode,
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});

export const resolveReferralCode = defineOperation({
  method: 'get',
  path: '/api/v1/referrals/resolve',
  operationId: 'resolveReferralCode',
  group: 'Referrals',
  summary: 'Whose a referral code is',
  description:
    'For a sign-up page that greets with the name of who referred the visitor. An unknown code and a retired one are both 404.',
  scope: 'referrals:read',
  query: z.strictObject({ referral_code: text(64).meta({ description: 'In any case' }) }),
  success: [{ status: 200, meaning: 'The code is active' }],
  response: z
    .object({
      referral_code: z.string().meta({ description: 'The code, as it is stored' }),
      code_id: uuid.meta({ description: 'The code' }),
      user_id: uuid.meta({ description: 'The member whose code it is' }),
      name: z.string().nullable().meta({ description: 'Name of the member; null: not given' }),
      is_active: z.boolean().meta({ description: 'Whether it credits anybody now' }),
      can_recruit: z.boolean().meta({ description: 'When false, nobody can become a member under it' }),
    })
    .meta({ id: 'ResolvedReferralCode' }),
  errors: ['NOT_FOUND'],
});
