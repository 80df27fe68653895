/** The doctor with all audits, on the database of a test. */
import type { Audit } from '../../../src/doctor/audit.ts';
import { type AuditResult, examine } from '../../../src/doctor/doctor.ts';
import { house } from '../../../src/features.ts';
import { auditsOf } from '../../../src/house/house.ts';

export const AUDITS: readonly Audit[] = auditsOf(house);

export function examineBooks(adminUrl: string): Promise<AuditResult[]> {
  return examine(adminUrl, AUDITS);
}
