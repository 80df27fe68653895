/** Places that members may write a document to, in SQL. They expire by the database's clock, in a SANDBOX too. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import type { Statement } from '../../../db/statement.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import type { DocumentMimeType, DocumentType } from '../open/kyc-states.ts';

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

const memberTable = tenantTable('member');
const kycUpload = tenantTable('kyc_upload');

const member = statement<{ isErased: boolean }, { memberId: string }>('kyc_member', ({ memberId }) =>
  memberTable().where({ id: memberId }).select(raw('erased_at is not null as "isErased"')),
);

/** No row: no such member. */
export function memberStatement(scope: Scope, memberId: string): Statement<{ isErased: boolean }> {
  return member(scope, { memberId });
}

const count = statement<{ uploads: number; documents: number }, { recordId: string }>('kyc_count_uploads', ({ recordId }) =>
  raw(
    `select (select count(*)::int from kyc_upload u
           where ${ofTenant('u')} and u.kyc_record_id = :recordId
             and u.consumed_at is null and u.expires_at > now()) as uploads,
          (select count(*)::int from kyc_document d
           where ${ofTenant('d')} and d.kyc_record_id = :recordId) as documents`,
    { recordId },
  ),
);

/** The open uploads and the documents of a record. */
export async function countOfRecord(db: Db, scope: Scope, recordId: string): Promise<{ uploads: number; documents: number }> {
  return (await db.row(count(scope, { recordId }))) ?? { uploads: 0, documents: 0 };
}

const insert = statement<
  { id: string },
  {
    recordId: string;
    documentType: DocumentType | null;
    fileName: string;
    mimeType: DocumentMimeType;
    fileSize: number | null;
    pendingKey: string;
    seconds: number;
  }
>('kyc_insert_upload', ({ recordId, documentType, fileName, mimeType, fileSize, pendingKey, seconds }) =>
  raw(
    `with long_expired as (
     delete from kyc_upload u
     where ${ofTenant('u')} and u.kyc_record_id = :recordId and u.expires_at < now() - interval '1 day'),
   removal as (
     insert into object_removal (tenant_id, environment, storage_key, remove_after, writable_until)
     select :tenantId, :environment, :pendingKey, t.at, t.at
     from (select now() + make_interval(secs => :seconds, mins => ${REMOVAL_MINUTES}) as at) t)
   insert into kyc_upload (tenant_id, environment, kyc_record_id, document_type, file_name, mime_type, file_size, pending_key,
                           expires_at)
   values (:tenantId, :environment, :recordId, :documentType, :fileName, :mimeType, :fileSize, :pendingKey,
           now() + make_interval(secs => :seconds))
   returning id`,
    { recordId, documentType, fileName, mimeType, fileSize, pendingKey, seconds },
  ),
);

export interface NewUpload extends Omit<Upload, 'id'> {
  recordId: string;
  expiresInSeconds: number;
}

/** With the removal of what will be sent there: nothing stays behind, whatever becomes of the upload. */
export function insertUploadStatement(scope: Scope, upload: NewUpload): Statement<{ id: string }> {
  const { recordId, documentType, fileName, mimeType, fileSize, pendingKey, expiresInSeconds } = upload;
  return insert(scope, { recordId, documentType, fileName, mimeType, fileSize, pendingKey, seconds: expiresInSeconds });
}

const findOpen = statement<Upload, { memberId: string; pendingKey: string }>('kyc_find_open_upload', ({ memberId, pendingKey }) =>
  kycUpload('u')
    .join('kyc_record as k', 'k.id', 'u.kyc_record_id')
    .where({ 'k.member_id': memberId, 'u.pending_key': pendingKey, 'u.consumed_at': null })
    .where('u.expires_at', '>', raw(`now() - interval '${GRACE_MINUTES} minutes'`))
    .select({
      id: 'u.id',
      documentType: 'u.document_type',
      fileName: 'u.file_name',
      mimeType: 'u.mime_type',
      fileSize: 'u.file_size',
      pendingKey: 'u.pending_key',
    }),
);

/** The member's own, not used yet and not long expired. */
export function openUploadStatement(scope: Scope, memberId: string, pendingKey: string): Statement<Upload> {
  return findOpen(scope, { memberId, pendingKey });
}

const consume = statement<{ id: string }, { id: string }>('kyc_consume_upload', ({ id }) =>
  kycUpload()
    .where({ id, consumed_at: null })
    .update({ consumed_at: raw('now()') })
    .returning('id'),
);

/** False when it was used meanwhile, or is gone. Once for each upload. */
export async function consumeUpload(db: Db, scope: Scope, id: string): Promise<boolean> {
  return (await db.row(consume(scope, { id }))) !== undefined;
}
