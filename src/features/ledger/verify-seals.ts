/** Verifying all that is sealed: the ledger, and the audit log beside it. */
import type { Db, Scope } from '../../db/scope.ts';
import type { AuditOffers } from '../audit/audit-feature.ts';
import { type LastCheck, readLastCheck } from './last-check-queries.ts';
import { anchorOf, type Verification, verifyLedger } from './verify-ledger.ts';

export interface SealsVerification extends Verification {
  /** Nothing is wrong with either. */
  ok: boolean;
  /** The block of the ledger that it began at; null: the whole was verified. */
  fromSeq: number | null;
  lastCheck: Pick<LastCheck, 'seq' | 'checkedAt' | 'wholeAt'> | null;
  auditLog: Awaited<ReturnType<AuditOffers['verify']>> & { ok: boolean };
}

/** Blocks whose hashes were kept outside, or for the ledger by the last check: the verification begins there. */
interface Anchors {
  /** `routine`: from the last block that was found sound; the whole where none was. */
  mode?: 'whole' | 'routine' | undefined;
  fromSeq?: number | undefined;
  expectedHash?: string | undefined;
  auditFromSeq?: number | undefined;
  auditExpectedHash?: string | undefined;
}

export type VerifySeals = (db: Db, scope: Scope, anchors?: Anchors) => Promise<SealsVerification>;

/** `db` is of a frame with one snapshot. */
export function createVerifySeals(audit: AuditOffers): VerifySeals {
  return async (db, scope, { mode, fromSeq, expectedHash, auditFromSeq, auditExpectedHash } = {}) => {
    // The ledger last: it changes how the rest of the transaction is planned.
    const log = await audit.verify(db, scope, { fromSeq: auditFromSeq, expectedHash: auditExpectedHash });
    const last = await readLastCheck(db, scope);
    const anchor = mode === 'routine' && last ? anchorOf(last) : { fromSeq, expectedHash };
    const ledger = await verifyLedger(db, scope, anchor);
    const auditLog = { ok: log.faults.length === 0, ...log };
    return {
      ok: auditLog.ok && ledger.faults.length === 0,
      ...ledger,
      fromSeq: anchor.fromSeq ?? null,
      lastCheck: last ? { seq: last.seq, checkedAt: last.checkedAt, wholeAt: last.wholeAt } : null,
      auditLog,
    };
  };
}
