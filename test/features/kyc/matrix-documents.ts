/** The access matrix of members' documents. */
import { randomUUID } from 'node:crypto';
import { apiClient } from '../../support/app/api-client.ts';
import { plantKycRecord, prepareUpload, sampleDocument, sendTo } from '../../support/kyc/kyc-documents.ts';
import { jpegOf } from '../../support/kyc/sample-documents.ts';
import { invalid, type MatrixRequest, type MatrixRow, tooLong, uuidReference } from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';

const namedOf = (side: Side) => ({ fileName: `${side.canaries[0]}.jpg`, mimeType: 'image/jpeg' });

/** Each of the side's members may send documents, as if for the first time. */
async function openRecords({ app }: World, side: Side): Promise<void> {
  for (const { id } of [side.root, side.child, side.grandchild, side.sibling]) {
    const recordId = await plantKycRecord(app, side, id);
    await app.database.asSuperuser('delete from kyc_upload where kyc_record_id = $1', [recordId]);
  }
}

/** Of a member made for it. */
async function sentUpload(world: World, side: Side): Promise<{ userId: string; body: Record<string, unknown> }> {
  const client = apiClient(world.app, side.key);
  const { id } = await client.newMember();
  await plantKycRecord(world.app, side, id);
  const document = sampleDocument({ fileName: namedOf(side).fileName });
  const upload = await prepareUpload(client, id, document);
  await sendTo(upload, document.content);
  const { fileName, mimeType, content } = document;
  return { userId: id, body: { fileName, mimeType, fileSize: content.length, filePath: upload.filePath } };
}

const CONTENT = jpegOf();
const keyOf = ({ environment, tenantId, root }: Side) =>
  `${environment.toLowerCase()}/${tenantId}/kyc/${root.id}/${root.id}/pending/${root.id}.jpg`;
const bodyOf = (side: Side) => ({ ...namedOf(side), fileSize: CONTENT.length, filePath: keyOf(side), documentType: 'selfie' });

/** What `bodyOf` names was sent, and not recorded yet. */
async function sendAgain(world: World, side: Side): Promise<void> {
  await openRecords(world, side);
  const { database, composition } = world.app;
  await database.asSuperuser('delete from kyc_document d using kyc_record k where k.id = d.kyc_record_id and k.member_id = $1', [
    side.root.id,
  ]);
  await database.asSuperuser(
    `insert into kyc_upload (tenant_id, environment, kyc_record_id, file_name, mime_type, pending_key, expires_at)
     select tenant_id, environment, id, $2, $3, $4, now() + interval '900 seconds' from kyc_record where member_id = $1`,
    [side.root.id, namedOf(side).fileName, namedOf(side).mimeType, keyOf(side)],
  );
  await composition.storage.write(keyOf(side), CONTENT, namedOf(side).mimeType);
}

export const kycDocumentRows: Record<string, MatrixRow> = {
  createKycUpload: {
    request: (side) => ({ path: { userId: side.root.id }, body: namedOf(side) }),
    async fresh(side, world): Promise<MatrixRequest> {
      await openRecords(world, side);
      return { path: { userId: side.root.id }, body: namedOf(side) };
    },
    status: 200,
    restore: openRecords,
    references: [
      {
        at: 'path.userId',
        object: (_world, side) => side.root.id,
        ...uuidReference,
        own: { status: 200 },
        foreign: { status: 404, code: 'USER_NOT_FOUND' },
      },
    ],
  },
  recordKycDocument: {
    request: (side) => ({ path: { userId: side.root.id }, body: bodyOf(side) }),
    async fresh(side, world): Promise<MatrixRequest> {
      await openRecords(world, side);
      const { userId, body } = await sentUpload(world, side);
      return { path: { userId }, body };
    },
    status: 201,
    restore: sendAgain,
    neverByChance: true,
    // The upload is another member's.
    memberStatus: 400,
    references: [
      {
        at: 'path.userId',
        async object(world, side) {
          await openRecords(world, side);
          return side.root.id;
        },
        ...uuidReference,
        own: invalid,
        foreign: { status: 404, code: 'USER_NOT_FOUND' },
      },
      {
        at: 'body.filePath',
        object: async (world, side) => String((await sentUpload(world, side)).body['filePath']),
        absent: () => `live/${randomUUID()}/kyc/${randomUUID()}/${randomUUID()}/pending/${randomUUID()}.jpg`,
        malformed: tooLong(500),
        own: invalid,
        foreign: invalid,
      },
    ],
  },
};
