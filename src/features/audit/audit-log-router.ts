import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { listAuditLogs } from './audit-log-operations.ts';
import type { AuditLogService } from './audit-log-service.ts';

export function mountAuditLog(router: Router, mount: Mount, auditLog: AuditLogService): void {
  mount(
    router,
    listAuditLogs,
    ({ query, ...context }) => auditLog.list(context, query),
    ({ rows, nextCursor }) => ({ status: 200, body: { data: rows, hasMore: nextCursor !== null, nextCursor } }),
  );
}
