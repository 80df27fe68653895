/** What is read of the vendor's deliveries, in the forms they come in. Source: docs/specification/webhooks.md#kyc-payload. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readVendorEvent } from '../../../src/features/kyc/vendor/vendor-payload.ts';

const read = (payload: unknown) => readVendorEvent(Buffer.from(JSON.stringify(payload)));

test('a delivery as the vendor sends it, with many fields null', () => {
  expect(
    read({
      applicantId: '5b594ade0a975a36c9349e66',
      inspectionId: '5b594ade0a975a36c9349e67',
      applicantType: 'individual',
      correlationId: 'req-1',
      levelName: 'basic',
      sandboxMode: 'false',
      externalUserId: 'm',
      type: 'applicantReviewed',
      reviewResult: {
        moderationComment: 'Try again',
        clientComment: 'x',
        reviewAnswer: 'RED',
        rejectLabels: ['BAD_PHOTO'],
        reviewRejectType: 'RETRY',
      },
      reviewStatus: 'completed',
      createdAt: '2026-11-21 10:00:00+0000',
      createdAtMs: '2026-11-21 10:00:00.123',
      clientId: null,
      videoIdentReviewStatus: null,
    }),
  ).toMatchObject({
    type: 'applicantReviewed',
    applicantId: '5b594ade0a975a36c9349e66',
    externalUserId: 'm',
    sandboxMode: false,
    clientId: null,
    reviewResult: { reviewAnswer: 'RED', rejectLabels: ['BAD_PHOTO'] },
    createdAt: new Date('2026-11-21T10:00:00.123Z'),
  });
});

test.each([
  [{ createdAtMs: '2026-11-21 10:00:00.123' }, '2026-11-21T10:00:00.123Z'],
  [{ createdAtMs: null, createdAt: '2026-11-21 10:00:00+0000' }, '2026-11-21T10:00:00.000Z'],
  [{ createdAtMs: 'soon', createdAt: '2026-11-21 12:00:00+0200' }, '2026-11-21T10:00:00.000Z'],
  [{ createdAtMs: '2026-11-21T10:00:00.5Z' }, '2026-11-21T10:00:00.500Z'],
  [{ createdAtMs: '2026-13-41 10:00:00.123' }, undefined],
  [{ createdAtMs: 1_700_000_000_000 }, undefined],
  [{}, undefined],
])('the instant of %j', (fields, expected) => {
  expect(read(fields).createdAt?.toISOString()).toBe(expected);
});

test.each([
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
  [null, null],
  [undefined, null],
])('sandboxMode %j', (sandboxMode, expected) => {
  expect(read({ sandboxMode }).sandboxMode).toBe(expected);
});

test.each([1, 'yes', 'True', {}, []])('sandboxMode %j is not guessed at', (sandboxMode) => {
  expect(() => read({ sandboxMode })).toThrow('sandboxMode: must be true or false');
});

test.each([
  ['nothing', ''],
  ['a blank', ' '],
  ['null', 'null'],
  ['a number', '1'],
  ['a string', '"text"'],
  ['an array', '[{}]'],
  ['half an object', '{"type":'],
  ['a byte order mark', '\ufeff{}'],
  ['deep brackets', '['.repeat(100_000)],
  ['deep arrays', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`],
])('%s is not an event', (_name, text) => {
  expect(() => readVendorEvent(Buffer.from(text))).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
});

test('bytes that are not UTF-8 are not', () => {
  expect(() => readVendorEvent(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toThrow('not valid UTF-8');
});

test('fields of other types than we know are kept, and gone by as if they were missing', () => {
  const event = read({ type: 7, applicantId: {}, reviewResult: 'x', rejectLabels: 'y', createdAt: [] });
  expect(event).toMatchObject({ type: '', applicantId: null, reviewResult: null, createdAt: null });
  expect(JSON.parse(event.body)).toEqual({ type: 7, applicantId: {}, reviewResult: 'x', rejectLabels: 'y', createdAt: [] });
  expect(read({ reviewResult: { reviewAnswer: 'RED', rejectLabels: [1] } }).reviewResult).toMatchObject({
    reviewAnswer: 'RED',
    rejectLabels: null,
  });
});

test('a long name is cut to what its column holds', () => {
  const { type, applicantId } = read({ type: 't'.repeat(300), applicantId: `${'x'.repeat(254)}\u{1f600}` });
  expect([type.length, applicantId?.length, applicantId?.isWellFormed()]).toEqual([255, 255, true]);
});

describe('what the database cannot hold', () => {
  test.each([
    ['{"a":"x\\u0000y"}', '{"a":"x\ufffdy"}'],
    ['{"a":"x\\\\u0000y"}', '{"a":"x\\\\u0000y"}'],
    ['{"a":"\\\\\\u0000"}', '{"a":"\\\\\ufffd"}'],
    ['{"a":"\\ud83d"}', '{"a":"\ufffd"}'],
    ['{"a":"\\ud83d\\ude00"}', '{"a":"\u{1f600}"}'],
    ['{"\\u0000":1}', '{"\ufffd":1}'],
    ['{"a":"\\n\\"\\u001f"}', '{"a":"\\n\\"\\u001f"}'],
  ])('%s', (text, body) => {
    expect(readVendorEvent(Buffer.from(text)).body).toBe(body);
  });

  test('of any object', () => {
    const texts = fc.string({ unit: fc.constantFrom('\\', 'u', '0', '\0', 'd', '8', '"', '\ud83d', '\ude00', 'a') });
    fc.assert(
      fc.property(fc.array(texts), (values) => {
        const { body } = read({ values });
        expect(body.isWellFormed()).toBe(true);
        expect(JSON.stringify(JSON.parse(body))).toBe(body);
        expect(/(?<!\\)(?:\\\\)*\\u(?:0000|d)/.test(body)).toBe(false);
        const clean = values.every((value) => value.isWellFormed() && !value.includes('\0'));
        if (clean) expect(body).toBe(JSON.stringify({ values }));
      }),
    );
  });
});
