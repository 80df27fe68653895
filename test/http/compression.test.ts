/** Large answers of the whole service are compressed, small ones are not. */
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  const { newMember } = apiClient(app, tenant.liveKey);
  for (let n = 0; n < 30; n += 1) await newMember({ name: 'A name of some length, as companies have' });
});
afterAll(() => app.close());

interface Wire {
  status: number | undefined;
  encoding: string | undefined;
  vary: string | undefined;
  length: string | undefined;
  bytes: Buffer;
}

function get(path: string, acceptEncoding?: string): Promise<Wire> {
  const headers = { 'x-tenant-api-key': tenant.liveKey, ...(acceptEncoding ? { 'Accept-Encoding': acceptEncoding } : {}) };
  return new Promise((resolve, reject) => {
    const call = request(app.baseUrl + path, { headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const { 'content-encoding': encoding, 'content-length': length, vary } = answer.headers;
        resolve({ status: answer.statusCode, encoding, vary, length, bytes: Buffer.concat(chunks) });
      });
    });
    call.on('error', reject).end();
  });
}

const LARGE = ['/api/v1/users?limit=30', '/api/v1/openapi.json', '/docs/assets/swagger-ui-bundle.js'];

test.each(LARGE)('%s is compressed for those who take it', async (path) => {
  const whole = await get(path);
  expect(whole).toMatchObject({ status: 200, encoding: undefined, length: String(whole.bytes.length) });
  expect(whole.vary).toContain('Accept-Encoding');
  const brotli = await get(path, 'gzip, br');
  expect(brotli).toMatchObject({ status: 200, encoding: 'br', vary: whole.vary });
  expect(brotliDecompressSync(brotli.bytes).equals(whole.bytes)).toBe(true);
  const gzip = await get(path, 'gzip');
  expect(gzip).toMatchObject({ status: 200, encoding: 'gzip', vary: whole.vary });
  expect(gunzipSync(gzip.bytes).equals(whole.bytes)).toBe(true);
});

test.each([
  ['/api/v1/users?limit=1', 200],
  ['/api/v1/users?limit=0', 400],
  ['/api/v1/nothing', 404],
  ['/healthz', 200],
  ['/docs/try', 200],
])('%s is small and stays as it is', async (path, status) => {
  const answer = await get(path, 'gzip, br');
  expect(answer).toMatchObject({ status, encoding: undefined, length: String(answer.bytes.length) });
  expect(answer.vary).toContain('Accept-Encoding');
});
