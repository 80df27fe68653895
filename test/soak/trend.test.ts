/** The figures by which a soak is judged. */
import { describe, expect, test } from 'vitest';
import { grows, judge, median, trendOf } from './trend.ts';

const line = (slope: number, noise: (index: number) => number = () => 0, count = 100): [number, number][] =>
  Array.from({ length: count }, (_, index) => [index / 200, 80 + (slope * index) / 200 + noise(index)]);
/** Numbers between -0.5 and 0.5 that look drawn. */
const drawn = (index: number): number => ((Math.sin(index * 12.9898) * 43758.5453) % 1) / 2;

describe('the trend of a figure', () => {
  test('is the slope of a line without noise, exactly', () => {
    const { slope, error } = trendOf(line(3));
    expect([slope, error].map((one) => Math.round(one * 1e6) / 1e6)).toEqual([3, 0]);
  });

  test('is told with an error that covers the true slope', () => {
    const { slope, error } = trendOf(line(3, drawn));
    expect(error).toBeGreaterThan(0.1);
    expect(Math.abs(slope - 3)).toBeLessThan(3 * error);
  });

  test('is less sure where neighbours stray together', () => {
    // The same strays in both, one after the other and ten in a row.
    const alone = trendOf(line(0, (index) => (index % 2 === 0 ? 1 : -1)));
    const together = trendOf(line(0, (index) => (Math.floor(index / 10) % 2 === 0 ? 1 : -1)));
    expect(together.error).toBeGreaterThan(2 * alone.error);
  });

  test('of two samples says nothing', () => {
    expect(judge(trendOf(line(100, drawn, 2)), 1)).toBe('not told from noise');
  });
});

test.each([
  [0, 0.1, 'flat'],
  [-5, 0.1, 'flat'],
  [0.7, 0.1, 'flat'],
  [0.9, 0.1, 'not told from noise'],
  [1, 0.1, 'rises'],
  [3, 1.4, 'rises'],
  [3, 1.6, 'not told from noise'],
  [0, Number.POSITIVE_INFINITY, 'not told from noise'],
] as const)('a slope of %s with an error of %s: %s', (slope, error, verdict) => {
  expect(judge({ slope, error }, 1)).toBe(verdict);
});

test('a count grows when its last third lies above the first, not when it jumps about', () => {
  expect(grows([5, 9, 5, 6, 9, 5, 9, 5, 5], 2)).toBe(false);
  expect(grows([5, 5, 5, 6, 7, 7, 8, 8, 8], 2)).toBe(true);
  expect(grows([5, 5, 5, 5, 5, 5, 7, 7, 7], 2)).toBe(false);
  expect(grows([5, 50], 2)).toBe(false);
  expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5]);
});
