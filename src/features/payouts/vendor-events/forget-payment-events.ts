/**
 * The sweep that forgets the payment vendor's events 400 days after they came, by the database's clock, in SANDBOX
 * too. One of those does not come again: the signature of what somebody kept is good for 300 seconds, and the vendor,
 * which signs each repeat anew, repeats for days. So nothing is missed either of what the order of events is told by.
 */
import type { Sweep } from '../../../jobs/schedule.ts';
import { forgetOldEvents } from './payment-events-queries.ts';

const BATCH_SIZE = 1_000;
/** Longer than a year's books are open, for which somebody may ask what the vendor said of a payout. */
const KEPT_DAYS = 400;

export const forgetPaymentEvents: Sweep = {
  name: 'forget-payment-events',
  batchSize: BATCH_SIZE,
  run: (db, scope, limit) => forgetOldEvents(db, scope, KEPT_DAYS, limit),
};
