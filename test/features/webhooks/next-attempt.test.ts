/** When a delivery is tried again (docs/specification/webhooks.md#attempts). */
import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../../src/features/webhooks/sending/next-attempt.ts';

const NOW = new Date('2026-11-24T00:00:00Z');
const HOUR = 3_600;
const GAPS = [5, 300, 1_800, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const failed = { status: 500, fault: null, retryAfter: undefined };
const gapBehind = (tries: number, random: number, answer: Parameters<typeof outcomeOf>[0] = failed): number | undefined => {
  const outcome = outcomeOf(answer, tries, NOW, () => random);
  return outcome.status === 'waiting' ? outcome.gapSeconds : undefined;
};

test('gaps grow by the schedule, a fifth more or less, and end behind the tenth try', () => {
  expect(GAPS.map((_, tries) => gapBehind(tries, 0.5))).toEqual(GAPS);
  expect(GAPS.map((_, tries) => gapBehind(tries, 0))).toEqual(GAPS.map((gap) => gap * 0.8));
  for (const [tries, gap] of GAPS.entries()) expect(gapBehind(tries, 1)).toBeCloseTo(gap * 1.2, 6);
  expect(outcomeOf(failed, 9, NOW)).toEqual({ status: 'failed' });
  expect(outcomeOf(failed, 30, NOW)).toEqual({ status: 'failed' });
});

test.each<[status: number | null, fault: 'redirect' | 'timeout' | null, delivered: boolean]>([
  [200, null, true],
  [204, null, true],
  [299, null, true],
  [199, null, false],
  [300, null, false],
  [301, 'redirect', false],
  [410, null, false],
  [200, 'timeout', false],
  [null, 'timeout', false],
])('an answer %s with the fault %s has arrived: %s', (status, fault, delivered) => {
  expect(outcomeOf({ status, fault, retryAfter: undefined }, 0, NOW).status).toBe(delivered ? 'delivered' : 'waiting');
});

describe('Retry-After', () => {
  const asked = (retryAfter: string, status = 429, tries = 0): number | undefined =>
    gapBehind(tries, 0.5, { status, fault: null, retryAfter });

  test.each<[text: string, seconds: number]>([
    ['120', 120],
    [' 120 ', 120],
    ['3', 5],
    ['0', 5],
    ['86400', 86_400],
    ['86401', 86_400],
    ['99999999999999999999', 86_400],
    ['Tue, 24 Nov 2026 00:10:00 GMT', 600],
    ['Mon, 23 Nov 2026 00:10:00 GMT', 5],
    ['Wed, 24 Nov 2027 00:10:00 GMT', 86_400],
    ['soon', 5],
    ['-5', 5],
    ['', 5],
    ['1e9', 5],
  ])('%j is kept where it is longer than the gap, up to a day: %d s', (text, seconds) => {
    expect(asked(text)).toBe(seconds);
    for (const status of [301, 404, 410, 500, 502, 503]) expect(asked(text, status)).toBe(seconds);
  });

  test('counts for nothing with a success, and behind the last try', () => {
    expect(asked('120', 200)).toBeUndefined();
    expect(asked('120', 204)).toBeUndefined();
    expect(asked('120', 429, 9)).toBeUndefined();
  });
});
