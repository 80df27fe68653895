/** A tenant's receiver of webhooks over real HTTPS: it answers as a test says, and keeps what it was sent. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { startTlsServer } from '../identity/tls-server.ts';

export interface Received {
  at: number;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The `webhook-id`. */
  id: string;
  /** Of the connection that it came by. */
  port: number;
}

/**
 * What an answer is instead of a plain one: `silent`: none; `reset`: the connection is cut; `cut`: in the body of a 200;
 * `drip`: a header a second, for ever; `drip body`: a 200 and then a byte a second; `endless`: a 200 and a body without end.
 */
export type Trouble = 'silent' | 'reset' | 'cut' | 'drip' | 'drip body' | 'endless';

export type Reply =
  | Trouble
  | { status: number; headers?: Record<string, string>; body?: string | Buffer; afterMs?: number; after?: Promise<void> };

export interface FakeReceiver {
  /** As OUTGOING_ALLOWED_HOSTS has it. */
  host: string;
  url: string;
  cert: string;
  received: Received[];
  /** `times`: how often this id came, now included. */
  reply: (received: Received, times: number) => Reply;
  /** Of each request that came. */
  idsOf(path?: string): string[];
  /** Most requests that were open at the same time. */
  mostAtOnce(): number;
  close(): void;
}

/** It accepts everything until a test says otherwise. */
export async function startFakeReceiver(options: { trusted?: boolean; hosts?: string[] } = {}): Promise<FakeReceiver> {
  const received: Received[] = [];
  const times = new Map<string, number>();
  let open = 0;
  let most = 0;
  const server = await startTlsServer((req, res) => void handle(req, res), { hosts: ['hooks.test'], ...options });
  const receiver: FakeReceiver = {
    host: server.host,
    url: `${server.url}/hooks`,
    cert: server.cert,
    received,
    reply: () => ({ status: 204 }),
    idsOf: (path) => received.filter((one) => path === undefined || one.path === path).map(({ id }) => id),
    mostAtOnce: () => most,
    close: server.close,
  };

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    open += 1;
    most = Math.max(most, open);
    res.once('close', () => {
      open -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const id = String(req.headers['webhook-id']);
    const one: Received = {
      at: Date.now(),
      path: req.url ?? '',
      headers: req.headers,
      body: Buffer.concat(chunks).toString(),
      id,
      port: req.socket.remotePort ?? 0,
    };
    received.push(one);
    times.set(id, (times.get(id) ?? 0) + 1);
    answer(req, res, receiver.reply(one, times.get(id) ?? 1));
  }

  return receiver;
}

function answer(req: IncomingMessage, res: ServerResponse, reply: Reply): void {
  if (typeof reply === 'object') {
    const send = (): void => void res.writeHead(reply.status, reply.headers).end(reply.body);
    if (reply.after) void reply.after.then(send);
    else if (reply.afterMs === undefined) send();
    else setTimeout(send, reply.afterMs);
    return;
  }
  const { socket } = req;
  const every = (ms: number, write: () => void): void => {
    const timer = setInterval(write, ms);
    socket.once('close', () => clearInterval(timer));
  };
  if (reply === 'reset') socket.destroy();
  if (reply === 'cut') {
    res.writeHead(200, { 'content-length': '100' }).write('{');
    setTimeout(() => socket.destroy(), 20);
  }
  if (reply === 'drip') {
    socket.write('HTTP/1.1 200 OK\r\n');
    every(1_000, () => socket.write('x-drop: 1\r\n'));
  }
  if (reply === 'drip body') {
    res.writeHead(200).write('x');
    every(1_000, () => res.write('x'));
  }
  if (reply === 'endless') {
    res.writeHead(200);
    every(1, () => res.write('x'.repeat(65_536)));
  }
}

/** Whether the official package takes what came as signed by the secret. */
export function verifies({ body, headers }: Received, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
