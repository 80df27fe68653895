/** The sweeps that clear what endpoints have left, and forget events, their deliveries and attempts, by the database's clock, in SANDBOX too. Source: docs/specification/webhooks.md#log. */
import type { Sweep } from '../../../jobs/schedule.ts';
import { refreshHearing } from './hearing-queries.ts';
import { KEPT_DAYS } from './kept-days.ts';
import { cancelWaiting, forgetEndpoints, forgetEvents, forgetOldSecrets } from './retention-queries.ts';

export const FORGET_WEBHOOKS = 'forget-webhooks';

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

export const CLEAR_ENDPOINTS = 'clear-webhook-endpoints';

/** Deliveries that wait for an endpoint that was deleted, and secrets whose overlap is over. */
export const clearEndpoints: Sweep = {
  name: CLEAR_ENDPOINTS,
  batchSize: 1_000,
  async run(db, scope, limit) {
    await forgetOldSecrets(db, scope);
    return cancelWaiting(db, scope, limit);
  },
};
