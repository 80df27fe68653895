/** Verifications as other features may read and decide on them: locked, and changed in the one way there is. */
import type { Db, Scope } from '../../db/frame.ts';
import { changeStatus, type StatusChange } from './change-status.ts';
import { findRecordStatement, type KycRecord, lockRecord } from './kyc-record-queries.ts';

export interface KycRecords {
  find(db: Db, scope: Scope, id: string): Promise<KycRecord | undefined>;
  /** Locked to the end of the transaction; comes before whatever locks the member's row. */
  lock(db: Db, scope: Scope, id: string): Promise<KycRecord | undefined>;
  /** Of a record that the transaction has locked. Whether it may be changed so is for the caller to know. */
  changeStatus(db: Db, scope: Scope, record: KycRecord, change: StatusChange): Promise<KycRecord>;
}

export const kycRecords: KycRecords = {
  find: (db, scope, id) => db.row(findRecordStatement(scope, id)),
  lock: lockRecord,
  changeStatus,
};
