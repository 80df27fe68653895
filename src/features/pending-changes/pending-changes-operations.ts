/** The public contract of changes that wait for another pair of hands. Source: docs/specification/two-hands.md#waiting. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { camelListOf, pageQuery } from '../../http/pagination.ts';
import { text, uuid } from '../../http/schemas.ts';
import { twoHandsErrors } from '../two-hands/open/two-hands-errors.ts';

import { pendingChangeResource, pendingChangeStatus } from './open/when-held-back.ts';

const SEEN = 'A key sees the changes that it could have asked for itself, by its scopes, and those that it has asked for.';

export const listPendingChanges = defineOperation({
  method: 'get',
  path: '/api/v1/admin/pending-changes',
  operationId: 'listPendingChanges',
  group: 'Admin',
  summary: 'List changes that wait for another pair of hands, newest first',
  description: `In LIVE with dual control on, a change that weakens a safeguard waits until it is confirmed. ${SEEN}`,
  scope: 'any',
  query: z.strictObject({
    status: pendingChangeStatus.optional().meta({ description: 'Only changes in this status' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(pendingChangeResource),
  errors: [],
});

const params = z.strictObject({ pendingChangeId: uuid.meta({ description: 'Id of the change' }) });

export const getPendingChange = defineOperation({
  method: 'get',
  path: '/api/v1/admin/pending-changes/{pendingChangeId}',
  operationId: 'getPendingChange',
  group: 'Admin',
  summary: 'Read a change that waits for another pair of hands',
  description: SEEN,
  scope: 'any',
  params,
  success: [{ status: 200, meaning: 'The change' }],
  response: pendingChangeResource,
  errors: ['NOT_FOUND'],
});

export const confirmPendingChange = defineOperation({
  method: 'post',
  path: '/api/v1/admin/pending-changes/{pendingChangeId}/confirm',
  operationId: 'confirmPendingChange',
  group: 'Admin',
  summary: 'Confirm a change, which takes effect at once',
  description:
    'Needs the scopes of the request that waits, and another pair of hands than asked for it: a key of another root. With `payments.dualControlBy` = `persons` no key will do. Whoever asked must still have the right to, and the values must still be those that the change was asked of: else it is 409 `STATE_CONFLICT`, and `details.reason` is the code that the request would get now, where it would be refused.',
  scope: 'any',
  stepUp: 'always',
  hands: 'neutral',
  params,
  body: z.strictObject({}).optional(),
  success: [{ status: 200, meaning: 'Confirmed, and in effect' }],
  response: pendingChangeResource,
  errors: [
    'NOT_FOUND',
    'STATE_CONFLICT',
    twoHandsErrors.SECOND_PERSON_REQUIRED,
    // Of a provider that is asked once more.
    'PROVIDER_CONFIGURATION',
    'PROVIDER_UNAVAILABLE',
  ],
});

export const rejectPendingChange = defineOperation({
  method: 'post',
  path: '/api/v1/admin/pending-changes/{pendingChangeId}/reject',
  operationId: 'rejectPendingChange',
  group: 'Admin',
  summary: 'Reject a change, or withdraw it',
  description:
    'Open to whoever could confirm it, and to whoever asked for it. A change that is not open any more is 409 `STATE_CONFLICT`.',
  scope: 'any',
  hands: 'tightens',
  params,
  body: z
    .strictObject({ reason: text(500).nullish().meta({ description: 'Kept with the change, not in the audit log' }) })
    .optional()
    .meta({ example: { reason: 'Not agreed with finance' } }),
  success: [{ status: 200, meaning: 'Rejected' }],
  response: pendingChangeResource,
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});
