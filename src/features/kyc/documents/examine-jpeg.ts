/** JPEG: segments from SOI to EOI (ITU T.81, annex B), and nothing but further whole pictures behind it. */
import { examinePixels } from './examine-pixels.ts';

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
/** Of one file: phones put a gain map or a smaller picture behind the first (CIPA DC-007). */
const MAX_PICTURES = 4;
/** Signs 0xff of one picture that are looked at. Of 10 MiB some 40,000 are; as many as fit would take the event loop for half a second. */
const MAX_SIGNS = 500_000;

interface Walked {
  end: number;
  fault?: string;
}

export function examineJpeg(content: Buffer): string | undefined {
  let at = 0;
  for (let pictures = 0; pictures < MAX_PICTURES; pictures++) {
    const { end, fault } = walkPicture(content, at);
    if (fault !== undefined) return at === 0 ? fault : 'has something behind the end of its picture';
    if (end === content.length) return undefined;
    at = end;
  }
  return 'has something behind the end of its picture';
}

function walkPicture(content: Buffer, start: number): Walked {
  const fail = (fault: string): Walked => ({ end: start, fault });
  if (content[start] !== 0xff || content[start + 1] !== SOI || content[start + 2] !== 0xff) return fail('is not a JPEG file');
  let hasFrame = false;
  let hasScan = false;
  let signs = 0;
  for (let at = start + 2; at < content.length; ) {
    if (content[at] !== 0xff) return fail('is a JPEG file that is damaged');
    signs += 1;
    if (signs > MAX_SIGNS) return fail('is a JPEG file of too many parts');
    const marker = content[at + 1];
    if (marker === undefined) break;
    if (marker === 0xff) at += 1;
    else if (marker === EOI) return hasScan ? { end: at + 2 } : fail('is a JPEG file without a picture');
    else if (isBare(marker)) return fail('is a JPEG file that is damaged');
    else {
      if (at + 4 > content.length) break;
      const length = content.readUInt16BE(at + 2);
      const end = at + 2 + length;
      if (length < 2) return fail('is a JPEG file that is damaged');
      if (end > content.length) break;
      if (isFrame(marker)) {
        if (length < 8 || hasFrame) return fail('is a JPEG file that is damaged');
        const fault = examinePixels(content.readUInt16BE(at + 7), content.readUInt16BE(at + 5));
        if (fault !== undefined) return fail(fault);
        hasFrame = true;
      }
      if (marker === SOS && !hasFrame) return fail('is a JPEG file that is damaged');
      if (marker === SOS) hasScan = true;
      if (marker !== SOS) at = end;
      else {
        const scan = walkScan(content, end, MAX_SIGNS - signs);
        signs += scan.signs;
        at = scan.end;
      }
    }
  }
  return fail('is a JPEG file that is cut off');
}

/** Markers without a length, which have no place outside a scan: TEM, RSTn, SOI, and the stuffed zero. */
function isBare(marker: number): boolean {
  return marker <= 0x01 || (marker >= 0xd0 && marker <= SOI);
}

/** SOF0 to SOF15; DHT, JPG and DAC lie between them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** The coded data, to the next marker that is neither a stuffed zero nor a restart; no further than so many signs. */
function walkScan(content: Buffer, from: number, limit: number): { end: number; signs: number } {
  let signs = 0;
  for (let at = content.indexOf(0xff, from); at !== -1; at = content.indexOf(0xff, at + 1)) {
    signs += 1;
    const next = content[at + 1];
    const goesOn = next === undefined || next === 0x00 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!goesOn || signs > limit) return { end: at, signs };
  }
  return { end: content.length, signs };
}
