/** CSV, the letters of a PDF, and PDF files: what they may hold, and that they stay the same. */
import { describe, expect, test } from 'vitest';
import { csvPieces, csvRows, textCell, valueCell } from '../../src/documents/csv.ts';
import { toLatin } from '../../src/documents/latin-text.ts';
import { makePdf, type PdfContent } from '../../src/documents/pdf.ts';
import { toMajorText } from '../../src/money.ts';
import { pdfText } from '../support/money/pdf-text.ts';

describe('CSV', () => {
  test.each(['=1+1', '+1', '-1', '@x', '\tx', '\rx', '\n=x', '＝x', '＋1', '－1', '＠x'])('%j is not a formula', (text) => {
    expect(
      csvRows([[textCell(text)]])
        .replace(/^"/, '')
        .startsWith("'"),
    ).toBe(true);
  });

  test.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
    ['a\rb', '"a\rb"'],
    ['a=b', 'a=b'],
    [null, ''],
  ])('%j is %s', (text, written) => {
    expect(csvRows([[textCell(text)]])).toBe(`${written}\r\n`);
  });

  test('amounts pass as they are', () => expect(csvRows([[valueCell('-10.00'), valueCell(3)]])).toBe('-10.00,3\r\n'));

  test('has its column names even without a row', async () => {
    const empty = (async function* () {})();
    let text = '';
    for await (const piece of csvPieces(['a', 'b'], empty)) text += piece;
    expect(text).toBe('a,b\r\n');
  });
});

test.each([
  ['Zoë O’Neill – Straße', 'Zoë O’Neill – Straße'],
  ['Győry Łódź Đặng', 'Gyory Lódz Dang'],
  ['e\u0301', 'é'],
  ['€ 5', '€ 5'],
  ['山田', undefined],
  ['Иван', undefined],
  ['a\u202eb', undefined],
  ['a\nb', undefined],
  ['', ''],
])('%j in Latin letters is %j', (text, latin) => expect(toLatin(text)).toBe(latin));

test.each([
  [0n, 'USD', '0.00'],
  [-5n, 'USD', '-0.05'],
  [123_456n, 'JPY', '123456'],
  [-1n, 'KWD', '-0.001'],
  [999_999_999_999_999n, 'USD', '9999999999999.99'],
])('%s of %s is %s', (minor, currency, text) => expect(toMajorText(minor, currency)).toBe(text));

describe('a PDF', () => {
  const content: PdfContent = {
    title: 'Title',
    date: new Date('2026-01-31T00:00:00Z'),
    footer: 'Foot',
    parts: [
      { kind: 'facts', facts: [['Label', '山']] },
      { kind: 'heading', text: 'Heading' },
      {
        kind: 'table',
        columns: [
          { title: 'A', share: 0.5 },
          { title: 'B', share: 0.5, align: 'right' },
        ],
        rows: Array.from({ length: 120 }, (_, index) => [`row ${index} ${'x'.repeat(100)}`, String(index)]),
        total: ['Total', '7140'],
      },
      { kind: 'note', text: 'Note' },
    ],
  };

  test('is the same bytes whenever it is made', async () => {
    const first = await makePdf(content);
    expect((await makePdf(content)).equals(first)).toBe(true);
    expect((await makePdf({ ...content, date: new Date('2026-02-01T00:00:00Z') })).equals(first)).toBe(false);
  });

  test('breaks its pages between rows, with the column names on each, and cuts what is too wide', async () => {
    const text = pdfText(await makePdf(content));
    expect(text.match(/Page \d of 3/g)).toEqual(['Page 1 of 3', 'Page 2 of 3', 'Page 3 of 3']);
    expect(text.match(/^A$/gm)).toHaveLength(3);
    for (const row of [0, 60, 119]) expect(text).toContain(`row ${row} x`);
    expect(text).toContain('x…');
    expect(text).toContain('(not in Latin letters)');
    expect(text).toContain('7140');
  });
});
