/**
 * Rate-limit counters in Redis, for several instances. A Redis that is away, hangs or answers errors holds up nobody:
 * a request waits for it 150 ms at most, for all of its counts together, and passes uncounted. Then it is left alone,
 * and tried again every few seconds over a new connection. Source: docs/specification/conventions.md#shared-counters.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import type { ClientRateLimitInfo, Options, Store } from 'express-rate-limit';
import type { Logger } from 'pino';
import { RedisStore } from 'rate-limit-redis';
import type { RedisClientType } from 'redis';

export interface SharedCounters {
  /**
   * Counters by key. While Redis does not count, `meanwhile` does, where it is given; else what is counted is nothing.
   * None of its methods throws.
   */
  store(prefix: string, meanwhile?: Store): Store;
  state(): 'shared' | 'not counted';
  /** Counts since the start that Redis did not answer, or was not asked for. */
  uncounted(): number;
  /** Waits for nothing: what Redis was asked for is given up. */
  close(): void;
}

/** The longest that a request waits for Redis, and for how long a Redis that says nothing is believed to be there. */
const COUNT_MS = 150;
const CONNECT_MS = 1_000;
const RETRY_MS = 3_000;
/** Counts that wait for an answer. */
const MOST_PENDING = 10_000;

/** What a request may still wait. */
const budget = new AsyncLocalStorage<{ leftMs: number }>();

/** The waits of what follows do not add up. */
export const boundCountTime: RequestHandler = (_req, _res, next) => budget.run({ leftMs: COUNT_MS }, next);

interface Connection {
  redis: RedisClientType;
  /** By prefix. A store loads its scripts when it is made and keeps a failure for good, so each connection has its own. */
  stores: Map<string, RedisStore>;
  lost: boolean;
}

/**
 * Resolves when Redis counts, or was found not to, after a second or so. Throws for an address that is none. Logs once
 * when Redis goes and once when it is back.
 */
export async function openSharedCounters({
  url,
  windowMs,
  logger,
}: {
  url: string;
  windowMs: number;
  logger: Logger;
}): Promise<SharedCounters> {
  // Loaded only where it is asked for: a start without it is quicker.
  const { createClient } = await import('redis');
  let latest: Connection | undefined;
  let counting = false;
  let isAway = false;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;
  let uncounted = 0;

  async function open(): Promise<void> {
    const redis: RedisClientType = createClient({
      url,
      disableOfflineQueue: true,
      commandsQueueMaxLength: MOST_PENDING,
      socket: { reconnectStrategy: false, connectTimeout: CONNECT_MS },
    });
    const connection: Connection = { redis, stores: new Map(), lost: false };
    latest = connection;
    redis.on('error', (error: unknown) => lose(connection, error));
    try {
      await inTime(redis.connect(), CONNECT_MS);
      await inTime(storeOf(connection, 'rl:').increment('trial'), COUNT_MS);
    } catch (error) {
      lose(connection, error);
    }
    if (connection.lost) return;
    counting = true;
    if (isAway) logger.info('redis counts again: rate limits are in force');
    isAway = false;
  }

  function lose(connection: Connection, error: unknown): void {
    if (connection.lost) return;
    connection.lost = true;
    counting = false;
    connection.redis.destroy();
    if (isClosed) return;
    if (!isAway) {
      logger.warn({ err: error }, 'redis does not count: requests pass without rate limits; failed keys are counted here alone');
    }
    isAway = true;
    retry = setTimeout(() => void open(), RETRY_MS).unref();
  }

  function storeOf({ redis, stores }: Connection, prefix: string): RedisStore {
    const known = stores.get(prefix);
    if (known) return known;
    const store = new RedisStore({ prefix, sendCommand: (...command: string[]) => redis.sendCommand(command) });
    stores.set(prefix, store);
    // A failure shows with the first count.
    store.init({ windowMs } as Options).catch(() => undefined);
    return store;
  }

  async function ask<T>(prefix: string, run: (store: RedisStore) => Promise<T>): Promise<T | undefined> {
    const connection = latest;
    if (!counting || !connection) {
      uncounted += 1;
      return undefined;
    }
    const left = budget.getStore() ?? { leftMs: COUNT_MS };
    const begun = performance.now();
    const answer = inTime(run(storeOf(connection, prefix)), COUNT_MS).catch((error: unknown) => {
      lose(connection, error);
      return undefined;
    });
    // What is not waited for is counted by Redis all the same.
    const found = left.leftMs >= COUNT_MS ? await answer : await unlessLate(answer, left.leftMs);
    left.leftMs -= performance.now() - begun;
    if (found === undefined) uncounted += 1;
    return found;
  }

  await open();

  return {
    store(prefix, meanwhile) {
      let options: Options;
      return {
        localKeys: false,
        init(given) {
          options = given;
          void meanwhile?.init?.(given);
        },
        async get(key): Promise<ClientRateLimitInfo | undefined> {
          const counted = await ask(prefix, (store) => store.get(key));
          if (!counted) return meanwhile?.get?.(key);
          // Of what was never counted the store reads a number that is none.
          return Number.isInteger(counted.totalHits) ? counted : undefined;
        },
        async increment(key): Promise<ClientRateLimitInfo> {
          const counted = (await ask(prefix, (store) => store.increment(key))) ?? (await meanwhile?.increment(key));
          return counted ?? { totalHits: 0, resetTime: new Date(Date.now() + options.windowMs) };
        },
        async decrement(key) {
          await ask(prefix, (store) => store.decrement(key));
        },
        async resetKey(key) {
          await ask(prefix, (store) => store.resetKey(key));
        },
        shutdown: () => meanwhile?.shutdown?.(),
      };
    },
    state: () => (counting ? 'shared' : 'not counted'),
    uncounted: () => uncounted,
    close() {
      isClosed = true;
      clearTimeout(retry);
      if (latest) lose(latest, undefined);
    },
  };
}

/** Rejects when there is no answer in time. What has arrived by then, while this process was busy, is in time. */
async function inTime<T>(answer: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let waiting: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    waiting = setImmediate(() => reject(new Error(`no answer within ${ms} ms`)));
  }, ms);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    clearImmediate(waiting);
  }
}

async function unlessLate<T>(answer: Promise<T>, ms: number): Promise<T | undefined> {
  if (ms <= 0) return undefined;
  const waited = new AbortController();
  const late = sleep(ms, undefined, { signal: waited.signal }).catch(() => undefined);
  try {
    return await Promise.race([answer, late]);
  } finally {
    waited.abort();
  }
}
