/**
 * What reviewers decide. Each decision locks the verification, so of any number at once those win that the
 * state they find allows; the others are 409 and leave no trace.
 * Source: docs/specification/verification.md#states, docs/specification/verification.md#reviews.
 */
import type { Frames } from '../../../db/frame.ts';
import type { Db } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import type { CallContext } from '../../../http/operation.ts';
import type { JobQueue } from '../../../jobs/queue.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import type { DigestIdentity } from '../../profile/open/profile.ts';
import type { ProfileOffers } from '../../profile/profile-feature.ts';
import { tellKyc } from '../kyc-events.ts';
import { canMove, type DocumentType, isComplete, type KycStatus } from '../open/kyc-states.ts';
import { changeStatus, IDENTITY_CHANGED } from '../records/change-status.ts';
import { laterOf } from '../records/follow-identity.ts';
import type { KycRecord } from '../records/kyc-record-queries.ts';
import { assignRecord } from './kyc-queue-queries.ts';
import { unknownDocument } from './kyc-queue-service.ts';
import { lockForReview } from './lock-for-review.ts';
import { storeRemark } from './remarks-queries.ts';
import {
  acceptUndecided,
  documentStatement,
  listDocuments,
  type ReviewedDocument,
  storeReview,
} from './review-documents-queries.ts';

interface Reasoned {
  reason: string;
  expectedStatus?: KycStatus | undefined;
}

interface ResubmitRequest extends Reasoned {
  documents?: DocumentType[] | null | undefined;
}

interface DocumentReview {
  decision: 'accepted' | 'rejected';
  reason?: string | null | undefined;
}

/** All throw NOT_FOUND, and STATE_CONFLICT for what the state does not allow and once the member is erased. */
export interface KycDecisionsService {
  approve(
    context: CallContext,
    kycId: string,
    input: {
      note?: string | null | undefined;
      expectedStatus?: KycStatus | undefined;
      documentIds?: string[] | undefined;
      identityVersion?: number | undefined;
    },
  ): Promise<KycRecord>;
  reject(context: CallContext, kycId: string, input: Reasoned): Promise<KycRecord>;
  /** At the vendor it is reset by a job, which exists once this has committed. */
  requestResubmit(context: CallContext, kycId: string, input: ResubmitRequest): Promise<KycRecord>;
  assign(context: CallContext, kycId: string, assignee: string | null): Promise<KycRecord>;
  reviewDocument(context: CallContext, kycId: string, documentId: string, review: DocumentReview): Promise<ReviewedDocument>;
}

interface Deps {
  frames: Frames;
  findProfile: ProfileOffers['findProfile'];
  queue: Pick<JobQueue, 'enqueue'>;
  digestIdentity: DigestIdentity;
}

interface Decision {
  to: KycStatus;
  action: string;
  expectedStatus: KycStatus | undefined;
  reason?: string;
  note?: string | null | undefined;
  documents?: readonly DocumentType[] | undefined;
  /** What belongs to it, before the status changes; may still refuse. */
  within?: (db: Db, record: KycRecord) => Promise<unknown>;
}

export function createKycDecisionsService({ frames, findProfile, queue, digestIdentity }: Deps): KycDecisionsService {
  function decide({ scope, guard, shape }: CallContext, kycId: string, decision: Decision): Promise<KycRecord> {
    const { to, action, expectedStatus, reason, note, documents, within } = decision;
    return frames.write(
      scope,
      async (db) => {
        const record = await lockForReview(findProfile, db, scope, kycId);
        if (expectedStatus !== undefined && record.status !== expectedStatus) throw unexpected(record, expectedStatus);
        if (!canMove(record.status, to)) throw notAllowed(record, to);
        await within?.(db, record);
        return changeStatus(db, scope, record, {
          to,
          by: scope.provenance,
          action,
          reason: reason ?? null,
          decidedBy: 'admin',
          approval: { digestIdentity, seen: true },
          // What the vendor did before is not to undo it, however late it is heard of.
          ...(record.provider === 'kycvendor' ? { lastEventAt: laterOf(record.lastEventAt, new Date()) } : {}),
          ...(documents ? { awaitedDocuments: documents } : {}),
          details: { ...(await storeRemark(db, scope, kycId, { reason, note })), ...(documents ? { documents } : {}) },
        });
      },
      { guard, shape },
    );
  }

  return {
    approve: (context, kycId, { note, expectedStatus, documentIds, identityVersion }) =>
      decide(context, kycId, {
        to: 'approved',
        action: 'kyc_record.approved',
        expectedStatus,
        note,
        async within(db, record) {
          const { scope } = context;
          refuseUnseenPerson(record, identityVersion);
          // The vendor has the papers of its records, and not we.
          const documents = record.provider === 'manual' ? await listDocuments(db, scope, kycId) : [];
          if (record.provider === 'manual' && !isComplete(documents)) throw incomplete();
          const unseen = documents.filter(({ id, status }) => status === 'uploaded' && !isSeen(record, id, documentIds));
          if (unseen.length > 0) throw unseenDocuments(unseen, documentIds);
          await acceptUndecided(db, scope, kycId);
        },
      }),

    reject: (context, kycId, input) =>
      decide(context, kycId, { to: 'rejected', action: 'kyc_record.rejected', expectedStatus: undefined, ...input }),

    requestResubmit: (context, kycId, { documents, ...input }) =>
      decide(context, kycId, {
        to: 'resubmit_required',
        action: 'kyc_record.resubmit_requested',
        expectedStatus: undefined,
        ...input,
        ...(documents ? { documents: [...new Set(documents)] } : {}),
        async within(db, { provider }) {
          if (provider !== 'kycvendor') return;
          if (documents) throw atVendor();
          await queue.enqueue(db, context.scope, 'reset-kyc-applicant', { kycRecordId: kycId });
        },
      }),

    assign: ({ scope, guard, shape }, kycId, assignee) =>
      frames.write(
        scope,
        async (db) => {
          const record = await lockForReview(findProfile, db, scope, kycId);
          if (record.assignedTo === assignee) return record;
          tellKyc(db, scope.provenance, record);
          await Promise.all([
            assignRecord(db, scope, kycId, assignee),
            recordAudit(db, scope, {
              action: 'kyc_record.assigned',
              by: scope.provenance,
              objectKind: 'kyc_record',
              objectId: kycId,
              details: { assigned: assignee !== null },
            }),
          ]);
          return { ...record, assignedTo: assignee };
        },
        { guard, shape },
      ),

    reviewDocument: ({ scope, guard, shape }, kycId, documentId, { decision, reason = null }) =>
      frames.write(
        scope,
        async (db) => {
          const record = await lockForReview(findProfile, db, scope, kycId);
          const document = await db.row(documentStatement(scope, kycId, documentId));
          if (!document) throw unknownDocument();
          if (record.status !== 'pending') throw notPending(record);
          if (document.status === decision && document.rejectionReason === reason) return document;
          tellKyc(db, scope.provenance, record);
          await recordAudit(db, scope, {
            action: 'kyc_document.reviewed',
            by: scope.provenance,
            objectKind: 'kyc_record',
            objectId: kycId,
            details: {
              documentId,
              documentType: document.documentType,
              from: document.status,
              to: decision,
              ...(await storeRemark(db, scope, kycId, { reason })),
            },
          });
          return storeReview(db, scope, documentId, { decision, reason });
        },
        { guard, shape },
      ),
  };
}

/**
 * Whether the reviewer has a document in mind: one that is named, or, where none are named, one of those that
 * the verification was submitted with. What came during the review may have come after they looked.
 */
function isSeen({ submittedThrough }: KycRecord, id: string, documentIds: readonly string[] | undefined): boolean {
  if (documentIds) return documentIds.includes(id);
  return submittedThrough === null || id <= submittedThrough;
}

/** As with documents: the reviewer names what was looked at, or it is what was submitted. */
function refuseUnseenPerson(record: KycRecord, seen = record.identitySeen): void {
  const { identityVersion } = record;
  if (seen === identityVersion) return;
  throw new AppError('STATE_CONFLICT', 'Who the member is was changed since; look again, and name that in identityVersion', {
    details: { reason: IDENTITY_CHANGED, identityVersion },
  });
}

const IN_WORDS: Record<KycStatus, string> = {
  not_started: 'has not been started',
  pending: 'waits for a review',
  approved: 'is approved',
  rejected: 'is rejected',
  resubmit_required: 'waits for the member to send something in again',
};

const POSSIBLE: Partial<Record<KycStatus, string>> = {
  approved: 'only one that waits for a review can be approved',
  rejected: 'only one that waits for a review can be rejected',
  resubmit_required: 'nothing has been sent in that could be sent in again',
};

function notAllowed({ status }: KycRecord, to: KycStatus): AppError {
  return new AppError('STATE_CONFLICT', `The verification ${IN_WORDS[status]}; ${POSSIBLE[to] ?? 'this cannot be done now'}`);
}

function unexpected({ status }: KycRecord, expected: KycStatus): AppError {
  return new AppError('STATE_CONFLICT', `The verification ${IN_WORDS[status]} and is not ${expected} (expectedStatus)`);
}

function notPending({ status }: KycRecord): AppError {
  return new AppError(
    'STATE_CONFLICT',
    `The verification ${IN_WORDS[status]}; documents are reviewed while it waits for a review`,
  );
}

function atVendor(): AppError {
  return new AppError('STATE_CONFLICT', 'The vendor has the documents of this verification; leave `documents` out');
}

function incomplete(): AppError {
  return new AppError('STATE_CONFLICT', 'A required document is rejected or missing; ask for it with request-resubmit');
}

function unseenDocuments(unseen: readonly ReviewedDocument[], documentIds: readonly string[] | undefined): AppError {
  const message = documentIds
    ? 'A document was sent in that is not among documentIds'
    : 'A document was sent in during the review; review it, or name all that were looked at in documentIds';
  return new AppError('STATE_CONFLICT', message, { details: { unseenDocumentIds: unseen.map(({ id }) => id) } });
}
