/** CSV of RFC 4180 as it comes: record by record, whatever the size of the file. What is no CSV is refused by its line. */
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { invalidField } from '../../errors.ts';

const MAX_RECORD_BYTES = 64 * 1024;

export interface CsvRecord {
  /** As a spreadsheet counts: the first record is 1, and blank lines count. */
  rowNumber: number;
  cells: string[];
}

interface Parsed {
  record: string[];
  info: { records: number; empty_lines: number; lines: number };
}

/** Throws VALIDATION_ERROR for the field `file`. */
export async function* readCsv(bytes: AsyncIterable<Buffer>): AsyncGenerator<CsvRecord> {
  // Of the records that were parsed, which are ahead of those that were taken.
  let lines = 0;
  const parser = parse({
    on_record(record, context) {
      lines = context.lines;
      return record;
    },
    bom: true,
    delimiter: ',',
    record_delimiter: ['\r\n', '\n'],
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_BYTES,
  });
  const piped = pipeline(Readable.from(soundLines(bytes), { highWaterMark: 1 }), parser);
  piped.catch(() => undefined); // the parser ends with the same error
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      yield { rowNumber: info.records + info.empty_lines, cells: record };
    }
  } catch (error) {
    throw error instanceof CsvError ? invalidField('file', faultOf(error, lines + 1)) : error;
  }
}

function faultOf(error: CsvError, firstLine: number): string {
  const line = 'lines' in error && typeof error.lines === 'number' ? error.lines : firstLine;
  switch (error.code) {
    case 'CSV_MAX_RECORD_SIZE':
      return `line ${firstLine} begins a record of more than ${MAX_RECORD_BYTES} bytes, or a quote that is not closed`;
    case 'CSV_QUOTE_NOT_CLOSED':
      return `line ${firstLine} begins a record with a quote that is not closed`;
    default:
      return `line ${line} has a quote in the wrong place`;
  }
}

/** The bytes, cut behind line ends, once they are known to be text: a line end is never inside a character. */
async function* soundLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let line = 1;
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const chunk of bytes) {
    const cut = chunk.lastIndexOf(0x0a) + 1;
    if (cut > 0) {
      const block = Buffer.concat([...rest, chunk.subarray(0, cut)]);
      line += checkLines(block, line);
      yield block;
      rest = [];
      restBytes = 0;
    }
    if (cut < chunk.length) rest.push(chunk.subarray(cut));
    restBytes += chunk.length - cut;
    if (restBytes > 2 * MAX_RECORD_BYTES) throw invalidField('file', `line ${line} has more than ${MAX_RECORD_BYTES} bytes`);
  }
  const end = Buffer.concat(rest);
  checkLines(end, line);
  yield end;
}

/** Returns the number of line ends. */
function checkLines(block: Buffer, firstLine: number): number {
  const isSound = isUtf8(block) && !block.includes(0);
  let lines = 0;
  for (let start = 0; start < block.length; ) {
    const end = block.indexOf(0x0a, start);
    const line = block.subarray(start, end === -1 ? block.length : end);
    if (!isSound && !isUtf8(line)) throw invalidField('file', `line ${firstLine + lines} is not valid UTF-8`);
    if (!isSound && line.includes(0)) throw invalidField('file', `line ${firstLine + lines} has a NUL character`);
    if (end === -1) break;
    lines += 1;
    start = end + 1;
  }
  return lines;
}
