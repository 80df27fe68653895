/** What the simulated vendor says of an applicant, in SQL. */
import { statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { tenantTable } from '../../../db/tenant-table.ts';

const kycRecord = tenantTable('kyc_record');

const store = statement<unknown, { recordId: string; review: string }>('kyc_store_simulated_review', ({ recordId, review }) =>
  kycRecord().where({ id: recordId }).update({ simulated_review: review }),
);

/** The record itself does not change by it: it is the vendor's knowledge. */
export async function storeSimulatedReview(db: Db, scope: Scope, recordId: string, review: object): Promise<void> {
  await db.rows(store(scope, { recordId, review: JSON.stringify(review) }));
}
