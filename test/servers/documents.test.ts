/**
 * Documents in a real S3 API, scanned by a real ClamAV: from the upload URL to a reviewer's eyes
 * (docs/specification/verification.md#documents).
 */

import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { Scope } from '../../src/db/scope.ts';
import { findDocumentStatement, forgetDocuments } from '../../src/features/kyc/documents/document-changes-queries.ts';
import { kyc } from '../../src/features.ts';
import { createClamdScanner } from '../../src/vendors/malware/clamd.ts';
import { MAX_DOCUMENT_BYTES } from '../../src/vendors/storage/object-storage.ts';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { eventually } from '../support/jobs/test-jobs.ts';
import {
  plantKycRecord,
  prepareUpload,
  recordUpload,
  type SampleDocument,
  sampleDocument,
  sendTo,
  sha256,
} from '../support/kyc/kyc-documents.ts';
import { EICAR, jpegOf, pdfOf, pngOf } from '../support/kyc/sample-documents.ts';

const { s3, clamdPort } = inject('servers');
const settings = {
  OBJECT_STORAGE: 's3',
  S3_BUCKET: s3.bucket,
  S3_ENDPOINT: s3.url,
  S3_FORCE_PATH_STYLE: 'true',
  S3_ACCESS_KEY_ID: s3.accessKeyId,
  S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  MALWARE_SCANNER: 'clamd',
  CLAMD_PORT: String(clamdPort),
};
const bucket = new S3Client({ endpoint: s3.url, region: 'us-east-1', forcePathStyle: true, credentials: s3 });

let app: TestApp;
let client: ApiClient;
let scope: Scope;
let memberId: string;
let recordId: string;

beforeAll(async () => {
  app = await startTestApp({ ...settings, JOBS: 'inline', SWEEP_INTERVAL_MS: '100' });
  const tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
});
afterAll(async () => {
  bucket.destroy();
  await app.close();
});
beforeEach(async () => {
  memberId = (await client.newMember()).id;
  recordId = await plantKycRecord(app, scope, memberId);
});

async function objectsOf(record = recordId): Promise<string[]> {
  const { Contents = [] } = await bucket.send(
    new ListObjectsV2Command({ Bucket: s3.bucket, Prefix: `live/${scope.tenantId}/kyc/${memberId}/${record}/` }),
  );
  return Contents.map(({ Key = '' }) => Key);
}
async function sent(document: SampleDocument, options = {}) {
  const upload = await prepareUpload(client, memberId, document, options);
  const answer = await sendTo(upload, document.content);
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  return upload;
}
const fieldsOf = (body: { details?: { fields?: { field: string }[] } }) => body.details?.fields?.map(({ field }) => field);
const keptOf = async (id: string) => {
  const [kept] = await app.composition.frames.readOnce(scope, findDocumentStatement(scope, recordId, id));
  if (!kept) throw new Error('the document is not there');
  return kept;
};

describe('the way of a document', () => {
  test.each([
    ['a picture', jpegOf({ comment: 'x'.repeat(40_000) }), 'image/jpeg', 'selfie'],
    ['a scan', pngOf({ extra: [['tEXt', Buffer.alloc(2_000_000, 0x61)]] }), 'image/png', 'government_id_front'],
    [
      'a PDF of 10 MiB',
      pdfOf({ filler: Buffer.alloc(MAX_DOCUMENT_BYTES - pdfOf().length - 7) }),
      'application/pdf',
      'proof_of_address',
    ],
  ] as const)(
    '%s comes to the reviewer as it was sent, to be saved and not shown',
    async (_what, content, mimeType, documentType) => {
      const document = sampleDocument({ content, mimeType, documentType, fileName: 'Ausweis "Müller".bin' });
      const upload = await sent(document);
      const recorded = await recordUpload(client, memberId, upload, document);
      expect([recorded.status, recorded.body.fileSize]).toEqual([201, content.length]);
      const { url } = await app.composition.offer(kyc).documents.createDownloadUrl(await keptOf(recorded.body.id as string));
      const seen = await fetch(url);
      expect(sha256(Buffer.from(await seen.arrayBuffer()))).toBe(sha256(content));
      expect(seen.headers.get('content-type')).toBe('application/octet-stream');
      expect(seen.headers.get('content-disposition')).toBe(
        `attachment; filename="Ausweis _Mu_ller_.bin"; filename*=UTF-8''Ausweis%20%22M%C3%BCller%22.bin`,
      );
      expect((await fetch(url.replace('attachment', 'inline'))).status).toBe(403);
      const [row] = await app.database.asSuperuser('select malware_scan from kyc_document where id = $1', [recorded.body.id]);
      expect(row).toEqual({ malware_scan: 'clean' });
    },
  );

  test('ends with an erasure: nothing is left in the bucket', async () => {
    const document = sampleDocument();
    expect((await recordUpload(client, memberId, await sent(document), document)).status).toBe(201);
    await sent(sampleDocument());
    expect(await objectsOf()).toHaveLength(3);
    await app.composition.frames.write(scope, (db) => forgetDocuments(db, scope, recordId));
    await eventually(async () => (await objectsOf()).length === 0);
  });
});

describe('an upload URL', () => {
  const put = async (url: string, headers: Record<string, string>, content: Buffer) =>
    (await fetch(url, { method: 'PUT', headers, body: new Uint8Array(content) })).status;

  test('is good for its key, type and length alone', async () => {
    const document = sampleDocument();
    const { uploadUrl, headers, filePath } = await prepareUpload(client, memberId, document);
    const { content } = document;
    expect(await put(uploadUrl, { 'Content-Type': 'text/html' }, content)).toBe(403);
    expect(await put(uploadUrl, {}, content)).toBe(403);
    expect(await put(uploadUrl, headers, Buffer.concat([content, content]))).toBe(403);
    expect(await put(uploadUrl.replace('/pending/', '/documents/'), headers, content)).toBe(403);
    expect(await put(uploadUrl.replace('live', 'sandbox'), headers, content)).toBe(403);
    expect(await put(uploadUrl.replace('X-Amz-Expires=900', 'X-Amz-Expires=90000'), headers, content)).toBe(403);
    expect((await fetch(uploadUrl)).status).toBe(403);
    expect((await fetch(new URL(`/${s3.bucket}/${filePath}`, s3.url))).status).toBeGreaterThanOrEqual(400);
    expect(await objectsOf()).toEqual([]);
    expect(await put(uploadUrl, headers, content)).toBe(200);
    expect(await objectsOf()).toEqual([filePath]);
  });

  test('ends with its time', async () => {
    const { storage } = app.composition;
    const target = await storage.createUpload({ key: 'a/late.jpg', mimeType: 'image/jpeg', size: 1, expiresInSeconds: 1 });
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await put(target.url, target.headers, Buffer.alloc(1))).toBe(403);
  });
});

describe('what is refused', () => {
  test.each([
    ['bytes of another type', Buffer.from('<html><script>alert(1)</script></html>'), 'filePath'],
    ['a picture that is an archive too', Buffer.concat([jpegOf(), Buffer.from('PK\x03\x04')]), 'filePath'],
    ['malware within a picture', jpegOf({ comment: EICAR }), 'filePath'],
    ['malware within a PDF', pdfOf({ objects: `% ${EICAR}\n` }), 'filePath'],
  ])('%s', async (_what, content, field) => {
    const isPdf = content.toString('latin1', 0, 4) === '%PDF';
    const document = sampleDocument({ content, ...(isPdf ? { mimeType: 'application/pdf' } : {}) });
    const answer = await recordUpload(client, memberId, await sent(document), document);
    expect([answer.status, fieldsOf(answer.body)]).toEqual([400, [field]]);
    expect(await objectsOf()).toHaveLength(1);
  });

  test('no bytes, more than 10 MiB, another size than was said, and nothing at all', async () => {
    const document = sampleDocument();
    const upload = await prepareUpload(client, memberId, document, { sized: false });
    const record = async (fields = {}) => {
      const answer = await recordUpload(client, memberId, upload, document, fields);
      return [answer.status, ...(fieldsOf(answer.body) ?? [])];
    };
    expect(await record()).toEqual([400, 'filePath']);
    for (const size of [0, MAX_DOCUMENT_BYTES + 1]) {
      expect((await sendTo(upload, Buffer.alloc(size))).status).toBe(200);
      expect(await record()).toEqual([400, 'filePath']);
    }
    expect((await sendTo(upload, document.content)).status).toBe(200);
    expect(await record({ fileSize: document.content.length + 1 })).toEqual([400, 'fileSize']);
    await bucket.send(
      new PutObjectCommand({ Bucket: s3.bucket, Key: upload.filePath, Body: document.content, ContentType: 'text/html' }),
    );
    expect(await record()).toEqual([400, 'mimeType']);
    expect((await sendTo(upload, document.content)).status).toBe(200);
    expect(await record()).toEqual([201]);
    expect(await record()).toEqual([400, 'filePath']);
  });

  test('what was written after the look does not become the document', async () => {
    const document = sampleDocument();
    const upload = await sent(document);
    const recorded = await recordUpload(client, memberId, upload, document);
    expect((await sendTo(upload, Buffer.alloc(document.content.length, 1))).status).toBe(200);
    const { url } = await app.composition.offer(kyc).documents.createDownloadUrl(await keptOf(recorded.body.id as string));
    expect(sha256(Buffer.from(await (await fetch(url)).arrayBuffer()))).toBe(sha256(document.content));
  });
});

describe('ClamAV', () => {
  const scanner = createClamdScanner({ host: '127.0.0.1', port: clamdPort });

  test('finds its test file, takes 10 MiB, and answers many at once', async () => {
    expect(await scanner.scan(Buffer.from(EICAR))).toEqual({
      verdict: 'infected',
      signature: expect.stringMatching(/^Eicar-Test-/),
    });
    expect(await scanner.scan(Buffer.alloc(MAX_DOCUMENT_BYTES))).toEqual({ verdict: 'clean' });
    const verdicts = await Promise.all(
      Array.from({ length: 30 }, (_, n) => scanner.scan(Buffer.from(n % 3 === 0 ? EICAR : `${n}`))),
    );
    expect(verdicts.filter(({ verdict }) => verdict === 'infected')).toHaveLength(10);
  });

  test('gives no verdict on more than it takes: that is no clean bill', async () => {
    await expect(scanner.scan(Buffer.alloc(13 * 1024 * 1024))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test('what it finds is refused for good; while it is away nothing is taken', async () => {
    const document = sampleDocument();
    const away = await startTestApp({ ...settings, CLAMD_PORT: '1' }, app.database);
    try {
      const upload = await sent(document);
      const tenants = await app.database.asSuperuser('select 1 from kyc_document where kyc_record_id = $1', [recordId]);
      expect(tenants).toEqual([]);
      const tenant = await away.newTenant();
      const its = apiClient(away, tenant.liveKey);
      const { id } = await its.newMember();
      await plantKycRecord(away, { tenantId: tenant.tenantId, environment: 'LIVE' }, id);
      const theirs = await prepareUpload(its, id, document);
      expect((await sendTo(theirs, document.content)).status).toBe(200);
      const answer = await recordUpload(its, id, theirs, document);
      expect([answer.status, answer.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect((await recordUpload(client, memberId, upload, document)).status).toBe(201);
    } finally {
      await away.close();
    }
  });
});
