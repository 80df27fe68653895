/** The sweep that forgets which tokens of providers were exchanged, once they are good no more. They go by the database's clock, in SANDBOX too. */
import type { Sweep } from '../../jobs/schedule.ts';
import { forgetTokens } from './exchanged-tokens-queries.ts';

const BATCH_SIZE = 1_000;

export const forgetExchangedTokens: Sweep = {
  name: 'forget-exchanged-tokens',
  batchSize: BATCH_SIZE,
  run: (db, scope, limit) => forgetTokens(db, scope, limit),
};
