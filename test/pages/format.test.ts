/** Amounts, numbers and times as pages show them, and as forms read them. */
import { describe, expect, test } from 'vitest';
import { formValues } from '../../src/pages/form-values.ts';
import { formatsOf, localeOf } from '../../src/pages/format.ts';
import { shortId } from '../../src/pages/parts/id.ts';

const berlin = formatsOf('en-GB', 'Europe/Berlin');

test.each([
  [751, 'EUR', '€7.51'],
  [-751, 'EUR', '-€7.51'],
  [0, 'EUR', '€0.00'],
  [100, 'JPY', 'JP¥100'],
  [1234, 'KWD', 'KWD 1.234'],
  ['99999999999999999901', 'EUR', '€999,999,999,999,999,999.01'],
])('%s minor units of %s are %s', (minor, currency, text) => {
  expect(berlin.money(minor, currency).replaceAll(' ', ' ')).toBe(text);
});

test('times are those of the zone', () => {
  expect(berlin.time('2026-11-22T23:30:00Z')).toBe('23 Nov 2026, 00:30');
  expect(formatsOf('en-GB', 'America/New_York').date('2026-11-22T03:00:00Z')).toBe('21 Nov 2026');
  expect(berlin.month('2026-11')).toBe('Nov 2026');
});

test('relative times are in words', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  expect(berlin.ago('2026-11-22T11:59:50Z', now)).toBe('just now');
  expect(berlin.ago('2026-11-22T11:57:00Z', now)).toBe('3 minutes ago');
  expect(berlin.ago('2026-11-21T12:00:00Z', now)).toBe('yesterday');
  expect(berlin.ago('2026-11-24T12:00:00Z', now)).toBe('in 2 days');
});

test.each([
  ['en-US,en;q=0.9', 'en-US'],
  ['de-DE,de;q=0.9,en-GB;q=0.8', 'en-GB'],
  ['de', 'en-GB'],
  [undefined, 'en-GB'],
])('the language %s is read as %s', (language, locale) => {
  expect(localeOf(language)).toBe(locale);
});

describe('a form', () => {
  const form = (text: string) => formValues(new URLSearchParams(text));
  test.each([
    ['12.5', 'EUR', 1250],
    ['12.50', 'EUR', 1250],
    ['1,234.56', 'EUR', 123_456],
    ['-3', 'EUR', -300],
    ['5', 'JPY', 5],
    ['0.001', 'KWD', 1],
    ['0.29', 'EUR', 29],
  ])('reads %s %s as %i', (typed, currency, minor) => {
    expect(form(`a=${encodeURIComponent(typed)}`).minor('a', currency)).toBe(minor);
  });
  test.each([['1.234'], ['1.2.3'], ['abc'], ['1e3'], ['99999999999999999'], ['.5']])('refuses the amount %s', (typed) => {
    expect(() => form(`a=${typed}`).minor('a', 'EUR')).toThrow(/a: /);
  });
  test('has texts without the blanks around, and raw ones with them', () => {
    const values = form('a=+x+&b=&c=1&c=2&__proto__=9');
    expect(values.text('a')).toBe('x');
    expect(values.raw('a')).toBe(' x ');
    expect(values.text('b')).toBeUndefined();
    expect(values.list('c')).toEqual(['1', '2']);
    expect(values.raw('constructor')).toBe('');
    expect(values.checked('toString')).toBe(false);
    expect(() => form('n=1x').number('n')).toThrow(/number/);
  });
});

test('a long id is shortened in the middle', () => {
  expect(shortId('01990000-aaaa-7bbb-8ccc-123456789abc')).toBe('01990000…89abc');
  expect(shortId('order-29')).toBe('order-29');
});
