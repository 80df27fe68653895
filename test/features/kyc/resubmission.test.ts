/**
 * What must come again: the documents that staff names, what takes their place, and when the review goes on.
 * Source: docs/specification/verification.md#resubmission, docs/specification/verification.md#document-type.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import type { DocumentMimeType, DocumentType } from '../../../src/features/kyc/open/kyc-states.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import {
  documentsPath,
  prepareUpload,
  recordUpload,
  sampleDocument,
  sendDocument,
  sendTo,
} from '../../support/kyc/kyc-documents.ts';
import { plantRecord } from '../../support/kyc/kyc-records.ts';
import { jpegOf, pdfOf, pngOf } from '../../support/kyc/sample-documents.ts';

interface Shown {
  id: string;
  status: string;
  requestedDocuments: string[];
  documents: { id: string; documentType: string; superseded: boolean; status: string }[];
}

let app: TestApp;
let client: ApiClient;
let key: string;
let scope: Scope;
let memberId: string;

beforeAll(async () => {
  app = await startTestApp();
  const tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  key = tenant.liveKey;
  client = apiClient(app, key);
});
beforeEach(async () => {
  memberId = (await client.newMember()).id;
});
afterAll(() => app.close());

const REQUIRED = ['government_id_front', 'government_id_back', 'selfie'] as const;
const CONTENT: Record<DocumentMimeType, () => Buffer> = {
  'image/jpeg': () => sampleDocument().content,
  'image/png': () => pngOf(),
  'application/pdf': () => pdfOf(),
};

const start = async () => {
  const answer = await client.post(`/api/v1/members/${memberId}/kyc/start`, {});
  expect(answer.status, answer.text).toBe(200);
  return String(answer.body.kycRecordId);
};
/** Without a body. */
const postNothing = (path: string) => app.http.post(path).set('x-tenant-api-key', key);
const shown = async () => (await client.get(`/api/v1/members/${memberId}/kyc`)).body as Shown;
const statusOf = async () => (await shown()).status;
const send = async (documentType: DocumentType) => {
  const answer = await sendDocument(client, memberId, sampleDocument({ documentType }));
  expect(answer.status, answer.text).toBe(201);
  return String(answer.body.id);
};
/** As the service description has it: without a type in either body. */
const sendUnnamed = async (mimeType: DocumentMimeType) => {
  const document = sampleDocument({ mimeType, content: CONTENT[mimeType](), documentType: undefined });
  const upload = await prepareUpload(client, memberId, document, { sized: false });
  expect((await sendTo(upload, document.content)).status).toBe(200);
  const answer = await recordUpload(client, memberId, upload, document);
  expect(answer.status, answer.text).toBe(201);
  return String(answer.body.documentType);
};
const decide = (id: string, deed: string, body: object = {}) => client.post(`/api/v1/admin/kyc/${id}/${deed}`, body);
const askAgain = (id: string, documents?: string[]) =>
  decide(id, 'request-resubmit', { reason: 'Not readable', ...(documents ? { documents } : {}) });
const submitted = async () => {
  const id = await start();
  for (const type of REQUIRED) await send(type);
  expect(await statusOf()).toBe('pending');
  return id;
};

describe('documents that must come again', () => {
  test('the verification is pending once all have come, in whatever order, and not before', async () => {
    const id = await submitted();
    const answer = await askAgain(id, ['selfie', 'proof_of_address', 'selfie']);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({
      id,
      userId: memberId,
      status: 'resubmit_required',
      message: expect.any(String),
      reason: 'Not readable',
      requestedDocuments: ['selfie', 'proof_of_address'],
    });
    expect((await shown()).requestedDocuments).toEqual(['selfie', 'proof_of_address']);
    await send('government_id_front');
    expect(await statusOf()).toBe('resubmit_required');
    await send('proof_of_address');
    expect(await shown()).toMatchObject({ status: 'resubmit_required', requestedDocuments: ['selfie'] });
    await send('proof_of_address');
    expect(await statusOf()).toBe('resubmit_required');
    await send('selfie');
    expect(await shown()).toMatchObject({ status: 'pending', requestedDocuments: [] });
    const log = await app.database.asSuperuser<{ details: object }>(
      "select details from audit_log where object_id = $1 and action = 'kyc_record.resubmit_requested'",
      [id],
    );
    expect(log).toEqual([
      {
        details: {
          from: 'pending',
          to: 'resubmit_required',
          remarkId: expect.any(String),
          documents: ['selfie', 'proof_of_address'],
        },
      },
    ]);
  });

  test('also of an approved verification, whose accepted documents do not count for those', async () => {
    const id = await submitted();
    expect((await decide(id, 'approve')).status).toBe(200);
    expect((await decide(id, 'resubmit', { reason: 'Has expired', documents: ['government_id_back'] })).status).toBe(200);
    await send('selfie');
    expect(await statusOf()).toBe('resubmit_required');
    await send('government_id_back');
    expect(await statusOf()).toBe('pending');
  });

  test('a required document that was rejected must come as well, though nobody named it', async () => {
    const id = await submitted();
    const front = (await shown()).documents.find(({ documentType }) => documentType === 'government_id_front');
    await decide(id, `documents/${front?.id}/review`, { decision: 'rejected', reason: 'Blurred' });
    await askAgain(id, ['selfie']);
    await send('selfie');
    expect(await shown()).toMatchObject({ status: 'resubmit_required', requestedDocuments: [] });
    await send('government_id_front');
    expect(await statusOf()).toBe('pending');
  });

  test('asked for twice counts the second list alone', async () => {
    const id = await submitted();
    await askAgain(id, ['selfie', 'government_id_back']);
    await send('government_id_back');
    await send('selfie');
    expect(await statusOf()).toBe('pending');
    expect((await askAgain(id, ['proof_of_address'])).body.requestedDocuments).toEqual(['proof_of_address']);
    await send('selfie');
    expect(await statusOf()).toBe('resubmit_required');
    await send('proof_of_address');
    expect(await statusOf()).toBe('pending');
  });

  test('two that come at once make the verification pending', async () => {
    const id = await submitted();
    await askAgain(id, ['selfie', 'government_id_back']);
    await Promise.all([send('selfie'), send('government_id_back')]);
    expect(await shown()).toMatchObject({ status: 'pending', requestedDocuments: [] });
  });

  test('without a list the next document is enough, as long as none that is required is rejected', async () => {
    const id = await submitted();
    const answer = await askAgain(id);
    expect([answer.status, answer.body.requestedDocuments]).toEqual([200, []]);
    await send('selfie');
    expect(await statusOf()).toBe('pending');
  });

  test.each([[[]], [['passport']], ['selfie'], [[null]], [[...REQUIRED, 'proof_of_address', 'selfie']]])(
    'refuses %j as the list',
    async (documents) => {
      const id = await submitted();
      const answer = await decide(id, 'request-resubmit', { reason: 'Again', documents });
      expectRefusal(answer, 400, 'VALIDATION_ERROR');
      expect(await statusOf()).toBe('pending');
    },
  );

  test('refuses a list where the vendor has the documents, and leaves no trace', async () => {
    const id = await plantRecord(app, scope, { memberId, provider: 'kycvendor', applicantId: `a-${memberId}` });
    expectRefusal(await askAgain(id, ['selfie']), 409, 'STATE_CONFLICT');
    expect(await statusOf()).toBe('pending');
    expect((await askAgain(id)).status).toBe(200);
  });
});

describe('a document that a later one replaces', () => {
  test('is listed as superseded, for the member and for staff, and no other is', async () => {
    const id = await submitted();
    const second = await send('selfie');
    const third = await send('selfie');
    const superseded = (list: Shown['documents']) =>
      list.map((one) => [one.documentType, one.superseded, one.id === second, one.id === third]);
    const expected = [
      ['government_id_front', false, false, false],
      ['government_id_back', false, false, false],
      ['selfie', true, false, false],
      ['selfie', true, true, false],
      ['selfie', false, false, true],
    ];
    expect(superseded((await shown()).documents)).toEqual(expected);
    expect(superseded((await client.get(`/api/v1/admin/kyc/${id}`)).body.documents)).toEqual(expected);
    const reviewed = await decide(id, `documents/${second}/review`, { decision: 'accepted' });
    expect(reviewed.body).toMatchObject({ id: second, status: 'accepted', superseded: true });
  });

  test("another member's document of the same type replaces nothing", async () => {
    await submitted();
    memberId = (await client.newMember()).id;
    await submitted();
    expect((await shown()).documents.map(({ superseded }) => superseded)).toEqual([false, false, false]);
  });
});

describe('a document without a type', () => {
  test("the description's own bodies complete a verification", async () => {
    const started = await postNothing(`/api/v1/members/${memberId}/kyc/start`);
    expect(started.status, started.text).toBe(200);
    const required = (started.body.requiredDocuments as { documentType: string; required: boolean }[]).filter(
      (one) => one.required,
    );
    expect(required.map(({ documentType }) => documentType)).toEqual(REQUIRED);
    const names: string[] = [];
    for (const { documentType } of required) {
      expect(await statusOf()).toBe('not_started');
      const content = jpegOf({ comment: documentType });
      const named = { fileName: `${documentType}.jpg`, mimeType: 'image/jpeg' };
      const upload = await client.post(`${documentsPath(memberId)}/upload-url`, named);
      expect(upload.status, upload.text).toBe(200);
      const { uploadUrl, filePath } = upload.body as { uploadUrl: string; filePath: string };
      const put = await fetch(uploadUrl, {
        method: 'PUT',
        headers: { 'content-type': 'image/jpeg' },
        body: new Uint8Array(content),
      });
      expect(put.status).toBe(200);
      const recorded = await client.post(documentsPath(memberId), { ...named, fileSize: content.length, filePath });
      expect(recorded.status, recorded.text).toBe(201);
      names.push(recorded.body.documentType);
    }
    expect(names).toEqual(REQUIRED);
    const { id, status } = await shown();
    expect(status).toBe('pending');
    const approved = await postNothing(`/api/v1/admin/kyc/${id}/approve`);
    expect([approved.status, approved.body.status]).toEqual([200, 'approved']);
    expect((await shown()).status).toBe('approved');
  });

  test('is the first required one that takes the file and has not come, then the optional one', async () => {
    await start();
    expect(await sendUnnamed('application/pdf')).toBe('government_id_front');
    await send('government_id_back');
    expect(await sendUnnamed('application/pdf')).toBe('proof_of_address');
    expect(await sendUnnamed('image/png')).toBe('selfie');
    expect(await statusOf()).toBe('pending');
    expect(await sendUnnamed('image/png')).toBe('proof_of_address');
  });

  test('is what staff has asked for again, and what was rejected', async () => {
    const id = await submitted();
    const back = (await shown()).documents.find(({ documentType }) => documentType === 'government_id_back');
    await decide(id, `documents/${back?.id}/review`, { decision: 'rejected', reason: 'Blurred' });
    await askAgain(id, ['selfie', 'proof_of_address']);
    expect(await sendUnnamed('application/pdf')).toBe('proof_of_address');
    expect(await sendUnnamed('image/jpeg')).toBe('selfie');
    expect(await sendUnnamed('image/jpeg')).toBe('government_id_back');
    expect(await statusOf()).toBe('pending');
  });

  test('three at once are three types', async () => {
    await start();
    const types = await Promise.all(REQUIRED.map(() => sendUnnamed('image/jpeg')));
    expect(types.toSorted()).toEqual(REQUIRED.toSorted());
    expect(await statusOf()).toBe('pending');
  });
});
