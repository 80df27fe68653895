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

/** Each page says its words, in large letters of a font that it names and does not bring. */
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

/** One page that says 中文 on top and has a check mark below, with a map of characters and fonts that it names and does not bring. */
export function borrowingPdf(): Buffer {
  const says = 'BT /F1 96 Tf 60 650 Td <4E2D6587> Tj ET BT /F2 96 Tf 60 250 Td (4) Tj ET';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 7 0 R >> >> >>',
    `<< /Length ${says.length} >>\nstream\n${says}\nendstream`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [6 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /FontDescriptor 8 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>',
    '<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>',
  ];
  let text = '%PDF-1.4\n';
  const starts = objects.map((object, index) => {
    const start = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return start;
  });
  const rows = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + end, 'latin1');
}
