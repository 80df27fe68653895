/** The record that a start begins or goes on with. */
import type { Provenance } from '../../../actor.ts';
import type { Db, Scope, WriteDb } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import { tellKyc } from '../kyc-events.ts';
import type { KycProvider } from '../open/kyc-states.ts';
import { isMemberErased } from '../vendor/vendor-events-queries.ts';
import { insertRecord, type KycRecord, lockRecordOfMember } from './kyc-record-queries.ts';
import { switchProvider } from './start-queries.ts';

interface Start {
  memberId: string;
  /** The tenant's at present. */
  provider: KycProvider;
  by: Provenance;
}

/** Locked. STATE_CONFLICT once the member is approved or rejected. Repeatable. */
export async function ensureRecord(db: WriteDb, scope: Scope, { memberId, provider, by }: Start): Promise<KycRecord> {
  const audit = (record: KycRecord, action: string, details: Record<string, unknown>): Promise<void> =>
    recordAudit(db, scope, { action, by, objectKind: 'kyc_record', objectId: record.id, details });

  let record = await lockRecordOfMember(db, scope, memberId);
  await refuseErased(db, scope, memberId);
  if (!record) {
    const created = await insertRecord(db, scope, { memberId, provider });
    if (created) {
      tellKyc(db, by, created, 'kyc.started');
      await audit(created, 'kyc_record.created', { provider });
      return created;
    }
    record = await lockRecordOfMember(db, scope, memberId); // made by another start meanwhile
    if (!record) throw new Error('a KYC record vanished');
  }
  refuseDecided(record);
  if (record.provider === provider || record.status === 'pending') return record;
  const switched = await switchProvider(db, scope, record.id, provider);
  tellKyc(db, by, record);
  await audit(record, 'kyc_record.provider_changed', { from: record.provider, to: provider });
  return switched;
}

/** Asked behind the record's lock, which an erasure takes first. */
export async function refuseErased(db: Db, scope: Scope, memberId: string): Promise<void> {
  if (await isMemberErased(db, scope, memberId)) throw new AppError('STATE_CONFLICT', 'The member was erased');
}

export function refuseDecided({ status }: KycRecord): void {
  if (status === 'approved') {
    throw new AppError('STATE_CONFLICT', 'The member is verified already; there is nothing to start');
  }
  if (status === 'rejected') {
    throw new AppError('STATE_CONFLICT', 'The verification was rejected; it goes on once staff ask for documents again');
  }
}
