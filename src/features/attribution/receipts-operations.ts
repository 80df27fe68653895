/** The public contract of the receipts of attributions. Source: api-decisions §4. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { pageQuery } from '../../http/pagination.ts';
import { timestamp, uuid } from '../../http/schemas.ts';
import { candidates } from './candidate-schemas.ts';
import { ATTRIBUTION_MODELS, ATTRIBUTION_RULES } from './decide-attribution.ts';

const receipt = z
  .object({
    id: uuid,
    event_id: uuid.nullable().meta({ description: 'Of a purchase' }),
    lead_id: uuid.nullable().meta({ description: 'Of the capture of a lead' }),
    rule: z.enum(ATTRIBUTION_RULES).meta({ description: 'What won: the source of the candidate, `personal_purchase` or `none`' }),
    user_id: uuid.nullable().meta({ description: 'The member that is credited' }),
    model: z.enum(ATTRIBUTION_MODELS).meta({ description: 'Which of several clicks counted' }),
    window_days: z.int(),
    as_of: timestamp.meta({ description: 'Time of the sale or capture: what the window is counted back from' }),
    created_at: timestamp,
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
  summary: 'Read why a purchase or a lead is credited to whom it is',
  description: 'A receipt never changes: what has happened to a code, a link or a member since is not in it.',
  scope: 'referrals:read',
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
    'A purchase has one. A lead has one for each capture that named somebody and told something new; `attribution_receipt_id` of the lead is the one by which it has its referrer.',
  scope: 'referrals:read',
  query: z.strictObject({
    event_id: uuid.optional(),
    lead_id: uuid.optional(),
    user_id: uuid.optional().meta({ description: 'The member that is credited' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: z.object({ data: z.array(receipt), has_more: z.boolean(), next_cursor: z.string().nullable() }),
  errors: [],
});
