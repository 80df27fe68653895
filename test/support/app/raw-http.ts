/** Bytes over a plain socket, for requests that no HTTP client would send, and the answer as it came. */
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** Sends the bytes and reads one whole answer; rejects when the connection ends before one. */
export async function sendRaw(
  baseUrl: string,
  head: string | Uint8Array,
  body: string | Uint8Array = '',
  headOnly = false,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  try {
    socket.write(head);
    if (body.length > 0) socket.write(body);
    return await readAnswer(socket, headOnly);
  } finally {
    socket.destroy();
  }
}

export interface WireRequest {
  method: string;
  target: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array | undefined;
}

/** Sends a request that is whole but may say anything; its length is told unless a header tells something else. */
export function sendWire(baseUrl: string, { method, target, headers = {}, body }: WireRequest): Promise<RawAnswer> {
  const bytes = Buffer.from(body ?? '');
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: test', 'Connection: close'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined && !Object.keys(headers).some((name) => /^(content-length|transfer-encoding)$/i.test(name))) {
    lines.push(`Content-Length: ${bytes.length}`);
  }
  return sendRaw(baseUrl, Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes, method === 'HEAD');
}

/** One header block and body off the socket; `headOnly` for an answer whose length has no body. */
export function readAnswer(socket: Socket, headOnly = false, timeoutMs = 60_000): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const timer = setTimeout(() => finish(() => reject(new Error('no whole answer in time'))), timeoutMs);
    const finish = (act: () => void): void => {
      clearTimeout(timer);
      socket.removeAllListeners();
      socket.on('error', () => undefined);
      act();
    };
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const answer = parseAnswer(received, headOnly);
      if (answer) finish(() => resolve(answer));
    });
    // A server that answers before it has read everything may reset; what came before that counts.
    let broken: Error | undefined;
    socket.on('error', (error) => {
      broken = error;
    });
    socket.on('close', () => {
      const answer = parseAnswer(received, headOnly, true);
      finish(() => (answer ? resolve(answer) : reject(broken ?? new Error('the connection ended without an answer'))));
    });
  });
}

/** The answer in the bytes, or undefined while it is incomplete. `ended`: no more bytes will come. */
function parseAnswer(bytes: Buffer, headOnly: boolean, ended = false): RawAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  if (/^HTTP\/1\.1 1\d\d /.test(bytes.subarray(0, 13).toString('latin1')))
    return parseAnswer(bytes.subarray(end + 4), headOnly, ended);
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const status = Number(statusLine.split(' ')[1]);
  const rest = bytes.subarray(end + 4);
  if (headOnly) return { status, headers, body: rest.toString() };
  if (headers['transfer-encoding'] === 'chunked') {
    const body = parseChunks(rest);
    return body === undefined ? undefined : { status, headers, body };
  }
  const length = headers['content-length'];
  if (length === undefined)
    return ended || status === 204 || status === 304 ? { status, headers, body: rest.toString() } : undefined;
  if (rest.length < Number(length)) return undefined;
  return { status, headers, body: rest.subarray(0, Number(length)).toString() };
}

function parseChunks(bytes: Buffer): string | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    const start = lineEnd + 2;
    if (bytes.length < start + size + 2) return undefined;
    if (size === 0) return Buffer.concat(parts).toString();
    parts.push(bytes.subarray(start, start + size));
    at = start + size + 2;
  }
}
