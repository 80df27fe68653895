/** Papers of people who do not exist, for the verification page of the demo: an identity card as PDF, a face as PNG. */
import { crc32, deflateSync } from 'node:zlib';
import Pdf from 'pdfkit';

export interface Holder {
  givenName: string;
  surname: string;
  dateOfBirth: string;
  idNumber: string;
  country: string;
}

const SIZE: [number, number] = [486, 306];

/** One side of a card, a page of its own, with SPECIMEN across it. */
export function drawCard(holder: Holder, side: 'front' | 'back'): Promise<Buffer> {
  const card = new Pdf({ size: SIZE, margin: 24, info: { Title: 'Specimen' } });
  const pieces: Buffer[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  card.on('data', (piece: Buffer) => pieces.push(piece));
  card.on('end', () => resolve(Buffer.concat(pieces)));
  card.on('error', reject);
  card.rect(8, 8, SIZE[0] - 16, SIZE[1] - 16).fillAndStroke('#eef4f8', '#7c97a8');
  card.fillColor('#20323d').fontSize(16).text(`IDENTITY CARD  ${holder.country}`, 28, 26);
  const lines =
    side === 'front'
      ? [
          ['Surname', holder.surname],
          ['Given name', holder.givenName],
          ['Date of birth', holder.dateOfBirth],
          ['Number', holder.idNumber],
        ]
      : [
          ['Address', 'Lindenstr. 1, 10969 Berlin'],
          ['Number', holder.idNumber],
        ];
  for (const [index, [name = '', value = '']] of lines.entries()) {
    const top = 76 + index * 48;
    card.fontSize(9).fillColor('#57707f').text(name, 190, top);
    card
      .fontSize(17)
      .fillColor('#20323d')
      .text(value, 190, top + 12);
  }
  if (side === 'front') card.rect(32, 78, 130, 170).fillAndStroke('#cfdde6', '#7c97a8');
  card.fontSize(44).fillColor('#b3261e').fillOpacity(0.25).text('SPECIMEN', 120, 190);
  card.end();
  return promise;
}

const FACE = 320;

/** A round face in grey before a light ground. */
export function drawFace(): Buffer {
  const rows = Buffer.alloc((FACE + 1) * FACE);
  for (let y = 0; y < FACE; y++) {
    for (let x = 0; x < FACE; x++) rows[y * (FACE + 1) + 1 + x] = shadeAt(x / FACE, y / FACE);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(FACE, 0);
  header.writeUInt32BE(FACE, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function shadeAt(x: number, y: number): number {
  const within = (cx: number, cy: number, rx: number, ry: number): boolean => ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 <= 1;
  if (within(0.39, 0.42, 0.035, 0.03) || within(0.61, 0.42, 0.035, 0.03)) return 50;
  if (within(0.5, 0.62, 0.12, 0.035)) return 90;
  if (within(0.5, 0.48, 0.25, 0.32)) return 190;
  return within(0.5, 1.02, 0.42, 0.26) ? 120 : 235;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  const sum = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
