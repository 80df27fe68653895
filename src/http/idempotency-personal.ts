/** Answers stored for Idempotency-Keys that name a member: an erasure deletes them. */
import type { Personal } from '../house/personal.ts';
import { deleteAnswersNaming } from './idempotency-queries.ts';
import { digestOfName } from './named-digests.ts';

export const idempotencyPersonal: Personal = {
  erase: [
    ({ tenantId, environment }, { memberId, emailsNorm }) =>
      deleteAnswersNaming({ tenantId, environment }, { names: [memberId, ...emailsNorm].map(digestOfName) }),
  ],
};
