/**
 * Rate limits: by key and by tenant; by client address for failed key checks, for calls without a key, and for what
 * features limit so. Source: docs/specification/conventions.md#rate-limits.
 */
import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import type { Request, Response } from 'express';
import {
  ipKeyGenerator,
  MemoryStore,
  type Options,
  type RateLimitInfo,
  type RateLimitRequestHandler,
  rateLimit,
  type Store,
} from 'express-rate-limit';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Scope } from '../db/scope.ts';
import { AppError } from '../errors.ts';
import type { Caller, CallersKey } from './operation.ts';
import type { SharedCounters } from './shared-counters.ts';
import { createTurns } from './turns.ts';

export interface RateLimits {
  /**
   * Counts a request of a key and of its tenant, sets the X-RateLimit headers to the nearer of both limits, throws
   * RATE_LIMITED past either. What the key's own limit refuses does not count for the tenant.
   */
  countRequest(req: Request, res: Response, caller: Caller): Promise<void>;
  /**
   * Counts a failed key check of a client address, throws RATE_LIMITED past the limit. The first one
   * past it has a log line, which alone names the address: one an address and window, over all instances
   * that share Redis.
   */
  countBadKey: CountAddress;
  /**
   * Looks up a key that may be anybody's guess: past the limit of its address not at all, and of one address no more at
   * once than the limit, so that a flood does not slip through beside the count. RATE_LIMITED.
   */
  guess: GuessAt;
  /** The same of a feature's guesses, counted by themselves. */
  guesses(options: AddressLimit & { alert: string }): GuessAt;
  /** Counts a call without a key, of what has no limit of its own. */
  countOpen: CountAddress;
  /** A limit of a feature's by client address. The address is neither logged nor given to Redis. */
  byAddress(options: AddressLimit): CountAddress;
  /** A limit of a feature's by tenant and environment. `what` is counted, as `token exchanges`. */
  byTenant(options: { name: string; limit: number; what: string }): (scope: Scope) => Promise<void>;
  /** A limit of a feature's by somebody's id, as of a person: it is counted over all instances that share Redis. */
  bySubject(options: { name: string; limit: number; what: string }): (id: string) => Promise<void>;
  /** Where counters are, and how many counts were not made since the start, because Redis was away. */
  stats(): { state: 'memory' | 'shared' | 'not counted'; uncounted: number };
  close(): void;
}

/** Looks up what may be anybody's guess; undefined is a wrong one. */
export type GuessAt = <T>(req: Request, res: Response, lookUp: () => Promise<T | undefined>) => Promise<T | undefined>;

/** Counts a request of a client address, throws RATE_LIMITED past the limit. */
export type CountAddress = (req: Request, res: Response) => Promise<void>;

export interface AddressLimit {
  name: string;
  limit: number;
  /**
   * A log line for the first that is refused, which names the address. Such a limit is one of guesses: it is in force,
   * instance by instance, while Redis is away.
   */
  alert?: string;
}

/** How many keys' limits a tenant has, where the deployment says nothing else. */
const KEYS_OF_TENANT = 4;

type Limited = 'key' | 'tenant' | 'address' | 'person';

const WHOSE: Record<Limited, string> = {
  key: 'of this API key',
  tenant: "of the tenant's keys of this environment together",
  address: 'from this address',
  person: 'of this person',
};

/** What express-rate-limit leaves at the request, by limiter. */
type Counted = Request & Partial<Record<`counted:${string}`, RateLimitInfo>>;

/**
 * `shared`, when given, has the counters of all instances. While it does not count, requests pass uncounted, save that
 * failed checks of keys and tokens are counted by this instance: hurting Redis must not open the way to guessers.
 */
export function createRateLimits(config: Config, shared: SharedCounters | undefined, logger: Logger): RateLimits {
  const windowMs = config.RATE_LIMIT_WINDOW_SECONDS * 1000;
  const stores: Store[] = [];
  const newStore = (prefix: string, meanwhile?: Store): Store => {
    const store = shared?.store(prefix, meanwhile) ?? meanwhile ?? new MemoryStore();
    stores.push(store);
    return store;
  };
  const callers = new WeakMap<Request, Caller>();

  function refusal(info: RateLimitInfo | undefined, limit: Limited, what = 'requests'): AppError {
    const until = info?.resetTime?.getTime() ?? Date.now() + windowMs;
    const seconds = Math.max(1, Math.ceil((until - Date.now()) / 1000));
    return new AppError('RATE_LIMITED', `Too many ${what} ${WHOSE[limit]}; retry after ${seconds} seconds`, {
      retryAfterSeconds: seconds,
      details: { limit },
    });
  }

  /** `limit` says whose it is to whom it refuses. */
  function limiter(name: string, limit: Limited, options: Partial<Options>): RateLimitRequestHandler {
    const property = `counted:${name}` as const;
    return rateLimit({
      windowMs,
      standardHeaders: false,
      legacyHeaders: false,
      passOnStoreError: true,
      validate: false,
      requestPropertyName: property,
      handler: (req, _res, next) => next(refusal((req as Counted)[property], limit)),
      ...options,
      store: options.store ?? newStore(`rl:${name}:`),
    });
  }

  const defaults = { LIVE: config.RATE_LIMIT_LIVE, SANDBOX: config.RATE_LIMIT_SANDBOX };
  const ofTenants = {
    LIVE: config.RATE_LIMIT_TENANT_LIVE ?? KEYS_OF_TENANT * defaults.LIVE,
    SANDBOX: config.RATE_LIMIT_TENANT_SANDBOX ?? KEYS_OF_TENANT * defaults.SANDBOX,
  };
  const callerOf = (req: Request): Caller => {
    const caller = callers.get(req);
    if (!caller) throw new Error('a request is counted without its caller');
    return caller;
  };
  const keyOf = (req: Request): CallersKey => {
    const { key } = callerOf(req);
    if (!key) throw new Error("a request without a key is counted as a key's");
    return key;
  };
  const byKey = limiter('key', 'key', {
    legacyHeaders: true,
    keyGenerator: (req) => keyOf(req).id,
    limit(req) {
      return keyOf(req).rateLimit ?? defaults[callerOf(req).environment];
    },
  });
  const byTenant = limiter('tenant', 'tenant', {
    keyGenerator: (req) => idOf(callerOf(req)),
    // A key that was given more than its tenant would have is not held up by that.
    limit(req) {
      return Math.max(keyOf(req).rateLimit ?? 0, ofTenants[callerOf(req).environment]);
    },
  });

  function byAddress({ name, limit, alert }: AddressLimit): RateLimitRequestHandler {
    const property = `counted:${name}` as const;
    return limiter(name, 'address', {
      store: newStore(`rl:${name}:`, alert === undefined ? undefined : new MemoryStore()),
      keyGenerator: digestOfAddress(config, name),
      limit,
      handler(req, _res, next) {
        const info = (req as Counted)[property];
        if (alert !== undefined && info?.used === limit + 1) {
          logger.warn({ address: addressOf(req), limit, windowSeconds: config.RATE_LIMIT_WINDOW_SECONDS }, alert);
        }
        next(refusal(info, 'address'));
      },
    });
  }

  function counter(whose: Limited, { name, limit, what }: { name: string; limit: number; what: string }) {
    const store = newStore(`rl:${name}:`);
    void store.init?.({ windowMs } as Options);
    return async (id: string): Promise<void> => {
      const { totalHits, resetTime } = await store.increment(id);
      if (totalHits <= limit) return;
      throw refusal({ limit, used: totalHits, remaining: 0, resetTime, key: '' }, whose, what);
    };
  }

  const badKeysLimit = { name: 'bad', limit: config.RATE_LIMIT_BAD_KEYS, alert: 'too many bad API keys from one address' };
  const badKeys = byAddress(badKeysLimit);
  const open = byAddress({ name: 'open', limit: config.RATE_LIMIT_ADDRESS });
  const run = (handler: RateLimitRequestHandler, req: Request, res: Response): Promise<void> =>
    new Promise((resolve, reject) => {
      void handler(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
    });

  function guessing(handler: RateLimitRequestHandler, { name, limit }: AddressLimit): GuessAt {
    const address = digestOfAddress(config, name);
    const turns = createTurns(limit);
    const refuse = async (req: Request, res: Response): Promise<void> => {
      const counted = await handler.getKey(address(req));
      if ((counted?.totalHits ?? 0) >= limit) await run(handler, req, res);
    };
    return async (req, res, lookUp) => {
      await refuse(req, res);
      return turns.take(address(req), async () => {
        await refuse(req, res);
        const found = await lookUp();
        if (found === undefined) await run(handler, req, res);
        return found;
      });
    };
  }

  return {
    async countRequest(req, res, caller) {
      callers.set(req, caller);
      await run(byKey, req, res);
      try {
        await run(byTenant, req, res);
      } finally {
        const { 'counted:key': key, 'counted:tenant': tenant } = req as Counted;
        if (key && tenant && tenant.remaining < key.remaining) setHeaders(res, tenant);
      }
    },

    countBadKey: (req, res) => run(badKeys, req, res),

    guess: guessing(badKeys, badKeysLimit),

    guesses: (options) => guessing(byAddress(options), options),

    countOpen: (req, res) => run(open, req, res),

    byAddress(options) {
      const handler = byAddress(options);
      return (req, res) => run(handler, req, res);
    },

    byTenant(options) {
      const count = counter('tenant', options);
      return (scope) => count(idOf(scope));
    },

    bySubject: (options) => counter('person', options),

    stats: () => ({ state: shared?.state() ?? 'memory', uncounted: shared?.uncounted() ?? 0 }),

    close() {
      shared?.close();
      for (const store of stores) void store.shutdown?.();
    },
  };
}

function idOf({ tenantId, environment }: Scope): string {
  return `${tenantId}:${environment}`;
}

function setHeaders(res: Response, { limit, remaining, resetTime }: RateLimitInfo): void {
  res.setHeader('X-RateLimit-Limit', limit);
  res.setHeader('X-RateLimit-Remaining', remaining);
  if (resetTime) res.setHeader('X-RateLimit-Reset', Math.ceil(resetTime.getTime() / 1000));
}

/** Of IPv6 the network that one client has. */
function addressOf(req: Request): string {
  return ipKeyGenerator(req.ip ?? '');
}

/** What an address is counted by, in Redis too: it tells nothing without the pepper, and nothing of the other limiters. */
function digestOfAddress({ secrets }: Config, name: string): (req: Request) => string {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secrets.apiKeyPepper, '', `${name}-limits`, 32)));
  return (req) => createHmac('sha256', key).update(addressOf(req)).digest('base64url');
}
