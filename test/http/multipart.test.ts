/** Forms of parts, however they are cut on the way. Sources: RFC 7578, docs/specification/pages.md#files. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import type { Request, Response } from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { boundaryOf, readParts } from '../../src/http/multipart.ts';

let server: Server;
const MOST = 1_000;

beforeAll(async () => {
  server = createServer((req, res) => {
    void answer(req as Request, res as Response).then(
      (said) => res.end(JSON.stringify(said)),
      (error: unknown) => res.end(JSON.stringify({ error: error instanceof AppError ? error.code : String(error) })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function answer(req: Request, res: Response): Promise<unknown> {
  const boundary = boundaryOf(req);
  if (boundary === undefined) return { boundary: null };
  const { fields, file } = await readParts(req, res, boundary);
  const told = { fields: [...fields] };
  if (!file) return told;
  if (fields.get('drop')) {
    file.drop();
    return { ...told, dropped: true };
  }
  const opened = file.open(MOST);
  let text = '';
  for await (const chunk of opened) text += chunk.toString('latin1');
  return { ...told, name: file.name, field: file.field, text, count: opened.count(), digest: opened.digest().length };
}

/** Writes the body in pieces of so many bytes. */
function send(body: string, { piece = 7, type = 'multipart/form-data; boundary=XX' } = {}): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    socket.setEncoding('utf8').on('data', (text) => (heard += text));
    // The answer may come before all is sent, and the connection closes behind it.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (heard === '') reject(new Error('there was no answer'));
      else resolve(JSON.parse(heard.slice(heard.indexOf('\r\n\r\n') + 4)));
    });
    const bytes = Buffer.from(body, 'latin1');
    socket.write(
      `POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: ${type}\r\ncontent-length: ${bytes.length}\r\n\r\n`,
    );
    void (async () => {
      for (let at = 0; at < bytes.length; at += piece) {
        if (socket.writable) socket.write(bytes.subarray(at, at + piece));
        if (piece < bytes.length) await new Promise(setImmediate);
      }
    })();
  });
}

const field = (name: string, value: string): string =>
  `--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const fileOf = (content: string, name = 'a.csv'): string =>
  `--XX\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n${content}\r\n`;
const END = '--XX--\r\n';

describe('the fields come first, then the file', () => {
  const content = 'a,b\r\n--X\r\n--XY\r\n\r\n--\r\n-XX\r\n';
  const body = field('_do', 'send') + field('kind', '') + fileOf(content) + END;
  test.each([1, 2, 3, 5, 13, 64, 10_000])('in pieces of %i bytes', async (piece) => {
    expect(await send(body, { piece })).toEqual({
      fields: [
        ['_do', 'send'],
        ['kind', ''],
      ],
      name: 'a.csv',
      field: 'file',
      text: content,
      count: content.length,
      digest: 64,
    });
  });
});

test('a preamble and an epilogue are passed over', async () => {
  expect(await send(`hello\r\n${field('a', '1')}${fileOf('x')}${END}goodbye`)).toMatchObject({ fields: [['a', '1']], text: 'x' });
});

test('no file that was chosen is no file', async () => {
  expect(await send(field('a', '1') + fileOf('', '') + END)).toEqual({ fields: [['a', '1']] });
});

test('an empty file is a file', async () => {
  expect(await send(fileOf('') + END)).toMatchObject({ text: '', count: 0 });
});

test.each([
  ['a%22b.csv', 'a"b.csv'],
  ['C:\\secret\\a.csv', 'a.csv'],
  ['../../etc/a.csv', 'a.csv'],
])('the file name %s is %s', async (sent, name) => {
  expect(await send(fileOf('x', sent) + END)).toMatchObject({ name });
});

test('a file that is not wanted is dropped, and the answer comes', async () => {
  expect(await send(field('drop', 'yes') + fileOf('x'.repeat(100_000)) + END, { piece: 8_192 })).toMatchObject({ dropped: true });
});

test('a file larger than it may be is refused', async () => {
  expect(await send(fileOf('x'.repeat(MOST)) + END, { piece: 300 })).toMatchObject({ count: MOST });
  expect(await send(fileOf('x'.repeat(MOST + 1)) + END, { piece: 300 })).toEqual({ error: 'BODY_TOO_LARGE' });
});

test.each([
  ['cut in the middle', fileOf('x,y').slice(0, -2)],
  ['with a part behind it', fileOf('x') + field('late', '1') + END],
  ['with a delimiter that goes on', `${fileOf('x')}--XXYZ`],
])('a file %s is refused', async (_what, body) => {
  expect(await send(body)).toEqual({ error: 'VALIDATION_ERROR' });
});

test.each([
  ['of another kind', 'a=1&b=2'],
  ['without an end', field('a', '1')],
  ['with a part without a name', `--XX\r\nContent-Type: text/plain\r\n\r\n1\r\n${END}`],
  ['with a head that does not end', `--XX\r\n${'x'.repeat(20_000)}`],
  ['with too much in its fields', field('a', 'x'.repeat(300_000)) + END],
  [
    'with too much in the heads of its parts',
    `--XX\r\nContent-Disposition: form-data; name="a"; x="${'x'.repeat(7_000)}"\r\n\r\n\r\n`.repeat(40) + END,
  ],
  ['of more than 1,000 parts', field('a', '').repeat(1_001) + END],
  ['empty', ''],
])('a body %s has no fields', async (_what, body) => {
  expect(await send(body, { piece: 4_096 })).toEqual({ fields: [] });
});

test('a body of 1,000 parts has them all', async () => {
  expect(await send(field('a', '').repeat(999) + fileOf('x') + END, { piece: 4_096 })).toMatchObject({
    fields: Array.from({ length: 999 }, () => ['a', '']),
    text: 'x',
  });
});

test.each([
  ['application/x-www-form-urlencoded'],
  ['multipart/form-data'],
  ['multipart/form-data; boundary='],
  [`multipart/form-data; boundary=${'x'.repeat(71)}`],
  ['text/plain; boundary=XX'],
])('%s is no form of parts', async (type) => {
  expect(await send(END, { type })).toEqual({ boundary: null });
});

test('a boundary in quotes', async () => {
  expect(await send(field('a', '1') + END, { type: 'Multipart/Form-Data; charset=utf-8; boundary="XX"' })).toEqual({
    fields: [['a', '1']],
  });
});
