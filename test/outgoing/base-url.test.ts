/** Addresses of vendors' APIs: the vendor's own, and what the deployment vouches for. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBaseUrlFault, KYC_VENDOR_ORIGIN } from '../../src/outgoing/address-form.ts';
import { createOutgoingClient } from '../../src/outgoing/outgoing-client.ts';

const allowed = ['127.0.0.1:8080', 'vendor.test:443', 'plain.test:80', '[::1]:8443'];

describe('the base of an API', () => {
  test.each(['https://api.sumsub.com', 'https://api.sumsub.com/'])('%s is good everywhere', (address) => {
    expect(findBaseUrlFault(address, [], KYC_VENDOR_ORIGIN)).toBeUndefined();
  });

  test.each([
    'http://127.0.0.1:8080',
    'https://127.0.0.1:8080',
    'https://vendor.test',
    'http://plain.test',
    'http://plain.test/',
    'https://[::1]:8443',
  ])('%s is good where the deployment vouches for it', (address) => {
    expect(findBaseUrlFault(address, allowed, KYC_VENDOR_ORIGIN)).toBeUndefined();
    expect(findBaseUrlFault(address, [], KYC_VENDOR_ORIGIN)).toEqual(expect.any(String));
  });

  test.each([
    'http://api.sumsub.com',
    'https://api.sumsub.com:444',
    'https://api.sumsub.com.evil.example',
    'https://api.sumsub.com@evil.example',
    'https://user@api.sumsub.com',
    'https://api.sumsub.com/path',
    'https://api.sumsub.com/?a',
    'https://api.sumsub.com#a',
    'https://api.sumsub.com\\@evil.example',
    'https://api.sumsub.com\n',
    'https://evil.example',
    'https://10.0.0.1',
    'http://vendor.test',
    'https://plain.test',
    'http://127.0.0.1',
    'http://127.0.0.1:8081',
    'http://127.0.0.1:8080/path',
    'ftp://127.0.0.1:8080',
    'file:///etc/passwd',
    '',
    `https://api.sumsub.com/${'a'.repeat(2_000)}`,
  ])('%s is refused', (address) => expect(findBaseUrlFault(address, allowed, KYC_VENDOR_ORIGIN)).toEqual(expect.any(String)));
});

describe('a request', () => {
  const routes: Record<string, RequestListener> = {
    '/redirect': (_req, res) => void res.writeHead(302, { location: '/good' }).end(),
    '/gzip': (_req, res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
    '/large': (_req, res) => void res.end('x'.repeat(300_000)),
    '/slow': () => undefined,
  };
  let server: Server;
  let base: string;
  let host: string;

  beforeAll(async () => {
    server = createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => void chunks.push(chunk));
      req.on('end', () => {
        const route = routes[req.url ?? ''];
        if (route) route(req, res);
        else res.writeHead(418, { 'x-saw': `${req.method} ${req.url}` }).end(Buffer.concat(chunks));
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    base = `http://${host}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const ask = (path: string, timeoutMs = 2_000) =>
    createOutgoingClient([host]).request(base, { method: 'POST', path, headers: {}, body: Buffer.from('{"a":1}'), timeoutMs });

  test('sends the bytes and the path as they are and answers whatever came', async () => {
    const { status, header, text } = await ask('/a;b=c%2Fd?e=f%20g');
    expect([status, header('x-saw'), text]).toEqual([418, 'POST /a;b=c%2Fd?e=f%20g', '{"a":1}']);
  });

  test('follows no redirect', async () => expect((await ask('/redirect')).status).toBe(302));

  test.each([
    ['/gzip', 'encoded'],
    ['/large', 'too_large'],
  ])('of %s is a fault: %s', async (path, reason) => {
    await expect(ask(path)).rejects.toMatchObject({ name: 'OutgoingFault', reason });
  });

  test('ends in its own time', async () => {
    await expect(ask('/slow', 100)).rejects.toMatchObject({ reason: 'timeout', unreachable: true });
  });

  test('goes nowhere that the deployment does not vouch for, and key sets never over plain HTTP', async () => {
    const client = createOutgoingClient([]);
    const request = { method: 'GET', path: '/good', headers: {}, timeoutMs: 1_000 } as const;
    await expect(client.request(base, request)).rejects.toMatchObject({ reason: 'blocked_address' });
    await expect(createOutgoingClient([host]).fetchJson(`${base}/good`, [])).rejects.toMatchObject({ reason: 'blocked_address' });
  });
});
