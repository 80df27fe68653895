/** Takes up again what broke off on the way to the provider: as a sweep that finds it, and a job that asks. */
import type { Db, Scope } from '../../../db/scope.ts';
import type { LeasedHandler } from '../../../jobs/job.ts';
import type { JobQueue } from '../../../jobs/queue.ts';
import type { Sweep } from '../../../jobs/schedule.ts';
import type { Provisioner } from './provision-account.ts';
import { takeDueAccounts } from './provisioning-queries.ts';

export const PROVISION_PAYOUT_ACCOUNT = 'provision-payout-account';
const BATCH = 50;

export function createProvisionSweep(queue: Pick<JobQueue, 'enqueue'>): Sweep {
  return {
    name: 'provision-accounts',
    batchSize: BATCH,
    lane: 'payouts',
    async run(db: Db, scope: Scope, limit: number) {
      const due = await takeDueAccounts(db, scope, limit);
      for (const { id } of due) await queue.enqueue(db, scope, PROVISION_PAYOUT_ACCOUNT, { payoutAccountId: id });
      return due.length;
    },
  };
}

export function createProvisionJob({ provisionFully }: Pick<Provisioner, 'provisionFully'>): LeasedHandler {
  return {
    name: PROVISION_PAYOUT_ACCOUNT,
    kind: 'leased',
    lane: 'payouts',
    run: (_frames, { scope, ids }) => provisionFully(scope, ids['payoutAccountId'] ?? ''),
  };
}
