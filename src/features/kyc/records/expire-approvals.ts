/** The sweep by which approvals end that were given for a time. Source: docs/specification/verification.md#expiry. */
import { bySystem } from '../../../actor.ts';
import type { JobQueue } from '../../../jobs/queue.ts';
import type { Sweep } from '../../../jobs/schedule.ts';
import { REQUIRED_DOCUMENTS } from '../open/kyc-states.ts';
import { RESET_KYC_APPLICANT } from '../vendor/reset-applicant.ts';
import { changeStatus } from './change-status.ts';
import { laterOf } from './follow-identity.ts';
import { lockExpired } from './kyc-record-queries.ts';

/** The reason of a verification whose approval has ended. */
const APPROVAL_EXPIRED = 'APPROVAL_EXPIRED';

/** Each is some ten statements. */
const BATCH_SIZE = 100;

const BY = bySystem('expire-kyc');

/** All that is required is shown anew; at the vendor the application is taken back, or its old word would count again. */
export function createExpirySweep(queue: Pick<JobQueue, 'enqueue'>): Sweep {
  return {
    name: 'expire-kyc',
    batchSize: BATCH_SIZE,
    async run(db, scope, limit) {
      const expired = await lockExpired(db, scope, limit);
      for (const record of expired) {
        const byVendor = record.provider === 'kycvendor';
        if (byVendor) await queue.enqueue(db, scope, RESET_KYC_APPLICANT, { kycRecordId: record.id });
        await changeStatus(db, scope, record, {
          to: 'resubmit_required',
          by: BY,
          action: 'kyc_record.expired',
          tells: 'kyc.expired',
          reason: APPROVAL_EXPIRED,
          decidedBy: 'admin',
          ...(byVendor ? { lastEventAt: laterOf(record.lastEventAt, new Date()) } : { awaitedDocuments: REQUIRED }),
        });
      }
      return expired.length;
    },
  };
}

const REQUIRED = REQUIRED_DOCUMENTS.filter(({ required }) => required).map(({ documentType }) => documentType);
