/** Reading the audit log. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import type { RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import type { listAuditLogs } from './audit-log-operations.ts';
import { type AuditFilters, type AuditLogEntry, listAuditEntries } from './audit-log-queries.ts';

type List = z.output<(typeof listAuditLogs)['query'] & {}>;

export interface AuditLogService {
  list(context: RequestContext, query: List): Promise<Page<AuditLogEntry>>;
}

export function createAuditLogService({ frames, cursors }: { frames: Frames; cursors: Cursors }): AuditLogService {
  return {
    async list({ scope }, { limit, cursor, action, actorId, objectKind, objectId, from, to }) {
      const filters: AuditFilters = { action, actorId, objectKind, objectId, from, to };
      const list = { scope, operationId: 'listAuditLogs', filters: { ...filters } };
      const beforeId = cursors.open(cursor, list);
      const rows = await frames.read(scope, (db) => listAuditEntries(db, scope, filters, beforeId, limit + 1));
      return cursors.page(rows, limit, list, (entry) => entry.id);
    },
  };
}
