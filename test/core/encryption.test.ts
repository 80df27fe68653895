/** AES-256-GCM under a key ring, bound to its place (docs/specification/tenancy.md#sealed). */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createCipher } from '../../src/encryption.ts';

const key = (id: string) => ({ id, key: randomBytes(32) });
const [old, current] = [key('k1'), key('k2')];
const cipher = createCipher([current, old]);
const place = ['idempotency_key', 'tenant-1', 'LIVE', 'createUser', 'abc'];
const plain = Buffer.from('{"iban":"DE89…"}');

test('what was encrypted is decrypted, also nothing and much', () => {
  for (const text of [plain, Buffer.alloc(0), randomBytes(100_000)]) {
    expect(cipher.decrypt(cipher.encrypt(text, place), place).equals(text)).toBe(true);
  }
});

test('shows nothing of the text, and never the same bytes twice', () => {
  const [one, two] = [cipher.encrypt(plain, place), cipher.encrypt(plain, place)];
  expect(one.equals(two)).toBe(false);
  expect(one.includes(plain.subarray(0, 6))).toBe(false);
});

describe('refuses', () => {
  test.each<[label: string, elsewhere: string[]]>([
    ['another tenant', ['idempotency_key', 'tenant-2', 'LIVE', 'createUser', 'abc']],
    ['another environment', ['idempotency_key', 'tenant-1', 'SANDBOX', 'createUser', 'abc']],
    ['another table', ['member', 'tenant-1', 'LIVE', 'createUser', 'abc']],
    ['the parts cut elsewhere', ['idempotency_key', 'tenant-1', 'LIVE', 'createUsera', 'bc']],
    ['a part less', place.slice(0, 4)],
    ['no place', []],
  ])('the right bytes in the wrong place: %s', (_label, elsewhere) => {
    const sealed = cipher.encrypt(plain, place);
    expect(() => cipher.decrypt(sealed, elsewhere)).toThrow();
  });

  test('any altered byte', () => {
    const sealed = cipher.encrypt(plain, place);
    for (let at = 0; at < sealed.length; at++) {
      const altered = Buffer.from(sealed);
      altered[at] = (altered[at] ?? 0) ^ 1;
      expect(() => cipher.decrypt(altered, place), `byte ${at}`).toThrow();
    }
  });

  test.each([
    ['a text', plain],
    ['an empty text, whose shortened tag is still a tag', Buffer.alloc(0)],
  ])('any cut: %s', (_label, text) => {
    const sealed = cipher.encrypt(text, place);
    for (let length = 0; length < sealed.length; length++) {
      expect(() => cipher.decrypt(sealed.subarray(0, length), place), `${length} bytes`).toThrow();
    }
    expect(() => cipher.decrypt(Buffer.concat([sealed, Buffer.from([0])]), place)).toThrow();
  });
});

describe('the ring', () => {
  test('a text of an older key is read as long as the key is in the ring', () => {
    const sealed = createCipher([old]).encrypt(plain, place);
    expect(cipher.decrypt(sealed, place).equals(plain)).toBe(true);
    expect(createCipher([old, current]).decrypt(cipher.encrypt(plain, place), place).equals(plain)).toBe(true);
    expect(() => createCipher([current]).decrypt(sealed, place)).toThrow('k1');
  });

  test('the first key encrypts', () => {
    const sealed = cipher.encrypt(plain, place);
    expect(createCipher([current]).decrypt(sealed, place).equals(plain)).toBe(true);
    expect(() => createCipher([old]).decrypt(sealed, place)).toThrow('k2');
  });

  test('another key under the same id does not fit', () => {
    expect(() => createCipher([key('k2')]).decrypt(cipher.encrypt(plain, place), place)).toThrow();
  });

  test('an empty one is refused at once', () => {
    expect(() => createCipher([])).toThrow();
  });
});
