/**
 * Documents that come while a reviewer looks: none is accepted that they cannot have seen.
 * Source: docs/specification/verification.md#unseen-documents.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Environment } from '../../../src/db/scope.ts';
import type { DocumentType } from '../../../src/features/kyc/open/kyc-states.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { prepareUpload, recordUpload, sampleDocument, sendDocument, sendTo } from '../../support/kyc/kyc-documents.ts';

let app: TestApp;
let client: ApiClient;
let memberId: string;
let kycId: string;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(() => begin('LIVE'));
afterAll(() => app.close());

/** A member whose verification is pending, with a document of each required type. */
async function begin(environment: Environment, prepare: () => Promise<unknown> = async () => undefined): Promise<void> {
  const tenant = await app.newTenant();
  client = apiClient(app, environment === 'LIVE' ? tenant.liveKey : tenant.sandboxKey);
  memberId = (await client.newMember()).id;
  await prepare();
  kycId = (await client.post(`/api/v1/members/${memberId}/kyc/start`, {})).body.kycRecordId as string;
  for (const type of ['government_id_front', 'government_id_back', 'selfie'] as const) await send(type);
}

async function send(documentType: DocumentType): Promise<string> {
  const answer = await sendDocument(client, memberId, sampleDocument({ documentType }));
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id as string;
}

const decide = (deed: string, body: object = {}) => client.post(`/api/v1/admin/kyc/${kycId}/${deed}`, body);
const shown = async () => {
  const { body } = await client.get(`/api/v1/admin/kyc/${kycId}`);
  const { status, documents } = body as { status: string; documents: { id: string; status: string }[] };
  return { status, states: documents.map((document) => document.status), ids: documents.map(({ id }) => id) };
};

async function expectUnseen(unseen: string[], body: object = {}): Promise<void> {
  const before = await shown();
  const answer = await decide('approve', body);
  expectRefusal(answer, 409, 'STATE_CONFLICT');
  expect(answer.body.details).toEqual({ unseenDocumentIds: unseen });
  expect(await shown()).toEqual(before);
}

test('what was there when it was submitted is accepted without being named', async () => {
  expect((await decide('approve')).status).toBe(200);
  expect(await shown()).toMatchObject({ status: 'approved', states: ['accepted', 'accepted', 'accepted'] });
});

describe('a document sent in during the review', () => {
  test.each(['selfie', 'proof_of_address'] as const)('%s refuses an approval that does not name it', async (type) => {
    const late = await send(type);
    await expectUnseen([late]);
    const another = await send(type);
    await expectUnseen([late, another]);
  });

  test('is accepted once it is named, with all others', async () => {
    const late = await send('selfie');
    const { ids } = await shown();
    await expectUnseen([late], { documentIds: ids.filter((id) => id !== late) });
    await expectUnseen(ids.slice(0, 1), { documentIds: ids.slice(1) });
    expect((await decide('approve', { documentIds: ids })).status).toBe(200);
    expect((await shown()).states).toEqual(['accepted', 'accepted', 'accepted', 'accepted']);
  });

  test('does not stand in the way once it was reviewed by itself', async () => {
    const [kept, refused] = [await send('selfie'), await send('proof_of_address')];
    await decide(`documents/${kept}/review`, { decision: 'accepted' });
    await expectUnseen([refused]);
    await decide(`documents/${refused}/review`, { decision: 'rejected', reason: 'Too old' });
    expect((await decide('approve')).status).toBe(200);
    expect((await shown()).states).toEqual(['accepted', 'accepted', 'accepted', 'accepted', 'rejected']);
  });

  test('in the place of one that was rejected is not accepted unseen', async () => {
    const [, , selfie] = (await shown()).ids;
    await decide(`documents/${selfie}/review`, { decision: 'rejected', reason: 'Blurred' });
    await expectUnseen([await send('selfie')]);
  });

  test('is one of those that the next submission is about', async () => {
    const late = await send('selfie');
    expect((await decide('request-resubmit', { reason: 'The back is not readable' })).status).toBe(200);
    await send('government_id_back');
    expect((await shown()).status).toBe('pending');
    const later = await send('proof_of_address');
    await expectUnseen([later]);
    await decide(`documents/${later}/review`, { decision: 'accepted' });
    expect((await decide('approve')).status).toBe(200);
    expect((await shown()).ids).toContain(late);
    expect(new Set((await shown()).states)).toEqual(new Set(['accepted']));
  });

  test('is told from the others though the clock of the SANDBOX stands still', async () => {
    const frozenAt = new Date(Date.now() + 60_000).toISOString();
    await begin('SANDBOX', () => client.post('/api/v1/sandbox/clock', { frozenAt }));
    await expectUnseen([await send('selfie')]);
  });

  test('at the same moment is either refused or refuses the approval', async () => {
    // Whichever comes first, in one or the other of the rounds.
    for (const milliseconds of [0, 20, 40, 80, 160]) {
      if (milliseconds > 0) await begin('LIVE');
      const document = sampleDocument({ documentType: 'selfie' });
      const upload = await prepareUpload(client, memberId, document);
      expect((await sendTo(upload, document.content)).status).toBe(200);
      const [sent, approved] = await Promise.all([
        recordUpload(client, memberId, upload, document),
        sleep(milliseconds).then(() => decide('approve')),
      ]);
      expect([
        [201, 409],
        [409, 200],
      ]).toContainEqual([sent.status, approved.status]);
      const { status, states } = await shown();
      expect(states).toEqual(status === 'approved' ? Array(3).fill('accepted') : Array(4).fill('uploaded'));
    }
  });

  test('does not keep a verification from being rejected', async () => {
    await send('selfie');
    expect((await decide('reject', { reason: 'Another person' })).status).toBe(200);
  });
});
