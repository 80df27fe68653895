/** The sweep that ends changes which nobody confirmed in time. */
import type { Sweep } from '../../jobs/schedule.ts';
import { EXPIRE, type PendingChangesService } from './pending-changes-service.ts';

const BATCH_SIZE = 100;

export const createExpirePendingChanges = ({ expire }: Pick<PendingChangesService, 'expire'>): Sweep => ({
  name: EXPIRE,
  batchSize: BATCH_SIZE,
  run: (db, scope, limit) => expire(db, scope, limit),
});
