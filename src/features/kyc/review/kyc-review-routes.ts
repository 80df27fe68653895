import type { WholeAnswer } from '../../../http/operation.ts';
import { camelCursor } from '../../../http/pagination.ts';
import { type Route, route } from '../../../http/route.ts';
import type { KycRecord } from '../records/kyc-record-queries.ts';
import type { Taken } from './desk-queries.ts';
import {
  approveKyc,
  assignKyc,
  rejectKyc,
  releaseKyc,
  requestKycResubmit,
  resubmitKyc,
  reviewKycDocument,
  takeKyc,
} from './kyc-decisions-operations.ts';
import type { KycDecisionsService } from './kyc-decisions-service.ts';
import type { KycDeskService } from './kyc-desk-service.ts';
import { getKycFindings } from './kyc-findings-operations.ts';
import type { KycFindingsService } from './kyc-findings-service.ts';
import { getKycDocumentUrl, getKycReview, listKycReviews } from './kyc-queue-operations.ts';
import type { KycQueueService } from './kyc-queue-service.ts';

interface Services {
  kycQueue: KycQueueService;
  kycDecisions: KycDecisionsService;
  kycDesk: KycDeskService;
  kycFindings: KycFindingsService;
}

export function kycReviewRoutes({ kycQueue, kycDecisions, kycDesk, kycFindings }: Services): Route[] {
  return [
    route(
      listKycReviews,
      ({ query, ...context }) => kycQueue.list(context, query),
      ({ rows, countsByStatus, nextCursor }) => ({
        status: 200,
        body: { data: rows, countsByStatus, ...camelCursor(nextCursor) },
      }),
    ),
    route(getKycReview, ({ params, ...context }) => kycQueue.read(context, params.kycId)),
    route(getKycFindings, ({ params, ...context }) => kycFindings.read(context, params.kycId)),
    route(getKycDocumentUrl, ({ params, ...context }) => kycQueue.createDocumentUrl(context, params.kycId, params.documentId)),
    route(
      approveKyc,
      ({ params, body = {}, ...context }) => kycDecisions.approve(context, params.kycId, body),
      (record) => {
        const { verifiedAt, expiresAt } = record;
        return whole({ ...decided(record, 'The verification is approved'), verifiedAt, expiresAt });
      },
    ),
    route(
      rejectKyc,
      ({ params, body, ...context }) => kycDecisions.reject(context, params.kycId, body),
      (record) => whole({ ...decided(record, 'The verification is rejected'), rejectionReason: record.rejectionReason }),
    ),
    ...[requestKycResubmit, resubmitKyc].map((operation) =>
      route(
        operation,
        ({ params, body, ...context }) => kycDecisions.requestResubmit(context, params.kycId, body),
        (record) => {
          const message = 'The member is asked to send something in again';
          const { rejectionReason, awaitedDocuments: requestedDocuments } = record;
          return whole({ ...decided(record, message), reason: rejectionReason ?? '', requestedDocuments });
        },
      ),
    ),
    route(
      assignKyc,
      ({ params, body, ...context }) => kycDecisions.assign(context, params.kycId, body.assignee),
      (record) => {
        const message = record.assignedTo === null ? 'Nobody is assigned' : 'The verification is assigned';
        return whole({ ...decided(record, message), assignedTo: record.assignedTo });
      },
    ),
    route(
      takeKyc,
      ({ params, body = {}, ...context }) => kycDesk.take(context, params.kycId, body),
      (record) => whole(desk(record, 'The verification is taken for 15 minutes')),
    ),
    route(
      releaseKyc,
      ({ params, body = {}, ...context }) => kycDesk.release(context, params.kycId, body),
      (record) => whole(desk(record, record.takenBy === null ? 'Nobody has taken the verification' : 'Another has taken it')),
    ),
    route(reviewKycDocument, ({ params, body, ...context }) =>
      kycDecisions.reviewDocument(context, params.kycId, params.documentId, body),
    ),
  ];
}

function whole<Body>(body: Body): WholeAnswer<Body> {
  return { status: 200, body };
}

function decided({ id, memberId, status }: KycRecord, message: string) {
  return { id, userId: memberId, status, message };
}

function desk(record: KycRecord & Taken, message: string) {
  return { ...decided(record, message), takenBy: record.takenBy, takenUntil: record.takenUntil };
}
