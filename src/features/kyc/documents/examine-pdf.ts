/**
 * PDF: `%PDF-` as the very beginning, `%%EOF` as the end, and nothing that acts or carries files: the
 * names below, also with `#xx` in place of letters, in the file itself and in its compressed object
 * streams (ISO 32000-1, §7.3.5, §7.5.7). What is encrypted cannot be looked through and is refused, as
 * is an object stream that is packed in another way than by Flate alone.
 */
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';

const inflateAsync = promisify(inflate);

/** Long enough not to stand in a compressed picture by chance: looked for everywhere. */
const LONG_NAMES = 'JavaScript Launch EmbeddedFile EmbeddedFiles RichMedia Rendition SubmitForm ImportData'.split(' ');
/** Looked for outside of streams. */
const SHORT_NAMES = ['JS', 'XFA'];

const ACTIVE_ANYWHERE = nameIn(LONG_NAMES);
const ACTIVE = nameIn([...LONG_NAMES, ...SHORT_NAMES]);
const ENCRYPTED = nameIn(['Encrypt']);
const OBJECT_STREAM = nameIn(['ObjStm']);
const FILTER = nameIn(['Filter', 'F', 'DecodeParms', 'DP']);
/** As every writer has it: one filter and no parameters. */
const FLATE_ALONE = /\/Filter\s*(?:\/FlateDecode|\[\s*\/FlateDecode\s*\])/;

/** A file of 10 MiB has some thousands of each: as many as fit would take the event loop for a second. */
const MAX_STREAMS = 50_000;
const MAX_OBJECT_STREAMS = 5_000;
/** Of all object streams of a file. */
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024;

export async function examinePdf(content: Buffer): Promise<string | undefined> {
  const text = content.toString('latin1');
  if (!/^%PDF-[12]\.\d/.test(text.slice(0, 8))) return 'is not a PDF file';
  if (!/%%EOF[\s\0]*$/.test(text.slice(-64))) return 'is a PDF file that is cut off, or has something behind its end';
  const { outside, streams } = takeApart(text);
  if (streams.length > MAX_STREAMS) return 'is a PDF file of too many parts';
  if (ENCRYPTED.test(outside)) return 'is a PDF file that is encrypted or protected by a password';
  if (ACTIVE_ANYWHERE.test(text) || ACTIVE.test(outside)) return 'is a PDF file with scripts, actions or files in it';
  return examineObjectStreams(content, text, streams);
}

async function examineObjectStreams(content: Buffer, text: string, streams: readonly Stream[]): Promise<string | undefined> {
  const opaque = 'is a PDF file with objects that cannot be looked through';
  const objectStreams = streams.filter(({ dictionary }) => OBJECT_STREAM.test(dictionary));
  // Each one that is named is one that is read: none stands in what only looks like a stream.
  if (objectStreams.length > MAX_OBJECT_STREAMS || !namesAsMany(objectStreams.length, text)) return opaque;
  let room = MAX_UNPACKED_BYTES;
  for (const { dictionary, start, end } of objectStreams) {
    const objects = await unpack(dictionary, content.subarray(start, end), room);
    if (objects === undefined) return opaque;
    room -= objects.length;
    if (ACTIVE.test(objects.toString('latin1'))) return 'is a PDF file with scripts, actions or files in it';
  }
  return undefined;
}

function namesAsMany(count: number, text: string): boolean {
  let found = 0;
  for (const _ of text.matchAll(new RegExp(OBJECT_STREAM, 'g'))) {
    found += 1;
    if (found > count) return false;
  }
  return found === count;
}

/** Undefined: packed in a way that is not read here, damaged, or more than there is room for. */
async function unpack(dictionary: string, packed: Buffer, room: number): Promise<Buffer | undefined> {
  if (!FILTER.test(dictionary)) return packed;
  if (!FLATE_ALONE.test(dictionary) || FILTER.test(dictionary.replace(FLATE_ALONE, ''))) return undefined;
  try {
    return await inflateAsync(packed, { maxOutputLength: Math.max(1, room) });
  } catch {
    return undefined;
  }
}

interface Stream {
  /** Of the object it belongs to, and nothing before that. */
  dictionary: string;
  start: number;
  end: number;
}

/** In one pass: the streams, and what is outside of them, which is dictionaries, trailers and tables. */
function takeApart(text: string): { outside: string; streams: Stream[] } {
  const outside: string[] = [];
  const streams: Stream[] = [];
  const begin = />>\s*stream\r?\n/g;
  let at = 0;
  for (let word = begin.exec(text); word && streams.length <= MAX_STREAMS; word = begin.exec(text)) {
    const before = text.slice(at, word.index + 2);
    const start = begin.lastIndex;
    const found = text.indexOf('endstream', start);
    const end = found === -1 ? text.length : found;
    outside.push(before);
    streams.push({ dictionary: before.slice(before.lastIndexOf(' obj') + 1), start, end });
    at = end;
    begin.lastIndex = end;
  }
  outside.push(text.slice(at));
  return { outside: outside.join(''), streams };
}

/** One of these names as a whole, each sign of it plain or as `#xx`. */
function nameIn(names: readonly string[]): RegExp {
  const signOf = (sign: string): string => {
    const hex = sign.charCodeAt(0).toString(16);
    return `(?:${sign}|#${hex.replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`)})`;
  };
  const patterns = names.map((name) => name.split('').map(signOf).join(''));
  return new RegExp(`/(?:${patterns.join('|')})(?![A-Za-z0-9_.#-])`);
}
