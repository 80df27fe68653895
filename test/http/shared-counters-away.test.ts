/** A Redis that hangs, is slow, or answers errors: docs/specification/conventions.md#shared-counters. */
import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLogger } from '../../src/http/request-log.ts';
import { boundCountTime, openSharedCounters, type SharedCounters } from '../../src/http/shared-counters.ts';
import { apiClient } from '../support/app/api-client.ts';
import { type FakeRedis, startFakeRedis } from '../support/app/fake-redis.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

const LIMIT = 1_000;
const BAD_KEYS = 3;
/** Redis is tried again after three seconds, and has 150 ms to answer. */
const BACK = { timeout: 15_000, interval: 100 };

let redis: FakeRedis;
let app: TestApp;
let liveKey: string;

beforeEach(async () => {
  redis = await startFakeRedis();
  app = await startTestApp({
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    RATE_LIMIT_LIVE: `${LIMIT}`,
    RATE_LIMIT_BAD_KEYS: `${BAD_KEYS}`,
  });
  liveKey = (await app.newTenant()).liveKey;
});
afterEach(async () => {
  await app.close();
  await redis.close();
});

async function remaining(): Promise<number> {
  const answer = await apiClient(app, liveKey).get('/api/v1/users');
  expect(answer.status).toBe(200);
  return Number(answer.headers['x-ratelimit-remaining']);
}

const counts = async () => expect(await remaining()).toBeLessThan(LIMIT);
const state = () => app.composition.rateLimits.stats().state;
const linesOf = (text: string) => app.logLines.filter((line) => line.includes(text));
const guess = async () => (await apiClient(app, `svc_live_${randomBytes(32).toString('base64url')}`).get('/api/v1/users')).status;

describe('a Redis that hangs', () => {
  test('holds nobody up, is logged once, counted, and counts again by itself', async () => {
    await counts();
    expect(state()).toBe('shared');
    redis.behave({ silent: true });
    const begun = performance.now();
    for (let sent = 0; sent < 20; sent++) expect(await remaining()).toBe(LIMIT);
    // Each of the forty counts would have waited 150 ms.
    expect(performance.now() - begun).toBeLessThan(3_000);
    expect(state()).toBe('not counted');
    expect(app.composition.rateLimits.stats().uncounted).toBeGreaterThanOrEqual(39);
    // It is tried again meanwhile, and nothing is left of a try.
    await vi.waitFor(() => expect(redis.received().split('HELLO').length).toBeGreaterThan(3), BACK);
    expect(redis.connections()).toBeLessThanOrEqual(1);
    expect(linesOf('redis does not count')).toHaveLength(1);
    expect(linesOf('redis counts again')).toHaveLength(0);

    redis.behave({});
    await vi.waitFor(counts, BACK);
    expect(linesOf('redis does not count')).toHaveLength(1);
    expect(linesOf('redis counts again')).toHaveLength(1);
    expect(state()).toBe('shared');
  });

  test('answers many at once that were sent as it began', async () => {
    redis.behave({ silent: true });
    const begun = performance.now();
    const all = await Promise.all(Array.from({ length: 50 }, remaining));
    expect(all.every((left) => left === LIMIT)).toBe(true);
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(linesOf('redis does not count')).toHaveLength(1);
  });

  test('does not open the way to who guesses keys', async () => {
    await counts();
    redis.behave({ silent: true });
    const statuses = [];
    for (let sent = 0; sent < BAD_KEYS + 2; sent++) statuses.push(await guess());
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    // A key that was good when it was last looked up passes beside the guesses.
    expect(await remaining()).toBe(LIMIT);
  });
});

describe.each([
  ['a replica', { error: 'READONLY You cannot write against a read only replica.' }],
  ['a full one', { error: "OOM command not allowed when used memory > 'maxmemory'." }],
  ['one that is loading its data', { error: 'LOADING Redis is loading the dataset in memory' }],
  ['one that may not be used so', { error: "NOPERM this user has no permissions to run the 'script' command" }],
])('%s', (_what, behaviour) => {
  test('lets requests pass, is logged once, and counts again when it can', async () => {
    await counts();
    redis.behave(behaviour);
    for (let sent = 0; sent < 5; sent++) expect(await remaining()).toBe(LIMIT);
    redis.behave({});
    await vi.waitFor(counts, BACK);
    expect(linesOf('redis does not count')).toHaveLength(1);
    expect(linesOf(behaviour.error.split(' ')[0] ?? '')).toHaveLength(1);
    expect(linesOf('redis counts again')).toHaveLength(1);
  });
});

test('one that has lost its scripts is given them again, and nothing is lost', async () => {
  await counts();
  const before = await remaining();
  redis.forgetScripts();
  expect(await remaining()).toBe(before - 1);
  expect(state()).toBe('shared');
  expect(app.logLines.filter((line) => line.includes('redis'))).toEqual([]);
});

describe('by itself', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line: string) => lines.push(line) });
  let own: FakeRedis;
  let opened: SharedCounters[];
  beforeEach(async () => {
    own = await startFakeRedis();
    opened = [];
    lines.length = 0;
  });
  afterEach(async () => {
    for (const counters of opened) counters.close();
    await own.close();
  });

  async function open(): Promise<SharedCounters> {
    const counters = await openSharedCounters({ url: `redis://127.0.0.1:${own.port}`, windowMs: 60_000, logger });
    opened.push(counters);
    return counters;
  }
  const inRequest = <T>(work: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => boundCountTime({} as Request, {} as Response, () => void work().then(resolve, reject)));
  const increments = (counters: SharedCounters, name: string) => {
    const store = counters.store(`rl:${name}:`);
    void store.init?.({ windowMs: 60_000 } as never);
    return async () => (await store.increment('one')).totalHits;
  };

  test('the waits of a request do not add up, and what it did not wait for is counted', async () => {
    const counters = await open();
    const [first, second] = [increments(counters, 'first'), increments(counters, 'second')];
    await first();
    await second();
    own.behave({ delayMs: 110 });
    expect(await inRequest(async () => [await first(), await second()])).toEqual([2, 0]);
    // It is slow and there: another request is counted.
    expect(await inRequest(second)).toBe(3);
    expect(counters.state()).toBe('shared');
    expect(lines).toEqual([]);
  });

  test('one that takes longer than a request waits is left alone', async () => {
    const counters = await open();
    const count = increments(counters, 'slow');
    await count();
    own.behave({ delayMs: 400 });
    expect(await count()).toBe(0);
    expect(counters.state()).toBe('not counted');
    const asked = own.received().length;
    expect(await count()).toBe(0);
    expect(own.received()).toHaveLength(asked);
    expect(counters.uncounted()).toBe(2);
  });

  test('a wrong password is one warning, whatever is asked', async () => {
    own.behave({ greetingError: 'WRONGPASS invalid username-password pair or user is disabled.' });
    const counters = await open();
    const count = increments(counters, 'any');
    for (let asked = 0; asked < 5; asked++) expect(await count()).toBe(0);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('WRONGPASS');
  });

  test('is closed at once while it hangs, with what waits', async () => {
    const counters = await open();
    const count = increments(counters, 'hung');
    await count();
    own.behave({ silent: true });
    const waiting = count();
    counters.close();
    expect(await waiting).toBe(0);
    await vi.waitFor(() => expect(own.connections()).toBe(0), { timeout: 60_000 });
    expect(lines).toEqual([]);
  });

  test('an address that is none is refused at the start', async () => {
    await expect(openSharedCounters({ url: 'foo', windowMs: 60_000, logger })).rejects.toThrow(/URL/);
  });
});
