/**
 * The sweep that forgets clicks CLICK_RETENTION_DAYS after they came, by the database's clock, in SANDBOX too.
 * Source: docs/specification/attribution.md#clicks.
 */
import type { Sweep } from '../../jobs/schedule.ts';
import { forgetClicksStatement } from './clicks-queries.ts';

const BATCH_SIZE = 1_000;

export const FORGET_CLICKS = 'forget-clicks';

/** Longer than the longest window of an attribution. */
export const CLICK_DAYS = 400;

export function createForgetClicks(keptDays: number): Sweep {
  return {
    name: FORGET_CLICKS,
    batchSize: BATCH_SIZE,
    keptDays,
    async run(db, scope, limit) {
      const forgotten = await db.row(forgetClicksStatement(scope, { limit, keptDays }));
      return forgotten?.count ?? 0;
    },
  };
}
