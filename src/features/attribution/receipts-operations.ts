/** The public contract of the receipts of attributions. Source: docs/specification/attribution.md#receipts. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { pageQuery, snakeListOf } from '../../http/pagination.ts';
import { timestamp, uuid } from '../../http/schemas.ts';
import { attributionModel, candidates } from './open/candidate-schemas.ts';
import { ATTRIBUTION_RULES } from './open/decide-attribution.ts';

const receipt = z
  .object({
    id: uuid.meta({ description: 'Id' }),
    event_id: uuid.nullable().meta({ description: 'Of a purchase' }),
    lead_id: uuid.nullable().meta({ description: 'Of the capture of a lead' }),
    placed_user_id: uuid.nullable().meta({ description: 'Of the sign-up of a member, who was placed under `user_id`' }),
    rule: z.enum(ATTRIBUTION_RULES).meta({
      description:
        'What won: the source of the candidate, such as `explicit_user`, `referral_code`, `link` or `click`; `personal_purchase`: a member bought; `none`: nobody is credited',
    }),
    user_id: uuid.nullable().meta({ description: 'The member that is credited' }),
    model: attributionModel.meta({ description: 'Which of several clicks counted' }),
    window_days: z.int().meta({ description: 'Days back that clicks count' }),
    as_of: timestamp.meta({ description: 'Time of the sale, capture or sign-up: what the window is counted back from' }),
    created_at: timestamp.meta({ description: 'When it was made' }),
    candidates,
    decided_again: z.boolean().meta({ description: 'Whether the rule, run again on what the receipt keeps, comes to the same' }),
  })
  .meta({ id: 'AttributionReceipt' });

export type ReceiptAnswer = z.input<typeof receipt>;

export const getReceipt = defineOperation({
  method: 'get',
  path: '/api/v1/referrals/attributions/{receipt_id}',
  operationId: 'getAttribution',
  group: 'Referrals',
  summary: 'Read why a purchase, a lead or a new member is credited to whom it is',
  description:
    'A receipt never changes: what has happened to a code, a link or a member since is not in it. With a bearer token: one that credits the member, and of the candidates those that lead to it.',
  scope: 'referrals:read',
  member: 'own',
  params: z.strictObject({ receipt_id: uuid }),
  success: [{ status: 200, meaning: 'The receipt' }],
  response: receipt,
  errors: ['NOT_FOUND'],
});

export const listReceipts = defineOperation({
  method: 'get',
  path: '/api/v1/referrals/attributions',
  operationId: 'listAttributions',
  group: 'Referrals',
  summary: 'List receipts of attributions, in the order they were written',
  description:
    'A purchase has one. A lead has one for each capture that named somebody and told something new; `attribution_receipt_id` of the lead is the one by which it has its referrer. A member has one when a code or a click was named as it was made, or its lead had a referrer; whom `parent_id` alone names needs none. With a bearer token: the receipts that credit the member, and of the candidates those that lead to it.',
  scope: 'referrals:read',
  member: 'own',
  query: z.strictObject({
    event_id: uuid.optional().meta({ description: 'The event' }),
    lead_id: uuid.optional().meta({ description: 'The lead' }),
    placed_user_id: uuid.optional().meta({ description: 'The member that was placed' }),
    user_id: uuid.optional().meta({ description: 'The member that is credited' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: snakeListOf(receipt),
  errors: [],
});
