/**
 * Rate limits: by key, and by client address for failed key checks and what features limit so.
 * Source: docs/specification/conventions.md#rate-limits.
 */
import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import type { Request, Response } from 'express';
import {
  type AugmentedRequest,
  ipKeyGenerator,
  MemoryStore,
  type RateLimitRequestHandler,
  rateLimit,
  type Store,
} from 'express-rate-limit';
import type { Logger } from 'pino';
import type { RedisClientType } from 'redis';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import type { Caller } from './operation.ts';
import { createSharedStore } from './shared-counters.ts';

export interface RateLimits {
  /** Counts a request of a key, sets the X-RateLimit headers, throws RATE_LIMITED past the limit. */
  countRequest(req: Request, res: Response, caller: Caller): Promise<void>;
  /**
   * Counts a failed key check of a client address, throws RATE_LIMITED past the limit. The first one
   * past it has a log line, which alone names the address: one an address and window, over all instances
   * that share Redis.
   */
  countBadKey(req: Request, res: Response): Promise<void>;
  /** A limit of a feature's by client address. The address is neither logged nor given to Redis. */
  byAddress(options: { name: string; limit: number }): CountAddress;
  close(): void;
}

/** Counts a request of a client address, throws RATE_LIMITED past the limit. */
export type CountAddress = (req: Request, res: Response) => Promise<void>;

/** Redis, when given, shares the counters of all instances; should it fail, requests pass uncounted. */
export function createRateLimits(config: Config, redis: RedisClientType | undefined, logger: Logger): RateLimits {
  const stores: Store[] = [];
  const newStore = (prefix: string): Store => {
    const store = redis ? createSharedStore(redis, prefix) : new MemoryStore();
    stores.push(store);
    return store;
  };
  const callers = new WeakMap<Request, Caller>();
  const refuse = (res: Response, next: (error: unknown) => void): void => {
    const seconds = Number(res.getHeader('Retry-After') ?? config.RATE_LIMIT_WINDOW_SECONDS);
    next(new AppError('RATE_LIMITED', `Too many requests; retry after ${seconds} seconds`, { retryAfterSeconds: seconds }));
  };
  const shared = {
    windowMs: config.RATE_LIMIT_WINDOW_SECONDS * 1000,
    standardHeaders: false as const,
    passOnStoreError: true,
    validate: false,
    handler: (_req: Request, res: Response, next: (error: unknown) => void) => refuse(res, next),
  };
  const byKey = rateLimit({
    ...shared,
    legacyHeaders: true,
    store: newStore('rl:key:'),
    keyGenerator: (req) => callers.get(req)?.keyId ?? '',
    limit: (req) => {
      const caller = callers.get(req);
      return caller?.rateLimit ?? (caller?.environment === 'SANDBOX' ? config.RATE_LIMIT_SANDBOX : config.RATE_LIMIT_LIVE);
    },
  });
  const byAddress = rateLimit({
    ...shared,
    legacyHeaders: false,
    store: newStore('rl:bad:'),
    keyGenerator: digestOfAddress(config, 'bad-key-limits'),
    limit: config.RATE_LIMIT_BAD_KEYS,
    handler(req, res, next) {
      const { used, limit } = (req as AugmentedRequest)['rateLimit'] ?? {};
      if (used === Number(limit) + 1) {
        const windowSeconds = config.RATE_LIMIT_WINDOW_SECONDS;
        logger.warn({ address: addressOf(req), limit, windowSeconds }, 'too many bad API keys or tokens from one address');
      }
      refuse(res, next);
    },
  });
  const run = (limiter: RateLimitRequestHandler, req: Request, res: Response): Promise<void> =>
    new Promise((resolve, reject) => {
      void limiter(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
    });
  return {
    countRequest(req, res, caller) {
      callers.set(req, caller);
      return run(byKey, req, res);
    },
    countBadKey: (req, res) => run(byAddress, req, res),
    byAddress({ name, limit }) {
      const keyGenerator = digestOfAddress(config, `${name}-limits`);
      const limiter = rateLimit({ ...shared, legacyHeaders: false, store: newStore(`rl:${name}:`), keyGenerator, limit });
      return (req, res) => run(limiter, req, res);
    },
    close() {
      for (const store of stores) void store.shutdown?.();
    },
  };
}

/** Of IPv6 the network that one client has. */
function addressOf(req: Request): string {
  return ipKeyGenerator(req.ip ?? '');
}

/** What an address is counted by, in Redis too: it tells nothing without the pepper, and nothing of the other limiters. */
function digestOfAddress({ secrets }: Config, limiter: string): (req: Request) => string {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secrets.apiKeyPepper, '', limiter, 32)));
  return (req) => createHmac('sha256', key).update(addressOf(req)).digest('base64url');
}
