/** Rate-limit counters in Redis, for several instances. Without Redis nothing is counted and nobody is refused. */
import type { ClientRateLimitInfo, Options, Store } from 'express-rate-limit';
import { RedisStore } from 'rate-limit-redis';
import type { RedisClientType } from 'redis';

/**
 * A RedisStore loads its scripts when it is made and keeps a failure for good, so it is made once
 * Redis is there, and again after a failure.
 */
export function createSharedStore(redis: RedisClientType, prefix: string): Store {
  let options: Options;
  let store: RedisStore | undefined;

  function connected(): RedisStore | undefined {
    if (!redis.isReady) return undefined;
    if (!store) {
      store = new RedisStore({ prefix, sendCommand: (...command: string[]) => redis.sendCommand(command) });
      void store.init(options);
    }
    return store;
  }

  /** Redis' own trouble is logged where the client is made; here it only means that nothing was counted. */
  async function attempt<T>(run: (store: RedisStore) => Promise<T>): Promise<T | undefined> {
    const current = connected();
    try {
      return current && (await run(current));
    } catch {
      store = undefined;
      return undefined;
    }
  }

  return {
    localKeys: false,
    init(given) {
      options = given;
    },
    async get(key): Promise<ClientRateLimitInfo | undefined> {
      const counted = await attempt((current) => current.get(key));
      // Of what was never counted the store reads a number that is none.
      return counted && Number.isInteger(counted.totalHits) ? counted : undefined;
    },
    async increment(key): Promise<ClientRateLimitInfo> {
      const counted = await attempt((current) => current.increment(key));
      return counted ?? { totalHits: 0, resetTime: new Date(Date.now() + options.windowMs) };
    },
    async decrement(key) {
      await attempt((current) => current.decrement(key));
    },
    async resetKey(key) {
      await attempt((current) => current.resetKey(key));
    },
  };
}
