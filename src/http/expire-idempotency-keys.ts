/** The sweep that forgets Idempotency-Keys. They expire by the database's clock, in SANDBOX too. */
import type { Sweep } from '../jobs/schedule.ts';
import { deleteExpiredKeys } from './idempotency-queries.ts';

const BATCH_SIZE = 1_000;

export const expireIdempotencyKeys: Sweep = {
  name: 'expire-idempotency-keys',
  batchSize: BATCH_SIZE,
  async run(db, { tenantId, environment }, limit) {
    const deleted = await db.row(deleteExpiredKeys({ tenantId, environment }, { limit }));
    return deleted?.count ?? 0;
  },
};
