/** The public contract of the search. Source: docs/specification/overview.md#search. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { text } from '../../http/schemas.ts';
import { found, foundKind } from './found.ts';

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
  response: z.object({ data: z.array(found), kinds: z.array(foundKind) }),
  errors: [],
});
