/** Our own signed URLs: what each is good for, and for nothing else (docs/specification/reliability.md#upload-attacks). */

import { readdir, readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { kyc } from '../../../src/features.ts';
import { MAX_DOCUMENT_BYTES } from '../../../src/vendors/storage/object-storage.ts';
import { createUploadLinks } from '../../../src/vendors/storage/upload-links.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import {
  documentsPath,
  plantKycRecord,
  prepareUpload,
  sampleDocument,
  sendDocument,
  sendTo,
  type UploadBody,
} from '../../support/kyc/kyc-documents.ts';

let app: TestApp;
let client: ApiClient;
let scope: Scope;
let memberId: string;
let upload: UploadBody;
const document = sampleDocument();
const { content } = document;

beforeAll(async () => {
  app = await startTestApp();
  const tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());
beforeEach(async () => {
  memberId = (await client.newMember()).id;
  await plantKycRecord(app, scope, memberId);
  upload = await prepareUpload(client, memberId, document);
});

const fileOf = (key: string) => path.join(app.config.DATA_DIR, 'objects', key);
const isThere = (key: string) =>
  stat(fileOf(key)).then(
    () => true,
    () => false,
  );
const send = (changes: { url?: string; headers?: Record<string, string>; body?: Buffer }) =>
  sendTo(
    { ...upload, uploadUrl: changes.url ?? upload.uploadUrl, headers: changes.headers ?? upload.headers },
    changes.body ?? content,
  );
const codeOf = async (answer: Response) => ((await answer.json()) as { code: string }).code;

/** A request as it is written here, byte for byte. */
function raw(target: string, lines: string[], body = ''): Promise<string> {
  const { hostname, port, pathname, search } = new URL(target);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
    socket.write([`PUT ${pathname}${search} HTTP/1.1`, 'Host: x', 'Connection: close', ...lines, '', body].join('\r\n'));
  });
}

describe('an upload URL', () => {
  test('is below /uploads, names its key and how long it is good, and takes the bytes', async () => {
    const { uploadUrl, filePath, ...rest } = upload;
    expect(rest).toEqual({ expiresInSeconds: 900, method: 'PUT', headers: { 'Content-Type': 'image/jpeg' } });
    expect(filePath).toMatch(new RegExp(`^live/${scope.tenantId}/kyc/${memberId}/[0-9a-f-]{36}/pending/[0-9a-f-]{36}\\.jpg$`));
    expect(uploadUrl.startsWith(`http://localhost:${new URL(app.baseUrl).port}/uploads/${filePath}?`)).toBe(true);
    const answer = await send({});
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(answer.headers.get('x-environment')).toBe('LIVE');
    const kept = await stat(fileOf(filePath));
    expect([kept.size, kept.mode & 0o777]).toEqual([content.length, 0o600]);
    expect((await stat(path.dirname(fileOf(filePath)))).mode & 0o077).toBe(0);
  });

  test('refuses another type or length, and a body packed or of no length', async () => {
    const longer = Buffer.concat([content, Buffer.alloc(1)]);
    for (const [changes, field] of [
      [{ headers: { 'Content-Type': 'text/html' } }, 'Content-Type'],
      [{ headers: { 'Content-Type': 'image/jpeg; charset=utf-8' } }, 'Content-Type'],
      [{ headers: {} }, 'Content-Type'],
      [{ body: longer }, 'Content-Length'],
      [{ body: content.subarray(1) }, 'Content-Length'],
      [{ body: Buffer.alloc(0) }, 'Content-Length'],
      [{ headers: { ...upload.headers, 'Content-Encoding': 'gzip' } }, 'Content-Encoding'],
    ] as const) {
      const answer = await send(changes);
      expect([answer.status, field]).toEqual([400, field]);
      const body = (await answer.json()) as { code: string; details: { fields: { field: string }[] } };
      expect([body.code, body.details.fields.map((one) => one.field)]).toEqual(['VALIDATION_ERROR', [field]]);
    }
    const chunked = await raw(
      upload.uploadUrl,
      ['Content-Type: image/jpeg', 'Transfer-Encoding: chunked'],
      '1\r\nx\r\n0\r\n\r\n',
    );
    expect(chunked).toMatch(/^HTTP\/1.1 400 /);
    expect(await isThere(upload.filePath)).toBe(false);
  });

  test('refuses any change to what it grants, with one answer for all', async () => {
    const other = await prepareUpload(client, memberId, sampleDocument({ content }));
    const url = (change: (url: URL) => void): string => {
      const changed = new URL(upload.uploadUrl);
      change(changed);
      return changed.href;
    };
    const stranger = createUploadLinks(Buffer.alloc(32, 7));
    const forged = stranger.sign({ method: 'PUT', key: upload.filePath, mimeType: 'image/jpeg', size: content.length }, 900);
    const urls = [
      url((one) => (one.pathname = `/uploads/${other.filePath}`)),
      url((one) => (one.pathname = `/uploads/${upload.filePath.replace('pending', 'documents')}`)),
      url((one) => (one.pathname = `/uploads/${upload.filePath.replace('live/', 'sandbox/')}`)),
      url((one) => (one.pathname = '/uploads/..%2f..%2f..%2fetc%2fpasswd')),
      url((one) => (one.pathname = `/uploads/${upload.filePath.replaceAll('/', '%2F')}/..%2f..%2fx.jpg`)),
      url((one) => one.searchParams.set('expires', String(Number(one.searchParams.get('expires')) + 1))),
      url((one) => one.searchParams.set('expires', '1e9')),
      url((one) => one.searchParams.set('size', '1')),
      url((one) => one.searchParams.delete('size')),
      url((one) => one.searchParams.set('type', 'text/html')),
      url((one) => one.searchParams.delete('signature')),
      url((one) => one.searchParams.set('signature', '')),
      url((one) => one.searchParams.set('signature', new URL(other.uploadUrl).searchParams.get('signature') ?? '')),
      new URL(forged, upload.uploadUrl).href,
      new URL(`/uploads/${upload.filePath}`, upload.uploadUrl).href,
    ];
    const answers = new Set<string>();
    for (const one of urls) {
      const answer = await send({ url: one });
      expect([one, answer.status]).toEqual([one, 401]);
      answers.add(await answer.text());
    }
    expect([...answers].map((text) => (JSON.parse(text) as { code: string }).code)).toEqual(['INVALID_SIGNATURE']);
    for (const key of [upload.filePath, other.filePath]) expect(await isThere(key)).toBe(false);
    const twice = await send({ url: `${upload.uploadUrl}&size=${content.length}` });
    expect(twice.status).toBe(400);
  });

  test('reads nothing, is removed by nothing, and knows no other method', async () => {
    await send({});
    expect((await fetch(upload.uploadUrl)).status).toBe(401);
    for (const method of ['HEAD', 'POST', 'DELETE', 'OPTIONS', 'PATCH']) {
      const answer = await fetch(upload.uploadUrl, { method });
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'GET, PUT']);
    }
    expect(await isThere(upload.filePath)).toBe(true);
  });

  test('ends with its time', async () => {
    const links = createUploadLinks(app.config.secrets.apiKeyPepper, () => Date.now() - 901_000);
    const late = links.sign({ method: 'PUT', key: upload.filePath, mimeType: 'image/jpeg', size: content.length }, 900);
    const answer = await send({ url: new URL(late, upload.uploadUrl).href });
    expect([answer.status, await codeOf(answer)]).toEqual([401, 'INVALID_SIGNATURE']);
    const { tenantId } = scope;
    expect(
      await app.database.asSuperuser(
        `select o.remove_after - u.expires_at = interval '1 hour' as "anHourLater", o.writable_until = o.remove_after as same
         from object_removal o join kyc_upload u on u.pending_key = o.storage_key
         where u.tenant_id = $1 and u.pending_key = $2`,
        [tenantId, upload.filePath],
      ),
    ).toEqual([{ anHourLater: true, same: true }]);
  });

  test('without a size takes up to 10 MiB and not a byte more, which it does not wait for', async () => {
    const open = await prepareUpload(client, memberId, document, { sized: false });
    expect(new URL(open.uploadUrl).searchParams.has('size')).toBe(false);
    const over = await raw(open.uploadUrl, ['Content-Type: image/jpeg', `Content-Length: ${MAX_DOCUMENT_BYTES + 1}`]);
    expect(over).toMatch(/^HTTP\/1.1 413 /);
    expect(over).toContain('"BODY_TOO_LARGE"');
    expect(await isThere(open.filePath)).toBe(false);
    expect((await sendTo(open, Buffer.alloc(MAX_DOCUMENT_BYTES))).status).toBe(200);
    expect((await stat(fileOf(open.filePath))).size).toBe(MAX_DOCUMENT_BYTES);
  });

  test('leaves nothing of a body that breaks off', async () => {
    const { hostname, port, pathname, search } = new URL(upload.uploadUrl);
    await new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        const head = `PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Type: image/jpeg\r\nContent-Length: ${content.length}\r\n\r\n`;
        socket.write(head);
        socket.write(content.subarray(0, 20), () => socket.destroy());
      });
      socket.on('close', () => resolve());
      socket.on('error', reject);
    });
    await expect.poll(async () => readdir(fileOf('.incoming'))).toEqual([]);
    expect(await isThere(upload.filePath)).toBe(false);
    expect((await send({})).status).toBe(200);
  });

  test('sent twice at once leaves one of the two, whole', async () => {
    const bodies = [Buffer.alloc(content.length, 1), Buffer.alloc(content.length, 2)];
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => send({ body: bodies[n % 2] ?? content })));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const stored = await readFile(fileOf(upload.filePath));
    expect(bodies.some((body) => body.equals(stored))).toBe(true);
    expect(await readdir(fileOf('.incoming'))).toEqual([]);
  });

  test('its signature is in no log line, and no path of the machine in an answer', async () => {
    await send({});
    const signature = new URL(upload.uploadUrl).searchParams.get('signature') ?? '';
    expect(signature.length).toBeGreaterThan(40);
    expect(app.logLines.join('\n')).not.toContain(signature);
    const lost = await fetch(upload.uploadUrl.replace('signature=', 'signature=x'), {
      method: 'PUT',
      headers: upload.headers,
      body: 'x',
    });
    expect(await lost.text()).not.toContain(app.config.DATA_DIR);
  });
});

describe('a download URL', () => {
  test('saves what was recorded under its name, shows nothing, and is good for that alone', async () => {
    const recorded = await sendDocument(client, memberId, sampleDocument({ content, fileName: 'Müllers "Pass".jpg' }));
    expect(recorded.status).toBe(201);
    const [row] = await app.database.asSuperuser<{ storage_key: string }>('select storage_key from kyc_document where id = $1', [
      recorded.body.id,
    ]);
    const stored = { storageKey: row?.storage_key ?? '', fileName: recorded.body.fileName as string };
    const { url, expiresInSeconds } = await app.composition.offer(kyc).documents.createDownloadUrl(stored);
    expect(expiresInSeconds).toBe(60);
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-disposition': `attachment; filename="Mu_llers _Pass_.jpg"; filename*=UTF-8''M%C3%BCllers%20%22Pass%22.jpg`,
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-length': String(content.length),
    });
    const put = await fetch(url, { method: 'PUT', headers: upload.headers, body: new Uint8Array(content) });
    expect(put.status).toBe(401);
    expect((await fetch(url.replace('name=', 'name=x'))).status).toBe(401);
    expect((await fetch(url.replace(stored.storageKey, upload.filePath))).status).toBe(401);
    const gone = await app.composition.offer(kyc).documents.createDownloadUrl({ ...stored, storageKey: upload.filePath });
    expect((await fetch(gone.url)).status).toBe(404);
  });
});

test('where documents are in a bucket there is nothing below /uploads', async () => {
  const other = await startTestApp({ OBJECT_STORAGE: 's3', S3_BUCKET: 'papers' }, app.database);
  try {
    const answer = await fetch(upload.uploadUrl.replace(app.baseUrl.split(':')[2] ?? '', new URL(other.baseUrl).port), {
      method: 'PUT',
    });
    expect(answer.status).toBe(404);
  } finally {
    await other.close();
  }
});

test('the address in front of a path is PUBLIC_BASE_URL where that is set', async () => {
  const other = await startTestApp({ PUBLIC_BASE_URL: 'https://api.example.com/members/' }, app.database);
  try {
    const tenant = await other.newTenant();
    const its = apiClient(other, tenant.sandboxKey);
    const { id } = await its.newMember();
    await plantKycRecord(other, { tenantId: tenant.tenantId, environment: 'SANDBOX' }, id);
    const answer = await its.post(`${documentsPath(id)}/upload-url`, { fileName: 'a.png', mimeType: 'image/png' });
    expect(answer.body.uploadUrl).toContain(`https://api.example.com/members/uploads/sandbox/${tenant.tenantId}/kyc/${id}/`);
  } finally {
    await other.close();
  }
});
