/** What an import is: a file of rows that a tenant sent, and how far the work on it has come. */
import type { NamedActor } from '../../actor.ts';

export const IMPORT_KINDS = ['members', 'leads', 'purchases', 'rate_overrides'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** The operation whose effect each row has: who sends or stops an import needs its scope. */
export const EFFECT_OF: Readonly<Record<ImportKind, string>> = {
  members: 'createUser',
  leads: 'captureLead',
  purchases: 'recordPurchase',
  rate_overrides: 'createRateOverride',
};

export const IMPORT_MODES = ['validate', 'apply'] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

export const IMPORT_STATUSES = ['receiving', 'queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

export interface ImportRun {
  id: string;
  kind: ImportKind;
  mode: ImportMode;
  status: ImportStatus;
  fileName: string | null;
  byteCount: bigint;
  rowCount: number;
  /** Of a validation: those that would be. */
  appliedCount: number;
  failedCount: number;
  failure: string | null;
  createdBy: NamedActor;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

export const RUN_IMPORT = 'run-import';
