/** Who changed what: the log, reading it, sealing and verifying it, and what it forgets. */
import { z } from 'zod';
import type { Db, Scope } from '../../db/scope.ts';
import { defineFeature } from '../../house/feature.ts';
import { auditAudits } from './audit-audits.ts';
import { createHeadSigner } from './audit-head.ts';
import { OF_VERIFICATIONS } from './audit-log-operations.ts';
import { auditLogRoutes } from './audit-log-routes.ts';
import { createAuditLogService } from './audit-log-service.ts';
import { auditPersonal } from './audit-personal.ts';
import { CHECK_AUDIT_LOG, createAuditLogCheck } from './check-audit-log.ts';
import { createKeepSweep, KEEP_AUDIT_LOG } from './keep-audit-log.ts';
import { BLOCK_ENTRIES, sealAuditLog } from './seal-audit-log.ts';
import { type AuditAnchor, type AuditVerification, verifyAuditLog } from './verify-audit-log.ts';

export interface AuditOffers {
  /** Computes every hash of the log anew, in the caller's snapshot. */
  verify(db: Db, scope: Scope, anchor?: AuditAnchor): Promise<AuditVerification>;
}

export const auditFeature = defineFeature({
  name: 'audit',
  audits: auditAudits,
  personal: auditPersonal,
  scopes: { 'admin:audit': 'Read the audit log' },
  peopleScopes: { [OF_VERIFICATIONS.scope]: 'Read the entries of verifications in the audit log' },
  env: {
    AUDIT_RETENTION_DAYS: z.coerce
      .number()
      .int()
      .min(0)
      .max(36_500)
      .default(0)
      .refine((days) => days === 0 || days >= 30, 'must be 0 or at least 30')
      .describe('Days that entries of the audit log are kept, at least 30; 0 keeps them for good'),
    AUDIT_IP_DAYS: z.coerce
      .number()
      .int()
      .min(1)
      .max(36_500)
      .default(90)
      .describe('Days that the address is kept which an entry of the audit log came from'),
  },
  // Repeated once, to tell a broken log from a broken connection.
  jobs: [{ name: CHECK_AUDIT_LOG, kind: 'leased', retryLimit: 1 }],
  tables: ['audit_block_entry', 'audit_block', 'audit_unsealed', 'audit_origin', 'audit_head', 'audit_log'],
  due: {
    'seal-audit-log': [{ table: 'audit_unsealed' }],
    [KEEP_AUDIT_LOG]: [{ table: 'audit_head', at: 'look_at', clock: 'database' }],
  },
  open({ frames, cursors, pepper, env, logger, queue }) {
    const signer = createHeadSigner(pepper);
    return {
      offers: { verify: (db, scope, anchor) => verifyAuditLog(db, scope, signer, anchor) } satisfies AuditOffers,
      routes: auditLogRoutes(createAuditLogService({ frames, cursors })),
      sweeps: [
        {
          name: 'seal-audit-log',
          batchSize: BLOCK_ENTRIES,
          // It seals what the others have written.
          last: true,
          run: (db, scope, limit) => sealAuditLog(db, scope, limit, (tx) => queue.enqueue(tx, scope, CHECK_AUDIT_LOG, {})),
        },
        createKeepSweep({ ipDays: env.AUDIT_IP_DAYS, retentionDays: env.AUDIT_RETENTION_DAYS, signer, logger }),
      ],
      handlers: [createAuditLogCheck({ logger, signer })],
    };
  },
});
