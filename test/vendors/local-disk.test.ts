/** Files that are written in pieces: whole, or not there. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDiskStorage } from '../../src/vendors/storage/local-disk.ts';
import type { ObjectStorage } from '../../src/vendors/storage/object-storage.ts';
import { createUploadLinks } from '../../src/vendors/storage/upload-links.ts';

let folder: string;
let storage: ObjectStorage;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-disk-'));
  storage = createDiskStorage({ folder, links: createUploadLinks(Buffer.alloc(32)), baseUrl: () => 'http://localhost' });
});
afterAll(() => rm(folder, { recursive: true }));

async function* pieces(count: number, onPiece: (n: number) => void = () => undefined): AsyncGenerator<Buffer> {
  for (let n = 0; n < count; n++) {
    onPiece(n);
    yield Buffer.from(`${n}\n`);
  }
}
const contentOf = async (key: string) =>
  Buffer.concat((await (await storage.read(key))?.content.toArray()) as Buffer[]).toString();
const isThere = (key: string) =>
  stat(path.join(folder, key)).then(
    () => true,
    () => false,
  );

test('the pieces are one file, which takes the place of an older one', async () => {
  await storage.writePieces('live/a/1.csv', pieces(3), 'text/csv');
  expect(await contentOf('live/a/1.csv')).toBe('0\n1\n2\n');
  await storage.writePieces('live/a/1.csv', pieces(0), 'text/csv');
  expect(await contentOf('live/a/1.csv')).toBe('');
});

test('it is not there before the last piece is', async () => {
  await storage.writePieces('live/a/2.ndjson', slowly(), 'application/x-ndjson');
  expect(await contentOf('live/a/2.ndjson')).toBe('one\ntwo\n');

  async function* slowly(): AsyncGenerator<Buffer> {
    yield Buffer.from('one\n');
    expect(await isThere('live/a/2.ndjson')).toBe(false);
    yield Buffer.from('two\n');
    expect(await isThere('live/a/2.ndjson')).toBe(false);
  }
});

test('a source that breaks off leaves nothing, and its fault is thrown as it is', async () => {
  const fault = new Error('the source broke');
  const broken = pieces(3, (n) => {
    if (n === 2) throw fault;
  });
  await expect(storage.writePieces('live/a/3.csv', broken, 'text/csv')).rejects.toBe(fault);
  expect(await isThere('live/a/3.csv')).toBe(false);
  expect(await readdir(path.join(folder, '.incoming'))).toEqual([]);
});
