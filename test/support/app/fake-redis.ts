/**
 * Enough of the Redis protocol for the rate-limit store: scripts load, and each call counts one more hit of its key, or
 * reads them. It can misbehave as a Redis does.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export interface FakeRedis {
  port: number;
  /** All that clients have sent. */
  received(): string;
  /** The connections that are open now. */
  connections(): number;
  /** What it does from now on: `silent` takes everything and answers nothing; `error` is a line such as `READONLY …`. */
  behave(as: Behaviour): void;
  /** As after a restart: scripts have to be loaded again. */
  forgetScripts(): void;
  close(): Promise<void>;
}

export interface Behaviour {
  silent?: boolean;
  delayMs?: number;
  /** The answer to all but the greeting. */
  error?: string;
  /** The answer to the greeting. */
  greetingError?: string;
}

export async function startFakeRedis(port = 0): Promise<FakeRedis> {
  const hits = new Map<string, number>();
  let received = '';
  let behaviour: Behaviour = {};
  let scripts = 0;
  const sockets = new Set<import('node:net').Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    const write = (answer: string): void => {
      const { silent = false, delayMs = 0 } = behaviour;
      if (silent) return;
      if (delayMs > 0) setTimeout(() => socket.writable && socket.write(answer), delayMs);
      else socket.write(answer);
    };
    socket.on('data', (chunk) => {
      received += chunk.toString();
      for (const [command = '', ...words] of commandsOf(chunk.toString())) {
        const [, , key = '', windowMs] = words;
        const counted = (hits.get(key) ?? 0) + (windowMs === undefined ? 0 : 1);
        const { error, greetingError } = behaviour;
        if (command === 'HELLO') write(greetingError === undefined ? '%1\r\n$5\r\nproto\r\n:3\r\n' : `-${greetingError}\r\n`);
        else if (error !== undefined) write(`-${error}\r\n`);
        else if (command === 'SCRIPT') {
          scripts += 1;
          write('$4\r\nabcd\r\n');
        } else if (command === 'EVALSHA' && scripts === 0) write('-NOSCRIPT No matching script. Please use EVAL.\r\n');
        else if (command === 'EVALSHA') {
          if (windowMs !== undefined) hits.set(key, counted);
          write(counted === 0 ? '*2\r\n$-1\r\n:-2\r\n' : `*2\r\n:${counted}\r\n:60000\r\n`);
        } else write('+OK\r\n');
      }
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received,
    connections: () => sockets.size,
    behave(as) {
      behaviour = as;
    },
    forgetScripts() {
      scripts = 0;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The words of RESP arrays: *count, then for each word its length and itself. The first is the command's name. */
function* commandsOf(text: string): Generator<string[]> {
  const lines = text.split('\r\n');
  for (let at = 0; at < lines.length; ) {
    const words = /^\*(\d+)$/.exec(lines[at++] ?? '')?.[1];
    if (words === undefined) continue;
    const [name = '', ...others] = Array.from({ length: Number(words) }, (_, index) => lines[at + 2 * index + 1] ?? '');
    yield [name.toUpperCase(), ...others];
    at += 2 * Number(words);
  }
}
