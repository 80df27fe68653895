/**
 * What reviewers decide, in which order and how many at once.
 * Source: docs/specification/verification.md#reviews, docs/specification/reliability.md#c-12.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { KYC_STATUSES, type KycStatus } from '../../../src/features/kyc/open/kyc-states.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantDocument, plantRecord, plantRequired } from '../../support/kyc/kyc-records.ts';

let app: TestApp;
let tenant: TestTenant;
let scope: Scope;
let client: ApiClient;
let member: MemberBody;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
  member = await client.newMember();
});
afterAll(() => app.close());

const decide = (id: string, deed: string, body: object = {}, by = client, headers = {}) =>
  by.post(`/api/v1/admin/kyc/${id}/${deed}`, body, headers);
const because = { reason: 'Not readable' };
const planted = async (status: KycStatus, fields: object = {}) => {
  const id = await plantRecord(app, scope, { memberId: member.id, status, ...fields });
  await plantRequired(app, scope, id);
  return id;
};
const logOf = (id: string) =>
  app.database.asSuperuser<{ action: string; details: Record<string, unknown> }>(
    'select action, details from audit_log where tenant_id = $1 and object_id = $2 order by id',
    [tenant.tenantId, id],
  );
const recordOf = async (id: string) => {
  const [row] = await app.database.asSuperuser<Record<string, unknown>>(
    `select k.status, k.verified_at, k.rejection_reason, k.decided_by, m.kyc_approved_at
     from kyc_record k join member m on m.id = k.member_id where k.id = $1`,
    [id],
  );
  return row;
};
const jobs = (id: string) =>
  app.database.asSuperuser<{ name: string; data: object }>("select name, data from pgboss.job where data->>'kycRecordId' = $1", [
    id,
  ]);

describe('a decision', () => {
  test('approves: the record, its documents, what plans go by, and the log', async () => {
    const id = await planted('pending');
    const answer = await decide(id, 'approve', { note: 'Seen on video' });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({
      id,
      userId: member.id,
      status: 'approved',
      verifiedAt: expect.stringMatching(/Z$/),
      expiresAt: null,
      message: 'The verification is approved',
    });
    const record = await recordOf(id);
    expect(record).toMatchObject({ status: 'approved', decided_by: 'admin', rejection_reason: null });
    expect(record?.['kyc_approved_at']).toEqual(record?.['verified_at']);
    const documents = await app.database.asSuperuser('select status, reviewed_at from kyc_document where kyc_record_id = $1', [
      id,
    ]);
    expect(documents).toEqual(Array.from({ length: 3 }, () => ({ status: 'accepted', reviewed_at: expect.any(Date) })));
    expect(await logOf(id)).toEqual([
      { action: 'kyc_record.approved', details: { from: 'pending', to: 'approved', remarkId: expect.any(String) } },
    ]);
    const { auditLogs } = (await client.get(`/api/v1/admin/kyc/${id}`)).body;
    expect(auditLogs[0].details).toEqual({ from: 'pending', to: 'approved', note: 'Seen on video' });
  });

  test('needs no body to approve', async () => {
    const id = await planted('pending');
    const answer = await app.http.post(`/api/v1/admin/kyc/${id}/approve`).set('x-tenant-api-key', tenant.liveKey);
    expect(answer.status, answer.text).toBe(200);
    expect((await logOf(id))[0]?.details).toEqual({ from: 'pending', to: 'approved' });
  });

  test('rejects with a reason that the member is shown', async () => {
    const id = await planted('pending');
    expect((await decide(id, 'reject', because)).body).toEqual({
      id,
      userId: member.id,
      status: 'rejected',
      rejectionReason: 'Not readable',
      message: 'The verification is rejected',
    });
    expect(await recordOf(id)).toMatchObject({ decided_by: 'admin', kyc_approved_at: null });
    expect(await logOf(id)).toEqual([
      { action: 'kyc_record.rejected', details: { from: 'pending', to: 'rejected', remarkId: expect.any(String) } },
    ]);
  });

  test.each(['request-resubmit', 'resubmit'])('%s asks for something anew, and takes an approval back', async (deed) => {
    const id = await planted('approved');
    expect(await recordOf(id)).toMatchObject({ kyc_approved_at: expect.any(Date) });
    expect((await decide(id, deed, because)).body).toEqual({
      id,
      userId: member.id,
      status: 'resubmit_required',
      reason: 'Not readable',
      requestedDocuments: [],
      message: 'The member is asked to send something in again',
    });
    expect(await recordOf(id)).toMatchObject({
      status: 'resubmit_required',
      verified_at: null,
      kyc_approved_at: null,
      rejection_reason: 'Not readable',
    });
    expect(await logOf(id)).toMatchObject([{ action: 'kyc_record.resubmit_requested' }]);
    expect(await jobs(id)).toEqual([]);
  });

  test('on a record of the vendor’s has it reset there, by a job that exists exactly when the decision does', async () => {
    const id = await planted('pending', { provider: 'kycvendor', applicantId: 'a-1' });
    expect((await decide(id, 'request-resubmit', because)).status).toBe(200);
    const data = { tenantId: tenant.tenantId, environment: 'LIVE', kycRecordId: id };
    expect(await jobs(id)).toEqual([{ name: 'reset-kyc-applicant', data }]);
    expectRefusal(await decide(id, 'request-resubmit', because), 409, 'STATE_CONFLICT');
    expect(await jobs(id)).toHaveLength(1);
  });

  test('on a record of the vendor’s needs no documents here', async () => {
    const id = await plantRecord(app, scope, { memberId: member.id, provider: 'kycvendor' });
    expect((await decide(id, 'approve')).status).toBe(200);
  });

  test('repeated with its Idempotency-Key answers the same once', async () => {
    const id = await planted('pending');
    const header = { 'idempotency-key': randomUUID() };
    const first = await decide(id, 'reject', because, client, header);
    const again = await decide(id, 'reject', because, client, header);
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true']);
    expect(await logOf(id)).toHaveLength(1);
  });
});

const DEEDS: { deed: string; body: object; from: KycStatus[] }[] = [
  { deed: 'approve', body: {}, from: ['pending'] },
  { deed: 'reject', body: because, from: ['pending'] },
  { deed: 'request-resubmit', body: because, from: ['pending', 'approved', 'rejected'] },
  { deed: 'resubmit', body: because, from: ['pending', 'approved', 'rejected'] },
];

describe('the table of states', () => {
  test.each(
    DEEDS.flatMap(({ deed, body, from }) =>
      KYC_STATUSES.map((status) => ({ deed, body, status, allowed: from.includes(status) })),
    ),
  )('$deed of $status: $allowed', async ({ deed, body, status, allowed }) => {
    const id = await planted(status);
    const before = await recordOf(id);
    const answer = await decide(id, deed, body);
    if (allowed) return expect(answer.status, answer.text).toBe(200);
    expectRefusal(answer, 409, 'STATE_CONFLICT');
    expect(await recordOf(id)).toEqual(before);
    expect(await logOf(id)).toEqual([]);
  });

  test.each(['manual', 'kycvendor'] as const)(
    'binds staff also with a record of %s, whatever the vendor may do',
    async (provider) => {
      const id = await planted('not_started', { provider });
      for (const { deed, body } of DEEDS) expectRefusal(await decide(id, deed, body), 409, 'STATE_CONFLICT');
    },
  );

  test('expectedStatus refuses what would be allowed in another state', async () => {
    const id = await planted('rejected');
    expectRefusal(await decide(id, 'resubmit', { ...because, expectedStatus: 'pending' }), 409, 'STATE_CONFLICT');
    expect((await decide(id, 'resubmit', { ...because, expectedStatus: 'rejected' })).status).toBe(200);
    const answer = await decide(id, 'approve', { expectedStatus: 'resubmit_required' });
    expect([answer.status, answer.body.error]).toEqual([
      409,
      'The verification waits for the member to send something in again; only one that waits for a review can be approved',
    ]);
  });
});

/** 200 of all three kinds, in turn. */
const rush = (id: string, body: object) =>
  Promise.all(
    Array.from({ length: 200 }, (_, n) => {
      const deed = ['approve', 'reject', 'request-resubmit'][n % 3] ?? '';
      return decide(id, deed, deed === 'approve' ? body : { ...because, ...body });
    }),
  );

describe('200 decisions at once', () => {
  test('have one winner a state, and the log has as many entries as there were winners', async () => {
    const id = await planted('pending');
    const answers = await rush(id, {});
    const winners = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const log = await logOf(id);
    expect(log).toHaveLength(winners.length);
    // From pending to a decision and on to resubmit_required, or there at once; nothing leads back.
    expect(winners.length).toBeLessThanOrEqual(2);
    expect(new Set(log.map(({ details }) => details['from'])).size).toBe(log.length);
    expect(log.map(({ details }) => details['from'])).toEqual([
      'pending',
      ...log.slice(0, -1).map(({ details }) => details['to']),
    ]);
    expect(await recordOf(id)).toMatchObject({ status: log.at(-1)?.details['to'] });
  });

  test('that expect it pending have exactly one winner', async () => {
    const id = await planted('pending');
    const answers = await rush(id, { expectedStatus: 'pending' });
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 199 }, () => 409)]);
    expect(await logOf(id)).toHaveLength(1);
  });
});

describe('documents', () => {
  const review = (id: string, documentId: string, body: object, by = client) =>
    decide(id, `documents/${documentId}/review`, body, by);

  test('are accepted and rejected one by one while the record is pending, also another time', async () => {
    const id = await plantRecord(app, scope, { memberId: member.id });
    const [front] = await plantRequired(app, scope, id);
    const rejected = await review(id, front?.id ?? '', { decision: 'rejected', reason: 'Blurred' });
    expect(rejected.status, rejected.text).toBe(200);
    expect(rejected.body).toEqual({
      id: front?.id,
      documentType: 'government_id_front',
      fileName: 'government_id_front.png',
      mimeType: 'image/png',
      fileSize: 1234,
      status: 'rejected',
      rejectionReason: 'Blurred',
      reviewedAt: expect.stringMatching(/Z$/),
      superseded: false,
      createdAt: expect.stringMatching(/Z$/),
    });
    const accepted = await review(id, front?.id ?? '', { decision: 'accepted', reason: null });
    expect(accepted.body).toMatchObject({ status: 'accepted', rejectionReason: null });
    expect((await review(id, front?.id ?? '', { decision: 'accepted' })).text).toBe(accepted.text);
    const details = { documentId: front?.id, documentType: 'government_id_front' };
    expect(await logOf(id)).toEqual([
      {
        action: 'kyc_document.reviewed',
        details: { ...details, from: 'uploaded', to: 'rejected', remarkId: expect.any(String) },
      },
      { action: 'kyc_document.reviewed', details: { ...details, from: 'rejected', to: 'accepted' } },
    ]);
    expect(JSON.stringify(await logOf(id))).not.toContain('.png');
  });

  test('of which the latest of a required type is rejected stand in the way of an approval, until another comes', async () => {
    const id = await plantRecord(app, scope, { memberId: member.id });
    const [front] = await plantRequired(app, scope, id);
    await review(id, front?.id ?? '', { decision: 'rejected', reason: 'Blurred' });
    const before = await recordOf(id);
    expectRefusal(await decide(id, 'approve'), 409, 'STATE_CONFLICT');
    expect(await recordOf(id)).toEqual(before);
    expect(
      await app.database.asSuperuser("select from kyc_document where kyc_record_id = $1 and status = 'accepted'", [id]),
    ).toEqual([]);
    await plantDocument(app, scope, id, 'government_id_front');
    expect((await decide(id, 'approve')).status).toBe(200);
    const states = await app.database.asSuperuser<{ status: string }>(
      'select status from kyc_document where kyc_record_id = $1 order by id',
      [id],
    );
    expect(states.map(({ status }) => status)).toEqual(['rejected', 'accepted', 'accepted', 'accepted']);
  });

  test('that are not required may be rejected', async () => {
    const id = await planted('pending');
    const bill = await plantDocument(app, scope, id, 'proof_of_address');
    await review(id, bill.id, { decision: 'rejected', reason: 'Too old' });
    expect((await decide(id, 'approve')).status).toBe(200);
  });

  test('that came after the reviewer looked stand in the way of an approval that names what was seen', async () => {
    const id = await planted('pending');
    const { documents } = (await client.get(`/api/v1/admin/kyc/${id}`)).body as { documents: { id: string }[] };
    const documentIds = documents.map((document) => document.id);
    const late = await plantDocument(app, scope, id, 'selfie');
    expectRefusal(await decide(id, 'approve', { documentIds }), 409, 'STATE_CONFLICT');
    await review(id, late.id, { decision: 'accepted' });
    expect((await decide(id, 'approve', { documentIds })).status).toBe(200);
  });

  test('that are missing stand in the way of an approval', async () => {
    const id = await plantRecord(app, scope, { memberId: member.id });
    await plantDocument(app, scope, id, 'government_id_front');
    expectRefusal(await decide(id, 'approve'), 409, 'STATE_CONFLICT');
  });

  test.each(KYC_STATUSES.filter((status) => status !== 'pending'))('of a record that is %s are not reviewed', async (status) => {
    const id = await plantRecord(app, scope, { memberId: member.id, status });
    const document = await plantDocument(app, scope, id, 'selfie');
    expectRefusal(await review(id, document.id, { decision: 'accepted' }), 409, 'STATE_CONFLICT');
    expect(await logOf(id)).toEqual([]);
  });

  test('of another record do not exist, though it is the same tenant’s', async () => {
    const id = await planted('pending');
    const other = await plantRecord(app, scope, { memberId: (await client.newMember()).id });
    const strange = await plantDocument(app, scope, other, 'selfie');
    expectRefusal(await review(id, strange.id, { decision: 'accepted' }), 404, 'NOT_FOUND');
    expectRefusal(await review(id, randomUUID(), { decision: 'accepted' }), 404, 'NOT_FOUND');
    expectRefusal(await review(randomUUID(), strange.id, { decision: 'accepted' }), 404, 'NOT_FOUND');
    expect(await logOf(other)).toEqual([]);
  });

  test('are rejected with a reason, and accepted without one', async () => {
    const id = await planted('pending');
    const { id: documentId } = await plantDocument(app, scope, id, 'selfie');
    const cases: [object, string][] = [
      [{ decision: 'rejected' }, 'reason'],
      [{ decision: 'rejected', reason: null }, 'reason'],
      [{ decision: 'rejected', reason: ' ' }, 'reason'],
      [{ decision: 'rejected', reason: 'x'.repeat(501) }, 'reason'],
      [{ decision: 'accepted', reason: 'Fine' }, 'reason'],
      [{ decision: 'uploaded' }, 'decision'],
      [{ decision: 'accepted', status: 'accepted' }, 'status'],
    ];
    for (const [body, field] of cases) expectRefusal(await review(id, documentId, body), 400, 'VALIDATION_ERROR', [field]);
    expect(await logOf(id)).toEqual([]);
  });

  test('reviewed while somebody approves: the one sees what the other did', async () => {
    const id = await plantRecord(app, scope, { memberId: member.id });
    const [front] = await plantRequired(app, scope, id);
    const [reviewed, approved] = await Promise.all([
      review(id, front?.id ?? '', { decision: 'rejected', reason: 'Blurred' }),
      decide(id, 'approve'),
    ]);
    expect([reviewed.status, approved.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

describe('an assignment', () => {
  const assign = (id: string, assignee: unknown) => decide(id, 'assign', { assignee });

  test('names a reviewer or nobody, in any state, and is logged when it is another', async () => {
    const id = await planted('approved');
    expect((await assign(id, 'reviewer-7')).body).toEqual({
      id,
      userId: member.id,
      status: 'approved',
      assignedTo: 'reviewer-7',
      message: 'The verification is assigned',
    });
    expect((await assign(id, 'reviewer-7')).status).toBe(200);
    expect((await assign(id, null)).body).toMatchObject({ assignedTo: null, message: 'Nobody is assigned' });
    expect(await logOf(id)).toEqual([
      { action: 'kyc_record.assigned', details: { assigned: true } },
      { action: 'kyc_record.assigned', details: { assigned: false } },
    ]);
  });

  test('is refused without a name, with an empty one, or one too long', async () => {
    const id = await planted('pending');
    for (const assignee of [undefined, '', ' ', 'x'.repeat(201), 7]) {
      expectRefusal(await assign(id, assignee), 400, 'VALIDATION_ERROR', ['assignee']);
    }
    expect((await assign(id, 'x'.repeat(200))).status).toBe(200);
  });
});

describe('refused', () => {
  test('are reasons that are missing, empty or too long; 500 characters are none too many', async () => {
    const id = await planted('pending');
    for (const deed of ['reject', 'request-resubmit', 'resubmit']) {
      for (const body of [{}, { reason: null }, { reason: '' }, { reason: '  ' }, { reason: 'x'.repeat(501) }]) {
        expectRefusal(await decide(id, deed, body), 400, 'VALIDATION_ERROR', ['reason']);
      }
      expectRefusal(await decide(id, deed, { ...because, expectedStatus: 'open' }), 400, 'VALIDATION_ERROR', ['expectedStatus']);
      expectRefusal(await decide(id, deed, { ...because, note: 'x' }), 400, 'VALIDATION_ERROR', ['note']);
    }
    expectRefusal(await decide(id, 'approve', { note: 'x'.repeat(501) }), 400, 'VALIDATION_ERROR', ['note']);
    expect(await logOf(id)).toEqual([]);
    expect((await decide(id, 'reject', { reason: 'x'.repeat(500) })).status).toBe(200);
  });

  test('is whoever is of another tenant or environment, or a member, or lacks the scope', async () => {
    const id = await planted('pending');
    const other = await app.newTenant();
    const strangers = [other.liveKey, other.sandboxKey, tenant.sandboxKey].map((key) => apiClient(app, key));
    const { apiKey } = await app.tenants.createKey({
      tenantId: tenant.tenantId,
      environment: 'LIVE',
      scopes: ['kyc:write'],
    });
    for (const { deed, body } of [...DEEDS, { deed: 'assign', body: { assignee: 'x' } }]) {
      for (const stranger of strangers) expectRefusal(await decide(id, deed, body, stranger), 404, 'NOT_FOUND');
      expectRefusal(await decide(id, deed, body, apiClient(app, apiKey)), 403, 'FORBIDDEN');
      expectRefusal(await decide(randomUUID(), deed, body), 404, 'NOT_FOUND');
    }
    expect(await logOf(id)).toEqual([]);
  });
});
