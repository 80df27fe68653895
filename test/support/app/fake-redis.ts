/** Enough of the Redis protocol for the rate-limit store: scripts load, and each call counts one more hit. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export interface FakeRedis {
  port: number;
  /** All that clients have sent. */
  received(): string;
  close(): Promise<void>;
}

export async function startFakeRedis(port = 0): Promise<FakeRedis> {
  let hits = 0;
  let received = '';
  const sockets = new Set<import('node:net').Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received += chunk.toString();
      for (const command of commandsOf(chunk.toString())) {
        if (command === 'HELLO') socket.write('%1\r\n$5\r\nproto\r\n:3\r\n');
        else if (command === 'SCRIPT') socket.write('$4\r\nabcd\r\n');
        else if (command === 'EVALSHA') socket.write(`*2\r\n:${++hits}\r\n:60000\r\n`);
        else socket.write('+OK\r\n');
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

/** The command names of RESP arrays: *count, then for each word its length and itself. */
function* commandsOf(text: string): Generator<string> {
  const lines = text.split('\r\n');
  for (let at = 0; at < lines.length; ) {
    const words = /^\*(\d+)$/.exec(lines[at++] ?? '')?.[1];
    if (words === undefined) continue;
    yield (lines[at + 1] ?? '').toUpperCase();
    at += 2 * Number(words);
  }
}
