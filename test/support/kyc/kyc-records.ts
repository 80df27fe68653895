/** Verifications and documents as the member's part of the flow would have left them. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Scope } from '../../../src/db/scope.ts';
import type { DocumentType, KycProvider, KycStatus } from '../../../src/features/kyc/open/kyc-states.ts';
import type { TestApp } from '../app/test-app.ts';

interface PlantedRecord {
  memberId: string;
  status?: KycStatus;
  provider?: KycProvider;
  applicantId?: string | null;
  assignedTo?: string | null;
  /** How long it has had its status. */
  waitingSeconds?: number;
}

/** The entry in the log goes with it, so that the doctor finds nothing. */
export async function plantRecord(
  app: TestApp,
  { tenantId, environment }: Scope,
  { memberId, status = 'pending', provider = 'manual', applicantId = null, assignedTo = null, waitingSeconds = 0 }: PlantedRecord,
): Promise<string> {
  const [row] = await app.database.asSuperuser<{ id: string }>(
    `with record as (
       insert into kyc_record (tenant_id, environment, member_id, provider, provider_applicant_id, status, status_since, verified_at,
                               rejection_reason, assigned_to, created_at, updated_at)
       select $1, $2, $3, $4, $5, $6::text, t.at, case when $6 = 'approved' then t.at end,
              case when $6 in ('rejected', 'resubmit_required') then 'Planted' end, $7, t.at, t.at
       from (select scope_now($1, $2) - make_interval(secs => $8) as at) t
       returning id, verified_at),
     approved as (
       update member m set kyc_approved_at = record.verified_at from record
       where m.tenant_id = $1 and m.environment = $2 and m.id = $3 and record.verified_at is not null)
     select id from record`,
    [tenantId, environment, memberId, provider, applicantId, status, assignedTo, waitingSeconds],
  );
  if (!row) throw new Error('the record was not planted');
  return row.id;
}

export interface PlantedDocument {
  id: string;
  storageKey: string;
}

export async function plantDocument(
  app: TestApp,
  { tenantId, environment }: Scope,
  recordId: string,
  documentType: DocumentType,
  {
    status = 'uploaded',
    fileName = `${documentType}.png`,
  }: { status?: 'uploaded' | 'accepted' | 'rejected'; fileName?: string } = {},
): Promise<PlantedDocument> {
  const storageKey = `${environment}/${tenantId}/kyc/${recordId}/documents/${randomUUID()}.png`;
  const [row] = await app.database.asSuperuser<{ id: string }>(
    `insert into kyc_document (tenant_id, environment, kyc_record_id, document_type, file_name, mime_type, file_size, storage_key,
                               content_sha256, malware_scan, status, rejection_reason, reviewed_at, created_at)
     values ($1, $2, $3, $4, $5, 'image/png', 1234, $6, $7, 'clean', $8::text, case when $8 = 'rejected' then 'Planted' end,
             case when $8 <> 'uploaded' then scope_now($1, $2) end, scope_now($1, $2))
     returning id`,
    [tenantId, environment, recordId, documentType, fileName, storageKey, randomBytes(32), status],
  );
  if (!row) throw new Error('the document was not planted');
  return { id: row.id, storageKey };
}

/** One of each type that is required. */
export async function plantRequired(app: TestApp, scope: Scope, recordId: string): Promise<PlantedDocument[]> {
  const planted: PlantedDocument[] = [];
  for (const type of ['government_id_front', 'government_id_back', 'selfie'] as const) {
    planted.push(await plantDocument(app, scope, recordId, type));
  }
  return planted;
}
