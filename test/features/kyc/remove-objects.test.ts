/**
 * Nothing that is not kept stays in the storage, wherever something broke off
 * (docs/specification/reliability.md#f-9, docs/specification/identity.md#erasure).
 */

import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { findDocumentStatement, forgetDocuments } from '../../../src/features/kyc/documents/document-changes-queries.ts';
import { REMOVE_OBJECTS } from '../../../src/features/kyc/documents/remove-objects.ts';
import type { DiskStorage } from '../../../src/vendors/storage/local-disk.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startApiProcess } from '../../support/app/model-process.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { eventually } from '../../support/jobs/test-jobs.ts';
import {
  documentsPath,
  plantKycRecord,
  prepareUpload,
  recordUpload,
  sampleDocument,
  sendDocument,
  sendTo,
} from '../../support/kyc/kyc-documents.ts';
import { type S3Double, startS3Double } from '../../support/vendors/s3-double.ts';

let app: TestApp;
let client: ApiClient;
let scope: Scope;
let sandboxKey: string;
let memberId: string;
let recordId: string;

beforeAll(async () => {
  app = await startTestApp({ JOBS: 'inline', SWEEP_INTERVAL_MS: '50' });
  const tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'SANDBOX' };
  sandboxKey = tenant.sandboxKey;
  client = apiClient(app, sandboxKey);
});
afterAll(() => app.close());
beforeEach(async () => {
  memberId = (await client.newMember()).id;
  recordId = await plantKycRecord(app, scope, memberId);
});

const fileOf = (key: string) => path.join(app.config.DATA_DIR, 'objects', key);
const isThere = (key: string) =>
  stat(fileOf(key)).then(
    () => true,
    () => false,
  );
const rows = (key: string, at = app) =>
  at.database.asSuperuser<{ removing: boolean; again: boolean }>(
    'select removing, writable_until is not null as again from object_removal where storage_key = $1',
    [key],
  );
/** As if so much time had passed for the upload and its removal. */
const pass = (key: string, minutes: number, at = app) =>
  at.database.asSuperuser(
    `with upload as (update kyc_upload set expires_at = expires_at - make_interval(mins => $2) where pending_key = $1)
     update object_removal set remove_after = remove_after - make_interval(mins => $2),
            writable_until = writable_until - make_interval(mins => $2) where storage_key = $1`,
    [key, minutes],
  );
async function sent() {
  const document = sampleDocument();
  const upload = await prepareUpload(client, memberId, document);
  expect((await sendTo(upload, document.content)).status).toBe(200);
  return { document, ...upload };
}
const removed = (key: string) => eventually(async () => (await rows(key)).length === 0 && !(await isThere(key)));

test('an upload that nobody records goes an hour after its URL, and not before', async () => {
  const { filePath } = await sent();
  await pass(filePath, 74);
  await app.runSweep(REMOVE_OBJECTS, scope);
  expect([await isThere(filePath), await rows(filePath)]).toEqual([true, [{ removing: false, again: true }]]);
  await pass(filePath, 2);
  await removed(filePath);
  expect(await isThere(path.dirname(filePath))).toBe(false);
});

test('a recorded document stays; the upload it came from goes', async () => {
  const { filePath, document, ...upload } = await sent();
  const recorded = await recordUpload(client, memberId, { filePath, ...upload }, document);
  expect(recorded.status).toBe(201);
  await pass(filePath, 76);
  await removed(filePath);
  const kept = await app.composition.frames.readOnce(scope, findDocumentStatement(scope, recordId, recorded.body.id as string));
  expect((await readFile(fileOf(kept[0]?.storageKey ?? ''))).equals(document.content)).toBe(true);
  expect(await rows(kept[0]?.storageKey ?? '')).toEqual([]);
});

test('what is forgotten goes at once, and once more what could still be sent', async () => {
  const recorded = await sendDocument(client, memberId);
  const open = await sent();
  const { frames } = app.composition;
  const [kept] = await frames.readOnce(scope, findDocumentStatement(scope, recordId, recorded.body.id as string));
  const key = kept?.storageKey ?? '';
  expect(await frames.write(scope, (db) => forgetDocuments(db, scope, recordId))).toBe(1);
  await removed(key);
  await eventually(async () => !(await isThere(open.filePath)));
  await eventually(async () => (await rows(open.filePath))[0]?.removing === false);
  // The URL is still good for a while: what comes by it is removed when it is not any more.
  expect((await sendTo(open, open.document.content)).status).toBe(200);
  expect((await recordUpload(client, memberId, open, open.document)).status).toBe(400);
  await pass(open.filePath, 76);
  await removed(open.filePath);
  expect(await frames.write(scope, (db) => forgetDocuments(db, scope, recordId))).toBe(0);
});

test('a reset SANDBOX leaves no document behind', async () => {
  const other = await app.newTenant();
  const its = apiClient(app, other.sandboxKey);
  const member = (await its.newMember()).id;
  await plantKycRecord(app, { tenantId: other.tenantId, environment: 'SANDBOX' }, member);
  expect((await sendDocument(its, member)).status).toBe(201);
  const folder = fileOf(`sandbox/${other.tenantId}`);
  expect((await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())).toHaveLength(2);
  const reset = await its.post('/api/v1/sandbox/reset', {});
  expect(reset.status).toBe(200);
  await eventually(() =>
    readdir(folder).then(
      (names) => names.length === 0,
      () => true,
    ),
  );
});

test('an object that is being removed is not recorded any more', async () => {
  const { filePath, document, ...upload } = await sent();
  await app.database.asSuperuser(
    `create function mark_all() returns trigger language plpgsql as $$ begin new.removing := true; return new; end $$;
     create trigger mark_all before insert on object_removal for each row
       when (new.storage_key like '%/documents/%') execute function mark_all()`,
  );
  try {
    const answer = await recordUpload(client, memberId, { filePath, ...upload }, document);
    expect([answer.status, answer.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  } finally {
    await app.database.asSuperuser('drop trigger mark_all on object_removal; drop function mark_all()');
  }
  expect((await recordUpload(client, memberId, { filePath, ...upload }, document)).status).toBe(201);
});

test('a process that is killed between the storage and the record leaves what the sweep finds, and no document', async () => {
  const { document, ...upload } = await sent();
  const doomed = await startApiProcess(app, { FAULT_POINTS: 'document:stored=kill' });
  const { fileName, mimeType, content } = document;
  const body = JSON.stringify({ fileName, mimeType, fileSize: content.length, filePath: upload.filePath });
  const headers = { 'content-type': 'application/json', 'x-tenant-api-key': sandboxKey };
  const lost = fetch(doomed.baseUrl + documentsPath(memberId), { method: 'POST', headers, body });
  await expect(lost).rejects.toThrow();
  expect(await doomed.ended).toBe('SIGKILL');
  const [stray] = await app.database.asSuperuser<{ key: string }>(
    `select storage_key as key from object_removal where storage_key like $1`,
    [`%/${recordId}/documents/%`],
  );
  expect(await isThere(stray?.key ?? '')).toBe(true);
  expect((await recordUpload(client, memberId, upload, document)).status).toBe(201);
  await pass(stray?.key ?? '', 61);
  await removed(stray?.key ?? '');
  const kept = await app.database.asSuperuser<{ storage_key: string }>(
    'select storage_key from kyc_document where kyc_record_id = $1',
    [recordId],
  );
  expect(await Promise.all(kept.map(({ storage_key }) => isThere(storage_key)))).toEqual([true]);
});

test('three hundred objects go in batches', async () => {
  const keys = Array.from({ length: 300 }, (_, n) => `sandbox/many/${n}.jpg`);
  await app.database.asSuperuser(
    `insert into object_removal (tenant_id, environment, storage_key, remove_after) select $1, $2, unnest($3::text[]), now()`,
    [scope.tenantId, scope.environment, keys],
  );
  const left = async () =>
    (
      await app.database.asSuperuser<{ n: string }>(
        "select count(*) as n from object_removal where storage_key like 'sandbox/many/%'",
      )
    )[0]?.n;
  await eventually(async () => (await left()) === '0');
});

test('an object that cannot be removed holds up none of the others', async () => {
  const keys = Array.from({ length: 8 }, (_, n) => `sandbox/stuck/${n}.jpg`);
  // A folder in the place of the second one cannot be unlinked.
  await mkdir(path.join(fileOf('sandbox/stuck/1.jpg'), 'inside'), { recursive: true });
  await app.database.asSuperuser(
    `insert into object_removal (tenant_id, environment, storage_key, remove_after) select $1, $2, unnest($3::text[]), now()`,
    [scope.tenantId, scope.environment, keys],
  );
  const left = async () =>
    (
      await app.database.asSuperuser<{ storage_key: string }>(
        "select storage_key from object_removal where storage_key like 'sandbox/stuck/%'",
      )
    ).map((row) => row.storage_key);
  await eventually(async () => (await left()).join() === 'sandbox/stuck/1.jpg');
  await app.database.asSuperuser("delete from object_removal where storage_key like 'sandbox/stuck/%'");
});

test('what a killed process was receiving goes with the next removal, an hour after', async () => {
  const incoming = path.join(app.config.DATA_DIR, 'objects', '.incoming');
  await mkdir(incoming, { recursive: true });
  const hours = async (name: string, ago: number) => {
    await writeFile(path.join(incoming, name), 'papers');
    const at = new Date(Date.now() - ago * 3_600_000);
    await utimes(path.join(incoming, name), at, at);
  };
  await hours('stale', 2);
  await hours('fresh', 0.5);
  await (app.composition.storage as DiskStorage).remove([]);
  expect((await readdir(incoming)).filter((name) => name === 'stale' || name === 'fresh')).toEqual(['fresh']);
});

test('while the bucket is away nothing is lost and no dead letter is left', async () => {
  const s3: S3Double = await startS3Double();
  const bucket = await startTestApp({
    JOBS: 'inline',
    SWEEP_INTERVAL_MS: '50',
    OBJECT_STORAGE: 's3',
    S3_BUCKET: 'papers',
    S3_ENDPOINT: s3.url,
    S3_FORCE_PATH_STYLE: 'true',
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  });
  try {
    const tenant = await bucket.newTenant();
    const its = apiClient(bucket, tenant.liveKey);
    const { id } = await its.newMember();
    const record = await plantKycRecord(bucket, { tenantId: tenant.tenantId, environment: 'LIVE' }, id);
    const document = sampleDocument();
    const upload = await prepareUpload(its, id, document);
    expect((await sendTo(upload, document.content)).status).toBe(200);
    s3.failWith(503);
    expect((await recordUpload(its, id, upload, document)).status).toBe(503);
    s3.failWith(undefined);
    const recorded = await recordUpload(its, id, upload, document);
    expect(recorded.status).toBe(201);
    expect([...s3.objects.keys()]).toEqual([
      `/papers/${upload.filePath}`,
      expect.stringMatching(new RegExp(`^/papers/live/${tenant.tenantId}/kyc/${id}/${record}/documents/`)),
    ]);
    s3.failWith(503);
    await pass(upload.filePath, 76, bucket);
    const logged = () => bucket.logLines.some((line) => line.includes('due again in five minutes'));
    await eventually(() => Promise.resolve(logged()));
    expect(await rows(upload.filePath, bucket)).toEqual([{ removing: true, again: true }]);
    s3.failWith(undefined);
    await pass(upload.filePath, 6, bucket);
    await eventually(async () => (await rows(upload.filePath, bucket)).length === 0);
    expect([...s3.objects.keys()]).toEqual([expect.stringContaining('/documents/')]);
    const letters = await bucket.database.asSuperuser("select 1 from pgboss.job where name = 'dead-letters' or state = 'failed'");
    expect(letters).toEqual([]);
  } finally {
    await bucket.close();
    await s3.close();
  }
});
