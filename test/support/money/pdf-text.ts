/** The text of a PDF that src/documents/pdf.ts made: enough to tell what it shows, not a reader of PDFs. */
import { inflateSync } from 'node:zlib';

export function pdfText(bytes: Buffer): string {
  const raw = bytes.toString('latin1');
  const texts: string[] = [];
  for (const { 1: body = '' } of raw.matchAll(/stream\n([\s\S]*?)\nendstream/g)) {
    let content: string;
    try {
      content = inflateSync(Buffer.from(body, 'latin1')).toString('latin1');
    } catch {
      continue;
    }
    for (const { 1: pieces = '' } of content.matchAll(/\[([^\]]*)\] TJ/g)) {
      const hex = [...pieces.matchAll(/<([0-9a-fA-F]*)>/g)].map(({ 1: digits = '' }) => digits).join('');
      texts.push(new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex')));
    }
  }
  return texts.join('\n');
}
