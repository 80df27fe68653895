/** The daily check of an audit log, as a job: leased, for it reads for as long as the log is long. */
import type { Logger } from 'pino';
import type { LeasedHandler } from '../../jobs/job.ts';
import type { HeadSigner } from './audit-head.ts';
import { verifyAuditLog } from './verify-audit-log.ts';

export const CHECK_AUDIT_LOG = 'check-audit-log';

/** A log that does not verify fails the job, which becomes a dead letter, and is logged with what is wrong. */
export function createAuditLogCheck({ logger, signer }: { logger: Logger; signer: HeadSigner }): LeasedHandler {
  return {
    name: CHECK_AUDIT_LOG,
    kind: 'leased',
    async run(frames, { scope }) {
      const { faults } = await frames.read(scope, (db) => verifyAuditLog(db, scope, signer), { snapshot: true });
      if (faults.length === 0) return;
      logger.error({ ...scope, faults }, 'the audit log does not verify');
      throw new Error(`the audit log does not verify: ${faults.map(({ kind }) => kind).join(', ')}`);
    },
  };
}
