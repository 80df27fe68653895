/** PNG: signature, chunks with their checksums, IEND as the very end (W3C PNG, third edition, §5). */
import { crc32 } from 'node:zlib';
import { examinePixels } from './examine-pixels.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length and type before a chunk's data, checksum behind it. */
const AROUND = 12;
const HEADER_BYTES = 13;
/** A picture of 10 MiB has some thousands: as many as fit would take the event loop for a second. */
const MAX_CHUNKS = 50_000;

export function examinePng(content: Buffer): string | undefined {
  if (!content.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return 'is not a PNG file';
  let hasData = false;
  let chunks = 0;
  for (let at = SIGNATURE.length; at + AROUND <= content.length; ) {
    chunks += 1;
    if (chunks > MAX_CHUNKS) return 'is a PNG file of too many parts';
    const length = content.readUInt32BE(at);
    const type = content.toString('latin1', at + 4, at + 8);
    const end = at + AROUND + length;
    if (end > content.length) return 'is a PNG file that is cut off';
    if (crc32(content.subarray(at + 4, end - 4)) !== content.readUInt32BE(end - 4)) return 'is a PNG file that is damaged';
    const isFirst = at === SIGNATURE.length;
    if (isFirst !== (type === 'IHDR')) return 'is a PNG file with a misplaced header';
    if (isFirst) {
      if (length !== HEADER_BYTES) return 'is a PNG file with a broken header';
      const fault = examinePixels(content.readUInt32BE(at + 8), content.readUInt32BE(at + 12));
      if (fault !== undefined) return fault;
    }
    if (type === 'IDAT') hasData = true;
    if (type === 'IEND') {
      if (end !== content.length || length !== 0) return 'has something behind the end of its picture';
      return hasData ? undefined : 'is a PNG file without a picture';
    }
    at = end;
  }
  return 'is a PNG file that is cut off';
}
