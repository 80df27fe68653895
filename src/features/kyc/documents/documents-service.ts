/**
 * Rules of members' documents. No transaction is held while the storage or the scanner is asked.
 * Source: docs/specification/verification.md#recording.
 */
import type { z } from 'zod';
import type { Frames } from '../../../db/frame.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { AppError, invalidField } from '../../../errors.ts';
import { faultPoint } from '../../../fault-points.ts';
import type { CallContext } from '../../../http/operation.ts';
import type { MalwareScanner } from '../../../vendors/malware/malware-scanner.ts';
import type { ObjectStorage, UploadTarget } from '../../../vendors/storage/object-storage.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import { tellKyc } from '../kyc-events.ts';
import { canMove, type DocumentType, isComplete, REQUIRED_DOCUMENTS, typeOfUnnamed } from '../open/kyc-states.ts';
import { changeStatus } from '../records/change-status.ts';
import { type KycRecord, settleAwaited } from '../records/kyc-record-queries.ts';
import { lockOpenRecord, readOpenRecord } from '../records/open-record.ts';
import { type CheckedUpload, createUploadCheck } from './check-upload.ts';
import { insertDocument, type StoredDocument } from './document-changes-queries.ts';
import { newDocumentKey } from './document-key.ts';
import { type DocumentRow, documentsOfRecordStatement } from './document-queries.ts';
import type { createKycUpload, recordKycDocument } from './documents-operations.ts';
import { hastenRemoval, keepObject, planRemoval } from './object-removal-queries.ts';
import { consumeUpload, countOfRecord, insertUploadStatement, openUploadStatement, type Upload } from './upload-queries.ts';

/** Source: docs/specification/verification.md#upload. */
const UPLOAD_SECONDS = 900;
const DOWNLOAD_SECONDS = 60;
const MAX_OPEN_UPLOADS = 20;
/** Of one record, over its life: members send the same in again, and none needs so many. */
const MAX_DOCUMENTS = 100;
/** An object that its transaction does not keep is removed after this. */
const UNKEPT_SECONDS = 3_600;

type UploadInput = z.output<(typeof createKycUpload)['body'] & {}>;
type DocumentInput = z.output<(typeof recordKycDocument)['body'] & {}>;

export interface PreparedUpload extends UploadTarget {
  filePath: string;
  expiresInSeconds: number;
}

export interface DocumentsService {
  /** USER_NOT_FOUND, STATE_CONFLICT, SERVICE_UNAVAILABLE. */
  createUpload(context: CallContext, memberId: string, input: UploadInput): Promise<PreparedUpload>;
  /** As `createUpload`, and VALIDATION_ERROR for what was not sent, is not what it is said to be, or has malware in it. */
  recordDocument(context: CallContext, memberId: string, input: DocumentInput): Promise<DocumentRow>;
  /** For staff's browsers: saves the document, never shows it. SERVICE_UNAVAILABLE. */
  createDownloadUrl(
    document: Pick<StoredDocument, 'storageKey' | 'fileName'>,
  ): Promise<{ url: string; expiresInSeconds: number }>;
}

interface Deps {
  frames: Frames;
  storage: ObjectStorage;
  scanner: MalwareScanner;
}

export function createDocumentsService({ frames, storage, scanner }: Deps): DocumentsService {
  const checkUpload = createUploadCheck({ storage, scanner });

  async function refuseMalware({ scope }: CallContext, upload: Upload, record: KycRecord, signature: string): Promise<never> {
    await frames.write(scope, async (db) => {
      if (!(await consumeUpload(db, scope, upload.id))) return;
      await hastenRemoval(db, scope, upload.pendingKey);
      await recordAudit(db, scope, {
        action: 'kyc_document.infected',
        by: scope.provenance,
        objectKind: 'kyc_record',
        objectId: record.id,
        details: { signature, documentType: upload.documentType },
      });
    });
    throw invalidField('filePath', 'has malware in it and is not taken');
  }

  async function keepDocument(
    { scope, guard, shape }: CallContext,
    found: { record: KycRecord; upload: Upload; documentType: DocumentType | null },
    { content, sha256, scan }: CheckedUpload,
  ): Promise<DocumentRow> {
    const { record, upload, documentType: named } = found;
    const { mimeType, fileName } = upload;
    const malwareScan = scan.verdict === 'clean' ? 'clean' : 'not_scanned';
    // A key that is written once, and by nobody else: what was checked is what is kept.
    const storageKey = newDocumentKey(scope, 'documents', { memberId: record.memberId, recordId: record.id, mimeType });
    await frames.write(scope, (db) => planRemoval(db, scope, storageKey, UNKEPT_SECONDS));
    await storage.write(storageKey, content, mimeType);
    await faultPoint('document:stored');
    return frames.write(
      scope,
      async (db) => {
        const present = await lockOpenRecord(db, scope, record.memberId);
        if (!(await consumeUpload(db, scope, upload.id))) throw unknownUpload();
        if (!(await keepObject(db, scope, storageKey))) {
          throw new AppError('SERVICE_UNAVAILABLE', 'Recording the document took too long; try again', { retryAfterSeconds: 1 });
        }
        const documentType = named ?? (await chooseType(db, scope, present, mimeType));
        const id = await insertDocument(db, scope, {
          recordId: record.id,
          documentType,
          fileName,
          mimeType,
          fileSize: content.length,
          storageKey,
          contentSha256: sha256,
          malwareScan,
        });
        await recordAudit(db, scope, {
          action: 'kyc_document.recorded',
          by: scope.provenance,
          objectKind: 'kyc_record',
          objectId: record.id,
          details: { documentId: id, documentType, malwareScan },
        });
        const documents = await db.rows(documentsOfRecordStatement(scope, record.id));
        if (documents.length > MAX_DOCUMENTS) throw tooMany();
        const awaited = present.awaitedDocuments.filter((type) => type !== documentType);
        if (canMove(present.status, 'pending') && awaited.length === 0 && isComplete(documents)) {
          await changeStatus(db, scope, present, {
            to: 'pending',
            by: scope.provenance,
            action: 'kyc_record.submitted',
            decidedBy: null,
            submittedThrough: id,
          });
        } else {
          tellKyc(db, scope.provenance, present);
          if (awaited.length < present.awaitedDocuments.length) await settleAwaited(db, scope, record.id, documentType);
        }
        const document = documents.find((one) => one.id === id);
        if (!document) throw new Error('a recorded document vanished');
        return document;
      },
      { guard, shape },
    );
  }

  return {
    async createUpload(context, memberId, { fileName, mimeType, documentType = null, fileSize = null }) {
      const { scope, shape } = context;
      refuseOtherFormat(documentType, mimeType);
      const record = await frames.read(scope, (db) => readOpenRecord(db, scope, memberId));
      const pendingKey = newDocumentKey(scope, 'pending', { memberId, recordId: record.id, mimeType });
      const terms = { key: pendingKey, mimeType, size: fileSize ?? undefined, expiresInSeconds: UPLOAD_SECONDS };
      const target = await storage.createUpload(terms);
      return frames.write(
        scope,
        async (db) => {
          const { id: recordId } = await lockOpenRecord(db, scope, memberId);
          const counted = await countOfRecord(db, scope, recordId);
          if (counted.uploads >= MAX_OPEN_UPLOADS) {
            throw new AppError(
              'STATE_CONFLICT',
              `${MAX_OPEN_UPLOADS} uploads are open already; record one, or wait until one expires`,
            );
          }
          if (counted.documents >= MAX_DOCUMENTS) throw tooMany();
          const expiresInSeconds = UPLOAD_SECONDS;
          const upload = { recordId, documentType, fileName, mimeType, fileSize, pendingKey, expiresInSeconds };
          const opened = await db.row(insertUploadStatement(scope, upload));
          await recordAudit(db, scope, {
            action: 'kyc_document.upload_opened',
            by: scope.provenance,
            objectKind: 'kyc_record',
            objectId: recordId,
            details: { uploadId: opened?.id, documentType },
          });
          return { ...target, filePath: pendingKey, expiresInSeconds };
        },
        { shape },
      );
    },

    async recordDocument(context, memberId, input) {
      const { scope, guard } = context;
      const { record, upload } = await frames.read(scope, async (db) => {
        await guard?.replay(db);
        const open = await readOpenRecord(db, scope, memberId);
        return { record: open, upload: await db.row(openUploadStatement(scope, memberId, input.filePath)) };
      });
      if (!upload) throw unknownUpload();
      const documentType = agree(input, upload);
      const claim = { key: upload.pendingKey, mimeType: upload.mimeType, fileSize: input.fileSize };
      return checkUpload(claim, (checked) =>
        checked.scan.verdict === 'infected'
          ? refuseMalware(context, upload, record, checked.scan.signature)
          : keepDocument(context, { record, upload, documentType }, checked),
      );
    },

    async createDownloadUrl({ storageKey, fileName }) {
      const terms = { key: storageKey, fileName, expiresInSeconds: DOWNLOAD_SECONDS };
      return { url: await storage.createDownloadUrl(terms), expiresInSeconds: DOWNLOAD_SECONDS };
    },
  };
}

/** The type that was named, if one was, once nothing in the request is at odds with its upload. */
function agree(input: DocumentInput, upload: Upload): DocumentType | null {
  if (input.fileName !== upload.fileName) throw invalidField('fileName', 'is not that of the upload');
  if (input.mimeType !== upload.mimeType) throw invalidField('mimeType', 'is not that of the upload');
  if (upload.fileSize !== null && input.fileSize !== upload.fileSize) throw invalidField('fileSize', 'is not that of the upload');
  const documentType = input.documentType ?? upload.documentType;
  refuseOtherFormat(documentType, upload.mimeType);
  return documentType;
}

/** The record is locked, so that two documents without a type are two types. */
async function chooseType(db: Db, scope: Scope, record: KycRecord, mimeType: Upload['mimeType']): Promise<DocumentType> {
  const documents = await db.rows(documentsOfRecordStatement(scope, record.id));
  const documentType = typeOfUnnamed(mimeType, documents, record.awaitedDocuments);
  if (documentType === undefined) throw invalidField('documentType', `is needed: no document takes ${mimeType} by default`);
  return documentType;
}

function refuseOtherFormat(documentType: DocumentType | null, mimeType: Upload['mimeType']): void {
  const accepted = REQUIRED_DOCUMENTS.find((one) => one.documentType === documentType)?.acceptedFormats;
  if (accepted && !accepted.includes(mimeType)) {
    throw invalidField('mimeType', `is not taken as ${documentType}: ${accepted.join(', ')} are`);
  }
}

function unknownUpload(): AppError {
  return invalidField('filePath', 'is not that of an open upload of this member');
}

function tooMany(): AppError {
  return new AppError('STATE_CONFLICT', `The verification has ${MAX_DOCUMENTS} documents already`);
}
