/** How keys are spelled: docs/specification/tenancy.md#stored-keys. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { isApiKeyForm, spellApiKey } from '../../src/http/api-key-form.ts';

test('the checksum is CRC-32 of what stands before it, in six digits of base 62', () => {
  // Worked out by another implementation of CRC-32.
  expect(spellApiKey('LIVE', Buffer.alloc(32))).toBe(`svc_live_${'A'.repeat(43)}01HlkP`);
});

test.each(['LIVE', 'SANDBOX'] as const)(
  'a new key of %s has the form, and one wrong character anywhere takes it away',
  (environment) => {
    const key = spellApiKey(environment, randomBytes(32));
    expect(isApiKeyForm(key)).toBe(true);
    for (let at = 0; at < key.length; at++) {
      const other = key[at] === 'x' ? 'y' : 'x';
      expect(isApiKeyForm(key.slice(0, at) + other + key.slice(at + 1)), `${key} at ${at}`).toBe(false);
    }
  },
);

test('two characters that changed places are told', () => {
  const key = spellApiKey('LIVE', Buffer.from('00108310518720928b30d38f41149351559761969b71d79f8218a39259a7a29a', 'hex'));
  const swapped = `${key.slice(0, 20)}${key[21]}${key[20]}${key.slice(22)}`;
  expect([swapped === key, isApiKeyForm(swapped)]).toEqual([false, false]);
});

test('a key of before has none and is looked up; what is cut or longer is no key', () => {
  const body = `svc_live_${randomBytes(32).toString('base64url')}`;
  expect(isApiKeyForm(body)).toBe(true);
  const key = spellApiKey('LIVE', randomBytes(32));
  for (const cut of [1, 2, 3, 4, 5]) expect(isApiKeyForm(key.slice(0, -cut))).toBe(false);
  for (const text of ['', `${key}0`, `${key}\n`, ` ${key}`, key.slice(0, -7), body.slice(0, -1), key.replace('live', 'test')]) {
    expect(isApiKeyForm(text), text).toBe(false);
  }
});
