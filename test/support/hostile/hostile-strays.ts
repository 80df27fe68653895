/** Requests that no operation answers: broken URLs, headers, framing, and what only a raw socket sends. */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { sendRaw } from '../app/raw-http.ts';
import type { Side } from '../matrix/matrix-world.ts';
import { findFaults, type HostileRequest, keyedHeaders } from './hostile-run.ts';
import { NASTY_STRINGS } from './hostile-values.ts';

export function strayRequests(side: Side): HostileRequest[] {
  const headers = keyedHeaders(side);
  const get = (label: string, target: string, ...statuses: number[]): HostileRequest => ({
    label,
    method: 'GET',
    target,
    headers,
    statuses,
  });
  const post = (label: string, framing: Record<string, string>, body: string, ...statuses: number[]): HostileRequest => ({
    label,
    method: 'POST',
    target: '/api/v1/leads/capture',
    headers: { ...headers, 'content-type': 'application/json', ...framing },
    body,
    statuses,
  });
  return [
    get('an unknown path', '/api/v1/nothing', 404),
    get('an unknown path with a key', `/api/v1/nothing/${randomUUID()}`, 404),
    get('another version', '/api/v2/users', 404),
    get('a trailing slash', '/api/v1/users/', 404),
    get('capitals', '/API/V1/USERS', 404),
    get('a doubled slash', '//api/v1/users', 404),
    get('a path up', '/api/v1/../../etc/passwd', 404),
    get('an escaped path up', '/api/v1/%2e%2e/%2e%2e/etc/passwd', 404),
    get('a backslash', '/api\\v1\\users', 404),
    get('a path of escapes', `/${'%41'.repeat(3_000)}`, 404),
    get('a broken escape in the path', '/api/v1/%E0%A4%A', 400),
    get('a NUL in the path', '/api/v1/users%00.json', 400),
    get('nothing but a question mark behind a path', '/nothing?', 404),
    get('an address without a host', 'http://', 400, 404),
    get('an address elsewhere', 'http://elsewhere.example/api/v1/nothing', 404),
    get('a URL of 20 kB', `/api/v1/users?email=${'x'.repeat(20_000)}`, 431),
    ...Object.entries(NASTY_STRINGS).map(([label, value]) =>
      get(`${label} in the path`, `/api/v1/${encodeURIComponent(value)}`, 400, 404),
    ),
    { ...get('a header of 20 kB', '/api/v1/users', 431), headers: { ...headers, 'x-long': 'x'.repeat(20_000) } },
    { ...get('an escape character in a header', '/api/v1/users', 400), headers: { ...headers, 'x-request-id': '\x1b[31m' } },
    { ...get('a NUL in a header', '/api/v1/users', 400), headers: { ...headers, 'x-request-id': 'a\0b' } },
    { ...get('high bytes in the key', '/api/v1/users', 401), headers: { 'x-tenant-api-key': 'svc_live_\xff\xfe' } },
    { ...get('two keys', '/api/v1/users', 401), headers: { 'x-tenant-api-key': `${side.key}, ${side.key}` } },
    { ...get('a forged log line in a header', '/api/v1/users', 200), headers: { ...headers, 'x-request-id': '{"forged":true}' } },
    { ...get('an expectation nobody knows', '/api/v1/users', 417), headers: { ...headers, expect: 'miracles' } },
    { ...get('an upgrade', '/api/v1/nothing', 404), headers: { ...headers, connection: 'upgrade', upgrade: 'websocket' } },
    { label: 'OPTIONS of everything', method: 'OPTIONS', target: '*', headers, statuses: [404] },
    { label: 'OPTIONS of nothing', method: 'OPTIONS', target: '/api/v1/nothing', headers, statuses: [404] },
    { label: 'TRACE of nothing', method: 'TRACE', target: '/api/v1/nothing', headers, statuses: [404] },
    post('length and chunks', { 'content-length': '4', 'transfer-encoding': 'chunked' }, '0\r\n\r\n', 400),
    post('chunks of gzip', { 'transfer-encoding': 'gzip, chunked' }, '0\r\n\r\n', 400),
    post('chunks spelled otherwise', { 'transfer-encoding': 'xchunked' }, '0\r\n\r\n', 400),
    post('a chunk of no size', { 'transfer-encoding': 'chunked' }, 'zz\r\n\r\n', 400),
    post('a negative length', { 'content-length': '-1' }, '', 400),
    post('a length that is no number', { 'content-length': '0x10' }, '', 400),
    { ...post('two lengths', { 'content-length': '4', 'Content-Length': '5' }, '{"a":', 400) },
    { ...get('a body on a GET', '/api/v1/users', 200), body: '{"polluted":true}' },
  ];
}

/** The docs page's files are served by a library with errors of its own. */
export function assetRequests(): HostileRequest[] {
  const asset = (label: string, target: string, headers: Record<string, string>, ...statuses: number[]): HostileRequest => ({
    label,
    method: 'GET',
    target: `/docs/assets${target}`,
    headers,
    statuses,
  });
  return [
    asset('a range past the end', '/swagger-ui.css', { range: 'bytes=999999999-' }, 200, 400, 416),
    asset('a precondition that fails', '/swagger-ui.css', { 'if-match': '"x"' }, 400, 412),
    asset('the directory', '', {}, 404),
    asset('the directory with a slash', '/', {}, 404),
    asset('a path up', '/..%2f..%2fpackage.json', {}, 400, 403, 404),
    asset('a hidden file', '/.env', {}, 404),
    asset('a file that is not there', '/nothing.js', {}, 404),
    { ...asset('a POST', '/swagger-ui.css', {}, 404, 405), method: 'POST' },
  ];
}

/** What node's own server answers before any handler of ours, unless it is told to leave it to us. */
export async function findFramingFaults(baseUrl: string): Promise<string[]> {
  const cases: Record<string, string> = {
    'no Host header': 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n',
    'no Host header on an operation': 'GET /api/v1/users HTTP/1.1\r\nConnection: close\r\n\r\n',
    'a TLS greeting': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a space in the URL': 'GET /a b HTTP/1.1\r\nHost: test\r\n\r\n',
    'a folded header': 'GET /healthz HTTP/1.1\r\nHost: test\r\nX-A: 1\r\n 2\r\n\r\n',
    'a header without a name': 'GET /healthz HTTP/1.1\r\nHost: test\r\n: x\r\n\r\n',
    'a space before the colon': 'GET /healthz HTTP/1.1\r\nHost: test\r\nContent-Length : 5\r\n\r\n',
    'bare line feeds': 'GET /healthz HTTP/1.1\nHost: test\nTransfer-Encoding: chunked\n\n',
    'an unknown method': 'BREW /api/v1/users HTTP/1.1\r\nHost: test\r\n\r\n',
    'another version': 'GET /healthz HTTP/3.7\r\nHost: test\r\n\r\n',
  };
  const faults: string[] = [];
  for (const [label, bytes] of Object.entries(cases)) {
    const answer = await sendRaw(baseUrl, Buffer.from(bytes, 'latin1')).catch((error: unknown) => String(error));
    if (typeof answer === 'string') faults.push(`${label}: ${answer}`);
    else
      faults.push(
        ...findFaults({ method: 'GET', target: '', statuses: [400] }, answer).map(
          (fault) => `${label}: ${fault}: ${answer.status}`,
        ),
      );
  }
  return faults;
}

/** The statuses of `count` requests that are sent down one connection at once, until the server ends it. */
export function pipeline(baseUrl: string, count: number): Promise<number[]> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.write('GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(count));
      socket.end();
    });
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve([...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]))));
  });
}
