/**
 * Whether bytes are what they are said to be, from the first to the last: a picture or a PDF, with
 * nothing behind it that another program would read as something else. Done by hand, for three
 * formats need no library that is fed by strangers. Source: docs/specification/verification.md#content,
 * docs/specification/reliability.md#upload-attacks.
 */
import type { DocumentMimeType } from '../open/kyc-states.ts';
import { examineJpeg } from './examine-jpeg.ts';
import { examinePdf } from './examine-pdf.ts';
import { examinePng } from './examine-png.ts';

/** What is wrong, for the member; undefined when nothing is. */
export function examineContent(content: Buffer, mimeType: DocumentMimeType): Promise<string | undefined> {
  if (mimeType === 'application/pdf') return examinePdf(content);
  return Promise.resolve(mimeType === 'image/png' ? examinePng(content) : examineJpeg(content));
}
