/**
 * The sweep that forgets the vendor's events REMEMBERED_DAYS after they came, by the database's clock, in SANDBOX
 * too. One of those that comes again has no effect: it is known by its age (`isBeyondMemory`). For that an event is
 * kept until it is as old by the vendor's clock too, and one without a time for good. One about nobody known stays:
 * a start of that member asks the vendor at once because of it. That an applicant was deleted may be forgotten,
 * for what the vendor told of it before is older still.
 */
import type { Sweep } from '../../../jobs/schedule.ts';
import { REMEMBERED_DAYS } from './vendor-event.ts';
import { forgetOldEvents } from './vendor-events-queries.ts';

const BATCH_SIZE = 1_000;

export const forgetKycEvents: Sweep = {
  name: 'forget-kyc-events',
  batchSize: BATCH_SIZE,
  run: (db, scope, limit) => forgetOldEvents(db, scope, REMEMBERED_DAYS, limit),
};
