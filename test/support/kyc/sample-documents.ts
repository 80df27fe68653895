/** Small files as cameras, scanners and word processors make them, whole and true to their formats. */
import { crc32, deflateSync } from 'node:zlib';

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
}

/** `extra` chunks come between header and picture. */
export function pngOf({ width = 8, height = 8, extra = [] as [string, Buffer][] } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc(8 * 9, 0x55));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...extra.map(([type, data]) => chunk(type, data)),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

/** A progressive picture of two scans, with stuffed zeros and a restart in its coded data. */
export function jpegOf({ width = 8, height = 8, comment = '' } = {}): Buffer {
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  const scan = segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]));
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    ...(comment === '' ? [] : [segment(0xfe, Buffer.from(comment))]),
    segment(0xdb, Buffer.concat([Buffer.alloc(1), Buffer.alloc(64, 1)])),
    segment(0xc2, frame),
    scan,
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
    segment(0xc4, Buffer.concat([Buffer.alloc(17), Buffer.from([0])])),
    scan,
    Buffer.from([0x78, 0xff, 0x00, 0xff, 0xd9]),
  ]);
}

/** `objects` are put among the others; an object stream is packed from `packed`. */
export function pdfOf({ objects = '', packed = '', tail = '%%EOF\n', filler = Buffer.alloc(0) } = {}): Buffer {
  const stream = deflateSync(Buffer.from(packed, 'latin1'));
  const packedObject =
    packed === ''
      ? []
      : [
          Buffer.from(`7 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${stream.length} >>\nstream\n`),
          stream,
          Buffer.from('\nendstream\nendobj\n'),
        ];
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'),
    Buffer.from(`1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n`),
    Buffer.from(`4 0 obj\n<< /Length ${filler.length} >>\nstream\n`),
    filler,
    Buffer.from('\nendstream\nendobj\n'),
    Buffer.from(objects, 'latin1'),
    ...packedObject,
    Buffer.from(`xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 1 /Root 1 0 R >>\nstartxref\n0\n${tail}`, 'latin1'),
  ]);
}

/** What every scanner takes for a virus and no machine does. In parts, for the scanners of whoever has this file. */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', 'STANDARD', 'ANTIVIRUS', 'TEST', 'FILE!$H+H*'].join('-');
