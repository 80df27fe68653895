/** The TLS front of docker-compose.yml, by the real Caddy: docs/deployment.md#tls. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';
import { type Front, startFront } from '../support/compose/front.ts';

let app: TestApp;
let tenant: TestTenant;
let front: Front;

beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY_HOPS: '1', RATE_LIMIT_BAD_KEYS: '3', IMPORT_MAX_BYTES: '209715200' });
  tenant = await app.newTenant();
  front = await startFront(new URL(app.baseUrl).host);
});
afterAll(async () => {
  await front.stop();
  await app.close();
});

const keyed = (key: string, more: Record<string, string> = {}) => ({ headers: { 'x-tenant-api-key': key, ...more } });

describe('over HTTPS', () => {
  test('calls with a key reach the service, and its headers come back', async () => {
    const answer = await front.https('/api/v1/users', keyed(tenant.sandboxKey));
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([200, { data: [] }]);
    expect(answer.headers).toMatchObject({ 'x-environment': 'SANDBOX', 'strict-transport-security': expect.any(String) });
    expect(answer.headers['server']).toBeUndefined();
    expect(answer.protocol).toBe('TLSv1.3');
  });

  test('TLS 1.2 is spoken, 1.1 is not', async () => {
    const spoken = await front.https('/healthz', { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' });
    expect([spoken.status, spoken.protocol]).toEqual([200, 'TLSv1.2']);
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(front.https('/healthz', old)).rejects.toThrow(/protocol version|alert/);
  });

  test('what a client says of its address is replaced', async () => {
    const statuses: number[] = [];
    for (let last = 1; last <= 5; last += 1) {
      const sent = { 'x-forwarded-for': `203.0.113.${last}`, 'x-real-ip': '203.0.113.9', forwarded: 'for=203.0.113.8' };
      statuses.push((await front.https('/api/v1/users', keyed(`svc_live_${'x'.repeat(40)}`, sent))).status);
    }
    // Counted as one address: five of them would have five counts.
    expect(statuses.at(-1)).toBe(429);
    const [line] = app.logLines.filter((one) => one.includes('too many bad API keys'));
    expect(line).toContain('127.0.0.1');
    expect(app.logLines.join('\n')).not.toContain('203.0.113.');
  });

  test('bodies of documents and imports pass, and the limits are the service’s', async () => {
    const large = Buffer.alloc(12 * 1024 * 1024, 'x');
    const upload = await front.https(
      '/uploads/no-such-upload',
      { method: 'PUT', headers: { 'content-length': String(large.length) } },
      large,
    );
    expect(upload.status).not.toBe(413);
    expect(upload.headers['x-request-id']).toBeDefined();
    const json = { ...keyed(tenant.sandboxKey, { 'content-type': 'application/json' }), method: 'POST' };
    const body = JSON.stringify({ email: 'x'.repeat(100_000) });
    const refused = await front.https('/api/v1/users', json, body);
    expect([refused.status, JSON.parse(refused.body)]).toMatchObject([413, { code: 'BODY_TOO_LARGE' }]);
    expect(refused.headers['x-request-id']).toBeDefined();
  });

  test.each(['/metrics', '/metrics/', '/metrics/x', '//metrics', '/%6detrics', '/METRICS', '/./metrics', '/a/../metrics'])(
    '%s is not there',
    async (target) => {
      const { status, body } = await front.https(target);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(body).not.toContain('# HELP');
    },
  );

  test('another host than its own has no page', async () => {
    const answer = await front.https('/api/v1/users', { headers: { host: 'other.example', 'x-tenant-api-key': tenant.liveKey } });
    expect(answer.headers['x-environment']).toBeUndefined();
    expect(answer.status).toBe(421);
  });
});

describe('over plain HTTP', () => {
  test.each(['/api/v1/users', '/api/v1/members?email=a', '/uploads/x', '/', '/healthz', '/readyz', '/metrics'])(
    '%s is refused, not redirected',
    async (target) => {
      const answer = await front.http(target, keyed(tenant.liveKey));
      expect([answer.status, answer.headers['location']]).toEqual([403, undefined]);
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'FORBIDDEN' });
    },
  );

  test('by any host name, the key is refused', async () => {
    const answer = await front.http('/api/v1/users', keyed(tenant.liveKey, { host: '192.0.2.1' }));
    expect(answer.status).toBe(403);
  });

  test.each([
    ['/r/some-slug?utm_source=x', 'https://localhost/r/some-slug?utm_source=x'],
    ['/docs', 'https://localhost/docs'],
    ['/docs/', 'https://localhost/docs/'],
    ['/.well-known/security.txt', 'https://localhost/.well-known/security.txt'],
  ])('%s moves to HTTPS', async (target, location) => {
    const answer = await front.http(target);
    expect([answer.status, answer.headers['location']]).toEqual([308, location]);
  });
});

test('its log has no query, no header, and no address with either', async () => {
  const secret = 'anna@shop.example';
  const headers = { ...keyed(tenant.liveKey).headers, referer: `https://shop.example/?code=${secret}` };
  await front.https(`/api/v1/members?email=${secret}`, { headers });
  await front.http(`/r/slug?email=${secret}`, { headers });
  await front.https(`/metrics?email=${secret}`, { headers });
  await sleep(300);
  expect(front.log()).toContain('/api/v1/members?[query]');
  for (const word of [secret, tenant.liveKey, 'x-tenant-api-key', 'shop.example']) {
    expect(front.log().toLowerCase()).not.toContain(word.toLowerCase());
  }
});

describe('with an API that is away', () => {
  let upstream: Server;
  let ready = true;
  let other: Front;
  const reached: string[] = [];

  beforeAll(async () => {
    upstream = createServer((req, res) => {
      if (req.url === '/readyz') res.writeHead(ready ? 200 : 503).end();
      else {
        reached.push(req.url ?? '');
        res.end('here');
      }
    }).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    other = await startFront(`127.0.0.1:${(upstream.address() as AddressInfo).port}`);
  });
  afterAll(async () => {
    await other.stop();
    upstream.closeAllConnections();
    upstream.close();
  });

  test('nothing is sent to one whose /readyz is 503, and soon again when it is 200', async () => {
    expect((await other.https('/one')).body).toBe('here');
    ready = false;
    await sleep(2_500);
    const began = performance.now();
    const away = await other.https('/two?email=anna@shop.example');
    expect(performance.now() - began).toBeLessThan(10_000);
    expect([away.status, JSON.parse(away.body), away.headers['retry-after']]).toEqual([
      503,
      { error: 'The service cannot be reached', code: 'SERVICE_UNAVAILABLE' },
      '5',
    ]);
    expect(reached).not.toContain('/two');
    ready = true;
    await sleep(2_500);
    expect((await other.https('/three')).body).toBe('here');
    expect(other.log()).not.toContain('anna@shop.example');
  });
});
