/** What reviewers see: the queue, one verification as a whole, and the content of documents. */
import type { z } from 'zod';
import { actorRef } from '../../../actor.ts';
import type { Frames } from '../../../db/frame.ts';
import { AppError } from '../../../errors.ts';
import type { ActingContext, CallContext, RequestContext } from '../../../http/operation.ts';
import type { Cursors, Page } from '../../../http/pagination.ts';
import { readAuditOf, recordAudit } from '../../audit/audit-service.ts';
import type { Profile } from '../../profile/open/profile.ts';
import type { ProfileOffers } from '../../profile/profile-feature.ts';
import type { DocumentsService } from '../documents/documents-service.ts';
import { KYC_STATUSES, type KycStatus } from '../open/kyc-states.ts';
import { findRecordStatement } from '../records/kyc-record-queries.ts';
import { readDesk } from './desk-queries.ts';
import { flagsStatement } from './flags-queries.ts';
import { flagsOf } from './kyc-flags.ts';
import type { getKycDocumentUrl, KycReviewAnswer, listKycReviews } from './kyc-queue-operations.ts';
import { countsByStatusStatement, listQueue, type QueuedRecord, type QueueFilters } from './kyc-queue-queries.ts';
import { listRemarks, type Remark } from './remarks-queries.ts';
import { documentStatement, listDocuments } from './review-documents-queries.ts';

type List = z.output<(typeof listKycReviews)['query'] & {}>;
type DocumentUrl = z.input<(typeof getKycDocumentUrl)['response']>;

export interface KycQueueService {
  list(context: ActingContext, query: List): Promise<Page<QueuedRecord> & { countsByStatus: Record<KycStatus, number> }>;
  /** NOT_FOUND. */
  read(context: RequestContext, kycId: string): Promise<KycReviewAnswer>;
  /** Where the document can be fetched for a minute; writes down who asked. NOT_FOUND, also for a document of another record. */
  createDocumentUrl(context: CallContext, kycId: string, documentId: string): Promise<DocumentUrl>;
}

interface Deps {
  frames: Frames;
  findProfile: ProfileOffers['findProfile'];
  digestNames: ProfileOffers['digestNames'];
  cursors: Cursors;
  documents: Pick<DocumentsService, 'createDownloadUrl'>;
}

const LOG_ENTRIES = 100;
/** Long enough for a browser to begin with it. */

export function createKycQueueService({ frames, findProfile, digestNames, cursors, documents }: Deps): KycQueueService {
  return {
    async list({ scope }, { limit, cursor, status, provider, userId, assignedTo, free }) {
      const freeFor = free ? actorRef(scope.provenance.actor) : undefined;
      const filters: QueueFilters = { status, provider, userId, assignedTo, freeFor };
      const identity = { scope, operationId: 'listKycReviews', filters: { ...filters } };
      const [since, id] = cursors.open(cursor, identity)?.split(' ') ?? [];
      const after = since === undefined || id === undefined ? undefined : { since, id };
      const [rows, counts] = await frames.read(scope, (db) =>
        Promise.all([listQueue(db, scope, filters, after, limit + 1), db.rows(countsByStatusStatement(scope))]),
      );
      const countOf = (name: KycStatus): number => counts.find((row) => row.status === name)?.records ?? 0;
      return {
        ...cursors.page(rows, limit, identity, (row) => `${row.since} ${row.id}`),
        countsByStatus: Object.fromEntries(KYC_STATUSES.map((name) => [name, countOf(name)])) as Record<KycStatus, number>,
      };
    },

    async read({ scope }, kycId) {
      return frames.read(
        scope,
        async (db) => {
          const record = await db.row(findRecordStatement(scope, kycId));
          if (!record) throw unknownRecord();
          const [desk, profile, documents, entries, remarks] = await Promise.all([
            readDesk(db, scope, kycId),
            findProfile(db, scope, record.memberId),
            listDocuments(db, scope, kycId),
            readAuditOf(db, scope, { kind: 'kyc_record', id: kycId }, LOG_ENTRIES),
            listRemarks(db, scope, kycId, LOG_ENTRIES),
          ]);
          if (!profile) throw new Error('a KYC record has no member');
          const names = digestNames(scope, profile);
          const found = await db.row(flagsStatement(scope, { memberId: profile.id, names }));
          const { memberId: userId, awaitedDocuments: requestedDocuments, identitySeen, ...shown } = record;
          const identityChanged = identitySeen !== record.identityVersion;
          const auditLogs = entries.map(({ id, action, actor, details, createdAt }) => {
            return { id, action, actorId: actor.id, details: withRemark(details, remarks), createdAt };
          });
          return {
            ...shown,
            ...desk,
            userId,
            user: userOf(profile),
            flags: found ? flagsOf(found) : [],
            identityChanged,
            requestedDocuments,
            documents,
            auditLogs,
          };
        },
        { snapshot: true },
      );
    },

    async createDocumentUrl({ scope }, kycId, documentId) {
      const [document] = await frames.readOnce(scope, documentStatement(scope, kycId, documentId));
      if (!document) throw unknownDocument();
      const { storageKey, fileName, mimeType, documentType } = document;
      const { url, expiresInSeconds } = await documents.createDownloadUrl({ storageKey, fileName });
      // Before the URL is handed out: nobody sees a document without a trace.
      await frames.write(scope, (db) =>
        recordAudit(db, scope, {
          action: 'kyc_document.viewed',
          by: scope.provenance,
          objectKind: 'kyc_record',
          objectId: kycId,
          details: { documentId, documentType },
        }),
      );
      return { url, expiresInSeconds, fileName, mimeType };
    },
  };
}

/** An entry's details with what was written at the time, which an erasure takes away. */
function withRemark(details: Record<string, unknown>, remarks: ReadonlyMap<string, Remark>): Record<string, unknown> {
  const { remarkId, ...rest } = details;
  const { reason, note } = remarks.get(String(remarkId)) ?? { reason: null, note: null };
  return { ...rest, ...(reason === null ? {} : { reason }), ...(note === null ? {} : { note }) };
}

/** What a reviewer compares the documents with, and no more of the profile than that. */
function userOf(profile: Profile): KycReviewAnswer['user'] {
  const { id, email, name, givenName, surname, dateOfBirth, countryCode, idNumberLastFour, businessName } = profile;
  const { address, membershipTier, isActive } = profile;
  return {
    id,
    email,
    name,
    givenName,
    surname,
    dateOfBirth,
    countryCode,
    idNumberLastFour,
    businessName,
    address: address && {
      line: [address.addressLine1, address.addressLine2].filter((line) => line !== undefined).join(', ') || null,
      city: address.city ?? null,
      postalCode: address.postalCode ?? null,
    },
    membershipTier,
    isActive,
  };
}

export function unknownRecord(): AppError {
  return new AppError('NOT_FOUND', 'No such verification');
}

export function unknownDocument(): AppError {
  return new AppError('NOT_FOUND', 'No such document of this verification');
}
