/** Reading the audit log. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import { firstIdAt } from '../../db/ids.ts';
import type { CallContext, Caller } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { holdsRight } from '../../http/rights.ts';
import { listAuditLogs } from './audit-log-operations.ts';
import { type AuditFilters, type AuditLogEntry, type IdRange, listAuditEntries } from './audit-log-queries.ts';

type List = z.output<(typeof listAuditLogs)['query'] & {}>;

export interface AuditLogService {
  list(context: CallContext, query: List): Promise<Page<AuditLogEntry>>;
}

export function createAuditLogService({ frames, cursors }: { frames: Frames; cursors: Cursors }): AuditLogService {
  return {
    async list({ scope }, { limit, cursor, ...query }) {
      const { action, actorKind, actorId, targetKind, targetId, objectKind, objectId, operationId, from, to } = query;
      const filters: AuditFilters = {
        action,
        actorKind,
        actorId,
        targetKind,
        targetId,
        objectKind,
        objectId,
        operationId,
        from,
        to,
        onlyKind: readsAll(scope) ? undefined : 'kyc_record',
      };
      const list = { scope, operationId: 'listAuditLogs', filters: { ...filters } };
      const beforeId = cursors.open(cursor, list);
      const rows = await frames.read(scope, (db) =>
        listAuditEntries(db, scope, { ...filters, ...idsOf(query) }, beforeId, limit + 1),
      );
      return cursors.page(rows, limit, list, (entry) => entry.id);
    },
  };
}

/** Others read of verifications alone. Changes of who a member is are among those: of a verified one they are written there. */
function readsAll(caller: Caller): boolean {
  return caller.provenance.actor.kind === 'system' || holdsRight(caller, listAuditLogs.scope);
}

/** How long after it began a transaction may still make ids. */
const LONGEST_TRANSACTION_MS = 3_600_000;

/** Ids are made by the clock that entries are recorded by, while the transaction runs. */
function idsOf({ from, to }: Pick<List, 'from' | 'to'>): IdRange {
  return {
    fromId: from === undefined ? undefined : firstIdAt(Math.max(Date.parse(from), 0)),
    toId: to === undefined ? undefined : firstIdAt(Math.max(Date.parse(to), 0) + LONGEST_TRANSACTION_MS),
  };
}
