/** Who changed what: the log, and reading it. */
import { defineFeature } from '../../house/feature.ts';
import { auditLogRoutes } from './audit-log-routes.ts';
import { createAuditLogService } from './audit-log-service.ts';
import { auditPersonal } from './audit-personal.ts';

export const auditFeature = defineFeature({
  name: 'audit',
  personal: auditPersonal,
  scopes: { 'admin:audit': 'Read the audit log' },
  groups: ['Admin'],
  tables: ['audit_log'],
  kept: ['audit_log'],
  open({ frames, cursors }) {
    return { offers: {}, routes: auditLogRoutes(createAuditLogService({ frames, cursors })) };
  },
});
