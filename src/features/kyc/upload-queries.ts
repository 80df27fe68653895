/** Places that members may write a document to, in SQL. They expire by the database's clock, in a SANDBOX too. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared, type Statement } from '../../db/statement.ts';
import type { DocumentMimeType, DocumentType } from './kyc-states.ts';

/**
 * An upload that was sent may be recorded for so long after its URL has expired. Half of what passes until
 * the object is removed, so that whoever examines it is done by then.
 */
const GRACE_MINUTES = 30;
/** From the expiry of the URL to the removal: what began in time may still be on its way. */
const REMOVAL_MINUTES = 60;

export interface Upload {
  id: string;
  documentType: DocumentType | null;
  fileName: string;
  mimeType: DocumentMimeType;
  fileSize: number | null;
  pendingKey: string;
}

const member = prepared<{ isErased: boolean }, [string, string, memberId: string]>(
  'kyc_member',
  `select m.erased_at is not null as "isErased" from member m where m.tenant_id = $1 and m.environment = $2 and m.id = $3`,
);

/** No row: no such member. */
export function memberStatement(scope: Scope, memberId: string): Statement<{ isErased: boolean }> {
  return member(scope.tenantId, scope.environment, memberId);
}

const count = prepared<{ uploads: number; documents: number }, [string, string, recordId: string]>(
  'kyc_count_uploads',
  `select (select count(*)::int from kyc_upload u
           where u.tenant_id = $1 and u.environment = $2 and u.kyc_record_id = $3
             and u.consumed_at is null and u.expires_at > now()) as uploads,
          (select count(*)::int from kyc_document d
           where d.tenant_id = $1 and d.environment = $2 and d.kyc_record_id = $3) as documents`,
);

/** The open uploads and the documents of a record. */
export async function countOfRecord(db: Db, scope: Scope, recordId: string): Promise<{ uploads: number; documents: number }> {
  return (await db.row(count(scope.tenantId, scope.environment, recordId))) ?? { uploads: 0, documents: 0 };
}

const insert = prepared<
  { id: string },
  [
    string,
    string,
    recordId: string,
    documentType: DocumentType | null,
    fileName: string,
    mimeType: DocumentMimeType,
    fileSize: number | null,
    pendingKey: string,
    seconds: number,
  ]
>(
  'kyc_insert_upload',
  `with long_expired as (
     delete from kyc_upload u
     where u.tenant_id = $1 and u.environment = $2 and u.kyc_record_id = $3 and u.expires_at < now() - interval '1 day'),
   removal as (
     insert into object_removal (tenant_id, environment, storage_key, remove_after, writable_until)
     select $1, $2, $8, t.at, t.at
     from (select now() + make_interval(secs => $9, mins => ${REMOVAL_MINUTES}) as at) t)
   insert into kyc_upload (tenant_id, environment, kyc_record_id, document_type, file_name, mime_type, file_size, pending_key,
                           expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9))
   returning id`,
);

export interface NewUpload extends Omit<Upload, 'id'> {
  recordId: string;
  expiresInSeconds: number;
}

/** With the removal of what will be sent there: nothing stays behind, whatever becomes of the upload. */
export function insertUploadStatement(scope: Scope, upload: NewUpload): Statement<{ id: string }> {
  const { recordId, documentType, fileName, mimeType, fileSize, pendingKey, expiresInSeconds } = upload;
  return insert(
    scope.tenantId,
    scope.environment,
    recordId,
    documentType,
    fileName,
    mimeType,
    fileSize,
    pendingKey,
    expiresInSeconds,
  );
}

const findOpen = prepared<Upload, [string, string, memberId: string, pendingKey: string]>(
  'kyc_find_open_upload',
  `select u.id, u.document_type as "documentType", u.file_name as "fileName", u.mime_type as "mimeType",
          u.file_size as "fileSize", u.pending_key as "pendingKey"
   from kyc_upload u
   join kyc_record k on k.tenant_id = u.tenant_id and k.environment = u.environment and k.id = u.kyc_record_id
   where u.tenant_id = $1 and u.environment = $2 and k.member_id = $3 and u.pending_key = $4
     and u.consumed_at is null and u.expires_at > now() - interval '${GRACE_MINUTES} minutes'`,
);

/** The member's own, not used yet and not long expired. */
export function openUploadStatement(scope: Scope, memberId: string, pendingKey: string): Statement<Upload> {
  return findOpen(scope.tenantId, scope.environment, memberId, pendingKey);
}

const consume = prepared<{ id: string }, [string, string, id: string]>(
  'kyc_consume_upload',
  `update kyc_upload u set consumed_at = now()
   where u.tenant_id = $1 and u.environment = $2 and u.id = $3 and u.consumed_at is null
   returning u.id`,
);

/** False when it was used meanwhile, or is gone. Once for each upload. */
export async function consumeUpload(db: Db, scope: Scope, id: string): Promise<boolean> {
  return (await db.row(consume(scope.tenantId, scope.environment, id))) !== undefined;
}
