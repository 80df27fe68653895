/** The sweep that forgets clicks 400 days after they came, by the database's clock, in SANDBOX too: longer than any window. */
import type { Sweep } from '../../jobs/schedule.ts';
import { forgetClicksStatement } from './clicks-queries.ts';

const BATCH_SIZE = 1_000;

export const forgetClicks: Sweep = {
  name: 'forget-clicks',
  batchSize: BATCH_SIZE,
  async run(db, scope, limit) {
    const forgotten = await db.row(forgetClicksStatement(scope, limit));
    return forgotten?.count ?? 0;
  },
};
