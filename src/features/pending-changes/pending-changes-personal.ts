/** What is held of a person in requests that wait, and in why they were rejected. */

import type { Personal } from '../../house/personal.ts';
import { digestOfName } from '../../http/named-digests.ts';
import { forgetNamed } from './pending-changes-queries.ts';

export const pendingChangesPersonal: Personal = {
  erase: [
    ({ tenantId, environment }, { memberId, emailsNorm }) =>
      forgetNamed({ tenantId, environment }, { names: [memberId, ...emailsNorm].map(digestOfName) }),
  ],
};
