/** Ranges of addresses: docs/specification/identity.md#allowed-ips. */
import { describe, expect, test } from 'vitest';
import { createRangeCheck, liesWithin, normalRange } from '../../src/http/ip-ranges.ts';

test.each([
  ['203.0.113.7', '203.0.113.7/32'],
  ['203.0.113.7/24', '203.0.113.0/24'],
  ['10.255.255.255/9', '10.128.0.0/9'],
  ['1.2.3.4/0', '0.0.0.0/0'],
  ['2001:DB8::0001', '2001:db8::1/128'],
  ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
  ['::/0', '::/0'],
  ['::ffff:203.0.113.7', '203.0.113.7/32'],
  ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
  ['::ffff:0:0/96', '0.0.0.0/0'],
])('%s is %s', (text, normal) => {
  expect(normalRange(text)).toBe(normal);
  expect(normalRange(normal)).toBe(normal);
});

test.each([
  '',
  '10.0.0',
  '10.0.0.256',
  '010.0.0.1',
  '0x0a.0.0.1',
  '167772161',
  '10.0.0.1/',
  '10.0.0.1/33',
  '10.0.0.1/08',
  '10.0.0.1/-1',
  '10.0.0.1/8/8',
  '10.0.0.1/255.0.0.0',
  '::/129',
  'fe80::1%eth0',
  '[::1]',
  'shop.example',
  ' 10.0.0.1',
])('%j is no range', (text) => expect(normalRange(text)).toBeUndefined());

describe('an address', () => {
  const check = createRangeCheck(['203.0.113.0/25', '2001:db8::/47']);

  test.each(['203.0.113.0', '203.0.113.127', '::ffff:203.0.113.9', '::ffff:cb00:7109', '2001:db8:1:ffff::1', '2001:db8::1%en0'])(
    '%s lies inside',
    (address) => expect(check(address)).toBe(true),
  );
  test.each(['203.0.113.128', '203.0.112.255', '::ffff:203.0.113.200', '2001:db8:2::1', '::cb00:7109', '', 'unknown', undefined])(
    '%s lies outside',
    (address) => expect(check(address)).toBe(false),
  );
  test('of the one family is in no range of the other', () => {
    expect([createRangeCheck(['::/0'])('1.2.3.4'), createRangeCheck(['0.0.0.0/0'])('2001:db8::1')]).toEqual([false, false]);
  });
});

test.each<[string[] | null, string[] | null, boolean]>([
  [null, null, true],
  [['10.0.0.0/8'], null, true],
  [null, ['0.0.0.0/0', '::/0'], false],
  [['10.0.0.0/8'], ['10.0.0.0/8'], true],
  [['10.0.0.0/7'], ['10.0.0.0/8'], false],
  [['10.9.0.0/16', '2001:db8::1/128'], ['2001:db8::/32', '10.0.0.0/8'], true],
  [['10.9.0.0/16', '11.0.0.1/32'], ['10.0.0.0/8'], false],
  [['2001:db8::/32'], ['0.0.0.0/0'], false],
])('%j within %j: %s', (inner, outer, expected) => expect(liesWithin(inner, outer)).toBe(expected));
