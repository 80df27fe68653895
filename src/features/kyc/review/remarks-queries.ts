/** What reviewers write of a verification, in SQL. It lies beside the audit log, whose entries name it, so that an erasure reaches it. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';

const kycRemark = tenantTable('kyc_remark');

export interface Remark {
  /** To the member too. */
  reason: string | null;
  /** Among the tenant's staff. */
  note: string | null;
}

const insert = statement<{ id: string }, Remark & { recordId: string }>('kyc_remark_insert', ({ recordId, reason, note }) =>
  kycRemark().insert({ kyc_record_id: recordId, reason, note }).returning('id'),
);

/** For the details of the entry that goes with it: nothing where nothing was written. */
export async function storeRemark(
  db: Db,
  scope: Scope,
  recordId: string,
  { reason, note }: Partial<{ [Part in keyof Remark]: string | null | undefined }>,
): Promise<{ remarkId?: string }> {
  if ((reason ?? note) == null) return {};
  const row = await db.row(insert(scope, { recordId, reason: reason ?? null, note: note ?? null }));
  if (!row) throw new Error('a remark was not stored');
  return { remarkId: row.id };
}

const ofRecord = statement<Remark & { id: string }, { recordId: string; count: number }>(
  'kyc_remarks_of_record',
  ({ recordId, count }) =>
    raw(
      `select r.id, r.reason, r.note from kyc_remark r where ${ofTenant('r')} and r.kyc_record_id = :recordId
   order by r.id desc limit :count`,
      { recordId, count },
    ),
);

/** The latest ones, by their ids. */
export async function listRemarks(db: Db, scope: Scope, recordId: string, count: number): Promise<Map<string, Remark>> {
  const rows = await db.rows(ofRecord(scope, { recordId, count }));
  return new Map(rows.map(({ id, reason, note }) => [id, { reason, note }]));
}

const forget = statement<unknown, { recordId: string }>('kyc_forget_remarks', ({ recordId }) =>
  kycRemark().where({ kyc_record_id: recordId }).delete(),
);

export async function forgetRemarks(db: Db, scope: Scope, recordId: string): Promise<void> {
  await db.rows(forget(scope, { recordId }));
}
