/** What can be exported, in words, with the scope of each list. */
import { z } from 'zod';
import { createExportOf } from '../../exports/exports-operations.ts';

type Kinds = Parameters<typeof createExportOf>[0];
type Kind = keyof Kinds;

export const KINDS: Readonly<Record<Kind, { words: string; scope: Kinds[Kind]['readScope'] }>> = {
  members: { words: 'Members', scope: 'users:read' },
  commissions: { words: 'Commissions', scope: 'commissions:read' },
  events: { words: 'Sales and other events', scope: 'events:read' },
  ledger: { words: 'Postings of the ledger', scope: 'ledger:read' },
  payouts: { words: 'Payouts', scope: 'payouts:read' },
  trialBalance: { words: 'Trial balance', scope: 'ledger:read' },
  auditLogs: { words: 'Audit log', scope: 'admin:audit' },
};

// The filters stand in the service's own description, by which a call is validated.
const described = Object.fromEntries(
  Object.entries(KINDS).map(([kind, { scope }]) => [kind, { readScope: scope, filters: z.object({}), columns: [] }]),
);
export const createExport = createExportOf(described as unknown as Kinds);
