/** The sweep by which leads expire, each `leadExpiryDays` after its capture. Source: docs/referrals.md#leads. */
import { bySystem } from '../../actor.ts';
import type { Sweep } from '../../jobs/schedule.ts';
import { tell } from '../webhooks/webhooks-service.ts';
import { expireDueLeads } from './leads-queries.ts';

const BATCH_SIZE = 1_000;

export const expireLeads: Sweep = {
  name: 'expire-leads',
  batchSize: BATCH_SIZE,
  async run(db, scope, limit) {
    const { count, told } = await expireDueLeads(db, scope, limit);
    for (const id of told) tell(db, bySystem('expire-leads'), 'lead.expired', id, { heard: true });
    return count;
  },
};
