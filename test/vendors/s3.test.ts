/**
 * What the signed URLs bind, against a server that works every signature out
 * (docs/specification/verification.md#signed-urls).
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ObjectStorage } from '../../src/vendors/storage/object-storage.ts';
import { createS3Storage, type S3Settings } from '../../src/vendors/storage/s3.ts';
import { type S3Double, startS3Double } from '../support/vendors/s3-double.ts';

let s3: S3Double;
let storage: ObjectStorage;
const open = (settings: Partial<S3Settings> = {}) =>
  createS3Storage({
    bucket: 'papers',
    region: 'eu-central-1',
    endpoint: s3.url,
    credentials: { accessKeyId: s3.accessKeyId, secretAccessKey: s3.secretAccessKey },
    forcePathStyle: true,
    encryption: undefined,
    ...settings,
  });
beforeAll(async () => {
  s3 = await startS3Double();
  storage = open();
});
afterEach(() => s3.failWith(undefined));
afterAll(async () => {
  storage.close();
  await s3.close();
});

const content = Buffer.from('%PDF-1.7 hello');
const terms = { key: 'live/a/pending/1.pdf', mimeType: 'application/pdf', size: content.length, expiresInSeconds: 900 };
const signedHeaders = (url: string) => new URL(url).searchParams.get('X-Amz-SignedHeaders');
const put = async (url: string, headers: Record<string, string>, body = content) =>
  (await fetch(url, { method: 'PUT', headers, body: new Uint8Array(body) })).status;

describe('an upload URL', () => {
  test('signs type and length, and no checksum of no bytes', async () => {
    const { url, method, headers } = await storage.createUpload(terms);
    expect(method).toBe('PUT');
    expect(headers).toEqual({ 'Content-Type': 'application/pdf' });
    expect(signedHeaders(url)).toBe('content-length;content-type;host');
    expect(url).toContain('X-Amz-Expires=900');
    expect(url.toLowerCase()).not.toMatch(/checksum|crc32|sdk-checksum/);
    expect(await put(url, headers)).toBe(200);
    expect(s3.objects.get('/papers/live/a/pending/1.pdf')?.body.equals(content)).toBe(true);
  });

  test('without a size signs the type alone', async () => {
    const { url, headers } = await storage.createUpload({ ...terms, size: undefined });
    expect(signedHeaders(url)).toBe('content-type;host');
    expect(await put(url, headers, Buffer.alloc(3))).toBe(200);
  });

  test('is good for nothing else', async () => {
    const { url, headers } = await storage.createUpload(terms);
    expect(await put(url, { 'Content-Type': 'text/html' })).toBe(403);
    expect(await put(url, {})).toBe(403);
    expect(await put(url, headers, Buffer.concat([content, content]))).toBe(403);
    expect(await put(url.replace('/1.pdf', '/2.pdf'), headers)).toBe(403);
    expect(await put(url.replace('X-Amz-Expires=900', 'X-Amz-Expires=9000'), headers)).toBe(403);
    expect((await fetch(url)).status).toBe(403);
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(403);
  });

  test('demands the encryption that is set, of the sender too', async () => {
    const encrypted = open({ encryption: 'aws:kms' });
    const { url, headers } = await encrypted.createUpload({ ...terms, key: 'kms.pdf' });
    expect(signedHeaders(url)).toBe('content-length;content-type;host;x-amz-server-side-encryption');
    expect(headers).toEqual({ 'Content-Type': 'application/pdf', 'x-amz-server-side-encryption': 'aws:kms' });
    expect(new URL(url).searchParams.has('x-amz-server-side-encryption')).toBe(false);
    expect(await put(url, { 'Content-Type': 'application/pdf' })).toBe(403);
    expect(await put(url, headers)).toBe(200);
    await encrypted.write('kept.pdf', content, 'application/pdf');
    expect(s3.objects.get('/papers/kept.pdf')?.headers).toEqual({
      'content-type': 'application/pdf',
      'x-amz-server-side-encryption': 'aws:kms',
    });
    encrypted.close();
  });
});

describe('a download URL', () => {
  test.each([
    ['passport.jpg', `attachment; filename="passport.jpg"; filename*=UTF-8''passport.jpg`],
    [
      'a"b\r\nSet-Cookie: x=1.pdf',
      `attachment; filename="a_b__Set-Cookie_ x_1.pdf"; filename*=UTF-8''a%22b%0D%0ASet-Cookie%3A%20x%3D1.pdf`,
    ],
    [
      `Ausweis Müller's (1)*.png`,
      `attachment; filename="Ausweis Mu_ller_s _1__.png"; filename*=UTF-8''Ausweis%20M%C3%BCller%27s%20%281%29%2A.png`,
    ],
    ['護照.jpg', `attachment; filename="__.jpg"; filename*=UTF-8''%E8%AD%B7%E7%85%A7.jpg`],
    ['../../etc/passwd', `attachment; filename=".._.._etc_passwd"; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd`],
    ['lone \ud800 half', `attachment; filename="lone _ half"; filename*=UTF-8''lone%20%EF%BF%BD%20half`],
  ])('saves %j and shows nothing', async (fileName, disposition) => {
    await storage.write('kept/1.jpg', content, 'image/jpeg');
    const url = await storage.createDownloadUrl({ key: 'kept/1.jpg', fileName, expiresInSeconds: 60 });
    expect(url).toContain('X-Amz-Expires=60');
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toBe(disposition);
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
    expect((await fetch(url.replace('octet-stream', 'x-html'))).status).toBe(403);
    expect((await fetch(url.replace('kept', 'live'))).status).toBe(403);
  });
});

describe('an object', () => {
  test('is written, read and removed; what is not there is no fault', async () => {
    expect(await storage.read('none')).toBeUndefined();
    await storage.remove(['none']);
    const keys = Array.from({ length: 25 }, (_, n) => `many/${n}.pdf`);
    for (const key of keys) await storage.write(key, content, 'application/pdf');
    const stored = await storage.read('many/7.pdf');
    expect(stored).toMatchObject({ size: content.length, mimeType: 'application/pdf' });
    expect(Buffer.concat(await (stored?.content.toArray() as Promise<Buffer[]>)).equals(content)).toBe(true);
    await storage.remove(keys);
    for (const key of keys) expect(await storage.read(key)).toBeUndefined();
  });

  test('an outage is 503, asked three times, and says nothing of the storage', async () => {
    s3.failWith(503);
    s3.requests.length = 0;
    const fault = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 };
    await expect(storage.read('many/7.pdf')).rejects.toMatchObject({
      ...fault,
      message: 'The document storage cannot be read now',
    });
    expect(s3.requests).toEqual(Array.from({ length: 3 }, () => 'GET /papers/many/7.pdf'));
    await expect(storage.write('x', content, 'application/pdf')).rejects.toMatchObject(fault);
    await expect(storage.remove(['x'])).rejects.toMatchObject(fault);
  });

  test('so is a wrong secret, and a service that is not there', async () => {
    const wrong = open({ credentials: { accessKeyId: s3.accessKeyId, secretAccessKey: 'wrong' } });
    await expect(wrong.read('x')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const away = open({ endpoint: 'http://127.0.0.1:1' });
    await expect(away.write('x', content, 'application/pdf')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    wrong.close();
    away.close();
  });
});

describe('an object in pieces', () => {
  const MEGABYTE = 1024 * 1024;
  async function* pieces(sizes: readonly number[], onPiece: (n: number) => void = () => undefined): AsyncGenerator<Buffer> {
    for (const [n, size] of sizes.entries()) {
      onPiece(n);
      yield Buffer.alloc(size, n);
    }
  }
  const whole = (sizes: readonly number[]) => Buffer.concat(sizes.map((size, n) => Buffer.alloc(size, n)));

  test('that is small is sent at once', async () => {
    s3.requests.length = 0;
    await storage.writePieces('small.csv', pieces([3, 0, 4]), 'text/csv');
    expect(s3.requests).toEqual(['PUT /papers/small.csv']);
    expect(s3.objects.get('/papers/small.csv')).toEqual({
      body: whole([3, 0, 4]),
      headers: { 'content-type': 'text/csv' },
    });
    await storage.writePieces('empty.csv', pieces([]), 'text/csv');
    expect(s3.objects.get('/papers/empty.csv')?.body.length).toBe(0);
  });

  test.each([
    ['with a rest', [3, 3, 3, 3, 3, 3, 1].map((size) => size * MEGABYTE), 3],
    ['without one', [8, 8].map((size) => size * MEGABYTE), 2],
    ['of one part', [8 * MEGABYTE], 1],
  ])('that is large is sent in parts, %s', async (_name, sizes, parts) => {
    const encrypted = open({ encryption: 'AES256' });
    s3.requests.length = 0;
    await encrypted.writePieces('large.csv', pieces(sizes), 'text/csv');
    expect(s3.requests.filter((request) => request.startsWith('PUT'))).toHaveLength(parts);
    const stored = s3.objects.get('/papers/large.csv');
    expect(stored?.body.equals(whole(sizes))).toBe(true);
    expect(stored?.headers).toEqual({ 'content-type': 'text/csv', 'x-amz-server-side-encryption': 'AES256' });
    expect(s3.uploads.size).toBe(0);
    encrypted.close();
  });

  test('whose source breaks off is not there, and says why', async () => {
    const fault = new Error('the source broke');
    const breaksAt = (at: number) => (n: number) => {
      if (n === at) throw fault;
    };
    for (const at of [0, 2]) {
      await expect(
        storage.writePieces(
          'broken.csv',
          pieces(
            [9, 9, 9].map((n) => n * MEGABYTE),
            breaksAt(at),
          ),
          'text/csv',
        ),
      ).rejects.toBe(fault);
    }
    expect(s3.objects.has('/papers/broken.csv')).toBe(false);
    expect(s3.uploads.size).toBe(0);
  });

  test('that the service refuses in the middle is not there: 503', async () => {
    const written = storage.writePieces(
      'refused.csv',
      pieces(
        [9, 9, 9].map((n) => n * MEGABYTE),
        (n) => s3.failWith(n === 2 ? 500 : undefined),
      ),
      'text/csv',
    );
    await expect(written).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(s3.objects.has('/papers/refused.csv')).toBe(false);
  });

  test('is asked for as it is taken', async () => {
    let most = 0;
    await storage.writePieces(
      'paced.csv',
      pieces(
        Array.from({ length: 12 }, () => 4 * MEGABYTE),
        (n) => {
          const sent = [...s3.uploads.values()]
            .flatMap(({ parts }) => [...parts.values()])
            .reduce((sum, part) => sum + part.length, 0);
          most = Math.max(most, n * 4 * MEGABYTE - sent);
        },
      ),
      'text/csv',
    );
    expect(most).toBeLessThanOrEqual(12 * MEGABYTE);
  });
});
