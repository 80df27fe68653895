/** Fairness and back-off, on a clock of the test's own. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createTurns, type Turns } from '../../src/jobs/fair-turns.ts';

let now: number;
let turns: Turns;

beforeEach(() => {
  now = 0;
  turns = createTurns(() => now);
});

describe('order', () => {
  test('begins with the key whose turn is the longest ago, whatever the order of the question', () => {
    expect(turns.order(['b', 'c', 'a'])).toEqual(['a', 'b', 'c']);
    turns.succeeded('a');
    expect(turns.order(['c', 'a', 'b'])).toEqual(['b', 'c', 'a']);
    turns.succeeded('c');
    expect(turns.order(['a', 'b', 'c'])).toEqual(['b', 'a', 'c']);
  });

  test('gives a key that is new the next turn', () => {
    for (const key of ['a', 'b', 'c']) turns.succeeded(key);
    expect(turns.order(['a', 'b', 'c', 'z'])).toEqual(['z', 'a', 'b', 'c']);
  });

  test('is fair among groups first, and then among the keys of each', () => {
    const groupOf = (key: string): string => key[0] ?? '';
    const keys = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'];
    expect(turns.order(keys, groupOf)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    turns.succeeded('a1', 'a');
    turns.succeeded('b1', 'b');
    expect(turns.order(keys, groupOf)).toEqual(['c1', 'a2', 'b2', 'a3', 'b1', 'a1']);
  });

  test('forgets who had no turn for ten minutes', () => {
    turns.succeeded('a');
    now = 600_001;
    turns.succeeded('b');
    expect(turns.order(['a', 'b', 'c'])).toEqual(['a', 'c', 'b']);
  });

  test('serves everybody equally when only a part is served each time', () => {
    const served = new Map<string, number>();
    for (let tick = 0; tick < 70; tick++) {
      for (const key of turns.order(['a', 'b', 'c', 'd', 'e', 'f', 'g']).slice(0, 3)) {
        turns.succeeded(key);
        served.set(key, (served.get(key) ?? 0) + 1);
      }
    }
    expect([...served.values()]).toEqual(Array.from({ length: 7 }, () => 30));
  });
});

describe('a failure', () => {
  test('rests for a second, then twice as long each time, up to a minute', () => {
    const rests: number[] = [];
    for (let failure = 0; failure < 8; failure++) {
      turns.failed('a');
      const failedAt = now;
      while (turns.order(['a']).length === 0) now += 500;
      rests.push((now - failedAt) / 1000);
    }
    expect(rests).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  test('leaves the others alone', () => {
    turns.failed('b');
    expect(turns.order(['a', 'b', 'c'])).toEqual(['a', 'c']);
  });

  test('is logged once a minute, for each key', () => {
    const log: [string, number][] = [];
    for (; now <= 120_000; now += 1_000) {
      for (const key of ['a', 'b']) if (turns.failed(key)) log.push([key, now / 1000]);
    }
    expect(log).toEqual([0, 60, 120].flatMap((at) => [['a', at], ['b', at]])); // biome-ignore format: pairs
  });

  test('is forgotten after a success: the next one rests for a second and is logged', () => {
    turns.failed('a');
    now = 1_000;
    turns.failed('a');
    now = 3_000;
    turns.succeeded('a');
    expect(turns.failed('a')).toBe(true);
    now = 4_000;
    expect(turns.order(['a'])).toEqual(['a']);
  });

  test('is forgotten when the key has not been due for long after its rest', () => {
    turns.failed('a');
    now = 61_001;
    turns.order(['b']);
    expect(turns.failed('a')).toBe(true);
    now = 62_001;
    expect(turns.order(['a'])).toEqual(['a']);
  });
});
