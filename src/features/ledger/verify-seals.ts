/** Verifying all that is sealed: the ledger, and the audit log beside it. */
import type { Db, Scope } from '../../db/scope.ts';
import type { AuditOffers } from '../audit/audit-feature.ts';
import { type Verification, verifyLedger } from './verify-ledger.ts';

export interface SealsVerification extends Verification {
  /** Nothing is wrong with either. */
  ok: boolean;
  auditLog: Awaited<ReturnType<AuditOffers['verify']>> & { ok: boolean };
}

/** Blocks whose hashes were kept outside: the verification begins there. */
interface Anchors {
  fromSeq?: number | undefined;
  expectedHash?: string | undefined;
  auditFromSeq?: number | undefined;
  auditExpectedHash?: string | undefined;
}

export type VerifySeals = (db: Db, scope: Scope, anchors?: Anchors) => Promise<SealsVerification>;

/** `db` is of a frame with one snapshot. */
export function createVerifySeals(audit: AuditOffers): VerifySeals {
  return async (db, scope, { fromSeq, expectedHash, auditFromSeq, auditExpectedHash } = {}) => {
    // The ledger last: it changes how the rest of the transaction is planned.
    const log = await audit.verify(db, scope, { fromSeq: auditFromSeq, expectedHash: auditExpectedHash });
    const ledger = await verifyLedger(db, scope, { fromSeq, expectedHash });
    const auditLog = { ok: log.faults.length === 0, ...log };
    return { ok: auditLog.ok && ledger.faults.length === 0, ...ledger, auditLog };
  };
}
