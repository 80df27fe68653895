/**
 * A full disk: an upload is refused, nothing of it stays, and everything else goes on
 * (docs/specification/reliability.md#f-9). Needs root, to mount one.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import {
  plantKycRecord,
  prepareUpload,
  recordUpload,
  sampleDocument,
  sendDocument,
  sendTo,
} from '../support/kyc/kyc-documents.ts';
import { pngOf } from '../support/kyc/sample-documents.ts';

const asRoot = (command: string, ...args: string[]) =>
  process.getuid?.() === 0 ? execFileSync(command, args) : execFileSync('sudo', [command, ...args]);

let disk: string;
let app: TestApp;
let client: ApiClient;
let scope: Scope;
let memberId: string;
let recordId: string;

beforeAll(async () => {
  disk = await mkdtemp(path.join(tmpdir(), 'svc-disk-'));
  asRoot('mount', '-t', 'tmpfs', '-o', 'size=4m,mode=0777', 'tmpfs', disk);
  app = await startTestApp({ DATA_DIR: disk });
  const tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
  memberId = (await client.newMember()).id;
  recordId = await plantKycRecord(app, scope, memberId);
});
afterAll(async () => {
  await app.close();
  asRoot('umount', disk);
  await rm(disk, { recursive: true });
});

const freeBytes = async () => {
  const { bavail, bsize } = await statfs(disk);
  return bavail * bsize;
};
const countDocuments = async () =>
  (
    await app.database.asSuperuser<{ n: string }>('select count(*) as n from kyc_document where kyc_record_id = $1', [recordId])
  )[0]?.n;

test('refuses the upload with 503, keeps nothing of it, and reads on', async () => {
  const first = await sendDocument(client, memberId);
  expect(first.status).toBe(201);
  const large = sampleDocument({
    content: pngOf({ extra: [['tEXt', Buffer.alloc(6_000_000)]] }),
    mimeType: 'image/png',
    fileName: 'large.png',
  });
  const upload = await prepareUpload(client, memberId, large);
  const free = await freeBytes();
  const answer = await sendTo(upload, large.content);
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(await freeBytes()).toBe(free);
  expect(await readdir(path.join(disk, 'objects', '.incoming'))).toEqual([]);
  expect((await recordUpload(client, memberId, upload, large)).status).toBe(400);
  expect(app.logLines.some((line) => line.includes('ENOSPC') && line.includes('"code":"SERVICE_UNAVAILABLE"'))).toBe(true);
  expect((await client.get('/api/v1/users?limit=1')).status).toBe(200);
  expect((await sendDocument(client, memberId)).status).toBe(201);
});

test('a disk that fills up between the upload and the record: 503, and the same request later', async () => {
  const document = sampleDocument({
    content: pngOf({ extra: [['tEXt', Buffer.alloc(1_000_000)]] }),
    mimeType: 'image/png',
    fileName: 'scan.png',
  });
  const upload = await prepareUpload(client, memberId, document);
  expect((await sendTo(upload, document.content)).status).toBe(200);
  const filler = path.join(disk, 'filler');
  await writeFile(filler, Buffer.alloc((await freeBytes()) - 100_000));
  const before = await countDocuments();
  const answer = await recordUpload(client, memberId, upload, document);
  expect([answer.status, answer.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(await countDocuments()).toBe(before);
  await rm(filler);
  expect((await recordUpload(client, memberId, upload, document)).status).toBe(201);
});
