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

/** Of all object streams of a file. */
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024;

export async function examinePdf(content: Buffer): Promise<string | undefined> {
  const text = content.toString('latin1');
  if (!/^%PDF-[12]\.\d/.test(text.slice(0, 8))) return 'is not a PDF file';
  if (!/%%EOF[\s\0]*$/.test(text.slice(-64))) return 'is a PDF file that is cut off, or has something behind its end';
  const outside = withoutStreams(text);
  if (ENCRYPTED.test(outside)) return 'is a PDF file that is encrypted or protected by a password';
  if (ACTIVE_ANYWHERE.test(text) || ACTIVE.test(outside)) return 'is a PDF file with scripts, actions or files in it';
  return examineObjectStreams(content, text);
}

async function examineObjectStreams(content: Buffer, text: string): Promise<string | undefined> {
  let room = MAX_UNPACKED_BYTES;
  for (const found of text.matchAll(new RegExp(OBJECT_STREAM, 'g'))) {
    const begin = /stream\r?\n/g;
    begin.lastIndex = found.index;
    const word = begin.exec(text);
    if (!word) continue;
    const dictionary = text.slice(Math.max(0, text.lastIndexOf(' obj', found.index)), word.index);
    const end = text.indexOf('endstream', begin.lastIndex);
    const packed = content.subarray(begin.lastIndex, end === -1 ? undefined : end);
    const objects = await unpack(dictionary, packed, room);
    if (objects === undefined) return 'is a PDF file with objects that cannot be looked through';
    room -= objects.length;
    if (ACTIVE.test(objects.toString('latin1'))) return 'is a PDF file with scripts, actions or files in it';
  }
  return undefined;
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

/** Dictionaries, trailers and tables. */
function withoutStreams(text: string): string {
  let rest = '';
  let at = 0;
  for (const begin = />>\s*stream\r?\n/g; ; ) {
    begin.lastIndex = at;
    const word = begin.exec(text);
    if (!word) return rest + text.slice(at);
    rest += text.slice(at, word.index + 2);
    const end = text.indexOf('endstream', begin.lastIndex);
    if (end === -1) return rest;
    at = end;
  }
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
