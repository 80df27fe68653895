/** A verification that takes documents, and the way of one document into it. */
import { createHash, randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import type { Scope } from '../../../src/db/scope.ts';
import type { DocumentMimeType, DocumentType } from '../../../src/features/kyc/open/kyc-states.ts';
import type { ApiClient } from '../app/api-client.ts';
import type { TestApp } from '../app/test-app.ts';
import { jpegOf } from './sample-documents.ts';

/** Of a member that has none, or as the present one is to be; returns its id. */
export async function plantKycRecord(
  app: Pick<TestApp, 'database'>,
  { tenantId, environment }: Scope,
  memberId: string,
  { provider = 'manual', status = 'not_started' } = {},
): Promise<string> {
  const [row] = await app.database.asSuperuser<{ id: string }>(
    `insert into kyc_record as k (tenant_id, environment, member_id, provider, status, status_since, verified_at, rejection_reason,
                                  created_at, updated_at)
     values ($1, $2, $3, $4, $5, now(), case when $5 = 'approved' then now() end, case when $5 = 'rejected' then 'No' end, now(), now())
     on conflict (tenant_id, environment, member_id) do update
       set provider = excluded.provider, status = excluded.status, verified_at = excluded.verified_at,
           rejection_reason = excluded.rejection_reason
     returning id`,
    [tenantId, environment, memberId, provider, status],
  );
  return row?.id ?? '';
}

export interface SampleDocument {
  content: Buffer;
  fileName: string;
  mimeType: DocumentMimeType;
  documentType: DocumentType | undefined;
}

export function sampleDocument(fields: Partial<SampleDocument> = {}): SampleDocument {
  const content = jpegOf({ comment: randomUUID() });
  return { content, fileName: 'passport.jpg', mimeType: 'image/jpeg', documentType: 'government_id_front', ...fields };
}

export interface UploadBody {
  uploadUrl: string;
  filePath: string;
  expiresInSeconds: number;
  method: string;
  headers: Record<string, string>;
}

export const documentsPath = (memberId: string) => `/api/v1/members/${memberId}/kyc/documents`;

export async function prepareUpload(
  client: ApiClient,
  memberId: string,
  { content, ...named }: SampleDocument,
  { sized = true } = {},
): Promise<UploadBody> {
  const body = { ...named, ...(sized ? { fileSize: content.length } : {}) };
  const answer = await client.post(`${documentsPath(memberId)}/upload-url`, body);
  if (answer.status !== 200) throw new Error(`no upload: ${answer.status} ${answer.text}`);
  return answer.body as UploadBody;
}

export function sendTo({ uploadUrl, method, headers }: UploadBody, content: Buffer): Promise<globalThis.Response> {
  return fetch(uploadUrl, { method, headers, body: new Uint8Array(content) });
}

/** The request that records what was sent; `fields` override it. */
export function recordUpload(
  client: ApiClient,
  memberId: string,
  { filePath }: Pick<UploadBody, 'filePath'>,
  document: SampleDocument,
  fields: object = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  const { fileName, mimeType, content } = document;
  return client.post(documentsPath(memberId), { fileName, mimeType, fileSize: content.length, filePath, ...fields }, headers);
}

/** From the URL to the record. */
export async function sendDocument(client: ApiClient, memberId: string, document = sampleDocument()): Promise<Response> {
  const upload = await prepareUpload(client, memberId, document);
  const sent = await sendTo(upload, document.content);
  if (sent.status !== 200) throw new Error(`not sent: ${sent.status} ${await sent.text()}`);
  return recordUpload(client, memberId, upload, document);
}

export const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
