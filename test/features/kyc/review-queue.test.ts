/** What reviewers see, and that it is written down when they look at a document. */

import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { AppError } from '../../../src/errors.ts';
import { KYC_STATUSES } from '../../../src/features/kyc/open/kyc-states.ts';
import { createKycQueueService } from '../../../src/features/kyc/review/kyc-queue-service.ts';
import { profile } from '../../../src/features.ts';
import { createCursors } from '../../../src/http/pagination.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { testCaller } from '../../support/app/test-caller.ts';
import { plantDocument, plantRecord, plantRequired } from '../../support/kyc/kyc-records.ts';

let app: TestApp;
let tenant: TestTenant;
let scope: Scope;
let client: ApiClient;
let sandbox: ApiClient;
let member: MemberBody;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
  sandbox = apiClient(app, tenant.sandboxKey);
  member = await client.newMember({ name: 'Ada Example' });
});
afterAll(() => app.close());

const queue = async (query = '', by = client) => {
  const answer = await by.get(`/api/v1/admin/kyc${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as {
    data: { id: string; waitingSeconds: number; status: string }[];
    countsByStatus: Record<string, number>;
    hasMore: boolean;
    nextCursor: string | null;
  };
};
const idsOf = async (query = '', by = client) => (await queue(query, by)).data.map(({ id }) => id);
const plant = async (fields: Omit<Parameters<typeof plantRecord>[2], 'memberId'>) =>
  plantRecord(app, scope, { memberId: (await client.newMember()).id, ...fields });
const none = { not_started: 0, pending: 0, approved: 0, rejected: 0, resubmit_required: 0 };

describe('the queue', () => {
  test('is empty without verifications, and counts each status', async () => {
    expect(await queue()).toEqual({ data: [], countsByStatus: none, hasMore: false, nextCursor: null });
  });

  test('has the longest waiting first, with all there is to choose by', async () => {
    const short = await plant({ waitingSeconds: 10 });
    const long = await plantRecord(app, scope, {
      memberId: member.id,
      provider: 'kycvendor',
      applicantId: 'a-1',
      assignedTo: 'eve',
      waitingSeconds: 3600,
    });
    const { data } = await queue('?status=pending');
    expect(data.map(({ id }) => id)).toEqual([long, short]);
    expect(data[0]).toEqual({
      id: long,
      userId: member.id,
      status: 'pending',
      provider: 'kycvendor',
      providerApplicantId: 'a-1',
      rejectionReason: null,
      verifiedAt: null,
      expiresAt: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      assignedTo: 'eve',
      takenBy: null,
      takenUntil: null,
      user: { email: member.email, name: 'Ada Example' },
      waitingSeconds: expect.any(Number),
    });
    expect(Math.abs((data[0]?.waitingSeconds ?? 0) - 3600)).toBeLessThan(300);
  });

  test('is filtered by status, provider, member and reviewer, all of which must hold; counts are of all', async () => {
    const ids = Object.fromEntries(
      await Promise.all(KYC_STATUSES.map(async (status) => [status, await plant({ status, assignedTo: 'eve' })] as const)),
    );
    const mine = await plantRecord(app, scope, { memberId: member.id, provider: 'kycvendor', assignedTo: 'eva' });
    for (const status of KYC_STATUSES.filter((one) => one !== 'pending'))
      expect(await idsOf(`?status=${status}`)).toEqual([ids[status]]);
    expect(await idsOf('?provider=kycvendor')).toEqual([mine]);
    expect(await idsOf(`?userId=${member.id}`)).toEqual([mine]);
    expect(await idsOf('?assignedTo=eva')).toEqual([mine]);
    expect(await idsOf('?assignedTo=EVA')).toEqual([]);
    expect(await idsOf('?assignedTo=eve&status=pending')).toEqual([ids.pending]);
    expect(await idsOf(`?userId=${member.id}&status=approved`)).toEqual([]);
    expect(await idsOf(`?userId=${randomUUID()}`)).toEqual([]);
    expect((await queue('?status=approved')).countsByStatus).toEqual({
      not_started: 1,
      pending: 2,
      approved: 1,
      rejected: 1,
      resubmit_required: 1,
    });
  });

  test('comes in pages that miss nobody, also where many began to wait in the same microsecond', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.push(await plant({}));
    await app.database.asSuperuser(
      `update kyc_record set status_since = case when id = $2 then '2026-01-01T00:00:00.000001Z'::timestamptz
                                                 when id = $3 then '2026-01-01T00:00:00.000003Z'
                                                 else '2026-01-01T00:00:00.000002Z' end
       where tenant_id = $1`,
      [tenant.tenantId, ids[3], ids[0]],
    );
    const expected = [ids[3], ids[1], ids[2], ids[4], ids[5], ids[6], ids[0]];
    const seen: string[] = [];
    for (let cursor: string | null = '', pages = 0; cursor !== null && pages < 10; pages++) {
      const page = await queue(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.data.map(({ id }) => id));
      expect(page.hasMore).toBe(page.nextCursor !== null);
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(expected);
    const { nextCursor } = await queue('?limit=2');
    const moved = await client.get(`/api/v1/admin/kyc?limit=2&status=pending&cursor=${nextCursor}`);
    expectRefusal(moved, 400, 'VALIDATION_ERROR', ['cursor']);
    expectRefusal(await sandbox.get(`/api/v1/admin/kyc?limit=2&cursor=${nextCursor}`), 400, 'VALIDATION_ERROR', ['cursor']);
  });

  test('is of one tenant and environment', async () => {
    await plant({});
    const other = apiClient(app, (await app.newTenant()).liveKey);
    for (const stranger of [sandbox, other]) expect(await queue('', stranger)).toMatchObject({ data: [], countsByStatus: none });
  });

  test('leaves out whom nobody can decide on: an erased member', async () => {
    const { id } = await client.newMember();
    await plantRecord(app, scope, { memberId: id });
    const kept = await plant({});
    expect((await queue()).countsByStatus.pending).toBe(2);
    expect((await client.post(`/api/v1/members/${id}/erasure`, {})).status).toBe(200);
    const { data, countsByStatus } = await queue();
    expect([data.map((row: { id: string }) => row.id), countsByStatus.pending]).toEqual([[kept], 1]);
  });

  test('goes by the clock of the SANDBOX', async () => {
    const there = { ...scope, environment: 'SANDBOX' } as const;
    await plantRecord(app, there, { memberId: (await sandbox.newMember()).id });
    await sandbox.post('/api/v1/sandbox/clock', { advanceSeconds: 86_400 });
    expect((await queue('', sandbox)).data[0]?.waitingSeconds).toBeGreaterThanOrEqual(86_400);
  });

  test('refuses filters it does not know', async () => {
    for (const [query, field] of [
      ['status=open', 'status'],
      ['provider=other', 'provider'],
      ['userId=me', 'userId'],
      ['assignedTo=', 'assignedTo'],
      ['free=yes', 'free'],
      ['limit=101', 'limit'],
      ['since=1', 'since'],
    ]) {
      expectRefusal(await client.get(`/api/v1/admin/kyc?${query}`), 400, 'VALIDATION_ERROR', [field ?? '']);
    }
  });
});

describe('one verification', () => {
  test('is shown with the member, the documents and the log', async () => {
    await client.patch(`/api/v1/members/${member.id}/profile`, {
      givenName: 'Ada',
      surname: 'Example',
      dateOfBirth: '1990-12-31',
      countryCode: 'DEU',
      idNumber: 'AB-123456789',
      address: { city: 'Berlin' },
    });
    const id = await plantRecord(app, scope, { memberId: member.id, waitingSeconds: 60 });
    const planted = await plantRequired(app, scope, id);
    await client.post(`/api/v1/admin/kyc/${id}/reject`, { reason: 'Blurred' });
    const answer = await client.get(`/api/v1/admin/kyc/${id}`);
    expect(answer.body).toEqual({
      id,
      userId: member.id,
      user: {
        id: member.id,
        email: member.email,
        name: 'Ada Example',
        givenName: 'Ada',
        surname: 'Example',
        dateOfBirth: '1990-12-31',
        countryCode: 'DEU',
        idNumberLastFour: '6789',
        businessName: null,
        address: { line: null, city: 'Berlin', postalCode: null },
        membershipTier: 'ORDINARY',
        isActive: true,
      },
      flags: [],
      status: 'rejected',
      identityChanged: false,
      identityVersion: 0,
      provider: 'manual',
      providerApplicantId: null,
      rejectionReason: 'Blurred',
      verifiedAt: null,
      expiresAt: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      assignedTo: null,
      takenBy: null,
      takenUntil: null,
      waitingSeconds: expect.any(Number),
      requestedDocuments: [],
      documents: planted.map((document) =>
        expect.objectContaining({ id: document.id, status: 'uploaded', malwareScan: 'clean' }),
      ),
      auditLogs: [
        {
          id: expect.any(String),
          action: 'kyc_record.rejected',
          actorId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          details: { from: 'pending', to: 'rejected', reason: 'Blurred' },
          createdAt: expect.stringMatching(/Z$/),
        },
      ],
    });
    // It began to wait anew with the decision.
    expect(answer.body.waitingSeconds).toBeLessThan(50);
    expect(answer.text).not.toContain('storageKey');
    expect(answer.text).not.toContain(planted[0]?.storageKey);
  });

  test('has the latest 100 entries of its log, newest first, and of no other', async () => {
    const id = await plantRecord(app, scope, { memberId: member.id });
    const other = await plant({});
    await client.post(`/api/v1/admin/kyc/${other}/assign`, { assignee: 'eve' });
    await app.database.asSuperuser(
      `insert into audit_log (tenant_id, environment, action, actor_kind, actor_id, object_kind, object_id, details)
       select $1, 'LIVE', 'kyc_record.assigned', 'system', 'kycvendor', 'kyc_record', $2, jsonb_build_object('n', n)
       from generate_series(1, 101) n order by n`,
      [tenant.tenantId, id],
    );
    const { auditLogs } = (await client.get(`/api/v1/admin/kyc/${id}`)).body;
    expect(auditLogs).toHaveLength(100);
    expect([auditLogs[0].details.n, auditLogs[99].details.n, auditLogs[0].actorId]).toEqual([101, 2, 'kycvendor']);
  });

  test('does not exist for others', async () => {
    const id = await plantRecord(app, scope, { memberId: member.id });
    const other = apiClient(app, (await app.newTenant()).liveKey);
    for (const stranger of [sandbox, other]) expectRefusal(await stranger.get(`/api/v1/admin/kyc/${id}`), 404, 'NOT_FOUND');
    expectRefusal(await client.get(`/api/v1/admin/kyc/${member.id}`), 404, 'NOT_FOUND');
    expectRefusal(await client.get('/api/v1/admin/kyc/1'), 400, 'VALIDATION_ERROR', ['kycId']);
  });
});

describe('the content of a document', () => {
  const urlOf = (id: string, documentId: string, by = client) =>
    by.get(`/api/v1/admin/kyc/${id}/documents/${documentId}/content-url`);
  const logOf = (id: string) =>
    app.database.asSuperuser('select action, actor_kind, details from audit_log where tenant_id = $1 and object_id = $2', [
      tenant.tenantId,
      id,
    ]);

  test('is had by a URL of a minute, and each one is in the log', async () => {
    const id = await plantRecord(app, scope, { memberId: member.id, status: 'approved' });
    const document = await plantDocument(app, scope, id, 'selfie', { fileName: 'Ada "A" Ünal.png' });
    for (let i = 0; i < 2; i++) {
      const answer = await urlOf(id, document.id);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body).toEqual({
        url: expect.any(String),
        expiresInSeconds: 60,
        fileName: 'Ada "A" Ünal.png',
        mimeType: 'image/png',
      });
    }
    const entry = {
      action: 'kyc_document.viewed',
      actor_kind: 'api_key',
      details: { documentId: document.id, documentType: 'selfie' },
    };
    expect(await logOf(id)).toEqual([entry, entry]);
  });

  test('is not had by strangers, nor through another record', async () => {
    const id = await plantRecord(app, scope, { memberId: member.id });
    const document = await plantDocument(app, scope, id, 'selfie');
    const second = await plant({});
    const other = apiClient(app, (await app.newTenant()).liveKey);
    for (const stranger of [sandbox, other]) expectRefusal(await urlOf(id, document.id, stranger), 404, 'NOT_FOUND');
    expectRefusal(await urlOf(second, document.id), 404, 'NOT_FOUND');
    expectRefusal(await urlOf(id, randomUUID()), 404, 'NOT_FOUND');
    expect([await logOf(id), await logOf(second)]).toEqual([[], []]);
  });

  test('is not had while the storage does not answer, and that is not logged as a view', async () => {
    const id = await plantRecord(app, scope, { memberId: member.id });
    const document = await plantDocument(app, scope, id, 'selfie');
    const asked: object[] = [];
    const service = createKycQueueService({
      frames: app.composition.frames,
      findProfile: app.composition.offer(profile).findProfile,
      digestNames: app.composition.offer(profile).digestNames,
      cursors: createCursors(randomBytes(32)),
      documents: {
        createDownloadUrl(terms) {
          asked.push(terms);
          return Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'The storage does not answer'));
        },
      },
    });
    const call = service.createDocumentUrl({ scope: testCaller(scope), guard: undefined }, id, document.id);
    await expect(call).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(asked).toMatchObject([{ storageKey: document.storageKey, fileName: 'selfie.png' }]);
    expect(await logOf(id)).toEqual([]);
  });

  test('needs the scope of reviewers', async () => {
    const id = await plantRecord(app, scope, { memberId: member.id });
    const document = await plantDocument(app, scope, id, 'selfie');
    const { tenants } = app;
    const { apiKey } = await tenants.createKey({
      tenantId: tenant.tenantId,
      environment: 'LIVE',
      scopes: ['kyc:read', 'kyc:write'],
    });
    expectRefusal(await urlOf(id, document.id, apiClient(app, apiKey)), 403, 'FORBIDDEN');
    expect(await logOf(id)).toEqual([]);
  });
});
