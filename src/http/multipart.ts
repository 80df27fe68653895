/**
 * A form of parts as browsers send one with a file: its fields first, the file as the last part, read as it comes.
 * Sources: RFC 7578, docs/specification/pages.md#files.
 */
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { AppError } from '../errors.ts';
import { liftBodyTime } from './body-time.ts';
import { dropBody, type OpenedStream, openSource, type Source } from './byte-stream.ts';

/** Of all fields together, with the heads of their parts. */
const MOST_FIELD_BYTES = 256 * 1024;
const MOST_HEAD_BYTES = 8 * 1024;
const MOST_PARTS = 1_000;
const CRLF = Buffer.from('\r\n');
const END_OF_HEAD = Buffer.from('\r\n\r\n');

export interface SentForm {
  fields: URLSearchParams;
  /** The file that follows; undefined where none was chosen. It is read once, or dropped. */
  file: SentFile | undefined;
}

export interface SentFile {
  /** Of the field. */
  field: string;
  /** As the browser names it, without a folder. */
  name: string;
  /** The bytes as they come, at most so many. */
  open(maxBytes: number): OpenedStream;
  /** For when it is not read, or not to its end: what is still to come is dropped. */
  drop(): void;
}

/** What parts the form; undefined where it is none of parts. */
export function boundaryOf(req: Request): string | undefined {
  const [type = '', ...parameters] = (req.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'multipart/form-data') return undefined;
  const given = parameters.map((one) => /^\s*boundary=(?:"([^"]{1,70})"|([^\s"]{1,70}))\s*$/i.exec(one)).find(Boolean);
  return given?.[1] ?? given?.[2];
}

/** Reads the fields. A body that is no form of parts has none. BODY_TOO_LARGE, REQUEST_TIMEOUT. */
export async function readParts(req: Request, res: Response, boundary: string): Promise<SentForm> {
  const source = openSource(req);
  const fields = new URLSearchParams();
  const drop = (): void => dropBody(req, source);
  const reader = createReader(source, Buffer.from(`\r\n--${boundary}`));
  try {
    const file = await readFields(reader, fields);
    if (file) return { fields, file: { ...file, open: (maxBytes) => openFile({ req, res, reader, drop }, maxBytes), drop } };
    drop();
    return { fields, file };
  } catch (error) {
    drop();
    if (!(error instanceof NoParts)) throw error;
    return { fields: new URLSearchParams(), file: undefined };
  }
}

/** What came is no form of parts. */
class NoParts extends Error {}

async function readFields(reader: Reader, fields: URLSearchParams): Promise<Pick<SentFile, 'field' | 'name'> | undefined> {
  let left = MOST_FIELD_BYTES;
  await reader.piece(MOST_HEAD_BYTES);
  for (let parts = 0; parts < MOST_PARTS; parts += 1) {
    if (!(await reader.hasPart())) return undefined;
    const head = await reader.head();
    const { name, fileName } = headOf(head.toString('utf8'));
    if (fileName !== undefined && fileName !== '') return { field: name, name: fileName };
    left -= head.length;
    if (left < 0) throw new NoParts('the heads of the parts are too long');
    const content = await reader.piece(left);
    left -= content.length;
    if (fileName === undefined) fields.append(name, content.toString('utf8'));
  }
  throw new NoParts('too many parts');
}

/** Of what browsers write: quotes and ends of lines in names come as %22, %0D and %0A. */
function headOf(head: string): { name: string; fileName: string | undefined } {
  const disposition = head.split('\r\n').find((line) => /^content-disposition:\s*form-data\s*;/i.test(line));
  const of = (what: string): string | undefined => {
    const found = new RegExp(`;\\s*${what}="([^"]*)"`, 'i').exec(disposition ?? '')?.[1];
    return found?.replaceAll(/%(22|0D|0A)/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  };
  const name = of('name');
  if (name === undefined) throw new NoParts('a part without a name');
  return { name, fileName: of('filename')?.split(/[/\\]/).at(-1) };
}

function asCutShort(error: unknown): never {
  throw error instanceof NoParts ? new AppError('VALIDATION_ERROR', 'The file ends in the middle') : error;
}

interface OpenParts {
  req: Request;
  res: Response;
  reader: Reader;
  drop(): void;
}

function openFile({ req, res, reader, drop }: OpenParts, maxBytes: number): OpenedStream {
  liftBodyTime(req);
  const hash = createHash('sha256');
  let count = 0;
  let digest: string | undefined;

  async function* read(): AsyncGenerator<Buffer> {
    for await (const chunk of reader.content()) {
      count += chunk.length;
      if (count > maxBytes) throw new AppError('BODY_TOO_LARGE', `The file is larger than ${maxBytes} bytes`);
      hash.update(chunk);
      yield chunk;
    }
    if (await reader.hasPart().catch(asCutShort)) {
      throw new AppError('VALIDATION_ERROR', 'The file is the last part of its form');
    }
    digest = hash.digest('hex');
  }

  return {
    [Symbol.asyncIterator]: read,
    count: () => count,
    digest() {
      if (digest === undefined) throw new Error('the digest of a file was asked for before its end');
      return digest;
    },
    drop(error) {
      if (error instanceof AppError && (error.code === 'BODY_TOO_LARGE' || error.code === 'REQUEST_TIMEOUT')) {
        res.setHeader('Connection', 'close');
      }
      drop();
    },
  };
}

interface Reader {
  /** What stands in front of the next delimiter, which is read too. NoParts where there is none, or too far away. */
  piece(most: number): Promise<Buffer>;
  /** Behind a delimiter: whether a part follows; else it was the last. */
  hasPart(): Promise<boolean>;
  head(): Promise<Buffer>;
  /** The same as `piece`, of any size. */
  content(): AsyncGenerator<Buffer>;
}

function createReader(source: Source, delimiter: Buffer): Reader {
  // The first delimiter has no end of a line before it.
  let held: Buffer = Buffer.from(CRLF);

  async function more(): Promise<void> {
    const chunk = await source.next();
    if (!chunk) throw new NoParts('the form ends in the middle');
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
  }

  async function upTo(mark: Buffer, most: number): Promise<Buffer> {
    for (let from = 0; ; ) {
      const at = held.indexOf(mark, from);
      if (at > most || (at === -1 && held.length > most + mark.length)) throw new NoParts('a part is too long');
      if (at !== -1) {
        const piece = held.subarray(0, at);
        held = held.subarray(at + mark.length);
        return piece;
      }
      from = Math.max(0, held.length - mark.length + 1);
      await more();
    }
  }

  return {
    piece: (most) => upTo(delimiter, most),

    async hasPart() {
      while (held.length < 2) await more();
      const next = held.subarray(0, 2);
      held = held.subarray(2);
      if (next.equals(CRLF)) return true;
      if (next.toString('latin1') === '--') return false;
      throw new NoParts('a delimiter goes on');
    },

    // A part without a head begins with an empty line; a name it has none.
    head: () => upTo(END_OF_HEAD, MOST_HEAD_BYTES),

    async *content() {
      for (;;) {
        const at = held.indexOf(delimiter);
        if (at !== -1) {
          const last = held.subarray(0, at);
          held = held.subarray(at + delimiter.length);
          if (last.length > 0) yield last;
          return;
        }
        // The last bytes may be the beginning of a delimiter.
        const safe = held.length - delimiter.length + 1;
        if (safe > 0) {
          const chunk = held.subarray(0, safe);
          held = held.subarray(safe);
          yield chunk;
        }
        await more().catch(asCutShort);
      }
    },
  };
}
