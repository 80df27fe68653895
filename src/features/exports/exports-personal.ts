/** What is held of a person in files that a tenant has exported. */
import type { Personal } from '../../house/personal.ts';
import type { ExportKind } from './export-run.ts';
import { outdateExports } from './exports-queries.ts';

/** Events name customers, the audit log names actors and where they called from. The other kinds have ids and amounts. */
const KINDS_WITH_PERSONS: readonly ExportKind[] = ['members', 'events', 'auditLogs'];

/** Nobody knows who is in a file without reading it: all of them go. */
export const exportsPersonal: Personal = {
  erase: [(scope) => outdateExports(scope, KINDS_WITH_PERSONS)],
};
