/** Deliveries to an address of a tenant's, whose other side does everything wrong (docs/specification/webhooks.md#endpoints). */
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Delivery, DeliveryLine } from '../../src/outgoing/delivery-line.ts';
import { createOutgoingClient } from '../../src/outgoing/outgoing-client.ts';
import { startTlsServer, type TlsServer } from '../support/identity/tls-server.ts';

let server: TlsServer;
let ports: Set<number | undefined>;
let handle: RequestListener;
let line: DeliveryLine;
let lookUps: number;

beforeAll(async () => {
  server = await startTlsServer((req, res) => {
    ports.add(req.socket.remotePort);
    req.resume().on('end', () => handle(req, res));
  });
});
beforeEach(() => {
  ports = new Set();
  lookUps = 0;
  server.requests.splice(0);
  handle = (_req, res) => void res.end('heard');
  const client = createOutgoingClient([`idp.test:${server.port}`], {
    ca: server.cert,
    resolve: (_host, _options, done) => {
      lookUps++;
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    },
  });
  line = client.openDeliveries(`https://idp.test:${server.port}/hook?of=shop`);
});
afterEach(() => line.close());
afterAll(() => server.close());

const deliver = (fields: Partial<Delivery> = {}) =>
  line.deliver({
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"a":1}'),
    timeoutMs: 10_000,
    keepBytes: 20,
    signal: new AbortController().signal,
    ...fields,
  });

test('one after another go over one connection, which was looked up once', async () => {
  for (let n = 0; n < 3; n++) {
    expect(await deliver()).toEqual({ status: 200, fault: null, retryAfter: undefined, text: 'heard' });
  }
  expect([lookUps, ports.size, server.requests]).toEqual([1, 1, Array.from({ length: 3 }, () => '/hook?of=shop')]);
});

test('at once have a connection each, and a connection a look-up', async () => {
  await Promise.all(Array.from({ length: 3 }, () => deliver()));
  expect([lookUps, ports.size]).toEqual([3, 3]);
});

test('over a connection that the other side has ended go over another', async () => {
  handle = (_req, res) => void res.end('heard', () => res.socket?.destroy());
  for (let n = 0; n < 3; n++) expect(await deliver()).toMatchObject({ status: 200, text: 'heard' });
  expect(lookUps).toBe(3);
});

test.each<[what: string, handle: RequestListener, answer: object]>([
  [
    'an error is one, with its delay',
    (_, res) => void res.writeHead(503, { 'retry-after': '7' }).end('no'),
    { status: 503, fault: null, retryAfter: '7', text: 'no' },
  ],
  [
    'a redirect is a fault and not followed',
    (_, res) => void res.writeHead(307, { location: '/other' }).end(),
    { status: 307, fault: 'redirect' },
  ],
  [
    'an encoded one has no text',
    (_, res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('heard')),
    { status: 200, fault: null, text: null },
  ],
  [
    'one with a NUL and half a character is kept without',
    (_, res) => void res.end(Buffer.from([97, 0, 98, 0xc3])),
    { status: 200, text: 'a\uFFFDb' },
  ],
  ['an endless one is cut', (_, res) => void res.write('x'.repeat(100_000)), { status: 200, fault: null, text: 'x'.repeat(20) }],
  [
    'a cut one is a fault with its status',
    (req, res) => {
      res.writeHead(200, { 'content-length': '100' }).write('half');
      setTimeout(() => req.socket.destroy(), 20);
    },
    { status: 200, fault: 'connection', text: 'half' },
  ],
  ['none is a failed connection', (req) => void req.socket.destroy(), { status: null, fault: 'connection', text: null }],
  [
    'headers without end are too large',
    (_, res) => void res.setHeader('x-filler', 'x'.repeat(30_000)).end(),
    { status: null, fault: 'too_large' },
  ],
])('an answer: %s', async (_what, answered, answer) => {
  handle = answered;
  expect(await deliver()).toMatchObject(answer);
  handle = (_req, res) => void res.end('heard');
  expect(await deliver()).toMatchObject({ status: 200, text: 'heard' });
  expect(server.requests.every((path) => path === '/hook?of=shop')).toBe(true);
});

test('an answer that does not come in its time is a fault', async () => {
  handle = () => undefined;
  expect(await deliver({ timeoutMs: 200 })).toEqual({ status: null, fault: 'timeout', retryAfter: undefined, text: null });
});

test('whoever gives up has its reason thrown, before and meanwhile', async () => {
  const reason = new Error('the lease is lost');
  await expect(deliver({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(server.requests).toEqual([]);
  const giving = new AbortController();
  handle = () => giving.abort(reason);
  await expect(deliver({ signal: giving.signal })).rejects.toBe(reason);
});

test('closed, it leaves no connection open', async () => {
  handle = (_req, res) => void res.end('heard');
  await Promise.all([deliver(), deliver()]);
  await line.close();
  await deliver();
  expect(lookUps).toBe(3);
});

test('an address of bad form is a fault of each, and nothing is looked up', async () => {
  for (const bad of [
    'http://idp.test/',
    `https://127.0.0.1:${server.port}/`,
    'https://10.0.0.1/',
    'https://u:p@idp.test/',
    'no',
  ]) {
    const blocked = createOutgoingClient([`idp.test:${server.port}`]).openDeliveries(bad);
    expect(
      await blocked.deliver({
        headers: {},
        body: Buffer.alloc(0),
        timeoutMs: 100,
        keepBytes: 1,
        signal: new AbortController().signal,
      }),
      bad,
    ).toMatchObject({ status: null, fault: 'blocked_address' });
    await blocked.close();
  }
  expect(server.requests).toEqual([]);
});
