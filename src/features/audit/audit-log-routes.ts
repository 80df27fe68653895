import { camelList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import { listAuditLogs } from './audit-log-operations.ts';
import type { AuditLogService } from './audit-log-service.ts';

export function auditLogRoutes(auditLog: AuditLogService): Route[] {
  return [route(listAuditLogs, ({ query, ...context }) => auditLog.list(context, query), camelList())];
}
