/** Documents that a browser can draw: a picture with something on it, and a PDF of several pages. */
import { crc32, deflateSync } from 'node:zlib';
import PdfDocument from 'pdfkit';

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
}

/** A card in grey with lines on it; `shade` tells pictures apart. */
export function drawnPng({ width = 640, height = 400, shade = 0xd0 } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    const isLine = y > height / 4 && y % 40 < 8;
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + x + 1] = isLine && x > width / 3 && x < width - 40 ? 0x40 : shade;
  }
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Each page says its words, in large letters of the reader's system. */
export async function drawnPdf(pages: readonly string[]): Promise<Buffer> {
  const document = new PdfDocument({ size: 'A4', autoFirstPage: false });
  const pieces: Buffer[] = [];
  document.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise((resolve) => document.on('end', resolve));
  for (const words of pages) {
    document.addPage();
    document.rect(60, 60, 200, 120).fill('#3a4bd0');
    document.fillColor('#000000').fontSize(28).text(words, 60, 220);
  }
  document.end();
  await ended;
  return Buffer.concat(pieces);
}
