/** Email addresses (docs/specification/conventions.md#email): NFC, lower-cased for comparison, <= 254 characters, any script. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { email, normaliseEmail } from '../../src/http/schemas.ts';

const accepted = (value: unknown) => email.safeParse(value).success;

describe('accepted', () => {
  test.each([
    'a@shop.example',
    'Ann.Lee+tag@Shop.example',
    "o'hara@shop.example",
    'a/b=c?d{e}|f~g`h^i*j&k%l$m#n!o@shop.example',
    '用户@例子.公司',
    'пример@пример.рф',
    'josé@exämple.com',
    'x@sub.sub-domain.example',
    'x@123.example',
    `${'x'.repeat(64)}@shop.example`,
  ])('%s', (address) => expect(email.parse(address)).toBe(address.normalize('NFC')));
});

describe('refused', () => {
  test.each([
    '',
    'nobody',
    'a@',
    '@shop.example',
    'a@b',
    'a b@shop.example',
    ' a@shop.example',
    'a@shop.example ',
    'a@shop.example\n',
    'a@@shop.example',
    'a@b@shop.example',
    'a@shop..example',
    'a@.shop.example',
    'a@-shop.example',
    'a@shop-.example',
    'a@shop.example.',
    'a@shop_x.example',
    'a@[127.0.0.1]',
    '"a b"@shop.example',
    'a,b@shop.example',
    '<a@shop.example>',
    'Ann <a@shop.example>',
    'a\u0000@shop.example',
    'a\u200b@shop.example', // zero-width space
    'a\u202e@shop.example', // right-to-left override
    `${'x'.repeat(65)}@shop.example`,
    null,
    5,
  ])('%j', (address) => expect(accepted(address)).toBe(false));
});

test('at most 254 characters, counted after composing', () => {
  const domain = `${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.example`;
  const of = (length: number) => `${'x'.repeat(length - domain.length - 1)}@${domain}`;
  expect(accepted(of(254))).toBe(true);
  expect(accepted(of(255))).toBe(false);
  const decomposed = of(254).replaceAll('x', 'é').normalize('NFD');
  expect(decomposed.length).toBeGreaterThan(254);
  expect(accepted(decomposed)).toBe(true);
});

test('is returned composed, in the case it was typed in', () => {
  expect(email.parse('Jose\u0301@Shop.example')).toBe('Jos\u00e9@Shop.example');
});

describe('the compared form', () => {
  test.each([
    ['Ann@Shop.Example', 'ann@shop.example'],
    ['JOSE\u0301@shop.example', 'jos\u00e9@shop.example'],
    ['ПРИМЕР@пример.рф', 'пример@пример.рф'],
    ['a+TAG@shop.example', 'a+tag@shop.example'],
  ])('of %s is %s', (address, compared) => expect(normaliseEmail(address)).toBe(compared));

  test('is the same for both normal forms, and its own compared form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const compared = normaliseEmail(text);
        expect(normaliseEmail(text.normalize('NFC'))).toBe(compared);
        expect(normaliseEmail(text.normalize('NFD'))).toBe(compared);
        expect(normaliseEmail(compared)).toBe(compared);
        expect(compared.normalize('NFC')).toBe(compared);
      }),
      { numRuns: 2_000 },
    );
  });

  test('fits where it is stored: no accepted address has one of more than 254 characters', () => {
    const domain = `${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.example`;
    const growing = `${'İ'.repeat(254 - domain.length - 1)}@${domain}`; // İ lower-cases to i and a combining dot
    if (accepted(growing)) expect(normaliseEmail(growing).length).toBeLessThanOrEqual(254);
  });
});
