/**
 * The client for tenants' addresses against a real TLS server that does everything wrong
 * (docs/specification/identity.md#outgoing, docs/specification/reliability.md#a-10).
 */
import type { LookupAddress } from 'node:dns';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOutgoingClient } from '../../src/outgoing/outgoing-client.ts';
import { startTlsServer, type TlsServer } from '../support/identity/tls-server.ts';

const JSON_TYPE = ['application/json'];

const routes: Record<string, RequestListener> = {
  '/good': (_req, res) => void res.setHeader('content-type', 'application/json; charset=utf-8').end('{"keys":[]}'),
  '/other-case': (_req, res) => void res.setHeader('content-type', 'Application/JSON').end('1'),
  '/redirect': (_req, res) => void res.writeHead(302, { location: '/good' }).end(),
  '/not-modified': (_req, res) => void res.writeHead(304).end(),
  '/missing': (_req, res) => void res.writeHead(404, { 'content-type': 'application/json' }).end('{}'),
  '/failing': (_req, res) => void res.writeHead(503).end('x'.repeat(100_000)),
  '/html': (_req, res) => void res.setHeader('content-type', 'text/html').end('{}'),
  '/no-type': (_req, res) => void res.end('{}'),
  '/not-json': (_req, res) => void res.setHeader('content-type', 'application/json').end('{"keys":'),
  '/gzip-bomb': (_req, res) =>
    void res
      .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      .end(gzipSync(Buffer.alloc(50_000_000, 32))),
  '/large': (_req, res) => void res.setHeader('content-type', 'application/json').end(JSON.stringify('x'.repeat(10_000_000))),
  '/largest': (_req, res) =>
    void res.setHeader('content-type', 'application/json').end(JSON.stringify('x'.repeat(256 * 1024 - 2))),
  '/one-too-large': (_req, res) =>
    void res.setHeader('content-type', 'application/json').end(JSON.stringify('x'.repeat(256 * 1024 - 1))),
  '/endless': (req, res) => {
    res.setHeader('content-type', 'application/json').write('[');
    const timer = setInterval(() => res.write(`"${'x'.repeat(65_536)}",`), 1);
    req.socket.on('close', () => clearInterval(timer));
  },
  '/large-headers': (_req, res) => void res.setHeader('x-filler', 'x'.repeat(30_000)).end('{}'),
  '/drip': (req, res) => {
    res.setHeader('content-type', 'application/json').write('[');
    const timer = setInterval(() => res.write('1,'), 200);
    req.socket.on('close', () => clearInterval(timer));
  },
  '/silent': () => undefined,
  '/cut': (req, res) => {
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{');
    setTimeout(() => req.socket.destroy(), 20);
  },
};

let server: TlsServer;
beforeAll(async () => {
  server = await startTlsServer((req, res) => routes[req.url ?? '']?.(req, res));
});
beforeEach(() => server.requests.splice(0));
afterAll(() => server.close());

/** How often names were resolved, and to what, in turn. */
function fakeNames(...answers: string[][]) {
  const asked: string[] = [];
  const resolve = (host: string, _options: unknown, done: (error: null, addresses: LookupAddress[]) => void): void => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(host);
    done(
      null,
      answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { asked, resolve };
}

/** May reach idp.test at the server's port, and nothing else that is private. */
const vouched = (resolve = fakeNames(['127.0.0.1']).resolve) =>
  createOutgoingClient([`idp.test:${server.port}`], { resolve, ca: server.cert });
const fetchFrom = (path: string, types = JSON_TYPE) => vouched().fetchJson(`https://idp.test:${server.port}${path}`, types);

describe('an answer', () => {
  test('that is JSON is read', async () => {
    expect(await fetchFrom('/good')).toEqual({ keys: [] });
    expect(await fetchFrom('/other-case')).toBe(1);
    expect(await fetchFrom('/largest')).toHaveLength(256 * 1024 - 2);
  });

  test.each<[path: string, reason: string, unreachable: boolean]>([
    ['/redirect', 'redirect', false],
    ['/not-modified', 'redirect', false],
    ['/missing', 'status', false],
    ['/failing', 'server_error', true],
    ['/html', 'content_type', false],
    ['/no-type', 'content_type', false],
    ['/not-json', 'not_json', false],
    ['/gzip-bomb', 'encoded', false],
    ['/large', 'too_large', false],
    ['/one-too-large', 'too_large', false],
    ['/endless', 'too_large', false],
    ['/large-headers', 'too_large', false],
    ['/drip', 'timeout', true],
    ['/silent', 'timeout', true],
    ['/cut', 'connection', true],
  ])('%s is refused: %s', async (path, reason, unreachable) => {
    await expect(fetchFrom(path)).rejects.toMatchObject({ name: 'OutgoingFault', reason, unreachable });
    expect(server.requests).toEqual([path]);
  });

  test('of a content type that was not asked for is refused, whatever else it could be', async () => {
    await expect(fetchFrom('/good', ['application/jwk-set+json'])).rejects.toMatchObject({ reason: 'content_type' });
  });
});

describe('the way there', () => {
  test('leads to the address that was checked: one look-up a call, and a later one gains nothing', async () => {
    const names = fakeNames(['127.0.0.1'], ['10.0.0.1']);
    await vouched(names.resolve).fetchJson(`https://idp.test:${server.port}/good`, JSON_TYPE);
    expect(names.asked).toEqual(['idp.test']);
  });

  test.each<[what: string, answers: string[]]>([
    ['private', ['10.0.0.1']],
    ['loopback', ['127.0.0.1']],
    ['loopback in IPv6', ['::1']],
    ['IPv4 in IPv6', ['::ffff:127.0.0.1']],
    ['mixed, the public one first', ['8.8.8.8', '127.0.0.1']],
    ['mixed, the public one last', ['169.254.169.254', '8.8.8.8']],
    ['none at all', []],
  ])('to a name whose addresses are %s is blocked', async (_what, answers) => {
    const names = fakeNames(answers);
    const client = createOutgoingClient([], { resolve: names.resolve, ca: server.cert });
    await expect(client.fetchJson('https://evil.test/good', JSON_TYPE)).rejects.toMatchObject({
      reason: 'blocked_address',
      unreachable: false,
    });
    expect(names.asked).toEqual(['evil.test']);
    expect(server.requests).toEqual([]);
  });

  test('to an address of bad form is blocked before any name is looked up', async () => {
    const names = fakeNames(['127.0.0.1']);
    const client = createOutgoingClient([], { resolve: names.resolve, ca: server.cert });
    for (const bad of [`http://idp.test/`, `${server.url}/good`, 'https://[::1]/', 'https://u:p@idp.test/']) {
      await expect(client.fetchJson(bad, JSON_TYPE), bad).rejects.toMatchObject({ reason: 'blocked_address' });
    }
    expect([names.asked, server.requests]).toEqual([[], []]);
  });

  test('to a name that does not exist is a fault of the host name', async () => {
    const resolve = (_host: string, _options: unknown, done: (error: NodeJS.ErrnoException, addresses: []) => void): void =>
      done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
    const client = createOutgoingClient([], { resolve });
    await expect(client.fetchJson('https://nobody.test/', JSON_TYPE)).rejects.toMatchObject({
      reason: 'unknown_host',
      unreachable: true,
    });
  });

  test('to a port where nobody listens is a failed connection', async () => {
    const gone = await startTlsServer(() => undefined);
    gone.close();
    const client = createOutgoingClient([gone.host]);
    await expect(client.fetchJson(gone.url, JSON_TYPE)).rejects.toMatchObject({ reason: 'connection', unreachable: true });
  });
});

describe('a certificate', () => {
  test('that nobody vouches for is refused', async () => {
    const client = createOutgoingClient([server.host]);
    await expect(client.fetchJson(`${server.url}/good`, JSON_TYPE)).rejects.toMatchObject({ reason: 'certificate' });
    expect(server.requests).toEqual([]);
  });

  test('of another name is refused', async () => {
    const client = createOutgoingClient([`other.test:${server.port}`], {
      resolve: fakeNames(['127.0.0.1']).resolve,
      ca: server.cert,
    });
    await expect(client.fetchJson(`https://other.test:${server.port}/good`, JSON_TYPE)).rejects.toMatchObject({
      reason: 'certificate',
    });
  });

  test('that has expired is refused', async () => {
    const old = await startTlsServer(routes['/good'] ?? (() => undefined), { expired: true });
    const client = createOutgoingClient([old.host], { ca: old.cert });
    await expect(client.fetchJson(old.url, JSON_TYPE)).rejects.toMatchObject({ reason: 'certificate' });
    old.close();
  });
});
