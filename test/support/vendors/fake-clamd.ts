/** A scanner that speaks clamd's INSTREAM over TCP and says what a test wants it to say. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { EICAR } from '../kyc/sample-documents.ts';

export interface FakeClamd {
  port: number;
  /** What was sent to it, each scan whole. */
  scanned: Buffer[];
  /** The reply to every scan from now on, without its NUL; `silence` leaves it out, `cut` closes at once. Undefined: by content. */
  reply: string | undefined;
  /** To those that wait in silence. */
  answerAll(reply: string): void;
  close(): Promise<void>;
}

export async function startFakeClamd(): Promise<FakeClamd> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    if (fake.reply === 'cut') socket.destroy();
    const received: Buffer[] = [];
    socket.on('data', (bytes: Buffer) => {
      received.push(bytes);
      // The last chunk, of no bytes, ends in four zeros.
      const content = bytes.at(-1) === 0 ? contentOf(Buffer.concat(received)) : undefined;
      if (!content) return;
      fake.scanned.push(content);
      const verdict = content.includes(EICAR) ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK';
      if (fake.reply !== 'silence') socket.end(`${fake.reply ?? verdict}\0`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const fake: FakeClamd = {
    port: (server.address() as AddressInfo).port,
    scanned: [],
    reply: undefined,
    answerAll(reply) {
      for (const socket of sockets) socket.end(`${reply}\0`);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return fake;
}

/** Undefined until the last chunk, of no bytes, is there. */
function contentOf(received: Buffer): Buffer | undefined {
  const command = 'zINSTREAM\0';
  if (received.length < command.length) return undefined;
  if (received.toString('latin1', 0, command.length) !== command) throw new Error('not the command INSTREAM');
  const chunks: Buffer[] = [];
  for (let at = command.length; at + 4 <= received.length; ) {
    const length = received.readUInt32BE(at);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(received.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return undefined;
}
