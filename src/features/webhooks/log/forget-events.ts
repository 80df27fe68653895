/** The sweep that forgets events, their deliveries and attempts, by the database's clock, in SANDBOX too. Source: docs/specification/webhooks.md#log. */
import type { Sweep } from '../../../jobs/schedule.ts';
import { refreshHearing } from './hearing-queries.ts';
import { forgetEndpoints, forgetEvents } from './retention-queries.ts';

export const FORGET_WEBHOOKS = 'forget-webhooks';
export const KEPT_DAYS = 30;

const BATCH_SIZE = 500;

export const forgetWebhooks: Sweep = {
  name: FORGET_WEBHOOKS,
  batchSize: BATCH_SIZE,
  keptDays: KEPT_DAYS,
  async run(db, scope, limit) {
    const forgotten = await forgetEvents(db, scope, { limit, keptDays: KEPT_DAYS });
    // In LIVE the log is on from the first endpoint until the last is forgotten.
    if (await forgetEndpoints(db, scope, KEPT_DAYS)) await refreshHearing(db, scope);
    return forgotten;
  },
};
