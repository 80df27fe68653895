/** The statements of the operations of verifications, documents, reviews and the vendor's events. */
import { apiClient } from '../../support/app/api-client.ts';
import { startFakeKycVendor } from '../../support/kyc/fake-kyc-vendor.ts';
import { openKycSide } from '../../support/kyc/kyc-deliveries.ts';
import {
  documentsPath,
  plantKycRecord,
  prepareUpload,
  recordUpload,
  type SampleDocument,
  sampleDocument,
  sendTo,
} from '../../support/kyc/kyc-documents.ts';
import { plantRecord, plantRequired } from '../../support/kyc/kyc-records.ts';
import { plantKycSettings } from '../../support/kyc/kyc-settings.ts';
import { alone, type Counted, countStatements, key, read, told, write } from '../../support/statements/statement-row.ts';

/** What was sent is looked at between the reading and the writing, without a transaction. */
const recorded = (more: string[] = [], beforehand: string[] = []) => [
  ...read('kyc_member', 'kyc_find_record_of_member', 'kyc_find_open_upload'),
  ...write('kyc_plan_removal'),
  ...write(
    'kyc_lock_record_of_member',
    'kyc_member',
    'kyc_consume_upload',
    'kyc_keep_object',
    ...beforehand,
    'kyc_insert_document',
    'audit_insert',
    'kyc_documents_of_record',
    ...more,
  ),
];
/** Before the vendor is asked, or the answer stored. */
const started = [
  ...read('idempotency_find'),
  ...alone('profile_find'),
  ...alone('kyc_read_settings'),
  ...write('kyc_lock_record_of_member', 'kyc_member_erased', 'kyc_insert_record', 'webhooks_heard', 'audit_insert'),
];
const toldRecord = told('kyc_find_record_of_member', 'kyc_documents_of_record');
async function sentDocument(
  { app, client, scope, forget }: Counted,
  before: SampleDocument['documentType'][] = [],
  documentType: SampleDocument['documentType'] | null = 'selfie',
  awaited: string[] = [],
): Promise<() => Promise<{ status: number }>> {
  const { id } = await client.newMember();
  const recordId = await plantKycRecord(app, scope, id);
  await app.database.asSuperuser('update kyc_record set awaited_documents = $2 where id = $1', [recordId, awaited]);
  const send = async (document: SampleDocument) => {
    const upload = await prepareUpload(client, id, document);
    await sendTo(upload, document.content);
    return () => recordUpload(client, id, upload, document);
  };
  for (const type of before) await (await send(sampleDocument({ documentType: type })))();
  const record = await send(sampleDocument({ documentType: documentType ?? undefined }));
  forget();
  return record;
}
/** A pending verification of a new member. */
async function newReview({ app, client, scope, forget }: Counted, provider: 'manual' | 'kycvendor' = 'manual') {
  const memberId = (await client.newMember()).id;
  const kycId = await plantRecord(app, scope, { memberId, provider });
  const [document] = await plantRequired(app, scope, kycId);
  forget();
  return { memberId, kycId, documentId: document?.id ?? '' };
}
const decideKyc = async (world: Counted, deed: string, body: object, provider?: 'kycvendor') =>
  world.client.post(`/api/v1/admin/kyc/${(await newReview(world, provider)).kycId}/${deed}`, body);
const lockedReview = ['kyc_lock_record', 'profile_find'];

export const kycStatements = countStatements(
  async ({ app }) => {
    const simulating = await app.newTenant();
    const simulated = apiClient(app, simulating.sandboxKey);
    await plantKycSettings(app, { tenantId: simulating.tenantId, environment: 'SANDBOX' });
    const { id: applicantId } = await simulated.newMember();
    const automated = await openKycSide(app, await startFakeKycVendor());
    const underway = await automated.newRecord();
    return {
      /** A SANDBOX with the simulated vendor, and a member of it. */
      simulated,
      applicantId,
      /** The vendor tells of a verification of another tenant. */
      receive: (type: string) => automated.send(automated.event(underway, type)),
    };
  },
  [
    [
      'startKyc by hand',
      ({ client, chain }) => client.post(`/api/v1/members/${chain[4]?.id}/kyc/start`, {}, key()),
      200,
      started.slice(3),
    ],
    [
      'startKyc at the vendor, here the simulated one',
      async ({ simulated, applicantId }) => simulated.post(`/api/v1/members/${applicantId}/kyc/start`, {}),
      200,
      [
        ...started.slice(3, -1),
        ...toldRecord,
        'commit',
        ...alone('kyc_read_settings'),
        ...write(
          'kyc_lock_record',
          'kyc_member_erased',
          'profile_find',
          'kyc_identity_seen',
          'kyc_link_applicant',
          'webhooks_heard',
          'audit_insert',
          ...toldRecord,
        ),
        ...alone('kyc_find_record'),
        ...write('kyc_schedule_check'),
      ],
    ],
    [
      'getKyc',
      ({ client, chain }) => client.get(`/api/v1/members/${chain[4]?.id}/kyc`),
      200,
      read('kyc_find_record_of_member', 'kyc_documents_of_record'),
    ],
    [
      'createKycUpload',
      async ({ app, client, tenantId, forget }) => {
        const { id } = await client.newMember();
        await plantKycRecord(app, { tenantId, environment: 'LIVE' }, id);
        forget();
        return client.post(`${documentsPath(id)}/upload-url`, { fileName: 'a.png', mimeType: 'image/png' });
      },
      200,
      [
        ...read('kyc_member', 'kyc_find_record_of_member'),
        ...write('kyc_lock_record_of_member', 'kyc_member', 'kyc_count_uploads', 'kyc_insert_upload', 'audit_insert'),
      ],
    ],
    ['recordKycDocument', async (world) => (await sentDocument(world))(), 201, recorded(['webhooks_heard'])],
    [
      'recordKycDocument, the last that is required',
      async (world) => (await sentDocument(world, ['government_id_front', 'government_id_back']))(),
      201,
      recorded(['kyc_update_status', 'webhooks_heard', 'audit_insert']),
    ],
    [
      'recordKycDocument without a type',
      async (world) => (await sentDocument(world, [], null))(),
      201,
      recorded(['webhooks_heard'], ['kyc_documents_of_record']),
    ],
    [
      'recordKycDocument, one of two that were asked for',
      async (world) => (await sentDocument(world, [], 'selfie', ['selfie', 'proof_of_address']))(),
      201,
      recorded(['webhooks_heard', 'kyc_awaited_came']),
    ],
    [
      'receiveKycEvent, signed by nobody',
      ({ app, tenantId }) => app.http.post(`/api/v1/webhooks/kyc/kycvendor?tenant_id=${tenantId}`).send({}),
      401,
      ['locate_kyc_secrets'],
    ],
    [
      'receiveKycEvent that changes the status',
      ({ receive }) => receive('applicantPending'),
      200,
      [
        'locate_kyc_secrets',
        ...write(
          'kyc_lock_records_of_event',
          'kyc_member_erased',
          'kyc_insert_event',
          'kyc_update_status',
          'webhooks_heard',
          'audit_insert',
        ),
      ],
    ],
    [
      'receiveKycEvent that is only kept',
      ({ receive }) => receive('applicantTagsChanged'),
      200,
      ['locate_kyc_secrets', ...write('kyc_lock_records_of_event', 'kyc_member_erased', 'kyc_insert_event', 'audit_insert')],
    ],
    [
      'listKycReviews',
      async (world) => world.client.get(`/api/v1/admin/kyc?status=pending&userId=${(await newReview(world)).memberId}`),
      200,
      read('built', 'kyc_review_count_by_status'),
    ],
    [
      'getKycReview',
      async (world) => world.client.get(`/api/v1/admin/kyc/${(await newReview(world)).kycId}`),
      200,
      read(
        'kyc_find_record',
        'kyc_review_desk',
        'profile_find',
        'kyc_review_documents',
        'audit_latest_of_object',
        'kyc_remarks_of_record',
        'kyc_review_flags',
      ),
    ],
    [
      'getKycFindings by hand: no vendor is asked',
      async (world) => world.client.get(`/api/v1/admin/kyc/${(await newReview(world)).kycId}/findings`),
      200,
      [...alone('kyc_find_record'), ...read('profile_find', 'kyc_findings_holders')],
    ],
    [
      'takeKyc',
      (world) => decideKyc(world, 'take', {}),
      200,
      write(...lockedReview, 'kyc_review_desk', 'audit_insert', 'kyc_review_take', 'kyc_review_desk'),
    ],
    [
      'releaseKyc of one that nobody has taken',
      (world) => decideKyc(world, 'release', {}),
      200,
      write(...lockedReview, 'kyc_review_desk', 'kyc_review_desk'),
    ],
    [
      'getKycDocumentUrl of a document, and who asked for it',
      async (world) => {
        const { kycId, documentId } = await newReview(world);
        return world.client.get(`/api/v1/admin/kyc/${kycId}/documents/${documentId}/content-url`);
      },
      200,
      [...alone('kyc_review_find_document'), ...write('audit_insert')],
    ],
    [
      'approveKyc',
      (world) => decideKyc(world, 'approve', {}),
      200,
      write(
        ...lockedReview,
        'kyc_review_documents',
        'kyc_review_accept_rest',
        'profile_identity',
        'kyc_update_status',
        'webhooks_heard',
        'kyc_set_member_approved',
        'audit_insert',
      ),
    ],
    [
      'rejectKyc',
      (world) => decideKyc(world, 'reject', { reason: 'No' }),
      200,
      write(...lockedReview, 'kyc_remark_insert', 'kyc_update_status', 'webhooks_heard', 'audit_insert'),
    ],
    [
      'requestKycResubmit at the vendor: its job is one statement more',
      (world) => decideKyc(world, 'request-resubmit', { reason: 'Again' }, 'kycvendor'),
      200,
      write(...lockedReview, 'built', 'kyc_remark_insert', 'kyc_update_status', 'webhooks_heard', 'audit_insert'),
    ],
    [
      'resubmitKyc',
      (world) => decideKyc(world, 'resubmit', { reason: 'Again' }),
      200,
      write(...lockedReview, 'kyc_remark_insert', 'kyc_update_status', 'webhooks_heard', 'audit_insert'),
    ],
    [
      'assignKyc',
      (world) => decideKyc(world, 'assign', { assignee: 'eve' }),
      200,
      write(...lockedReview, 'webhooks_heard', 'kyc_review_assign', 'audit_insert'),
    ],
    [
      'reviewKycDocument',
      async (world) => {
        const { kycId, documentId } = await newReview(world);
        return world.client.post(`/api/v1/admin/kyc/${kycId}/documents/${documentId}/review`, { decision: 'accepted' });
      },
      200,
      write(...lockedReview, 'kyc_review_find_document', 'webhooks_heard', 'audit_insert', 'kyc_review_store'),
    ],
  ],
);
