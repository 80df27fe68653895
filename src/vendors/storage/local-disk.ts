/** Documents in a folder: for one machine, or several that share it. Who holds a signed URL reads or writes one of them. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { type ObjectStorage, type StoredObject, storageFault } from './object-storage.ts';
import type { UploadLinks } from './upload-links.ts';

export interface DiskStorage extends ObjectStorage {
  /** As `write`, from what is still arriving. A source that breaks off leaves nothing: SourceBroken. */
  receive(key: string, source: Readable): Promise<void>;
}

export class SourceBroken extends Error {}

/** Segments of letters, digits and hyphens, with one dot at most: none leads anywhere else. */
const KEY = /^(?:[A-Za-z0-9-]+\/)+[A-Za-z0-9-]+\.[a-z]{1,8}$/;

const TYPES: Readonly<Record<string, string>> = { jpg: 'image/jpeg', png: 'image/png', pdf: 'application/pdf' };

/** A folder may be removed between being made and being used, when its last file goes. */
const PLACING_ATTEMPTS = 5;

export function createDiskStorage({
  folder,
  links,
  baseUrl,
}: {
  folder: string;
  links: UploadLinks;
  baseUrl: () => string;
}): DiskStorage {
  const root = path.resolve(folder);
  const incoming = path.join(root, '.incoming');

  function fileOf(key: string): string {
    if (!KEY.test(key)) throw new Error('the key of an object is malformed');
    return path.join(root, key);
  }

  /** Written beside, made durable, then put in place: a reader sees all of it or nothing. */
  async function receive(key: string, source: Readable): Promise<void> {
    const file = fileOf(key);
    const draft = path.join(incoming, randomUUID());
    try {
      await mkdir(incoming, { recursive: true, mode: 0o700 });
      await fillDraft(draft, source);
      await place(draft, file);
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined);
      if (error instanceof SourceBroken) throw error;
      throw storageFault('The document storage cannot be written now', error);
    }
  }

  return {
    receive,

    async createUpload({ key, mimeType, size, expiresInSeconds }) {
      const url = baseUrl() + links.sign({ method: 'PUT', key, mimeType, size }, expiresInSeconds);
      return { url, method: 'PUT', headers: { 'Content-Type': mimeType } };
    },

    async createDownloadUrl({ key, fileName, expiresInSeconds }) {
      return baseUrl() + links.sign({ method: 'GET', key, fileName }, expiresInSeconds);
    },

    async read(key) {
      return openStored(fileOf(key), key);
    },

    write: (key, content) => receive(key, Readable.from([content])),

    async writePieces(key, pieces) {
      const source = Readable.from(pieces, { highWaterMark: 1 });
      try {
        await receive(key, source);
      } catch (error) {
        source.destroy();
        throw error instanceof SourceBroken ? error.cause : error;
      }
    },

    async remove(keys) {
      try {
        for (const key of keys) {
          const file = fileOf(key);
          await unlink(file).catch(unless('ENOENT'));
          await removeEmptyFolders(root, path.dirname(file));
        }
        // Every upload is followed by a removal, so what a killed process was receiving goes with one.
        await removeStaleDrafts(incoming);
      } catch (error) {
        throw storageFault('Documents cannot be removed now', error);
      }
    },

    close: () => undefined,
  };
}

/** Longer than any request lasts. */
const STALE_MS = 3_600_000;

async function removeStaleDrafts(folder: string): Promise<void> {
  const names = await readdir(folder).catch(unless('ENOENT'));
  for (const name of names ?? []) {
    const draft = path.join(folder, name);
    const written = await stat(draft).catch(unless('ENOENT'));
    if (written && Date.now() - written.mtimeMs > STALE_MS) await unlink(draft).catch(unless('ENOENT'));
  }
}

async function fillDraft(draft: string, source: Readable): Promise<void> {
  const handle = await open(draft, 'wx', 0o600);
  try {
    for await (const chunk of chunksOf(source)) await writeWhole(handle, chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The source is left open when writing fails: a request that is destroyed cannot be answered. */
async function* chunksOf(source: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
  } catch (error) {
    throw new SourceBroken('the source broke off', { cause: error });
  }
}

async function writeWhole(handle: FileHandle, chunk: Buffer): Promise<void> {
  for (let written = 0; written < chunk.length; ) {
    written += (await handle.write(chunk, written)).bytesWritten;
  }
}

async function place(draft: string, file: string): Promise<void> {
  const folder = path.dirname(file);
  for (let attempt = 1; ; attempt++) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      await rename(draft, file);
      break;
    } catch (error) {
      if (attempt === PLACING_ATTEMPTS || codeOf(error) !== 'ENOENT') throw error;
    }
  }
  await syncFolder(folder);
}

/** The name of the file is durable once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The open file stays what it is, whatever takes its place. */
async function openStored(file: string, key: string): Promise<StoredObject | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, 'r');
    const { size } = await handle.stat();
    const mimeType = TYPES[path.extname(key).slice(1)] ?? '';
    return { size, mimeType, content: createReadStream('', { fd: handle, autoClose: true }) };
  } catch (error) {
    await handle?.close();
    if (codeOf(error) === 'ENOENT') return undefined;
    throw storageFault('The document storage cannot be read now', error);
  }
}

async function removeEmptyFolders(root: string, lowest: string): Promise<void> {
  try {
    for (let folder = lowest; folder !== root; folder = path.dirname(folder)) await rmdir(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error))) throw error;
  }
}

function unless(code: string): (error: unknown) => void {
  return (error) => {
    if (codeOf(error) !== code) throw error;
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
