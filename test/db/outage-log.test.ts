/** What the log tells of an outage: one line when it begins and one when it is over. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOutageLog, type OutageLog } from '../../src/db/outage-log.ts';
import { createLogger } from '../../src/http/request-log.ts';

let log: OutageLog;
let lines: Record<string, unknown>[];

beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  const logger = createLogger('info', { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  log = createOutageLog(logger, 'test');
});
afterEach(() => {
  vi.useRealTimers();
});

const levels = (): unknown[] => lines.map(({ level }) => level);

function outageOf(ms: number): void {
  log.failed(new Error('lost'));
  vi.advanceTimersByTime(ms);
  log.answered();
  vi.advanceTimersByTime(3_000);
}

test('an outage has two lines, however many connections it took', () => {
  log.failed(new Error('lost'));
  log.failed(new Error('lost'), performance.now() - 5_000);
  vi.advanceTimersByTime(500);
  log.answered();
  vi.advanceTimersByTime(1_000);
  log.failed(new Error('lost'));
  log.answered();
  vi.advanceTimersByTime(3_000);
  expect(lines).toMatchObject([
    { level: 'warn', connections: 'test' },
    { level: 'info', failures: 3, ms: 1_500 },
  ]);
});

test('a connection found mute behind an outage, and mute since before its end, is no new one', () => {
  const before = performance.now();
  outageOf(1_000);
  log.failed(new Error('mute'), before);
  expect(levels()).toEqual(['warn', 'info']);
  expect(log.reachable()).toBe(true);
});

test('a connection that went mute since is told of', () => {
  outageOf(1_000);
  log.failed(new Error('mute'), performance.now() - 100);
  expect(levels()).toEqual(['warn', 'info', 'warn']);
  expect(log.reachable()).toBe(false);
});

test('a connection that cannot be made is told of, whenever it is', () => {
  outageOf(1_000);
  log.failed(new Error('refused'));
  expect(levels()).toEqual(['warn', 'info', 'warn']);
});
