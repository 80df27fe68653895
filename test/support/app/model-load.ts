/** Many requests at once over a bounded number of sockets, so that a test strains us and not the socket table. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body byte for byte. */
  text: string;
}

export interface RawRequest {
  baseUrl: string;
  key: string;
  method?: 'GET' | 'POST' | 'PATCH';
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Load {
  send(what: RawRequest): Promise<RawAnswer>;
  /** Sends them all at once; answers come in the order of the requests. */
  sendAll(requests: readonly RawRequest[]): Promise<RawAnswer[]>;
  close(): void;
}

export function openLoad(maxSockets = 100): Load {
  const agent = new Agent({ keepAlive: true, maxSockets });
  const send = (what: RawRequest): Promise<RawAnswer> =>
    new Promise((resolve, reject) => {
      const body = what.body === undefined ? '' : JSON.stringify(what.body);
      const call = request(
        what.baseUrl + what.path,
        {
          agent,
          method: what.method ?? 'POST',
          headers: {
            'x-tenant-api-key': what.key,
            ...(body === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
            ...what.headers,
          },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() }),
          );
        },
      );
      call.on('error', reject);
      call.end(body);
    });
  return {
    send,
    sendAll: (requests) => Promise.all(requests.map(send)),
    close: () => agent.destroy(),
  };
}

/** How many answers had each status: `{ 201: 1, 409: 999 }`. */
export function countStatuses(answers: readonly RawAnswer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
