/** The sweep by which leads expire, each `leadExpiryDays` after its capture. Source: docs/referrals.md#leads. */
import type { Sweep } from '../../jobs/schedule.ts';
import { expireDueLeads } from './leads-queries.ts';

const BATCH_SIZE = 1_000;

export const expireLeads: Sweep = {
  name: 'expire-leads',
  batchSize: BATCH_SIZE,
  run: (db, scope, limit) => expireDueLeads(db, scope, limit),
};
