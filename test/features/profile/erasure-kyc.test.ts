/** An erasure and a data export of a member who was verified. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import type { KycStatus } from '../../../src/features/kyc/open/kyc-states.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { listTenantTables } from '../../support/database/walls.ts';
import { plantRecord, plantRequired } from '../../support/kyc/kyc-records.ts';

let app: TestApp;
let tenant: TestTenant;
let scope: Scope;
let client: ApiClient;
let member: MemberBody;
let mark: string;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
  mark = `mark${randomBytes(6).toString('hex')}`;
  member = await client.newMember();
});
afterAll(() => app.close());

const sql = <Row extends object = Record<string, unknown>>(text: string, ...values: unknown[]) =>
  app.database.asSuperuser<Row>(text, values);
const erase = (id = member.id) => client.post(`/api/v1/members/${id}/erasure`, {});

/** With the mark wherever something personal can be. */
async function plantMarked(status: KycStatus, memberId = member.id): Promise<string> {
  const id = await plantRecord(app, scope, {
    memberId,
    status,
    provider: 'kycvendor',
    applicantId: `${mark}-${randomUUID()}`,
    assignedTo: `${mark} reviewer`,
  });
  await plantRequired(app, scope, id);
  await sql("update kyc_document set file_name = $2::text || '.png', rejection_reason = null where kyc_record_id = $1", id, mark);
  await sql(
    `update kyc_record set rejection_reason = case when rejection_reason is not null then $2::text || ' reason' end,
            simulated_review = jsonb_build_object('reviewStatus', $2::text), check_at = now() where id = $1`,
    id,
    mark,
  );
  await sql(
    `insert into kyc_upload (tenant_id, environment, kyc_record_id, document_type, file_name, mime_type, pending_key, expires_at)
     values ($1, 'LIVE', $2::uuid, 'selfie', $3, 'image/png', $2::uuid || '/pending', now() + interval '15 minutes')`,
    tenant.tenantId,
    id,
    `${mark} upload`,
  );
  await sql(
    `insert into kyc_remark (tenant_id, environment, kyc_record_id, reason, note) values ($1, 'LIVE', $2, $3, $3)`,
    tenant.tenantId,
    id,
    `${mark} remark`,
  );
  await plantEvent({ recordId: id, externalId: memberId, outcome: 'applied' });
  await plantEvent({ recordId: null, externalId: memberId, outcome: 'unmatched' });
  return id;
}

const plantEvent = ({ recordId, externalId, outcome }: { recordId: string | null; externalId: string; outcome: string }) =>
  sql(
    `insert into kyc_event (tenant_id, environment, provider, body_digest, type, applicant_id, external_user_id, correlation_id,
                            vendor_created_at, kyc_record_id, outcome, body)
     values ($1, 'LIVE', 'kycvendor', $2, 'applicantReviewed', $3::text, $4, $3::text, now(), $5, $6, jsonb_build_object('comment', $3::text))`,
    tenant.tenantId,
    randomBytes(32),
    `${mark} applicant`,
    externalId,
    recordId,
    outcome,
  );

async function tablesWith(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of await listTenantTables(app.database)) {
    const rows = await sql(`select from ${table} t where t::text ilike '%' || $1 || '%'`, text);
    if (rows.length > 0) found.push(table);
  }
  return found.toSorted();
}

describe('an erasure', () => {
  test.each(['approved', 'rejected', 'pending', 'resubmit_required'] as const)(
    'of a member that is %s leaves no papers and nothing said of them, and what was decided',
    async (status) => {
      const id = await plantMarked(status);
      const keys = (await sql<{ key: string }>('select storage_key as key from kyc_document where kyc_record_id = $1', id)).map(
        ({ key }) => key,
      );
      expect(await tablesWith(mark)).toEqual(['kyc_document', 'kyc_event', 'kyc_record', 'kyc_remark', 'kyc_upload']);
      const dates = 'select status, status_since, verified_at, created_at from kyc_record where id = $1';
      const before = await sql(dates, id);

      const answer = await erase();
      expect(answer.status, answer.text).toBe(200);
      expect(await tablesWith(mark)).toEqual([]);
      expect(await sql(dates, id)).toEqual(before);
      const [record] = await sql('select rejection_reason, check_at, decided_by from kyc_record where id = $1', id);
      expect(record).toEqual({ rejection_reason: status === 'rejected' ? 'Erased' : null, check_at: null, decided_by: 'admin' });
      const due = await sql<{ key: string }>(
        'select storage_key as key from object_removal where tenant_id = $1 and remove_after <= now() order by 1',
        tenant.tenantId,
      );
      expect(due.map(({ key }) => key)).toEqual([...keys, `${id}/pending`].toSorted());
      expect(await sql('select type, body from kyc_event where tenant_id = $1', tenant.tenantId)).toEqual([
        { type: 'applicantReviewed', body: {} },
        { type: 'applicantReviewed', body: {} },
      ]);
    },
  );

  test('hastens a removal that was planned for later', async () => {
    const id = await plantMarked('pending');
    await sql(
      `insert into object_removal (tenant_id, environment, storage_key, remove_after)
       values ($1, 'LIVE', $2::text || '/pending', now() + interval '1 hour')`,
      tenant.tenantId,
      id,
    );
    expect((await erase()).status).toBe(200);
    expect(await sql('select from object_removal where tenant_id = $1 and remove_after > now()', tenant.tenantId)).toEqual([]);
  });

  test('leaves the papers of others alone', async () => {
    const other = await client.newMember();
    await plantMarked('pending', other.id);
    await plantMarked('approved');
    const others = () =>
      sql('select to_jsonb(d) from kyc_document d join kyc_record k on k.id = d.kyc_record_id where k.member_id = $1', other.id);
    const before = await others();
    await erase();
    expect(await others()).toEqual(before);
    expect(await tablesWith(mark)).toEqual(['kyc_document', 'kyc_event', 'kyc_record', 'kyc_remark', 'kyc_upload']);
  });

  test('ends the review: nothing can be decided or written of the member any more', async () => {
    const id = await plantMarked('pending');
    await erase();
    const path = `/api/v1/admin/kyc/${id}`;
    for (const [deed, body] of [
      ['approve', {}],
      ['reject', { reason: mark }],
      ['request-resubmit', { reason: mark }],
      ['resubmit', { reason: mark }],
      ['assign', { assignee: mark }],
    ] as const) {
      expectRefusal(await client.post(`${path}/${deed}`, body), 409, 'STATE_CONFLICT');
    }
    expect(await tablesWith(mark)).toEqual([]);
    const shown = (await client.get(path)).body;
    expect(shown).toMatchObject({
      status: 'pending',
      documents: [],
      providerApplicantId: null,
      user: { name: null, isActive: false },
    });
  });

  test('and decisions at once end without a reason left behind', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const one = await client.newMember();
      const id = await plantRecord(app, scope, { memberId: one.id });
      const [erased, rejected, assigned] = await Promise.all([
        erase(one.id),
        client.post(`/api/v1/admin/kyc/${id}/reject`, { reason: 'The reason' }),
        client.post(`/api/v1/admin/kyc/${id}/assign`, { assignee: 'The reviewer' }),
      ]);
      expect(erased.status, erased.text).toBe(200);
      expect([200, 409]).toContain(rejected.status);
      expect([200, 409]).toContain(assigned.status);
      const [record] = await sql('select status, rejection_reason, assigned_to from kyc_record where id = $1', id);
      expect(record).toEqual(
        rejected.status === 200
          ? { status: 'rejected', rejection_reason: 'Erased', assigned_to: null }
          : { status: 'pending', rejection_reason: null, assigned_to: null },
      );
    }
  });
});

describe('a data export', () => {
  test('has the verification, its documents, what the vendor told and the log, and of nobody else', async () => {
    const id = await plantMarked('rejected');
    await plantMarked('pending', (await client.newMember()).id);
    await client.post(`/api/v1/admin/kyc/${id}/request-resubmit`, { reason: 'Blurred' });
    const { body, status, text } = await client.get(`/api/v1/members/${member.id}/data-export`);
    expect(status, text).toBe(200);
    expect(body.kyc).toEqual({
      id,
      provider: 'kycvendor',
      providerApplicantId: expect.stringContaining(mark),
      status: 'resubmit_required',
      rejectionReason: 'Blurred',
      verifiedAt: null,
      expiresAt: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    expect(body.kycDocuments.map((document: { documentType: string }) => document.documentType)).toEqual([
      'government_id_front',
      'government_id_back',
      'selfie',
    ]);
    expect(body.kycDocuments[0]).toMatchObject({ fileName: `${mark}.png`, fileSize: 1234, status: 'uploaded', reviewedAt: null });
    expect(body.kycEvents).toEqual([
      {
        id: expect.any(String),
        type: 'applicantReviewed',
        vendorCreatedAt: expect.stringMatching(/Z$/),
        receivedAt: expect.stringMatching(/Z$/),
      },
    ]);
    const [, written] = body.kycRemarks;
    expect(body.kycRemarks).toEqual([
      { id: expect.any(String), reason: `${mark} remark`, note: `${mark} remark`, createdAt: expect.stringMatching(/Z$/) },
      { id: expect.any(String), reason: 'Blurred', note: null, createdAt: expect.stringMatching(/Z$/) },
    ]);
    expect(body.auditEntries).toMatchObject([
      {
        action: 'kyc_record.resubmit_requested',
        details: { from: 'rejected', to: 'resubmit_required', remarkId: written.id },
      },
      { action: 'member_data.exported', operationId: 'exportMemberData', details: {} },
    ]);
  });

  test('of a member without a verification says so', async () => {
    const { body } = await client.get(`/api/v1/members/${member.id}/data-export`);
    expect([body.kyc, body.kycDocuments, body.kycRemarks, body.kycEvents]).toEqual([null, [], [], []]);
  });
});
