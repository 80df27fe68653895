/** A loop that goes on whatever happens in it, and ends when it is told to. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '../../src/http/request-log.ts';
import { startLoop } from '../../src/jobs/loop.ts';

let lines: string[];
const logger = createLogger('info', { write: (line) => void lines.push(line) });

beforeEach(() => {
  lines = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => vi.useRealTimers());

test('repeats at once while there is more, else after its pause', async () => {
  let steps = 0;
  const loop = startLoop({ name: 'test', logger, pauseMs: 1_000, step: async () => ++steps < 3 });
  await vi.advanceTimersByTimeAsync(999);
  expect(steps).toBe(3);
  await vi.advanceTimersByTimeAsync(2_001);
  expect(steps).toBe(6);
  await loop.stop();
});

test('goes on after errors, with pauses that double up to ten seconds and one line a minute', async () => {
  const at: number[] = [];
  let broken = true;
  const loop = startLoop({
    name: 'test',
    logger,
    pauseMs: 1_000,
    async step() {
      at.push(Math.round(performance.now()));
      if (broken) throw new Error('away');
      return false;
    },
  });
  const [first = 0] = at;
  await vi.advanceTimersByTimeAsync(45_000);
  expect(at.map((ms) => (ms - first) / 1000)).toEqual([0, 2, 6, 14, 24, 34, 44]);
  expect(lines).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(lines).toHaveLength(2);
  broken = false;
  await vi.advanceTimersByTimeAsync(10_000);
  const before = at.length;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(at.length - before).toBe(3);
  await loop.stop();
});

test('ends its pause when it is woken or stopped, and waits for a running step', async () => {
  let steps = 0;
  let finish = (): void => undefined;
  const loop = startLoop({
    name: 'test',
    logger,
    pauseMs: 60_000,
    async step() {
      steps += 1;
      if (steps === 2) await new Promise<void>((resolve) => (finish = resolve));
      return false;
    },
  });
  await vi.advanceTimersByTimeAsync(1);
  loop.wake();
  await vi.advanceTimersByTimeAsync(1);
  expect(steps).toBe(2);
  let ended = false;
  const stopped = loop.stop().then(() => (ended = true));
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toBe(false);
  finish();
  await stopped;
  expect(steps).toBe(2);
});
