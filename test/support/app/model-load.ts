/** Many requests at once over a bounded number of sockets, so that a test strains us and not the socket table. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

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
  /**
   * The same, for hundreds that wait for one row: what is answered 429 or 503 is sent again, as a client would. Both promise
   * that nothing was done, and a slow machine gives them to some.
   */
  sendAllUntilTaken(requests: readonly RawRequest[]): Promise<RawAnswer[]>;
  close(): void;
}

const MOST_TIMES = 60;

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
  const sendUntilTaken = async (what: RawRequest, times = 1): Promise<RawAnswer> => {
    const answer = await send(what);
    if (![429, 503].includes(answer.status) || times === MOST_TIMES) return answer;
    await sleep(1_000 * Number(answer.headers['retry-after'] ?? 1));
    return sendUntilTaken(what, times + 1);
  };
  return {
    send,
    sendAll: (requests) => Promise.all(requests.map(send)),
    sendAllUntilTaken: (requests) => Promise.all(requests.map((what) => sendUntilTaken(what))),
    close: () => agent.destroy(),
  };
}

/** How many answers had each status: `{ 201: 1, 409: 999 }`. */
export function countStatuses(answers: readonly RawAnswer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
