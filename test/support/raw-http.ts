/** Bytes over a plain socket, for requests that no HTTP client would send, and the answer as it came. */
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** Sends the bytes and reads one whole answer; rejects when the connection ends before one. */
export async function sendRaw(baseUrl: string, ...pieces: (string | Uint8Array)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  try {
    for (const piece of pieces) socket.write(piece);
    return await readAnswer(socket);
  } finally {
    socket.destroy();
  }
}

/** One header block and body off the socket. */
export function readAnswer(socket: Socket, timeoutMs = 20_000): Promise<RawAnswer> {
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
      const answer = parseAnswer(received, false);
      if (answer) finish(() => resolve(answer));
    });
    socket.on('error', (error) => finish(() => reject(error)));
    socket.on('close', () => {
      const answer = parseAnswer(received, true);
      finish(() => (answer ? resolve(answer) : reject(new Error('the connection ended without an answer'))));
    });
  });
}

/** The answer in the bytes, or undefined while it is incomplete. `ended`: no more bytes will come. */
function parseAnswer(bytes: Buffer, ended: boolean): RawAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const status = Number(statusLine.split(' ')[1]);
  const rest = bytes.subarray(end + 4);
  if (headers['transfer-encoding'] === 'chunked') {
    const body = parseChunks(rest);
    return body === undefined ? undefined : { status, headers, body };
  }
  const length = headers['content-length'];
  if (length === undefined) return ended || status === 204 || status === 304 ? { status, headers, body: rest.toString() } : undefined;
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
