/** Enough of the Redis protocol for the rate-limit store: scripts load, and each call counts one more hit of its key, or reads them. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export interface FakeRedis {
  port: number;
  /** All that clients have sent. */
  received(): string;
  close(): Promise<void>;
}

export async function startFakeRedis(port = 0): Promise<FakeRedis> {
  const hits = new Map<string, number>();
  let received = '';
  const sockets = new Set<import('node:net').Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received += chunk.toString();
      for (const [command = '', ...words] of commandsOf(chunk.toString())) {
        const [, , key = '', windowMs] = words;
        const counted = (hits.get(key) ?? 0) + (windowMs === undefined ? 0 : 1);
        if (command === 'HELLO') socket.write('%1\r\n$5\r\nproto\r\n:3\r\n');
        else if (command === 'SCRIPT') socket.write('$4\r\nabcd\r\n');
        else if (command === 'EVALSHA') {
          if (windowMs !== undefined) hits.set(key, counted);
          socket.write(counted === 0 ? '*2\r\n$-1\r\n:-2\r\n' : `*2\r\n:${counted}\r\n:60000\r\n`);
        } else socket.write('+OK\r\n');
      }
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received,
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
