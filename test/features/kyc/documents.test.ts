/**
 * Documents from the upload to the record: the rules, and what must not be taken
 * (docs/specification/verification.md#documents).
 */
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { KYC_STATUSES, takesDocuments } from '../../../src/features/kyc/open/kyc-states.ts';
import { MAX_DOCUMENT_BYTES } from '../../../src/vendors/storage/object-storage.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';
import {
  documentsPath,
  plantKycRecord,
  prepareUpload,
  recordUpload,
  type SampleDocument,
  sampleDocument,
  sendDocument,
  sendTo,
  sha256,
} from '../../support/kyc/kyc-documents.ts';
import { EICAR, jpegOf, pdfOf, pngOf } from '../../support/kyc/sample-documents.ts';
import { type FakeClamd, startFakeClamd } from '../../support/vendors/fake-clamd.ts';

let app: TestApp;
let clamd: FakeClamd;
let client: ApiClient;
let scope: Scope;
let memberId: string;
let recordId: string;

beforeAll(async () => {
  clamd = await startFakeClamd();
  app = await startTestApp({ MALWARE_SCANNER: 'clamd', CLAMD_PORT: String(clamd.port) });
  const tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
});
afterAll(async () => {
  await app.close();
  await clamd.close();
});
beforeEach(async () => {
  clamd.reply = undefined;
  memberId = (await client.newMember()).id;
  recordId = await plantKycRecord(app, scope, memberId);
});

const fileOf = (key: string) => path.join(app.config.DATA_DIR, 'objects', key);
const statusOf = async () =>
  (await app.database.asSuperuser<{ status: string }>('select status from kyc_record where id = $1', [recordId]))[0]?.status;
const logOf = async () =>
  app.database.asSuperuser<{ action: string; actor_kind: string; details: Record<string, unknown> }>(
    'select action, actor_kind, details from audit_log where object_id = $1 order by id',
    [recordId],
  );
/** The entry with which every upload begins. */
const openedEntry = () => ({
  action: 'kyc_document.upload_opened',
  actor_kind: 'api_key',
  details: { uploadId: expect.any(String), documentType: 'government_id_front' },
});
const keptDocuments = async () =>
  app.database.asSuperuser<{ id: string; storage_key: string; content_sha256: Buffer; malware_scan: string }>(
    'select id, storage_key, content_sha256, malware_scan from kyc_document where kyc_record_id = $1 order by id',
    [recordId],
  );
const removals = async () =>
  app.database.asSuperuser<{ storage_key: string; isDue: boolean }>(
    `select storage_key, remove_after <= now() as "isDue" from object_removal where storage_key like $1 order by storage_key`,
    [`%/${recordId}/%`],
  );
const fieldsOf = (body: { details?: { fields?: { field: string }[] } }) => body.details?.fields?.map(({ field }) => field);
const filesOf = async (place: 'pending' | 'documents') =>
  readdir(path.join(app.config.DATA_DIR, 'objects', 'live', scope.tenantId, 'kyc', memberId, recordId, place)).catch(() => []);

/** An upload to which the document was sent. */
async function sent(document: SampleDocument, options = {}) {
  const upload = await prepareUpload(client, memberId, document, options);
  expect((await sendTo(upload, document.content)).status).toBe(200);
  return upload;
}

describe('recording', () => {
  test('keeps what was checked under a key of its own, and logs it without its name', async () => {
    const document = sampleDocument({ fileName: 'Pass von Anna Müller.jpg' });
    const upload = await sent(document);
    const answer = await recordUpload(client, memberId, upload, document);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(String),
      documentType: 'government_id_front',
      fileName: 'Pass von Anna Müller.jpg',
      mimeType: 'image/jpeg',
      fileSize: document.content.length,
      status: 'uploaded',
      rejectionReason: null,
      reviewedAt: null,
      superseded: false,
      createdAt: expect.any(String),
    });
    const [kept] = await keptDocuments();
    expect(kept).toMatchObject({ id: answer.body.id, malware_scan: 'clean' });
    expect(kept?.content_sha256.toString('hex')).toBe(sha256(document.content));
    expect(kept?.storage_key).toMatch(
      new RegExp(`^live/${scope.tenantId}/kyc/${memberId}/${recordId}/documents/[0-9a-f-]{36}\\.jpg$`),
    );
    expect((await readFile(fileOf(kept?.storage_key ?? ''))).equals(document.content)).toBe(true);
    expect(clamd.scanned.at(-1)?.equals(document.content)).toBe(true);
    expect(await removals()).toEqual([{ storage_key: upload.filePath, isDue: false }]);
    expect(await logOf()).toEqual([
      openedEntry(),
      {
        action: 'kyc_document.recorded',
        actor_kind: 'api_key',
        details: { documentId: answer.body.id, documentType: 'government_id_front', malwareScan: 'clean' },
      },
    ]);
    expect(app.logLines.join('\n')).not.toContain('Anna');
    expect(await statusOf()).toBe('not_started');
  });

  test.each([
    ['image/png', pngOf(), 'selfie'],
    ['image/jpeg', jpegOf(), 'government_id_back'],
    ['application/pdf', pdfOf(), 'proof_of_address'],
  ] as const)('takes %s', async (mimeType, content, documentType) => {
    const answer = await sendDocument(client, memberId, sampleDocument({ mimeType, content, documentType, fileName: 'a' }));
    expect([answer.status, answer.body.documentType]).toEqual([201, documentType]);
  });

  test('makes the verification pending with the last required document, once', async () => {
    const types = ['government_id_front', 'proof_of_address', 'government_id_back', 'selfie'] as const;
    for (const documentType of types) {
      expect(await statusOf()).toBe('not_started');
      expect((await sendDocument(client, memberId, sampleDocument({ documentType }))).status).toBe(201);
    }
    expect(await statusOf()).toBe('pending');
    expect((await sendDocument(client, memberId, sampleDocument({ documentType: 'selfie' }))).status).toBe(201);
    const submitted = (await logOf()).filter(({ action }) => action === 'kyc_record.submitted');
    expect(submitted.map(({ details }) => details)).toEqual([{ from: 'not_started', to: 'pending' }]);
  });

  test('of a rejected document waits for another of its type', async () => {
    for (const documentType of ['government_id_front', 'government_id_back', 'selfie'] as const) {
      await sendDocument(client, memberId, sampleDocument({ documentType }));
    }
    await app.database.asSuperuser(
      `update kyc_document set status = 'rejected', rejection_reason = 'Blurred', reviewed_at = now()
       where kyc_record_id = $1 and document_type = 'selfie'`,
      [recordId],
    );
    await plantKycRecord(app, scope, memberId, { status: 'resubmit_required' });
    await sendDocument(client, memberId, sampleDocument({ documentType: 'government_id_front' }));
    expect(await statusOf()).toBe('resubmit_required');
    await sendDocument(client, memberId, sampleDocument({ documentType: 'selfie' }));
    expect(await statusOf()).toBe('pending');
  });

  test('takes the document type from the upload, from the request where that has none or another', async () => {
    const untyped = sampleDocument({ documentType: undefined });
    const first = await sent(untyped);
    const named = await recordUpload(client, memberId, first, untyped, { documentType: 'selfie' });
    expect([named.status, named.body.documentType]).toEqual([201, 'selfie']);
    const typed = sampleDocument();
    const other = await recordUpload(client, memberId, await sent(typed), typed, { documentType: 'government_id_back' });
    expect([other.status, other.body.documentType]).toEqual([201, 'government_id_back']);
  });

  test("a member's bearer token records its own and nobody else's", async () => {
    const { accessToken } = await plantSession(app, scope, memberId);
    const bearer = { authorization: `Bearer ${accessToken}` };
    const document = sampleDocument();
    const upload = await sent(document);
    const other = (await client.newMember()).id;
    expect((await recordUpload(client, other, upload, document, {}, bearer)).status).toBe(403);
    expect((await recordUpload(client, memberId, upload, document, {}, bearer)).status).toBe(201);
    expect((await logOf()).at(-1)?.actor_kind).toBe('member');
  });
});

describe('what is refused', () => {
  const refused = async (document: SampleDocument, fields: object, field: string, options = {}) => {
    const upload = await sent(document, options);
    const answer = await recordUpload(client, memberId, upload, document, fields);
    expect([answer.status, answer.body.code, fieldsOf(answer.body)]).toEqual([400, 'VALIDATION_ERROR', [field]]);
    expect(await keptDocuments()).toEqual([]);
    expect(await filesOf('documents')).toEqual([]);
    return answer;
  };

  test.each([
    ['another name', { fileName: 'other.jpg' }, 'fileName'],
    ['another type', { mimeType: 'image/png' }, 'mimeType'],
    ['another size', { fileSize: 12_345 }, 'fileSize'],
    ['a document that takes no such type', { documentType: 'nothing' }, 'documentType'],
    ['a size of nothing', { fileSize: 0 }, 'fileSize'],
    ['a size beyond the limit', { fileSize: MAX_DOCUMENT_BYTES + 1 }, 'fileSize'],
  ])('%s', async (_what, fields, field) => {
    await refused(sampleDocument(), fields, field);
  });

  test('another size than was sent, where none was said before', async () => {
    await refused(sampleDocument(), { fileSize: 1 }, 'fileSize', { sized: false });
  });

  test.each([
    ['bytes of another type', Buffer.from('<html><script>alert(1)</script></html>')],
    ['a PNG said to be a JPEG', pngOf()],
    ['a picture with a script behind it', Buffer.concat([jpegOf(), Buffer.from('<script>')])],
    ['a picture with an archive behind it', Buffer.concat([jpegOf(), Buffer.from('PK\x03\x04')])],
    ['a pixel flood', jpegOf({ width: 60_000, height: 60_000 })],
    ['half a picture', jpegOf().subarray(0, 60)],
  ])('%s', async (_what, content) => {
    await refused(sampleDocument({ content }), {}, 'filePath');
    expect(await statusOf()).toBe('not_started');
  });

  test('a PDF with a script in it, and a PDF as a selfie', async () => {
    const pdf = { mimeType: 'application/pdf', documentType: 'proof_of_address' } as const;
    const content = pdfOf({ objects: '<< /S /JavaScript /JS (app.alert(1)) >>' });
    await refused(sampleDocument({ ...pdf, content }), {}, 'filePath');
    await refused(sampleDocument({ ...pdf, content: pdfOf() }), { documentType: 'selfie' }, 'mimeType');
    const body = { fileName: 'me.pdf', mimeType: 'application/pdf', documentType: 'selfie' };
    const answer = await client.post(`${documentsPath(memberId)}/upload-url`, body);
    expect([answer.status, fieldsOf(answer.body)]).toEqual([400, ['mimeType']]);
  });

  test('no bytes, and more bytes than allowed, that got into the storage in another way', async () => {
    const document = sampleDocument();
    const upload = await sent(document, { sized: false });
    for (const content of [Buffer.alloc(0), Buffer.alloc(MAX_DOCUMENT_BYTES + 1)]) {
      await writeFile(fileOf(upload.filePath), content);
      const answer = await recordUpload(client, memberId, upload, document);
      expect([answer.status, fieldsOf(answer.body)]).toEqual([400, ['filePath']]);
    }
  });

  test('an upload to which nothing was sent, until something is', async () => {
    const document = sampleDocument();
    const upload = await prepareUpload(client, memberId, document);
    const early = await recordUpload(client, memberId, upload, document);
    expect([early.status, fieldsOf(early.body)]).toEqual([400, ['filePath']]);
    await sendTo(upload, document.content);
    expect((await recordUpload(client, memberId, upload, document)).status).toBe(201);
  });

  test('a path that is not of an open upload of this member, with one answer for all', async () => {
    const document = sampleDocument();
    const mine = await sent(document);
    const neighbour = (await client.newMember()).id;
    await plantKycRecord(app, scope, neighbour);
    const theirs = await prepareUpload(client, neighbour, document);
    await sendTo(theirs, document.content);
    const tenant = await app.newTenant();
    const foreign = apiClient(app, tenant.liveKey);
    const stranger = (await foreign.newMember()).id;
    await plantKycRecord(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, stranger);
    const far = await prepareUpload(foreign, stranger, document);
    expect((await recordUpload(client, memberId, mine, document)).status).toBe(201);
    const [kept] = await keptDocuments();
    const paths = [
      mine.filePath,
      theirs.filePath,
      far.filePath,
      kept?.storage_key ?? '',
      mine.filePath.replace('pending', 'documents'),
      mine.filePath.toUpperCase(),
      `${mine.filePath}/../x.jpg`,
      '../../../etc/passwd',
      randomUUID(),
    ];
    const answers = [];
    for (const filePath of paths) answers.push(await recordUpload(client, memberId, { filePath }, document));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 400));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await keptDocuments()).toHaveLength(1);
  });

  test('an upload that expired long ago, though not one that just has', async () => {
    const age = (filePath: string, minutes: number) =>
      app.database.asSuperuser(`update kyc_upload set expires_at = now() - make_interval(mins => $2) where pending_key = $1`, [
        filePath,
        minutes,
      ]);
    const document = sampleDocument();
    const [late, tooLate] = [await sent(document), await sent(document)];
    await age(late.filePath, 29);
    await age(tooLate.filePath, 31);
    expect((await recordUpload(client, memberId, late, document)).status).toBe(201);
    const answer = await recordUpload(client, memberId, tooLate, document);
    expect([answer.status, fieldsOf(answer.body)]).toEqual([400, ['filePath']]);
  });

  test.each(['a/b.jpg', '..', 'a\\b.jpg', 'a\nb.jpg', 'a\u202egpj.exe', ' ', '', 'x'.repeat(256)])(
    'a file named %j',
    async (fileName) => {
      const answer = await client.post(`${documentsPath(memberId)}/upload-url`, { fileName, mimeType: 'image/jpeg' });
      expect([answer.status, fieldsOf(answer.body)?.[0]]).toEqual([400, 'fileName']);
    },
  );
});

describe('who may send documents', () => {
  const upload = (id: string) => client.post(`${documentsPath(id)}/upload-url`, { fileName: 'a.png', mimeType: 'image/png' });

  test.each(KYC_STATUSES)('a verification that is %s', async (status) => {
    const document = sampleDocument();
    const open = await sent(document);
    await plantKycRecord(app, scope, memberId, { status });
    const answers = [await upload(memberId), await recordUpload(client, memberId, open, document)];
    const expected = takesDocuments(status) ? [200, 201] : [409, 409];
    expect(answers.map((answer) => answer.status)).toEqual(expected);
    if (!takesDocuments(status)) expect(answers.map(({ body }) => body.code)).toEqual(['STATE_CONFLICT', 'STATE_CONFLICT']);
  });

  test('no verification, one at the vendor, an erased member, nobody', async () => {
    const bare = (await client.newMember()).id;
    const body = { fileName: 'a.png', mimeType: 'image/png', fileSize: 1, filePath: 'x' };
    const both = async (id: string) => [await upload(id), await client.post(documentsPath(id), body)];
    const codes = async (id: string) => (await both(id)).map((answer) => `${answer.status} ${answer.body.code}`);
    expect(await codes(bare)).toEqual(['409 STATE_CONFLICT', '409 STATE_CONFLICT']);
    await plantKycRecord(app, scope, bare, { provider: 'kycvendor' });
    expect(await codes(bare)).toEqual(['409 STATE_CONFLICT', '409 STATE_CONFLICT']);
    await app.database.asSuperuser('update member set erased_at = now() where id = $1', [memberId]);
    expect(await codes(memberId)).toEqual(['409 STATE_CONFLICT', '409 STATE_CONFLICT']);
    expect(await codes(randomUUID())).toEqual(['404 USER_NOT_FOUND', '404 USER_NOT_FOUND']);
  });

  test('has 20 uploads open at most, also when 40 are asked for at once', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => upload(memberId)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(20);
    await app.database.asSuperuser('update kyc_upload set expires_at = now() where kyc_record_id = $1', [recordId]);
    expect((await upload(memberId)).status).toBe(200);
  });

  test('has 100 documents at most', async () => {
    const { id } = (await sendDocument(client, memberId)).body as { id: string };
    const open = sampleDocument();
    const late = await sent(open);
    await app.database.asSuperuser(
      `insert into kyc_document (tenant_id, environment, kyc_record_id, document_type, file_name, mime_type, file_size, storage_key,
                                 content_sha256, malware_scan, created_at)
       select tenant_id, environment, kyc_record_id, document_type, file_name, mime_type, file_size, 'copy/' || n, content_sha256,
              malware_scan, created_at
       from kyc_document, generate_series(1, 99) n where id = $1`,
      [id],
    );
    expect((await upload(memberId)).status).toBe(409);
    expect((await recordUpload(client, memberId, late, open)).status).toBe(409);
    expect(await keptDocuments()).toHaveLength(100);
  });
});

describe('malware', () => {
  test('is refused for good, logged, and removed with the next sweep', async () => {
    const document = sampleDocument({ content: jpegOf({ comment: EICAR }) });
    const upload = await sent(document);
    const answer = await recordUpload(client, memberId, upload, document);
    expect([answer.status, fieldsOf(answer.body)]).toEqual([400, ['filePath']]);
    expect(await logOf()).toEqual([
      openedEntry(),
      {
        action: 'kyc_document.infected',
        actor_kind: 'api_key',
        details: { signature: 'Eicar-Test-Signature', documentType: 'government_id_front' },
      },
    ]);
    expect(await removals()).toEqual([{ storage_key: upload.filePath, isDue: true }]);
    expect(await keptDocuments()).toEqual([]);
    // The same place with other content in it is not looked at any more.
    await writeFile(fileOf(upload.filePath), jpegOf());
    expect((await recordUpload(client, memberId, upload, document)).status).toBe(400);
    expect(await logOf()).toHaveLength(2);
  });

  test('while the scanner is away nothing is taken, and afterwards the same request is', async () => {
    const document = sampleDocument();
    const upload = await sent(document);
    clamd.reply = 'cut';
    const key = { 'idempotency-key': randomUUID() };
    const answer = await recordUpload(client, memberId, upload, document, {}, key);
    expect([answer.status, answer.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(answer.headers['retry-after']).toBe('30');
    expect(await keptDocuments()).toEqual([]);
    clamd.reply = undefined;
    expect((await recordUpload(client, memberId, upload, document, {}, key)).status).toBe(201);
  });

  test('without a scanner documents are marked as not scanned', async () => {
    const bare = await startTestApp({}, app.database);
    try {
      const tenant = await bare.newTenant();
      const its = apiClient(bare, tenant.sandboxKey);
      const { id } = await its.newMember();
      recordId = await plantKycRecord(bare, { tenantId: tenant.tenantId, environment: 'SANDBOX' }, id);
      expect((await sendDocument(its, id, sampleDocument({ content: jpegOf({ comment: EICAR }) }))).status).toBe(201);
      expect((await keptDocuments())[0]?.malware_scan).toBe('not_scanned');
    } finally {
      await bare.close();
    }
  });
});

describe('at once and again', () => {
  test('twenty recordings of one upload make one document', async () => {
    const document = sampleDocument();
    const upload = await sent(document);
    const answers = await Promise.all(Array.from({ length: 20 }, () => recordUpload(client, memberId, upload, document)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array<number>(19).fill(400)]);
    expect(await keptDocuments()).toHaveLength(1);
    expect((await logOf()).map(({ action }) => action)).toEqual(['kyc_document.upload_opened', 'kyc_document.recorded']);
    // What the losers had stored is written down to be removed, and the winner's is not.
    const kept = (await keptDocuments())[0]?.storage_key ?? '';
    const planned = (await removals()).map(({ storage_key }) => storage_key);
    expect(planned).not.toContain(kept);
    const stray = (await filesOf('documents')).filter((name) => !kept.endsWith(name));
    expect(stray.every((name) => planned.some((key) => key.endsWith(name)))).toBe(true);
  });

  test('a repeat with the Idempotency-Key is the same document, and another body is refused', async () => {
    const document = sampleDocument();
    const upload = await sent(document);
    const key = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 5 }, () => recordUpload(client, memberId, upload, document, {}, key)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    await rm(fileOf(upload.filePath));
    expect((await recordUpload(client, memberId, upload, document, {}, key)).headers['idempotent-replayed']).toBe('true');
    expect((await recordUpload(client, memberId, upload, document, { fileSize: 1 }, key)).status).toBe(422);
    expect(await keptDocuments()).toHaveLength(1);
  });

  test('a repeat for an upload URL has a URL of its own, and none is stored', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = { fileName: 'a.png', mimeType: 'image/png' };
    const ask = () => client.post(`${documentsPath(memberId)}/upload-url`, body, key);
    const first = await ask();
    expect(first.status).toBe(200);
    const again = await ask();
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, undefined]);
    expect(again.body.filePath).not.toBe(first.body.filePath);
    const stored = await app.database.asSuperuser('select from idempotency_key where key = $1', [key['idempotency-key']]);
    expect(stored).toEqual([]);
  });

  test('what is written to the place after it was looked at changes nothing', async () => {
    const document = sampleDocument();
    const other = Buffer.from(document.content);
    other.write('other', other.indexOf('JFIF'));
    const upload = await sent(document);
    const [answer] = await Promise.all([
      recordUpload(client, memberId, upload, document),
      ...Array.from({ length: 10 }, () => sendTo(upload, other)),
    ]);
    const [kept] = await keptDocuments();
    if (answer?.status === 201) {
      const stored = await readFile(fileOf(kept?.storage_key ?? ''));
      expect(sha256(stored)).toBe(kept?.content_sha256.toString('hex'));
    }
    await sendTo(upload, other);
    const stored = kept && (await readFile(fileOf(kept.storage_key)));
    if (stored) expect(sha256(stored)).toBe(kept.content_sha256.toString('hex'));
  });

  test('a verification that is decided between the look and the record takes nothing', async () => {
    const document = sampleDocument();
    const upload = await sent(document);
    clamd.reply = 'silence';
    const scans = clamd.scanned.length;
    const recording = recordUpload(client, memberId, upload, document);
    await expect.poll(() => clamd.scanned.length).toBeGreaterThan(scans);
    await plantKycRecord(app, scope, memberId, { status: 'approved' });
    clamd.reply = undefined;
    clamd.answerAll('stream: OK');
    const answer = await recording;
    expect([answer.status, answer.body.code]).toEqual([409, 'STATE_CONFLICT']);
    expect(await keptDocuments()).toEqual([]);
  });
});
