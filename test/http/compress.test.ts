/** Compressed answers, whole and in pieces, as they are on the wire. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import express from 'express';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { compressAnswers } from '../../src/http/compress.ts';
import { sendPieces, sendWhole } from '../../src/http/send-answer.ts';

/** More than the buffers of a connection hold, also compressed: two thirds of it are random. */
const LARGE = 20_000;
const random = randomBytes(LARGE * 540).toString('base64');
const item = (n: number) => ({
  n,
  name: `member ${n} – ünïcode`,
  random: random.slice(n * 720, (n + 1) * 720),
  filler: 'x'.repeat(200),
});
const itemsText = (count: number): string => JSON.stringify(Array.from({ length: count }, (_, n) => item(n)));

let made = 0;
let returned = false;
let failAt: number | undefined;
beforeEach(() => {
  made = 0;
  returned = false;
  failAt = undefined;
});

function* piecesOf(count: number): Generator<string> {
  try {
    yield '[';
    for (let n = 0; n < count; n += 1) {
      if (n === failAt) throw new Error('a row is broken');
      made += 1;
      yield (n === 0 ? '' : ',') + JSON.stringify(item(n));
    }
    yield ']';
  } finally {
    returned = true;
  }
}

const uncaught: unknown[] = [];
const remember = (error: unknown): void => {
  uncaught.push(error);
};
let server: Server;
beforeAll(async () => {
  process.on('uncaughtException', remember);
  const app = express();
  app.disable('etag').use(compressAnswers());
  app.get('/whole/:count', (req, res) => sendWhole(res, { status: 200, body: itemsText(Number(req.params.count)) }));
  app.get('/text/:length', (req, res) => sendWhole(res, { status: 200, body: `"${'x'.repeat(Number(req.params.length) - 2)}"` }));
  app.get('/pieces/:count', (req, res) =>
    sendPieces(res, { status: 200, pieces: piecesOf(Number(req.params.count)) }).catch(() => {
      res.destroy();
    }),
  );
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => expect(uncaught).toEqual([]));
afterAll(() => {
  process.off('uncaughtException', remember);
  server.closeAllConnections();
  server.close();
});

interface Wire {
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

function open(path: string, acceptEncoding?: string, method = 'GET'): Promise<IncomingMessage> {
  const headers = acceptEncoding === undefined ? {} : { 'Accept-Encoding': acceptEncoding };
  return new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    request({ host: '127.0.0.1', port, path, method, headers, agent: false }, resolve).on('error', reject).end();
  });
}

async function get(path: string, acceptEncoding?: string, method = 'GET'): Promise<Wire> {
  const answer = await open(path, acceptEncoding, method);
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return { headers: answer.headers, bytes: Buffer.concat(chunks) };
}

const plain = (bytes: Buffer): Promise<Buffer> => Promise.resolve(bytes);
const decoders = new Map([
  ['br', promisify(brotliDecompress)],
  ['gzip', promisify(gunzip) as (bytes: Buffer) => Promise<Buffer>],
  [undefined, plain],
]);
const decode = async ({ headers, bytes }: Wire): Promise<string> => {
  const decoder = decoders.get(headers['content-encoding']);
  if (!decoder) throw new Error(`unexpected encoding ${headers['content-encoding']}`);
  return (await decoder(bytes)).toString();
};

const cases: [string | undefined, string | undefined][] = [
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['*', 'br'],
  ['identity', undefined],
  ['gzip;q=0, br;q=0', undefined],
  ['zstd', undefined],
  ['', undefined],
  [undefined, undefined],
];

test.each(cases)('Accept-Encoding %j is answered with %j', async (accepted, encoding) => {
  for (const kind of ['whole', 'pieces']) {
    const answer = await get(`/${kind}/2000`, accepted);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers.vary).toBe('Accept-Encoding');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(await decode(answer)).toBe(itemsText(2000));
    const length = answer.headers['content-length'];
    if (encoding !== undefined || kind === 'pieces') expect(length).toBeUndefined();
    else expect(length).toBe(String(answer.bytes.length));
    if (encoding !== undefined) expect(answer.bytes.length).toBeLessThan(itemsText(2000).length * 0.7);
  }
});

test('answers below the threshold stay as they are, with their length', async () => {
  for (const path of ['/whole/3', '/pieces/3', '/text/8191']) {
    const answer = await get(path, 'br, gzip');
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
    expect(answer.headers.vary).toBe('Accept-Encoding');
  }
  expect((await get('/text/8192', 'br, gzip')).headers['content-encoding']).toBe('br');
  // One slice, since there is little of it, but more than the threshold.
  const pieces = await get('/pieces/200', 'gzip');
  expect(pieces.headers['content-encoding']).toBe('gzip');
  expect(await decode(pieces)).toBe(itemsText(200));
});

test('HEAD has no body and tells no length but that of GET', async () => {
  for (const kind of ['whole', 'pieces']) {
    for (const accepted of ['br', 'gzip', 'identity', undefined]) {
      const small = await get(`/${kind}/3`, accepted, 'HEAD');
      expect(small.headers['content-length']).toBe(String(Buffer.byteLength(itemsText(3))));
      const large = await get(`/${kind}/2000`, accepted, 'HEAD');
      expect(large.headers['content-length']).toBeUndefined();
      for (const { headers, bytes } of [small, large]) {
        expect(bytes.length).toBe(0);
        expect(headers.vary).toBe('Accept-Encoding');
        expect(headers['transfer-encoding']).toBeUndefined();
      }
    }
  }
});

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('it did not happen in time');
    await sleep(5);
  }
}

async function untilStill(): Promise<number> {
  for (let before = -1; before !== made; ) {
    before = made;
    await sleep(200);
  }
  return made;
}

test.each(['br', 'gzip'])(
  'a slow reader of %s gets everything, and no more is made ahead of it than buffers hold',
  async (encoding) => {
    const answer = await open(`/pieces/${LARGE}`, encoding);
    expect(await untilStill()).toBeLessThan(LARGE);
    expect(returned).toBe(false);
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    expect((await decode({ headers: answer.headers, bytes: Buffer.concat(chunks) })) === itemsText(LARGE)).toBe(true);
  },
);

test.each(['br', 'gzip', 'identity'])('a client that leaves in the middle of %s does no harm', async (encoding) => {
  const waiting = await open(`/pieces/${LARGE}`, encoding);
  await untilStill();
  waiting.destroy();
  await until(() => returned);
  for (const kind of ['pieces', 'whole']) {
    for (let bytes = 1; bytes < 300_000; bytes *= 64) {
      const answer = await open(`/${kind}/${LARGE / 4}`, encoding);
      let received = 0;
      answer.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received >= bytes) answer.destroy();
      });
      await once(answer, 'close');
    }
  }
  await until(() => returned);
  await sleep(50);
  expect(await decode(await get('/pieces/2000', encoding))).toBe(itemsText(2000));
});

test.each(['br', 'gzip'])('an error in the middle of %s leaves an answer that nobody takes for whole', async (encoding) => {
  failAt = LARGE / 2;
  await expect(get(`/pieces/${LARGE}`, encoding)).rejects.toThrow(/aborted|socket hang up/);
});
