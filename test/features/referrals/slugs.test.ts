import { expect, test } from 'vitest';
import { drawSlug, drawTag, SLUG_PATTERN, tagOf } from '../../../src/features/referrals/slugs.ts';

test('a slug begins with its tag, has the form of one, and no character that looks like another', () => {
  const tags = Array.from({ length: 200 }, drawTag);
  for (const tag of tags) {
    const slug = drawSlug(tag);
    expect(slug).toMatch(SLUG_PATTERN);
    expect(slug).toMatch(/^[2-9a-hjkmnp-tv-z]{12}$/);
    expect(tagOf(slug)).toBe(tag);
  }
  expect(new Set(tags).size).toBeGreaterThan(190);
  expect(new Set(Array.from({ length: 1000 }, () => drawSlug('abcd'))).size).toBe(1000);
});

test.each(['', 'abcd1234567', 'abcd123456789', 'ABCD12345678', 'abcd1234567 ', 'abcd12345678\n', 'abcd1234567é', 'abcd/1234567'])(
  '%j is no slug',
  (text) => {
    expect(text).not.toMatch(SLUG_PATTERN);
  },
);
