/** What is taken as a picture or a PDF, and what only looks like one (docs/specification/reliability.md#upload-attacks). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { examineContent } from '../../../src/features/kyc/documents/examine-content.ts';
import { jpegOf, pdfOf, pngOf } from '../../support/kyc/sample-documents.ts';

const append = (content: Buffer, tail: string | Buffer): Buffer => Buffer.concat([content, Buffer.from(tail)]);
const jpeg = (content: Buffer) => examineContent(content, 'image/jpeg');
const png = (content: Buffer) => examineContent(content, 'image/png');
const pdf = (content: Buffer) => examineContent(content, 'application/pdf');
const script = '<script>alert(1)</script>';

describe('any type', () => {
  test('takes what is whole', async () => {
    expect(await jpeg(jpegOf())).toBeUndefined();
    expect(await png(pngOf())).toBeUndefined();
    expect(await pdf(pdfOf())).toBeUndefined();
  });

  test('refuses no bytes, a first byte, and the formats of the others', async () => {
    for (const content of [Buffer.alloc(0), Buffer.from([0xff]), Buffer.from([0x89]), Buffer.from('%'), Buffer.from(script)]) {
      expect(await jpeg(content)).toContain('JPEG');
      expect(await png(content)).toContain('PNG');
      expect(await pdf(content)).toContain('PDF');
    }
    for (const other of [pngOf(), pdfOf()]) expect(await jpeg(other)).toBe('is not a JPEG file');
    for (const other of [jpegOf(), pdfOf()]) expect(await png(other)).toBe('is not a PNG file');
    for (const other of [jpegOf(), pngOf()]) expect(await pdf(other)).toBe('is not a PDF file');
  });

  test('refuses every beginning of a whole file, and one with anything in front', async () => {
    for (const [examine, content] of [
      [jpeg, jpegOf()],
      [png, pngOf()],
    ] as const) {
      for (let length = 0; length < content.length; length++) {
        expect(await examine(content.subarray(0, length)), `${length} of ${content.length}`).toBeDefined();
      }
      expect(await examine(append(Buffer.from('GIF89a'), content))).toBeDefined();
    }
    const content = pdfOf();
    for (let cut = 2; cut < content.length; cut++) {
      expect(await pdf(content.subarray(0, content.length - cut)), `${cut} bytes cut`).toBeDefined();
    }
    expect(await pdf(append(Buffer.from('\n'), content))).toBe('is not a PDF file');
  });

  test('never throws, whatever the bytes', async () => {
    const files = [jpegOf(), pngOf(), pdfOf({ packed: '<< /A /B >>' })];
    const change = fc.record({ at: fc.nat(), to: fc.nat(255) });
    const property = fc.asyncProperty(fc.constantFrom(...files), fc.array(change, { maxLength: 8 }), async (file, changes) => {
      const content = Buffer.from(file);
      for (const { at, to } of changes) content[at % content.length] = to;
      for (const examine of [jpeg, png, pdf]) expect(['string', 'undefined']).toContain(typeof (await examine(content)));
    });
    await fc.assert(property, { numRuns: 500 });
  });
});

describe('JPEG', () => {
  test('takes a picture with its gain map behind it, as phones write them', async () => {
    expect(await jpeg(append(jpegOf(), jpegOf({ width: 4 })))).toBeUndefined();
  });

  test.each([
    ['a script', script],
    ['a ZIP archive', 'PK\x03\x04'],
    ['a PDF', pdfOf()],
    ['one byte', '\0'],
    ['half a picture', jpegOf().subarray(0, -2)],
    ['four more pictures', Buffer.concat([jpegOf(), jpegOf(), jpegOf(), jpegOf()])],
  ])('refuses %s behind the picture', async (_what, tail) => {
    expect(await jpeg(append(jpegOf(), tail))).toBe('has something behind the end of its picture');
  });

  test('a script in a comment is a picture still: it is never shown, only saved', async () => {
    expect(await jpeg(jpegOf({ comment: script }))).toBeUndefined();
  });

  test('refuses more than 100 megapixels, and takes that', async () => {
    expect(await jpeg(jpegOf({ width: 10_000, height: 10_000 }))).toBeUndefined();
    expect(await jpeg(jpegOf({ width: 10_000, height: 10_001 }))).toBe('is a picture of more than 100 megapixels');
    expect(await jpeg(jpegOf({ width: 65_535, height: 65_535 }))).toBe('is a picture of more than 100 megapixels');
    expect(await jpeg(append(jpegOf(), jpegOf({ width: 65_535, height: 65_535 })))).toBeDefined();
    expect(await jpeg(jpegOf({ width: 0 }))).toBe('is a picture without width or height');
  });

  test('refuses a scan or padding of nothing but signs, though not as many as a large picture has', async () => {
    const whole = jpegOf();
    const head = whole.subarray(0, -5);
    const scanOf = (signs: number) =>
      Buffer.concat([head, Buffer.alloc(2 * signs, '\xff\0', 'latin1'), Buffer.from([0xff, 0xd9])]);
    expect(await jpeg(scanOf(100_000))).toBeUndefined();
    expect(await jpeg(scanOf(600_000))).toBe('is a JPEG file of too many parts');
    const padding = Buffer.concat([whole.subarray(0, 2), Buffer.alloc(600_000, 0xff), whole.subarray(2)]);
    expect(await jpeg(padding)).toBe('is a JPEG file of too many parts');
  });

  test('refuses a second frame, a scan without a frame, and a length that leads nowhere', async () => {
    const whole = jpegOf();
    const frameAt = whole.indexOf(Buffer.from([0xff, 0xc2]));
    const frame = whole.subarray(frameAt, frameAt + 11);
    const before = whole.subarray(0, frameAt);
    const behind = whole.subarray(frameAt + 11);
    expect(await jpeg(Buffer.concat([before, frame, frame, behind]))).toBe('is a JPEG file that is damaged');
    expect(await jpeg(Buffer.concat([before, behind]))).toBe('is a JPEG file that is damaged');
    const short = Buffer.from(whole);
    short.writeUInt16BE(1, 4);
    expect(await jpeg(short)).toBe('is a JPEG file that is damaged');
    const long = Buffer.from(whole);
    long.writeUInt16BE(0xffff, 4);
    expect(await jpeg(long)).toBe('is a JPEG file that is cut off');
  });
});

describe('PNG', () => {
  test.each([
    ['a script', script],
    ['one byte', '\n'],
    ['another PNG', pngOf()],
  ])('refuses %s behind the end', async (_what, tail) => {
    expect(await png(append(pngOf(), tail))).toBe('has something behind the end of its picture');
  });

  test('refuses each changed byte behind the signature', async () => {
    const whole = pngOf();
    for (let at = 8; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(await png(changed), `byte ${at}`).toBeDefined();
    }
  });

  test('refuses more than 100 megapixels, and takes that', async () => {
    expect(await png(pngOf({ width: 10_000, height: 10_000 }))).toBeUndefined();
    expect(await png(pngOf({ width: 10_000, height: 10_001 }))).toBe('is a picture of more than 100 megapixels');
    expect(await png(pngOf({ width: 0xffffffff, height: 0xffffffff }))).toBe('is a picture of more than 100 megapixels');
    expect(await png(pngOf({ height: 0 }))).toBe('is a picture without width or height');
  });

  test('takes other chunks, and refuses a second header', async () => {
    expect(await png(pngOf({ extra: [['tEXt', Buffer.from('Comment\0hello')]] }))).toBeUndefined();
    expect(await png(pngOf({ extra: [['IHDR', Buffer.alloc(13, 1)]] }))).toBe('is a PNG file with a misplaced header');
  });

  test('refuses one of more parts than a picture has', async () => {
    const empty = (count: number) => Array.from({ length: count }, (): [string, Buffer] => ['tEXt', Buffer.alloc(0)]);
    expect(await png(pngOf({ extra: empty(40_000) }))).toBeUndefined();
    expect(await png(pngOf({ extra: empty(60_000) }))).toBe('is a PNG file of too many parts');
  });

  test('refuses one without a picture', async () => {
    const whole = pngOf();
    const dataAt = whole.indexOf('IDAT') - 4;
    const endAt = whole.indexOf('IEND') - 4;
    const without = Buffer.concat([whole.subarray(0, dataAt), whole.subarray(endAt)]);
    expect(await png(without)).toBe('is a PNG file without a picture');
  });
});

describe('PDF', () => {
  const active = 'is a PDF file with scripts, actions or files in it';

  test.each([
    ['a script', '<< /S /JavaScript /JS (app.alert(1)) >>'],
    ['a script behind an action at opening', '<< /OpenAction << /S /JavaScript /JS 5 0 R >> >>'],
    ['a script in other signs', '<< /S /J#61vaScript >>'],
    ['a script in other signs throughout', '<< /S /#4a#61#76#61#53#63#72#69#70#74>>'],
    ['the key of a script', '<< /JS(app.alert)>>'],
    ['a program to start', '<< /S /Launch /F (cmd.exe) >>'],
    ['a file', '<< /Type /EmbeddedFile >>'],
    ['files by name', '<< /Names << /EmbeddedFiles 5 0 R >> >>'],
    ['a form that sends', '<< /S /SubmitForm >>'],
    ['a form of another kind', '<< /XFA [] >>'],
    ['a film', '<< /Subtype /RichMedia >>'],
  ])('refuses %s', async (_what, dictionary) => {
    expect(await pdf(pdfOf({ objects: `5 0 obj\n${dictionary}\nendobj\n` }))).toBe(active);
    expect(await pdf(pdfOf({ packed: dictionary })), 'in an object stream').toBe(active);
  });

  test('refuses the name of a script wherever it stands, also in what pretends to be a stream', async () => {
    const hidden = '5 0 obj\n(>>\nstream\n) << /S /JavaScript >>\nendobj\n';
    expect(await pdf(pdfOf({ objects: hidden }))).toBe(active);
  });

  test('takes words that begin like one, links, plain forms, and a page to open at', async () => {
    const objects = '<< /JSON 1 /Launcher 2 /XFAB 3 /S /URI /URI (https://a.example) /AcroForm << >> /OpenAction [3 0 R /Fit] >>';
    expect(await pdf(pdfOf({ objects }))).toBeUndefined();
    expect(await pdf(pdfOf({ packed: objects }))).toBeUndefined();
  });

  test('a picture in it may hold any bytes: short names count outside of streams only', async () => {
    expect(await pdf(pdfOf({ filler: Buffer.from('\x01/JS \xff/XFA\x00 /Encrypt ', 'latin1') }))).toBeUndefined();
  });

  test('refuses what is encrypted', async () => {
    expect(await pdf(pdfOf({ objects: 'trailer << /Encrypt 9 0 R >>\n' }))).toContain('encrypted');
  });

  test.each([
    ['another filter', '/Filter /LZWDecode'],
    ['two filters', '/Filter [/ASCIIHexDecode /FlateDecode]'],
    ['parameters', '/Filter /FlateDecode /DecodeParms << /Predictor 12 >>'],
    ['a damaged body', '/Filter /FlateDecode'],
    ['a file of its own', '/F (other.bin)'],
  ])('refuses objects with %s', async (_what, filter) => {
    const objects = `5 0 obj\n<< /Type /ObjStm ${filter} >>\nstream\nnot packed\nendstream\nendobj\n`;
    expect(await pdf(pdfOf({ objects }))).toBe('is a PDF file with objects that cannot be looked through');
  });

  test('refuses objects that hide in what only looks like a stream', async () => {
    const packed = pdfOf({ packed: '<< /S /JavaScript >>' });
    const hidden = packed.toString('latin1').replace('7 0 obj', '(>>\nstream\n) 7 0 obj');
    expect(await pdf(Buffer.from(hidden, 'latin1'))).toBe('is a PDF file with objects that cannot be looked through');
  });

  test('refuses a file of nothing but streams, or names of them', async () => {
    expect(await pdf(pdfOf({ objects: '>>\nstream\nendstream'.repeat(60_000) }))).toBe('is a PDF file of too many parts');
    expect(await pdf(pdfOf({ objects: '/ObjStm '.repeat(1_000_000) }))).toContain('cannot be looked through');
    expect(await pdf(pdfOf({ objects: '/ObjStm>>stream\nendstream '.repeat(6_000) }))).toContain('cannot be looked through');
  });

  test('looks into objects that are not packed at all', async () => {
    const objects = '5 0 obj\n<< /Type /ObjStm >>\nstream\n<< /JS 1 >>\nendstream\nendobj\n';
    expect(await pdf(pdfOf({ objects }))).toBe(active);
  });

  test('refuses objects that unpack to more than 32 MiB', async () => {
    const zeros = ' '.repeat(33 * 1024 * 1024);
    expect(await pdf(pdfOf({ packed: zeros }))).toBe('is a PDF file with objects that cannot be looked through');
  });

  test.each(['%%EOF', '%%EOF\r\n', '%%EOF\n\n  \0'])('takes %j as the end', async (tail) => {
    expect(await pdf(pdfOf({ tail }))).toBeUndefined();
  });

  test.each([`%%EOF\n${script}`, '%%EOF\nPK\x03\x04', '%%EO', ''])('refuses %j as the end', async (tail) => {
    expect(await pdf(pdfOf({ tail }))).toContain('end');
  });
});
