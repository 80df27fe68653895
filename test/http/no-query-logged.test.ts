/**
 * What stands in the query of an address is in no log line: emails, names and codes do
 * (docs/operations.md). Each request carries a canary, and the log is searched for all of them.
 */
import { randomUUID } from 'node:crypto';
import express from 'express';
import supertest from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { errorHandler } from '../../src/http/error-handler.ts';
import { createLogger, requestLog } from '../../src/http/request-log.ts';
import { allowHosts, plantLink } from '../features/referrals/plant-link.ts';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { sendWire } from '../support/app/raw-http.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';

const CANARY = `canary${randomUUID().replaceAll('-', '')}`;
/** Also in what an email becomes in an address. */
const QUERY = `email=${CANARY}%40leak.example&click_id=ck_${CANARY}&${CANARY}=1&cursor=${CANARY}`;
const REFERER = `https://blog.example/post?q=${CANARY}`;

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

/** Of the requests since the test began; their lines are written when their connections are done with them. */
async function linesOf(count: number, before: number): Promise<string[]> {
  const lines = () => app.logLines.slice(before).filter((line) => line.includes('"msg":"request"'));
  await expect.poll(() => lines().length).toBeGreaterThanOrEqual(count);
  return app.logLines.slice(before);
}
afterEach(() => expect(app.logLines.filter((line) => line.toLowerCase().includes(CANARY))).toEqual([]));

test('of any operation that reads, with a key and without, whatever it answers', async () => {
  const before = app.logLines.length;
  const reads = app.composition.app.operations.filter(({ method }) => method === 'get');
  expect(reads.length).toBeGreaterThan(40);
  const statuses = new Set<number>();
  for (const { path } of reads) {
    const address = `${path.replaceAll(/\{[^}]+\}/g, randomUUID())}?${QUERY}`;
    statuses.add((await app.http.get(address).set({ 'x-tenant-api-key': tenant.liveKey, referer: REFERER })).status);
    statuses.add((await app.http.get(address).set('referer', REFERER)).status);
  }
  expect([...statuses]).toEqual(expect.arrayContaining([400, 401]));
  const lines = await linesOf(reads.length * 2, before);
  expect(lines.join('\n')).toContain('"path":"/api/v1/commissions"');
});

test('of lists that take the query, and of answers that fail by it', async () => {
  const before = app.logLines.length;
  await client.newMember({ email: `${CANARY}@leak.example`, name: CANARY });
  const found = await client.get(`/api/v1/members?name=${CANARY}`);
  expect([found.status, found.body.data.length]).toEqual([200, 1]);
  expect((await client.get(`/api/v1/members?email=${CANARY}%40leak.example&limit=1`)).status).toBe(200);
  expect((await client.get(`/api/v1/referrals/resolve?referral_code=${CANARY}`)).status).toBeGreaterThanOrEqual(400);
  expect((await client.get(`/api/v1/members?cursor=${CANARY}`)).status).toBe(400);
  expect((await client.get(`/api/v1/members?name=${CANARY}%`)).status).toBe(400);
  expect((await client.post(`/api/v1/users?${QUERY}`, {})).status).toBe(400);
  await linesOf(7, before);
});

test('of links that are followed, and of where they were followed from', async () => {
  const before = app.logLines.length;
  const live = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
  await allowHosts(app, live, ['shop.example']);
  const { id: memberId } = await client.newMember();
  const { slug } = await plantLink(app, live, { memberId, destination: `https://shop.example/?ref=${CANARY}` });
  const follow = (name: string) => app.http.get(`/r/${name}?${QUERY}`).redirects(0).set('referer', REFERER);
  const led = await follow(slug);
  expect([led.status, led.headers['location']]).toEqual([302, expect.stringContaining(CANARY)]);
  expect((await follow('zzzzzzzzzzzz')).status).toBe(404);
  expect((await app.http.get(`/r?${QUERY}`)).status).toBe(404);
  const lines = await linesOf(3, before);
  expect(lines.join('\n')).toContain(`"path":"/r/${slug}"`);
});

test('of paths, methods and targets that there are not', async () => {
  const before = app.logLines.length;
  const statuses = [
    await app.http.get(`/nowhere?${QUERY}`),
    await app.http.get(`/api/v1/users%3F${QUERY}`),
    await app.http.put(`/api/v1/users?${QUERY}`),
    await app.http.get(`/docs?${QUERY}`),
    await app.http.get(`/uploads/${randomUUID()}?signature=${CANARY}`),
    await app.http.get(`/healthz?${QUERY}`),
  ].map(({ status }) => status);
  expect(statuses.slice(0, 3)).toEqual([404, 404, 405]);
  await sendWire(app.baseUrl, { method: 'GET', target: `${app.baseUrl}/api/v1/users?${QUERY}` });
  await sendWire(app.baseUrl, { method: 'GET', target: `/api/v1/users#${QUERY}` });
  await linesOf(8, before);
});

describe('an error', () => {
  const logLines: string[] = [];
  const logger = createLogger('info', { write: (line) => void logLines.push(line) });
  const failing = express();
  let thrown: (url: string) => unknown;
  failing.use(requestLog(logger));
  failing.use((req) => {
    throw thrown(req.originalUrl);
  });
  failing.use(errorHandler(logger, {}));

  test.each<[string, (url: string) => unknown]>([
    ['that quotes the address', (url) => new Error(`cannot fetch ${url}: refused`)],
    ['that quotes it whole', (url) => new Error(`cannot fetch https://api.example${url}`)],
    ['caused by one', (url) => new Error('failed', { cause: new Error(`GET "${url}" failed`) })],
    [
      'that has it as a property',
      (url) => Object.assign(new Error('failed'), { url, request: { url, headers: { referer: url } } }),
    ],
    ['that is none', (url) => url],
    ['of an outage', (url) => new AppError('SERVICE_UNAVAILABLE', 'away', { cause: new Error(`no answer from ${url}`) })],
    [
      'of the database that quotes the value',
      () => Object.assign(new Error(`invalid input syntax for type uuid: "${CANARY} "x" y"`), { code: '22P02' }),
    ],
  ])('%s', async (_what, make) => {
    thrown = make;
    logLines.length = 0;
    const { status } = await supertest(failing).get(`/some/path?${QUERY}`).set('referer', REFERER);
    expect(status).toBeGreaterThanOrEqual(500);
    await expect.poll(() => logLines.length).toBeGreaterThan(0);
    await expect.poll(() => logLines.some((line) => line.includes('"msg":"request"'))).toBe(true);
    expect(logLines.filter((line) => line.includes(CANARY))).toEqual([]);
    expect(logLines.join('\n')).toContain('/some/path"');
  });

  test('keeps what it says besides', async () => {
    thrown = () => new Error('why? because a=b; at step (1)');
    logLines.length = 0;
    await supertest(failing).get('/');
    expect(logLines.join('\n')).toContain('why? because a=b; at step (1)');
  });
});
