/** What the simulated vendor says of an applicant, in SQL. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

const store = prepared<unknown, [string, string, recordId: string, review: string]>(
  'kyc_store_simulated_review',
  'update kyc_record set simulated_review = $4::jsonb where tenant_id = $1 and environment = $2 and id = $3',
);

/** The record itself does not change by it: it is the vendor's knowledge. */
export async function storeSimulatedReview(db: Db, scope: Scope, recordId: string, review: object): Promise<void> {
  await db.rows(store(scope.tenantId, scope.environment, recordId, JSON.stringify(review)));
}
