/** The access matrix of the Admin KYC group. */
import { randomBytes } from 'node:crypto';
import type { KycStatus } from '../../../src/features/kyc/open/kyc-states.ts';
import { call } from '../../support/app/http-call.ts';
import { plantDocument, plantRecord, plantRequired } from '../../support/kyc/kyc-records.ts';
import {
  emptyList,
  freshEmail,
  invalid,
  type MatrixRow,
  type Reference,
  tooLong,
  uuidReference,
} from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';

const PATH = '/api/v1/admin/kyc';

async function newMember(world: World, side: Side): Promise<string> {
  const headers = { 'x-tenant-api-key': side.key };
  const body = { email: freshEmail() };
  const answer = await call(world.app.baseUrl, { method: 'POST', target: '/api/v1/users', headers, body });
  return (answer.json as { id: string }).id;
}

/** A verification with its documents, of which one is told. */
async function plant(world: World, side: Side, status: KycStatus = 'pending'): Promise<{ kycId: string; documentId: string }> {
  const kycId = await plantRecord(world.app, side, {
    memberId: await newMember(world, side),
    status,
    assignedTo: side.canaries[0] ?? null,
  });
  await plantRequired(world.app, side, kycId);
  const fileName = `${side.canaries[0]}.png`;
  return { kycId, documentId: (await plantDocument(world.app, side, kycId, 'proof_of_address', { fileName })).id };
}

const notFound = { status: 404, code: 'NOT_FOUND' };
const record: Reference = {
  at: 'path.kycId',
  object: async (world, side) => (await plant(world, side)).kycId,
  ...uuidReference,
  own: { status: 200 },
  foreign: notFound,
};

/** The side's own verification as nobody has decided on it. */
async function reopen({ app }: World, { kycReview }: Side): Promise<void> {
  await app.database.asSuperuser(
    `with record as (
       update kyc_record set status = 'pending', verified_at = null, rejection_reason = null, assigned_to = null,
              taken_by = null, taken_until = null where id = $1 returning member_id),
     member as (update member m set kyc_approved_at = null from record where m.id = record.member_id)
     update kyc_document set status = 'uploaded', rejection_reason = null, reviewed_at = null where kyc_record_id = $1`,
    [kycReview.kycId],
  );
}

/** Each of the matrix' cells acts on a verification of its own. */
function decision(body: Record<string, unknown>): MatrixRow {
  return {
    request: ({ kycReview }) => ({ path: { kycId: kycReview.kycId }, body }),
    fresh: async (side, world) => ({ path: { kycId: (await plant(world, side)).kycId }, body }),
    status: 200,
    restore: reopen,
    references: [record],
  };
}

function onDocument(body?: Record<string, unknown>): MatrixRow {
  const sent = body ? { body } : {};
  return {
    request: ({ kycReview }) => ({ path: { ...kycReview }, ...sent }),
    fresh: async (side, world) => ({ path: await plant(world, side), ...sent }),
    status: 200,
    restore: reopen,
    references: [
      // No document is of another verification than its own, though both are there.
      { ...record, own: notFound },
      { ...record, at: 'path.documentId', object: async (world, side) => (await plant(world, side)).documentId, own: notFound },
    ],
  };
}

/** A verification that whoever asks has taken. */
async function plantTaken(world: World, side: Side): Promise<string> {
  const { kycId } = await plant(world, side);
  const headers = { 'x-tenant-api-key': side.key };
  await call(world.app.baseUrl, { method: 'POST', target: `${PATH}/${kycId}/take`, headers, body: {} });
  return kycId;
}

const RELEASE: MatrixRow = {
  ...decision({ from: true }),
  fresh: async (side, world) => ({ path: { kycId: await plantTaken(world, side) }, body: { from: true } }),
};

const reason = { reason: 'Not readable' };

export const kycReviewRows: Record<string, MatrixRow> = {
  listKycReviews: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      {
        at: 'query.userId',
        async object(world, side) {
          const memberId = await newMember(world, side);
          await plantRecord(world.app, side, { memberId });
          return memberId;
        },
        ...uuidReference,
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: { status: 200, check: emptyList },
      },
      {
        at: 'query.cursor',
        async object(world, side) {
          for (let i = 0; i < 2; i++) await plant(world, side);
          const headers = { 'x-tenant-api-key': side.key };
          const answer = await call(world.app.baseUrl, { method: 'GET', target: `${PATH}?limit=1`, headers });
          return (answer.json as { nextCursor: string }).nextCursor;
        },
        absent: () => randomBytes(52).toString('base64url'),
        malformed: tooLong(1000),
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: invalid,
      },
    ],
  },
  getKycReview: {
    request: ({ kycReview }) => ({ path: { kycId: kycReview.kycId } }),
    fresh: async (side, world) => ({ path: { kycId: (await plant(world, side)).kycId } }),
    status: 200,
    references: [{ ...record, own: { status: 200, check: (body, side) => body['assignedTo'] === side.canaries[0] } }],
  },
  getKycFindings: {
    request: ({ kycReview }) => ({ path: { kycId: kycReview.kycId } }),
    fresh: async (side, world) => ({ path: { kycId: (await plant(world, side)).kycId } }),
    status: 200,
    references: [record],
  },
  getKycDocumentUrl: onDocument(),
  approveKyc: decision({ note: 'Seen' }),
  rejectKyc: decision(reason),
  requestKycResubmit: decision(reason),
  resubmitKyc: decision(reason),
  assignKyc: decision({ assignee: 'reviewer-7' }),
  takeKyc: decision({ from: true }),
  releaseKyc: RELEASE,
  reviewKycDocument: onDocument({ decision: 'accepted' }),
};
