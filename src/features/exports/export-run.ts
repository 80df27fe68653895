/** What an export is: the rows of one list, as a file that is made in the background. */
import type { NamedActor } from '../../actor.ts';

export const EXPORT_KINDS = ['members', 'commissions', 'events', 'ledger', 'payouts', 'trialBalance', 'auditLogs'] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const EXPORT_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled', 'expired'] as const;
export type ExportStatus = (typeof EXPORT_STATUSES)[number];

/** Filters as they were sent: JSON values by the names of the list's parameters. */
export type ExportFilters = Readonly<Record<string, string | number | boolean | null>>;

export interface ExportRequest {
  kind: ExportKind;
  format: ExportFormat;
  filters?: ExportFilters | undefined;
}

export interface ExportRun {
  id: string;
  kind: ExportKind;
  format: ExportFormat;
  filters: ExportFilters;
  status: ExportStatus;
  rowCount: number;
  byteCount: bigint | null;
  failure: string | null;
  createdBy: NamedActor;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  expiresAt: Date | null;
}

export const RUN_EXPORT = 'run-export';

/** The name of the sweep, too. */
export const REMOVE_EXPORT_FILES = 'remove-export-files';

/** More than these wait for each other, and hold up nobody else's. */
export const MAX_UNFINISHED = 5;

export const MIME_TYPES: Readonly<Record<ExportFormat, string>> = { csv: 'text/csv', ndjson: 'application/x-ndjson' };
