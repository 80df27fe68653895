/** Where a redirect leads: the destination as it was written, with the click id. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { locationOf } from '../../../src/features/referrals/redirect-service.ts';

describe('the click id', () => {
  test.each([
    ['https://shop.example', 'https://shop.example/?click_id=ck_1'],
    ['https://shop.example/a/b', 'https://shop.example/a/b?click_id=ck_1'],
    ['https://shop.example/a?', 'https://shop.example/a?click_id=ck_1'],
    ['https://shop.example/a?x=1&y=%20b+c', 'https://shop.example/a?x=1&y=%20b+c&click_id=ck_1'],
    ['https://shop.example/a?x=1#part?click_id=0', 'https://shop.example/a?x=1&click_id=ck_1#part?click_id=0'],
    ['https://shop.example/a?click_id=old&x=1', 'https://shop.example/a?x=1&click_id=ck_1'],
    ['https://shop.example/a?click_id&click_id=2&x&=y', 'https://shop.example/a?x&=y&click_id=ck_1'],
    ['https://shop.example/a?click%5Fid=old', 'https://shop.example/a?click_id=ck_1'],
    ['https://shop.example/a?Click_id=old&xclick_id=2', 'https://shop.example/a?Click_id=old&xclick_id=2&click_id=ck_1'],
    ['https://shop.example/a?a=1&&b=2', 'https://shop.example/a?a=1&&b=2&click_id=ck_1'],
    ['https://shop.example/a?&a=1&', 'https://shop.example/a?&a=1&click_id=ck_1'],
    ['https://shop.example/a?a=1&&click_id=old&&b=2', 'https://shop.example/a?a=1&&&b=2&click_id=ck_1'],
    ['https://shop.example/a??x=1&y', 'https://shop.example/a??x=1&y&click_id=ck_1'],
    ['https://shop.example/a??click_id=theirs', 'https://shop.example/a??click_id=theirs&click_id=ck_1'],
    ['https://shop.example/é?q=ü', 'https://shop.example/%C3%A9?q=%C3%BC&click_id=ck_1'],
    ['https://shop.example/a\r\nSet-Cookie: x=1', 'https://shop.example/aSet-Cookie:%20x=1?click_id=ck_1'],
  ])('in %j', (destination, location) => {
    expect(locationOf(destination, 'ck_1')).toBe(location);
  });

  test('none: the destination alone', () => {
    expect(locationOf('https://shop.example/a?click_id=theirs#b', undefined)).toBe('https://shop.example/a?click_id=theirs#b');
  });

  test('is the only one there is, and nothing else changes, whatever the query', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (address) => {
        const before = new URL(address);
        const after = new URL(locationOf(address, 'ck_1'));
        expect(after.searchParams.getAll('click_id')).toEqual(['ck_1']);
        expect(after.origin + after.pathname + after.hash).toBe(before.origin + before.pathname + before.hash);
        const others = (url: URL) => [...url.searchParams].filter(([name]) => name !== 'click_id');
        expect(others(after)).toEqual(others(before));
        expect(after.href).toMatch(/^[!-~]+$/);
      }),
    );
  });
});
