import { describe, expect, it } from 'vitest';
import { base32Of, codeOf, matchStep, otpauthUri, stepAt } from '../../../../src/features/staff/factors/totp.ts';

const secret = Buffer.from('12345678901234567890');

describe('one-time codes', () => {
  // RFC 6238, appendix B, the rows of SHA-1.
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('has the code of RFC 6238 at second %d', (second, code) => {
    const step = stepAt(new Date(second * 1_000));
    expect(codeOf(secret, step, 8)).toBe(code);
    expect(codeOf(secret, step)).toBe(code.slice(2));
  });

  // RFC 4226, appendix D.
  it('has the codes of RFC 4226', () => {
    const codes = Array.from({ length: 10 }, (_none, count) => codeOf(secret, count));
    expect(codes.join(' ')).toBe('755224 287082 359152 969429 338314 254676 287922 162583 399871 520489');
  });

  it('takes a code one step early or late, and none further', () => {
    const at = new Date('2026-05-01T12:00:10Z');
    const now = stepAt(at);
    const offsets = [-2, -1, 0, 1, 2].map((by) => matchStep({ secret, code: codeOf(secret, now + by), at, lastStep: null }));
    expect(offsets).toEqual([undefined, now - 1, now, now + 1, undefined]);
  });

  it('takes a code once, and none of a step before', () => {
    const at = new Date('2026-05-01T12:00:10Z');
    const now = stepAt(at);
    expect(matchStep({ secret, code: codeOf(secret, now), at, lastStep: now })).toBeUndefined();
    expect(matchStep({ secret, code: codeOf(secret, now - 1), at, lastStep: now })).toBeUndefined();
    expect(matchStep({ secret, code: codeOf(secret, now + 1), at, lastStep: now })).toBe(now + 1);
  });

  it('reads a code with a space, and refuses what is no code', () => {
    const at = new Date('2026-05-01T12:00:10Z');
    const code = codeOf(secret, stepAt(at));
    expect(matchStep({ secret, code: ` ${code.slice(0, 3)} ${code.slice(3)} `, at, lastStep: null })).toBe(stepAt(at));
    for (const wrong of ['', code.slice(1), `${code}0`, '١٢٣٤٥٦', 'abcdef', '\u0000'.repeat(6)]) {
      expect(matchStep({ secret, code: wrong, at, lastStep: null })).toBeUndefined();
    }
  });

  // RFC 4648, §10.
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('writes %j in base32', (plain, text) => {
    expect(base32Of(Buffer.from(plain))).toBe(text);
  });

  it('names issuer and account to the app, whatever is in them', () => {
    const uri = otpauthUri({ secret, issuer: 'A:B & C?', account: 'ann+x@example.com' });
    expect(uri).toBe(
      'otpauth://totp/A%20B%20%26%20C%3F:ann%2Bx%40example.com' +
        '?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=A%3AB%20%26%20C%3F&algorithm=SHA1&digits=6&period=30',
    );
  });
});
