/** The public contract of the search. Source: docs/specification/overview.md#search. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { text, uuid } from '../../http/schemas.ts';

export const FOUND_KINDS = [
  'member',
  'event',
  'commission',
  'lead',
  'referral_code',
  'referral_link',
  'payout_run',
  'payout',
  'api_key',
] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

const found = z
  .object({
    kind: z.enum(FOUND_KINDS),
    id: uuid,
    title: z.string().meta({ description: 'What it is called: a name, an email, the id of an order, a code, a slug' }),
    subtitle: z.string().nullable().meta({ description: 'What tells it from others of the same title' }),
    state: z.string().meta({
      description: 'Of a member or a key active, inactive, erased, expired, disabled or revoked; of all else its `status`',
    }),
    userId: uuid.nullable().meta({ description: 'The member that it is about' }),
    eventId: uuid.nullable().meta({ description: 'Of a commission: the event that made it' }),
    exact: z.boolean().meta({ description: 'It was named whole: by an id, an email, a code, a slug or an id of the tenant' }),
  })
  .meta({ id: 'Found' });

export type Found = z.input<typeof found>;

export const searchAll = defineOperation({
  method: 'get',
  path: '/api/v1/admin/search',
  operationId: 'searchAll',
  group: 'Overview',
  summary: 'Find a record by its id, or a member by the beginning of a name or an email',
  description:
    'At most 20, those that were named whole first. Members are found by the beginning of the email, of the name, of its second word and of its last, and by two beginnings in either order; also inactive and erased ones. Events go by `external_event_id`, leads by email, links by slug or address, codes by themselves, API keys by their last four characters or a part of the name, and everything by its id. Only kinds that the caller may list are searched, which `kinds` names: `members:read`, `events:read`, `commissions:read`, `leads:read`, `referrals:read`, `payouts:read`, `admin:keys`.',
  scope: 'any',
  query: z.strictObject({ q: text(255) }),
  success: [{ status: 200, meaning: 'What was found' }],
  response: z.object({ data: z.array(found), kinds: z.array(z.enum(FOUND_KINDS)) }),
  errors: [],
});
