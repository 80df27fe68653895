/** The statements of the operations of the audit log. */
import { read, type StatementRow } from '../../support/statements/statement-row.ts';

export const auditStatements: StatementRow[] = [
  ['listAuditLogs of 100', ({ client }) => client.get('/api/v1/admin/audit-logs?limit=100'), 200, read('built')],
];
