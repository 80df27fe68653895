/**
 * Plain PDF documents: a title, lines of facts, tables, notes. The same content makes the same bytes:
 * the dates in a document are of what it says, never of when it was made.
 */
import { toLatin } from './latin-text.ts';

export interface PdfColumn {
  title: string;
  /** Of the width of the page; those of a table sum to 1. */
  share: number;
  align?: 'left' | 'right';
}

export type PdfPart =
  | { kind: 'facts'; facts: readonly (readonly [label: string, value: string])[] }
  | { kind: 'heading'; text: string }
  | { kind: 'note'; text: string }
  | {
      kind: 'table';
      columns: readonly PdfColumn[];
      rows: readonly (readonly string[])[];
      /** Set apart from the rows above. */
      total?: readonly string[];
    };

export interface PdfContent {
  title: string;
  /** Of the latest thing it tells of. */
  date: Date;
  /** At the foot of each page, beside its number. */
  footer: string;
  parts: readonly PdfPart[];
}

const MARGIN = 50;
const BODY = 9;
const ROW = 15;
const LABEL_WIDTH = 130;
/** For texts that somebody else chose, where they stand among ours. */
const UNSHOWN = '(not in Latin letters)';

type Doc = PDFKit.PDFDocument;

export async function makePdf({ title, date, footer, parts }: PdfContent): Promise<Buffer> {
  const info = { Title: shown(title), CreationDate: date, ModDate: date };
  // Loaded with the first document, not with the service.
  const { default: PdfKit } = await import('pdfkit');
  const doc = new PdfKit({ size: 'A4', margin: MARGIN, bufferPages: true, info });
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', resolve);
    doc.on('error', reject);
  });
  doc.font('Helvetica-Bold').fontSize(16).text(shown(title)).moveDown(0.8);
  for (const part of parts) addPart(doc, part);
  numberPages(doc, shown(footer));
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}

function shown(text: string): string {
  return toLatin(text) ?? UNSHOWN;
}

function addPart(doc: Doc, part: PdfPart): void {
  if (part.kind === 'facts') addFacts(doc, part.facts);
  else if (part.kind === 'table') addTable(doc, part);
  else if (part.kind === 'heading') addHeading(doc, part.text);
  else
    doc
      .font('Helvetica')
      .fontSize(BODY)
      .text(shown(part.text), MARGIN, doc.y, { width: widthOf(doc) })
      .moveDown(0.8);
}

function addHeading(doc: Doc, text: string): void {
  // Not alone at the foot of a page.
  makeRoom(doc, 4 * ROW);
  doc
    .font('Helvetica-Bold')
    .fontSize(11)
    .text(shown(text), MARGIN, doc.y, { width: widthOf(doc) })
    .moveDown(0.4);
}

function addFacts(doc: Doc, facts: readonly (readonly [string, string])[]): void {
  for (const [label, value] of facts) {
    doc.font('Helvetica').fontSize(BODY);
    const width = widthOf(doc) - LABEL_WIDTH;
    makeRoom(doc, doc.heightOfString(shown(value), { width }));
    const top = doc.y;
    doc.fillColor('#555555').text(shown(label), MARGIN, top, { width: LABEL_WIDTH });
    doc.fillColor('#000000').text(shown(value), MARGIN + LABEL_WIDTH, top, { width });
  }
  doc.moveDown(1);
}

function addTable(doc: Doc, { columns, rows, total }: Extract<PdfPart, { kind: 'table' }>): void {
  const titles = columns.map((column) => column.title);
  makeRoom(doc, 2 * ROW);
  addRow(doc, columns, titles, 'Helvetica-Bold');
  drawLine(doc);
  for (const row of rows) {
    if (makeRoom(doc, ROW)) {
      addRow(doc, columns, titles, 'Helvetica-Bold');
      drawLine(doc);
    }
    addRow(doc, columns, row, 'Helvetica');
  }
  if (total) {
    makeRoom(doc, ROW);
    drawLine(doc);
    addRow(doc, columns, total, 'Helvetica-Bold');
  }
  doc.x = MARGIN;
  doc.moveDown(1);
}

/** Each cell in one line: what is longer ends in an ellipsis. */
function addRow(doc: Doc, columns: readonly PdfColumn[], cells: readonly string[], font: string): void {
  const top = doc.y;
  let left = MARGIN;
  doc.font(font).fontSize(BODY);
  for (const [index, { share, align = 'left' }] of columns.entries()) {
    const width = share * widthOf(doc);
    const text = fitting(doc, shown(cells[index] ?? ''), width - 6);
    doc.text(text, left, top + 3, { width: width - 6, align, lineBreak: false });
    left += width;
  }
  doc.y = top + ROW;
}

function fitting(doc: Doc, text: string, width: number): string {
  if (doc.widthOfString(text) <= width) return text;
  let kept = text;
  while (kept !== '' && doc.widthOfString(`${kept}…`) > width) kept = kept.slice(0, -1);
  return `${kept.trimEnd()}…`;
}

function drawLine(doc: Doc): void {
  doc
    .moveTo(MARGIN, doc.y)
    .lineTo(MARGIN + widthOf(doc), doc.y)
    .lineWidth(0.5)
    .strokeColor('#999999')
    .stroke();
}

/** Begins another page when this one is too short; true when it did. */
function makeRoom(doc: Doc, height: number): boolean {
  if (doc.y + height <= doc.page.height - MARGIN - ROW) return false;
  doc.addPage();
  return true;
}

function widthOf(doc: Doc): number {
  return doc.page.width - 2 * MARGIN;
}

function numberPages(doc: Doc, footer: string): void {
  const { count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    doc.switchToPage(page);
    // Below the margin, where text would begin another page.
    doc.page.margins.bottom = 0;
    const place = { width: widthOf(doc), lineBreak: false } as const;
    doc.font('Helvetica').fontSize(7).fillColor('#555555');
    doc.text(footer, MARGIN, doc.page.height - 35, place);
    doc.text(`Page ${page + 1} of ${count}`, MARGIN, doc.page.height - 35, { ...place, align: 'right' });
  }
}
